"""Runs of subtrees, counted by several threads, up to the first run that holds a goal."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Lock

import attrs

from searchkit.compiled.depth_first.batch_buckets import Buckets
from searchkit.compiled.depth_first.kernels.batched import Roots
from searchkit.compiled.depth_first.resumable import Counted

Run = tuple[int, int]
"""The subtrees from one place of a list to another."""


@attrs.define(eq=False)
class Runs:
    """The `runs` over a list of subtrees, given by their roots.

    Threads take runs in their order, one each. Once a run turns out to hold a goal, those after
    it are dropped.
    """

    subtrees: Roots
    runs: list[Run]
    done: dict[int, Counted] = attrs.field(factory=dict)
    with_goal: int = attrs.field(init=False)
    """The first run that is known to hold a goal; past the last if there is none."""
    _doing: dict[Buckets, int] = attrs.field(factory=dict)
    _following: int = 0
    _lock: Lock = attrs.field(factory=Lock)

    @with_goal.default
    def _none(self) -> int:
        return len(self.runs)

    @property
    def is_finished(self) -> bool:
        """Whether all runs up to the first goal are done."""
        return not self._doing and self._following >= self.with_goal

    def advance(self, pool: ThreadPoolExecutor, workers: list[Buckets], budget: int) -> int:
        """Expand up to `budget` states; how many there were."""
        # Who has a run comes first: the rest of a budget must not go to those who have none.
        workers = sorted(workers, key=lambda worker: worker not in self._doing)
        count = len(workers)
        shares = [budget // count + (i < budget % count) for i in range(count)]
        if count == 1:  # to change threads costs more than the rest of a short run
            return self._work(workers[0], budget)
        return sum(pool.map(self._work, workers, shares))

    def _work(self, worker: Buckets, share: int) -> int:
        """Let one thread expand up to `share` states, of one run after another."""
        used = 0
        while used < share and self._take(worker):
            is_done = worker.drain(share - used)
            used += worker.used
            if is_done:
                self._note(worker)
        return used

    def _take(self, worker: Buckets) -> bool:
        """Give the worker a run, unless it has one; whether there is any left to do."""
        with self._lock:
            if self._doing.get(worker, 0) > self.with_goal:
                del self._doing[worker]
            if worker in self._doing:
                return True
            if self._following >= self.with_goal:
                return False
            self._doing[worker] = number = self._following
            self._following += 1
        worker.fill(self.subtrees, *self.runs[number])
        return True

    def _note(self, worker: Buckets) -> None:
        with self._lock:
            number = self._doing.pop(worker)
            self.done[number] = worker.result()
            if worker.found:
                self.with_goal = min(self.with_goal, number)

    def so_far(self, start: Counted) -> Counted:
        """The counts of all that was done, added to `start`."""
        live = [worker.result() for worker in self._doing]
        return sum([*self.done.values(), *live], start)
