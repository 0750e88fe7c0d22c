"""How many bytes the containers of a search take, estimated in constant time."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable
from itertools import islice
from typing import Any

SAMPLE = 256


def estimate_bytes(containers: Iterable[Collection[Any]]) -> int:
    """The size of `containers` and of what they hold, each object counted once.

    The containers' own sizes are exact; the sizes of their entries are those of the first
    256, scaled up. O(number of containers).
    """
    seen: set[int] = set()
    total = 0.0
    for container in containers:
        total += sys.getsizeof(container)
        entries: Iterable[Any] = container.items() if isinstance(container, dict) else container
        sample = list(islice(entries, SAMPLE))
        if sample:
            inside = sum(_entry_bytes(container, entry, seen) for entry in sample)
            total += inside * len(container) / len(sample)
    return int(total)


def _entry_bytes(container: Collection[Any], entry: Any, seen: set[int]) -> int:
    if isinstance(container, dict):  # the pair itself is made on the fly by items()
        key, value = entry
        return _deep_bytes(key, seen) + _deep_bytes(value, seen)
    return _deep_bytes(entry, seen)


def _deep_bytes(value: Any, seen: set[int]) -> int:
    if value is None or id(value) in seen:
        return 0
    if type(value) is int and -5 <= value <= 256:
        return 0  # CPython keeps one object for each of these
    seen.add(id(value))
    size = sys.getsizeof(value)
    if isinstance(value, (tuple, list, set, frozenset)):
        size += sum(_deep_bytes(part, seen) for part in islice(value, SAMPLE))
    return size
