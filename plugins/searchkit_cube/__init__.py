"""The 2x2x2 and the 3x3x3 cube for searchkit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from searchkit import Parameter, hookimpl
from searchkit.hookspecs import RegisterHeuristic, RegisterPuzzle, RegisterRenderer
from searchkit.later import Later, exports, instances

if TYPE_CHECKING:
    from searchkit_cube.definitions import Coordinates, Cube2, cube2, cube3
else:
    __getattr__ = exports(__name__, {"definitions": "Coordinates Cube2 cube2 cube3"})

__all__ = ["Coordinates", "Cube2", "cube2", "cube3"]


@hookimpl
def searchkit_register_puzzles(register: RegisterPuzzle) -> None:
    """Register the cubes."""
    metric = Parameter("metric", "half", "what a move is: a half or quarter turn, or quarter only")
    for name, size in (("cube2", "2x2x2"), ("cube3", "3x3x3")):
        maker = Later(f"searchkit_cube.definitions:{name}")
        register(name, maker, summary=f"the {size} cube", parameters=[metric])


@hookimpl
def searchkit_register_heuristics(register: RegisterHeuristic) -> None:
    """Register the lower bound."""
    register(
        "coordinates",
        Later("searchkit_cube.definitions:Coordinates"),
        suits=instances("searchkit_cube.definitions:Cube2"),
        summary="the moves that the places need, or the twists, whichever are more",
    )


@hookimpl
def searchkit_register_renderers(register: RegisterRenderer) -> None:
    """Register the pictures in colours."""
    register(
        "colours",
        Later("searchkit.pieces.pictures:in_colours"),
        suits=_has_facelets,
        summary="the unfolded cube in coloured squares",
    )


def _has_facelets(problem: object) -> bool:
    return getattr(getattr(problem, "definition", None), "facelets", None) is not None
