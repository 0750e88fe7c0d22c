"""Positions as single integers, and the tables that make a move one addition."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import attrs

from searchkit import UsageError
from searchkit_sliding.board import Board


class Move(NamedTuple):
    """The tile at bit `shift` slides to the blank: add `change[tile]` to the position."""

    shift: int
    change: tuple[int, ...]


@attrs.frozen
class Packing:
    """Positions of a board as integers.

    The tile of cell `i` (0 is the blank) takes `bits` bits from bit `i * bits` on; the cell of
    the blank stands above them, from bit `blank_shift` on, so that nothing need be sought. Up
    to 16 cells `bits` is 4: written in hexadecimal, a position can be read.

    `moves[blank]` holds a `Move` per neighbour of the blank's cell, in the order of the board.

    >>> packing = packing_of(Board.rectangle(3, 3))
    >>> hex(packing.pack([8, 6, 7, 2, 5, 4, 3, 0, 1]))
    '0x7103452768'
    """

    board: Board
    bits: int = attrs.field(init=False)
    mask: int = attrs.field(init=False)
    blank_shift: int = attrs.field(init=False)
    moves: tuple[tuple[Move, ...], ...] = attrs.field(init=False, eq=False, repr=False)

    @bits.default
    def _bits(self) -> int:
        return max(4, (self.board.cells - 1).bit_length())

    @mask.default
    def _mask(self) -> int:
        return (1 << self.bits) - 1

    @blank_shift.default
    def _blank_shift(self) -> int:
        return self.bits * self.board.cells

    @moves.default
    def _moves(self) -> tuple[tuple[Move, ...], ...]:
        def move(blank: int, cell: int) -> Move:
            away = (cell - blank) << self.blank_shift
            take, put = self.bits * cell, self.bits * blank
            tiles = range(self.board.cells)
            return Move(take, tuple(away + (tile << put) - (tile << take) for tile in tiles))

        return tuple(
            tuple(move(blank, cell) for cell in neighbours)
            for blank, neighbours in enumerate(self.board.adjacency)
        )

    def pack(self, tiles: Sequence[int]) -> int:
        """The integer of the position with `tiles` on the cells. O(cells)."""
        state = tiles.index(0)
        for tile in reversed(tiles):
            state = state << self.bits | tile
        return state

    def unpack(self, state: int) -> tuple[int, ...]:
        """The tile of every cell. O(cells)."""
        return tuple(state >> shift & self.mask for shift in range(0, self.blank_shift, self.bits))

    def check(self, what: str, state: int) -> None:
        """Raise `UsageError` if `state` is not a position of the board."""
        if state >= 0:
            tiles = self.unpack(state)
            if sorted(tiles) == list(range(self.board.cells)) and self.pack(tiles) == state:
                return
        raise UsageError(
            f"{what} {state} is no packed position of board {self.board.name!r}; "
            "make one with parse or Packing.pack"
        )


@lru_cache(maxsize=64)
def packing_of(board: Board) -> Packing:
    """The packing of `board`, made once."""
    return Packing(board)
