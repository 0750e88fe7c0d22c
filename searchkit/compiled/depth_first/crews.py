"""Who counts the runs of subtrees of a search: threads of this process, or workers elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.compiled.depth_first.batch_buckets import Buckets
from searchkit.compiled.depth_first.batch_plan import MOST_SLACK
from searchkit.compiled.depth_first.searching import Searching
from searchkit.compiled.depth_first.subtrees import ByTasks, Searcher, digest_of
from searchkit.compiled.depth_first.work_units import ByThreads, Runs
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.running.task import Task

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from searchkit.executors.executor import Job
    from searchkit.executors.parcels import Parcel

STATES_PER_THREAD = 1_000_000
"""Where threads have less to do each, waiting for one another takes longer than they save."""
STATES_FOR_WORKERS = 8_000_000
"""Runs of fewer states in all are not worth sending away."""
SPARE_SLACK = 8


@attrs.define(eq=False, repr=False)
class Crew:
    """The threads of a search and what they work with, kept from one iteration to the next."""

    spec: Specialised
    task: Task
    kind: type[Buckets | Searching] = Buckets
    workers: Sequence[Buckets | Searching] = ()
    _pool: ThreadPoolExecutor | None = attrs.field(default=None, init=False)
    _parcel: Parcel[Searcher] | None = attrs.field(default=None, init=False)
    """What tasks of an executor take, once any are worth sending: tables may be large."""
    _left: list[Job[Any]] = attrs.field(factory=list, init=False)

    @property
    def pool(self) -> ThreadPoolExecutor:
        """The threads, which are made once runs are counted."""
        if self._pool is None:
            from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  (loads logging)

            self._pool = ThreadPoolExecutor(self.task.threads)
        return self._pool

    def counting(self, runs: Runs, most_slack: int, states: float) -> ByThreads | ByTasks:
        """The counting of runs with slacks up to `most_slack`, of about that many states in all."""
        effort = states * self.kind.effort
        executor = self.task.executor
        if executor is not None and effort >= STATES_FOR_WORKERS:
            if self._parcel is None:
                task = self.task
                parts = task.problem, task.heuristic, task.algorithm, task.every
                self._parcel = executor.share(Searcher(*parts, digest_of(self.spec)))
            cuts = ByTasks.cut(runs, effort, executor.workers)
            return ByTasks(executor, self._parcel, runs, most_slack, cuts, self._left)
        self._prepare(most_slack, held=sum(each.nbytes for each in runs.roots))
        threads = max(1, min(self.task.threads, int(effort // STATES_PER_THREAD)))
        return ByThreads(runs, self.pool, self.workers[:threads])

    def _prepare(self, most_slack: int, *, held: int) -> None:
        """Make room for slacks up to `most_slack`, with `held` bytes in use elsewhere."""
        threads = self.task.threads
        if not self.workers or self.workers[0].most_slack < most_slack:
            self.workers = ()
            # The next iterations have a little more: untouched memory costs nothing.
            most_slack = min(most_slack + SPARE_SLACK, MOST_SLACK)
            self.task.reserve(held + threads * self.kind.bytes_for(self.spec, most_slack))
            self.workers = [self.kind(self.spec, self.task, most_slack) for _ in range(threads)]

    def close(self) -> None:
        """Leave what is not done."""
        if self._pool is not None:
            self._pool.shutdown()
        if self.task.executor is not None:
            self.task.executor.cancel(self._left)
