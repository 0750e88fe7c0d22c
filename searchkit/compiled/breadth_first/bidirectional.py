"""Bidirectional breadth-first search over packed states (Pohl, "Bi-directional search", 1971)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator, Hashable
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.compiled.breadth_first.bfs import breadth_first
from searchkit.compiled.breadth_first.expansion import NO_GOALS, Layers, prepare
from searchkit.compiled.breadth_first.state_set import Store
from searchkit.compiled.breadth_first.walk_back import layer_before
from searchkit.compiled.layers.bitmap_bidirectional import bitmap_bidirectional
from searchkit.packed import PackedProblem
from searchkit.running.task import Outcome, Task

if TYPE_CHECKING:
    import numpy as np

LOOKED_UP_AT_ONCE = 1 << 14


def bidirectional(task: Task) -> Generator[None, None, Outcome]:
    """Bidirectional search, by bitmaps where toggles allow."""
    problem: Any = task.problem
    if next(iter(problem.goal_states()), None) is None:
        return (yield from breadth_first(task))  # to know that no state is a goal
    is_hashed = isinstance(task.problem, PackedProblem) and task.problem.undirected
    if is_hashed and task.algorithm.symmetry == "none":
        return (yield from _bidirectional(task))
    return (yield from bitmap_bidirectional(task))


def _bidirectional(task: Task) -> Generator[None, None, Outcome]:
    """Grow layers from the start and from the goals as the reference engine does.

    For undirected problems. A state takes what it takes in breadth-first search.
    """
    search = _Search.prepare(task)
    yield
    return (yield from search.run())


@attrs.define(eq=False)
class _Search:
    task: Task
    forward: Layers
    backward: Layers

    @classmethod
    def prepare(cls, task: Task) -> _Search:
        spec = prepare(task.problem, task.starts, NO_GOALS)
        stores = [Store(spec, task), Store(spec, task)]
        for one, other in (stores, stores[::-1]):
            one.others = [other]
        return cls(task, *(Layers(store) for store in stores))

    def run(self) -> Generator[None, None, Outcome]:
        task, counters = self.task, self.task.counters
        forward, backward = self.forward, self.backward
        problem: Any = task.problem
        forward.begin(list(task.starts))
        goals = {problem.key(goal): goal for goal in problem.goal_states()}
        backward.begin(list(goals.values()))
        counters.generated = forward.size + backward.size
        while True:
            counters.waiting(forward.size + backward.size)
            counters.holding(forward.store.count + backward.store.count)
            depth = forward.depth + backward.depth
            counters.prove(depth)
            meeting = self._meeting()
            if len(meeting):
                return self._join(meeting)
            if not forward.size or not backward.size:
                return Outcome()
            if depth >= task.max_cost:
                return Outcome(cut=True)
            counters.prove(depth + 1)
            if forward.size <= backward.size:
                yield from self._grow(forward, backward)
            else:
                yield from self._grow(backward, forward)

    def _grow(self, side: Layers, other: Layers) -> Generator[None, None, None]:
        counters = self.task.counters

        def note() -> None:
            counters.waiting(side.most_waiting + other.size)
            counters.frontier = side.left + side.fresh + other.size
            counters.holding(side.store.count + other.store.count)

        yield from side.grow(note)
        side.next_layer()

    def _meeting(self) -> np.ndarray[Any, Any]:
        """The indexes on the forward side, rising, of the states in both last layers."""
        forward, backward = self.forward, self.backward
        if forward.size <= backward.size:
            return _common(forward, backward)[0]
        return _sorted(_common(backward, forward)[1])

    def _join(self, meeting: np.ndarray[Any, Any]) -> Outcome:
        """The solutions through the states of `meeting`."""
        cost = self.forward.depth + self.backward.depth
        if self.task.every:
            return Outcome(cost=cost, remaining=self._every(meeting, cost))
        return Outcome(cost=cost, remaining=self._one(meeting, cost))

    def _every(self, meeting: np.ndarray[Any, Any], cost: int) -> dict[Hashable, int]:
        forward, backward = self.forward, self.backward
        remaining: dict[Hashable, int] = {}
        level = meeting
        for depth in reversed(range(forward.depth + 1)):
            remaining.update((forward.store.state(index), cost - depth) for index in level)
            if depth:
                level = layer_before(forward, level, depth - 1, undirected=True)
        level = _common(forward, backward)[1]
        for depth in reversed(range(backward.depth)):
            level = layer_before(backward, level, depth, undirected=True)
            remaining.update((backward.store.state(index), depth) for index in level)
        return remaining

    def _one(self, meeting: np.ndarray[Any, Any], cost: int) -> dict[Hashable, int]:
        """The states on the solution that the reference engine lists first."""
        forward, backward = self.forward, self.backward
        level = [forward.store.state(index) for index in meeting]
        chain: list[Any] = []
        for depth in reversed(range(forward.depth)):
            chain.append(next(found for state in level for found in self._near(state, depth)))
            level = chain[-1:]
        remaining = {state: cost - i for i, state in enumerate(reversed(chain))}
        last = chain[0] if chain else None
        for distance in reversed(range(backward.depth + 1)):
            if last is None:
                met = set(level)
                last = next(start for start in self.task.starts if start in met)
            else:
                last = next(self._near(last, distance, backward))
            remaining[last] = distance
        return remaining

    def _near(
        self, state: Any, depth: int, side: Layers | None = None
    ) -> Generator[Any, None, None]:
        """The neighbours of `state` in layer `depth` of a side, in their order."""
        side = side or self.forward
        states = [step[1] for step in self.task.problem.successors(state)]
        for neighbour, index in zip(states, side.store.find(states), strict=True):
            if index >= 0 and bisect_right(side.starts, index) - 1 == depth:
                yield neighbour


def _common(one: Layers, other: Layers) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The indexes on both sides of the states in both last layers, in the order of `one`."""
    import numpy as np  # noqa: PLC0415

    mine: list[Any] = [np.zeros(0, dtype=np.int64)]
    theirs: list[Any] = [np.zeros(0, dtype=np.int64)]
    store = other.store
    begin, end = one.starts[-2:]
    for start in range(begin, end, LOOKED_UP_AT_ONCE):
        part = one.store.states[start : min(end, start + LOOKED_UP_AT_ONCE)]
        found = np.empty(len(part), dtype=np.int64)
        store.spec.module.locate(*store.arrays, part, len(part), found)
        places = (found >= other.starts[-2]).nonzero()[0]
        mine.append(places + start)
        theirs.append(found[places])
    return np.concatenate(mine), np.concatenate(theirs)


def _sorted(indexes: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    indexes.sort()
    return indexes
