"""Sliding-tile puzzles for searchkit: rectangles of any size, the wheel, and any other board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from searchkit import Parameter, hookimpl
from searchkit.hookspecs import RegisterHeuristic, RegisterPuzzle
from searchkit.later import Later, exports, instances

if TYPE_CHECKING:
    from searchkit_sliding.board import Board
    from searchkit_sliding.heuristics import LinearConflict, Manhattan, Misplaced
    from searchkit_sliding.packing import Packing, packing_of
    from searchkit_sliding.puzzle import SlidingPuzzle, WideSlidingPuzzle
    from searchkit_sliding.puzzles import (
        WHEEL,
        eight_puzzle,
        fifteen_puzzle,
        rectangle_of_size,
        six_puzzle,
        sliding,
        twenty_four_puzzle,
    )
    from searchkit_sliding.walking_distance import WalkingDistance
else:
    __getattr__ = exports(
        __name__,
        {
            "board": "Board",
            "heuristics": "LinearConflict Manhattan Misplaced",
            "packing": "Packing packing_of",
            "puzzle": "SlidingPuzzle WideSlidingPuzzle",
            "puzzles": "WHEEL eight_puzzle fifteen_puzzle rectangle_of_size six_puzzle sliding "
            "twenty_four_puzzle",
            "walking_distance": "WalkingDistance",
        },
    )

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

DEFAULT_SIZE = "3x3"


@hookimpl
def searchkit_register_puzzles(register: RegisterPuzzle) -> None:
    """Register the three classics and the rectangle of any size."""

    def puzzle(name: str) -> Later:
        return Later(f"searchkit_sliding.puzzles:{name}")

    register("6-puzzle", puzzle("six_puzzle"), summary="six tiles on a wheel of seven cells")
    names = "tile (its number), slide (U D L R, the tile's way), blank (the blank's way)"
    moves = Parameter("moves", "tile", f"how moves are named: {names}")
    for name, maker, summary in (
        ("8-puzzle", "eight_puzzle", "eight tiles on 3x3 cells"),
        ("15-puzzle", "fifteen_puzzle", "fifteen tiles on 4x4 cells"),
        ("24-puzzle", "twenty_four_puzzle", "24 tiles on 5x5 cells"),
    ):
        register(name, puzzle(maker), summary=summary, parameters=[moves])
    register(
        "sliding",
        puzzle("sliding"),
        summary="sliding tiles on a rectangle of any size",
        parameters=[
            Parameter("size", DEFAULT_SIZE, "ROWSxCOLUMNS, from 2x2 to 10x10"),
            Parameter("edges", "", "neighbouring cells of any other board, like 0-1 1-2 2-0"),
            moves,
        ],
    )


_is_sliding = instances("searchkit_sliding.puzzle:SlidingPuzzle")


def _has_columns(problem: Any) -> bool:
    return _is_sliding(problem) and bool(problem.board.columns)


def _suits_walking_distance(problem: Any) -> bool:
    suits = Later("searchkit_sliding.walking_distance:suits_walking_distance")
    return _is_sliding(problem) and not problem.packing.wide and suits(problem.board)


@hookimpl
def searchkit_register_heuristics(register: RegisterHeuristic) -> None:
    """Register the lower bounds."""
    manhattan = "the sum of the distances of the tiles from their goal cells"
    conflict = "Manhattan distance, and 2 for every tile that must make way in its line"
    misplaced = "the number of tiles that are not on their goal cells"
    walking = "the moves that rows and columns need, each with the other forgotten"
    for name, place, suits, summary in (
        ("manhattan", "heuristics:Manhattan", _is_sliding, manhattan),
        ("linear-conflict", "heuristics:LinearConflict", _has_columns, conflict),
        ("misplaced", "heuristics:Misplaced", _is_sliding, misplaced),
        ("walking-distance", "walking_distance:WalkingDistance", _suits_walking_distance, walking),
    ):
        register(name, Later(f"searchkit_sliding.{place}"), suits=suits, summary=summary)
