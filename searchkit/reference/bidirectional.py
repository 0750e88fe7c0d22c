"""Bidirectional breadth-first search (Pohl, "Bi-directional search", 1971)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable, Sequence
from typing import Any

import attrs

from searchkit.capabilities import steps_into
from searchkit.engines.both_ends import BothEnds
from searchkit.reference.bfs import breadth_first
from searchkit.running.task import Outcome, Steps, Task, successors_of
from searchkit.solutions.by_layers import by_steps, distances_back
from searchkit.symmetry import stabiliser


def bidirectional(task: Task) -> Generator[None, None, Outcome]:
    """Grow layers from the start and from the goals, the smaller one first, until they meet.

    Unit costs only. Time and memory O(states within half the solution's distance of either end).
    See `BothEnds` for the loop.
    """
    problem: Any = task.problem  # has goal_states: checked before
    symmetries = stabiliser(problem, task.starts) if task.algorithm.symmetry == "auto" else []
    images = [each.state_map for each in symmetries]
    onward = successors_of(problem)
    back: Any = onward if problem.undirected else steps_into(problem)  # checked before, too
    forward, backward = _Side(task, onward, images), _Side(task, back, images)
    forward.other, backward.other = backward, forward
    forward.begin(task.starts)
    backward.begin(problem.goal_states())
    if not backward.layer:  # only by trying every state it is known that none is a goal
        return (yield from breadth_first(task))
    task.counters.generated = forward.size + backward.size
    return (yield from _Search(task, forward, backward).meet())


@attrs.define(eq=False)
class _Side:
    """One of the two searches: its closed list with distances, and its current layer.

    Of states that `images` make equal, the layer holds one, and `members` all.
    """

    task: Task
    steps: Steps
    images: Sequence[Callable[[Any], Any]]
    layer: dict[Hashable, Any] = attrs.field(factory=dict)
    members: dict[Hashable, Any] = attrs.field(factory=dict)
    distance: dict[Hashable, int] = attrs.field(factory=dict)
    depth: int = 0
    other: Any = None
    """The other one."""

    @property
    def size(self) -> int:
        return len(self.layer)

    @property
    def stored(self) -> int:
        return len(self.distance)

    def begin(self, roots: Iterable[Any]) -> None:
        """Make the first layer."""
        for root in roots:
            key = self.task.problem.key(root)
            if key not in self.distance:
                self.add(key, root)

    def add(self, key: Hashable, state: Any) -> None:
        """Put a new state into the layer, and close all that are equal to it."""
        self.layer[key] = state
        if not self.images:
            self.members[key], self.distance[key] = state, self.depth
            return
        key_of = self.task.problem.key
        equal = {key_of(image(state)): image(state) for image in self.images}
        self.members.update(equal)
        self.distance.update(dict.fromkeys(equal, self.depth))

    def grow(self) -> Generator[None, None, int]:
        """Make the next layer."""
        task, closed, layer, other = self.task, self.distance, self.layer, self.other
        key_of, waiting, held = task.key_of, self.size + other.size, self.stored + other.stored
        self.layer, self.members, self.depth = {}, {}, self.depth + 1
        parts = (closed, layer, self.layer, self.members)
        task.counters.containers = (*parts, other.distance, other.layer, other.members)
        for state in layer.values():
            yield
            waiting -= 1
            for _, child, _ in task.expand(state, steps=self.steps):
                key = child if key_of is None else key_of(child)
                if key not in closed:
                    self.add(key, child)
            task.counters.note(waiting + self.size, held + self.size)
        return self.size


class _Search(BothEnds[_Side]):
    def meeting(self) -> list[Hashable]:
        mine, others = self.forward.members, self.backward.members
        return [] if mine.keys().isdisjoint(others) else [key for key in mine if key in others]

    def join(self, meeting: list[Hashable]) -> Generator[None, None, Outcome]:
        """The solutions through the states with the keys `meeting`.

        On the backward side every state's distance to the goal is known already. On the forward
        side it is found by following predecessors from the meeting towards the start.
        """
        task, forward, backward = self.task, self.forward, self.backward
        key_of, distance = task.problem.key, forward.distance

        def contains(states: Sequence[Any], depth: int) -> list[bool]:
            return [distance.get(key_of(state)) == depth for state in states]

        before = by_steps(task, contains, every=task.every, steps=backward.steps)
        level = [forward.members[key] for key in meeting]
        remaining = yield from distances_back(
            task, level, forward.depth, before, nearest=backward.depth
        )
        backward.distance.update(remaining)
        return Outcome(cost=forward.depth + backward.depth, remaining=backward.distance)
