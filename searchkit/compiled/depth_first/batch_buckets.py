"""The buckets of one thread that counts subtrees in batches."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from searchkit.capabilities import HasGoalStates
from searchkit.compiled.depth_first.kernels import batched as kernels
from searchkit.compiled.depth_first.kernels.batched import BATCH, CAPACITY, Ended, Info
from searchkit.compiled.depth_first.kernels.pruning import NO_EXCESS
from searchkit.compiled.depth_first.resumable import Counted
from searchkit.compiled.specialise.growable import doubled
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.running.task import Task

FIRST_SPILL = 1 << 14
LISTED_GOALS = 10_000


class UnfitError(Exception):
    """Estimates vary too much for batches, or are none: the stack then meets the state."""


@attrs.define(eq=False)
class Buckets:
    """Room for states with a slack of 0 to `most_slack`; see the kernels."""

    spec: Specialised
    task: Task
    most_slack: int
    found: bool = False
    used: int = 0
    """How many states the last call of `drain` expanded."""
    buckets: kernels.Buckets = attrs.field(init=False)
    batch: kernels.Batch = attrs.field(init=False)
    spill: kernels.Spill = attrs.field(init=False)
    info: np.ndarray[Any, Any] = attrs.field(init=False)
    roots: kernels.Roots = attrs.field(init=False)
    put: int = 0
    """How many of the roots were put into buckets."""

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
        self.batch = kernels.Batch(spec.empty(size), spec.empty(size), drops)
        left_over = np.zeros(FIRST_SPILL, dtype=np.int64)
        self.spill = kernels.Spill(spec.empty(FIRST_SPILL), left_over)
        self.info = np.zeros(len(Info), dtype=np.int64)

    @staticmethod
    def bytes_for(spec: Specialised, most_slack: int) -> int:
        """The memory of buckets, of which most is touched only where states are many."""
        states = (most_slack + 1) * len(spec.lists.controls) * CAPACITY
        return 8 * (states * spec.problem.words + FIRST_SPILL * (spec.problem.words + 1))

    def fill(self, roots: kernels.Roots, begin: int, end: int) -> None:
        """Begin with the states `begin` to `end` of a list."""
        self.found = False
        self.buckets.fills[:] = 0
        self.buckets.waiting[:] = 0
        self.buckets.full[:] = 0
        self.info[:] = 0
        self.info[Info.NEXT_EXCESS] = NO_EXCESS
        self.roots, self.put = kernels.Roots(*(each[begin:end] for each in roots)), 0

    def drain(self, budget: int) -> bool:
        """Expand up to `budget` states; whether all are done, or a goal was found."""
        self.used = 0
        if budget <= 0:
            return False
        module = self.spec.module
        while True:
            self.put = int(module.put(self.buckets, self.roots, self.put, self.info))
            before = self.result().expanded
            ended = module.drain(
                *self.spec.head, self.buckets, self.batch, self.spill, self.info, budget
            )
            used = self.result().expanded - before
            budget -= used
            self.used += used
            if ended == Ended.UNFIT:
                raise UnfitError
            if ended == Ended.FOUND:
                self.found = True
                return True
            if ended == Ended.SPILL_FULL:
                self._grow_spill()
            elif ended == Ended.BUDGET:
                return False
            elif self.put == len(self.roots.nodes):
                return True

    def _grow_spill(self) -> None:
        more = 2 * sum(each.nbytes for each in self.spill)
        self.task.reserve(self.task.counters.bytes + more)
        self.spill = doubled(self.spill)

    @property
    def most(self) -> int:
        """Most states that waited at once."""
        return int(self.info[Info.MOST])

    def result(self) -> Counted:
        """The counts so far."""
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
