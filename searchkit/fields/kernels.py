"""Kernels that rules on fields are made to call."""

from __future__ import annotations

from typing import Any, NoReturn

from searchkit.bits import count_ones, lowest_one
from searchkit.fields.plain import range_error
from searchkit.kernel_language.program import carrying


class FieldKernels:
    """What objects whose kernels are made of rules have besides."""

    author: Any = None

    def __copy__(self) -> Any:
        same = object.__new__(type(self))
        vars(same).update(vars(self))
        return carrying(same, {})

    def out_of_range(self, value: int, low: int, below: int, line: int, state: Any) -> NoReturn:
        """Raise the error for a number that a rule makes, and its line, of a state."""
        raise range_error(self, (value, low, below, line, state))

    def members_in(self, word: int) -> int:
        """Kernel: how many members a set has."""
        return count_ones(word)

    def least_member(self, word: int) -> int:
        """Kernel: the lowest bit of a word that is not 0."""
        return lowest_one(word)

    def first_field(self, word: int, ones: int, highs: int) -> int:
        """Kernel: the highest bit of the first number in a word that is 0.

        `ones` and `highs` have the lowest and the highest bits of all numbers. Subtraction borrows
        from zero only. (D. E. Knuth, The Art of Computer Programming 4A, 7.1.3.)
        """
        return lowest_one((word - ones) & ~word & highs)
