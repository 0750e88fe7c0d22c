"""The 3x3x3 cube, which is a file: `cube3.tws` has its places, moves, rotations and net."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import attrs

from searchkit import UsageError
from searchkit.pieces import Definition, Pieces, nets, read_definition
from searchkit.texts.amounts import quoted
from searchkit_cube import puzzle

METRICS = {"half": True, "quarter": False}
"""Which turns of a face count as one move: whether all of its powers do."""
SIX_SPOTS = "U D' R L' F B' U D'"


@cache
def definition(metric: str = "half") -> Definition:
    """What the file says, with the moves of a metric."""
    if metric not in METRICS:
        raise UsageError(f"metric {quoted(metric)} is not known; known: {', '.join(METRICS)}")
    text = (files(__package__) / "cube3.tws").read_text(encoding="utf-8")
    return attrs.evolve(read_definition(text, "cube3.tws"), powers=METRICS[metric])


@cache
def _solved(metric: str) -> Pieces:
    return Pieces.of(definition(metric))


def cube3(metric: str = "half") -> Pieces:
    """The cube, with a spot of another colour on each of its faces.

    >>> from searchkit import solve
    >>> cube = cube3()
    >>> len(list(cube.successors(cube.start))), len(cube3("quarter").operators(0))
    (18, 12)
    """
    cube = _solved(metric)
    return cube.with_start(cube.parse(SIX_SPOTS))


def in_colours(problem: Any, state: Any) -> str:
    """The unfolded cube in coloured squares; so for any puzzle whose definition has facelets."""
    if isinstance(problem, puzzle.Cube2):
        return puzzle.in_colours(problem, state)
    return nets.in_colours(problem, state)
