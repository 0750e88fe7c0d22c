"""The registered puzzles: the wheel, the classics, and boards of any size and shape."""

from __future__ import annotations

import random

from searchkit import UsageError
from searchkit.scramble import scramble
from searchkit_sliding import DEFAULT_SIZE
from searchkit_sliding.board import Board
from searchkit_sliding.boards import WHEEL, board_of_edges, rectangle_of_size
from searchkit_sliding.packing import packing_of
from searchkit_sliding.puzzle import SlidingPuzzle

SCRAMBLE_STEPS = 40


def six_puzzle() -> SlidingPuzzle:
    r"""Six tiles on the wheel, from one of the 24 positions that need most moves, 15.

    >>> puzzle = six_puzzle()
    >>> print(puzzle.render(puzzle.goal))
           (1)
          / │ \
       (2)  │  (3)
        │ \ │ / │
        │  (4)  │
        │ / │ \ │
       (5)  │  (6)
          \ │ /
           ( )
    """
    return SlidingPuzzle.read(WHEEL, "2154306", "1234560")


def eight_puzzle(moves: str = "tile") -> SlidingPuzzle:
    """The 8-puzzle, from one of the two positions that need most moves, 31."""
    return SlidingPuzzle.read(Board.rectangle(3, 3), "867254301", "123456780", moves)


def fifteen_puzzle(moves: str = "tile") -> SlidingPuzzle:
    """The 15-puzzle, from number 79 of Korf's hundred, turned so that the blank ends last.

    It needs 42 moves (R. E. Korf, Depth-First Iterative-Deepening, 1985).

    >>> puzzle = fifteen_puzzle()
    >>> print(puzzle.render(puzzle.start))
    ┌────┬────┬────┬────┐
    │  1 │  6 │ 10 │  8 │
    ├────┼────┼────┼────┤
    │ 14 │ 12 │  4 │  2 │
    ├────┼────┼────┼────┤
    │ 13 │ 11 │  3 │  5 │
    ├────┼────┼────┼────┤
    │  9 │  7 │ 15 │    │
    └────┴────┴────┴────┘
    """
    return SlidingPuzzle.read(
        Board.rectangle(4, 4),
        "1 6 10 8 / 14 12 4 2 / 13 11 3 5 / 9 7 15 0",
        "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 0",
        moves,
    )


def twenty_four_puzzle(moves: str = "tile") -> SlidingPuzzle:
    """The 24-puzzle, from number 40 of Korf and Felner's fifty, turned so that the blank ends last.

    It needs 82 moves (R. E. Korf and A. Felner, Disjoint pattern database heuristics, 2002).
    """
    return SlidingPuzzle.read(
        Board.rectangle(5, 5),
        "2 24 19 14 3 / 16 11 6 10 5 / 7 20 17 1 4 / 9 0 22 15 13 / 18 12 21 8 23",
        "1 2 3 4 5 / 6 7 8 9 10 / 11 12 13 14 15 / 16 17 18 19 20 / 21 22 23 24 0",
        moves,
    )


def sliding(size: str = DEFAULT_SIZE, edges: str = "", moves: str = "tile") -> SlidingPuzzle:
    """The puzzle on a rectangle of that size, or on the cells that `edges` connect.

    It starts from a scrambled goal, the same for every call.

    >>> puzzle = sliding("2x4")
    >>> puzzle.format_state(puzzle.goal)
    '12345670'
    """
    if edges and size != DEFAULT_SIZE:
        raise UsageError(f"size={size} and edges exclude each other; give one of them")
    board = board_of_edges(edges) if edges else rectangle_of_size(size)
    goal = packing_of(board).pack([*range(1, board.cells), 0])
    solved = SlidingPuzzle.of(board, goal, goal, moves)
    steps = SCRAMBLE_STEPS
    while True:
        try:
            return solved.with_start(scramble(solved, steps, random.Random(0)))
        except UsageError:  # the board has dead ends, where a walk that never turns back stops
            if steps == 0:
                raise
            steps //= 2
