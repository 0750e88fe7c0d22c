"""Depth-first search in slices: what its forms have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from searchkit.compiled.specialise.costs import wrong_estimate
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.running.task import Task

if TYPE_CHECKING:
    import numpy as np

NONE_OVER = (1 << 63) - 1
"""By how much nothing is above the bound. With bounds up to `MOST_BOUND`, costs up to
`costs.MOST_COST`, estimates up to `DEAD_END` and weights up to `weights.MOST_PART`, all sums that
machine code makes are below it: what is pruned is never mistaken for nothing."""

MOST_BOUND = 1 << 61
"""The largest bound on f of machine code; in a weighted search on f times the weight's denominator.
"""


@attrs.define(eq=False)
class Slices:
    """A search that goes on from where its arrays say; `info` has its counts, see the templates."""

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
        """Expand up to `most` states of the task's budget; how it ended, as the template says."""
        task = self.task
        if most is None:
            most = task.budget
        while True:
            before = self.expanded
            result = self.search(min(most, task.budget))
            used = self.expanded - before
            task.budget -= used
            most -= used
            if result == self.spec.module.WRONG_ESTIMATE:
                raise wrong_estimate(self.spec, self.rejected())
            if result != self.spec.module.STACK_FULL:
                return result
            self.grow()

    @property
    def expanded(self) -> int:
        """How many states were expanded."""
        return int(self.info[self.spec.module.EXPANDED])

    @property
    def generated(self) -> int:
        """How many states were generated, the root not counted."""
        return int(self.info[self.spec.module.GENERATED])

    @property
    def over(self) -> int:
        """By how much the smallest f above the bound is above it."""
        return int(self.info[self.spec.module.OVER])

    @property
    def longest(self) -> int:
        """Most states that were on the path at once."""
        return int(self.info[self.spec.module.LONGEST]) + 1
