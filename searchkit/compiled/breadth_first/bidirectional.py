"""Bidirectional breadth-first search over packed states (Pohl, "Bi-directional search", 1971)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator, Hashable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from searchkit.compiled.breadth_first.expansion import Layers, prepare
from searchkit.compiled.breadth_first.kernels.expansion import Goals
from searchkit.compiled.breadth_first.state_set import Store
from searchkit.compiled.breadth_first.walk_back import before_in
from searchkit.engines.both_ends import BothEnds
from searchkit.running.task import Outcome, Task
from searchkit.solutions.by_layers import by_steps, distances_back

if TYPE_CHECKING:
    import numpy as np

LOOKED_UP_AT_ONCE = 1 << 14


def bidirectional(task: Task) -> Generator[None, None, Outcome]:
    """Grow layers from the start and from the goals as the reference engine does.

    For undirected problems. A state takes what it takes in breadth-first search.
    """
    search = _Search.prepare(task)
    yield
    search.begin()
    return (yield from search.meet())


class _Search(BothEnds[Layers]):
    @classmethod
    def prepare(cls, task: Task) -> _Search:
        spec = prepare(task.problem, task.starts, Goals.NONE)
        stores = [Store(spec, task), Store(spec, task)]
        for one, other in (stores, stores[::-1]):
            one.others = [other]
        return cls(task, *(Layers(store) for store in stores))

    def begin(self) -> None:
        """Make both first layers."""
        problem: Any = self.task.problem
        self.forward.begin(list(self.task.starts))
        goals = {problem.key(goal): goal for goal in problem.goal_states()}
        self.backward.begin(list(goals.values()))
        self.task.counters.generated = self.forward.size + self.backward.size

    def grow(self, side: Layers, other: Layers) -> Generator[None, None, object]:
        counters = self.task.counters

        def note() -> None:
            counters.waiting(side.most_waiting + other.size)
            counters.frontier = side.left + side.fresh + other.size
            counters.holding(side.stored + other.stored)

        yield from side.grow(note)
        side.next_layer()
        return side.size

    def meeting(self) -> np.ndarray[Any, Any]:
        """The indexes on the forward side, rising, of the states in both last layers."""
        forward, backward = self.forward, self.backward
        if forward.size <= backward.size:
            return _common(forward, backward)[0]
        return _sorted(_common(backward, forward)[1])

    def join(self, meeting: np.ndarray[Any, Any]) -> Generator[None, None, Outcome]:
        """The solutions through the states of `meeting`."""
        forward, backward = self.forward, self.backward
        remaining = yield from (self._every if self.task.every else self._one)(meeting)
        return Outcome(cost=forward.depth + backward.depth, remaining=remaining)

    def _every(self, meeting: np.ndarray[Any, Any]) -> Generator[None, None, dict[Hashable, int]]:
        forward, backward = self.forward, self.backward
        depth, rest = forward.depth, backward.depth
        before, name = before_in(forward, every=True), forward.store.state
        remaining = yield from distances_back(
            self.task, meeting, depth, before, nearest=rest, name=name
        )
        theirs = _common(forward, backward)[1]
        ahead = yield from distances_back(
            self.task, theirs, rest, before_in(backward, every=True), name=backward.store.state
        )
        return remaining | {state: rest - far for state, far in ahead.items()}

    def _one(self, meeting: np.ndarray[Any, Any]) -> Generator[None, None, dict[Hashable, int]]:
        """Back from the meeting, then on from what comes before it, by the first steps."""
        task, forward, rest = self.task, self.forward, self.backward.depth
        level = [forward.store.state(index) for index in meeting]
        before, after = (
            by_steps(task, partial(_contains, side), every=False)
            for side in (forward, self.backward)
        )
        chain = yield from distances_back(task, level, forward.depth, before, nearest=rest)
        if forward.depth:
            left, last = rest + 1, next(state for state, far in chain.items() if far == rest + 1)
        else:
            left, last = rest, next(start for start in task.starts if start in chain)
        ahead = yield from distances_back(task, [last], left, after)
        remaining = {state: far for state, far in chain.items() if far > rest}
        return remaining | {state: left - steps for state, steps in ahead.items()}


def _contains(side: Layers, states: Sequence[Any], depth: int) -> list[bool]:
    """Whether a layer of that side holds each of some states."""
    return [
        index >= 0 and bisect_right(side.starts, index) - 1 == depth
        for index in side.store.find(list(states))
    ]


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
