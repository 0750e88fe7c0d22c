"""Starts of a wanted difficulty: a random walk back from a goal."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from searchkit.capabilities import HasGoalStates, steps_into
from searchkit.errors import UnsuitableError, UsageError
from searchkit.problem import Problem, Step

S = TypeVar("S")

TRIES = 100


def scramble(problem: Problem[S, Any], steps: int, rng: random.Random) -> S:
    """Walks at random back from a goal, and returns the state at the end.

    The goal is drawn first. The walk follows `predecessors`, or `successors` where the problem is
    undirected, and never goes straight back. A walk that comes to a dead end is begun again, up to
    100 times.

    Args:
        problem: Where to walk.
        steps: How many steps: the state's distance from the goal is that at most, and may be less.
        rng: What the goal and the steps are drawn by.

    Raises:
        UnsuitableError: The problem cannot be walked backwards.
        UsageError: Every walk ended early.

    >>> import random
    >>> from searchkit import Problem, Step
    >>> from searchkit.scramble import scramble
    >>> class Walk(Problem[int, str]):
    ...     undirected = True
    ...     def initial_states(self):
    ...         return [0]
    ...     def successors(self, state):
    ...         return [Step("left", state - 1), Step("right", state + 1)]
    ...     def is_goal(self, state):
    ...         return state == 10
    ...     def goal_states(self):
    ...         return [10]
    >>> scramble(Walk(), 5, random.Random(1)) in (5, 15)
    True
    """
    if not isinstance(problem, HasGoalStates):
        raise UnsuitableError(
            "scrambling needs goal_states(), which the problem does not have; give a start"
        )
    back = steps_into(problem)
    if back is None:
        raise UnsuitableError(
            "scrambling needs predecessors(), or undirected = True, and the problem has neither; "
            "give a start"
        )
    goals: list[S] = list(problem.goal_states())
    if not goals:
        raise UsageError("the problem has no goal to walk back from; give a start")
    longest = 0
    for _ in range(TRIES):
        state, walked = _walk(problem, rng.choice(goals), back, steps, rng)
        if walked == steps:
            return state
        longest = max(longest, walked)
    raise UsageError(
        f"{TRIES} random walks of {steps} steps back from the goal came to dead ends; "
        f"the longest took {longest}: ask for at most that many"
    )


Back = Callable[[Any], Iterable[Step[Any, Any]]]


def _walk(
    problem: Problem[S, Any], state: S, back: Back, steps: int, rng: random.Random
) -> tuple[S, int]:
    """Where a walk from `state` ends, and after how many steps."""
    key = problem.key
    before = None
    for walked in range(steps):
        here = key(state)
        choices = [step[1] for step in back(state) if key(step[1]) not in (here, before)]
        if not choices:
            return state, walked
        before, state = here, rng.choice(choices)
    return state, steps
