"""Positions as text.

Read are, with the blank as `0`, `_` or `.`:

- one character per cell in reading order on boards of up to 16 cells, `867254301`; tiles from
  10 on are then the letters A to F;
- numbers separated by spaces or commas, `8 6 7 2 5 4 3 0 1`, on every board.

On a rectangle `/` or new lines may separate the rows, and then must separate all of them:
`867/254/301`.

Written are the characters without separators on boards of up to 10 cells, else numbers
separated by spaces.

A move is named by the tile that slides, or by the direction in which it or the blank goes. A tile
that slides up (`U`) is a blank that goes down (`D`): a text of letters can be read only by who
knows whose they are. So a puzzle has one way of naming, and all its texts are in that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from searchkit import ParseError, UsageError
from searchkit.texts.amounts import quoted
from searchkit_sliding.board import Board

MOVES = {
    "tile": "the number of the tile",
    "slide": "U, D, L or R, where the tile slides",
    "blank": "U, D, L or R, where the blank goes",
}


def check_moves(board: Board, moves: str) -> None:
    """Raise `UsageError` if moves cannot be named so on that board."""
    if moves not in MOVES:
        known = "; ".join(f"{name} ({meaning})" for name, meaning in MOVES.items())
        raise UsageError(f"moves {quoted(moves)} is not known; known: {known}")
    if moves != "tile" and board.columns is None:
        raise UsageError(
            f"moves={moves} names directions, which board {board.name!r} lacks; only a "
            "rectangle has them; use moves=tile"
        )


def direction(columns: int, start: int, end: int) -> str:
    """The direction from a cell of a rectangle to a neighbour.

    >>> [direction(3, 4, cell) for cell in (1, 7, 3, 5)]
    ['U', 'D', 'L', 'R']
    """
    if abs(end - start) == columns:
        return "D" if end > start else "U"
    return "R" if end > start else "L"


def name_of_move(moves: str, columns: int, blank: int, cell: int) -> str:
    """The direction by which the swap of the blank with the tile on a cell is named."""
    return direction(columns, *((blank, cell) if moves == "blank" else (cell, blank)))


def mapped_directions(board: Board, images: tuple[int, ...]) -> dict[str, str]:
    """What a map of a rectangle onto itself makes of directions."""
    assert board.columns is not None
    return {
        direction(board.columns, cell, other): direction(board.columns, images[cell], images[other])
        for cell, others in enumerate(board.adjacency)
        for other in others
    }


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
