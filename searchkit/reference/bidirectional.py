"""Bidirectional breadth-first search (Pohl, "Bi-directional search", 1971)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable, Sequence
from typing import Any

import attrs

from searchkit.problem import Step
from searchkit.reference.bfs import breadth_first
from searchkit.running.task import Outcome, Task
from searchkit.symmetry import stabiliser


@attrs.define
class _Side:
    """One of the two searches: its closed list with distances, and its current layer.

    Of states that `images` make equal, the layer holds one, and `members` all.
    """

    key: Callable[[Any], Hashable]
    steps: Callable[[Any], Iterable[Step[Any, Any]]]
    images: Sequence[Callable[[Any], Any]]
    layer: dict[Hashable, Any] = attrs.field(factory=dict)
    members: dict[Hashable, Any] = attrs.field(factory=dict)
    distance: dict[Hashable, int] = attrs.field(factory=dict)
    depth: int = 0

    def begin(self, roots: Iterable[Any]) -> None:
        """Make the first layer."""
        for root in roots:
            if self.key(root) not in self.distance:
                self.add(self.key(root), root, self.layer, self.members, 0)

    def add(
        self,
        key: Hashable,
        state: Any,
        layer: dict[Hashable, Any],
        members: dict[Hashable, Any],
        distance: int,
    ) -> None:
        """Put a new state into a layer, and close all that are equal to it."""
        layer[key] = state
        equal = {self.key(image(state)): image(state) for image in self.images} or {key: state}
        members.update(equal)
        self.distance.update(dict.fromkeys(equal, distance))


def bidirectional(task: Task) -> Generator[None, None, Outcome]:
    """Grow layers from the start and from the goals, the smaller one first, until they meet.

    Layers are finished before the meeting is looked for, so the first meeting is at the
    optimal cost and every optimal solution passes through a state of it. If either side runs
    out of states there is no solution. Unit costs only. Time and memory
    O(states within half the solution's distance of either end).
    """
    problem, counters = task.problem, task.counters
    known: Any = problem  # has goal_states, and predecessors unless undirected: checked before
    symmetries = stabiliser(problem, task.starts) if task.algorithm.symmetry == "auto" else []
    images = [each.state_map for each in symmetries]
    forward = _Side(problem.key, problem.successors, images)
    backward = _Side(
        problem.key, problem.successors if problem.undirected else known.predecessors, images
    )
    forward.begin(task.starts)
    backward.begin(known.goal_states())
    if not backward.layer:  # only by trying every state it is known that none is a goal
        return (yield from breadth_first(task))
    counters.generated = len(forward.layer) + len(backward.layer)
    while True:
        counters.waiting(len(forward.layer) + len(backward.layer))
        counters.holding(len(forward.distance) + len(backward.distance))
        depth = forward.depth + backward.depth
        counters.prove(depth)
        meeting = forward.members.keys() & backward.members.keys()
        if meeting:
            return _join(task, forward, backward, meeting)
        if not forward.layer or not backward.layer:
            return Outcome()
        if depth >= task.max_cost:
            return Outcome(cut=True)
        counters.prove(depth + 1)
        side = forward if len(forward.layer) <= len(backward.layer) else backward
        yield from _grow(task, side, forward, backward)


def _grow(task: Task, side: _Side, *sides: _Side) -> Generator[None, None, None]:
    """Replace the layer of `side` by the next one, whole."""
    counters = task.counters
    fresh: dict[Hashable, Any] = {}
    members: dict[Hashable, Any] = {}
    held_by = (part for one in sides for part in (one.distance, one.layer, one.members))
    counters.containers = (*held_by, fresh, members)
    closed, distance = side.distance, side.depth + 1
    waiting = sum(len(one.layer) for one in sides)
    held = sum(len(one.distance) for one in sides)
    for state in side.layer.values():
        yield
        waiting -= 1
        for key, child, _, _ in task.expand(state, steps=side.steps):
            if key not in closed:
                side.add(key, child, fresh, members, distance)
        counters.note(waiting + len(fresh), held + len(fresh))
    side.layer, side.members, side.depth = fresh, members, distance


def _join(task: Task, forward: _Side, backward: _Side, meeting: set[Hashable]) -> Outcome:
    """The solutions through `meeting`.

    On the backward side every state's distance to the goal is known already. On the forward
    side it is found by following predecessors from the meeting towards the start.
    """
    cost = forward.depth + backward.depth
    key_of, distance = task.problem.key, forward.distance
    remaining = backward.distance
    level = {key: forward.members[key] for key in forward.members if key in meeting}
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
