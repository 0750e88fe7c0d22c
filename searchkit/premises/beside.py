"""Estimates beside the solution: searched for ways to a goal that cost less than they say."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from heapq import heappop, heappush
from itertools import count
from typing import Any, NamedTuple

from searchkit.heuristic import Heuristic
from searchkit.premises.asking import is_goal, steps_of
from searchkit.premises.estimates import ROUNDING
from searchkit.premises.patience import Patience
from searchkit.problem import Problem
from searchkit.result import Overestimate

MOST_EXPANDED = 300
"""Of each search."""


class Left(NamedTuple):
    """A state that was left open, its estimate, and what its way to a goal must cost less than."""

    state: Any
    estimate: float
    below: float


def overestimate_beside(
    problem: Problem[Any, Any],
    heuristic: Heuristic[Any, Any],
    left: Iterable[Left],
    remaining: Mapping[Hashable, int],
    patience: Patience,
) -> Overestimate | None:
    """The first of some states from which a way leads to a goal that costs less than estimated.

    `remaining` is what it costs from states of the solution, by their keys. Expands up to
    `MOST_EXPANDED` states from each, by uniform-cost search.
    """
    for state, estimate, below in left:
        if patience.is_over():
            break
        cost = _cost_from(problem, state, min(estimate, below), remaining, patience)
        if cost is not None and estimate > cost + ROUNDING * max(1, cost):
            return Overestimate(problem.format_state(state), estimate, cost)
    return None


def _cost_from(
    problem: Problem[Any, Any],
    start: Any,
    below: float,
    remaining: Mapping[Hashable, int],
    patience: Patience,
) -> int | None:
    """The cost of a way to a goal that costs less than `below`; None if none is found."""
    number = count()
    best: dict[Hashable, int] = {problem.key(start): 0}
    waiting = [(0, next(number), problem.key(start), start)]
    for expanded in range(MOST_EXPANDED):
        while waiting and waiting[0][0] > best[waiting[0][2]]:
            heappop(waiting)
        if not waiting or (expanded % 16 == 15 and patience.is_over()):
            return None
        g, _, key, state = heappop(waiting)
        known = remaining.get(key)
        if known is not None and g + known < below:
            return g + known
        if is_goal(problem, state):
            return g
        for step in steps_of(problem, state, most=1000):
            after = g + int(step.cost)
            if after < below and after < best.get(step.key, below):
                best[step.key] = after
                heappush(waiting, (after, next(number), step.key, step.state))
    return None
