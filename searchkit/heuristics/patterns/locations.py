"""Kernels that number the ways to put distinguishable pieces on distinct locations.

A word holds the locations of `count` pieces, `bits` bits each, the first in the lowest bits.
The number is that of the Lehmer code (D. H. Lehmer, Teaching combinatorial tricks to a computer,
1960): the digit of a piece is how many locations before its own are free of earlier pieces.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, NamedTuple

from searchkit.bits import count_ones, lowest_one

HALF_CELLS = 16
"""The most locations of a half: a word then lists those that are free."""
NOWHERE = 60
"""The shift of a place of such a list that is empty."""
SHIFT_BITS = 6
MOST_OF_HALF = 100_000
"""Tables of more entries than this are not made."""


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


class Halves(NamedTuple):
    """What `unrank_halves` looks up, for pieces on up to 16 locations, four bits each.

    Row `k` of `heads` has the first pieces by the number of their locations, and that of `free`
    the list of the other locations. Row `k` of `tails` has, by the number of the rest's, where
    these are in that list, as shifts. Of group k, `base[k]` is the bit at which the rest begins,
    and `block[k]` is how many numbers the rest has. `rounds` is the most pieces of a rest.
    """

    base: tuple[int, ...] = (0,)
    block: tuple[int, ...] = (0,)
    rounds: int = 0
    heads: Any = ((0,),)
    free: Any = ((0,),)
    tails: Any = ((0,),)


@lru_cache(maxsize=8)  # every search makes the space of its puzzle
def halves(counts: tuple[int, ...], cells: int) -> Halves:
    """The tables for groups of that many pieces; without `rounds` where they would be too large."""
    import numpy as np  # noqa: PLC0415  (takes long to import)

    firsts = [(count + 1) // 2 for count in counts]
    rests = [count - first for count, first in zip(counts, firsts, strict=True)]
    pairs = list(zip(firsts, rests, strict=True))
    block = tuple(math.perm(cells - first, rest) for first, rest in pairs)
    sizes = [math.perm(cells, first) for first in firsts]
    if cells > HALF_CELLS or not any(rests) or max(*sizes, *block) > MOST_OF_HALF:
        return Halves()
    heads, free = np.zeros((2, len(counts), max(sizes)), dtype=np.int64)
    tails = np.zeros((len(counts), max(block)), dtype=np.int64)
    for group, (first, rest) in enumerate(pairs):
        places, left = _unranked(first, cells)
        heads[group, : len(left)] = sum(place << 4 * i for i, place in enumerate(places))
        free[group, : len(left)] = left
        places, left = _unranked(rest, cells - first)
        places += [np.full(len(left), NOWHERE >> 2)] * (max(rests) - rest)
        shifts = (place << SHIFT_BITS * i + 2 for i, place in enumerate(places))
        tails[group, : len(left)] = sum(shifts)
    return Halves(tuple(4 * first for first in firsts), block, max(rests), heads, free, tails)


def _unranked(count: int, cells: int) -> tuple[list[Any], Any]:
    """Where each of some pieces is, by the number of their locations, and a list of the others."""
    import numpy as np  # noqa: PLC0415

    rank = np.arange(math.perm(cells, count))
    free: Any = np.full(len(rank), sum(cell << 4 * cell for cell in range(cells)), dtype=np.uint64)
    places = []
    for i in range(count):
        digit, rank = np.divmod(rank, math.perm(cells - 1 - i, count - 1 - i))
        at = (4 * digit).astype(np.uint64)
        places.append((free >> at & 15).astype(np.int64))
        free = free & (1 << at) - 1 | free >> at >> 4 << at
    return places, free.astype(np.int64)
