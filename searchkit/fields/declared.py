"""What a field of a state can be: a number, an array of numbers, a set of numbers."""

from __future__ import annotations

import enum
from typing import Any

import attrs

from searchkit.errors import UsageError

MOST_BITS = 62
"""The most bits of one number."""


@attrs.frozen
class Field:
    """Numbers from `low` to below `below`, `length` of them."""

    length: int
    low: int
    below: int

    @property
    def bits(self) -> int:
        """How many bits one number takes."""
        return max(1, (self.below - self.low - 1).bit_length())

    @property
    def size(self) -> int:
        """How many bits the field takes."""
        return self.bits * self.length

    @property
    def values(self) -> int:
        """How many values one number can have."""
        return self.below - self.low


def _bounds(what: str, bounds: tuple[Any, ...], length: str = "") -> tuple[int, int]:
    """The bounds as `range` takes them, or an enumeration's; `length` is for errors to show."""
    shown = f"{what}({length}{', '.join(map(repr, bounds)):.60})"
    if len(bounds) == 1 and bounds[0] is bool:
        return 0, 2
    if len(bounds) == 1 and isinstance(bounds[0], enum.EnumMeta):
        members = [each.value for each in bounds[0]]  # type: ignore[var-annotated]
        if not members or any(type(each) is not int for each in members):
            raise UsageError(f"{what}({bounds[0].__name__}): its members must be integers")
        bounds = (min(members), max(members) + 1)
    if len(bounds) not in (1, 2) or not all(isinstance(each, int) for each in bounds):
        raise UsageError(
            f"{shown} must be given the number that all are below, as in {what}({length}8), or "
            f"two bounds, as in {what}({length}-3, 4)"
        )
    low, below = (0, *bounds) if len(bounds) == 1 else bounds
    if not low < below or (below - low - 1).bit_length() > MOST_BITS:
        raise UsageError(
            f"{shown} has no values: none are from {low} to below {below}; write "
            f"{what}({length}{min(low, below)}, {max(low, below) + 1})"
            if low >= below
            else f"{what}: a number has {MOST_BITS} bits at most; use a Set, or several numbers"
        )
    return low, below


class Int(Field):
    """One number from 0 to below `below`: `Int(below)`, or `Int(low, below)`.

    `Int(bool)` is 0 or 1, `Int(Colour)` the values of an enumeration of integers.
    """

    def __init__(self, *bounds: Any) -> None:
        super().__init__(1, *_bounds("Int", bounds))


class Array(Field):
    """Numbers by index: `Array(length, below)`, or `Array(length, low, below)`."""

    def __init__(self, length: int, *bounds: Any) -> None:
        if type(length) is not int or length < 1:
            raise UsageError(f"Array({length!r:.40}, ...) must have a length of 1 or more")
        super().__init__(length, *_bounds("Array", bounds, f"{length}, "))


class Set(Field):
    """A set of numbers from 0 to below `below`: one bit for each."""

    def __init__(self, below: int) -> None:
        if type(below) is not int or below < 1:
            raise UsageError(
                f"Set({below!r:.40}) must be given the number that all members are below"
            )
        super().__init__(below, 0, 2)
