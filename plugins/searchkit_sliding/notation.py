"""Positions as text.

Read are, with the blank as `0`, `_` or `.`:

- one character per cell in reading order on boards of up to 16 cells, `867254301`; tiles from
  10 on are then the letters A to F;
- numbers separated by spaces or commas, `8 6 7 2 5 4 3 0 1`, on every board.

On a rectangle `/` or new lines may separate the rows, and then must separate all of them:
`867/254/301`.

Written are the characters without separators on boards of up to 10 cells, else numbers
separated by spaces.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from searchkit import ParseError
from searchkit.texts.amounts import quoted
from searchkit_sliding.board import Board

BLANKS = ("0", "_", ".")
CHARACTERS = "0123456789ABCDEF"


def write_tiles(tiles: Sequence[int]) -> str:
    """The text of a position on one line.

    >>> write_tiles([8, 6, 7, 2, 5, 4, 3, 0, 1])
    '867254301'
    """
    return ("" if len(tiles) <= 10 else " ").join(map(str, tiles))


def read_tiles(board: Board, text: str) -> tuple[int, ...]:
    """The tiles that `text` describes; `ParseError` if it describes no position of `board`.

    >>> read_tiles(Board.rectangle(2, 2), "3 1 / 2 _")
    (3, 1, 2, 0)
    """
    rows = [row.replace(",", " ").split() for row in re.split(r"[/\n]", text)]
    rows = [words for words in rows if words]
    if not rows:
        raise ParseError(f"the position is empty; write it like {_example(board)}")
    compact = _is_compact(board, rows)
    marks = [[*words[0]] for words in rows] if compact else rows
    for mark in (mark for row in marks for mark in row):
        if _tile(mark, compact) not in range(board.cells):
            raise ParseError(_no_tile(board, mark, text))
    tiles = [[_tile(mark, compact) for mark in row] for row in marks]
    flat = tuple(tile for row in tiles for tile in row)
    _check_count(board, flat, text)
    _check_rows(board, tiles, text)
    return flat


def _is_compact(board: Board, rows: list[list[str]]) -> bool:
    """Whether every character is a tile, and not every word."""
    if board.cells > len(CHARACTERS) or any(len(words) > 1 for words in rows):
        return False
    return any(len(words[0]) > 1 for words in rows)


def _tile(mark: str, compact: bool) -> int:
    """The tile that `mark` names, -1 if none."""
    if mark in BLANKS:
        return 0
    if compact:
        return CHARACTERS.find(mark.upper()) if mark.isascii() else -1
    return int(mark) if mark.isascii() and mark.isdecimal() and len(mark) <= 4 else -1


def _no_tile(board: Board, mark: str, text: str) -> str:
    if len(mark) > 4 and board.cells > len(CHARACTERS):
        return (
            f"{quoted(mark)} is one word, but board {board.name} has {board.cells} cells; "
            f"separate the tiles by spaces, like {_example(board)}"
        )
    return (
        f"{quoted(mark)} in {quoted(text)} is not a tile; tiles are 1 to {board.cells - 1}, "
        f"and 0, _ or . is the blank, like {_example(board)}"
    )


def _check_count(board: Board, tiles: tuple[int, ...], text: str) -> None:
    if len(tiles) != board.cells:
        raise ParseError(
            f"{quoted(text)} fills {len(tiles)} cells; board {board.name} has {board.cells}, "
            f"like {_example(board)}"
        )
    for tile in range(board.cells):
        if (times := tiles.count(tile)) > 1:
            missing = next(each for each in range(board.cells) if each not in tiles)
            raise ParseError(
                f"{_name(tile)} occurs {'twice' if times == 2 else f'{times} times'} in "
                f"{quoted(text)} and {_name(missing)} never; each must occur once, "
                f"like {_example(board)}"
            )


def _check_rows(board: Board, rows: list[list[int]], text: str) -> None:
    if board.columns is None or len(rows) == 1:
        return
    if len(rows) != board.rows or any(len(row) != board.columns for row in rows):
        raise ParseError(
            f"the rows of {quoted(text)} do not fit board {board.name}, which has {board.rows} "
            f"rows of {board.columns}; put / between them, or leave / out"
        )


def _name(tile: int) -> str:
    return f"tile {tile}" if tile else "the blank"


def _example(board: Board) -> str:
    example = write_tiles([*range(1, board.cells), 0])
    return quoted(example)
