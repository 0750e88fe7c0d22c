"""The sums of some vectors modulo a prime, and what tells another vector from all of them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import attrs

Vector = Mapping[Any, int]
"""Numbers by what they count; those that are left out are 0."""


@attrs.define
class Span:
    """All sums of the vectors that were added, modulo a prime.

    >>> span = Span(2)
    >>> span.add({"a": 1, "b": 1}), span.add({"b": 1, "c": 1}), span.add({"a": 1, "c": 1})
    (True, True, False)
    >>> span.weights_against({"a": 1, "c": 1}) is None
    True
    >>> span.weights_against({"c": 1}) == {"a": 1, "b": 1, "c": 1}
    True
    """

    modulus: int
    _rows: dict[Hashable, dict[Hashable, int]] = attrs.field(factory=dict)
    """By its pivot, which no other row has, and of which it has 1."""

    def copy(self) -> Span:
        """Another one of the same vectors."""
        return Span(self.modulus, {pivot: {**row} for pivot, row in self._rows.items()})

    def add(self, vector: Vector) -> bool:
        """Add a vector; whether it was none of the sums. O(rows x their length)."""
        rest = self._rest(vector)
        if not rest:
            return False
        pivot = next(iter(rest))
        inverse = pow(rest[pivot], -1, self.modulus)
        row = {name: count * inverse % self.modulus for name, count in rest.items()}
        for other in self._rows.values():
            if pivot in other:
                self._take(other, row, other[pivot])
        self._rows[pivot] = row
        return True

    def weights_against(self, vector: Vector) -> dict[Any, int] | None:
        """Weights by which each of the sums weighs 0, and the vector does not; None if it is one.

        Of several such, those of the first number that is left.
        """
        rest = self._rest(vector)
        if not rest:
            return None
        name = next(iter(rest))
        weights = {pivot: -row.get(name, 0) % self.modulus for pivot, row in self._rows.items()}
        return {each: weight for each, weight in weights.items() if weight} | {name: 1}

    def _rest(self, vector: Vector) -> dict[Hashable, int]:
        rest = {name: count % self.modulus for name, count in vector.items()}
        for name in list(rest):
            if name in self._rows:
                self._take(rest, self._rows[name], rest[name])
        return {name: count for name, count in rest.items() if count}

    def _take(self, vector: dict[Hashable, int], row: Vector, times: int) -> None:
        """Take a row away so many times."""
        for name, count in row.items():
            left = (vector.get(name, 0) - count * times) % self.modulus
            if left:
                vector[name] = left
            else:
                vector.pop(name, None)
