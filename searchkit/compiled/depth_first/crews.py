"""Who counts the runs of subtrees of a search: threads of this process, or workers elsewhere.

Some runs that follow one another are one task, with the roots of their subtrees as arguments. Each
worker makes, once, the same machine code for the same problem, and searches as a thread does here:
so the counts of complete iterations are the same for any number of workers. A goal is met here, by
depth-first search, once its run is known.

Rao & Kumar, "Parallel depth first search" (1987), shared out an iteration of IDA* by subtrees.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from searchkit.compiled.depth_first.batch_plan import MOST_SLACK
from searchkit.compiled.depth_first.counting import Buckets, Searching, UnfitError
from searchkit.compiled.depth_first.forms import Form
from searchkit.compiled.depth_first.kernels.deepening import Roots
from searchkit.compiled.depth_first.resumable import Counted
from searchkit.compiled.depth_first.work_units import ByThreads, Runs
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.engines.deepening import ONE
from searchkit.errors import ClusterError
from searchkit.running.task import ForWorkers, Task

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from searchkit.executors.executor import Executor, Job
    from searchkit.executors.parcels import Parcel

STATES_PER_THREAD = 1_000_000
"""Where threads have less to do each, waiting for one another takes longer than they save."""
STATES_FOR_WORKERS = 8_000_000
"""Runs of fewer states in all are not worth sending away."""
SPARE_SLACK = 8
TASKS_PER_WORKER = 8
"""How many tasks each worker gets, unless these are too small, or too large."""
LEAST_IN_TASK, MOST_IN_TASK = 4_000_000, 100_000_000
"""How many states a task has, about: some hundredths of a second, and a second."""
WAIT_SECONDS = 0.02
AHEAD = 2
"""How many tasks are on their way at once for each worker."""
WITHOUT_END = 1 << 60


@attrs.define(eq=False, repr=False)
class Searcher(ForWorkers):
    """What the tasks of a search need, and what a worker process makes of it once."""

    digest: str
    """See `digest_of`."""
    form: Form | None = None
    worker: Buckets | Searching | None = None

    def with_room(self, most_slack: int) -> Buckets | Searching:
        """What counts runs with slacks up to `most_slack`."""
        task = self.task()
        if self.form is None:
            self.form = Form.of(task, ONE, split=True)
            check_digest(self.problem, self.form.spec, self.digest)
        if self.worker is None or self.worker.most_slack < most_slack:
            self.worker = None
            self.worker = self.form.kind(self.form.spec, task, most_slack)
        return self.worker


@attrs.frozen
class Counts:
    """What a task has found: the columns of `Runs.record.done`, the first run with a goal."""

    done: np.ndarray[Any, Any]
    with_goal: int
    most: int


def digest_of(spec: Specialised) -> str:
    """What says that two processes number operators and control states alike."""
    found = hashlib.sha256()
    for array in spec.lists:
        found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()


def check_digest(problem: Any, spec: Specialised, digest: str) -> None:
    """Raise `ClusterError` unless that is the digest of what was specialised here."""
    if digest_of(spec) != digest:
        raise ClusterError(
            f"{type(problem).__name__}: a worker has other operators for it than this process; "
            "install the same version of the puzzle everywhere"
        )


def count_runs(
    parcel: Parcel[Searcher], most_slack: int, roots: Roots, begins: np.ndarray[Any, Any]
) -> Counts | None:
    """Count runs up to the first with a goal; None if their estimates do not suit batches."""
    kept = parcel.open()
    runs, worker = Runs(roots, begins), kept.with_room(most_slack)
    try:
        worker.count(runs.record, WITHOUT_END)
    except UnfitError:
        kept.worker = None  # states may wait in it
        return None
    return Counts(runs.record.done, runs.with_goal, worker.most)


@attrs.define(eq=False, repr=False)
class ByTasks:
    """Runs that are counted by the tasks of an executor: task `i` has those from `cuts[i]` on."""

    executor: Executor
    parcel: Parcel[Searcher]
    runs: Runs
    most_slack: int
    cuts: np.ndarray[Any, Any]
    left: list[Job[Any]]
    """Jobs whose results are of no use any more."""
    most: int = 0
    _next: int = 0
    _jobs: dict[Job[Counts | None], int] = attrs.field(factory=dict)

    @staticmethod
    def cut(runs: Runs, states: float, workers: int) -> np.ndarray[Any, Any]:
        """Where tasks begin that are worth sending, of runs with about that many states in all."""
        count = len(runs.begins) - 1
        size = min(max(states / (TASKS_PER_WORKER * workers), LEAST_IN_TASK), MOST_IN_TASK)
        every = max(1, round(count * size / states))
        return np.append(np.arange(0, count, every), count)

    def is_finished(self) -> bool:
        """Whether all runs up to the first goal are done."""
        return not self._has_next() and not any(map(self._is_wanted, self._jobs.values()))

    def _has_next(self) -> bool:
        return self._next < len(self.cuts) - 1 and self._is_wanted(self._next)

    def _is_wanted(self, number: int) -> bool:
        """Whether no run before this task is known to have a goal."""
        return bool(self.cuts[number] < self.runs.with_goal)

    def advance(self, budget: int) -> int:
        """Wait for tasks for a moment. All of the budget is used up: time is what is shared out."""
        executor = self.executor
        while self._has_next() and len(self._jobs) < AHEAD * executor.workers:
            self._submit()
        for job in executor.wait(list(self._jobs), WAIT_SECONDS):
            self._take(self._jobs.pop(job), job.result())
        return budget

    def _submit(self) -> None:
        runs, (begin, end) = self.runs, self.cuts[self._next : self._next + 2].tolist()
        begins = runs.begins[begin : end + 1]
        roots = Roots(*(column[begins[0] : begins[-1]] for column in runs.roots))
        begins = begins - begins[0]
        most_slack = min(-(-self.most_slack // 8) * 8, MOST_SLACK)  # so that room does for more
        job = self.executor.submit(count_runs, self.parcel, most_slack, roots, begins)
        self._jobs[job] = self._next
        self._next += 1

    def _take(self, number: int, counts: Counts | None) -> None:
        if not self._is_wanted(number):
            return
        if counts is None:
            raise UnfitError
        begin, end = self.cuts[number : number + 2].tolist()
        record = self.runs.record
        record.done[begin:end] = counts.done
        if counts.with_goal < end - begin:
            self.runs.lower(begin + counts.with_goal)
        self.most = max(self.most, counts.most)

    def so_far(self, start: Counted) -> Counted:
        """The counts of all that was done, added to `start`."""
        return start + self.runs.counted(0, len(self.runs.record.done))

    def end(self) -> None:
        """Leave what is not done: tasks at work are short, and a worker that is ended is dear."""
        self.left += self._jobs


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
                digest = digest_of(self.spec)
                self._parcel = executor.share(Searcher.of(self.task, digest=digest))
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

    def forget(self) -> None:
        """Let no state count as met before: another bound holds, or not all below was searched."""
        for worker in self.workers:
            worker.forget()

    @property
    def stored(self) -> int:
        """How many states the tables of the threads have had."""
        return sum(worker.stored for worker in self.workers)

    def close(self) -> None:
        """Leave what is not done."""
        if self._pool is not None:
            self._pool.shutdown()
        if self.task.executor is not None:
            self.task.executor.cancel(self._left)
