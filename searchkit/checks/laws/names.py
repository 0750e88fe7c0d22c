"""No method or attribute has nearly the name of one of the protocol.

It would never be called or read.
"""

from __future__ import annotations

from searchkit.authors.user_code import place_of
from searchkit.capabilities import HasDefaultHeuristic
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law
from searchkit.premises.near_misses import near_misses


def check(ground: Ground) -> Findings:
    """Compare the names that classes define with those of the protocol. O(names squared)."""
    values: list[object] = [ground.problem]
    if isinstance(ground.problem, HasDefaultHeuristic):
        values.append(ground.ask("default_heuristic"))
    for value in values:
        for name, meant in near_misses(type(value)):
            yield Breach(
                f"members of {type(value).__name__} by the names of the protocol, like {meant}",
                f"{name}, which searchkit never calls or reads; if it is not meant for {meant}, "
                "give it another name, or one that begins with '_'",
                place=place_of(value, name),
            )
    return " and ".join(f"the members of {type(value).__name__}" for value in values)


LAW = Law(__name__, __doc__, check)
