"""Parities that no jump changes: position classes, of which the "rule of three" is one.

A jump flips three cells. For a set of cells that every jump flips an even number of times,
the number of pegs in the set stays even or odd for ever. These sets are the solutions of a
linear system over the field of two elements. On the English board they give the sixteen
position classes (J. D. Beasley, The Ins and Outs of Peg Solitaire, 1985, chapter 4).
"""

from __future__ import annotations

from collections.abc import Iterable

from searchkit.linear_index import reduced_basis


def null_space(rows: Iterable[int], size: int) -> tuple[int, ...]:
    """A basis of the sets of `size` bits that share an even number of bits with every row.

    O(rows x size) operations.

    >>> [bin(basis) for basis in null_space([0b011, 0b110], 3)]
    ['0b111']
    """
    pivots = reduced_basis(rows)
    basis = []
    for free in range(size):
        if free not in pivots:
            vector = 1 << free
            for pivot, reduced in pivots.items():
                if reduced >> free & 1:
                    vector |= 1 << pivot
            basis.append(vector)
    return tuple(basis)


def parity(pegs: int) -> int:
    """1 if the number of pegs is odd, 0 if it is even."""
    return pegs.bit_count() & 1
