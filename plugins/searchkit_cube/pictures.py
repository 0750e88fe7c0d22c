"""The unfolded cube as a drawing, in which each sticker is followed."""

from __future__ import annotations

from searchkit.picture import Cell, Colour, Picture, Piece
from searchkit_cube.corners import CORNERS, FACES, Field
from searchkit_cube.notation import STICKERS

COLOURS = {
    "U": Colour.WHITE,
    "R": Colour.RED,
    "F": Colour.GREEN,
    "D": Colour.YELLOW,
    "L": Colour.ORANGE,
    "B": Colour.BLUE,
}
NAMES = {"U": "up", "R": "right", "F": "front", "D": "down", "L": "left", "B": "back"}
FACE = 2.3
"""From face to face; a sticker is 1 wide."""
CORNERS_OF_FACES = {
    face: (FACE * column + 0.15, FACE * row + 0.15)
    for face, (column, row) in {
        "U": (1, 0), "L": (0, 1), "F": (1, 1), "R": (2, 1), "B": (3, 1), "D": (1, 2),
    }.items()
}  # fmt: skip
"""The upper left corner of each face."""


def draw(fields: list[Field]) -> Picture:
    """The stickers; each has the name of its corner and colour. O(1).

    >>> from searchkit_cube.corners import home
    >>> draw(home()).words
    'up UUUU, right RRRR, front FFFF, down DDDD, left LLLL, back BBBB'
    """
    pieces = []
    shown = dict.fromkeys(FACES, "")
    at: dict[tuple[str, int], tuple[str, str]] = {}
    for corner, (place, twist) in zip(CORNERS, fields, strict=True):
        for number, colour in enumerate(corner):
            face = CORNERS[place][(number + twist) % 3]
            at[face, STICKERS[face].index(CORNERS[place])] = corner, colour
    for face, slot in sorted(at):
        corner, colour = at[face, slot]
        left, top = CORNERS_OF_FACES[face]
        shown[face] += colour
        pieces.append(
            Piece(
                f"{corner} {colour}",
                left + slot % 2 + 0.5,
                top + slot // 2 + 0.5,
                0.92,
                0.92,
                colour=COLOURS[colour],
                label=colour,
            )
        )
    cells = [
        Cell(left + 1, top + 1, 2.14, 2.14, colour=Colour.FRAME)
        for left, top in CORNERS_OF_FACES.values()
    ]
    words = ", ".join(f"{NAMES[face]} {shown[face]}" for face in FACES)
    return Picture(4 * FACE, 3 * FACE, pieces, cells, words=words)
