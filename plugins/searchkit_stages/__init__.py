"""Solving in stages: sub-goals one after the other, each along a table of distances.

The algorithm is `Stages`; problems offer plans for it by `stage_plans`, with a `Stage` for each
sub-goal. There is a plain engine, a compiled one, and one for many starts at once.
"""

from __future__ import annotations

from searchkit import hookimpl
from searchkit.hookspecs import RegisterEngine
from searchkit.later import Later
from searchkit_stages.stage import HasStages, Stage, Stages

__all__ = ["HasStages", "Stage", "Stages"]


_plain = Later("searchkit_stages.reference:in_stages")
_many = Later("searchkit_stages.compiled.engine:many_in_stages")
_compiled = Later("searchkit_stages.compiled.engine:in_stages")


@hookimpl
def searchkit_register_engines(register: RegisterEngine) -> None:
    """Register the algorithm with its engines."""
    register(Stages, _plain)
    register(Stages, _compiled, kind="compiled")
    register(Stages, _many, kind="many")
