"""Conflicts in the lines of a rectangle: tables that fill themselves."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from searchkit_sliding.board import Board
from searchkit_sliding.packing import Packing, WidePacking, WordState

FULL = 50_000
"""A line's table is emptied when it has this many entries."""

Line = tuple[int, ...]


class LineTable(dict[WordState, int]):
    """What a line of cells adds to the Manhattan distance, by the packed tiles on its cells.

    `table[packed]` is 2 for every tile that must leave the line, where `packed` is a position
    of which all cells but those of the line are 0; for positions of one word, that is
    `state & cells_mask`. Entries are made when they are first asked for.
    """

    def __init__(self, packing: Packing | WidePacking, line: Line, goal: Sequence[int]) -> None:
        super().__init__()
        tile_mask = (1 << packing.bits) - 1
        on_line = [tile_mask if cell in line else 0 for cell in range(packing.board.cells)]
        self.cells_mask = packing.pack(on_line)
        self._packing = packing
        self._line = line
        self._order = places_in(line, goal)

    def __missing__(self, content: WordState) -> int:
        if len(self) >= FULL:
            self.clear()
        tiles = self._packing.unpack(content)
        order = [self._order[tiles[cell]] for cell in self._line if tiles[cell] in self._order]
        value = 2 * (len(order) - longest_increase(order))
        self[content] = value
        return value


def places_in(line: Line, goal: Sequence[int]) -> dict[int, int]:
    """The place of every tile whose goal cell is in the line: 1 for its first cell, and so on."""
    return {goal[cell]: place for place, cell in enumerate(line, 1) if goal[cell]}


def longest_increase(numbers: Sequence[int]) -> int:
    """The length of the longest increasing subsequence of distinct numbers. O(n log n).

    >>> longest_increase([2, 0, 3, 1])
    2
    """
    ends: list[int] = []
    for number in numbers:
        place = bisect_left(ends, number)
        ends[place : place + 1] = [number]
    return len(ends)


def lines_of(board: Board) -> list[Line]:
    """The cells of every row, then of every column; a board without columns has none."""
    if board.columns is None:
        return []
    rows = range(0, board.cells, board.columns)
    return [
        *(tuple(range(first, first + board.columns)) for first in rows),
        *(tuple(range(first, board.cells, board.columns)) for first in range(board.columns)),
    ]


def crossed_line(lines: Sequence[Line], inside: int, outside: int) -> int:
    """The number of the line with the first of two neighbouring cells, but not the second.

    The line that holds both keeps the order of its tiles, and so its conflicts, when a tile
    moves between them.
    """
    (number,) = (
        number for number, line in enumerate(lines) if inside in line and outside not in line
    )
    return number
