"""Tables of what each tile on each cell adds to an estimate."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from searchkit_sliding.board import Board

Values = tuple[tuple[int, ...], ...]
"""`values[cell][tile]`; the blank, tile 0, always adds 0."""


@lru_cache(maxsize=64)
def distances_to_goal(board: Board, goal: tuple[int, ...]) -> Values:
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


@lru_cache(maxsize=64)
def changes_of_moves(board: Board, values: Values) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """What moving a tile between neighbouring cells adds, which must be -1, 0 or 1.

    One more than the change for tile `t` from cell `cell` to cell `blank` is in two bits from
    bit `2 * (t % 32)` on of `changes[blank][cell][t // 32]`.
    """
    per_word = 32

    def packed(blank: int, cell: int) -> tuple[int, ...]:
        words = [0] * -(-board.cells // per_word)
        if cell in board.adjacency[blank]:
            for tile in range(board.cells):
                change = 1 + values[blank][tile] - values[cell][tile]
                words[tile // per_word] |= change << 2 * (tile % per_word)
        return tuple(words)

    cells = range(board.cells)
    return tuple(tuple(packed(blank, cell) for cell in cells) for blank in cells)
