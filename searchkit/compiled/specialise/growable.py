"""Arrays that grow in place: address space is reserved at first, memory is taken as it is used.

A table that doubles by copying needs three times its size while it does so, and time to fault
in fresh memory. Where the system can reserve addresses without memory (Linux), an array that
grows is just a longer view of them; elsewhere it is copied.
"""

from __future__ import annotations

import mmap
import os
import sys
from typing import Any

import numpy as np

from searchkit.running.task import Task

_MAP_NORESERVE = 0x4000  # Linux; the mmap module names it from Python 3.13 on
RESERVED_FROM = 1 << 17
"""Arrays of no more bytes are copied, which takes less than to reserve addresses."""
HUGE_FROM = 1 << 22
"""Arrays of more bytes than this are kept in huge pages, which spares most address look-ups."""


class Account:
    """What the parts of an engine hold, reported to its task before they take more."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._held: dict[str, int] = {}

    def reserve(self, part: str, peak: int, after: int) -> None:
        """`part` will hold `after` bytes, up to `peak` until then; `MemoryError` if too many."""
        others = sum(held for name, held in self._held.items() if name != part)
        self._task.reserve(others + peak)
        self._held[part] = after


class GrowableArray:
    """An array of zeros in one dimension that can grow; `array` is the current view of it."""

    def __init__(self, dtype: Any, count: int) -> None:
        self._dtype = np.dtype(dtype)
        self._reserved: mmap.mmap | None = None
        self._is_huge = False
        self.array: np.ndarray[Any, Any] = np.zeros(0, dtype=self._dtype)
        self.grow(count)

    @property
    def bytes(self) -> int:
        """What it takes now."""
        return int(self.array.nbytes)

    def bytes_of(self, count: int) -> int:
        """What `count` items take."""
        return int(count * self._dtype.itemsize)

    def bytes_to_grow(self, count: int) -> int:
        """What it takes at most while it grows to `count` items."""
        kept = 0 if self._in_place(count) else self.bytes
        return kept + self.bytes_of(count)

    def _in_place(self, count: int) -> bool:
        return self._reserved is not None and self.bytes_of(count) <= len(self._reserved)

    def grow(self, count: int) -> None:
        """Make it `count` items long; the new ones are zero."""
        if not self._in_place(count):
            is_first = self._reserved is None and self.bytes <= RESERVED_FROM
            held, self._reserved = self.array, None
            if is_first and self.bytes_of(count) > RESERVED_FROM:
                self._reserved = _reserve()
            if not self._in_place(count):
                self._reserved = None
                self.array = np.zeros(count, dtype=self._dtype)
            else:
                self._lengthen(count)
            self.array[: len(held)] = held
            return
        self._lengthen(count)

    def _lengthen(self, count: int) -> None:
        """Take more of the addresses that are reserved."""
        assert self._reserved is not None
        if not self._is_huge and self.bytes_of(count) > HUGE_FROM:
            self._is_huge = True
            if hasattr(mmap, "MADV_HUGEPAGE"):
                self._reserved.madvise(mmap.MADV_HUGEPAGE)
        self.array = np.frombuffer(self._reserved, dtype=self._dtype, count=count)


def doubled(record: Any) -> Any:
    """A record with twice as much room in its arrays."""
    return record._make(np.concatenate([array, np.zeros_like(array)]) for array in record)


def _reserve() -> mmap.mmap | None:
    """As many addresses as the machine has memory; None if that is not possible."""
    if not sys.platform.startswith("linux"):
        return None
    size = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    try:
        return mmap.mmap(
            -1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_NORESERVE
        )  # fmt: skip
    except (OSError, ValueError):
        return None
