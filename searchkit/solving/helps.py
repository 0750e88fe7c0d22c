"""What would help a search that was too much for the memory."""

from __future__ import annotations

from typing import Any

from searchkit.algorithms import ALGORITHMS, CompleteBeam, IDAStar
from searchkit.algorithms.values import Deepening
from searchkit.capabilities import own_heuristic
from searchkit.heuristic import ProblemHeuristic
from searchkit.packed import ZeroHeuristic
from searchkit.problem import Problem
from searchkit.result import SearchResult


def help_for_memory(problem: Problem[Any, Any], found: SearchResult[Any, Any]) -> str | None:
    """Which other algorithms of the bundled ones need less memory, in words; None if none do."""
    algorithm = found.algorithm
    is_bundled = ALGORITHMS.get(algorithm.name) is type(algorithm)
    if not is_bundled or isinstance(algorithm, (Deepening, CompleteBeam)):
        return None
    known = getattr(algorithm, "heuristic", None) or own_heuristic(problem)
    rules = known.problem if isinstance(known, ProblemHeuristic) else None
    is_blind = rules is not None and type(rules).heuristic is Problem.heuristic
    if is_blind or isinstance(known, ZeroHeuristic):
        return "iddfs has only one path in memory, and with a heuristic idastar is faster"
    soon = "" if found.solution is not None else ", and cabs has some solution soon"
    return f"{IDAStar.name} has only one path in memory{soon}"
