"""Runs of subtrees, counted up to the first run that holds a goal, by threads or otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from searchkit.compiled.depth_first.kernels import batched as kernels
from searchkit.compiled.depth_first.kernels.batched import Info, Shared
from searchkit.compiled.depth_first.kernels.deepening import Roots
from searchkit.compiled.depth_first.kernels.pruning import NO_EXCESS
from searchkit.compiled.depth_first.resumable import MOST_BOUND, Counted

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from searchkit.compiled.depth_first.counting import Buckets, Searching


@attrs.define(eq=False, repr=False)
class Runs:
    """A list of subtrees, given by their roots, in runs: run `i` is from `begins[i]` on.

    They are taken in their order; see the kernels. Once a run turns out to hold a goal, those after
    it are dropped.
    """

    roots: Roots
    begins: np.ndarray[Any, Any]
    """The last one is the number of roots."""
    record: kernels.Runs = attrs.field(init=False)

    @record.default
    def _record(self) -> kernels.Runs:
        count = len(self.begins) - 1
        done = np.zeros((count, Info.NEXT_EXCESS + 1), dtype=np.int64)
        done[:, Info.NEXT_EXCESS] = NO_EXCESS
        shared = np.array([0, count], dtype=np.int64)
        nearest = np.full(count, MOST_BOUND)
        return kernels.Runs(self.roots, self.begins, done, nearest, shared)

    @property
    def with_goal(self) -> int:
        """The first run that is known to hold a goal; past the last if there is none."""
        return int(self.record.shared[Shared.WITH_GOAL])

    def lower(self, run: int) -> None:
        """Note that a run holds a goal."""
        self.record.shared[Shared.WITH_GOAL] = min(run, self.with_goal)

    @property
    def meets_goal(self) -> bool:
        """Whether a run is known to hold a goal."""
        return self.with_goal < len(self.record.done)

    def counted(self, begin: int, end: int) -> Counted:
        """The counts of the runs `begin` to `end`, as far as they are done."""
        done = self.record.done[begin:end]
        generated, expanded = done[:, : Info.NEXT_EXCESS].sum(axis=0).tolist()
        return Counted(expanded, generated, int(done[:, Info.NEXT_EXCESS].min(initial=NO_EXCESS)))


@attrs.define(eq=False, repr=False)
class ByThreads:
    """Runs that are counted by threads of this process."""

    runs: Runs
    pool: ThreadPoolExecutor
    workers: Sequence[Buckets | Searching]

    @property
    def most(self) -> int:
        """Most states that waited at once, of all threads."""
        return sum(worker.most for worker in self.workers)

    def is_finished(self) -> bool:
        """Whether all runs up to the first goal are done."""
        following, with_goal = self.runs.record.shared
        return bool(following >= with_goal) and not any(each.has_run for each in self.workers)

    def advance(self, budget: int) -> int:
        """Expand up to `budget` states; how many there were."""
        # Who has a run comes first: the rest of a budget must not go to those who have none.
        workers = sorted(self.workers, key=lambda worker: not worker.has_run)
        count, record = len(workers), self.runs.record
        shares = [budget // count + (i < budget % count) for i in range(count)]
        others = [
            self.pool.submit(worker.count, record, share)
            for worker, share in zip(workers[1:], shares[1:], strict=True)
        ]
        used = workers[0].count(record, shares[0])  # to wake one thread less takes less
        # Where processors are busy, a thread may not have begun when there is nothing left to do.
        return used + sum(other.result() for other in others if not other.cancel())

    def so_far(self, start: Counted) -> Counted:
        """The counts of all that was done, added to `start`."""
        live = [worker.result() for worker in self.workers if worker.has_run]
        return sum(live, start + self.runs.counted(0, len(self.runs.record.done)))

    def end(self) -> None:
        """Do nothing: a thread works only while it is waited for."""
