"""States drawn from a space that is too large to be explored, with what is known of them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Any

import attrs

from searchkit.capabilities import HasGoalStates, HasRandomState, steps_into
from searchkit.checks.distances import nearest_first
from searchkit.problem import INFINITY, Problem, Step
from searchkit.running.task import legal_cost

NEAR_SHARE = 10
"""How many steps of the sample there are for each state that is nearest to a goal."""
SOLVED_EXPANSIONS = 100_000
MOST_EXPANSIONS = 2_000
"""Without a way back from goals: what solving states may take in all, and for each."""
WALK = 100
"""The most steps of a walk."""
GOALS = 1000
"""The most goals that are listed, to walk back from."""

Neighbours = Callable[[Any], Iterable[Step[Any, Any]]]


@attrs.define(eq=False)
class Sample:
    """Different states; `bound` is the cost of a way to a goal, infinity where none is known.

    `exact` tells whether it is the distance. `steps` counts the steps out of the states, or into
    those that were found backwards.
    """

    problem: Problem[Any, Any]
    states: list[Any] = attrs.field(factory=list)
    bound: list[float] = attrs.field(factory=list)
    exact: list[bool] = attrs.field(factory=list)
    steps: int = 0
    number: dict[Hashable, int] = attrs.field(factory=dict)

    def add(self, state: Any, bound: float, exact: bool = False) -> bool:
        """Note a state and a way from it; whether it is new."""
        key = self.problem.key(state)
        index = self.number.setdefault(key, len(self.states))
        if index == len(self.states):
            self.states.append(state)
            self.bound.append(bound)
            self.exact.append(exact)
            return True
        if not self.exact[index]:
            self.bound[index] = min(self.bound[index], bound)
            self.exact[index] = exact
        return False


def draw(problem: Problem[Any, Any], seed: int, samples: int) -> Sample:
    """A sample with about `samples` steps, the same for the same seed.

    First come the states nearest to a goal, with their exact distances. Walks begin in turn at
    starts, at random states, and, backwards, at goals. O(samples).
    """
    sample = Sample(problem)
    back = steps_into(problem)
    goals = list(islice(problem.goal_states(), GOALS)) if isinstance(problem, HasGoalStates) else []
    if back is not None and goals:
        _near_goals(sample, goals, back, samples // NEAR_SHARE + 1)
    _walk(sample, goals if back is not None else [], back, random.Random(seed), samples)
    if back is None or not goals:
        _solve_some(sample)
    return sample


def _near_goals(sample: Sample, goals: list[Any], back: Neighbours, most: int) -> None:
    """Search backwards, until `most` distances are settled."""

    def before(state: Any) -> Iterator[tuple[Any, int]]:
        for step in costed(sample.problem, back, state):
            sample.steps += 1
            yield step

    for number, (distance, state) in enumerate(nearest_first(goals, before, sample.problem.key)):
        if number == most:
            return
        sample.add(state, distance, exact=True)


def costed(problem: Problem[Any, Any], steps: Neighbours, state: Any) -> Iterator[tuple[Any, int]]:
    """The states that steps lead to, and what these cost, which must be as promised."""
    for action, after, cost in steps(state):
        yield after, legal_cost(problem, action, cost)


def _walk(
    sample: Sample, goals: list[Any], back: Neighbours | None, rng: random.Random, samples: int
) -> None:
    """Random walks; the steps out of every state that is met the first time are counted."""
    problem = sample.problem
    starts = list(problem.initial_states())
    begins: list[Callable[[], Any]] = []
    if starts:
        begins.append(lambda: rng.choice(starts))
    if isinstance(problem, HasRandomState):
        begins.append(partial(problem.random_state, rng))
    if goals:
        begins.append(lambda: rng.choice(goals))
    if not begins:
        return
    visits = 0
    for begin in itertools.cycle(begins):
        onward = back if goals and back is not None and begin is begins[-1] else None
        state, bound = begin(), INFINITY if onward is None else 0
        for _ in range(rng.randint(1, WALK)):
            if sample.steps >= samples or visits >= samples:
                return
            visits += 1
            if bound and problem.is_goal(state):
                bound = 0
            is_new = sample.add(state, bound, exact=bound == 0)
            steps = list((onward or problem.successors)(state))
            sample.steps += len(steps) if is_new else 0
            if not steps:
                break
            _, state, cost = rng.choice(steps)
            bound = INFINITY if onward is None else bound + cost


def _solve_some(sample: Sample) -> None:
    """Exact distances of the first states that were met, by search from each."""
    left = SOLVED_EXPANSIONS
    for index, state in enumerate(sample.states):
        if left <= 0:
            return
        if sample.exact[index]:
            continue
        distance, expanded = _distance(sample.problem, state, min(left, MOST_EXPANSIONS))
        left -= expanded
        if distance is not None:
            sample.bound[index] = distance
            sample.exact[index] = True


def _distance(problem: Problem[Any, Any], start: Any, most: int) -> tuple[float | None, int]:
    """The distance of a state, None if not known after `most` expansions; how many there were."""
    ahead = partial(costed, problem, problem.successors)
    number = -1
    for number, (distance, state) in enumerate(nearest_first([start], ahead, problem.key)):
        if problem.is_goal(state):
            return distance, number
        if number == most:
            return None, number
    return INFINITY, number + 1
