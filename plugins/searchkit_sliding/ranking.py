"""Orderings of tiles as numbers without gaps, so that a set of positions can be a bitmap.

Kernels. An ordering is eleven tiles from 1 to 11, four bits each, the first in the lowest
bits. Its digits (how many smaller tiles come later than each tile; D. H. Lehmer, Teaching
combinatorial tricks to a computer, 1960) are those of its place in the lexicographic order, to
the bases 11, 10, ..., 2. Parity decides the last digit, so it is left out.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

from searchkit.bits import count_ones
from searchkit_sliding.board import Board
from searchkit_sliding.reachability import has_theorem, is_odd

MOST_RANKED_CELLS = 12
ALL_TILES = 0b111111111110
TILES_IN_ORDER = 0xBA987654321


def rank_tiles(tiles: int) -> int:
    """The place among the orderings of equal parity.

    >>> rank_tiles(0xBA987654321), rank_tiles(0x123456789AB)
    (0, 19958399)
    """
    left = ALL_TILES
    rank = 0
    for place in range(9):
        one = 1 << (tiles >> 4 * place & 15)
        rank = rank * (11 - place) + count_ones(left & (one - 1))
        left ^= one
    return rank


def unrank_tiles(rank: int, odd: int) -> int:
    """The ordering at a place among the odd ones, if `odd` is 1, or the even ones, if it is 0.

    >>> hex(unrank_tiles(0, 1))
    '0xab987654321'
    """
    rest = rank & 0xFFFFFFFF
    digits = 0
    for base in range(3, 12):
        digit = rest % base
        rest = rest // base
        odd += digit
        digits = digits << 4 | digit
    digits |= (odd & 1) << 36
    left = TILES_IN_ORDER
    tiles = 0
    for place in range(11):
        shift = (digits >> 4 * place & 15) << 2
        below = (1 << shift) - 1
        tiles |= (left >> shift & 15) << 4 * place
        left = left & below | left >> 4 & ~below
    return tiles


class Ranking(NamedTuple):
    """How the positions of a board that can become the goal are numbered.

    Position `r` of the `each` positions with the blank on cell `b` has number `b * each + r`.
    The `cells - 1` tiles become the last of eleven: `room` bits are for the smallest tiles, in
    order, in front of them, and `front` is what that adds. Bit `b` of `odd` tells whether the
    orderings are odd with the blank on cell `b`.
    """

    ranks: int
    each: int
    room: int
    front: int
    odd: int


NOT_RANKED = Ranking(0, 0, 0, 0, 0)


@lru_cache(maxsize=64)
def ranking_of(board: Board, goal: tuple[int, ...]) -> Ranking:
    """The numbering, `NOT_RANKED` if the board is too large or other positions are in reach.

    It is for boards of 3 to 12 cells where exactly those of one parity are.

    >>> ranking_of(Board.rectangle(3, 3), (1, 2, 3, 4, 5, 6, 7, 8, 0)).ranks
    181440
    """
    if not 3 <= board.cells <= MOST_RANKED_CELLS or board.colours is None or not has_theorem(board):
        return NOT_RANKED
    in_order = list(range(1, board.cells))
    added = MOST_RANKED_CELLS - board.cells
    front = [*range(1, added + 1), *(added for _ in in_order)]
    each = math.factorial(board.cells - 1) // 2
    return Ranking(
        ranks=each * board.cells,
        each=each,
        room=4 * added,
        front=sum(tile << 4 * place for place, tile in enumerate(front)),
        odd=sum(
            is_odd(board, [*in_order[:blank], 0, *in_order[blank:]], goal) << blank
            for blank in range(board.cells)
        ),
    )
