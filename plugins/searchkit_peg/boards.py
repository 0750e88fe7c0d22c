"""The boards: pure data. Another board is another picture and its jump directions."""

from __future__ import annotations

from searchkit import UsageError
from searchkit_peg.board import PegBoard

ORTHOGONAL = {"E": (0, 1), "W": (0, -1), "N": (-1, 0), "S": (1, 0)}
DIAGONAL = {"NE": (-1, 1), "SE": (1, 1), "SW": (1, -1), "NW": (-1, -1)}
TRIANGULAR = {
    "E": (0, 2),
    "W": (0, -2),
    "NE": (-1, 1),
    "SE": (1, 1),
    "SW": (1, -1),
    "NW": (-1, -1),
}
"""Cells of one row stand two columns apart, those of the next one between them."""

DIRECTIONS = {
    "orthogonal": ORTHOGONAL,
    "diagonal": DIAGONAL,
    "both": ORTHOGONAL | DIAGONAL,
    "triangular": TRIANGULAR,
}
"""Ways to jump, by name."""

HOPPERS = PegBoard.draw(
    "hoppers",
    """\
o o o
 o o
o o o
 o o
o o o""",
    {
        "N": (-2, 0),
        "NE": (-1, 1),
        "E": (0, 2),
        "SE": (1, 1),
        "S": (2, 0),
        "SW": (1, -1),
        "W": (0, -2),
        "NW": (-1, -1),
    },
    # The order in which the published list of solutions was found: the first jump 0 -> 6,
    # then pegs from the last cell down, each in the order of the published jump table.
    order={
        0: "E SE S",
        12: "W NW N",
        11: "NW N NE",
        10: "N NE E",
        9: "NW",
        8: "NE",
        7: "NW W SW",
        6: "NW NE SW SE",
        5: "NE E SE",
        4: "SW",
        3: "SE",
        2: "W SW S",
        1: "SW S SE",
    },
)
"""The 13 cells of Hoppers, in five rows: frogs jump straight and diagonally."""

ENGLISH = PegBoard.draw(
    "english",
    """\
  ooo
  ooo
ooooooo
ooooooo
ooooooo
  ooo
  ooo""",
    ORTHOGONAL,
)
"""33 cells."""

FRENCH = PegBoard.draw(
    "french",
    """\
  ooo
 ooooo
ooooooo
ooooooo
ooooooo
 ooooo
  ooo""",
    ORTHOGONAL,
)
"""37 cells."""

DIAMOND = PegBoard.draw(
    "diamond",
    """\
    o
   ooo
  ooooo
 ooooooo
ooooooooo
 ooooooo
  ooooo
   ooo
    o""",
    ORTHOGONAL,
)
"""41 cells."""

WIEGLEB = PegBoard.draw(
    "wiegleb",
    """\
   ooo
   ooo
   ooo
ooooooooo
ooooooooo
ooooooooo
   ooo
   ooo
   ooo""",
    ORTHOGONAL,
)
"""45 cells (J. C. Wiegleb, 1779)."""

BOARDS = {board.name: board for board in (HOPPERS, ENGLISH, FRENCH, DIAMOND, WIEGLEB)}
"""The boards of one size, by name."""


def triangle(side: int) -> PegBoard:
    """A triangle with `side` cells in its last row.

    >>> print(triangle(3).numbers())
        0
      1   2
    3   4   5
    """
    if not 2 <= side <= 10:
        raise UsageError(f"a triangle of side {side} does not fit; use 2 to 10")
    rows = [" " * (side - 1 - row) + " ".join("o" * (row + 1)) for row in range(side)]
    return PegBoard.draw(f"triangle{side}", "\n".join(rows), TRIANGULAR)
