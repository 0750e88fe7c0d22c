"""Problems and heuristics under `engine="checked"`: kernels, and what the problem promises."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import Any

import attrs

from searchkit.algorithms import Algorithm
from searchkit.capabilities import own_heuristic
from searchkit.checked.kernels import checked_kernels
from searchkit.checked.promises import Promises
from searchkit.errors import UnsuitableError
from searchkit.kernel_language.program import carrying
from searchkit.packed import PackedHeuristic, PackedProblem, has_written_rules
from searchkit.problem import Problem, Step
from searchkit.transforms import ChainMoves, fix_first_step
from searchkit.transforms.first_step import FirstStepFixed


def checked(
    problem: Problem[Any, Any], algorithm: Algorithm | None = None
) -> tuple[Problem[Any, Any], Algorithm | None]:
    """The problem with its kernels checked, and the algorithm with those of its heuristic.

    Raises `UnsuitableError` for a problem that has no kernels.
    """
    if not isinstance(problem, PackedProblem):
        if isinstance(problem, (ChainMoves, FirstStepFixed)):
            inner, _ = checked(problem.base)
            is_fixed = isinstance(problem, FirstStepFixed)
            return (fix_first_step(inner) or inner if is_fixed else ChainMoves(inner)), algorithm
        raise UnsuitableError(
            f"the checked engine checks kernels, and {type(problem).__name__} is not a "
            f"PackedProblem; "
            "engine='reference' runs it"
        )
    heuristic = None
    if algorithm is not None and algorithm.uses_heuristic:
        chosen = getattr(algorithm, "heuristic", None)
        chosen = own_heuristic(problem) if chosen is None else chosen
        if isinstance(chosen, PackedHeuristic):
            heuristic = checked_heuristic(chosen, problem.words)
            own: Any = algorithm
            algorithm = attrs.evolve(own, heuristic=heuristic)
    return checked_problem(problem, heuristic), algorithm


def checked_heuristic(heuristic: PackedHeuristic, words: int = 1) -> PackedHeuristic:
    """A copy of the heuristic whose kernels are checked."""
    return carrying(copy(heuristic), checked_kernels(heuristic, words))


def checked_problem(
    problem: PackedProblem[Any], heuristic: PackedHeuristic | None = None
) -> PackedProblem[Any]:
    """A copy of the problem whose kernels and promises are checked at each state expanded.

    The estimates of a checked `heuristic` are compared along each step.
    """
    kind = type(problem)
    promises = Promises(problem, heuristic)

    def successors(self: Any, state: Any) -> Iterable[Step[Any, Any]]:
        promises.check(self, state)
        steps = list(kind.successors(self, state))
        kind.check_written(self, state, steps, heuristic)
        return steps

    def is_goal(self: Any, state: Any) -> bool:
        found = kind.is_goal(self, state)
        if found:
            kind.check_written(self, state, (), heuristic)
        return found

    methods: dict[str, Any] = {**checked_kernels(problem, problem.words), "successors": successors}
    if has_written_rules(problem):
        methods["is_goal"] = is_goal
    return carrying(copy(problem), methods)
