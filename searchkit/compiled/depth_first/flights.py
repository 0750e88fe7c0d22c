"""Depth-first search that waits for the memory of several states at once, in slices."""

from __future__ import annotations

import numpy as np

from searchkit.compiled.depth_first.kernels.deepening import Roots
from searchkit.compiled.depth_first.kernels.in_flight import Flight, Seats
from searchkit.compiled.depth_first.kernels.siblings import PLACE_BITS
from searchkit.compiled.depth_first.resumable import MOST_BOUND, Slices
from searchkit.compiled.specialise.operators import EndedLists

FIRST_CAPACITY = 256
ASKING = 4
"""How many states wait for what their children look up: with more, the caches lose some of it."""


class Flights(Slices):
    """States that wait, in no order that means anything; see the kernel."""

    kernel = "search_in_flight"

    def _first(self) -> tuple[EndedLists, tuple[Seats]]:
        lists = EndedLists.of(self.spec.lists)
        steps = lists.operators.astype(np.int64) | lists.following << PLACE_BITS
        widest = self.spec.lists.widest + 1
        doubtful = self._seats(1 << (2 * widest).bit_length())
        asked = np.zeros(ASKING * widest, dtype=np.int64)
        self.more = Flight(doubtful, self._seats(ASKING), asked)
        return lists._replace(operators=steps), (self._seats(FIRST_CAPACITY),)

    def _seats(self, count: int) -> Seats:
        memo = np.zeros(count * self.spec.module.MEMORY, dtype=np.int64)
        places, slacks = np.zeros((2, count), dtype=np.int64)
        return Seats(self.spec.empty(count), places, slacks, memo)

    def begin_all(self, roots: Roots) -> None:
        """Start with several states."""
        count = len(roots.nodes)
        while len(self.states) < count:
            self._grow()
        waiting = self.records[0]
        waiting.states[:count] = roots.states
        waiting.places[:count] = self.lists.begins[roots.nodes]
        waiting.slacks[:count] = roots.slacks
        self.spec.module.remember(self.spec.head[1], waiting.memo, 0, waiting.states, count)
        self._reset(pending=count, bound=MOST_BOUND)
