"""A growing set of states for breadth-first search: an array and a hash table of indexes."""

from __future__ import annotations

import random
import sys
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import accumulate, chain
from typing import Any, overload
from weakref import ref

import attrs
import numpy as np

from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.compiled.states.kernels.state_set import StateSet
from searchkit.running.task import Run

FIRST_CAPACITY = 1 << 14
GROWTH = 1.5
SLOTS_PER_STATE = 1.5
MOST_SLOTS = 1 << 32
ENTRY_BYTES = 4
ENTERED_AT_ONCE = 1 << 18
CHILDREN_AT_ONCE = 512
LISTED = 4096
"""The most states that are handed out as Python objects at once."""


def bytes_for(words: int, capacity: int) -> int:
    """The memory of a set with room for that many states of that many words."""
    return capacity * 8 * words + _slots(capacity) * ENTRY_BYTES


@attrs.define(eq=False, repr=False)
class Store:
    """States in the order of their arrival, each once.

    Takes 8 bytes per word and 6 bytes more (a table of 4-byte entries, two thirds full) for
    each state that there is room for; room grows by half. To grow, the array is extended where
    it is, and the table is made again after the old one is gone.
    """

    spec: Specialised
    task: Run
    other: Store | None = None
    """A further set of the same search."""
    count: int = 0
    capacity: int = 0
    bits: int = attrs.field(init=False, default=1)
    states: np.ndarray[Any, Any] = attrs.field(init=False)
    table: np.ndarray[Any, Any] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.states = self.spec.empty(0)
        self.table = np.zeros(0, dtype=np.uint32)
        self.task.stores.append(ref(self))

    def drawn(self, count: int, choose: random.Random) -> list[Any]:
        """All states, or `count` of them, drawn from anywhere."""
        if self.count <= count:
            return [self.state(index) for index in range(self.count)]
        return [self.state(choose.randrange(self.count)) for _ in range(count)]

    def begin(self, states: list[Any]) -> None:
        """Begin with `states`, in the room that there is if that is enough."""
        least = max(FIRST_CAPACITY, 2 * len(states), 4 * self.margin)
        if self.capacity < least:
            self._set_capacity(least)
        self.table[:] = 0
        rows = self.spec.states(states)
        self.count = int(self.spec.module.insert(self.record, rows, 0))

    def begin_with(self, rows: np.ndarray[Any, Any]) -> None:
        """Hold the states in `rows`, all different, and no more."""
        self._set_capacity(len(rows))
        self.count = int(self.spec.module.insert(self.record, rows, 0))

    def add(self, rows: np.ndarray[Any, Any]) -> None:
        """Hold those in `rows` as well that are new."""
        if self.count + len(rows) > self.capacity:
            self._set_capacity(int((self.count + len(rows)) * GROWTH))
            deque(self.enter_all(), maxlen=0)
        self.count = int(self.spec.module.insert(self.record, rows, self.count))

    @property
    def margin(self) -> int:
        """More states than one batch of expansions can add."""
        widest: int = self.spec.module.WIDEST
        return max(CHILDREN_AT_ONCE, widest) + 1

    @property
    def record(self) -> StateSet:
        """What kernels take."""
        return StateSet(self.states, self.table, self.bits)

    @property
    def bytes(self) -> int:
        """The memory of the set."""
        return int(self.states.nbytes + self.table.nbytes)

    @property
    def _held_by_other(self) -> int:
        return 0 if self.other is None else self.other.bytes

    def grow(self) -> Generator[None, None, None]:
        """Make room for more states, half as many again or as many as memory allows; in slices.

        Raises `MemoryError` if there is no memory for a batch.
        """
        wanted = int(self.capacity * GROWTH)
        held = self._held_by_other
        if held + self._bytes_for(wanted) > self.task.max_bytes:
            least = self.count + self.margin
            room = (self.task.max_bytes - held) / self._bytes_for(1 << 20) * (1 << 20)
            wanted = max(least, int(room) - 2)
        self.table = np.zeros(0, dtype=np.uint32)
        self._set_capacity(wanted)
        yield from self.enter_all()

    def enter_all(self) -> Generator[None, None, None]:
        """Fill the empty table, in slices."""
        for begin in range(0, self.count, ENTERED_AT_ONCE):
            end = min(self.count, begin + ENTERED_AT_ONCE)
            self.spec.module.enter(self.record, begin, end)
            if end < self.count:
                yield

    def forget(self, dropped: int) -> Generator[None, None, None]:
        """Drop the first states; the others get smaller indexes."""
        kept = self.count - dropped
        for begin in range(0, kept, dropped):  # pieces that do not overlap where they go
            end = min(begin + dropped, kept)
            self.states[begin:end] = self.states[begin + dropped : end + dropped]
        self.count = kept
        self.table[:] = 0
        yield from self.enter_all()

    def _bytes_for(self, capacity: int) -> int:
        return bytes_for(self.spec.problem.words, capacity)

    def _set_capacity(self, capacity: int) -> None:
        total = self._held_by_other + self._bytes_for(capacity)
        if not sys.platform.startswith("linux"):
            total += self.states.nbytes  # extending the array may copy it
        if _slots(capacity) >= MOST_SLOTS:
            raise MemoryError
        self.task.reserve(total)
        self.states.resize((capacity, *self.states.shape[1:]), refcheck=False)
        self.table = np.zeros(_slots(capacity), dtype=np.uint32)
        self.capacity = capacity
        self.bits = (capacity + 1).bit_length()

    def locate(self, rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The indexes of states, negative for those that are not there."""
        found = np.empty(len(rows), dtype=np.int64)
        self.spec.module.locate(self.record, rows, found)
        return found

    def state(self, index: int) -> Any:
        """The state at an index."""
        return python_state(self.states[index])


def _slots(capacity: int) -> int:
    return int(capacity * SLOTS_PER_STATE) + 1


class StoredStates(Sequence[Any]):
    """Rows of states in one or more arrays, made into Python objects when asked for."""

    def __init__(self, *parts: np.ndarray[Any, Any]) -> None:
        self.parts = parts
        self.state: Callable[[Any], Any] = python_state
        """What makes a state of a row."""
        self._ends = [0, *accumulate(map(len, parts))]

    def listed(self) -> Sequence[Any]:
        """A tuple of the states if they are few; else the sequence as it is."""
        return tuple(self) if len(self) <= LISTED else self

    def __len__(self) -> int:
        return self._ends[-1]

    def __iter__(self) -> Iterator[Any]:
        if self.state is not python_state:
            yield from map(self.state, chain.from_iterable(self.parts))
            return
        for part in self.parts:
            for begin in range(0, len(part), LISTED):
                words = part[begin : begin + LISTED].view(np.uint64).tolist()
                yield from words if part.ndim == 1 else map(tuple, words)

    @overload
    def __getitem__(self, index: int) -> Any: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Any]: ...

    def __getitem__(self, index: int | slice) -> Any:
        places = range(len(self))[index]
        if isinstance(places, range):
            return [self[place] for place in places]
        part = bisect_right(self._ends, places) - 1
        return self.state(self.parts[part][places - self._ends[part]])
