"""Depth-first search that makes all children of a state at once, or of several, in slices."""

from __future__ import annotations

from typing import Any

import numpy as np

from searchkit.compiled.depth_first.kernels.deepening import Info, Roots
from searchkit.compiled.depth_first.kernels.in_flight import Flight
from searchkit.compiled.depth_first.kernels.siblings import PLACE_BITS, Branch, Left, Waiting
from searchkit.compiled.depth_first.resumable import MOST_BOUND, Slices
from searchkit.compiled.depth_first.tables import WORD_BYTES, bytes_in_flight
from searchkit.compiled.specialise.growable import GrowableArray
from searchkit.compiled.specialise.operators import EndedLists

FIRST_CAPACITY = 256
ASKING = 4
"""How many states wait for what their children look up: with more, the caches lose some of it."""
MOST_BOUND_IN_BURSTS = (1 << PLACE_BITS) - 1
"""What remains of the bound shares a word with the depth."""


class Bursts(Slices):
    """Waiting states, and those on the current path; see the kernels. Used like a `Stack`."""

    kernel = "search_in_bursts"

    def _first(self) -> tuple[EndedLists, tuple[Branch, Waiting]]:
        spec, memory = self.spec, self.spec.module.MEMORY
        self.more = Left(spec.lists.widest, *self._no_roots())
        lists = EndedLists.of(spec.lists, backwards=True)
        capacity = FIRST_CAPACITY + spec.lists.widest
        branch = Branch(spec.empty(capacity), *np.zeros((2, capacity), dtype=np.int64))
        words = np.zeros((capacity + 1) * memory, dtype=np.int64)
        places, slacks = np.zeros((2, capacity), dtype=np.int64)
        waiting = Waiting(spec.empty(capacity), places, slacks, words)
        steps = lists.operators.astype(np.int64) | lists.following << PLACE_BITS
        return lists._replace(operators=steps), (branch, waiting)

    def begin(
        self, state: np.ndarray[Any, Any], node: int, slack: int, bound: int = MOST_BOUND
    ) -> None:
        """Start with one state, whose children within `slack` are to be tried."""
        roots = Roots(np.asarray(state)[None], np.array([node]), np.array([max(slack, 0)]))
        self.begin_all(roots, bound)
        if slack < 0:
            self.info[Info.PENDING] = 0

    def begin_all(self, roots: Roots, bound: int = MOST_BOUND) -> None:
        """Start with several states, the first of which comes first."""
        count = len(roots.nodes)
        while len(self.records[1].places) < count + self.spec.lists.widest:
            self._grow()
        waiting = self.records[1]
        waiting.states[:count] = roots.states[::-1]
        waiting.places[:count] = self.lists.begins[roots.nodes[::-1]]
        waiting.slacks[:count] = roots.slacks[::-1]
        given = self.spec.head[1], waiting.memo, 1, waiting.states, count
        self._calls(self.spec.module, "remember", *given)
        self._reset(pending=count, bound=bound)

    def _in_use(self) -> tuple[tuple[Any, int], ...]:
        branch, waiting = self.records
        count = int(self.info[Info.PENDING])
        return (
            *((column, self.depth + 1) for column in branch),
            *((column, count) for column in waiting[:3]),
            (waiting.memo, (count + 1) * self.spec.module.MEMORY),
        )


class Flights(Slices):
    """States that wait, in no order that means anything; see the kernel."""

    kernel = "search_in_flight"

    def _first(self) -> tuple[EndedLists, tuple[Waiting]]:
        lists = EndedLists.of(self.spec.lists)
        steps = lists.operators.astype(np.int64) | lists.following << PLACE_BITS
        widest = self.spec.lists.widest + 1
        doubtful = self._seats(1 << (2 * widest).bit_length())
        asked = np.zeros(ASKING * widest, dtype=np.int64)
        self._met = GrowableArray(np.int64, self._words_of_table)
        self.more = Flight(doubtful, self._seats(ASKING), asked, self._met.array, 1)
        return lists._replace(operators=steps), (self._seats(FIRST_CAPACITY),)

    @property
    def _words_of_table(self) -> int:
        """Those of the share of a thread in the table."""
        if not self.spec.module.REMEMBERS:
            return 0
        line = self.spec.module.LINE
        share = bytes_in_flight(self.task) // max(1, self.task.threads) // WORD_BYTES
        return int(line * max(1, share // line))

    @property
    def nearest(self) -> int:
        """The smallest estimate within the bound, since the last start."""
        return int(self.info[Info.NEAREST])

    @property
    def fixed_bytes(self) -> int:
        """What the tables of all threads take."""
        return self._words_of_table * WORD_BYTES * max(1, self.task.threads)

    def forget(self) -> None:
        """Let no state count as met before."""
        self.more = self.more._replace(spell=self.more.spell + 1)

    @property
    def stored(self) -> int:
        """How many slots of the table have been used."""
        return int(self.info[Info.STORED])

    def _seats(self, count: int) -> Waiting:
        memo = np.zeros(count * self.spec.module.MEMORY, dtype=np.int64)
        places, slacks = np.zeros((2, count), dtype=np.int64)
        return Waiting(self.spec.empty(count), places, slacks, memo)

    def begin_all(self, roots: Roots) -> None:
        """Start with several states."""
        count = len(roots.nodes)
        while len(self.states) < count:
            self._grow()
        waiting = self.records[0]
        waiting.states[:count] = roots.states
        waiting.places[:count] = self.lists.begins[roots.nodes]
        waiting.slacks[:count] = roots.slacks
        given = self.spec.head[1], waiting.memo, 0, waiting.states, count
        self._calls(self.spec.module, "remember", *given)
        stored = self.stored
        self._reset(pending=count, bound=MOST_BOUND)
        self.info[Info.STORED], self.info[Info.NEAREST] = stored, MOST_BOUND
