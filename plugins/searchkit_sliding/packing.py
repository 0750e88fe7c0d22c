"""Positions in machine words, and the kernels by which tiles are found and moved there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import attrs

from searchkit import UsageError
from searchkit.bits import WORD_BITS, lowest_one, replace_word
from searchkit.problem import derived
from searchkit_sliding.board import Board

WordState: TypeAlias = int | tuple[int, ...]
"""A packed position: one word, or, where they are wide, a tuple of words."""

ONE_WORD_CELLS = 16
"""A word holds the tiles of this many cells, 4 bits each."""


@attrs.frozen
class Packing:
    """Positions of a board as one word, or as several, which boards of more than 16 cells need.

    The tile of each cell (0 is the blank) takes `bits` bits, and every word holds `per_word` cells
    from its lowest bit on: cell `i` is at bit `shift[i]` of word `word[i]`. A single word has four
    bits a cell, so that, written in hexadecimal, a position can be read; the highest bit of one of
    several is never used. `unit[i]` is the position with a 1 on cell `i` and `field[i]` the one
    with all bits there, the rest 0: with these, kernels treat several words alike, which takes
    less time than to choose one.

    `ones` and `highs` have the lowest and the highest bit of every cell. The highest bit of the
    blank's cell is the lowest one bit of `(state - ones) & ~state & highs` in its word: subtraction
    borrows from zero only. (See D. E. Knuth, The Art of Computer Programming 4A, 7.1.3, on bytes
    that are zero.)

    >>> packing = packing_of(Board.rectangle(3, 3))
    >>> hex(packing.pack([8, 6, 7, 2, 5, 4, 3, 0, 1]))
    '0x103452768'
    >>> packing = packing_of(Board.rectangle(5, 5))
    >>> packing.bits, packing.per_word, packing.words
    (5, 12, 3)
    """

    board: Board
    wide: bool = attrs.field()
    """Whether a position is a tuple of words."""
    bits: int = derived(lambda self: max(4, (self.board.cells - 1).bit_length()))
    per_word: int = derived(
        lambda self: (WORD_BITS - 1) // self.bits if self.wide else ONE_WORD_CELLS
    )
    mask: int = derived(lambda self: (1 << self.bits) - 1)
    words: int = derived(lambda self: -(-self.board.cells // self.per_word))
    word: tuple[int, ...] = derived(
        lambda self: tuple(cell // self.per_word for cell in range(self.board.cells))
    )
    shift: tuple[int, ...] = derived(
        lambda self: tuple(cell % self.per_word * self.bits for cell in range(self.board.cells))
    )
    unit: tuple[Any, ...] = derived(
        lambda self: tuple(self.only([cell], 1) for cell in range(self.board.cells))
    )
    field: tuple[Any, ...] = derived(
        lambda self: tuple(self.only([cell], self.mask) for cell in range(self.board.cells))
    )
    ones: Any = derived(lambda self: self.pack([1] * self.board.cells))
    highs: Any = derived(lambda self: self.pack([1 << (self.bits - 1)] * self.board.cells))

    @wide.default
    def _wide(self) -> bool:
        return self.board.cells > ONE_WORD_CELLS

    @wide.validator
    def _check_wide(self, attribute: object, wide: bool) -> None:
        if not wide and self.board.cells > ONE_WORD_CELLS:
            raise UsageError(
                f"board {self.board.name!r} has {self.board.cells} cells; one word holds at most "
                f"{ONE_WORD_CELLS}, so use SlidingPuzzle.of, or WideSlidingPuzzle"
            )

    @property
    def lookups(self) -> dict[str, Any]:
        """The fields that `TileMoves` looks up; those that one word does not need are 0.

        Each table that kernels are given takes time, even if they do not use it.
        """
        tables = {
            name: getattr(self, name) if self.wide else 0 for name in ("shift", "unit", "field")
        }
        names = ("words", "bits", "per_word", "ones", "highs")
        return tables | {name: getattr(self, name) for name in names}

    def only(self, cells: Sequence[int], number: int) -> Any:
        """The position with `number` on each of `cells` and 0 on all others."""
        return self.pack([number if cell in cells else 0 for cell in range(self.board.cells)])

    def pack(self, tiles: Sequence[int]) -> Any:
        """The position with `tiles` on the cells. O(cells)."""
        words = [0] * self.words
        for tile, word, shift in zip(tiles, self.word, self.shift, strict=True):
            words[word] |= tile << shift
        return tuple(words) if self.wide else words[0]

    def unpack(self, state: Any) -> tuple[int, ...]:
        """The tile of every cell. O(cells)."""
        words = state if self.wide else (state,)
        places = zip(self.word, self.shift, strict=True)
        return tuple([words[word] >> shift & self.mask for word, shift in places])

    def are_positions(self, rows: Any) -> bool:
        """Whether all rows of words have every tile once, and nothing beside. O(rows x cells)."""
        import numpy as np  # noqa: PLC0415  (few searches read files)

        words = rows.view(np.uint64).reshape(len(rows), -1)
        used = self.pack([self.mask] * self.board.cells)
        free = np.array(used if self.wide else [used], np.uint64) ^ np.uint64((1 << WORD_BITS) - 1)
        if (words & free).any():
            return False
        for first in range(0, self.board.cells, WORD_BITS):
            wanted = (1 << min(WORD_BITS, self.board.cells - first)) - 1
            seen = np.zeros(len(rows), np.uint64)
            for word, shift in zip(self.word, self.shift, strict=True):
                tiles = words[:, word] >> np.uint64(shift) & np.uint64(self.mask)
                seen |= np.uint64(1) << tiles - np.uint64(first)  # 0 for places beyond the word
            if (seen != np.uint64(wanted)).any():
                return False
        return True

    def check(self, what: str, state: Any) -> None:
        """Raise `UsageError` if `state` is not a position of the board."""
        words = state if self.wide else (state,)
        if (
            isinstance(words, tuple)
            and len(words) == self.words
            and all(isinstance(word, int) and word >= 0 for word in words)
        ):
            tiles = self.unpack(state)
            if sorted(tiles) == list(range(len(tiles))) and self.pack(tiles) == state:
                return
        raise UsageError(
            f"{what} {state} is not a packed position of board {self.board.name!r}; "
            "make one with parse or Packing.pack"
        )


@lru_cache(maxsize=64)
def packing_of(board: Board, *, wide: bool | None = None) -> Packing:
    """The packing of `board`, made once; one word, where that is enough, unless `wide`."""
    return Packing(board) if wide is None else Packing(board, wide)


class TileMoves:
    """Over positions of one word: a tile slides to the blank (see `Packing` for the tables).

    The control state is the cell of the blank, an operator the cell that it moves to.
    """

    tables: Any

    def next_control(self, control: int, operator: int) -> int:
        """The cell that the blank moves to."""
        return operator

    def inverse(self, control: int, operator: int) -> int:
        """Back to the cell that the blank came from."""
        return control

    def control(self, state: Any) -> int:
        """Kernel: the cell of the blank."""
        return lowest_one((state - self.tables.ones) & ~state & self.tables.highs) >> 2

    def place(self, state: Any, tile: int) -> int:
        """Kernel: the cell of a tile, or of the blank, tile 0."""
        other = state ^ tile * self.tables.ones
        return lowest_one((other - self.tables.ones) & ~other & self.tables.highs) >> 2

    def tile(self, state: Any, cell: int) -> int:
        """Kernel: the tile on a cell."""
        found: int = state >> 4 * cell & 15
        return found

    def put(self, state: Any, tile: int, cell: int) -> Any:
        """Kernel: the tile put on an empty cell."""
        return state | tile << 4 * cell

    def apply(self, state: Any, control: int, operator: int) -> Any:
        """Kernel: the tile of the cell `operator` slides to the blank."""
        tile = state >> 4 * operator & 15
        return state ^ tile << 4 * operator ^ tile << 4 * control


class WideTileMoves(TileMoves):
    """The same over positions of several words."""

    def control(self, state: Any) -> int:
        """Kernel: the cell of the blank."""
        return self.place(state, 0)

    def place(self, state: Any, tile: int) -> int:
        """Kernel: the cell of a tile, or of the blank, tile 0."""
        for word in range(len(state)):
            ones = self.tables.ones[word]
            other = state[word] ^ tile * ones
            found = (other - ones) & ~other & self.tables.highs[word]
            if found != 0:
                cell: int = word * self.tables.per_word + lowest_one(found) // self.tables.bits
                return cell
        return 0

    def tile(self, state: Any, cell: int) -> int:
        """Kernel: the tile on a cell."""
        found = 0
        for word in range(len(state)):
            found |= state[word] & self.tables.field[cell][word]
        return found >> int(self.tables.shift[cell])

    def put(self, state: Any, tile: int, cell: int) -> Any:
        """Kernel: the tile put on an empty cell."""
        for word in range(len(state)):
            state = replace_word(state, word, state[word] | tile * self.tables.unit[cell][word])
        return state

    def apply(self, state: Any, control: int, operator: int) -> Any:
        """Kernel: the tile of the cell `operator` slides to the blank."""
        tile = self.tile(state, operator)
        for word in range(len(state)):
            moved = tile * (self.tables.unit[operator][word] + self.tables.unit[control][word])
            state = replace_word(state, word, state[word] ^ moved)
        return state
