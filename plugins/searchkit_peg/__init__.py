"""Peg solitaire for searchkit: by moves, by jumps, or with the moving peg kept; on any board."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from searchkit import Parameter, hookimpl
from searchkit.hookspecs import RegisterHeuristic, RegisterPuzzle
from searchkit.later import Later, exports

if TYPE_CHECKING:
    from searchkit_peg.board import Cell, Jump, PegBoard
    from searchkit_peg.boards import HOPPERS
    from searchkit_peg.puzzles import MODELS, hoppers, peg
    from searchkit_peg.solitaire import PegsAboveGoal, PegSolitaire
else:
    __getattr__ = exports(
        __name__,
        {
            "board": "Cell Jump PegBoard",
            "boards": "HOPPERS",
            "puzzles": "MODELS hoppers peg",
            "solitaire": "PegSolitaire PegsAboveGoal",
        },
    )

__all__ = [
    "HOPPERS",
    "MODELS",
    "Cell",
    "Jump",
    "PegBoard",
    "PegSolitaire",
    "PegsAboveGoal",
    "hoppers",
    "peg",
]


def _when_loaded(suits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Ask `suits` only where there is a game of solitaire that a problem may be made from."""
    return lambda problem: "searchkit_peg.solitaire" in sys.modules and suits(problem)


@hookimpl
def searchkit_register_puzzles(register: RegisterPuzzle) -> None:
    """Register Hoppers, and solitaire on any board."""
    model = Parameter(
        "model", "chain", "what counts as a step: chain (a move of one peg), jumps, or mover"
    )
    register(
        "hoppers",
        Later("searchkit_peg.puzzles:hoppers"),
        summary="peg solitaire with 13 cells: jump until one peg is left in the centre",
        parameters=[model],
    )
    register(
        "peg",
        Later("searchkit_peg.puzzles:peg"),
        summary="peg solitaire on the English board or another one",
        parameters=[
            Parameter(
                "board",
                "english",
                "hoppers, english, french, diamond, wiegleb, triangle2 to triangle10, or a file, "
                "like ./board.txt",
                path=True,
            ),
            Parameter("vacant", "", "the cells without a peg, like 16 or 0,1"),
            Parameter("target", "", "where to end: a cell, any, or a position"),
            model,
        ],
    )


@hookimpl
def searchkit_register_heuristics(register: RegisterHeuristic) -> None:
    """Register the bounds."""
    register(
        "pegs",
        Later("searchkit_peg.solitaire:pegs_above_goal"),
        suits=_when_loaded(Later("searchkit_peg.solitaire:counts_jumps")),
        summary="the pegs above those of the goal",
    )
    register(
        "regions",
        Later("searchkit_peg.solitaire:full_regions"),
        suits=_when_loaded(Later("searchkit_peg.solitaire:counts_moves")),
        summary="full regions, like pegs in corners, each of which needs a move of its own",
    )
