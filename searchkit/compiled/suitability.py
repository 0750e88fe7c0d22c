"""Whether a search can run compiled, and if not, why."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

from searchkit.algorithms import Bidirectional, BreadthFirst
from searchkit.capabilities import HasGoalStates, Symmetry
from searchkit.compiled.layers.linear_tables import linear_space
from searchkit.heuristic import Heuristic, ProblemHeuristic, ZeroHeuristic
from searchkit.packed import PackedHeuristic, PackedProblem
from searchkit.problem import Problem
from searchkit.symmetry import stabiliser
from searchkit.transforms import ChainMoves


def why_not_compiled(
    problem: Problem[Any, Any],
    heuristic: Heuristic[Any, Any] = ZeroHeuristic(),  # noqa: B008  (has no state)
    algorithm: Any = None,
) -> str | None:
    """Why only the reference engine can be used, in a few words; None if there is no reason."""
    if isinstance(algorithm, (BreadthFirst, Bidirectional)):
        starts = list(problem.initial_states())
        is_symmetric = algorithm.symmetry == "auto"
        is_directed = isinstance(algorithm, Bidirectional) and not problem.undirected
        if is_symmetric or is_directed or isinstance(problem, ChainMoves):
            symmetries = stabiliser(problem, starts) if is_symmetric else []
            return _why_no_bitmaps(problem, starts, symmetries)
    if not isinstance(problem, PackedProblem):
        return f"{type(problem).__name__} is not a PackedProblem"
    knows_nothing = (
        isinstance(heuristic, ProblemHeuristic) and type(problem).heuristic is Problem.heuristic
    )
    if not isinstance(heuristic, (PackedHeuristic, ZeroHeuristic)) and not knows_nothing:
        return f"heuristic {heuristic.name} is not a PackedHeuristic"
    if not _has_numba():
        return "numba is not installed"
    return None


def why_not_explored(
    problem: Problem[Any, Any],
    roots: Sequence[Any],
    symmetries: Sequence[Symmetry[Any, Any]],
    *,
    backward: bool,
    paths: bool,
    table: bool,
) -> str | None:
    """Why only the reference engine can explore from `roots`; None if there is no reason.

    `backward` says that steps are to be followed against their direction.
    """
    if backward:
        return "predecessors are not compiled, and the problem is not undirected"
    if not _has_numba():
        return "numba is not installed"
    no_bitmaps = _why_no_bitmaps(problem, roots, symmetries, goals=paths)
    if no_bitmaps is None:
        return None
    if table and not paths:
        if isinstance(problem, PackedProblem) and problem.words != 1:
            return "tables hold states of one word"
        if any(symmetry.bits is None for symmetry in symmetries):
            return "a symmetry does not say where it moves bits (Symmetry.bits)"
    elif symmetries or paths:
        return no_bitmaps
    return why_not_compiled(problem)


def _why_no_bitmaps(
    problem: Problem[Any, Any],
    roots: Sequence[Any],
    symmetries: Sequence[Symmetry[Any, Any]],
    *,
    goals: bool = True,
) -> str | None:
    if linear_space(problem, roots, symmetries) is None:
        return (
            "symmetries, chains, paths and predecessors are compiled for toggles alone "
            "(see HasToggles)"
        )
    if goals and not isinstance(problem, HasGoalStates):
        return "its goals cannot be listed"
    return None if _has_numba() else "numba is not installed"


@cache
def _has_numba() -> bool:
    return find_spec("numba") is not None
