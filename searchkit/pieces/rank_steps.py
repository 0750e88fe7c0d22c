"""What moves make of the numbers of states: looked up, without any state.

The order of the pieces of a component is changed by itself, and so are its turns, place by place
(the coordinates of H. Kociemba's programs, 1992): each takes one look-up in a table that has a row
for every operator. Where turns are numbered by piece, both are one coordinate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar, NamedTuple

import attrs
import numpy as np

from searchkit.pieces.layout import Layout, Rows
from searchkit.pieces.ranks import Ranking, RankTables

Array = np.ndarray[Any, np.dtype[Any]]
MOST_ENTRIES = 1 << 24
HALF_WORD = (1 << 32) - 1
MOST_BITS = 30
"""Of numbers that are divided by a product and a shift."""
MOST_SMALL = 1 << 18
WORTH = 16
"""How many children of states can be made without entries in the time that one entry takes."""

BLOCK = 1 << 14
"""How many numbers are worked on at once: they stay in the cache."""


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


Arrivals = list[tuple[Array, Array]]
"""By operator, and the number of a place: where what is there goes, and how far it turns."""


@attrs.frozen(eq=False)
class RankSteps:
    """Numbers after moves; its kernel is that of a puzzle that has it as a part."""

    constants: ClassVar[tuple[str, ...]] = ("coordinates", "fraction")

    tables: StepTables

    @classmethod
    def of(cls, layout: Layout, ranking: Ranking) -> RankSteps | None:
        """The tables; None if they would be large, or no smaller than what they are to save."""
        tables = ranking.tables
        coordinates: list[tuple[int, Callable[[Array], list[Array]]]] = []
        for part in reversed(range(len(tables.first))):
            orders, ways = tables.orders[part], tables.ways[part]
            changes = layout.changes[layout.shapes[part].component]
            how = tables, part, [tuple(np.array(each.arrived(), np.int64).T) for each in changes]
            placed = _places_after if tables.kept_by_place[part] else _pieces_after
            if ways == 1 or any(tables.place_weight[part]):  # turns are numbered by place
                coordinates.append((ways, partial(_turns_after, *how)))
                coordinates.append((orders, partial(placed, *how, is_turned=False)))
            else:
                coordinates.append((orders * ways, partial(placed, *how, is_turned=True)))
        values = sum(size for size, _ in coordinates if size > 1)
        entries = len(layout.steps) * values
        if entries >= (MOST_ENTRIES if ranking.ranks >= WORTH * values else MOST_SMALL):
            return None
        rows: list[Array] = []
        sizes: list[int] = []
        scale = 1
        for size, after in coordinates:
            if size > 1:
                sizes.append(size)
                blocks = [
                    after(np.arange(first, min(first + BLOCK, size), dtype=np.int64))
                    for first in range(0, size, BLOCK)
                ]
                rows += [scale * np.concatenate(each) for each in zip(*blocks, strict=True)]
            scale *= size
        if not sizes:
            sizes, rows = [1], [np.zeros(len(layout.steps), np.int64)]
        bits = (ranking.ranks - 1).bit_length()
        fraction = _fraction(bits, sizes[:-1])
        found = np.concatenate(rows).astype(np.int32 if bits < 32 else np.int64)  # half the cache
        return cls(
            StepTables(
                len(sizes),
                fraction,
                tuple(
                    (size, (1 << fraction) // size + 1, len(layout.steps) * sum(sizes[:i]))
                    for i, size in enumerate(sizes)
                ),
                found,
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


def _fraction(bits: int, divisors: Sequence[int]) -> int:
    """By how many bits to shift products instead of dividing; 0 if factors would be too large."""
    if not divisors:
        return 0
    # One number for most puzzles, so that they have their machine code in common.
    fraction = max(32, bits + max(divisors).bit_length())
    factor = (1 << fraction) // min(divisors) + 1
    return fraction if bits <= MOST_BITS and factor <= HALF_WORD else 0


def _turns_after(tables: RankTables, part: int, arrivals: Arrivals, numbers: Array) -> list[Array]:
    """By operator: the numbers after it of the turns of all places; the last may follow."""
    orientations = tables.orientations[part]
    weights = tables.place_weight[part][: tables.places[part]]
    digits = [numbers // weight % orientations if weight else 0 * numbers for weight in weights]
    if 0 in weights:
        digits[weights.index(0)] = (tables.total[part] - np.sum(digits, axis=0)) % orientations
    found = []
    for to, turns in arrivals:
        rows = zip(digits, to, turns, strict=True)
        found.append(sum(((d + t) % orientations * weights[i] for d, i, t in rows), 0 * numbers))
    return found


def _pieces_after(
    tables: RankTables, part: int, arrivals: Arrivals, numbers: Array, *, is_turned: bool
) -> list[Array]:
    """The same of the places of pieces, and of their turns if these are numbered by piece."""
    fields = slice(tables.first[part], tables.ends[part])
    values, counted = tables.value[fields], tables.counted[fields]
    weights = tables.field_weight[fields]
    halved, ways = tables.halved[part], tables.ways[part] if is_turned else 1
    order = numbers // ways * halved
    digits = []
    for value in values:
        digits.append(order // value)
        order = order % value
    if halved == 2:
        digits[-2] = (tables.odd[part] + sum(digits[:-2], 0 * numbers)) % 2
    at: list[Array] = []
    for digit in reversed(digits):  # how many smaller places were free for each piece
        at = [digit, *(place + (place >= digit) for place in at)]
    found = []
    for there, turns in arrivals:
        to = [there[place] for place in at]
        result = 0 * numbers
        for i, value in enumerate(values):
            result += (to[i] - sum(other < to[i] for other in to[:i])) * value
        result = result // halved * ways
        if is_turned:
            for place, weight, count in zip(at, weights, counted, strict=True):
                result += (numbers % ways // weight + turns[place]) % count * weight
        found.append(result)
    return found


def _places_after(
    tables: RankTables, part: int, arrivals: Arrivals, numbers: Array, *, is_turned: bool
) -> list[Array]:
    """The same of the looks of places, and of turns if those depend on the looks."""
    counted = np.array(tables.turned[part])
    ways = tables.ways[part] if is_turned else 1
    order, turns = numbers // ways, numbers % ways
    count = _Counted(len(numbers), tables, part)
    there, turned = [], []
    for _ in range(tables.places[part]):
        look = count.look_at(order)
        order = order - count.take(look)
        there.append(look)
        if is_turned:
            turned.append(turns % counted[look])
            turns = turns // counted[look]
    found = []
    for to, more in arrivals:
        count = _Counted(len(numbers), tables, part)
        order, turns, weight = 0 * numbers, 0 * numbers, 1 + 0 * numbers
        for place in np.argsort(to):
            order += count.take(there[place])
            if is_turned:
                most = counted[there[place]]
                turns += (turned[place] + more[place]) % most * weight
                weight *= most
        found.append(order * ways + turns)
    return found


class _Counted:
    """How many orders there are of the pieces that are left, as places are filled one by one."""

    def __init__(self, size: int, tables: RankTables, part: int) -> None:
        bits, mask = tables.bits[part], (1 << tables.bits[part]) - 1
        ends = range(tables.ones[part].bit_count())
        below = [tables.below[part] >> bits * end & mask for end in ends]
        self.below = np.repeat(np.array(below, np.int64)[:, None], size, axis=1)
        self.looks = np.arange(len(below), dtype=np.int64)[:, None]
        self.ways = np.full(size, tables.orders[part], np.int64)
        self.left = tables.places[part]

    def look_at(self, order: Array) -> Array:
        """The look of the next place in an order of some number."""
        return np.asarray((self.ways * self.below[1:] // self.left <= order).sum(axis=0))

    def take(self, look: Array) -> Array:
        """Fill the next place; how many orders have a smaller look there."""
        less = np.take_along_axis(self.below, look[None], 0)[0]
        same = np.take_along_axis(self.below, look[None] + 1, 0)[0] - less
        found = self.ways * less // self.left
        self.ways = self.ways * same // self.left
        self.below -= self.looks > look
        self.left -= 1
        return np.asarray(found)
