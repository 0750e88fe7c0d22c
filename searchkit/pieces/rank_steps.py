"""What moves make of the numbers of states: looked up, without any state.

The order of the pieces of a component is changed by itself, and so are its turns, place by place
(the coordinates of H. Kociemba's programs, 1992): each takes one look-up in a table that has a row
for every operator.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import attrs
import numpy as np

from searchkit.pieces.layout import Layout, Rows
from searchkit.pieces.ranks import Ranking

Array = np.ndarray[Any, np.dtype[Any]]
MOST_ENTRIES = 1 << 24
HALF_WORD = (1 << 32) - 1
MOST_BITS = 30
"""Of numbers that are divided by a product and a shift."""


class StepTables(NamedTuple):
    """Coordinates, the least significant first, and one row of numbers for each.

    These are how many values it has, by what to multiply to divide by that (the product is shifted
    by `fraction` bits; 0 if numbers are too large for it), and where its part of `after` begins.
    `after[first + operator * size + value]` is what an operator makes of a value, times what one
    counts for in the number of the state.
    """

    coordinates: int
    fraction: int
    row: Rows
    after: Array


@attrs.frozen(eq=False)
class RankSteps:
    """Numbers after moves; its kernel is that of a puzzle that has it as a part."""

    constants: ClassVar[tuple[str, ...]] = ("coordinates", "fraction")

    tables: StepTables

    @classmethod
    def of(cls, layout: Layout, ranking: Ranking) -> RankSteps | None:
        """The tables; None if they would be large, or if turns are not numbered by place."""
        parts = range(len(ranking.tables.first))
        sizes = [size for p in parts for size in (ranking.tables.orders[p], ranking.tables.ways[p])]
        entries = len(layout.steps) * sum(size for size in sizes if size > 1)
        if entries >= MOST_ENTRIES or not all(map(ranking.has_turns_by_place, parts)):
            return None
        rows: list[Array] = []
        found: list[int] = []
        scale = 1
        for part in reversed(parts):
            for size, row in (
                (ranking.tables.ways[part], _turns),
                (ranking.tables.orders[part], _orders),
            ):
                if size > 1:
                    found.append(size)
                    rows += [
                        scale * row(layout, ranking, part, operator)
                        for operator in range(len(layout.steps))
                    ]
                scale *= size
        if not found:
            found, rows = [1], [np.zeros(len(layout.steps), np.int64)]
        bits = (ranking.ranks - 1).bit_length()
        fraction = bits + max(found).bit_length() if bits <= MOST_BITS else 0
        after = np.concatenate(rows).astype(np.int32 if bits < 32 else np.int64)  # half the cache
        return cls(
            StepTables(
                len(found),
                fraction,
                tuple(
                    (size, (1 << fraction) // size + 1, len(layout.steps) * sum(found[:i]))
                    for i, size in enumerate(found)
                ),
                after,
            )
        )

    def after(self, index: int, operator: int) -> int:
        """Kernel: the number of the state that an operator leads to, by that of the state."""
        rest = index
        result = 0
        last = self.tables.coordinates - 1
        for i in range(last):
            size = self.tables.row[i][0]
            if self.tables.fraction > 0:
                # Of factors that are seen to have 32 bits, processors multiply several at once.
                product = (rest & HALF_WORD) * (self.tables.row[i][1] & HALF_WORD)
                above = product >> self.tables.fraction
                value = rest - (above & HALF_WORD) * (size & HALF_WORD)
            else:
                above = rest // size
                value = rest - above * size
            place = self.tables.row[i][2] + operator * size + value
            # Machine code need not test indices that cannot be negative.
            result += int(self.tables.after[place & MOST_ENTRIES - 1])
            rest = above
        place = self.tables.row[last][2] + operator * self.tables.row[last][0] + rest
        return int(result + self.tables.after[place & MOST_ENTRIES - 1])


def _orders(layout: Layout, ranking: Ranking, part: int, operator: int) -> Array:
    """By the number of an order, that after an operator."""
    tables = ranking.tables
    fields = range(tables.first[part], tables.ends[part])
    places, halved = tables.places[part], tables.halved[part]
    numbers = np.arange(tables.orders[part], dtype=np.int64) * halved
    digits = []
    for field in fields:
        digits.append(numbers // tables.value[field])
        numbers = numbers % tables.value[field]
    if halved == 2:
        digits[-2] = np.asarray((tables.odd[part] + sum(digits[:-2], 0 * numbers)) % 2)
    left = np.tile(np.arange(places), (tables.orders[part], 1))
    rows = np.arange(tables.orders[part])
    to = np.array([there for there, _ in _arrived(layout, part, operator)])
    moved: list[Array] = []
    result = np.zeros(tables.orders[part], np.int64)
    for field, digit in zip(fields, digits, strict=True):
        after = to[left[rows, digit]]
        kept = np.arange(left.shape[1]) != digit[:, None]
        left = left[kept].reshape(len(rows), left.shape[1] - 1)
        smaller = sum(((other < after).astype(np.int64) for other in moved), np.zeros_like(after))
        result += (after - smaller) * tables.value[field]
        moved.append(after)
    return result // halved


def _turns(layout: Layout, ranking: Ranking, part: int, operator: int) -> Array:
    """By the number of the turns, that after an operator."""
    tables = ranking.tables
    orientations = tables.orientations[part]
    numbers = np.arange(tables.ways[part], dtype=np.int64)
    weights = tables.place_weight[part][: tables.places[part]]
    digits = [numbers // weight % orientations if weight else numbers * 0 for weight in weights]
    if 0 in weights:
        last = (tables.total[part] - sum(digits, 0 * numbers)) % orientations
        digits[weights.index(0)] = np.asarray(last)
    result = np.zeros_like(numbers)
    for digit, (to, turn) in zip(digits, _arrived(layout, part, operator), strict=True):
        result += (digit + turn) % orientations * weights[to]
    return result


def _arrived(layout: Layout, part: int, operator: int) -> list[tuple[int, int]]:
    """By the number of a place in its component: where a piece goes, and how far it turns."""
    each = layout.components[layout.shapes[part].component]
    arrived = layout.steps[operator].motion[each.orbit].arrived()
    rank = {place: i for i, place in enumerate(each.places)}
    return [(rank[arrived[place][0]], arrived[place][1]) for place in each.places]
