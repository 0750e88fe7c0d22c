"""Rules that are compiled by themselves, once, for all engines: these call them by address.

Machine code of an engine is then the same for all problems with as many words, so that an edit of a
rule, or another puzzle, takes the time of compiling rules alone. A call costs a few nanoseconds,
which kernels that are made of an author's lists and loops do not notice; those that change packed
states by an operator would.
"""

from __future__ import annotations

import weakref
from types import ModuleType
from typing import Any

import numpy as np

from searchkit.compiled.specialise.kernels import estimate_kept, rules_kept
from searchkit.compiled.specialise.kernels.children import Children
from searchkit.compiled.specialise.module import rules_of
from searchkit.compiled.specialise.plain import is_plain
from searchkit.packed import CarriedHeuristic, PackedHeuristic, PackedProblem, ZeroHeuristic

FEW_WORDS = 128
"""The room for most tables, and what comes before them."""


def addressed(problem: PackedProblem[Any], heuristic: PackedHeuristic) -> tuple[str, ...]:
    """Which of a problem and a heuristic are called by address, by their prefixes."""
    if not problem.is_called_by_address or is_plain():
        return ()
    if isinstance(heuristic, CarriedHeuristic):
        return ()
    if type(heuristic).change is not PackedHeuristic.change:
        return ("problem",) if isinstance(heuristic, ZeroHeuristic) else ()
    return "problem", "heuristic"


def kept_rules(module: ModuleType, problem: PackedProblem[Any], children: Children) -> Any:
    """The tables of a problem whose rules the engines of a module call by address."""
    more = _constants(module, "UNIT_COSTS", "LEAST_COST", "MOST_COST", "KEEPS_OPERATORS")
    rules, tables = rules_of("problem", problem, ("at_goal", "expand"), rules_kept, **more)
    return module.ProblemTables(_kept(tables, rules.keep_rules, children.states, children))


def kept_estimate(module: ModuleType, heuristic: PackedHeuristic, states: Any) -> Any:
    """The tables of a heuristic that the engines of a module call by address, for such states."""
    more = _constants(module, "MEMORY", "FLOATS")
    rules, tables = rules_of("heuristic", heuristic, ("estimate",), estimate_kept, **more)
    return module.HeuristicTables(_kept(tables, rules.keep_estimate, states))


def _constants(module: ModuleType, *names: str) -> dict[str, int]:
    """The constants of a module that rules depend on, where it has them."""
    given = {name: getattr(module, name) for name in names if name in vars(module)}
    return {"WORDS": module.WORDS, **given}


def _kept(tables: Any, keep: Any, *samples: Any) -> Any:
    """The words by which a function is called, and in which its tables are."""
    at = np.zeros(FEW_WORDS, dtype=np.int64)
    needed = keep(tables, *samples, at)
    if needed > len(at):
        at = np.zeros(needed, dtype=np.int64)
        keep(tables, *samples, at)
    weakref.finalize(at, id, tables).atexit = False  # which live as long
    return at
