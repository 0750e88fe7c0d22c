"""The 2x2x2 and the 3x3x3 cube, which are files of their places, moves, rotations and nets.

A lower bound for the 2x2x2 cube by two small tables, made when it is asked for.

Where the corners are, whatever their twists, is one of 5040 orders; how the places are twisted,
whatever corners are there, is one of 729 ways. The distance of each from the goal's is found by
breadth-first search in some hundredths of a second, and a cube is at least as far as the farther
(the coordinates of H. Kociemba's cube programs, 1992; as abstractions, J. C. Culberson and
J. Schaeffer, Pattern Databases, 1998).
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

import attrs
import numpy as np

from searchkit import UsageError
from searchkit.packed import PackedHeuristic
from searchkit.pieces import Definition, Pieces, read_definition
from searchkit.pieces.rank_steps import RankSteps
from searchkit.texts.amounts import quoted

ORDERS = 5040
WAYS = 729
"""How the corners in six places can be twisted; the seventh follows from them."""


class CoordinateTables(NamedTuple):
    """Distances by the number of the order, and by that of the twists: those of ranks."""

    orders: tuple[int, ...]
    twists: tuple[int, ...]


class Coordinates(PackedHeuristic):
    """The larger of the moves that the places need and the moves that the twists need.

    It is consistent. It means nothing for cubes that cannot become the goal.

    >>> from searchkit_cube import cube2
    >>> cube = cube2()
    >>> Coordinates(cube)(cube.parse("R U2 F"))
    3
    """

    name = "coordinates"
    parts = ("problem",)

    def __init__(self, problem: Cube2) -> None:
        self.problem = problem
        self.tables = _tables(problem.numbers, problem.rank(problem.goal))

    def estimate(self, state: int) -> int:
        """Kernel: the larger distance."""
        rank = self.problem.rank(state)
        return max(int(self.tables.orders[rank // WAYS]), int(self.tables.twists[rank % WAYS]))


@lru_cache(maxsize=16)
def _tables(numbers: RankSteps, goal: int) -> CoordinateTables:
    after = numbers.tables.after
    operators = len(after) // (WAYS + ORDERS)
    twists, orders = after[: operators * WAYS], after[operators * WAYS :] // WAYS
    return CoordinateTables(
        _distances(orders.reshape(operators, ORDERS), goal // WAYS),
        _distances(twists.reshape(operators, WAYS), goal % WAYS),
    )


def _distances(after: np.ndarray[Any, Any], goal: int) -> tuple[int, ...]:
    """By number, how far it is from the goal's, where `after[operator]` are those one move away."""
    found = np.full(after.shape[1], -1)
    layer, depth = np.array([goal]), 0
    while len(layer):
        found[layer] = depth
        layer, depth = np.unique(after[:, layer]), depth + 1
        layer = layer[found[layer] < 0]
    return tuple(found.tolist())


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
