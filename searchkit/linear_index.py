"""Numbers for states whose operators flip fixed bits: coordinates in a space over two elements.

Whatever the operators do, the state differs from the first one by a sum (exclusive or) of some
of their toggles. In a reduced basis of those sums, the bits at the pivots are coordinates: the
states get numbers from 0 to 2**dimension - 1, each once. Parities that no operator changes
cost no bits.

If the toggles' differences span less than the toggles do, a state tells whether an even or an odd
number of steps leads to it; the numbers are then those within its *side*, and one bit shorter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs


@attrs.frozen
class LinearIndex:
    """The numbering; make one with `LinearIndex.of`."""

    origins: tuple[int, ...]
    """The state with number 0 of each side: one, or two for even and odd numbers of steps."""
    pivots: tuple[int, ...]
    """The bits that are coordinates, ascending: bit `i` of a number is bit `pivots[i]`."""
    basis: tuple[int, ...]
    """What flips pivot `i` and no other pivot."""

    @classmethod
    def of(
        cls, roots: Sequence[int], toggles: Sequence[int], *, alternating: bool = True
    ) -> LinearIndex:
        """The numbering of all states that `toggles` lead to from `roots` (one or more).

        Unless `alternating`, there is one side: for steps that may flip several toggles.
        O(toggles x dimension) operations on integers of any width.

        >>> index = LinearIndex.of([0b0000], [0b0011, 0b0110, 0b1100])
        >>> len(index.origins), index.dimension
        (2, 2)
        """
        first, step = roots[0], toggles[0] if toggles else 0
        common = step if alternating else 0
        differences = [each ^ first for each in roots] + [each ^ common for each in toggles]
        reduced = reduced_basis(differences)
        pivots = tuple(sorted(reduced))
        index = cls((first,), pivots, tuple(reduced[pivot] for pivot in pivots))
        if index.rest(step):
            index = attrs.evolve(index, origins=(first, first ^ step))
        return index

    @property
    def dimension(self) -> int:
        """How many bits a number has."""
        return len(self.pivots)

    def coordinates(self, difference: int) -> int:
        """The coordinates of a difference of two states of one side."""
        number = 0
        for place, pivot in enumerate(self.pivots):
            number |= (difference >> pivot & 1) << place
        return number

    def rest(self, difference: int) -> int:
        """What is left of a difference when the basis is taken out; 0 if it is a sum of it."""
        for pivot, vector in zip(self.pivots, self.basis, strict=True):
            if difference >> pivot & 1:
                difference ^= vector
        return difference

    def rank(self, state: int) -> tuple[int, int] | None:
        """The side and number of a state; None if toggles cannot lead to it."""
        for side, origin in enumerate(self.origins):
            if not self.rest(state ^ origin):
                return side, self.coordinates(state ^ origin)
        return None

    def unrank(self, side: int, number: int) -> int:
        """The state with that number."""
        state = self.origins[side]
        for place, vector in enumerate(self.basis):
            if number >> place & 1:
                state ^= vector
        return state


def reduced_basis(vectors: Iterable[int]) -> dict[int, int]:
    """A basis of the sums (exclusive or) of `vectors`, by pivot: the one vector with that bit.

    Gauss-Jordan elimination: O(vectors x dimension) operations.

    >>> reduced_basis([0b011, 0b110])
    {1: 3, 2: 5}
    """
    basis: dict[int, int] = {}
    for vector in vectors:
        for pivot, other in basis.items():
            if vector >> pivot & 1:
                vector ^= other  # noqa: PLW2901
        if vector:
            pivot = vector.bit_length() - 1
            for known, other in basis.items():
                if other >> pivot & 1:
                    basis[known] = other ^ vector
            basis[pivot] = vector
    return basis


def moved_bits(word: int, bits: Sequence[int]) -> int:
    """The word with bit `i` moved to bit `bits[i]`."""
    image = 0
    for place, target in enumerate(bits):
        image |= (word >> place & 1) << target
    return image
