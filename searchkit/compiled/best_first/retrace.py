"""From a finished search to its solutions, without parents: the g of every state is enough.

A problem that can be searched backwards is walked back from the goal, through states whose g is
smaller by just the cost of the step. In others, the states are swept from the starts again.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Hashable
from typing import Any

import numpy as np

from searchkit.capabilities import steps_into
from searchkit.compiled.best_first.closed_list import ClosedTable
from searchkit.compiled.best_first.kernels.closed_list import SLOTS_SHIFT
from searchkit.compiled.best_first.kernels.sweep import Ended, Path
from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.running.task import Outcome, Steps, Task
from searchkit.solutions.by_g_values import Known, parents_of, path_back
from searchkit.solutions.from_parents import along

FIRST_PATH = 256
BATCH = 256

PAUSE_AFTER = 0.05


class _Pauses:
    """Says when to pause."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    def is_due(self) -> bool:
        """Whether some time has passed since the last pause."""
        now = time.monotonic()
        if now - self._began < PAUSE_AFTER:
            return False
        self._began = now
        return True


def one_path(
    task: Task, spec: Specialised, closed: ClosedTable, goal: Any
) -> Generator[None, None, Outcome]:
    """One solution to `goal`; pauses now and then."""
    task.is_all_expanded = True
    back = steps_into(task.problem)
    if back is None:
        sweep = _Sweep(task, spec, closed, goal=goal)
        path = yield from sweep.path(relaxed=False)
        if path is None:  # only under an inadmissible heuristic
            path = yield from _Sweep(task, spec, closed, goal=goal).path(relaxed=True)
    else:
        path = yield from _path_back(task, closed, back, goal)
    assert path is not None
    return along(task, path)


def optimal_states(
    task: Task, spec: Specialised, closed: ClosedTable, goals: list[Any]
) -> Generator[None, None, dict[Hashable, int]]:
    """The distance to the goal of every state on a solution to `goals`; pauses now and then."""
    task.is_all_expanded = True
    bound = _cost(closed.marks_of(goals[:1])[0])
    remaining: dict[Hashable, int] = dict.fromkeys(goals, 0)
    back = steps_into(task.problem)
    if back is None:
        found = yield from _Sweep(task, spec, closed, goal=goals[0]).states(bound)
        return remaining | {state: bound - g for state, g in found.items()}
    known = _known(closed)
    pending = [(goal, bound) for goal in goals]
    pauses = _Pauses()
    while pending:
        batch, pending = pending[-BATCH:], pending[:-BATCH]
        for state, g in parents_of(task.problem, known, back, batch, tight=True):
            if state not in remaining:
                remaining[state] = bound - g
                pending.append((state, g))
        if pauses.is_due():
            yield
    return remaining


def _cost(mark: int) -> int:
    """The g that a mark says."""
    return (mark >> 1) - 1


def _known(closed: ClosedTable) -> Known:
    """What the table knows of states."""
    return lambda states: [
        (_cost(mark), bool(mark & 1)) if mark else None for mark in closed.marks_of(list(states))
    ]


def _path_back(
    task: Task, closed: ClosedTable, back: Steps, goal: Any
) -> Generator[None, None, list[Any]]:
    """A path from a start to `goal`; pauses seldom, or the driver would take states for cheap."""
    pauses = _Pauses()
    walking = path_back(task, _known(closed), back, goal, _cost(closed.marks_of([goal])[0]))
    while True:
        try:
            next(walking)
        except StopIteration as stopped:
            path: list[Any] = stopped.value
            return path
        if pauses.is_due():
            yield


class _Sweep:
    """The states of the table, followed from the starts; see the kernels."""

    def __init__(self, task: Task, spec: Specialised, closed: ClosedTable, *, goal: Any) -> None:
        self._task, self._spec, self._closed, self._goal = task, spec, closed, goal
        places = (closed.lines + spec.module.SPARE) << SLOTS_SHIFT
        task.reserve(task.counters.bytes + places)
        self._seen = np.zeros(places, dtype=np.uint8)
        self._path = np.zeros(FIRST_PATH * spec.problem.words, dtype=np.int64)
        self._columns = [np.zeros(FIRST_PATH, dtype=np.int64) for _ in range(3)]
        self._pauses = _Pauses()

    def path(self, *, relaxed: bool) -> Generator[None, None, list[Any] | None]:
        """The states from a start to the goal, None if there is no such path."""
        problem = self._task.problem
        if self._goal in self._task.starts:
            return [self._goal]
        for start in self._task.starts:
            if problem.is_goal(start):
                continue
            depth = yield from self._from(start, -1, relaxed=relaxed)
            if depth >= 0:
                words = self._spec.problem.words
                rows = self._path[: (depth + 1) * words]
                rows = rows if words == 1 else rows.reshape(depth + 1, words)
                return [*(python_state(row) for row in rows), self._goal]
        return None

    def states(self, bound: int) -> Generator[None, None, dict[Hashable, int]]:
        """The g of every state on a solution of cost `bound` that is not a goal."""
        for start in self._task.starts:
            if not self._task.problem.is_goal(start):
                yield from self._from(start, bound, relaxed=False)
        words = self._spec.problem.words
        states = np.zeros(BATCH * words, dtype=np.int64)
        taken = np.zeros(BATCH, dtype=np.int64)
        found: dict[Hashable, int] = {}
        place = 0
        while place < len(self._seen):
            place, count = self._spec.module.seen_states(
                self._closed.record, self._seen, place, states, taken
            )
            rows = states if words == 1 else states.reshape(BATCH, words)
            for row, mark in zip(rows[:count], taken[:count], strict=True):
                found[python_state(row)] = _cost(int(mark))
            if self._pauses.is_due():
                yield
        return found

    def _from(self, start: Any, bound: int, *, relaxed: bool) -> Generator[None, None, int]:
        """Follow the steps from `start`; the depth of the path where the goal was reached.

        With a `bound` to all goals with that g, without reaching one.
        """
        module, spec, closed = self._spec.module, self._spec, self._closed
        root = spec.states([start])
        place = int(module.place_of(closed.record, root))
        is_expanded = closed.marks_of([start])[0] & 1
        if self._seen[place] or not (is_expanded or relaxed):
            return -1
        self._seen[place] = 1
        node = spec.problem.control(start)
        self._path[: spec.problem.words] = root[0]
        for column, value in zip(self._columns, (place, node, spec.lists.first[node]), strict=True):
            column[0] = value
        goal, depth = spec.states([self._goal]), 0
        while True:
            ended, depth = module.sweep(
                spec.head[0], spec.lists, closed.record,
                Path(self._path, self._seen, *self._columns), depth, goal, bound, relaxed,
            )  # fmt: skip
            if ended == Ended.PATH_FULL:
                self._path = np.concatenate([self._path, np.zeros_like(self._path)])
                self._columns = [np.concatenate([c, np.zeros_like(c)]) for c in self._columns]
            elif ended == Ended.PAUSED:
                if self._pauses.is_due():
                    yield
            else:
                return int(depth) if ended == Ended.ARRIVED else -1
