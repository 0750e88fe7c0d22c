"""Lists as multisets, of items that may be neither hashable nor ordered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def missing(items: Sequence[T], others: Sequence[T]) -> T | None:
    """The first of `items` that is not, or not as often, among `others`; None if all are.

    O(items + others) if they come in one order, else O(items x others).

    >>> missing([1, 2, 2], [2, 1])
    2
    """
    left = list(others)
    for item in items:
        if item not in left:
            return item
        left.remove(item)
    return None


def repeated(items: Sequence[T]) -> T | None:
    """The first of `items` that was there before; None if all differ.

    O(items) if all are hashable, else O(items²).

    >>> repeated([1, 2, 3, 2, 1])
    2
    """
    try:
        if len(set(items)) == len(items):
            return None
    except TypeError:
        pass  # compared one by one
    for place, item in enumerate(items):
        if item in items[:place]:
            return item
    return None
