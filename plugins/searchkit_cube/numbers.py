"""Cubes as numbers: the order of the corners, and the twists place by place.

A turn changes each of the two by itself, so that the number of the cube after it is looked up
(the coordinates of H. Kociemba's cube programs, 1992).
"""

from __future__ import annotations

from functools import cache
from itertools import permutations, product
from typing import TYPE_CHECKING, Any, NamedTuple

import attrs

from searchkit_cube.corners import ACTIONS, FIELD, PIECES, TWIST, turn_of

if TYPE_CHECKING:
    import numpy as np

ORIENTATIONS = 3 ** (PIECES - 1)
"""How the corners at six places can be twisted; the seventh follows from them."""
FRACTION_BITS = 40
RECIPROCAL = (1 << FRACTION_BITS) // ORIENTATIONS + 1
"""A product and a shift divide numbers of cubes by `ORIENTATIONS` exactly."""


class TurnTables(NamedTuple):
    """What each operator makes of the number of an order, times `ORIENTATIONS`, and of twists."""

    orders: np.ndarray[Any, Any]
    twists: np.ndarray[Any, Any]


@attrs.frozen
class TurnedNumbers:
    """Numbers of cubes after turns, where the sum of the twists, modulo 3, is `twist`."""

    twist: int

    @property
    def tables(self) -> TurnTables:
        """The tables, made when they are asked for."""
        return _turn_tables(self.twist)

    def after(self, index: int, operator: int) -> int:
        """Kernel: the number of the cube that a turn makes of the one with a number."""
        # Machine code need not test indices that cannot be negative.
        order = index * RECIPROCAL >> FRACTION_BITS & 8191
        twists = index - order * ORIENTATIONS & 1023
        return int(self.tables.orders[operator][order] + self.tables.twists[operator][twists])


def weights() -> tuple[int, ...]:
    """What the five bits of a corner add to the number of the twists; nothing at the last place."""
    found = [0] * (FIELD + 1)
    for place, twist in product(range(PIECES - 1), range(3)):
        found[place | twist << TWIST] = 3**place * twist
    return tuple(found)


@cache
def _turn_tables(total: int) -> TurnTables:
    """Made of quarter turns, which others are two or three of. O(operators * orders)."""
    import numpy as np  # noqa: PLC0415  (takes long to import)

    numbers = {bytes(order): number for number, order in enumerate(permutations(range(PIECES)))}
    powers = 3 ** np.arange(PIECES - 1)
    digits = np.arange(ORIENTATIONS)[:, None] // powers % 3
    digits = np.hstack([digits, (total - digits.sum(axis=1, keepdims=True)) % 3])
    orders, twists = [], []
    for action in ACTIONS:
        turn = turn_of(action)
        if len(action) == 1:
            places = bytes(turn[place, 0][0] for place in range(PIECES))
            table = places + bytes(range(PIECES, 256))
            order = np.array([numbers[each.translate(table)] for each in numbers])
            added = [turn[place, 0][1] for place in range(PIECES)]
            after = np.empty_like(digits)
            after[:, list(places)] = (digits + added) % 3
            twist = after[:, :-1] @ powers
            orders.append(order)
            twists.append(twist)
        else:
            orders.append(order[orders[-1]])
            twists.append(twist[twists[-1]])
    made = TurnTables(
        (np.array(orders) * ORIENTATIONS).astype(np.int32), np.array(twists, dtype=np.int32)
    )
    for each in made:
        each.flags.writeable = False
    return made
