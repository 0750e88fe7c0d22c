"""States drawn from a space that is too large to be explored, with what is known of them."""

from __future__ import annotations

import heapq
import itertools
import random
from collections.abc import Callable, Hashable, Iterable
from itertools import islice
from typing import Any

import attrs

from searchkit.capabilities import HasGoalStates, HasPredecessors, HasRandomState
from searchkit.problem import INFINITY, Problem, Step
from searchkit.running.task import whole_cost, wrong_cost

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
    back = _backward(problem)
    goals = list(islice(problem.goal_states(), GOALS)) if isinstance(problem, HasGoalStates) else []
    if back is not None and goals:
        _near_goals(sample, goals, back, samples // NEAR_SHARE + 1)
    _walk(sample, goals if back is not None else [], back, random.Random(seed), samples)
    if back is None or not goals:
        _solve_some(sample)
    return sample


def _backward(problem: Problem[Any, Any]) -> Neighbours | None:
    if problem.undirected:
        return problem.successors
    return problem.predecessors if isinstance(problem, HasPredecessors) else None


def _near_goals(sample: Sample, goals: list[Any], back: Neighbours, most: int) -> None:
    """Dijkstra's algorithm (1959) backwards, until `most` distances are settled."""
    problem = sample.problem
    order = itertools.count()
    waiting = [(0, next(order), goal) for goal in goals]
    settled: set[Hashable] = set()
    while waiting and len(settled) < most:
        distance, _, state = heapq.heappop(waiting)
        key = problem.key(state)
        if key in settled:
            continue
        settled.add(key)
        sample.add(state, distance, exact=True)
        for action, before, cost in back(state):
            sample.steps += 1
            if whole_cost(cost) is None:
                raise wrong_cost(problem, action, cost)
            if problem.key(before) not in settled:
                heapq.heappush(waiting, (distance + cost, next(order), before))


def _walk(
    sample: Sample,
    goals: list[Any],
    back: Neighbours | None,
    rng: random.Random,
    samples: int,
) -> None:
    """Random walks; the steps out of every state that is met the first time are counted."""
    problem = sample.problem
    starts = list(problem.initial_states())
    begins: list[Callable[[], tuple[Any, bool]]] = []
    if starts:
        begins.append(lambda: (rng.choice(starts), False))
    if isinstance(problem, HasRandomState):
        drawn = problem.random_state
        begins.append(lambda: (drawn(rng), False))
    if goals:
        begins.append(lambda: (rng.choice(goals), True))
    if not begins:
        return
    visits = 0
    for begin in itertools.cycle(begins):
        state, backwards = begin()
        bound = 0 if backwards else INFINITY
        for _ in range(rng.randint(1, WALK)):
            if sample.steps >= samples or visits >= samples:
                return
            visits += 1
            if bound and problem.is_goal(state):
                bound = 0
            is_new = sample.add(state, bound, exact=bound == 0)
            onward = list(back(state) if backwards and back else problem.successors(state))
            sample.steps += len(onward) if is_new else 0
            if not onward:
                break
            _, state, cost = rng.choice(onward)
            bound = bound + cost if backwards else INFINITY


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
    """The distance of a state by Dijkstra's algorithm, None if not known after `most` states."""
    order = itertools.count()
    waiting = [(0, next(order), start)]
    settled: set[Hashable] = set()
    while waiting:
        distance, _, state = heapq.heappop(waiting)
        key = problem.key(state)
        if key in settled:
            continue
        if problem.is_goal(state):
            return distance, len(settled)
        if len(settled) == most:
            return None, len(settled)
        settled.add(key)
        for action, after, cost in problem.successors(state):
            if whole_cost(cost) is None:
                raise wrong_cost(problem, action, cost)
            heapq.heappush(waiting, (distance + cost, next(order), after))
    return INFINITY, len(settled)
