"""What waits, by several orders in turn: one that misleads takes no more than its share."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count
from typing import Generic, TypeVar

T = TypeVar("T")


class InTurn(Generic[T]):
    """Things, each of which comes once: the first by one order, then by the next, and so on."""

    def __init__(self, orders: int) -> None:
        self._heaps: list[list[tuple[float, int, T]]] = [[] for _ in range(orders)]
        self._numbers = count(0, -1)
        self._taken: set[int] = set()
        self._turn = -1

    def add(self, thing: T, *values: float) -> None:
        """Add a thing, with its value by each order; of equal ones the last comes first."""
        number = next(self._numbers)
        for heap, value in zip(self._heaps, values, strict=True):
            heappush(heap, (value, number, thing))

    def take(self) -> T | None:
        """What comes next; None if nothing is left. O(log n)."""
        self._turn = (self._turn + 1) % len(self._heaps)
        heap = self._heaps[self._turn]
        while heap:
            _, number, thing = heappop(heap)
            if number not in self._taken:
                self._taken.add(number)
                return thing
        return None
