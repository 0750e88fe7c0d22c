"""The symmetries of a board: the maps of the plane that keep its cells and its jumps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from searchkit_peg.board import Cell, Jump, PegBoard

Matrix = tuple[int, int, int, int]

_NAMES: dict[Matrix, str] = {
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

    Tried are the maps of the square, and every linear map that takes two of the board's jump
    directions to two: that holds all symmetries of square and of triangular boards, however they
    are drawn. A map is kept if it permutes cells and jumps.
    """
    jumps = set(board.jumps)
    tried = [(name, matrix, 1) for matrix, name in _NAMES.items()]
    tried += [
        (f"map of directions {index}", matrix, scale)
        for index, (matrix, scale) in enumerate(_direction_maps(board))
    ]
    found: set[tuple[int, ...]] = set()
    for name, matrix, scale in tried:
        permutation = _permutation(board.cells, matrix, scale)
        if permutation is None or permutation in found:
            continue
        if jumps == {map_jump(jump, permutation) for jump in jumps}:
            found.add(permutation)
            yield name, permutation


def _direction_maps(board: PegBoard) -> Iterator[tuple[Matrix, int]]:
    """Integer matrices, and by what they are to be divided."""
    steps = [step for _, step in board.directions]
    first = next(iter(steps), None)
    second = next((step for step in steps if first and _determinant(first, step)), None)
    if first is None or second is None:
        return
    scale = _determinant(first, second)
    for one, two in permutations(steps, 2):
        # The map takes `first` to `one` and `second` to `two`: [one two] [first second]^-1.
        yield (
            (
                one.row * second.column - two.row * first.column,
                two.row * first.row - one.row * second.row,
                one.column * second.column - two.column * first.column,
                two.column * first.row - one.column * second.row,
            ),
            scale,
        )


def _determinant(one: Cell, two: Cell) -> int:
    return one.row * two.column - one.column * two.row


def _permutation(cells: Sequence[Cell], matrix: Matrix, scale: int) -> tuple[int, ...] | None:
    """The cell that each cell goes to, moved so that all fall on cells; None if they do not."""
    a, b, c, d = matrix
    scaled = [(a * row + b * column, c * row + d * column) for row, column in cells]
    if any(row % scale or column % scale for row, column in scaled):
        return None
    images = [(row // scale, column // scale) for row, column in scaled]
    # Cells are in reading order, so the first image must fall on the first cell.
    first = min(images)
    down, right = cells[0].row - first[0], cells[0].column - first[1]
    number = {(row, column): index for index, (row, column) in enumerate(cells)}
    targets = [number.get((row + down, column + right)) for row, column in images]
    permutation = tuple(target for target in targets if target is not None)
    return permutation if len(set(permutation)) == len(cells) else None


def map_jump(jump: Jump, permutation: tuple[int, ...]) -> Jump:
    """The image of a jump."""
    return Jump(permutation[jump.start], permutation[jump.over], permutation[jump.land])


def map_pegs(pegs: int, permutation: tuple[int, ...]) -> int:
    """The image of a set of pegs."""
    image = 0
    for cell, target in enumerate(permutation):
        image |= (pegs >> cell & 1) << target
    return image
