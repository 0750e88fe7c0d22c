"""How moves are named: by the tile that slides, or by the direction in which it or the blank goes.

A tile that slides up (`U`) is a blank that goes down (`D`): a text of letters can be read only by
who knows whose they are. So a puzzle has one way of naming, and all its texts are in that.
"""

from __future__ import annotations

from searchkit import UsageError
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
            f"moves={moves} names directions, which board {board.name!r} has not; only a "
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
