"""The 2x2x2 and the 3x3x3 cube, which are files of their places, moves, rotations and nets."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import attrs

from searchkit import UsageError
from searchkit.pieces import Definition, Pieces, read_definition
from searchkit.pieces.rank_steps import RankSteps
from searchkit.texts.amounts import quoted
from searchkit_cube.heuristics import Coordinates

METRICS = {"half": True, "quarter": False}
"""Which turns of a face count as one move: whether all of its powers do."""
FARTHEST = "BBFF LUDR UUFF RLDD URLD RLBB"
SIX_SPOTS = "U D' R L' F B' U D'"


@cache
def definition(file: str, metric: str = "half") -> Definition:
    """What a file says, with the moves of a metric."""
    if metric not in METRICS:
        raise UsageError(f"metric {quoted(metric)} is not known; known: {', '.join(METRICS)}")
    text = (files(__package__) / file).read_text(encoding="utf-8")
    return attrs.evolve(read_definition(text, file), powers=METRICS[metric])


class Cube2(Pieces):
    """The 2x2x2 cube, which has a lower bound of its own."""

    numbers: RankSteps

    def default_heuristic(self) -> Coordinates:
        """The larger of the distances of the places alone and of the twists alone."""
        return Coordinates(self)


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
    cube = Cube2.of(definition("cube2.tws", metric))
    return cube.with_start(cube.parse(FARTHEST))


def cube3(metric: str = "half") -> Pieces:
    """The cube, with a spot of another colour on each of its faces.

    >>> from searchkit import solve
    >>> cube = cube3()
    >>> len(list(cube.successors(cube.start))), len(cube3("quarter").operators(0))
    (18, 12)
    """
    cube = Pieces.of(definition("cube3.tws", metric))
    return cube.with_start(cube.parse(SIX_SPOTS))
