"""Depth-first search that waits for the memory of several states at once, in slices."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from searchkit.compiled.depth_first.kernels.deepening import Ended, Roots
from searchkit.compiled.depth_first.kernels.in_flight import Flight, Info, Seats
from searchkit.compiled.depth_first.kernels.pruning import NO_EXCESS
from searchkit.compiled.depth_first.kernels.siblings import PLACE_BITS
from searchkit.compiled.depth_first.resumable import Counted
from searchkit.compiled.specialise.growable import doubled
from searchkit.compiled.specialise.operators import EndedLists
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.running.task import Task

FIRST_CAPACITY = 256
ASKING = 4
"""How many states wait for what their children look up: with more, the caches lose some of it."""


@attrs.define(eq=False, repr=False)
class Flights:
    """States that wait, in no order that means anything; see the kernel."""

    spec: Specialised
    task: Task
    lists: EndedLists = attrs.field(init=False)
    flight: Flight = attrs.field(init=False)
    info: np.ndarray[Any, Any] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        lists = EndedLists.of(self.spec.lists)
        steps = lists.operators.astype(np.int64) | lists.following << PLACE_BITS
        self.lists = lists._replace(operators=steps)
        self.info = np.zeros(len(Info), dtype=np.int64)
        widest = self.spec.lists.widest + 1
        doubtful = self._seats(1 << (2 * widest).bit_length())
        asked = np.zeros(ASKING * widest, dtype=np.int64)
        self.flight = Flight(self._seats(FIRST_CAPACITY), doubtful, self._seats(ASKING), asked)

    def _seats(self, count: int) -> Seats:
        memo = np.zeros(count * self.spec.module.MEMORY, dtype=np.int64)
        places, slacks = np.zeros((2, count), dtype=np.int64)
        return Seats(self.spec.empty(count), places, slacks, memo)

    def begin_all(self, roots: Roots) -> None:
        """Start with several states."""
        count = len(roots.nodes)
        while len(self.flight.waiting.places) < count:
            self._grow()
        waiting = self.flight.waiting
        waiting.states[:count] = roots.states
        waiting.places[:count] = self.lists.begins[roots.nodes]
        waiting.slacks[:count] = roots.slacks
        self.spec.module.remember(self.spec.head[1], waiting.memo, 0, waiting.states, count)
        self.info[:] = 0
        self.info[Info.NEXT_EXCESS] = NO_EXCESS
        self.info[Info.WAITING] = count

    def search(self, most: int) -> int:
        """Expand up to `most` states; how it ended (`Ended`)."""
        limit = int(self.info[Info.EXPANDED]) + most
        while True:
            result: int = self.spec.module.search_in_flight(
                *self.spec.head[:2], self.lists, self.flight, self.info,
                limit - int(self.info[Info.EXPANDED]),
            )  # fmt: skip
            if result != Ended.STACK_FULL:
                return result
            self._grow()

    def _grow(self) -> None:
        waiting = self.flight.waiting
        self.task.reserve(self.task.counters.bytes + 2 * sum(each.nbytes for each in waiting))
        self.flight = self.flight._replace(waiting=doubled(waiting))

    @property
    def counts(self) -> Counted:
        """What was done; roots are not generated."""
        return Counted.of(self.info)

    @property
    def longest(self) -> int:
        """Most states that waited at once."""
        return int(self.info[Info.MOST])
