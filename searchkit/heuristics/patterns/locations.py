"""Kernels that number the ways to put distinguishable pieces on distinct locations.

A word holds the locations of `count` pieces, `bits` bits each, the first in the lowest bits.
The number is that of the Lehmer code (D. H. Lehmer, Teaching combinatorial tricks to a computer,
1960): the digit of a piece is how many locations before its own are free of earlier pieces.
"""

from __future__ import annotations

from searchkit.bits import count_ones, lowest_one


def rank_locations(word: int, count: int, cells: int, bits: int) -> int:
    """The number of the locations, from 0 to cells * (cells - 1) * ... - 1. O(count).

    >>> rank_locations(0x20, 2, 3, 4), rank_locations(0x12, 2, 3, 4)
    (1, 5)
    """
    mask = (1 << bits) - 1
    free = (1 << cells) - 1
    rank = 0
    for _ in range(count):
        one = 1 << (word & mask)
        word >>= bits
        rank = rank * cells + count_ones(free & (one - 1))
        cells -= 1
        free ^= one
    return rank


def unrank_locations(rank: int, count: int, cells: int, bits: int) -> int:
    """The locations with that number. O(count * cells).

    >>> hex(unrank_locations(5, 2, 3, 4))
    '0x12'
    """
    digits = 0
    for i in range(count):
        base = cells - count + 1 + i
        digits = digits << bits | rank % base
        rank //= base
    free = (1 << cells) - 1
    mask = (1 << bits) - 1
    word = 0
    for i in range(count):
        rest = free
        for _ in range(digits & mask):
            rest &= rest - 1
        digits >>= bits
        place = lowest_one(rest)
        word |= place << bits * i
        free ^= 1 << place
    return word
