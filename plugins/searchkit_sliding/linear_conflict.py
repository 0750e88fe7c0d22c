"""The rows and columns of a rectangle, in which tiles can be in conflict."""

from __future__ import annotations

from collections.abc import Sequence

from searchkit_sliding.board import Board

Line = tuple[int, ...]


def places_in(line: Line, goal: Sequence[int]) -> dict[int, int]:
    """The place of every tile whose goal cell is in the line: 1 for its first cell, and so on."""
    return {goal[cell]: place for place, cell in enumerate(line, 1) if goal[cell]}


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
