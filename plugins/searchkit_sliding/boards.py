"""Boards by name or size."""

from __future__ import annotations

import re

from searchkit import ParseError
from searchkit.texts.amounts import quoted
from searchkit_sliding.board import Board

LARGEST_SIDE = 10

WHEEL = Board(
    name="wheel",
    adjacency=(
        (1, 2, 3),
        (0, 3, 4),
        (0, 3, 5),
        (0, 1, 2, 4, 5, 6),
        (1, 3, 6),
        (2, 3, 6),
        (3, 4, 5),
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
