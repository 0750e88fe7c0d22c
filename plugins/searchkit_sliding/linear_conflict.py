"""Conflicts in the lines of a rectangle: tables that fill themselves."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from searchkit_sliding.board import Board
from searchkit_sliding.packing import Packing

FULL = 50_000
"""A line's table is emptied when it has this many entries."""

Line = tuple[int, ...]
ChangedLines = tuple[int, "LineTable", int, "LineTable"]


class LineTable(dict[int, int]):
    """What a line of cells adds to the Manhattan distance, by the packed tiles on its cells.

    `table[state & table.cells_mask]` is 2 for every tile that must leave the line. Entries are
    made when they are first asked for.
    """

    def __init__(self, packing: Packing, line: Line, goal: Sequence[int]) -> None:
        super().__init__()
        self.cells_mask = sum(packing.mask << packing.bits * cell for cell in line)
        self._mask = packing.mask
        self._shifts = [packing.bits * cell for cell in line]
        self._order = {goal[cell]: index for index, cell in enumerate(line) if goal[cell]}

    def __missing__(self, content: int) -> int:
        if len(self) >= FULL:
            self.clear()
        tiles = [content >> shift & self._mask for shift in self._shifts]
        order = [self._order[tile] for tile in tiles if tile in self._order]
        value = 2 * (len(order) - longest_increase(order))
        self[content] = value
        return value


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


def lines_changed_by_moves(
    board: Board, lines: Sequence[Line], tables: Sequence[tuple[int, LineTable]]
) -> tuple[dict[int, ChangedLines], ...]:
    """`changed[blank][cell]`: the two lines whose conflicts a move between the cells changes.

    The line that holds both cells keeps the order of its tiles, and so its conflicts.
    """

    def crossing(blank: int, cell: int) -> ChangedLines:
        (first, second) = (
            table
            for line, table in zip(lines, tables, strict=True)
            if (blank in line) != (cell in line)
        )
        return (*first, *second)

    return tuple(
        {cell: crossing(blank, cell) for cell in neighbours}
        for blank, neighbours in enumerate(board.adjacency)
    )
