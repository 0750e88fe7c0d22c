"""Orderings of tiles as numbers without gaps, so that a set of positions can be a bitmap.

An ordering is eleven tiles from 0 to 10, four bits each, the first in the lowest bits. Its place in
the lexicographic order is that of `searchkit.permutations`; parity decides the last digit of that,
which is 0 or 1, so it is left out: the place is halved.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

from searchkit.permutations import IN_ORDER
from searchkit_sliding.board import Board
from searchkit_sliding.reachability import has_theorem, is_odd

MOST_RANKED_CELLS = 12


def unrank_tiles(rank: int, odd: int) -> int:
    """The ordering at a place among the odd ones, if `odd` is 1, or the even ones, if it is 0.

    >>> hex(unrank_tiles(0, 1))
    '0x9a876543210'
    """
    rest = rank & 0xFFFFFFFF
    digits = 0
    for base in range(3, 12):
        digit = rest % base
        rest = rest // base
        odd += digit
        digits = digits << 4 | digit
    digits |= (odd & 1) << 36
    left = IN_ORDER
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
    order, in front of them, and `front` is what that adds, less 1 for each tile. Bit `b` of `odd`
    tells whether the orderings are odd with the blank on cell `b`.
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
    front = [*range(added), *(added - 1 for _ in in_order)]
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
