"""Peg solitaire for searchkit: Hoppers, by moves, by jumps, or with the moving peg kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from searchkit import Parameter, Problem, UsageError, hookimpl
from searchkit.transforms import ChainMoves, MoverState
from searchkit_peg.board import Cell, Jump, PegBoard
from searchkit_peg.boards import HOPPERS
from searchkit_peg.heuristics import (
    PegsAboveGoal,
    PegsNeverTaken,
    counts_jumps,
    counts_moves,
    solitaire_of,
)
from searchkit_peg.solitaire import PegSolitaire

if TYPE_CHECKING:
    from searchkit.registry import RegisterHeuristic, RegisterPuzzle

__all__ = [
    "HOPPERS",
    "MODELS",
    "Cell",
    "Jump",
    "PegBoard",
    "PegSolitaire",
    "PegsAboveGoal",
    "PegsNeverTaken",
    "hoppers",
]

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
    if model not in MODELS:
        raise UsageError(f"model {model!r} of hoppers is unknown; known: {', '.join(MODELS)}")
    return MODELS[model](PegSolitaire.single_vacancy(HOPPERS, 6))


@hookimpl
def searchkit_register_puzzles(register: RegisterPuzzle) -> None:
    """Register Hoppers."""
    register(
        "hoppers",
        hoppers,
        summary="peg solitaire with 13 cells: jump until one peg is left in the centre",
        parameters=[
            Parameter(
                "model",
                "chain",
                "what counts as a step: chain (a move of one peg), jumps, or mover",
            )
        ],
    )


@hookimpl
def searchkit_register_heuristics(register: RegisterHeuristic) -> None:
    """Register the bounds."""
    register(
        "pegs",
        lambda problem: PegsAboveGoal(solitaire_of(problem)),
        suits=counts_jumps,
        summary="the pegs above those of the goal",
    )
    register(
        "corner-pegs",
        lambda problem: PegsNeverTaken(solitaire_of(problem)),
        suits=counts_moves,
        summary="the pegs that no jump can take, each of which must make a move of its own",
    )
