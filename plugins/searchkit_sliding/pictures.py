"""Boards as drawings: where the cells are, and the tiles on them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from searchkit.picture import Cell, Colour, Line, Picture, Piece, Shape
from searchkit_sliding.board import Board

Point = tuple[float, float]
RIM = 0.12
"""The width of the rim of a rectangle."""


def draw(board: Board, tiles: Sequence[int], goal: Sequence[int]) -> Picture:
    """The tiles on their cells; those that stand as in the goal are set off. O(cells).

    >>> picture = draw(Board.rectangle(2, 2), [1, 0, 2, 3], [1, 2, 3, 0])
    >>> [(piece.label, piece.colour.value) for piece in picture.pieces]
    [('1', 'accent'), ('2', 'plain'), ('3', 'plain')]
    >>> picture.words
    '1 blank, 2 3'
    """
    places = places_of(board)
    on_rectangle = board.columns is not None
    pieces = [
        Piece(
            tile,
            *places[cell],
            shape=Shape.BLOCK if on_rectangle else Shape.ROUND,
            colour=Colour.ACCENT if goal[cell] == tile else Colour.PLAIN,
            label=str(tile),
        )
        for cell, tile in enumerate(tiles)
        if tile
    ]
    pieces.sort(key=lambda piece: str(piece.name).zfill(3))
    width, height = (max(place[axis] for place in places) + 0.5 + RIM for axis in (0, 1))
    return Picture(
        width,
        height,
        pieces,
        _ground(width, height)
        if on_rectangle
        else [Cell(*place, shape=Shape.ROUND) for place in places],
        () if on_rectangle else _links(board, places),
        words=_words(board, tiles),
    )


def places_of(board: Board) -> list[Point]:
    """The middle of every cell: in a grid, as in the board's template, or on a circle."""
    if board.columns is not None:
        marks = [(cell % board.columns, cell // board.columns) for cell in range(board.cells)]
        return [(column + 0.5 + RIM, row + 0.5 + RIM) for column, row in marks]
    if board.template is not None:
        return _places_in(board.template, board.cells)
    radius = max(1.0, board.cells / 4)
    turns = [2 * math.pi * cell / board.cells for cell in range(board.cells)]
    middle = radius + 0.5 + RIM
    return [(middle + radius * math.sin(turn), middle - radius * math.cos(turn)) for turn in turns]


def _places_in(template: str, cells: int) -> list[Point]:
    """Where a template has its cells, with lines so far apart that six around one are regular."""
    first_private = 0xE000  # characters that no template has
    drawn = template.format(*(chr(first_private + cell) for cell in range(cells)))
    found = {
        ord(mark) - first_private: (column, 2 / math.sqrt(3) * row)
        for row, line in enumerate(drawn.split("\n"))
        for column, mark in enumerate(line)
        if ord(mark) >= first_private
    }
    places = [found[cell] for cell in range(cells)]
    nearest = min(math.dist(a, b) for i, a in enumerate(places) for b in places[:i])
    left, top = (min(place[axis] for place in places) for axis in (0, 1))
    scale = 1.45 / nearest
    return [(scale * (x - left) + 0.5 + RIM, scale * (y - top) + 0.5 + RIM) for x, y in places]


def _ground(width: float, height: float) -> list[Cell]:
    middle = width / 2, height / 2
    return [
        Cell(*middle, width, height, colour=Colour.FRAME),
        Cell(*middle, width - RIM, height - RIM),
    ]


def _links(board: Board, places: Sequence[Point]) -> list[Line]:
    return [
        Line(*places[cell], *places[neighbour])
        for cell, neighbours in enumerate(board.adjacency)
        for neighbour in neighbours
        if neighbour > cell
    ]


def _words(board: Board, tiles: Sequence[int]) -> str:
    """The tiles row by row, or cell by cell."""
    names = [str(tile or "blank") for tile in tiles]
    columns = board.columns or board.cells
    rows = [names[first : first + columns] for first in range(0, len(names), columns)]
    return ", ".join(map(" ".join, rows))
