"""Which tiles a pattern database is for, by names such as 6-6-3.

The parts that have a drawing here are those of R. E. Korf and A. Felner, Disjoint pattern
database heuristics, 2002 (5-5-5, 7-8 and 6-6-6-6), and a 6-6-3 that expands few states.
Beside 5-5-5-5-4, in rows, 4-5-5-5-5 has blocks: on half of the boards either is some times better.
"""

from __future__ import annotations

from collections.abc import Sequence

from searchkit.pattern_space import consecutive_groups
from searchkit_sliding.board import Board, automorphisms
from searchkit_sliding.walking_distance import suits_walking_distance

SMALLEST_LARGE = 13
"""Boards with fewer cells are solved at once by A* with their own heuristic."""

DRAWN = {
    ("4x4", "6-6-3"): ".acc aabc aabb abbb",
    ("4x4", "5-5-5"): ".aaa bbaa bbcc bccc",
    ("5x5", "4-5-5-5-5"): ".bccc bbbcc bdddd eedaa eeeaa",
    ("5x5", "6-6-6-6"): ".aabb aaabb ccabb ccddd ccddd",
}
"""By board and name: the group of the tile whose goal is each cell, the blank's goal first."""


def groups_named(board: Board, goal: Sequence[int], name: str) -> tuple[tuple[int, ...], ...]:
    """The tiles of each group.

    `name` is a list of sizes, "6-6-3", or lists the tiles, "1.2.3/4.5.6". Sizes without a drawing
    take tiles in rows from the blank's goal on, or by their distance from it.

    >>> groups_named(Board.rectangle(3, 3), (0, 1, 2, 3, 4, 5, 6, 7, 8), "4-4")
    ((1, 2, 3, 4), (5, 6, 7, 8))
    """
    blank = list(goal).index(0)
    order = _cells_from_blank(board, blank)
    drawn = DRAWN.get((board.name, name))
    if drawn is not None and order is not None:
        letters = drawn.replace(" ", "")
        return tuple(
            tuple(goal[order[place]] for place, each in enumerate(letters) if each == letter)
            for letter in sorted(set(letters) - {"."})
        )
    cells = order or sorted(range(board.cells), key=board.distances[blank].__getitem__)
    return consecutive_groups(name, [goal[cell] for cell in cells[1:]])


def best_heuristics(board: Board) -> tuple[str, ...]:
    """Texts of heuristics for the puzzle on `board`, the best first."""
    if board.columns is None or board.cells < SMALLEST_LARGE:
        return ()
    if board.name == "4x4":
        return "pdb:7-8", "pdb:6-6-3", "pdb:5-5-5", "walking-distance"
    if board.name == "5x5":
        both = "pdb:5-5-5-5-4^4-5-5-5-5"
        return "pdb:6-6-6-6", both, "pdb:5-5-5-5-4", "linear-conflict"
    return ("walking-distance" if suits_walking_distance(board) else "linear-conflict",)


def _cells_from_blank(board: Board, blank: int) -> tuple[int, ...] | None:
    """The cells in rows as seen from the blank in a corner; None if it is in no corner."""
    if board.columns is None:
        return None
    maps = list(automorphisms(board.adjacency, 0, blank))
    row = blank // board.columns
    return next((each for each in maps if each[1] // board.columns == row), next(iter(maps), None))
