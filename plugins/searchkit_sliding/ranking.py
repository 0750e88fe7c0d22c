"""Orderings of tiles as numbers without gaps, so that a set of positions can be a bitmap.

An ordering is eleven tiles from 0 to 10, four bits each, the first in the lowest bits. Its place in
the lexicographic order is that of `searchkit.permutations`; parity decides the last digit of that,
which is 0 or 1, so it is left out: the place is halved.

A tile that slides to the blank from a neighbouring cell passes the tiles between the two, if there
are any. That changes the digits of its number that belong to the places between, each by 1 at most,
and no others: the digits before and behind stay as they are.
"""

from __future__ import annotations

import math
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import attrs

from searchkit.permutations import IN_ORDER
from searchkit_sliding.board import Board
from searchkit_sliding.reachability import has_theorem, is_odd

if TYPE_CHECKING:
    import numpy as np

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
    near: int
    """1 if neighbours have near numbers, so that moves can be looked up."""


NOT_RANKED = Ranking(0, 0, 0, 0, 0, near=1)


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
        near=int(_is_near(board)),
    )


PLACES = MOST_RANKED_CELLS - 1
DROPPED = PLACES - 2
"""The place whose digit a number does not have, for parity decides it."""
FARTHEST = 6
"""Tables are made for neighbours of nearer numbers, as in rectangles: of 5 MB at most."""
MOST_MOVED = (1 << 24) - 1
"""The tables have fewer items: machine code need not test indices that cannot be negative."""


class MovedTables(NamedTuple):
    """For the cells that the blank moves from and to: the first times `cells`, and the second.

    The digits between are `low - high * sizes`, where `low` is the number without the digits behind
    them, and `high` without these as well: a product and a shift divide. What a move adds to the
    number is `moved[first + digits]`; on one of the last two cells there are two items for each
    number of digits, for either value of the digit that was dropped.
    """

    cells: int
    low: np.ndarray[Any, Any]
    low_bits: np.ndarray[Any, Any]
    high: np.ndarray[Any, Any]
    high_bits: np.ndarray[Any, Any]
    sizes: np.ndarray[Any, Any]
    first: np.ndarray[Any, Any]
    moved: np.ndarray[Any, Any]


def _reciprocal(divisor: int) -> tuple[int, int]:
    """By what to multiply a number below 2**25, and how far to shift it then, to divide it.

    (T. Granlund and P. L. Montgomery, Division by invariant integers using multiplication, 1994.)
    """
    bits = 37 + divisor.bit_length()
    return (1 << bits) // divisor + 1, bits


def _weight(place: int) -> int:
    """What a digit counts in the number of an ordering."""
    return math.factorial(PLACES - 1 - place) // 2


BY_0, BITS_0 = _reciprocal(_weight(0))
BY_2, BITS_2 = _reciprocal(_weight(2))
BY_4, BITS_4 = _reciprocal(_weight(4))
BY_6, BITS_6 = _reciprocal(_weight(6))


def dropped_digit(rank: int, odd: int) -> int:
    """Kernel: the digit that parity decides, of an ordering that is odd or even.

    It is the sum of all others, modulo 2. Places have bases from 11 down to 3: of a quotient by the
    weight of a place of odd base, the last bit is the sum of its digit and of the one before.
    """
    digits = rank + (rank * BY_6 >> BITS_6) + (rank * BY_4 >> BITS_4)
    return odd + digits + (rank * BY_2 >> BITS_2) + (rank * BY_0 >> BITS_0) & 1


@attrs.frozen(slots=False)  # slots and late attributes make a look for what it lacks slow
class MovedNumbers:
    """What moves add to numbers, by tables, where neighbours on a board have near numbers."""

    board: Board

    @cached_property
    def tables(self) -> MovedTables:
        """The tables, made when they are asked for."""
        return _moved_tables(self.board)

    def change(self, rank: int, control: int, operator: int, odd: int) -> int:
        """Kernel: what a move adds to the number of an ordering that is odd, or even. O(1)."""
        row = control * self.tables.cells + operator
        low = rank * self.tables.low[row] >> self.tables.low_bits[row]
        high = rank * self.tables.high[row] >> self.tables.high_bits[row]
        place = low - high * self.tables.sizes[row]
        if max(control, operator) >= self.tables.cells - 2:
            place = place * 2 + dropped_digit(rank, odd)
        return int(self.tables.moved[self.tables.first[row] + place & MOST_MOVED])


@lru_cache(maxsize=64)
def numbers_of(board: Board) -> MovedNumbers:
    """How the moves of a board change numbers; made once.

    >>> numbers_of(Board.rectangle(3, 3)).change(0, control=8, operator=5, odd=0)
    1
    """
    return MovedNumbers(board)


def _is_near(board: Board) -> bool:
    pairs = ((cell, other) for cell, others in enumerate(board.adjacency) for other in others)
    return max(abs(cell - other) for cell, other in pairs) <= FARTHEST


def _moved_tables(board: Board) -> MovedTables:
    import numpy as np  # noqa: PLC0415  (takes long to import)

    added = MOST_RANKED_CELLS - board.cells
    rows = np.zeros((6, board.cells * board.cells), dtype=np.int64)
    moved: list[np.ndarray[Any, Any]] = [np.zeros(1, dtype=np.int32)]
    made = 1
    for control, operators in enumerate(board.adjacency):
        for operator in operators:
            if abs(operator - control) == 1 or added < 0 or not _is_near(board):
                continue
            first, last = sorted((control, operator))
            places = range(added + first, added + last)
            size, weight, changes = _changes(places, forwards=operator < control)
            numbers = (*_reciprocal(weight), *_reciprocal(weight * size), size, made)
            rows[:, control * board.cells + operator] = numbers
            moved.append(changes)
            made += len(changes)
    return MovedTables._make([board.cells, *rows, np.concatenate(moved)])


def _changes(places: range, *, forwards: bool) -> tuple[int, int, np.ndarray[Any, Any]]:
    """How many values the digits at `places` have, what the last counts, and what a move adds."""
    import numpy as np  # noqa: PLC0415  (takes long to import)

    kept = [place for place in places if place < DROPPED]
    size = math.prod(PLACES - place for place in kept)
    weight = _weight(kept[-1]) if kept else 1
    times = 2 if places[-1] >= DROPPED else 1
    before = np.repeat(np.arange(size), times)
    digits, rest = {}, before
    for place in reversed(kept):
        digits[place], rest = rest % (PLACES - place), rest // (PLACES - place)
    digits[DROPPED] = np.arange(len(before)) & 1
    digits[DROPPED + 1] = np.zeros_like(before)
    after = _passed([digits[place] for place in places], forwards=forwards)
    number = np.zeros_like(before)
    for place, digit in zip(kept, after, strict=False):
        number = number * (PLACES - place) + digit
    return size, weight, ((number - before) * weight).astype(np.int32)


def _passed(digits: list[Any], *, forwards: bool) -> list[Any]:
    """The digits after the first tile has passed the others, or the last one, unless `forwards`.

    Of two neighbours the first has the larger tile if it has the larger digit.
    """
    after = []
    if forwards:
        moving = digits[0]
        for digit in digits[1:]:
            after.append(digit + (moving <= digit))
            moving = moving - (moving > digit)
        return [*after, moving]
    moving = digits[-1]
    for digit in reversed(digits[:-1]):
        after.append(digit - (digit > moving))
        moving = moving + (digit <= moving)
    return [moving, *reversed(after)]
