"""Positions in machine words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

import attrs

from searchkit import UsageError
from searchkit.bits import WORD_BITS
from searchkit_sliding.board import Board

WordState: TypeAlias = int | tuple[int, ...]
"""A packed position: one word, or, on boards of more than 16 cells, several."""

ONE_WORD_CELLS = 16
"""A word holds the tiles of this many cells, 4 bits each."""


@attrs.frozen
class Packing:
    """Positions of a board of up to 16 cells as one word.

    The tile of cell `i` (0 is the blank) takes four bits from bit `4 * i` on, so that, written
    in hexadecimal, a position can be read. `ones` and `highs` have the lowest and the highest
    bit of every cell. The highest bit of the blank's cell is the lowest one bit of
    `(state - ones) & ~state & highs`: subtraction borrows from zero only. (See D. E. Knuth, The
    Art of Computer Programming 4A, 7.1.3, on bytes that are zero.)

    >>> packing = packing_of(Board.rectangle(3, 3))
    >>> hex(packing.pack([8, 6, 7, 2, 5, 4, 3, 0, 1]))
    '0x103452768'
    """

    board: Board
    bits: int = attrs.field(init=False, default=4)
    words: int = attrs.field(init=False, default=1)
    ones: int = attrs.field(init=False)
    highs: int = attrs.field(init=False)

    @ones.default
    def _ones(self) -> int:
        if self.board.cells > ONE_WORD_CELLS:
            raise UsageError(
                f"board {self.board.name!r} has {self.board.cells} cells; one word holds at most "
                f"{ONE_WORD_CELLS}, so use SlidingPuzzle.of, or WideSlidingPuzzle"
            )
        return sum(1 << 4 * cell for cell in range(self.board.cells))

    @highs.default
    def _highs(self) -> int:
        return self.ones << 3

    def pack(self, tiles: Sequence[int]) -> int:
        """The word of the position with `tiles` on the cells. O(cells)."""
        state = 0
        for tile in reversed(tiles):
            state = state << 4 | tile
        return state

    def unpack(self, state: WordState) -> tuple[int, ...]:
        """The tile of every cell. O(cells)."""
        assert isinstance(state, int)
        return tuple(state >> 4 * cell & 15 for cell in range(self.board.cells))

    def check(self, what: str, state: object) -> None:
        """Raise `UsageError` if `state` is not a position of the board."""
        valid = isinstance(state, int) and state >= 0
        _check(self, what, state, valid)


@attrs.frozen
class WidePacking:
    """Positions of a board of any size as several words.

    Every cell takes `bits` bits, every word holds `per_word` cells from its lowest bit on:
    cell `i` is at bit `shift[i]` of word `word[i]`. `unit[i]` is the position with a 1 there and
    `field[i]` the one with all bits there, the rest 0: with these, kernels treat all words
    alike, which takes less time than to choose one. `ones` and `highs` are as in `Packing`, a
    number for every word. The highest bit of a word is never used.

    >>> packing = packing_of(Board.rectangle(5, 5))
    >>> packing.bits, packing.per_word, packing.words
    (5, 12, 3)
    """

    board: Board
    bits: int = attrs.field(init=False)
    per_word: int = attrs.field(init=False)
    mask: int = attrs.field(init=False)
    words: int = attrs.field(init=False)
    word: tuple[int, ...] = attrs.field(init=False, repr=False)
    shift: tuple[int, ...] = attrs.field(init=False, repr=False)
    unit: tuple[tuple[int, ...], ...] = attrs.field(init=False, repr=False)
    field: tuple[tuple[int, ...], ...] = attrs.field(init=False, repr=False)
    ones: tuple[int, ...] = attrs.field(init=False, repr=False)
    highs: tuple[int, ...] = attrs.field(init=False, repr=False)

    @bits.default
    def _bits(self) -> int:
        return max(4, (self.board.cells - 1).bit_length())

    @per_word.default
    def _per_word(self) -> int:
        return (WORD_BITS - 1) // self.bits

    @mask.default
    def _mask(self) -> int:
        return (1 << self.bits) - 1

    @words.default
    def _words(self) -> int:
        return -(-self.board.cells // self.per_word)

    @word.default
    def _word(self) -> tuple[int, ...]:
        return tuple(cell // self.per_word for cell in range(self.board.cells))

    @shift.default
    def _shift(self) -> tuple[int, ...]:
        return tuple(cell % self.per_word * self.bits for cell in range(self.board.cells))

    @unit.default
    def _unit(self) -> tuple[tuple[int, ...], ...]:
        return self._alone(1)

    @field.default
    def _field(self) -> tuple[tuple[int, ...], ...]:
        return self._alone(self.mask)

    def _alone(self, tile: int) -> tuple[tuple[int, ...], ...]:
        """For every cell, the position with the number `tile` on it and 0 on all others."""
        cells = range(self.board.cells)
        return tuple(self.pack([tile if cell == other else 0 for other in cells]) for cell in cells)

    @ones.default
    def _ones(self) -> tuple[int, ...]:
        return self.pack([1] * self.board.cells)

    @highs.default
    def _highs(self) -> tuple[int, ...]:
        return self.pack([1 << (self.bits - 1)] * self.board.cells)

    def pack(self, tiles: Sequence[int]) -> tuple[int, ...]:
        """The words of the position with `tiles` on the cells. O(cells)."""
        words = [0] * self.words
        for cell, tile in enumerate(tiles):
            words[self.word[cell]] |= tile << self.shift[cell]
        return tuple(words)

    def unpack(self, state: WordState) -> tuple[int, ...]:
        """The tile of every cell. O(cells)."""
        assert isinstance(state, tuple)
        return tuple(
            state[word] >> shift & self.mask
            for word, shift in zip(self.word, self.shift, strict=True)
        )

    def check(self, what: str, state: object) -> None:
        """Raise `UsageError` if `state` is not a position of the board."""
        valid = (
            isinstance(state, tuple)
            and len(state) == self.words
            and all(isinstance(word, int) and word >= 0 for word in state)
        )
        _check(self, what, state, valid)


def _check(packing: Packing | WidePacking, what: str, state: object, valid: bool) -> None:
    if valid:
        assert isinstance(state, (int, tuple))
        tiles = packing.unpack(state)
        if sorted(tiles) == list(range(len(tiles))) and packing.pack(tiles) == state:
            return
    raise UsageError(
        f"{what} {state} is not a packed position of board {packing.board.name!r}; "
        "make one with parse or Packing.pack"
    )


@lru_cache(maxsize=64)
def packing_of(board: Board) -> Packing | WidePacking:
    """The packing of `board`, made once."""
    return Packing(board) if board.cells <= ONE_WORD_CELLS else WidePacking(board)
