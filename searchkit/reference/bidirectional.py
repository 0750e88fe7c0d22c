"""Bidirectional breadth-first search (Pohl, "Bi-directional search", 1971)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable
from typing import Any

import attrs

from searchkit.problem import Step
from searchkit.task import LOOK_EVERY, Outcome, Task


@attrs.define
class _Side:
    """One of the two searches: its closed list with distances, and its current layer."""

    steps: Callable[[Any], Iterable[Step[Any, Any]]]
    layer: dict[Hashable, Any]
    distance: dict[Hashable, int] = attrs.field(init=False)
    depth: int = 0

    def __attrs_post_init__(self) -> None:
        self.distance = dict.fromkeys(self.layer, 0)


def bidirectional(task: Task) -> Generator[None, None, Outcome]:
    """Grow layers from the start and from the goals, the smaller one first, until they meet.

    Layers are finished before the meeting is looked for, so the first meeting is at the
    optimal cost and every optimal solution passes through a state of it. If either side runs
    out of states there is no solution. Unit costs only. Time and memory
    O(states within half the solution's distance of either end).
    """
    problem, counters = task.problem, task.counters
    key_of = problem.key
    known: Any = problem  # has goal_states, and predecessors unless undirected: checked before
    forward = _Side(problem.successors, {key_of(start): start for start in task.starts})
    backward = _Side(
        problem.successors if problem.undirected else known.predecessors,
        {key_of(goal): goal for goal in known.goal_states()},
    )
    counters.generated = len(forward.layer) + len(backward.layer)
    while True:
        counters.waiting(len(forward.layer) + len(backward.layer))
        counters.holding(len(forward.distance) + len(backward.distance))
        counters.lower_bound = forward.depth + backward.depth
        meeting = forward.layer.keys() & backward.layer.keys()
        if meeting:
            return _join(task, forward, backward, meeting)
        if not forward.layer or not backward.layer:
            return Outcome()
        if counters.lower_bound >= task.max_cost:
            return Outcome(cut=True)
        counters.lower_bound += 1
        side = forward if len(forward.layer) <= len(backward.layer) else backward
        yield from _grow(task, side, forward, backward)


def _grow(task: Task, side: _Side, *sides: _Side) -> Generator[None, None, None]:
    """Replace the layer of `side` by the next one, whole."""
    counters, key_of = task.counters, task.problem.key
    fresh: dict[Hashable, Any] = {}
    counters.containers = tuple(part for one in sides for part in (one.distance, one.layer))
    counters.containers += (fresh,)
    closed, distance = side.distance, side.depth + 1
    waiting = sum(len(one.layer) for one in sides)
    held = sum(len(one.distance) for one in sides)
    for state in side.layer.values():
        yield
        counters.expanded += 1
        waiting -= 1
        for action, child, cost in side.steps(state):
            if cost != 1:
                raise task.wrong_cost(action, cost)
            counters.generated += 1
            if counters.generated % LOOK_EVERY == 0:
                counters.holding(held + len(fresh))
                yield
            key = key_of(child)
            if key not in closed:
                closed[key] = distance
                fresh[key] = child
        counters.waiting(waiting + len(fresh))
        counters.holding(held + len(fresh))
    side.layer, side.depth = fresh, distance


def _join(task: Task, forward: _Side, backward: _Side, meeting: set[Hashable]) -> Outcome:
    """The solutions through `meeting`.

    On the backward side every state's distance to the goal is known already. On the forward
    side it is found by following predecessors from the meeting towards the start.
    """
    cost = forward.depth + backward.depth
    key_of, distance = task.problem.key, forward.distance
    remaining = backward.distance
    level = {key: forward.layer[key] for key in forward.layer if key in meeting}
    for depth in reversed(range(forward.depth)):
        above: dict[Hashable, Any] = {}
        for state in level.values():
            for step in backward.steps(state):
                key = key_of(step[1])
                if distance.get(key) == depth:
                    above[key] = step[1]
                    remaining[key] = cost - depth
                    if not task.every:
                        break
            if above and not task.every:
                break
        level = above
    return Outcome(cost=cost, remaining=remaining)
