"""Tables of what each tile on each cell adds to an estimate."""

from __future__ import annotations

from collections.abc import Sequence

from searchkit_sliding.board import Board

Values = tuple[tuple[int, ...], ...]
"""`values[cell][tile]`; the blank, tile 0, always adds 0."""


def distances_to_goal(board: Board, goal: Sequence[int]) -> Values:
    """The number of moves that every tile would need if it were alone."""
    place = {tile: cell for cell, tile in enumerate(goal)}
    return tuple(
        tuple(distances[place[tile]] if tile else 0 for tile in range(board.cells))
        for distances in board.distances
    )


def out_of_place(board: Board, goal: Sequence[int]) -> Values:
    """1 for every tile that is not where the goal has it."""
    return tuple(
        tuple(int(tile not in (0, goal[cell])) for tile in range(board.cells))
        for cell in range(board.cells)
    )


def add_up(values: Values, bits: int, mask: int, state: int) -> int:
    """The sum over the tiles of a packed position. O(cells)."""
    total = 0
    for row in values:
        total += row[state & mask]
        state >>= bits
    return total
