"""Estimates compared with what a solution has cost, which shows many that are too large."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from itertools import islice
from typing import Any

from searchkit.heuristic import Heuristic
from searchkit.premises.asking import estimate_of
from searchkit.premises.patience import Patience
from searchkit.problem import Problem
from searchkit.result import Overestimate, Solution

ROUNDING = 1e-9
"""The share of itself by which an estimate may exceed the cost: sums of roots are not exact."""
MOST_SOLUTIONS = 100
SECONDS = 0.05
"""How many of several solutions are looked at, and for how much processor time."""


def overestimate(
    problem: Problem[Any, Any],
    heuristic: Heuristic[Any, Any],
    solutions: Iterable[Solution[Any, Any]],
) -> Overestimate | None:
    """The first state on the solutions whose estimate is more than what it costs from there.

    None if there is none. O(length) estimates for each solution.
    """
    return first_above(problem, heuristic, _states_on(problem, solutions))


def _states_on(
    problem: Problem[Any, Any], solutions: Iterable[Solution[Any, Any]]
) -> Iterator[tuple[Any, int]]:
    """The states on some solutions, each once, and what it costs from there."""
    seen: set[Hashable] = set()
    patience = Patience(SECONDS)
    for solution in islice(solutions, MOST_SOLUTIONS):
        remaining = solution.cost
        costs = [0, *(step.cost for step in solution.steps)]
        for state, cost in zip(solution.states, costs, strict=True):
            remaining -= cost
            key = problem.key(state)
            if key not in seen:
                seen.add(key)
                yield state, remaining
        if patience.is_over():
            break


def first_above(
    problem: Problem[Any, Any],
    heuristic: Heuristic[Any, Any],
    states: Iterable[tuple[Any, int]],
) -> Overestimate | None:
    """The first of some states, each with what it costs from there, whose estimate is more."""
    for state, cost in states:
        estimate = estimate_of(problem, heuristic, state)
        if is_above(estimate, cost):
            return Overestimate(problem.format_state(state), estimate, cost)
    return None


def is_above(estimate: Any, cost: Any) -> Any:
    """Whether an estimate is more than a way to a goal costs, by more than rounding; of arrays."""
    return estimate > cost + ROUNDING * (1 + cost)
