"""Permutations as numbers without gaps: kernels for the `rank` and `unrank` of packed problems.

The digits of a number (how many smaller items come later than each item; D. H. Lehmer, Teaching
combinatorial tricks to a computer, 1960) are those of the place in lexicographic order.
"""

from __future__ import annotations

from searchkit.bits import count_ones

IN_ORDER = 0xFEDCBA9876543210


def rank_permutation(word: int, bits: int, count: int) -> int:
    """Kernel: the place of a permutation of 0 to `count` - 1 in lexicographic order.

    Item `i` is in the `bits` bits of `word` from bit `bits * i` on, so that `bits * count` is 64
    at most. O(count); it is fastest where the two numbers are written out in the call.

    >>> rank_permutation(0x3210, 4, 4), rank_permutation(0x0123, 4, 4)
    (0, 23)
    """
    left = (1 << count) - 1
    rank = 0
    for place in range(count - 1):
        one = 1 << (word >> bits * place & ((1 << bits) - 1))
        rank = rank * (count - place) + count_ones(left & (one - 1))
        left ^= one
    return rank


def unrank_permutation(rank: int, bits: int, count: int) -> int:
    """Kernel: the permutation at a place, packed as for `rank_permutation`; of 16 items at most.

    O(count).

    >>> hex(unrank_permutation(23, 4, 4))
    '0x123'
    """
    digits = 0
    for base in range(2, count + 1):
        digits = digits << 4 | rank % base
        rank = rank // base
    left = IN_ORDER
    word = 0
    for place in range(count):
        shift = (digits >> 4 * place & 15) << 2
        below = (1 << shift) - 1
        word |= (left >> shift & 15) << bits * place
        left = left & below | left >> 4 & ~below
    return word
