"""Estimates compared with what a solution has cost, which shows many that are too large."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
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
    seen: set[Hashable] = set()
    patience = Patience(SECONDS)
    for solution in islice(solutions, MOST_SOLUTIONS):
        remaining = solution.cost
        costs = [0, *(step.cost for step in solution.steps)]
        for state, cost in zip(solution.states, costs, strict=True):
            remaining -= cost
            key = problem.key(state)
            if key in seen:
                continue
            seen.add(key)
            estimate = estimate_of(problem, heuristic, state)
            if is_above(estimate, remaining):
                return Overestimate(problem.format_state(state), estimate, remaining)
        if patience.is_over():
            break
    return None


def is_above(estimate: float, cost: float) -> bool:
    """Whether an estimate is more than a way to a goal costs, by more than rounding."""
    return estimate > cost + ROUNDING * max(1, cost)
