"""A growing set of states for breadth-first search: an array and a hash table of indexes."""

from __future__ import annotations

import sys
from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, Any, overload

import attrs

from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.running.task import Run

if TYPE_CHECKING:
    import numpy as np

FIRST_CAPACITY = 1 << 14
GROWTH = 1.5
SLOTS_PER_STATE = 1.5
MOST_SLOTS = 1 << 32
ENTRY_BYTES = 4
ENTERED_AT_ONCE = 1 << 18
CHILDREN_AT_ONCE = 512
LISTED = 4096
"""The most states that are handed out as Python objects at once."""


@attrs.define(eq=False)
class Store:
    """States in the order of their arrival, each once.

    Takes 8 bytes per word and 6 bytes more (a table of 4-byte entries, two thirds full) for
    each state that there is room for; room grows by half. To grow, the array is extended where
    it is, and the table is made again after the old one is gone.
    """

    spec: Specialised
    task: Run
    others: list[Store] = attrs.field(factory=list)
    """Further sets of the same search."""
    count: int = 0
    capacity: int = 0
    bits: int = attrs.field(init=False, default=1)
    states: np.ndarray[Any, Any] = attrs.field(init=False)
    table: np.ndarray[Any, Any] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        import numpy as np  # noqa: PLC0415

        self.states = self.spec.empty(0)
        self.table = np.zeros(0, dtype=np.uint32)

    def begin(self, states: list[Any]) -> None:
        """Begin with `states`."""
        self._set_capacity(max(FIRST_CAPACITY, 2 * len(states), 4 * self.margin))
        rows = self.spec.states(states)
        self.count = int(self.spec.module.insert(*self.arrays, rows, len(states), 0))

    @property
    def _word_shape(self) -> tuple[int, ...]:
        words = self.spec.problem.words
        return () if words == 1 else (words,)

    @property
    def margin(self) -> int:
        """More states than one batch of expansions can add."""
        widest: int = self.spec.module.WIDEST
        return max(CHILDREN_AT_ONCE, widest) + 1

    @property
    def arrays(self) -> tuple[Any, ...]:
        """What the kernels take."""
        return self.states, self.table, self.bits

    @property
    def bytes(self) -> int:
        """The memory of the set."""
        return int(self.states.nbytes + self.table.nbytes)

    def grow(self) -> Generator[None, None, None]:
        """Make room for more states, half as many again or as many as memory allows; in slices.

        Raises `MemoryError` if there is no memory for a batch.
        """
        import numpy as np  # noqa: PLC0415

        wanted = int(self.capacity * GROWTH)
        held = sum(other.bytes for other in self.others)
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
            self.spec.module.enter(*self.arrays, begin, end)
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
        return capacity * 8 * self.spec.problem.words + _slots(capacity) * ENTRY_BYTES

    def _set_capacity(self, capacity: int) -> None:
        import numpy as np  # noqa: PLC0415

        total = sum(other.bytes for other in self.others) + self._bytes_for(capacity)
        if not sys.platform.startswith("linux"):
            total += self.states.nbytes  # extending the array may copy it
        if _slots(capacity) >= MOST_SLOTS:
            raise MemoryError
        self.task.reserve(total)
        self.states.resize((capacity, *self._word_shape), refcheck=False)
        self.table = np.zeros(_slots(capacity), dtype=np.uint32)
        self.capacity = capacity
        self.bits = (capacity + 1).bit_length()

    def find(self, states: list[Any]) -> list[int]:
        """The indexes of `states`, negative for those that are not there."""
        import numpy as np  # noqa: PLC0415

        found = np.empty(len(states), dtype=np.int64)
        if states:
            self.spec.module.locate(*self.arrays, self.spec.states(states), len(states), found)
        return [int(index) for index in found]

    def state(self, index: int) -> Any:
        """The state at an index."""
        return python_state(self.states[index])


def _slots(capacity: int) -> int:
    return int(capacity * SLOTS_PER_STATE) + 1


@attrs.frozen(eq=False)
class StoredStates(Sequence[Any]):
    """Some states of a set, made into Python objects when asked for."""

    rows: np.ndarray[Any, Any]

    @classmethod
    def of(cls, store: Store, begin: int, end: int) -> Sequence[Any]:
        """The states from `begin` to `end`: a tuple if they are few."""
        states = cls(store.states[begin:end])
        return tuple(states) if len(states) <= LISTED else states

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> Any: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Any]: ...

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [python_state(row) for row in self.rows[index]]
        return python_state(self.rows[index])
