"""The registered puzzles: Hoppers, and peg solitaire on any board."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from searchkit import Problem, UsageError
from searchkit.texts.amounts import quoted
from searchkit.transforms import ChainMoves, MoverState
from searchkit_peg.board import PegBoard
from searchkit_peg.boards import BOARDS, HOPPERS, read_board, triangle
from searchkit_peg.notation import read_pegs
from searchkit_peg.solitaire import PegSolitaire

VACANT = {"hoppers": 6, "english": 16, "french": 0, "diamond": 0, "wiegleb": 22}
"""The usual vacancy of each board."""
TRIANGLE = re.compile(r"triangle(\d{1,2})")
CELLS = re.compile(r"\d+([ ,]+\d+)*")

MODELS: dict[str, Callable[[PegSolitaire], Problem[Any, Any]]] = {
    "chain": ChainMoves,
    "jumps": lambda problem: problem,
    "mover": MoverState,
}
"""What a step is: a move of one peg over any number of jumps, a jump, or a jump that is free
if it goes on with the peg that moved last."""


def hoppers(model: str = "chain") -> Problem[Any, Any]:
    """Hoppers: thirteen cells, the centre vacant, the last peg shall end there.

    >>> from searchkit_peg import hoppers
    >>> problem = hoppers()
    >>> (start,) = problem.initial_states()
    >>> print(problem.render(start))
    ●   ●   ●
      ●   ●
    ●   ○   ●
      ●   ●
    ●   ●   ●
    """
    return _in_model(model, PegSolitaire.single_vacancy(HOPPERS, 6))


def peg(
    board: str = "english", vacant: str = "", target: str = "", model: str = "chain"
) -> Problem[Any, Any]:
    """Peg solitaire on a board with a name, on a triangle, or on one that a text draws.

    `vacant` lists the cells without a peg (by default the board's usual one), `target` is a
    position to end in, a cell for the last peg, or "any"; by default the last peg ends in the
    first vacant cell.

    >>> from searchkit_peg import peg
    >>> problem = peg("triangle4", vacant="1", target="any")
    >>> (start,) = problem.initial_states()
    >>> print(problem.render(start))
          ●
        ○   ●
      ●   ●   ●
    ●   ●   ●   ●
    """
    chosen, start, goals = _board(board)
    if vacant:
        start = read_pegs(chosen, f"vacant {vacant}")
    if target == "any":
        goals = tuple(1 << cell for cell in range(len(chosen.cells)))
    elif target:
        goals = (read_pegs(chosen, f"pegs {target}" if CELLS.fullmatch(target) else target),)
    elif goals is None or vacant:
        holes = chosen.full & ~start
        if not holes:
            raise UsageError(f"board {chosen.name} has no hole at the start; give vacant=CELL")
        goals = (holes & -holes,)
    return _in_model(model, PegSolitaire(chosen, start, goals))


def _board(name: str) -> tuple[PegBoard, int, tuple[int, ...] | None]:
    """The board of that name or in that drawing, its start, and its goals, if they are said."""
    if name in BOARDS:
        board = BOARDS[name]
        return board, board.full & ~(1 << VACANT[name]), None
    if match := TRIANGLE.fullmatch(name):
        board = triangle(int(match[1]))
        return board, board.full & ~1, None
    if "\n" in name:
        found = read_board("drawn", name)
        return found.board, found.start, found.goals
    raise UsageError(
        f"board {quoted(name)} is unknown; known: {', '.join(BOARDS)}, triangle2 to triangle10, "
        "or a text file that draws one, like ./board.txt"
    )


def _in_model(model: str, problem: PegSolitaire) -> Problem[Any, Any]:
    if model not in MODELS:
        raise UsageError(f"model {model!r} is unknown; known: {', '.join(MODELS)}")
    return MODELS[model](problem)
