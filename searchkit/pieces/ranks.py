"""Numbers for the states of a puzzle of pieces, without most of what cannot be reached.

Component by component: the places of the pieces in lexicographic order (D. H. Lehmer, Teaching
combinatorial tricks to a computer, 1960), and their turns as digits. Where moves keep the sum of a
component's turns, its last turn is left out; where they are all even, one of two orders is. What
the moves keep of several components together is not left out: such numbers belong to no state.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import attrs

from searchkit.bits import count_ones, lowest_one
from searchkit.pieces.components import Invariants, parity
from searchkit.pieces.layout import Field, Layout

MOST_RANKS = 1 << 40
MOST_GAPS = 64
"""A hash table takes less than numbers of which fewer than one in so many belong to a state."""


class RankTables(NamedTuple):
    """What the kernels look up: by component, or by field.

    Component `c` has the fields from `first[c]` to `ends[c]`, on `places[c]` places, which are in
    the lowest `low[c]` bits of a field. `orders` and `ways` say how many numbers its places and its
    turns take. If `halved[c]` is 2, only orders of the parity `odd[c]` are numbered. `value[f]` is
    that of one step of a field in the order of places. A turn counts for `place_weight[c][place]`
    and `field_weight[f]`, of which one is 0; if both are, it follows from `total[c]`, the sum of
    all turns modulo `orientations[c]`.
    """

    first: tuple[int, ...]
    ends: tuple[int, ...]
    places: tuple[int, ...]
    low: tuple[int, ...]
    orders: tuple[int, ...]
    ways: tuple[int, ...]
    halved: tuple[int, ...]
    odd: tuple[int, ...]
    total: tuple[int, ...]
    orientations: tuple[int, ...]
    shift: tuple[int, ...]
    counted: tuple[int, ...]
    value: tuple[int, ...]
    place_weight: tuple[tuple[int, ...], ...]
    field_weight: tuple[int, ...]
    mask: int


class _Part(NamedTuple):
    """What is known of one component before it is numbered."""

    fields: list[Field]
    first: int
    places: int
    low: int
    is_halved: bool
    is_summed: bool
    orientations: int

    @property
    def orders(self) -> int:
        return math.perm(self.places, len(self.fields)) >> self.is_halved

    @property
    def ways(self) -> int:
        if self.is_by_place:
            return int(self.orientations ** (self.places - self.is_summed))
        return math.prod(field.counted for field in self.fields)

    @property
    def is_by_place(self) -> bool:
        """Whether turns are numbered by the places of pieces, not by the pieces."""
        return len(self.fields) == self.places and all(
            field.counted == self.orientations for field in self.fields
        )

    @property
    def place_weights(self) -> list[int]:
        if not self.is_by_place:
            return [0] * self.places
        weights = [int(self.orientations**place) for place in range(self.places)]
        return [*weights[:-1], 0] if self.is_summed else weights

    @property
    def field_weights(self) -> list[int]:
        if self.is_by_place:
            return [0] * len(self.fields)
        return [
            math.prod(field.counted for field in self.fields[:i]) for i in range(len(self.fields))
        ]


@attrs.frozen(eq=False)
class Ranking:
    """Numbers of the states of a layout from which a state can be reached.

    Its kernels are those of a puzzle that has it as a part.
    """

    ranks: int
    tables: RankTables

    @classmethod
    def of(cls, layout: Layout, goal: int) -> Ranking | None:
        """The numbers of states that can become `goal`; None if they would not be worth their room.

        There must be fields, by piece and in one word, and not too few of the numbers those of a
        state.
        """
        if len(layout.words) > 1 or layout.words[0].by_place or not layout.fields:
            return None
        parts = _parts(layout)
        ranks = math.prod(part.orders * part.ways for part in parts)
        if ranks > MOST_RANKS or ranks > MOST_GAPS * layout.group.count.states:
            return None
        word = layout.words[0]
        most = max((part.places for part in parts), default=1)
        codes = [goal >> field.shift & (1 << word.bits) - 1 for field in word.fields]
        here = [codes[part.first : part.first + len(part.fields)] for part in parts]
        tables = RankTables(
            first=tuple(part.first for part in parts),
            ends=tuple(part.first + len(part.fields) for part in parts),
            places=tuple(part.places for part in parts),
            low=tuple(part.low for part in parts),
            orders=tuple(part.orders for part in parts),
            ways=tuple(part.ways for part in parts),
            halved=tuple(1 + part.is_halved for part in parts),
            odd=tuple(
                parity([code & (1 << part.low) - 1 for code in found])
                for part, found in zip(parts, here, strict=True)
            ),
            total=tuple(
                sum(code >> part.low for code in found) % part.orientations
                for part, found in zip(parts, here, strict=True)
            ),
            orientations=tuple(part.orientations for part in parts),
            shift=tuple(field.shift for field in word.fields),
            counted=tuple(field.counted for field in word.fields),
            value=tuple(
                math.perm(part.places - 1 - i, len(part.fields) - 1 - i)
                for part in parts
                for i in range(len(part.fields))
            ),
            place_weight=tuple(
                (*part.place_weights, *[0] * (most - part.places)) for part in parts
            ),
            field_weight=tuple(weight for part in parts for weight in part.field_weights),
            mask=(1 << word.bits) - 1,
        )
        return cls(ranks, tables)

    def has_turns_by_place(self, part: int) -> bool:
        """Whether the turns of a component are numbered by place, if it has any."""
        return self.tables.ways[part] == 1 or any(self.tables.place_weight[part])

    def rank(self, state: int) -> int:
        """Kernel: the number of a state. O(fields)."""
        rank = 0
        for part in range(len(self.tables.first)):
            low = self.tables.low[part]
            left = (1 << self.tables.places[part]) - 1
            order = 0
            turns = 0
            for field in range(self.tables.first[part], self.tables.ends[part]):
                code = state >> self.tables.shift[field] & self.tables.mask
                one = 1 << (code & (1 << low) - 1)
                order += count_ones(left & (one - 1)) * self.tables.value[field]
                left ^= one
                weight = self.tables.place_weight[part][code & (1 << low) - 1]
                turns += (code >> low) * (weight + self.tables.field_weight[field])
            rank = rank * self.tables.orders[part] + order // self.tables.halved[part]
            rank = rank * self.tables.ways[part] + turns
        return int(rank)

    def unrank(self, index: int) -> int:
        """Kernel: the state with a number. O(fields * places)."""
        state = 0
        rest = index
        for number in range(len(self.tables.first)):
            part = len(self.tables.first) - 1 - number
            low = self.tables.low[part]
            turns = rest % self.tables.ways[part]
            rest = rest // self.tables.ways[part]
            order = rest % self.tables.orders[part] * self.tables.halved[part]
            rest = rest // self.tables.orders[part]
            left = (1 << self.tables.places[part]) - 1
            first = self.tables.first[part]
            ends = self.tables.ends[part]
            odd = self.tables.odd[part]
            last = self.tables.total[part]
            follows = -1
            for field in range(first, ends):
                digit = order // self.tables.value[field]
                order -= digit * self.tables.value[field]
                if self.tables.halved[part] == 2 and field == ends - 2:
                    digit = odd & 1
                odd += digit
                here = left
                for _ in range(digit):
                    here &= here - 1
                place = lowest_one(here)
                left ^= 1 << place
                weight = self.tables.place_weight[part][place] + self.tables.field_weight[field]
                if weight == 0:
                    follows = field
                    state |= place << self.tables.shift[field]
                else:
                    turn = turns // weight % self.tables.counted[field]
                    last += self.tables.orientations[part] - turn
                    state |= (place | turn << low) << self.tables.shift[field]
            if follows >= 0:
                turn = last % self.tables.orientations[part]
                state |= turn << self.tables.shift[follows] + low
        return int(state)


def _parts(layout: Layout) -> list[_Part]:
    group = layout.group
    basis = Invariants.of(group.components, group.motions).basis
    parts = []
    first = 0
    for shape in layout.shapes:
        each = layout.components[shape.component]
        fields = layout.fields_of[shape.component]
        whole = len(fields) == len(each.places)
        turn, odd = (math.gcd(*(row[2 * shape.component + i] for row in basis)) for i in (0, 1))
        parts.append(
            _Part(
                fields,
                first,
                len(each.places),
                shape.item_bits,
                whole and len(fields) > 1 and odd == 2,
                whole
                and turn == each.orientations
                and each.orientations > 1
                and all(field.counted == each.orientations for field in fields),
                each.orientations,
            )
        )
        first += len(fields)
    return parts
