"""Whether a search can run compiled, and if not, why."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

from searchkit.algorithms import Bidirectional
from searchkit.capabilities import HasGoalStates, Symmetry
from searchkit.compiled.linear_tables import linear_space
from searchkit.heuristic import Heuristic, ProblemHeuristic, ZeroHeuristic
from searchkit.packed import PackedHeuristic, PackedProblem
from searchkit.problem import Problem


def why_not_compiled(
    problem: Problem[Any, Any],
    heuristic: Heuristic[Any, Any] = ZeroHeuristic(),  # noqa: B008  (has no state)
    algorithm: Any = None,
) -> str | None:
    """Why only the reference engine can be used, in a few words; None if there is no reason."""
    if not isinstance(problem, PackedProblem):
        return f"{type(problem).__name__} is no PackedProblem"
    knows_nothing = (
        isinstance(heuristic, ProblemHeuristic) and type(problem).heuristic is Problem.heuristic
    )
    if not isinstance(heuristic, (PackedHeuristic, ZeroHeuristic)) and not knows_nothing:
        return f"heuristic {heuristic.name} is no PackedHeuristic"
    if isinstance(algorithm, Bidirectional) and not problem.undirected:
        return "predecessors are not compiled, and the problem is not undirected"
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
) -> str | None:
    """Why only the reference engine can explore from `roots`; None if there is no reason.

    `backward` says that steps are to be followed against their direction.
    """
    if backward:
        return "predecessors are not compiled, and the problem is not undirected"
    if not _has_numba():
        return "numba is not installed"
    if (space := linear_space(problem, roots, symmetries)) is not None:
        if paths and not isinstance(space.base, HasGoalStates):
            return "its goals cannot be listed"
        return None
    if symmetries or paths:
        return "symmetries and paths are compiled for toggles alone (see HasToggles)"
    return why_not_compiled(problem)


@cache
def _has_numba() -> bool:
    return find_spec("numba") is not None
