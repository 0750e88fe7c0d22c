"""Bidirectional breadth-first search over packed states (Pohl, "Bi-directional search", 1971)."""

from __future__ import annotations

from collections.abc import Generator, Hashable
from typing import Any
from weakref import proxy

import numpy as np

from searchkit.compiled.breadth_first.expansion import HashedLayers, common
from searchkit.compiled.breadth_first.kernels.expansion import Goals
from searchkit.compiled.breadth_first.walk_back import levels_back
from searchkit.compiled.states.solutions import StoredDistances
from searchkit.engines.both_ends import BothEnds
from searchkit.running.drawing import mirrored
from searchkit.running.task import Outcome, Task
from searchkit.solutions.by_layers import by_steps, distances_back


def bidirectional(task: Task) -> Generator[None, None, Outcome]:
    """Grow layers from the start and from the goals as the reference engine does.

    For undirected problems, and those whose steps back are another problem's, in `task.backward`.
    A state takes what it takes in breadth-first search.
    """
    back = task if task.backward is None else task.backward
    back.max_bytes = task.max_bytes
    goals = Goals.NONE if task.every else Goals.MET
    forward, backward = (HashedLayers.prepare(each, goals) for each in (task, back))
    yield from begin_both(task, forward, backward)
    return (yield from _HashedSearch(task, forward, backward).meet())


def begin_both(task: Task, forward: Any, backward: Any) -> Generator[None, None, None]:
    """Join two sides that count as one, and give them the starts and the goals."""
    problem: Any = task.problem
    # Who looks at the other does not keep it: what a search has stored goes when it is over.
    forward.other, backward.other = proxy(backward), proxy(forward)
    forward.store.other, backward.store.other = proxy(backward.store), proxy(forward.store)
    yield
    forward.begin(list(task.starts))
    goals = {problem.key(goal): goal for goal in problem.goal_states()}
    backward.begin(list(goals.values()))


class _HashedSearch(BothEnds[HashedLayers]):
    def grown(self, side: HashedLayers) -> Generator[None, None, int]:
        """Make the next layer of a side, which may have a run of its own."""
        if side.task is self.task:
            return side.grow()
        return mirrored(self.task, side.task, side.grow())

    def meeting(self) -> np.ndarray[Any, Any]:
        """The indexes on the forward side, rising, of the states in both last layers."""
        forward, backward = self.forward, self.backward
        met = forward.goals_found + backward.goals_found
        if not (met or self.task.every) and forward.depth + backward.depth:
            return np.zeros(0, dtype=np.int64)  # a side that grew would have stopped
        if forward.size <= backward.size:
            return common(forward, backward)[0]
        return np.sort(common(backward, forward)[1])

    def join(self, meeting: np.ndarray[Any, Any]) -> Generator[None, None, Outcome]:
        """The solutions through the states of `meeting`."""
        forward, backward = self.forward, self.backward
        remaining: Any
        if self.task.every:
            remaining = yield from self._every(meeting)
        else:
            remaining = yield from self._one(meeting)
        return Outcome(cost=forward.depth + backward.depth, remaining=remaining)

    def _every(self, meeting: np.ndarray[Any, Any]) -> Generator[None, None, StoredDistances]:
        forward, backward = self.forward, self.backward
        depth, rest = forward.depth, backward.depth
        rows, steps = yield from levels_back(forward, meeting, depth, backward)
        theirs = np.sort(common(forward, backward)[1])
        ahead, far = yield from levels_back(backward, theirs, rest, forward)
        both = np.concatenate([rows, ahead[far > 0]])
        distances = np.concatenate([steps + rest, rest - far[far > 0]])
        return StoredDistances.of(self.task, both, distances)

    def _one(self, meeting: np.ndarray[Any, Any]) -> Generator[None, None, dict[Hashable, int]]:
        """Back from the meeting, then on from what comes before it, by the first steps."""
        task, forward, rest = self.task, self.forward, self.backward.depth
        level = [forward.store.state(index) for index in meeting]
        before = by_steps(task, forward.contains, every=False)
        after = by_steps(task, self.backward.contains, every=False, steps=task.problem.successors)
        chain = yield from distances_back(task, level, forward.depth, before, nearest=rest)
        if forward.depth:
            left, last = rest + 1, next((s for s, far in chain.items() if far == rest + 1), None)
            if last is None:  # a step that no predecessor tells of, as replaying will tell
                return chain
        else:
            left, last = rest, next(start for start in task.starts if start in chain)
        ahead = yield from distances_back(task, [last], left, after)
        remaining = {state: far for state, far in chain.items() if far > rest}
        return remaining | {state: left - steps for state, steps in ahead.items()}
