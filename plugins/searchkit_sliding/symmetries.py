"""Symmetries: a map of the board onto itself, and the new names it gives to the tiles.

A map of the cells that keeps the neighbours and the goal's blank cell turns the goal into a
position that differs from it by the names of the tiles only. With the tiles renamed by just
that difference, goal goes to goal and moves go to moves (J. C. Culberson and J. Schaeffer,
Pattern Databases, 1998, reflect the 15-puzzle so).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import islice
from typing import Any

from searchkit.capabilities import Symmetry
from searchkit_sliding.board import Board, automorphisms
from searchkit_sliding.notation import mapped_directions
from searchkit_sliding.packing import Packing, WordState

MOST = 1000
"""Boards with more maps than this (such as complete graphs) get the identity only."""


def tile_symmetries(
    packing: Packing, goal: WordState, *, directions: bool = False
) -> list[Symmetry[WordState, Any]]:
    """The symmetries of the puzzle with that goal, the identity first.

    They map actions that are tiles, or `directions` if those are.
    """
    tiles = packing.unpack(goal)
    board = packing.board
    blank = tiles.index(0)
    images = maps_of(board, blank, [blank])
    return [_symmetry(packing, tiles, each, directions=directions) for each in images]


def maps_of(board: Board, cell: int, targets: Iterable[int]) -> list[tuple[int, ...]]:
    """The maps of the board that take `cell` to one of `targets`; the identity if they are many."""
    maps = (each for to in targets for each in automorphisms(board.adjacency, cell, to))
    listed = list(islice(maps, MOST + 1))
    return listed if len(listed) <= MOST else [tuple(range(board.cells))]


def _symmetry(
    packing: Packing, goal: tuple[int, ...], images: tuple[int, ...], *, directions: bool
) -> Symmetry[WordState, Any]:
    renamed = [0] * len(goal)
    for cell, tile in enumerate(goal):
        renamed[tile] = goal[images[cell]]
    state_map: Callable[[Any], WordState]
    if not packing.wide:
        # What the tile on a cell adds to the image of a position.
        added = tuple(tuple(tile << 4 * image for tile in renamed) for image in images)
        state_map = partial(_map_word, added)
    else:
        state_map = partial(_map_tiles, packing, tuple(renamed), images)
    names: Any = mapped_directions(packing.board, images) if directions else renamed
    return Symmetry(_name(packing.board, images), state_map, names.__getitem__)


def _map_word(added: tuple[tuple[int, ...], ...], state: int) -> int:
    image = 0
    for row in added:
        image += row[state & 15]
        state >>= 4
    return image


def _map_tiles(
    packing: Packing, renamed: tuple[int, ...], images: tuple[int, ...], state: WordState
) -> WordState:
    tiles = [0] * len(images)
    for cell, tile in zip(images, packing.unpack(state), strict=True):
        tiles[cell] = renamed[tile]
    image: WordState = packing.pack(tiles)
    return image


def _name(board: Board, images: tuple[int, ...]) -> str:
    if images == tuple(range(board.cells)):
        return "identity"
    if board.rows is not None and board.columns is not None:
        cells = [divmod(cell, board.columns) for cell in range(board.cells)]
        for name, place in _rectangle_maps(board.rows, board.columns).items():
            if [place(*cell) for cell in cells] == [cells[image] for image in images]:
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
