"""A lower bound for the cube by two small tables, made when it is asked for.

Where the corners are, whatever their twists, is one of 5040 orders; how the places are twisted,
whatever corners are there, is one of 729 ways. The distance of each from the goal's is found by
breadth-first search in some hundredths of a second, and a cube is at least as far as the farther
(the coordinates of H. Kociemba's cube programs, 1992; as abstractions, J. C. Culberson and
J. Schaeffer, Pattern Databases, 1998).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from searchkit.heuristic import distances_from
from searchkit.packed import PackedHeuristic
from searchkit.permutations import rank_permutation
from searchkit_cube.corners import ACTIONS, BITS, FIELD, PIECES, PLACES, turn_of, unpack
from searchkit_cube.numbers import weights

if TYPE_CHECKING:
    from searchkit_cube.puzzle import Cube2

Turn = Callable[[bytes], bytes]


class CoordinateTables(NamedTuple):
    """What the kernels of `Coordinates` look up.

    `weights` is what the five bits of a corner add to the number of the twists; the others are
    distances by that number, and by the rank of the places.
    """

    weights: tuple[int, ...]
    twists: tuple[int, ...]
    places: tuple[int, ...]


class Coordinates(PackedHeuristic):
    """The larger of the moves that the places need and the moves that the twists need.

    It is consistent. It means nothing for cubes that cannot become the goal.

    >>> from searchkit_cube import Cube2
    >>> Coordinates(cube := Cube2.read("R U2 F"))(cube.start)
    3
    """

    name = "coordinates"

    def __init__(self, problem: Cube2) -> None:
        self.tables = _tables(problem.goal, tuple(problem.operators(0)))

    def twists(self, state: int) -> int:
        """Kernel: the number of the twists, place by place."""
        number = 0
        for piece in range(PIECES):
            number += self.tables.weights[state >> BITS * piece & FIELD]
        return number

    def estimate(self, state: int) -> int:
        """Kernel: the larger distance."""
        places = self.tables.places[rank_permutation(state & PLACES, BITS, PIECES)]
        return max(int(places), int(self.tables.twists[self.twists(state)]))


@lru_cache(maxsize=16)
def _tables(goal: int, operators: tuple[int, ...]) -> CoordinateTables:
    fields = unpack(goal)[:PIECES]
    by_place = bytes(twist for _, twist in sorted(fields))
    places = bytes(place for place, _ in fields)
    turns = [turn_of(ACTIONS[operator]) for operator in operators]
    twist_turns, place_turns = [*map(_turn_twists, turns)], [*map(_turn_places, turns)]
    twists = distances_from(by_place, lambda twists: (turn(twists) for turn in twist_turns))
    orders = distances_from(places, lambda places: (turn(places) for turn in place_turns))
    return CoordinateTables(
        weights(),
        _listed(twists, lambda key: sum(3**i * twist for i, twist in enumerate(key[:-1]))),
        _listed(orders, _rank),
    )


def _rank(places: bytes) -> int:
    return rank_permutation(sum(each << BITS * i for i, each in enumerate(places)), BITS, PIECES)


def _turn_places(turn: dict[tuple[int, int], tuple[int, int]]) -> Turn:
    """What a turn makes of the places of the corners."""
    table = bytes(turn[place, 0][0] for place in range(PIECES)) + bytes(range(PIECES, 256))
    return lambda places: places.translate(table)


def _turn_twists(turn: dict[tuple[int, int], tuple[int, int]]) -> Turn:
    """What a turn makes of the twists, place by place."""
    come = {target: (place, twist) for place in range(PIECES) for target, twist in [turn[place, 0]]}
    order = [come[place] for place in range(PIECES)]
    return lambda twists: bytes((twists[place] + twist) % 3 for place, twist in order)


def _listed(distances: dict[bytes, int], number: Callable[[bytes], int]) -> tuple[int, ...]:
    listed = [0] * len(distances)
    for key, distance in distances.items():
        listed[number(key)] = distance
    return tuple(listed)
