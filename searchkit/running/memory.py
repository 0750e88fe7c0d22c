"""How many bytes the containers of a search take, estimated from a sample of their entries."""

from __future__ import annotations

import gc
import sys
from collections.abc import Collection, Iterable, Sequence, Set
from functools import cache
from itertools import islice
from types import FunctionType, GeneratorType, ModuleType
from typing import Any

from searchkit.heuristic import Heuristic
from searchkit.problem import Problem

SAMPLE = 64
"""How many entries of a container are measured, and parts of an entry."""
VISITS = 20_000
"""Sampling stops after this many objects."""
DEPTH = 16
"""How deep nested objects are measured."""

ALIGNED = 16
"""Python gives an object a multiple of these bytes: a state of one word takes 48, not 36."""
AHEAD = 2
"""How much more a table may grow until the next look than it did since the last."""

_NOT_STORED = (type, ModuleType, FunctionType, Problem, Heuristic)
"""What states may lead to, but not a part of them."""
_WHOLE = {int, float, str, bytes}
"""What leads to nothing."""


def estimate_bytes(containers: Iterable[Collection[Any]]) -> int:
    """The size of `containers` and of what they hold, down to the last attribute.

    The containers' own sizes are exact. Of their entries up to 64 are looked into, the oldest
    and the newest of a dict and some from all along a sequence, and their mean size is scaled
    up. What is a key of several containers counts in the first. What several states share
    counts once, in equal parts for each. O(number of containers).
    """
    total = 0.0
    measure = _Measure()
    for container in containers:
        total += sys.getsizeof(container)
        if len(container) == 0:
            continue
        if isinstance(container, dict):
            total += len(container) * measure.keys(_ends(container))
            measure.keyed.append(container)
            values = [value for _, value in _ends(container.items())]
            total += len(container) * measure.entries(values)
        elif isinstance(container, (set, frozenset, Set)):  # asking abstract classes takes long
            total += len(container) * measure.keys(list(islice(container, SAMPLE)))
            measure.keyed.append(container)
        elif isinstance(container, (list, Sequence)):
            total += len(container) * measure.entries(_all_along(container))
    return int(total)


class GrowingTables:
    """Foresees the memory that dicts and sets take while their tables grow.

    A table that is full is copied to one of twice its size, and until then both are there, which
    `estimate_bytes` can only see when it is over.
    """

    def __init__(self) -> None:
        self._lengths: dict[int, int] = {}

    def bytes_ahead(self, containers: Iterable[Collection[Any]]) -> int:
        """What the tables take more that will grow before the next call, going by the last."""
        before, self._lengths, total = self._lengths, {}, 0
        for container in containers:
            if isinstance(container, (dict, Set)):
                length = self._lengths[id(container)] = len(container)
                growth = length - before.get(id(container), 0)
                if length + AHEAD * max(0, growth) > _room(container, length):
                    total += 2 * sys.getsizeof(container)
        return total


def _room(container: Any, length: int) -> int:
    """How many entries fit into a table of CPython: 2/3 of a power of two, of sets 3/5.

    Of the tables that hold `length` entries, that is the smallest.
    """
    share, whole = (2, 3) if isinstance(container, dict) else (3, 5)
    slots = 8
    while slots * share // whole < length:
        slots *= 2
    return slots * share // whole


def _ends(entries: Any) -> list[Any]:
    """Up to `SAMPLE` of what can be reversed: the first and the last in turn."""
    if len(entries) <= SAMPLE:
        return list(entries)
    both = zip(entries, reversed(entries), strict=False)
    return [entry for pair in islice(both, SAMPLE // 2) for entry in pair]


def _all_along(entries: Sequence[Any]) -> list[Any]:
    """Up to `SAMPLE` of `entries`, at equal distances, the last one included."""
    step = max(1, -(-len(entries) // SAMPLE))
    if isinstance(entries, list):
        return entries[::-step]
    return [entries[index] for index in range(len(entries) - 1, -1, -step)]


class _Measure:
    """Mean sizes of sampled entries; what is a key of a container in `keyed` counts there."""

    def __init__(self) -> None:
        self.keyed: list[Collection[Any]] = []
        self.known: dict[int, float] = {}
        self.visits = 0

    def keys(self, sample: list[Any]) -> float:
        return self._mean(0.0 if self._is_key(key) else self._deep(key, DEPTH) for key in sample)

    def entries(self, sample: list[Any]) -> float:
        return self._mean(self._part(entry, DEPTH) for entry in sample)

    def _mean(self, sizes: Iterable[float]) -> float:
        number, total, before = 0, 0.0, self.visits
        for size in sizes:
            number += 1
            total += size
            if self.visits - before > VISITS:
                break
        return total / max(1, number)

    def _is_key(self, value: Any) -> bool:
        if value is None or isinstance(value, (bool, float)):
            return False
        try:
            for container in self.keyed:
                if value in container:
                    return True
        except Exception:  # it has no hash, or the author's states compare with states alone
            pass
        return False

    def _part(self, value: Any, depth: int) -> float:
        """The share of the container, or of one of its entries, in what it holds."""
        if value.__class__ is int and -6 < value < 257:
            return 0.0  # Python has these anyway
        size = self.known.get(id(value))
        if size is None:
            if depth >= DEPTH - 1 and self._is_key(value):
                return 0.0
            size = self._deep(value, depth)
        return size / max(1, sys.getrefcount(value) - _OWN)

    def _deep(self, value: Any, depth: int) -> float:
        """The size of `value` and of its shares in all that it leads to."""
        known = self.known.get(id(value))
        if known is not None:
            return known
        kind: Any = type(value)
        if not _is_stored(kind):
            return 0.0
        self.visits += 1
        size = float(-(-sys.getsizeof(value) // ALIGNED) * ALIGNED)
        self.known[id(value)] = size  # should it lead to itself
        if kind in _WHOLE:
            return size
        if depth and not isinstance(value, GeneratorType):
            parts = gc.get_referents(value)
            scale = max(1.0, len(parts) / SAMPLE)
            if kind.__dictoffset__:
                size += 16 + 8 * len(parts)  # the values of its attributes
            parts = _all_along(parts)  # one list holds them, as `_OWN` takes for granted
            size += scale * sum([self._part(part, depth - 1) for part in parts])
        self.known[id(value)] = size
        return size


@cache
def _is_stored(kind: type) -> bool:
    """Whether things of a kind are parts of states; asking classes takes long, so it is kept."""
    return not issubclass(kind, _NOT_STORED)


def _own_references() -> int:
    """How many references to a part there are in `_part` beside that of its one holder."""
    return min(_references(part) for part in gc.get_referents([object()]))


def _references(value: Any) -> int:
    return sys.getrefcount(value)


_OWN = _own_references()
