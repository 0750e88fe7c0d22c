"""One iteration of deepening in batches: counts of depth-first search, in another order.

The iteration is cut into a list of subtrees in depth-first order; runs of subtrees are counted
in batches, by several threads if wanted. If a run meets a goal it is cut finer, down to a few
subtrees that are searched depth first, so that the first goal in depth-first order is found and
exactly the states before it are counted.
"""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.compiled.depth_first.batch_buckets import Buckets, Counted, UnfitError
from searchkit.compiled.depth_first.kernels.deepening import Ended, Info
from searchkit.compiled.depth_first.resumable import NONE_OVER
from searchkit.compiled.depth_first.stack import Stack
from searchkit.compiled.depth_first.work_units import Runs
from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.problem import INFINITY
from searchkit.running.task import Task

if TYPE_CHECKING:
    import numpy as np

SUBTREES = 2048
PARTS = 64
FEWEST_PARTS = 4
STATES_IN_PART = 1_000_000
SEARCHED_DEPTH_FIRST = 2
MOST_REST = 250
NOTHING = Counted(0, 0, NONE_OVER)


@attrs.frozen
class Found:
    """Counts of the iteration (or up to the goal), and the path to the first goal, if any."""

    expanded: int
    generated: int
    over: int
    path: list[Any] | None = None


@attrs.define(eq=False)
class _Level:
    """A list of states in depth-first order; see `widen` in the kernels."""

    states: np.ndarray[Any, Any]
    columns: list[np.ndarray[Any, Any]]  # nodes, rests, places, generated, expanded, is_goal
    parents: np.ndarray[Any, Any]

    def __len__(self) -> int:
        return len(self.parents)

    def first(self, count: int) -> _Level:
        """The level cut off after `count` states."""
        columns = [column[:count] for column in self.columns]
        return _Level(self.states[:count], columns, self.parents[:count])


@attrs.define(eq=False)
class Crew:
    """The threads of a search and their buckets, kept from one iteration to the next."""

    spec: Specialised
    task: Task
    workers: list[Buckets] = attrs.field(factory=list)
    pool: ThreadPoolExecutor = attrs.field(init=False)

    @pool.default
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.task.threads)

    def prepare(self, most_rest: int, *, held: int) -> None:
        """Make room for rests up to `most_rest`, with `held` bytes in use elsewhere."""
        threads = self.task.threads
        if not self.workers or self.workers[0].most_rest < most_rest:
            self.workers = []
            self.task.reserve(held + threads * Buckets.bytes_for(self.spec, most_rest))
            self.workers = [Buckets(self.spec, self.task, most_rest) for _ in range(threads)]


@attrs.define(eq=False)
class BatchIteration:
    """The rest of the iteration that `stack` has begun."""

    spec: Specialised
    task: Task
    stack: Stack
    crew: Crew
    expected: float
    """About how many states the iteration will expand."""
    levels: list[_Level] = attrs.field(factory=list)
    info: Any = None
    settled: Counted = NOTHING
    """What was done before the present runs."""
    most_waiting: int = 0

    def warm_up(self) -> None:
        """Load or make the machine code, where that was not done: expand nothing."""
        if getattr(self.spec.module.drain, "signatures", False):
            return
        self._widen(passes=0)
        self._next_level(self.levels[0].first(0))
        worker = Buckets(self.spec, self.task, 0)
        level = self.levels[0]
        worker.fill(level.states, level.columns[0], level.columns[1], 0, 0)
        worker.drain(1)

    def run(self) -> Generator[Counted, None, Found]:
        """Finish the iteration; yields the counts of all that was done after each slice.

        Raises `UnfitError` if estimates vary too much for batches, or are none.
        """
        self._widen()
        if self.info[Info.WRONG]:
            raise UnfitError
        last = self.levels[-1]
        widened = Counted(
            int(last.columns[4].sum() + self.info[Info.EXPANDED]),
            int(last.columns[3].sum() + self.info[Info.GENERATED]),
            NONE_OVER,
        )
        self.task.budget -= widened.expanded
        base = self.stack
        self.settled = Counted(base.expanded, base.generated, NONE_OVER) + widened
        goals = last.columns[5].nonzero()[0]
        end = int(goals[0]) if len(goals) else len(last)
        most = int(last.columns[1][:end].max()) if end else 0
        if most > MOST_REST:
            raise UnfitError
        self.crew.prepare(most, held=sum(level.states.nbytes * 7 for level in self.levels))
        found = yield from self._locate(0, end)
        expanded, generated = base.expanded + found.expanded, base.generated + found.generated
        over = min(base.over, found.over, int(self.info[Info.OVER]))
        if found.path is not None:
            return Found(expanded, generated, over, found.path)
        if len(goals):
            expanded += int(last.columns[4][end])
            generated += int(last.columns[3][end])
            return Found(expanded, generated, over, self._path_to(end))
        return Found(
            expanded + int(self.info[Info.EXPANDED]),
            generated + int(self.info[Info.GENERATED]),
            over,
        )

    def _widen(self, passes: float = INFINITY) -> None:
        """Turn what the stack has left into a list of subtrees."""
        import numpy as np  # noqa: PLC0415

        stack = self.stack
        self.info = np.zeros(len(Info), dtype=np.int64)
        self.info[Info.OVER] = NONE_OVER
        states, nodes, rests, places = stack.left()  # in depth-first order
        count = len(states)
        zeros = np.zeros(count, dtype=np.int64)
        level = _Level(
            states,
            [nodes, rests, places, zeros, zeros, np.zeros(count, dtype=np.bool_)],
            np.arange(count),
        )
        self.levels = [level]
        # What the stack has left are states with only a part of their operators, so that even
        # where they are enough, they are turned into their children.
        while len(level) and (len(level) < SUBTREES or level is self.levels[0]):
            if level.columns[5].all() or passes <= 0:
                break
            passes -= 1
            level = self._next_level(level)
            self.levels.append(level)

    def _next_level(self, level: _Level) -> _Level:
        import numpy as np  # noqa: PLC0415

        widest = int(np.diff(self.spec.lists.first).max())
        room = len(level) * widest
        states = self.spec.empty(room)
        columns = [np.zeros(room, dtype=np.int64) for _ in range(5)]
        columns.append(np.zeros(room, dtype=np.bool_))
        parents = np.zeros(room, dtype=np.int64)
        made = self.spec.module.widen(
            *self.spec.head, level.states, *level.columns, len(level), states, *columns,
            parents, self.info,
        )  # fmt: skip
        return _Level(states, columns, parents).first(made)

    def _locate(self, begin: int, end: int) -> Generator[Counted, None, Found]:
        """Count the subtrees `begin` to `end`, or up to the first goal in them."""
        last, workers = self.levels[-1], self.crew.workers
        if end - begin <= SEARCHED_DEPTH_FIRST:
            return (yield from self._depth_first(begin, end))
        parts = self._parts(end - begin) * len(workers)
        cuts = sorted({begin + (end - begin) * part // parts for part in range(parts + 1)})
        runs = Runs((last.states, last.columns[0], last.columns[1]), list(pairwise(cuts)))
        while not runs.is_finished:
            if self.task.budget <= 0:
                yield runs.so_far(self.settled)
            self.task.budget -= runs.advance(self.crew.pool, workers, self.task.budget)
            waiting = len(last) + sum(worker.most for worker in workers)
            self.most_waiting = max(self.most_waiting, waiting)
        with_goal = runs.with_goal
        before = [runs.done[number] for number in range(with_goal)]
        stop = end if with_goal == len(runs.runs) else runs.runs[with_goal][0]
        expanded = sum(each.expanded for each in before) + _sum(last.columns[4], begin, stop)
        generated = sum(each.generated for each in before) + _sum(last.columns[3], begin, stop)
        over = min((each.over for each in before), default=NONE_OVER)
        if with_goal == len(runs.runs):
            return Found(expanded, generated, over)
        self.settled = sum(before, self.settled)
        inside = yield from self._locate(*runs.runs[with_goal])
        return Found(
            expanded + inside.expanded,
            generated + inside.generated,
            min(over, inside.over),
            inside.path,
        )

    def _parts(self, subtrees: int) -> int:
        """Into how many runs to cut: runs of some size, for buckets fill and drain in each."""
        share = self.expected * subtrees / max(1, len(self.levels[-1]))
        return int(min(PARTS, max(FEWEST_PARTS, share // STATES_IN_PART)))

    def _depth_first(self, begin: int, end: int) -> Generator[Counted, None, Found]:
        """Search the subtrees `begin` to `end` one after another."""
        last = self.levels[-1]
        stack = Stack(self.spec, self.task)
        expanded, generated, over = 0, 0, NONE_OVER
        for i in range(begin, end):
            expanded += int(last.columns[4][i])
            generated += int(last.columns[3][i])
            stack.begin(last.states[i], int(last.columns[0][i]), int(last.columns[1][i]))
            while (result := stack.advance()) == Ended.OUT_OF_BUDGET:
                yield self.settled + Counted(stack.expanded, stack.generated, NONE_OVER)
            expanded += stack.expanded
            generated += stack.generated
            over = min(over, stack.over)
            if result == Ended.FOUND:
                path = self._path_to(i) + stack.path()[0][1:]
                return Found(expanded, generated, over, path)
        return Found(expanded, generated, over)

    def _path_to(self, place: int) -> list[Any]:
        """The states from the start to entry `place` of the last list."""
        path: list[Any] = []
        for level in reversed(self.levels[1:]):
            parent = int(level.parents[place])
            if parent >= 0:
                path.append(python_state(level.states[place]))
            place = parent if parent >= 0 else -1 - parent
        depth = len(self.levels[0]) - 1 - place
        return [python_state(row) for row in self.stack.states[: depth + 1]] + path[::-1]


def _sum(column: np.ndarray[Any, Any], begin: int, end: int) -> int:
    return int(column[begin:end].sum())
