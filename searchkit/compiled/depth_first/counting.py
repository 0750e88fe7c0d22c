"""What one thread counts runs of subtrees with: in batches, or by a search below their roots."""

from __future__ import annotations

from threading import Lock
from typing import Any, ClassVar

import attrs
import numpy as np

from searchkit.capabilities import HasGoalStates
from searchkit.compiled.depth_first.kernels import batched as kernels
from searchkit.compiled.depth_first.kernels import deepening
from searchkit.compiled.depth_first.kernels.batched import (
    BATCH,
    CAPACITY,
    NO_RUN,
    Ended,
    Info,
    Runs,
    Shared,
)
from searchkit.compiled.depth_first.kernels.deepening import Roots
from searchkit.compiled.depth_first.resumable import Counted
from searchkit.compiled.depth_first.siblings import Bursts, Flights
from searchkit.compiled.specialise.growable import doubled
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.packed import PrefetchedHeuristic
from searchkit.running.task import Task

FIRST_SPILL = 1 << 14
LISTED_GOALS = 10_000
_taking = Lock()


class UnfitError(Exception):
    """Estimates vary too much for batches, or are none: the stack then meets the state."""


@attrs.define(eq=False, repr=False)
class Buckets:
    """Room for states with a slack of 0 to `most_slack`; see the kernels."""

    spec: Specialised
    task: Task
    most_slack: int
    buckets: kernels.Buckets = attrs.field(init=False)
    working: kernels.Working = attrs.field(init=False)
    info: np.ndarray[Any, Any] = attrs.field(init=False)
    effort: ClassVar[int] = 1

    def __attrs_post_init__(self) -> None:
        spec, slacks, size = self.spec, self.most_slack + 1, BATCH + 8
        count = slacks * len(spec.lists.controls)
        self.buckets = kernels.Buckets(
            spec.empty(count * CAPACITY + 8),
            np.zeros(count, dtype=np.int64),
            np.zeros(slacks, dtype=np.int64),
            np.zeros(slacks, dtype=np.int64),
            _may_be_goal(spec),
        )
        drops = np.zeros(size, dtype=np.int64)
        batch = kernels.Batch(spec.empty(size), spec.empty(size), drops)
        left_over = np.zeros(FIRST_SPILL, dtype=np.int64)
        spill = kernels.Spill(spec.empty(FIRST_SPILL), left_over)
        self.working = kernels.Working(batch, spill)
        self.info = np.zeros(len(Info), dtype=np.int64)
        self.info[Info.RUN] = NO_RUN

    @staticmethod
    def bytes_for(spec: Specialised, most_slack: int) -> int:
        """The memory of buckets, of which most is touched only where states are many."""
        states = (most_slack + 1) * len(spec.lists.controls) * CAPACITY
        return 8 * (states * spec.problem.words + FIRST_SPILL * (spec.problem.words + 1))

    stored: ClassVar[int] = 0
    """Batches have no table."""

    def forget(self) -> None:
        """Do nothing."""

    @property
    def has_run(self) -> bool:
        """Whether a run is begun and not done."""
        return bool(self.info[Info.RUN] != NO_RUN)

    def count(self, runs: Runs, budget: int) -> int:
        """Count one run after another, up to `budget` states; how many there were."""
        used = 0
        while used < budget:
            ended = self.spec.module.drain(
                *self.spec.head, runs, self.buckets, self.working, self.info, budget - used
            )
            if ended == Ended.UNFIT:
                raise UnfitError
            used += int(self.info[Info.USED])
            if ended != Ended.SPILL_FULL:
                break
            self._grow_spill()
        return used

    def _grow_spill(self) -> None:
        spill = self.working.spill
        more = 2 * sum(each.nbytes for each in spill)
        self.task.reserve(self.task.counters.bytes + more)
        self.working = self.working._replace(spill=doubled(spill))

    @property
    def most(self) -> int:
        """Most states that waited at once."""
        return int(self.info[Info.MOST])

    def result(self) -> Counted:
        """The counts of the run at hand so far."""
        return Counted.of(self.info)


def _may_be_goal(spec: Specialised) -> Any:
    """For each node of the operator lists, whether a goal can be there."""
    problem, controls = spec.problem, spec.lists.controls
    everywhere = np.ones(len(controls), dtype=np.bool_)
    if problem.controls == 1 or not isinstance(problem, HasGoalStates):
        return everywhere
    goals = list(problem.goal_states())
    if len(goals) > LISTED_GOALS:
        return everywhere
    return np.isin(controls, [problem.control(goal) for goal in goals])


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
        """What is to be reserved: next to nothing, as `Flights` reserve their tables."""
        return 0

    def forget(self) -> None:
        """Let no state count as met before."""
        self.below.forget()

    @property
    def stored(self) -> int:
        """How many states the table has had."""
        return self.below.stored

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
            info = self.below.info
            before = int(info[deepening.Info.EXPANDED])
            ended = self.below.search(budget - used)
            used += int(info[deepening.Info.EXPANDED]) - before
            if ended == deepening.Ended.OUT_OF_BUDGET:
                break
            if ended == deepening.Ended.FOUND:
                with _taking:
                    runs.shared[Shared.WITH_GOAL] = min(self.run, runs.shared[Shared.WITH_GOAL])
            elif ended != deepening.Ended.DONE:
                raise UnfitError
            done = self.result()
            runs.done[self.run] = done.generated, done.expanded, done.next_excess
            runs.nearest[self.run] = self.below.nearest
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
