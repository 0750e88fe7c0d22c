"""Symmetries: a map of the board onto itself, and the new names it gives to the tiles.

A map of the cells that keeps the neighbours and the goal's blank cell turns the goal into a
position that differs from it by the names of the tiles only. With the tiles renamed by just
that difference, goal goes to goal and moves go to moves (J. C. Culberson and J. Schaeffer,
Pattern Databases, 1998, reflect the 15-puzzle so).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import islice

from searchkit import Symmetry
from searchkit_sliding.board import Board
from searchkit_sliding.graphs import automorphisms
from searchkit_sliding.packing import Packing

MOST = 1000
"""Boards with more maps than this (such as complete graphs) get the identity only."""


def tile_symmetries(packing: Packing, goal: int) -> list[Symmetry[int, int]]:
    """The symmetries of the puzzle with that goal, the identity first."""
    tiles = packing.unpack(goal)
    board = packing.board
    maps = list(islice(automorphisms(board.adjacency, tiles.index(0)), MOST + 1))
    if len(maps) > MOST:
        maps = maps[:1]
    return [_symmetry(packing, tiles, images) for images in maps]


def _symmetry(
    packing: Packing, goal: tuple[int, ...], images: tuple[int, ...]
) -> Symmetry[int, int]:
    renamed = [0] * len(goal)
    for cell, tile in enumerate(goal):
        renamed[tile] = goal[images[cell]]
    # What the tile on a cell adds to the image of a position.
    added = tuple(
        tuple(
            (images[cell] << packing.blank_shift)
            if tile == 0
            else renamed[tile] << packing.bits * images[cell]
            for tile in range(len(goal))
        )
        for cell in range(len(goal))
    )
    return Symmetry(
        _name(packing.board, images),
        partial(_map_state, packing.bits, packing.mask, added),
        renamed.__getitem__,
    )


def _map_state(bits: int, mask: int, added: tuple[tuple[int, ...], ...], state: int) -> int:
    image = 0
    for row in added:
        image += row[state & mask]
        state >>= bits
    return image


def _name(board: Board, images: tuple[int, ...]) -> str:
    if images == tuple(range(board.cells)):
        return "identity"
    if board.rows is not None and board.columns is not None:
        for name, place in _rectangle_maps(board.rows, board.columns).items():
            cells = (divmod(cell, board.columns) for cell in range(board.cells))
            if all(
                place(row, column) == divmod(images[row * board.columns + column], board.columns)
                for row, column in cells
            ):
                return name
    return f"cells {','.join(map(str, images))}"


def _rectangle_maps(rows: int, columns: int) -> dict[str, Callable[[int, int], tuple[int, int]]]:
    bottom, right = rows - 1, columns - 1
    return {
        "main diagonal": lambda row, column: (column, row),
        "other diagonal": lambda row, column: (right - column, bottom - row),
        "left-right": lambda row, column: (row, right - column),
        "up-down": lambda row, column: (bottom - row, column),
        "half turn": lambda row, column: (bottom - row, right - column),
        "quarter turn right": lambda row, column: (column, bottom - row),
        "quarter turn left": lambda row, column: (right - column, row),
    }
