"""The boards: pure data. Another board is another picture and its jump directions."""

from __future__ import annotations

from searchkit_peg.board import PegBoard

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
