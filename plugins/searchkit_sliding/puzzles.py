"""The registered puzzles: the wheel, the classics, and boards by name, size or shape."""

from __future__ import annotations

import random
import re

from searchkit import ParseError, UsageError
from searchkit.scramble import scramble
from searchkit.texts.amounts import quoted
from searchkit_sliding import DEFAULT_SIZE
from searchkit_sliding.board import Board
from searchkit_sliding.packing import packing_of
from searchkit_sliding.puzzle import SlidingPuzzle

LARGEST_SIDE = 10

WHEEL = Board(
    name="wheel",
    adjacency=tuple(
        tuple(map(int, cells)) for cells in ("123", "034", "035", "012456", "136", "236", "345")
    ),
    template=r"""
       ({0})
      / │ \
   ({1})  │  ({2})
    │ \ │ / │
    │  ({3})  │
    │ / │ \ │
   ({4})  │  ({5})
      \ │ /
       ({6})
""".strip("\n"),
)
"""Six cells around a hub, which is cell 3. It has odd cycles, so all 5040 positions are in reach.

From R. M. Wilson, Graph Puzzles, Homotopy, and the Alternating Group, 1974.
"""


def rectangle_of_size(text: str) -> Board:
    """The rectangle that a text like `3x4` (rows x columns) names; `ParseError` if none.

    >>> rectangle_of_size("2x3").cells
    6
    """
    match = re.fullmatch(r"\s*([0-9]{1,4})\s*[xX×]\s*([0-9]{1,4})\s*", text)
    if match is None:
        raise ParseError(f"size {quoted(text)} is not ROWSxCOLUMNS; write it like '3x4'")
    rows, columns = int(match[1]), int(match[2])
    size = f"{rows}x{columns}"
    if min(rows, columns) < 2:
        raise ParseError(
            f"size {size!r} is too narrow: on a single line no tile can pass another; "
            "use at least '2x2'"
        )
    if max(rows, columns) > LARGEST_SIDE:
        raise ParseError(f"size {size!r} is too large; use at most '{LARGEST_SIDE}x{LARGEST_SIDE}'")
    return Board.rectangle(rows, columns)


def board_of_edges(text: str) -> Board:
    """The board whose neighbouring cells a text like `0-1 1-2 2-0` lists; `ParseError` if none.

    >>> board_of_edges("0-1 1-2 2-3 3-0").adjacency
    ((1, 3), (0, 2), (1, 3), (2, 0))
    """
    neighbours: dict[int, list[int]] = {}
    for word in text.replace(",", " ").split():
        match = re.fullmatch(r"(\d{1,3})-(\d{1,3})", word)
        if match is None:
            raise ParseError(f"edge {word!r} is not CELL-CELL; write edges like '0-1 1-2 2-0'")
        for cell, other in (map(int, match.groups()), map(int, match.groups()[::-1])):
            neighbours.setdefault(cell, []).append(other)
    missing = next((cell for cell in range(len(neighbours)) if cell not in neighbours), None)
    if missing is not None:
        raise ParseError(
            f"edges name {len(neighbours)} cells but not cell {missing}; number cells from 0 on"
        )
    return Board(
        f"{len(neighbours)} cells", tuple(tuple(neighbours[i]) for i in sorted(neighbours))
    )


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
