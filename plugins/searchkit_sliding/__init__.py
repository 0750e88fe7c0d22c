"""Sliding-tile puzzles for searchkit: rectangles of any size, the wheel, and any other board."""

from __future__ import annotations

import random
from typing import Any

from searchkit import Parameter, Problem, UsageError, hookimpl
from searchkit.hookspecs import RegisterHeuristic, RegisterPuzzle
from searchkit.scramble import scramble
from searchkit_sliding.board import Board
from searchkit_sliding.boards import WHEEL, board_of_edges, rectangle_of_size
from searchkit_sliding.heuristics import LinearConflict, Manhattan, Misplaced
from searchkit_sliding.packing import Packing, packing_of
from searchkit_sliding.puzzle import SlidingPuzzle, WideSlidingPuzzle
from searchkit_sliding.walking_distance import WalkingDistance, suits_walking_distance

__all__ = [
    "WHEEL",
    "Board",
    "LinearConflict",
    "Manhattan",
    "Misplaced",
    "Packing",
    "SlidingPuzzle",
    "WalkingDistance",
    "WideSlidingPuzzle",
    "eight_puzzle",
    "fifteen_puzzle",
    "packing_of",
    "rectangle_of_size",
    "six_puzzle",
    "sliding",
    "twenty_four_puzzle",
]

SCRAMBLE_STEPS = 40
DEFAULT_SIZE = "3x3"


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


def eight_puzzle() -> SlidingPuzzle:
    """The 8-puzzle, from one of the two positions that need most moves, 31."""
    return SlidingPuzzle.read(Board.rectangle(3, 3), "867254301", "123456780")


def fifteen_puzzle() -> SlidingPuzzle:
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
    )


def twenty_four_puzzle() -> SlidingPuzzle:
    """The 24-puzzle, from number 40 of Korf and Felner's fifty, turned so that the blank ends last.

    It needs 82 moves (R. E. Korf and A. Felner, Disjoint pattern database heuristics, 2002).
    """
    return SlidingPuzzle.read(
        Board.rectangle(5, 5),
        "2 24 19 14 3 / 16 11 6 10 5 / 7 20 17 1 4 / 9 0 22 15 13 / 18 12 21 8 23",
        "1 2 3 4 5 / 6 7 8 9 10 / 11 12 13 14 15 / 16 17 18 19 20 / 21 22 23 24 0",
    )


def sliding(size: str = DEFAULT_SIZE, edges: str = "") -> SlidingPuzzle:
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
    solved = SlidingPuzzle.of(board, goal, goal)
    steps = SCRAMBLE_STEPS
    while True:
        try:
            return solved.with_start(scramble(solved, steps, random.Random(0)))
        except UsageError:  # the board has dead ends, where a walk that never turns back stops
            if steps == 0:
                raise
            steps //= 2


@hookimpl
def searchkit_register_puzzles(register: RegisterPuzzle) -> None:
    """Register the three classics and the rectangle of any size."""
    register("6-puzzle", six_puzzle, summary="six tiles on a wheel of seven cells")
    register("8-puzzle", eight_puzzle, summary="eight tiles on 3x3 cells")
    register("15-puzzle", fifteen_puzzle, summary="fifteen tiles on 4x4 cells")
    register("24-puzzle", twenty_four_puzzle, summary="24 tiles on 5x5 cells")
    register(
        "sliding",
        sliding,
        summary="sliding tiles on a rectangle of any size",
        parameters=[
            Parameter("size", DEFAULT_SIZE, "ROWSxCOLUMNS, from 2x2 to 10x10"),
            Parameter("edges", "", "neighbouring cells of any other board, like 0-1 1-2 2-0"),
        ],
    )


def _suits_walking_distance(problem: Problem[Any, Any]) -> bool:
    return (
        isinstance(problem, SlidingPuzzle)
        and not problem.packing.wide
        and suits_walking_distance(problem.board)
    )


@hookimpl
def searchkit_register_heuristics(register: RegisterHeuristic) -> None:
    """Register the lower bounds."""
    register(
        "manhattan",
        Manhattan,
        suits=lambda problem: isinstance(problem, SlidingPuzzle),
        summary="the sum of the distances of the tiles from their goal cells",
    )
    register(
        "linear-conflict",
        LinearConflict,
        suits=lambda problem: isinstance(problem, SlidingPuzzle) and bool(problem.board.columns),
        summary="Manhattan distance, and 2 for every tile that must make way in its line",
    )
    register(
        "misplaced",
        Misplaced,
        suits=lambda problem: isinstance(problem, SlidingPuzzle),
        summary="the number of tiles that are not on their goal cells",
    )
    register(
        "walking-distance",
        WalkingDistance,
        suits=_suits_walking_distance,
        summary="the moves that rows and columns need, each with the other forgotten",
    )
