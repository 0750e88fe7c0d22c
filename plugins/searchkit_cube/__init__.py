"""The 2x2x2 cube for searchkit."""

from __future__ import annotations

from typing import Any

from searchkit import Parameter, Problem, hookimpl
from searchkit.hookspecs import RegisterHeuristic, RegisterPuzzle, RegisterRenderer
from searchkit_cube import notation
from searchkit_cube.corners import unpack
from searchkit_cube.heuristics import Coordinates
from searchkit_cube.puzzle import Cube2

__all__ = ["Coordinates", "Cube2", "cube2"]

FARTHEST = "BBFF LUDR UUFF RLDD URLD RLBB"


def cube2(metric: str = "half") -> Cube2:
    """The cube, from one of the positions that need most moves in either metric.

    >>> print(cube2().render(cube2().start))
          ┌─────┐
          │ B B │
          │ F F │
    ┌─────┼─────┼─────┬─────┐
    │ U R │ U U │ L U │ R L │
    │ L D │ F F │ D R │ B B │
    └─────┼─────┼─────┴─────┘
          │ R L │
          │ D D │
          └─────┘
    """
    return Cube2.read(FARTHEST, metric)


def _is_cube(problem: Problem[Any, Any]) -> bool:
    return isinstance(problem, Cube2)


@hookimpl
def searchkit_register_puzzles(register: RegisterPuzzle) -> None:
    """Register the cube."""
    register(
        "cube2",
        cube2,
        summary="the 2x2x2 cube",
        parameters=[
            Parameter("metric", "half", "what a move is: a half or quarter turn, or quarter only")
        ],
    )


@hookimpl
def searchkit_register_heuristics(register: RegisterHeuristic) -> None:
    """Register the lower bound."""
    register(
        "coordinates",
        Coordinates,
        suits=_is_cube,
        summary="the moves that the places need, or the twists, whichever are more",
    )


@hookimpl
def searchkit_register_renderers(register: RegisterRenderer) -> None:
    """Register the picture in colours."""
    register(
        "colours",
        lambda problem, state: notation.paint(unpack(state)),
        suits=_is_cube,
        summary="the unfolded cube in coloured squares",
    )
