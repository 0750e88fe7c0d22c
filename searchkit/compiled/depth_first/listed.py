"""Depth-first search over listed successors, in slices."""

from __future__ import annotations

from typing import Any

import numpy as np

from searchkit.compiled.depth_first.kernels.deepening import FILTER
from searchkit.compiled.depth_first.kernels.listed import Trail
from searchkit.compiled.depth_first.resumable import MOST_BOUND, Slices
from searchkit.compiled.specialise.kernels.children import Children

FIRST_CAPACITY = 256


class Listed(Slices):
    """The states on the current path, and the children that wait; see the kernels."""

    kernel = "search_listed"
    fixed_bytes = 4 * FILTER
    carries = False

    def _first(self) -> tuple[Any, tuple[Trail, Children]]:
        self.more = np.zeros(FILTER, dtype=np.int32)
        columns = np.zeros((4, FIRST_CAPACITY), dtype=np.int64)
        trail = Trail(self.spec.empty(FIRST_CAPACITY), *columns)
        return self.spec.listed, (trail, self.spec.children(FIRST_CAPACITY))

    def begin(
        self, state: np.ndarray[Any, Any], node: int, slack: int, bound: int = MOST_BOUND
    ) -> None:
        """Start with one state, whose children within `slack` are to be tried."""
        trail = self.records[0]
        trail.states[0], trail.slacks[0] = state, slack
        trail.places[0] = trail.ends[0] = trail.costs[0] = 0
        self.more[:] = 0
        self._reset(pending=1, bound=bound)
