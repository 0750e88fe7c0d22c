"""From a finished search to its solutions, without parents: the g of every state is enough.

A problem that can be searched backwards is walked back from the goal, through states whose g is
smaller by just the cost of the step. In others, the states are swept from the starts again.
"""

from __future__ import annotations

from collections.abc import Generator
from functools import cache
from typing import Any

import attrs
import numpy as np

from searchkit.capabilities import steps_into
from searchkit.compiled.best_first.closed_list import ClosedTable
from searchkit.compiled.best_first.kernels.closed_list import SLOTS_SHIFT
from searchkit.compiled.best_first.kernels.sweep import MET, ON_SOLUTION, Ended, Path
from searchkit.compiled.specialise.listing import room_after
from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.compiled.states.solutions import Rows, StepsOut, StoredDistances
from searchkit.packed import bare_successors_of, by_kernels
from searchkit.running.task import Outcome, Task, seldom
from searchkit.solutions.by_g_values import path_back
from searchkit.solutions.from_parents import along
from searchkit.solutions.optimal_graph import not_replayed

FIRST_PATH = 256
FIRST_CHILDREN = 256
BATCH = 1 << 12


@seldom
def one_path(
    task: Task, spec: Specialised, closed: ClosedTable, goal: Any
) -> Generator[None, None, Outcome]:
    """One solution to `goal`: by kernels where these were made of rules, which replay it later."""
    task.is_all_expanded = True
    back, cost = steps_into(task.problem), closed.cost_of(goal)
    problem = by_kernels(task.problem)
    walked = task if problem is task.problem else attrs.evolve(task, problem=problem)
    listed = bare_successors_of(problem)
    successors = cache(lambda state: list(listed(state)))  # asked on the way back and ahead
    if back is None:
        sweep = _Sweep(task, spec, closed, goal=goal)
        path = yield from sweep.path(relaxed=False)
        if path is None:  # only under an inadmissible heuristic
            path = yield from _Sweep(task, spec, closed, goal=goal).path(relaxed=True)
    else:
        if task.problem.undirected:
            back = successors
        path = yield from path_back(walked, closed.known, back, goal, cost)
    if path is None:
        raise not_replayed(task.problem, task.starts)
    return along(walked, path, cost, successors)


@seldom
def optimal_states(
    task: Task, spec: Specialised, closed: ClosedTable, goals: list[Any]
) -> Generator[None, None, StoredDistances]:
    """The states on solutions to `goals`, with their distances.

    If the problem is undirected they are walked back to, in O(states on solutions x branching);
    else all states that were expanded are swept from the starts: a number of solutions does not
    rest on `predecessors`, which may lack one.
    """
    task.is_all_expanded = True
    bound = closed.cost_of(goals[0])
    rows, costs = spec.states(goals), np.full(len(goals), bound)
    if task.problem.undirected:
        rows, costs = yield from _walk_back(task, closed, rows, costs)
    else:
        swept, g = yield from _Sweep(task, spec, closed, goal=goals[0]).states(bound)
        rows, costs = np.concatenate([rows, swept]), np.concatenate([costs, g])
    return StoredDistances.of(task, rows, bound - costs)


def _walk_back(
    task: Task, closed: ClosedTable, goals: Rows, costs: Rows
) -> Generator[None, None, tuple[Rows, Rows]]:
    """The states from which steps lead to the goals, whose g are `costs`, and the g of each."""
    held = task.counters.bytes
    found, known, at = StepsOut(task, goals), [costs], 0
    while at < found.count:
        task.reserve(held + found.bytes)
        rows, sources, step_costs = found.steps_from(at, at + BATCH)
        g, is_expanded = closed.noted(rows)
        far = closed.noted(found.states(at, at + BATCH))[0]
        before, at = found.count, min(found.count, at + BATCH)
        found.add(rows[is_expanded & (g == far[sources] - step_costs)])
        known.append(closed.noted(found.states(before, found.count))[0])
        yield
    return found.states(0, found.count).copy(), np.concatenate(known)


class _Sweep:
    """The states of the table, followed from the starts; see the kernels."""

    def __init__(self, task: Task, spec: Specialised, closed: ClosedTable, *, goal: Any) -> None:
        self._task, self._spec, self._closed, self._goal = task, spec, closed, goal
        places = (closed.lines + spec.module.SPARE) << SLOTS_SHIFT
        task.reserve(task.counters.bytes + places)
        self._seen = np.zeros(places, dtype=np.uint8)
        self._path = np.zeros(FIRST_PATH * spec.problem.words, dtype=np.int64)
        self._columns = [np.zeros(FIRST_PATH, dtype=np.int64) for _ in range(3)]
        self._room = spec.children(FIRST_CHILDREN)

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
                rows = self._spec.rows(self._path)[: depth + 1]
                return [*map(python_state, rows), self._goal]
        return None

    def states(self, bound: int) -> Generator[None, None, tuple[Rows, Rows]]:
        """The states on solutions of cost `bound` that are no goals, and their g."""
        for start in self._task.starts:
            if not self._task.problem.is_goal(start):
                yield from self._from(start, bound, relaxed=False)
        rows, costs = [self._spec.empty(0)], [np.zeros(0, dtype=np.int64)]
        for states, marks, seen in self._closed.slices(self._seen):
            wanted = seen == ON_SOLUTION
            rows.append(states[wanted])
            costs.append((marks[wanted].astype(np.int64) >> 1) - 1)
            yield
        return np.concatenate(rows), np.concatenate(costs)

    def _from(self, start: Any, bound: int, *, relaxed: bool) -> Generator[None, None, int]:
        """Follow the steps from `start`; the depth of the path where the goal was reached.

        With a `bound` to all goals with that g, without reaching one.
        """
        module, spec, closed = self._spec.module, self._spec, self._closed
        root = spec.states([start])
        place = int(module.place_of(closed.record, root))
        is_expanded = bool(closed.noted(root)[1][0])
        if self._seen[place] or not (is_expanded or relaxed):
            return -1
        self._seen[place] = MET
        node = spec.problem.control(start)
        self._path[: spec.problem.words] = root[0]
        for column, value in zip(self._columns, (place, node, 0), strict=True):
            column[0] = value
        goal, depth = spec.states([self._goal]), 0
        while True:
            ended, depth = module.sweep(
                spec.head[0], spec.lists, closed.record,
                Path._make([self._path, self._seen, *self._columns, self._room]),
                depth, goal, bound, relaxed,
            )  # fmt: skip
            if ended == Ended.PATH_FULL:
                self._path = np.concatenate([self._path, np.zeros_like(self._path)])
                self._columns = [np.concatenate([c, np.zeros_like(c)]) for c in self._columns]
            elif ended < 0:
                row = spec.rows(self._path)[depth]
                self._room = room_after(self._task, spec, ended, row, self._room)
            elif ended == Ended.PAUSED:
                yield
            else:
                return int(depth) if ended == Ended.ARRIVED else -1
