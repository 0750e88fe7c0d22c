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

    bound: int = attrs.field(default=-1, init=False)
    """That of the iteration at hand."""
    above: int = attrs.field(default=-1, init=False)
    _bound: int = attrs.field(default=-1, init=False)
    """That of the iteration that is known."""
    _nearest: np.ndarray[Any, Any] = attrs.field(factory=lambda: np.zeros(0, np.int64), init=False)

    def cut(self, iterations: Sequence[Iteration], states: float) -> Cut | None:
        """How an iteration of about that many states is cut, each subtree for itself.

        None if no bound suits.
        """
        if self.above < 0:
            most = min(states / FOR_ONE_ABOVE, MOST_ABOVE)
            fits = [int(each.bound) for each in iterations if each.expanded <= most]
            self.above = fits[-1] if fits else -1
        slack = self.bound - self.above - 1
        if self.above < 0 or slack < 0:
            return None
        return Cut(slack, NO_CUT, MOST_ROOTS, 1, np.ones(1, dtype=np.int64))

    def of(self, roots: Roots) -> np.ndarray[Any, Any]:
        """The numbers of the roots, the most promising first. O(roots x log(roots))."""
        nearest = np.full(len(roots.nodes), MOST_BOUND)
        is_known = roots.slacks >= self.bound - self._bound
        if np.count_nonzero(is_known) == len(self._nearest):
            nearest[is_known] = self._nearest
        return np.lexsort((-roots.slacks, nearest))

    def learn(self, numbers: np.ndarray[Any, Any], nearest: np.ndarray[Any, Any]) -> None:
        """Note how near to a goal the subtrees came, which were searched by these numbers."""
        self._bound, self._nearest = self.bound, np.empty_like(nearest)
        self._nearest[numbers] = nearest
