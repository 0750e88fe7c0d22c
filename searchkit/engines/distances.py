"""States in the order of their distance."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def nearest_first(
    roots: Iterable[T], steps: Callable[[T], Iterable[tuple[T, int]]], key: Callable[[T], Hashable]
) -> Iterator[tuple[int, T]]:
    """Each state that can be reached from `roots`, and at what cost, the nearest first.

    Dijkstra's algorithm (1959); `steps` gives neighbours and what the steps to them cost. They are
    asked for when the next state is. O(steps x log(steps)).

    >>> list(nearest_first([3], lambda n: [(n - 1, 2)] if n else [], lambda n: n))
    [(0, 3), (2, 2), (4, 1), (6, 0)]
    """
    order = itertools.count()
    waiting = [(0, next(order), root) for root in roots]
    settled: set[Hashable] = set()
    while waiting:
        distance, _, state = heapq.heappop(waiting)
        name = key(state)
        if name not in settled:
            settled.add(name)
            yield distance, state
            for after, cost in steps(state):
                heapq.heappush(waiting, (distance + cost, next(order), after))
