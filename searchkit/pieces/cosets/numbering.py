"""Numbers of what can be seen in the places of a component: its colours, or its orientations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from searchkit.errors import UnsuitableError

Array = np.ndarray[Any, Any]
MOST_NUMBERS = 1 << 16
"""Tables of what steps make of numbers are to stay in the caches."""
MOST_CODES = 1 << 22
"""A code has a digit for each place."""


@attrs.frozen(eq=False)
class Numbering:
    """The rows of digits, one for each place, that steps can make of the solved one.

    `digits[i]` is row `i`, `after[s, i]` the number of the row that step `s` makes of it, and
    `number[code]` that of the row with the code `digits @ weights`.
    """

    digits: Array
    after: Array
    weights: Array
    number: Array

    @classmethod
    def of(
        cls, start: Sequence[int], steps: Sequence[tuple[Sequence[int], Sequence[int]]], base: int
    ) -> Numbering:
        """Number what can be reached, the solved row first.

        A step is where each digit comes from, and what is added to it modulo `base`. O(numbers *
        steps * places). `UnsuitableError` if there are too many.
        """
        places = len(start)
        if base**places > MOST_CODES:
            raise UnsuitableError(
                f"{places} places with {base} colours or orientations have more than "
                f"{MOST_CODES:,} codes; there are no tables of cosets for them"
            )
        weights = base ** np.arange(places, dtype=np.int64)
        sources = np.array([source for source, _ in steps])
        turns = np.array([turn for _, turn in steps])
        number = np.full(base**places, -1, np.int64)
        rows = np.array([start], np.int64)
        number[rows @ weights] = 0
        layers, count = [rows], 1
        while len(rows):
            fresh = np.zeros(len(number), np.bool_)
            for source, turn in zip(sources, turns, strict=True):
                fresh[_codes(rows, source, turn, base)] = True
            codes = np.flatnonzero(fresh & (number < 0))
            rows = codes[:, None] // weights % base
            number[codes] = np.arange(count, count + len(rows))
            count += len(rows)
            if count > MOST_NUMBERS:
                raise UnsuitableError(
                    f"{places} places have more than {MOST_NUMBERS:,} ways to be coloured or "
                    "turned; there are no tables of cosets for them"
                )
            layers.append(rows)
        digits = np.concatenate(layers)
        after = np.stack(
            [
                number[_codes(digits, source, turn, base)]
                for source, turn in zip(sources, turns, strict=True)
            ]
        )
        return cls(digits, after, weights, number)

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return len(self.digits)


def _codes(rows: Array, source: Array, turn: Array, base: int) -> Array:
    """The codes of what a step makes of some rows."""
    weights = base ** np.arange(rows.shape[1], dtype=np.int64)
    if turn.any():
        return np.asarray((rows[:, source] + turn) % base @ weights)
    moved = np.zeros_like(weights)
    moved[source] = weights
    return np.asarray(rows @ moved)
