"""The order of subtrees in an iteration: first those that came nearest to a goal in the last one.

The last iteration ends at its first goal, and is most of the work. Along a solution f rises from
bound to bound, as a rule for the last time near its end: so the iteration before has been near the
goal below the same root. (Powley & Korf, "Single-agent parallel window search", 1991.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from searchkit.compiled.depth_first.batch_plan import MOST_SLACK
from searchkit.compiled.depth_first.kernels.deepening import Roots
from searchkit.compiled.depth_first.resumable import MOST_BOUND, NO_CUT, Cut
from searchkit.limits import Iteration

ORDERED_FROM = 30_000_000
"""An iteration that should expand more states than this is done in order."""
FOR_ONE_ABOVE, MOST_ABOVE = 1_000, 100_000
"""Above the roots there is a state for as many that the first such iteration should expand, and
no more than this: to begin below a root takes as long as some hundred expansions."""
MOST_ROOTS = 1 << 20


@attrs.define(eq=False, repr=False)
class Order:
    """What is kept from one iteration to the next: how near to a goal each subtree came.

    The roots are the first states on their paths with f > `above`. So those of an iteration are
    those of the one before, in the same order, and between them those with the f of the new bound.
    """

    cut: Cut | None = attrs.field(default=None, init=False)
    """How the iteration at hand is cut: each subtree alone. None if it should not be ordered, or
    not with any bound of those before."""
    above: int | None = attrs.field(default=None, init=False)
    _bound: int = attrs.field(default=0, init=False)
    """That of the iteration at hand."""
    _known: int = attrs.field(default=0, init=False)
    """That of the iteration of which `_nearest` is known."""
    _nearest: np.ndarray[Any, Any] = attrs.field(factory=lambda: np.zeros(0, np.int64), init=False)

    def begin(self, iterations: Sequence[Iteration], states: float, bound: int) -> None:
        """Begin the iteration within a bound, of about that many states, after `iterations`."""
        self.cut = None
        if states <= ORDERED_FROM:
            return
        if self.above is None:
            most = min(states / FOR_ONE_ABOVE, MOST_ABOVE)
            fits = [int(each.bound) for each in iterations if each.expanded <= most]
            if not fits:
                return
            self.above = fits[-1]
        self._bound, slack = bound, bound - self.above - 1
        if 0 <= slack <= MOST_SLACK:
            self.cut = Cut(slack, NO_CUT, MOST_ROOTS, 1, np.ones(1, dtype=np.int64))

    def of(self, roots: Roots) -> np.ndarray[Any, Any]:
        """The numbers of the roots, the most promising first. O(roots x log(roots))."""
        nearest = np.full(len(roots.nodes), MOST_BOUND)
        is_known = roots.slacks >= self._bound - self._known
        if np.count_nonzero(is_known) == len(self._nearest):
            nearest[is_known] = self._nearest
        return np.lexsort((-roots.slacks, nearest))

    def learn(self, numbers: np.ndarray[Any, Any], nearest: np.ndarray[Any, Any]) -> None:
        """Note how near to a goal the subtrees came, which were searched by these numbers."""
        self._known, self._nearest = self._bound, np.empty_like(nearest)
        self._nearest[numbers] = nearest
