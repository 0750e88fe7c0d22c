"""Peg positions as text.

Read are, for a board of 13 cells in rows of 3, 2, 3, 2 and 3:

- marks, one per cell in reading order: `ooo/oo/o.o/oo/ooo`, with `o` for a peg and `.` for a
  hole, or `1` and `0`, or `●` and `○`, never mixed. White space is skipped, so a picture is
  read back; `/` may separate the rows, and then must separate all of them;
- `vacant 6` or `vacant 6,7`: pegs everywhere but there;
- `pegs 6` or `pegs 0,1,2`: pegs only there.

Written are marks `o` and `.`, with `/`.
"""

from __future__ import annotations

from searchkit import ParseError
from searchkit.texts.amounts import quoted
from searchkit_peg.board import PegBoard, bits_of

ALPHABETS = ("o.", "10", "●○")


def write_pegs(board: PegBoard, pegs: int) -> str:
    """The marks of a position, rows separated by `/`."""
    marks = iter("o" if pegs >> cell & 1 else "." for cell in range(len(board.cells)))
    return "/".join("".join(next(marks) for _ in range(length)) for length in board.row_lengths)


def read_pegs(board: PegBoard, text: str) -> int:
    """The position that `text` describes; `ParseError` if it describes none."""
    words = text.split()
    if not words:
        raise ParseError(f"the position is empty; write {_example(board)} or 'vacant 0'")
    if words[0] in ("vacant", "pegs"):
        cells = _read_cells(board, text, words[0])
        return board.full & ~cells if words[0] == "vacant" else cells
    return _read_marks(board, text)


def _read_cells(board: PegBoard, text: str, kind: str) -> int:
    numbers: list[int] = []
    last = len(board.cells) - 1
    for word in text.split(maxsplit=1)[1:]:
        for name in word.replace(",", " ").split():
            if not (name.isascii() and name.isdecimal() and len(name) < 5 and int(name) <= last):
                raise ParseError(
                    f"{quoted(name)} in {quoted(text)} is not a cell; cells are 0 to {last}"
                )
            if int(name) in numbers:
                raise ParseError(f"cell {name} is named twice in {quoted(text)}; name it once")
            numbers.append(int(name))
    if not numbers:
        raise ParseError(f"{quoted(text)} names no cells; write them like '{kind} 0,1'")
    return bits_of(numbers)


def _read_marks(board: PegBoard, text: str) -> int:
    rows = ["".join(row.split()) for row in text.split("/")]
    marks = "".join(rows)
    for mark in marks:
        if not any(mark in alphabet for alphabet in ALPHABETS):
            raise ParseError(
                f"{mark!r} in {quoted(text)} is not a mark; write o for a peg and . for a hole, "
                f"like {_example(board)}, or cells, like 'vacant 0'"
            )
    alphabet = next((found for found in ALPHABETS if set(marks) <= set(found)), None)
    if alphabet is None:
        use = "use only o and . or only 1 and 0 or only ● and ○"
        raise ParseError(f"{quoted(text)} mixes marks; {use}")
    if len(marks) != len(board.cells):
        has = f"board {board.name} has {len(board.cells)} cells, like {_example(board)}"
        raise ParseError(f"{quoted(text)} has {len(marks)} marks; {has}")
    if len(rows) > 1 and tuple(map(len, rows)) != board.row_lengths:
        lengths = ", ".join(map(str, board.row_lengths))
        raise ParseError(
            f"the rows of {quoted(text)} do not fit board {board.name}, whose rows have "
            f"{lengths} cells, like {_example(board)}"
        )
    return bits_of(cell for cell, mark in enumerate(marks) if mark == alphabet[0])


def _example(board: PegBoard) -> str:
    return write_pegs(board, board.full & ~1)
