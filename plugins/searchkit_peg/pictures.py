"""Boards as drawings: holes, pegs, and the lines along which pegs jump."""

from __future__ import annotations

import math
from collections.abc import Iterable

from searchkit.picture import Cell, Colour, Line, Picture, Piece, Shape
from searchkit_peg.board import PegBoard, cells_of

Point = tuple[float, float]
ROOM = 0.62
"""From the middle of a cell at the rim to the edge of the picture."""
HOLE, PEG = 0.66, 0.6
"""Diameters, where the nearest cells are 1 apart."""


def draw(board: PegBoard, pegs: int, goals: Iterable[int]) -> Picture:
    """The pegs in their holes; holes that have a peg in every goal are marked. O(cells + jumps).

    >>> from searchkit_peg.boards import triangle
    >>> draw(triangle(3), 0b100001, [1]).words
    '2 pegs of 6 cells, on 0 5'
    """
    places = places_of(board)
    wanted = board.full
    for goal in goals:
        wanted &= goal
    number = pegs.bit_count()
    on = " ".join(map(str, cells_of(pegs)))
    return Picture(
        max(x for x, _ in places) + ROOM,
        max(y for _, y in places) + ROOM,
        [
            Piece(cell, *places[cell], PEG, PEG, Shape.ROUND, Colour.ACCENT)
            for cell in cells_of(pegs)
        ],
        [
            Cell(*place, HOLE, HOLE, Shape.ROUND, marked=bool(wanted >> cell & 1))
            for cell, place in enumerate(places)
        ],
        _lines(board, places),
        words=f"{number} peg{'' if number == 1 else 's'} of {len(places)} cells, on {on}",
    )


def places_of(board: PegBoard) -> list[Point]:
    """The middle of every cell, the nearest two 1 apart.

    Where pegs jump within rows by two columns and between rows by one, but not along columns,
    the three ways are at equal angles.
    """
    steps = {tuple(step) for _, step in board.directions}
    triangular = (0, 2) in steps and (1, 1) in steps and (2, 0) not in steps
    stretch = math.sqrt(3) if triangular else 1.0
    raw = [(float(cell.column), stretch * cell.row) for cell in board.cells]
    nearest = min((math.dist(a, b) for i, a in enumerate(raw) for b in raw[:i]), default=1)
    left, top = (min(place[axis] for place in raw) for axis in (0, 1))
    return [((x - left) / nearest + ROOM, (y - top) / nearest + ROOM) for x, y in raw]


def _lines(board: PegBoard, places: list[Point]) -> list[Line]:
    """From cell to neighbour along every jump, each once."""
    pairs = {
        (min(pair), max(pair))
        for jump in board.jumps
        for pair in ((jump.start, jump.over), (jump.over, jump.land))
    }
    return [Line(*places[a], *places[b]) for a, b in sorted(pairs)]
