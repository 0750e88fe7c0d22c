"""The algorithm and the heuristic that are taken where nobody names one."""

from __future__ import annotations

from typing import Any

from searchkit.algorithms import (
    Algorithm,
    AStar,
    Bidirectional,
    BreadthFirst,
    IDAStar,
    UniformCost,
)
from searchkit.authors.blame import blaming
from searchkit.capabilities import HasChains, own_heuristic
from searchkit.compiled.plan import plan_search
from searchkit.errors import UnsuitableError
from searchkit.heuristic import Heuristic
from searchkit.heuristics.names import Named, best_heuristic, read_heuristic
from searchkit.packed import CarriedHeuristic
from searchkit.premises.asking import estimate_of, starts_of
from searchkit.premises.kinds import check_kinds
from searchkit.problem import Costs, Problem


def default_algorithm(
    problem: Problem[Any, Any], named: Named, *, any_solution: bool = False
) -> Algorithm:
    """The algorithm that suits `problem`, with the best heuristic that is ready.

    `named` gives the heuristics that have a name of their own. With `any_solution`, chains of moves
    are searched by bitmaps, up to symmetry, where they can be. See `default_class`.
    """
    check_kinds(problem)
    symmetric = Bidirectional(symmetry="auto")
    with blaming(problem):
        if any_solution and _is_by_bitmaps(problem, symmetric):
            return symmetric
        text = best_heuristic(problem)
        if text is not None:
            heuristic = read_heuristic(problem, text, named)
            if suiting(heuristic) is AStar:
                return AStar(heuristic=heuristic)
            return IDAStar(heuristic=heuristic, operator_pruning=heuristic.operator_pruning)
        return default_class(problem)()


def default_class(problem: Problem[Any, Any]) -> type[Algorithm]:
    """A* where the problem's own heuristic knows something about a start.

    That is its `default_heuristic`, or else its method `heuristic`. IDA* with a heuristic that is
    carried along the path. Without one, bidirectional search where it is possible, breadth-first
    search for unit costs, uniform-cost search for others.
    """
    heuristic = own_heuristic(problem)
    if any(estimate_of(problem, heuristic, start) > 0 for start in starts_of(problem)):
        return suiting(heuristic)
    if problem.costs is not Costs.UNIT:
        return UniformCost
    return Bidirectional if _suits(problem, Bidirectional()) else BreadthFirst


def suiting(heuristic: Heuristic[Any, Any] | None) -> type[AStar] | type[IDAStar]:
    """A*, or IDA* for a heuristic that is carried along the path, which is fast."""
    return IDAStar if isinstance(heuristic, CarriedHeuristic) else AStar


def _is_by_bitmaps(problem: Problem[Any, Any], algorithm: Algorithm) -> bool:
    """Whether chains of moves can be searched so: other searches meet far more of their states."""
    if not isinstance(problem, HasChains) or not _suits(problem, algorithm):
        return False
    found = plan_search(problem, algorithm)
    return found.reason is None and found.space is not None


def _suits(problem: Problem[Any, Any], algorithm: Algorithm) -> bool:
    try:
        algorithm.check(problem)
    except UnsuitableError:
        return False
    return True
