"""Boards by name, and in text files.

A file has a picture of the start, the ways to jump, and perhaps a picture of the goal.

    # Lines that begin with # are comments.
    jumps: orthogonal
    start:
      ooo
    oo.oo
      ooo
    goal:
      ...
    ..o..
      ...

`o` is a peg and `.` a hole; what is blank is not a cell. `jumps` is orthogonal, diagonal, both,
triangular, or ways of one's own: `E=0,1 S=1,0`, by how many rows and columns the peg jumped over
stands away. Without a goal, one peg is to end in the first hole; `goal: any` is one peg anywhere.
"""

from __future__ import annotations

from typing import NoReturn

import attrs

from searchkit import ParseError, UsageError
from searchkit.bits import WORD_BITS
from searchkit_peg.board import Cell, PegBoard

ORTHOGONAL = {"E": (0, 1), "W": (0, -1), "N": (-1, 0), "S": (1, 0)}
DIAGONAL = {"NE": (-1, 1), "SE": (1, 1), "SW": (1, -1), "NW": (-1, -1)}
TRIANGULAR = {"E": (0, 2), "W": (0, -2)} | DIAGONAL
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
    {"N": (-2, 0), "NE": (-1, 1), "E": (0, 2), "SE": (1, 1), "S": (2, 0), "SW": (1, -1)}
    | {"W": (0, -2), "NW": (-1, -1)},
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


DRAWING = "the drawing of the board"
FIELDS = ("jumps", "start", "goal")
MARKS = "o. "


@attrs.frozen
class BoardFile:
    """A board, the start, and the goals as sets of pegs (None: not said)."""

    board: PegBoard
    start: int
    goals: tuple[int, ...] | None


def read_board(name: str, text: str) -> BoardFile:
    """The board that `text` describes.

    `ParseError` names the line that cannot be read, but shows nothing of it: the text may be of a
    file that is not a board.
    """
    fields = _fields(text)
    if "start" not in fields:
        raise ParseError(f"{DRAWING} has no line 'start:'; a picture of the start follows it")
    marks = _picture(fields["start"])
    if not marks:
        raise ParseError(
            f"{DRAWING}: the picture of the start has no cells; draw them with o and ."
        )
    if len(marks) > WORD_BITS:
        raise ParseError(
            f"{DRAWING}: the board has {len(marks)} cells; a word holds the pegs of at most "
            f"{WORD_BITS}"
        )
    directions = _directions(fields.get("jumps", [(0, "orthogonal")]))
    board = PegBoard.of(name, marks, directions)
    goals = _goals(board, fields["goal"]) if "goal" in fields else None
    return BoardFile(board, _pegs(board, marks), goals)


def _refuse(number: int | str, why: str) -> NoReturn:
    raise ParseError(f"{DRAWING}, line {number}: {why}") from None


def _fields(text: str) -> dict[str, list[tuple[int, str]]]:
    """The lines of each field with their numbers, what follows the colon first."""
    fields: dict[str, list[tuple[int, str]]] = {}
    current: list[tuple[int, str]] | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("#"):
            continue
        name, colon, rest = line.partition(":")
        if colon:
            if name not in FIELDS:
                known = ", ".join(f"{field}:" for field in FIELDS)
                _refuse(number, f"that is not a field; known: {known}")
            if name in fields:
                _refuse(number, f"{name} is there twice; give it once")
            fields[name] = current = [(number, rest.strip())]
        elif current is not None:
            current.append((number, line.rstrip()))
        elif line.strip():
            _refuse(number, "begin with 'jumps:' or 'start:'")
    return fields


def _picture(lines: list[tuple[int, str]]) -> dict[Cell, str]:
    marks = {}
    (number, rest), *drawn = lines
    if rest:
        _refuse(number, "the picture begins on the next line (a goal may be 'any')")
    for row, (number, line) in enumerate(drawn):
        for column, mark in enumerate(line):
            if mark not in MARKS:
                where = f"{number}, column {column + 1}"
                _refuse(where, "that is not a mark; draw o, . and blanks")
            if mark != " ":
                marks[Cell(row, column)] = mark
    top = min((cell.row for cell in marks), default=0)
    return {Cell(cell.row - top, cell.column): mark for cell, mark in marks.items()}


def _directions(lines: list[tuple[int, str]]) -> dict[str, tuple[int, int]]:
    number, _ = lines[0]
    words = " ".join(line for _, line in lines).split()
    if len(words) == 1 and words[0] in DIRECTIONS:
        return DIRECTIONS[words[0]]
    found: dict[str, tuple[int, int]] = {}
    for at, word in enumerate(words, start=1):
        name, _, step = word.partition("=")
        try:
            row, column = map(int, step.split(","))
        except ValueError:
            known = ", ".join(DIRECTIONS)
            why = f"word {at} is not a way to jump; write {known}, or ways like E=0,1"
            _refuse(number, why)
        taken = name in found or (row, column) in found.values()
        if not (name and (row or column)) or taken:
            _refuse(number, f"word {at} needs a name of its own and a way, like E=0,1")
        found[name] = row, column
    if not found:
        _refuse(number, "no ways to jump; write 'jumps: orthogonal'")
    return found


def _goals(board: PegBoard, lines: list[tuple[int, str]]) -> tuple[int, ...]:
    if lines[0][1] == "any":
        return tuple(1 << cell for cell in range(len(board.cells)))
    marks = _picture(lines)
    shift = min((cell.column for cell in board.cells), default=0) - min(
        (cell.column for cell in marks), default=0
    )
    moved = {Cell(cell.row, cell.column + shift): mark for cell, mark in marks.items()}
    if set(moved) != set(board.cells):
        raise ParseError(
            f"{DRAWING}: the picture of the goal has other cells than that of the start"
        )
    return (_pegs(board, moved),)


def _pegs(board: PegBoard, marks: dict[Cell, str]) -> int:
    return sum(1 << number for number, cell in enumerate(board.cells) if marks[cell] == "o")
