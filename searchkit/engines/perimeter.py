"""The perimeter of BIDA*: states near a goal, layer by layer, and when another layer pays.

Dillenburg & Nelson, "Perimeter search" (1994); Manzini, "BIDA*: an improved perimeter search
algorithm" (1995).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator

import attrs

from searchkit.problem import INFINITY
from searchkit.running.task import Task

AT_FIRST = 1_000
"""How many expansions layers may take before the first iteration."""
GROWTH = 2.0
"""By how much iterations and layers grow where it is not known yet."""


@attrs.define(eq=False, repr=False)
class Perimeter(ABC):
    """All states up to `depth` steps from a goal; a state beyond is at least one step further.

    Of a state in the last two layers the distance is known, of a nearer one nothing: this is
    what two bits can say. So the bound is admissible, and not consistent.
    """

    task: Task
    depth: int = attrs.field(init=False, default=-1)
    """The last layer; -1 if no goals are listed."""
    is_whole: bool = attrs.field(init=False, default=False)
    """Whether no goal can be reached from any state beyond."""

    @property
    @abstractmethod
    def sizes(self) -> list[int]:
        """How many states each layer has, or slots that no nearer state has taken."""

    @property
    def growth(self) -> float:
        """How many times as large as the one before the last layer is."""
        before, last = [1, *self.sizes][-2:]
        return last / max(1, before)

    @property
    @abstractmethod
    def next_expansions(self) -> float:
        """The states that are expanded for another layer; INFINITY where there is no room."""

    @abstractmethod
    def deepen(self) -> Generator[None, None, None]:
        """Make another layer."""

    def grow(self) -> Generator[None, None, None]:
        """Make layers as long as one takes less than the next iteration is likely to take.

        A layer makes that iteration shorter by as much as layers grow, as a rule. Each goes through
        all states again: where layers do not grow, that work is what ends them.
        """
        forecast = left = max(AT_FIRST, self._next_iteration())
        while not self.is_whole and self.next_expansions <= min(forecast, left):
            yield from self.deepen()
            forecast /= max(self.growth, 1.0)
            left -= sum(self.sizes)

    def _next_iteration(self) -> float:
        """The expansions of the next iteration, which grow as those of the last two did."""
        sizes = [each.expanded for each in self.task.counters.iterations[-2:]]
        if not sizes:
            return 0
        return sizes[-1] * (
            max(sizes[1] / sizes[0], 1.0) if len(sizes) == 2 and sizes[0] else GROWTH
        )

    def bound(self, distance: int | None) -> float:
        """What is said of a state at a distance; of one beyond, if that is None."""
        if distance is None:
            return INFINITY if self.is_whole else self.depth + 1
        return distance if distance >= self.depth - 1 else 0
