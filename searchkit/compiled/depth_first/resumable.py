"""Depth-first search in slices: what its forms have in common."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs
import numpy as np

from searchkit.compiled.depth_first.kernels.deepening import Ended, Info
from searchkit.compiled.depth_first.kernels.pruning import NO_EXCESS
from searchkit.compiled.specialise.costs import wrong_estimate
from searchkit.compiled.specialise.growable import doubled
from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.operators import EndedLists
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.running.task import Task

MOST_BOUND = 1 << 61
"""The largest bound on f of machine code; in a weighted search on f times the weight's denominator.
"""


@attrs.define(eq=False)
class Slices:
    """A search that goes on from where its arrays say; `info` has its counts, see the kernels."""

    spec: Specialised
    task: Task
    lists: EndedLists = attrs.field(init=False)
    records: tuple[Any, ...] = attrs.field(init=False)
    """What the kernels take of arrays that grow."""
    info: np.ndarray[Any, Any] = attrs.field(init=False)
    fixed_bytes: ClassVar[int] = 0
    kernel: ClassVar[str]
    """The machine code that searches, and what else it takes: `more`."""
    more: Any = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.info = np.zeros(len(Info), dtype=np.int64)
        self.lists, self.records = self._first()
        self._reserve()

    def _first(self) -> tuple[EndedLists, tuple[Any, ...]]:
        """The operator lists, and the records as they are at first."""
        raise NotImplementedError

    def _reserve(self, factor: int = 1) -> None:
        growing = sum(array.nbytes for record in self.records for array in record)
        self.task.reserve(factor * growing + self.fixed_bytes)

    def begin(
        self, state: np.ndarray[Any, Any], node: int, slack: int, bound: int = MOST_BOUND
    ) -> None:
        """Start with one state, whose children within `slack` are to be tried."""
        raise NotImplementedError

    def advance(self, most: int | None = None) -> int:
        """Expand up to `most` states of the task's budget; how it ended (`Ended`)."""
        task = self.task
        if most is None:
            most = task.budget
        search = getattr(self.spec.module, self.kernel)
        while True:
            before = self.expanded
            result: int = search(
                *self.spec.head[:2], self.lists, *self.records, self.more, self.info,
                min(most, task.budget),
            )  # fmt: skip
            used = self.expanded - before
            task.budget -= used
            most -= used
            if result == Ended.WRONG_ESTIMATE:
                raise wrong_estimate(self.spec, self.states[self.depth + 1])
            if result != Ended.STACK_FULL:
                return result
            self._reserve(factor=3)  # old and new at once
            self.records = tuple(map(doubled, self.records))

    def _reset(self, pending: int, bound: int) -> None:
        """Count from 0."""
        self.info[:] = 0
        self.info[Info.NEXT_EXCESS] = NO_EXCESS
        self.info[Info.PENDING] = pending
        self.info[Info.BOUND] = bound

    @property
    def states(self) -> np.ndarray[Any, Any]:
        """The states on the current path, and what room there is."""
        states: np.ndarray[Any, Any] = self.records[0].states
        return states

    @property
    def depth(self) -> int:
        """The place of the last state that was expanded on the path; -1 when all is done."""
        return int(self.info[Info.DEPTH])

    def path(self) -> tuple[list[Any], list[int]]:
        """After FOUND: the states to the goal, and their g."""
        count = self.depth + 2
        unit = self.spec.module.UNIT_COSTS
        costs = list(range(count)) if unit else self.records[0].costs[:count].tolist()
        return [python_state(row) for row in self.states[:count]], costs

    @property
    def expanded(self) -> int:
        """How many states were expanded."""
        return int(self.info[Info.EXPANDED])

    @property
    def generated(self) -> int:
        """How many states were generated, the root not counted."""
        return int(self.info[Info.GENERATED])

    @property
    def next_excess(self) -> int:
        """By how much the smallest f above the bound is above it."""
        return int(self.info[Info.NEXT_EXCESS])

    @property
    def longest(self) -> int:
        """Most states that were on the path at once."""
        return int(self.info[Info.LONGEST]) + 1
