"""Depth-first search in slices: what its forms have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from searchkit.compiled.depth_first.kernels.deepening import Ended, Info
from searchkit.compiled.depth_first.kernels.slack import NONE_OVER
from searchkit.compiled.specialise.costs import wrong_estimate
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.running.task import Task

if TYPE_CHECKING:
    import numpy as np

__all__ = ["MOST_BOUND", "NONE_OVER", "Slices"]

MOST_BOUND = 1 << 61
"""The largest bound on f of machine code; in a weighted search on f times the weight's denominator.
"""


@attrs.define(eq=False)
class Slices:
    """A search that goes on from where its arrays say; `info` has its counts, see the kernels."""

    spec: Specialised
    task: Task
    info: np.ndarray[Any, Any] = attrs.field(init=False)

    def search(self, budget: int) -> int:
        """Call the machine code: expand up to `budget` states; how it ended."""
        raise NotImplementedError

    def grow(self) -> None:
        """Make more room."""
        raise NotImplementedError

    def rejected(self) -> Any:
        """After WRONG_ESTIMATE: the row of the state whose estimate is none."""
        raise NotImplementedError

    def advance(self, most: int | None = None) -> int:
        """Expand up to `most` states of the task's budget; how it ended (`Ended`)."""
        task = self.task
        if most is None:
            most = task.budget
        while True:
            before = self.expanded
            result = self.search(min(most, task.budget))
            used = self.expanded - before
            task.budget -= used
            most -= used
            if result == Ended.WRONG_ESTIMATE:
                raise wrong_estimate(self.spec, self.rejected())
            if result != Ended.STACK_FULL:
                return result
            self.grow()

    @property
    def expanded(self) -> int:
        """How many states were expanded."""
        return int(self.info[Info.EXPANDED])

    @property
    def generated(self) -> int:
        """How many states were generated, the root not counted."""
        return int(self.info[Info.GENERATED])

    @property
    def over(self) -> int:
        """By how much the smallest f above the bound is above it."""
        return int(self.info[Info.OVER])

    @property
    def longest(self) -> int:
        """Most states that were on the path at once."""
        return int(self.info[Info.LONGEST]) + 1
