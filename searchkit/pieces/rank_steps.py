"""What moves make of the numbers of states: looked up, without any state.

The order of the pieces of a component is changed by itself, and so are its turns, place by place
(the coordinates of H. Kociemba's programs, 1992): each takes one look-up in a table that has a row
for every operator. Where turns are numbered by piece, both are one coordinate.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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


class _Arrival(NamedTuple):
    """What an operator does, by the number of a place in its component."""

    to: Array
    turn: Array


@attrs.frozen(eq=False)
class RankSteps:
    """Numbers after moves; its kernel is that of a puzzle that has it as a part."""

    constants: ClassVar[tuple[str, ...]] = ("coordinates", "fraction")

    tables: StepTables

    @classmethod
    def of(cls, layout: Layout, ranking: Ranking) -> RankSteps | None:
        """The tables; None if they would be large, or no smaller than what they are to save."""
        tables = ranking.tables
        coordinates: list[tuple[int, _Coordinate]] = []
        for part in reversed(range(len(tables.first))):
            orders, ways = tables.orders[part], tables.ways[part]
            if ranking.has_turns_by_place(part):
                coordinates += [
                    (ways, _Turns(ranking, part)),
                    (orders, _by(ranking, part, is_turned=False)),
                ]
            else:
                coordinates.append((orders * ways, _by(ranking, part, is_turned=True)))
        values = sum(size for size, _ in coordinates if size > 1)
        entries = len(layout.steps) * values
        if entries >= (MOST_ENTRIES if ranking.ranks >= WORTH * values else MOST_SMALL):
            return None
        rows: list[Array] = []
        sizes: list[int] = []
        scale = 1
        for size, coordinate in coordinates:
            if size > 1:
                sizes.append(size)
                rows += [scale * each for each in coordinate.rows(size, layout)]
            scale *= size
        if not sizes:
            sizes, rows = [1], [np.zeros(len(layout.steps), np.int64)]
        bits = (ranking.ranks - 1).bit_length()
        fraction = _fraction(bits, sizes[:-1])
        after = np.concatenate(rows).astype(np.int32 if bits < 32 else np.int64)  # half the cache
        return cls(
            StepTables(
                len(sizes),
                fraction,
                tuple(
                    (size, (1 << fraction) // size + 1, len(layout.steps) * sum(sizes[:i]))
                    for i, size in enumerate(sizes)
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


def _fraction(bits: int, divisors: Sequence[int]) -> int:
    """By how many bits to shift products instead of dividing; 0 if factors would be too large."""
    if not divisors:
        return 0
    # One number for most puzzles, so that they have their machine code in common.
    fraction = max(32, bits + max(divisors).bit_length())
    factor = (1 << fraction) // min(divisors) + 1
    return fraction if bits <= MOST_BITS and factor <= HALF_WORD else 0


def _arrivals(layout: Layout, part: int) -> list[_Arrival]:
    """What each operator does in a component."""
    changes = layout.changes[layout.shapes[part].component]
    return [_Arrival(*np.array(each.arrived(), np.int64).T) for each in changes]


class _Coordinate:
    """Numbers of a component as arrays: a row for each, of which operators change all at once."""

    def __init__(self, ranking: Ranking, part: int, *, is_turned: bool = True) -> None:
        self.tables, self.part = ranking.tables, part
        self.places = self.tables.places[part]
        self.is_turned = is_turned

    def rows(self, size: int, layout: Layout) -> list[Array]:
        """By operator: the numbers after it of all below `size`."""
        arrivals = _arrivals(layout, self.part)
        blocks = [
            self.after(np.arange(first, min(first + BLOCK, size), dtype=np.int64), arrivals)
            for first in range(0, size, BLOCK)
        ]
        return [np.concatenate(each) for each in zip(*blocks, strict=True)]

    def after(self, numbers: Array, arrivals: Sequence[_Arrival]) -> list[Array]:
        """By operator: the numbers after it."""
        raise NotImplementedError


class _Turns(_Coordinate):
    """The turns of all places, of which the last may follow from the others."""

    def after(self, numbers: Array, arrivals: Sequence[_Arrival]) -> list[Array]:
        orientations = self.tables.orientations[self.part]
        weights = self.tables.place_weight[self.part][: self.places]
        digits = [numbers // weight % orientations if weight else 0 * numbers for weight in weights]
        if 0 in weights:
            digits[weights.index(0)] = (self.tables.total[self.part] - _sum(digits)) % orientations
        return [
            _sum(
                (digit + turn) % orientations * weights[to]
                for digit, to, turn in zip(digits, each.to, each.turn, strict=True)
                if weights[to]
            )
            for each in arrivals
        ]


def _sum(arrays: Iterable[Array]) -> Array:
    return np.asarray(sum(arrays))


def _by(ranking: Ranking, part: int, *, is_turned: bool) -> _Coordinate:
    kind = _ByPlace if ranking.tables.kept_by_place[part] else _ByPiece
    return kind(ranking, part, is_turned=is_turned)


class _ByPiece(_Coordinate):
    """The places of pieces, and their turns if these are numbered by piece."""

    def after(self, numbers: Array, arrivals: Sequence[_Arrival]) -> list[Array]:
        tables, part = self.tables, self.part
        fields = slice(tables.first[part], tables.ends[part])
        values, counted = tables.value[fields], tables.counted[fields]
        weights = tables.field_weight[fields]
        halved, ways = tables.halved[part], tables.ways[part] if self.is_turned else 1
        order = numbers // ways * halved
        digits = []
        for value in values:
            digits.append(order // value)
            order = order % value
        if halved == 2:
            digits[-2] = (tables.odd[part] + sum(digits[:-2], 0 * numbers)) % 2
        at = _places(digits)
        found = []
        for each in arrivals:
            to = [each.to[place] for place in at]
            result = 0 * numbers
            for i, value in enumerate(values):
                result += (to[i] - sum(other < to[i] for other in to[:i])) * value
            result = result // halved * ways
            if self.is_turned:
                for place, weight, count in zip(at, weights, counted, strict=True):
                    turn = numbers % ways // weight + each.turn[place]
                    result += turn % count * weight
            found.append(result)
        return found


def _places(digits: Sequence[Array]) -> list[Array]:
    """The places of pieces, by how many smaller ones were free for each: the last first."""
    at: list[Array] = []
    for digit in reversed(digits):
        at = [digit, *(place + (place >= digit) for place in at)]
    return at


class _ByPlace(_Coordinate):
    """The looks of places, and how what is there is turned if that depends on the looks."""

    def after(self, numbers: Array, arrivals: Sequence[_Arrival]) -> list[Array]:
        tables, part = self.tables, self.part
        counted = np.array(tables.turned[part])
        ways = tables.ways[part] if self.is_turned else 1
        order, turns = numbers // ways, numbers % ways
        count = _Counted(len(numbers), tables, part)
        there, turned = [], []
        for _ in range(self.places):
            look = count.look_at(order)
            order = order - count.take(look)
            there.append(look)
            if self.is_turned:
                turned.append(turns % counted[look])
                turns = turns // counted[look]
        found = []
        for each in arrivals:
            count = _Counted(len(numbers), tables, part)
            order, turns, weight = 0 * numbers, 0 * numbers, 1 + 0 * numbers
            for place in np.argsort(each.to):
                order += count.take(there[place])
                if self.is_turned:
                    most = counted[there[place]]
                    turns += (turned[place] + each.turn[place]) % most * weight
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
