"""Cubes as text and as pictures.

A cube is written as the 24 stickers of its faces up, right, front, down, left, back, each face in
reading order and each sticker as the face where its colour belongs. Read are also turns of faces,
made on a solved cube: `R U2 F'`. A cube that is turned as a whole is the same cube.
"""

from __future__ import annotations

import re

from searchkit import ParseError
from searchkit.texts.amounts import quoted
from searchkit_cube.corners import CORNERS, FACES, Field, hold, home, turn_of

EXAMPLE = "'UUUU RRRR FFFF DDDD LLLL BBBB' or \"R U2 F'\""

STICKERS = {
    "U": ("ULB", "UBR", "UFL", "URF"),
    "R": ("URF", "UBR", "DFR", "DRB"),
    "F": ("UFL", "URF", "DLF", "DFR"),
    "D": ("DLF", "DFR", "DBL", "DRB"),
    "L": ("ULB", "UFL", "DBL", "DLF"),
    "B": ("UBR", "ULB", "DRB", "DBL"),
}
"""The corners whose stickers a face shows, in reading order."""


def stickers_of(fields: list[Field]) -> dict[str, str]:
    """The four stickers that each face shows."""
    shown = {}
    for corner, (place, twist) in zip(CORNERS, fields, strict=True):
        for number, colour in enumerate(corner):
            shown[CORNERS[place], CORNERS[place][(number + twist) % 3]] = colour
    return {face: "".join(shown[place, face] for place in STICKERS[face]) for face in FACES}


def write(fields: list[Field]) -> str:
    """The stickers on one line.

    >>> write(home())
    'UUUU RRRR FFFF DDDD LLLL BBBB'
    """
    return " ".join(stickers_of(fields).values())


def read(text: str) -> list[Field]:
    """The corners of the cube that `text` describes, turned so that the held one is at home.

    Raises `ParseError` if it describes no cube.
    """
    tokens = text.replace("’", "'").upper().split()
    letters = "".join(tokens)
    if all(letters.count(face) == 4 for face in FACES) and len(letters) == 24:
        return hold(_corners(letters, text))
    fields = home()
    for token in tokens:
        if not re.fullmatch(r"[URFDLB][2']?", token):
            raise ParseError(_not_a_cube(text, letters))
        fields = [turn_of(token)[field] for field in fields]
    if not tokens:
        raise ParseError(f"the cube is empty; write it like {EXAMPLE}")
    return hold(fields)


def _not_a_cube(text: str, letters: str) -> str:
    if len(letters) == 24 and set(letters) <= set(FACES):
        face = next(face for face in FACES if letters.count(face) != 4)
        return f"{quoted(text)} has {letters.count(face)} stickers of colour {face}; each has 4"
    return (
        f"{quoted(text)} is neither 24 stickers nor turns of the faces {', '.join(FACES)}; "
        f"write a cube like {EXAMPLE}"
    )


def _corners(letters: str, text: str) -> list[Field]:
    """The corners that 24 stickers make; `ParseError` if one is missing."""
    shown = {
        (place, face): letters[4 * number + i]
        for number, face in enumerate(FACES)
        for i, place in enumerate(STICKERS[face])
    }
    fields: dict[int, Field] = {}
    for place, corner in enumerate(CORNERS):
        colours = "".join(shown[corner, face] for face in corner)
        for twist in range(3):
            # Read from face number `twist` on, the colours are the name of the corner.
            name = colours[twist:] + colours[:twist]
            if name in CORNERS:
                fields[CORNERS.index(name)] = place, twist
                break
        else:
            raise ParseError(f"{quoted(text)} has the corner {colours} at {corner}: no cube has it")
    for number, corner in enumerate(CORNERS):
        if number not in fields:
            raise ParseError(f"{quoted(text)} has one corner twice and {corner} never")
    return [fields[number] for number in range(len(CORNERS))]


def unfold(fields: list[Field]) -> str:
    """The faces side by side, as if cut out of paper.

    >>> print(unfold(home()))
          ┌─────┐
          │ U U │
          │ U U │
    ┌─────┼─────┼─────┬─────┐
    │ L L │ F F │ R R │ B B │
    │ L L │ F F │ R R │ B B │
    └─────┼─────┼─────┴─────┘
          │ D D │
          │ D D │
          └─────┘
    """
    shown = stickers_of(fields)
    rows = {
        face: (" ".join(stickers[:2]), " ".join(stickers[2:])) for face, stickers in shown.items()
    }
    gap = " " * 6
    lines = [f"{gap}┌─────┐"]
    lines += [f"{gap}│ {row} │" for row in rows["U"]]
    lines += ["┌─────┼─────┼─────┬─────┐"]
    lines += ["│ " + " │ ".join(rows[face][i] for face in "LFRB") + " │" for i in range(2)]
    lines += ["└─────┼─────┼─────┴─────┘"]
    lines += [f"{gap}│ {row} │" for row in rows["D"]]
    return "\n".join([*lines, f"{gap}└─────┘"])


COLOURS = {"U": "⬜", "R": "🟥", "F": "🟩", "D": "🟨", "L": "🟧", "B": "🟦"}


def paint(fields: list[Field]) -> str:
    """The faces side by side, each sticker a coloured square.

    >>> print(paint(home()).split()[0])
    ⬜⬜
    """
    shown = stickers_of(fields)

    def band(faces: str, row: int) -> str:
        return "".join(
            COLOURS[colour] for face in faces for colour in shown[face][2 * row : 2 * row + 2]
        )

    gap = " " * 4  # a coloured square is as wide as two blanks
    lines = [gap + band("U", row) for row in range(2)]
    lines += [band("LFRB", row) for row in range(2)]
    return "\n".join([*lines, *(gap + band("D", row) for row in range(2))])
