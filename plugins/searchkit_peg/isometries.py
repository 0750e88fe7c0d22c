"""The symmetries of a board: the maps of the plane that keep its cells and its jumps."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from searchkit_peg.board import Jump, PegBoard

_NAMES = {
    (1, 0, 0, 1): "identity",
    (0, 1, -1, 0): "turn left",
    (-1, 0, 0, -1): "turn by half",
    (0, -1, 1, 0): "turn right",
    (1, 0, 0, -1): "mirror left-right",
    (-1, 0, 0, 1): "mirror top-bottom",
    (0, 1, 1, 0): "mirror at the falling diagonal",
    (0, -1, -1, 0): "mirror at the rising diagonal",
}
"""(a, b, c, d) maps row and column to (a row + b column, c row + d column)."""


def cell_maps(board: PegBoard) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Names and permutations: the cell that each cell goes to. The identity comes first.

    Tried are the linear maps with entries -1, 0 and 1, which hold every symmetry of square and
    (on skew axes) of triangular boards. A map is kept if it permutes cells and jumps.
    """
    jumps = set(board.jumps)
    linear = [
        (a, b, c, d) for a, b, c, d in product((-1, 0, 1), repeat=4) if abs(a * d - b * c) == 1
    ]
    for matrix in dict.fromkeys((*_NAMES, *linear)):
        a, b, c, d = matrix
        images = [(a * row + b * column, c * row + d * column) for row, column in board.cells]
        # Cells are in reading order, so the first image must fall on the first cell.
        first = min(images)
        down, right = board.cells[0].row - first[0], board.cells[0].column - first[1]
        number = {(row, column): index for index, (row, column) in enumerate(board.cells)}
        targets = [number.get((row + down, column + right)) for row, column in images]
        permutation = tuple(target for target in targets if target is not None)
        if len(permutation) == len(targets) and jumps == {
            map_jump(jump, permutation) for jump in jumps
        }:
            yield _NAMES.get(matrix, f"map of the plane {matrix}"), permutation


def map_jump(jump: Jump, permutation: tuple[int, ...]) -> Jump:
    """The image of a jump."""
    return Jump(permutation[jump.start], permutation[jump.over], permutation[jump.land])


def map_pegs(pegs: int, permutation: tuple[int, ...]) -> int:
    """The image of a set of pegs."""
    image = 0
    for cell, target in enumerate(permutation):
        image |= (pegs >> cell & 1) << target
    return image
