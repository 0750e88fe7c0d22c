"""One thread that searches runs of subtrees where estimates are carried."""

from __future__ import annotations

from threading import Lock
from typing import ClassVar

import attrs

from searchkit.compiled.depth_first.batch_buckets import UnfitError
from searchkit.compiled.depth_first.kernels.batched import NO_RUN, Runs, Shared
from searchkit.compiled.depth_first.kernels.deepening import Ended, Roots
from searchkit.compiled.depth_first.resumable import Counted
from searchkit.compiled.depth_first.siblings import Bursts, Flights
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.packed import PrefetchedHeuristic
from searchkit.running.task import Task

_taking = Lock()


@attrs.define(eq=False, repr=False)
class Searching:
    """A search of one run after another; used like `Buckets`."""

    spec: Specialised
    task: Task
    most_slack: int
    below: Bursts | Flights = attrs.field(init=False)
    run: int = attrs.field(init=False, default=NO_RUN)
    effort: ClassVar[int] = 8
    """A state takes about as long as this many in batches."""

    @below.default
    def _below(self) -> Bursts | Flights:
        is_prefetched = isinstance(self.task.heuristic, PrefetchedHeuristic)
        return (Flights if is_prefetched else Bursts)(self.spec, self.task)

    @staticmethod
    def bytes_for(spec: Specialised, most_slack: int) -> int:
        """What is to be reserved: next to nothing."""
        return 0

    @property
    def has_run(self) -> bool:
        """Whether a run is begun and not done."""
        return self.run != NO_RUN

    def count(self, runs: Runs, budget: int) -> int:
        """Search one run after another, up to `budget` states; how many there were."""
        used = 0
        while used < budget:
            if self.run > runs.shared[Shared.WITH_GOAL]:
                self.run = NO_RUN
            if not self.has_run and not self._take(runs):
                break
            before = self.below.counts.expanded
            ended = self.below.search(budget - used)
            used += self.below.counts.expanded - before
            if ended == Ended.OUT_OF_BUDGET:
                break
            if ended == Ended.FOUND:
                with _taking:
                    runs.shared[Shared.WITH_GOAL] = min(self.run, runs.shared[Shared.WITH_GOAL])
            elif ended != Ended.DONE:
                raise UnfitError
            done = self.result()
            runs.done[self.run] = done.generated, done.expanded, done.next_excess
            self.run = NO_RUN
        return used

    def _take(self, runs: Runs) -> bool:
        """Begin the next run that nobody has taken, if there is one."""
        with _taking:
            run, with_goal = runs.shared.tolist()
            if run >= with_goal:
                return False
            runs.shared[Shared.FOLLOWING] += 1
        begin, end = runs.begins[run : run + 2]
        self.below.begin_all(Roots(*(column[begin:end] for column in runs.roots)))
        self.run = run
        return True

    @property
    def most(self) -> int:
        """Most states that waited, or were on a path, at once."""
        return self.below.longest

    def result(self) -> Counted:
        """The counts of the run at hand so far."""
        return self.below.counts
