"""What searches of one problem tell that follow each other, as one that goes on."""

from __future__ import annotations

import attrs

from searchkit.limits import Progress, ProgressListener


@attrs.define(eq=False, repr=False)
class Onward:
    """Tells a listener the best cost and bound of all searches so far; the counts are of the last.

    One that begins again with larger databases has neither at first.
    """

    listener: ProgressListener
    _cost: int | None = attrs.field(default=None, init=False)
    _bound: float = attrs.field(default=0.0, init=False)

    def __call__(self, progress: Progress) -> None:
        """Tell of a look at the search at hand."""
        costs = [cost for cost in (self._cost, progress.cost) if cost is not None]
        self._cost = min(costs, default=None)
        self._bound = min([max(self._bound, progress.lower_bound), *costs])
        self.listener(attrs.evolve(progress, cost=self._cost, lower_bound=self._bound))
