"""One iteration of deepening in batches: counts of depth-first search, in another order.

The iteration is cut into a list of subtrees in depth-first order; runs of subtrees are counted
in batches, by several threads if wanted. If a run meets a goal it is cut finer, down to a few
subtrees that are searched depth first, so that the first goal in depth-first order is found and
exactly the states before it are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import attrs
import numpy as np

from searchkit.compiled.depth_first.batch_buckets import Buckets, UnfitError
from searchkit.compiled.depth_first.kernels.batched import Roots
from searchkit.compiled.depth_first.kernels.deepening import Ended, Info, Level
from searchkit.compiled.depth_first.kernels.pruning import NO_EXCESS
from searchkit.compiled.depth_first.resumable import Counted
from searchkit.compiled.depth_first.stack import Stack
from searchkit.compiled.depth_first.work_units import Runs
from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.problem import INFINITY
from searchkit.running.task import Task

SUBTREES = 2048
PARTS = 64
FEWEST_PARTS = 4
STATES_IN_PART = 1_000_000
STATES_PER_THREAD = 16_000_000
"""Where threads have less to do each, waiting for one another takes longer than they save."""
SEARCHED_DEPTH_FIRST = 2
MOST_SLACK = 250
SPARE_SLACK = 8
NOTHING = Counted(0, 0, NO_EXCESS)


@attrs.frozen
class Found:
    """Counts of the iteration (or up to the goal), and the path to the first goal, if any."""

    counts: Counted
    path: list[Any] | None = None


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

    def prepare(self, most_slack: int, *, held: int) -> None:
        """Make room for slacks up to `most_slack`, with `held` bytes in use elsewhere."""
        threads = self.task.threads
        if not self.workers or self.workers[0].most_slack < most_slack:
            self.workers = []
            # The next iterations have a little more: untouched memory costs nothing.
            most_slack = min(most_slack + SPARE_SLACK, MOST_SLACK)
            self.task.reserve(held + threads * Buckets.bytes_for(self.spec, most_slack))
            self.workers = [Buckets(self.spec, self.task, most_slack) for _ in range(threads)]


@attrs.define(eq=False)
class BatchIteration:
    """The rest of the iteration that `stack` has begun."""

    spec: Specialised
    task: Task
    stack: Stack
    crew: Crew
    expected: float
    """About how many states the iteration will expand."""
    note: Callable[[Counted], None]
    """Takes the counts of all that was done, before each pause."""
    levels: list[Level] = attrs.field(factory=list)
    info: Any = None
    settled: Counted = NOTHING
    """What was done before the present runs."""
    most_waiting: int = 0
    _most_operators: int = attrs.field(init=False)

    @_most_operators.default
    def _longest_list(self) -> int:
        return int(np.diff(self.spec.lists.first).max())

    def warm_up(self) -> None:
        """Load or make the machine code, where that was not done: expand nothing."""
        if getattr(self.spec.module.drain, "signatures", False):
            return
        self._widen(passes=0)
        self._next_level(_first(self.levels[0], 0))
        worker = Buckets(self.spec, self.task, 0)
        worker.fill(_roots(self.levels[0]), 0, 0)
        worker.drain(1)

    def run(self) -> Generator[None, None, Found]:
        """Finish the iteration; pauses after each slice.

        Raises `UnfitError` if estimates vary too much for batches, or are none.
        """
        self._widen()
        if self.info[Info.WRONG]:
            raise UnfitError
        last, after = self.levels[-1], Counted.of(self.info)
        widened = _between(last, 0, len(last.nodes)) + after
        self.task.budget -= widened.expanded
        base = self.stack.counts
        self.settled = base + widened
        goals = last.is_goal.nonzero()[0]
        end = int(goals[0]) if len(goals) else len(last.nodes)
        most = int(last.slacks[:end].max()) if end else 0
        if most > MOST_SLACK:
            raise UnfitError
        self.crew.prepare(most, held=sum(level.states.nbytes * 7 for level in self.levels))
        found = yield from self._locate(0, end)
        counts = base + found.counts
        if found.path is None and not len(goals):
            return Found(counts + after)
        counts = attrs.evolve(counts, next_excess=min(counts.next_excess, after.next_excess))
        if found.path is not None:
            return Found(counts, found.path)
        return Found(counts + _between(last, end, end + 1), self._path_to(end))

    def _widen(self, passes: float = INFINITY) -> None:
        """Turn what the stack has left into a list of subtrees."""
        stack = self.stack
        self.info = np.zeros(len(Info), dtype=np.int64)
        self.info[Info.NEXT_EXCESS] = NO_EXCESS
        states, nodes, slacks, places = stack.left()  # in depth-first order
        zeros = np.zeros_like(nodes)
        is_goal = np.zeros(len(nodes), dtype=np.bool_)
        level = Level(states, nodes, slacks, places, zeros, zeros, zeros, is_goal)
        self.levels = [level]
        # What the stack has left are states with only a part of their operators, so that even
        # where they are enough, they are turned into their children.
        while len(level.nodes) < SUBTREES or level is self.levels[0]:
            if level.is_goal.all() or passes <= 0:
                break
            passes -= 1
            level = self._next_level(level)
            self.levels.append(level)

    def _next_level(self, level: Level) -> Level:
        room = len(level.nodes) * self._most_operators
        columns, is_goal = np.empty((6, room), dtype=np.int64), np.empty(room, dtype=np.bool_)
        below = Level(*(self.spec.empty(room), *columns, is_goal))
        return _first(below, self.spec.module.widen(*self.spec.head, level, below, self.info))

    def _locate(self, begin: int, end: int) -> Generator[None, None, Found]:
        """Count the subtrees `begin` to `end`, or up to the first goal in them."""
        last = self.levels[-1]
        if end - begin <= SEARCHED_DEPTH_FIRST:
            return (yield from self._depth_first(begin, end))
        share = self.expected * (end - begin) / max(1, len(last.nodes))
        workers = self.crew.workers[: max(1, int(share // STATES_PER_THREAD))]
        # Buckets fill and drain in each run: so runs are of some size, and not more than needed.
        parts = int(min(PARTS, max(FEWEST_PARTS * len(workers), share // STATES_IN_PART)))
        cuts = sorted({begin + (end - begin) * part // parts for part in range(parts + 1)})
        runs = Runs(_roots(last), list(pairwise(cuts)))
        while not runs.is_finished:
            if self.task.budget <= 0:
                self.note(runs.so_far(self.settled))
                yield
            self.task.budget -= runs.advance(self.crew.pool, workers, self.task.budget)
            waiting = len(last.nodes) + sum(worker.most for worker in workers)
            self.most_waiting = max(self.most_waiting, waiting)
        with_goal = runs.with_goal
        before = sum((runs.done[number] for number in range(with_goal)), NOTHING)
        stop = end if with_goal == len(runs.runs) else runs.runs[with_goal][0]
        counts = before + _between(last, begin, stop)
        if with_goal == len(runs.runs):
            return Found(counts)
        self.settled += before
        inside = yield from self._locate(*runs.runs[with_goal])
        return Found(counts + inside.counts, inside.path)

    def _depth_first(self, begin: int, end: int) -> Generator[None, None, Found]:
        """Search the subtrees `begin` to `end` one after another."""
        last = self.levels[-1]
        stack = Stack(self.spec, self.task)
        counts = NOTHING
        for i in range(begin, end):
            counts += _between(last, i, i + 1)
            stack.begin(last.states[i], int(last.nodes[i]), int(last.slacks[i]))
            while (result := stack.advance()) == Ended.OUT_OF_BUDGET:
                self.note(self.settled + stack.counts)
                yield
            counts += stack.counts
            if result == Ended.FOUND:
                return Found(counts, self._path_to(i) + stack.path()[0][1:])
        return Found(counts)

    def _path_to(self, place: int) -> list[Any]:
        """The states from the start to entry `place` of the last list."""
        path: list[Any] = []
        for level in reversed(self.levels[1:]):
            parent = int(level.parents[place])
            if parent >= 0:
                path.append(python_state(level.states[place]))
            place = parent if parent >= 0 else -1 - parent
        depth = len(self.levels[0].nodes) - 1 - place
        return [python_state(row) for row in self.stack.states[: depth + 1]] + path[::-1]


def _first(level: Level, count: int) -> Level:
    """The level cut off after `count` states."""
    return Level(*(column[:count] for column in level))


def _roots(level: Level) -> Roots:
    return Roots(level.states, level.nodes, level.slacks)


def _between(level: Level, begin: int, end: int) -> Counted:
    """What depth-first search does between the subtrees, ahead of `begin` to `end`."""
    expanded, generated = level.expanded[begin:end].sum(), level.generated[begin:end].sum()
    return Counted(int(expanded), int(generated), NO_EXCESS)
