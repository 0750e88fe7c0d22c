"""What numbers for states look up: how many each component takes, and how they are made up."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from searchkit.bits import WORD_BITS
from searchkit.pieces.components import Invariants, parity
from searchkit.pieces.layout import Field, Layout
from searchkit.pieces.patterns import counted_of

FILLED = (12, 16)
"""Orders are filled up to this many pieces, the first ones being those that are added."""


class RankTables(NamedTuple):
    """What the kernels look up: by component, or by field.

    Component `c` has the fields from `first[c]` to `ends[c]`, on `places[c]` places. The place of a
    field, or its look if `kept_by_place[c]`, is in the lowest `low[c]` bits. `orders` and `ways`
    say how many numbers its places and its turns take. Field `f` is in `word[f]` from bit
    `shift[f]` on. `by_place` is 0 if all components are kept by piece, 1 if all are by place, else
    2.

    By piece: if `halved[c]` is 2, only orders of the parity `odd[c]` are numbered. `value[f]` is
    that of one step of a field in the order of places. A turn counts for `place_weight[c][place]`
    and `field_weight[f]`, of which one is 0; if both are, it follows from `total[c]`, the sum of
    all turns modulo `orientations[c]`.

    By place: `below[c]` has `bits[c]` bits for each look, and once more: how many pieces look less.
    `ones[c]` has the lowest of each of these bits. Turns of a look are counted modulo
    `turned[c][look]`; if `summed[c]`, the last one follows from `total[c]`.

    If there is one word, each field takes `width` bits, and `least` is the smallest look in all of
    them. An order of different pieces is filled up to `filled` of them, so that most have their
    machine code in common: it is shifted by `room` bits, and `added` to it.
    """

    words: int
    by_place: int
    filled: int
    width: int
    least: int
    room: int
    added: int
    mask: int
    first: tuple[int, ...]
    ends: tuple[int, ...]
    places: tuple[int, ...]
    low: tuple[int, ...]
    orders: tuple[int, ...]
    ways: tuple[int, ...]
    total: tuple[int, ...]
    orientations: tuple[int, ...]
    kept_by_place: tuple[int, ...]
    word: tuple[int, ...]
    shift: tuple[int, ...]
    masks: tuple[int, ...]
    halved: tuple[int, ...]
    odd: tuple[int, ...]
    counted: tuple[int, ...]
    value: tuple[int, ...]
    place_weight: tuple[tuple[int, ...], ...]
    field_weight: tuple[int, ...]
    bits: tuple[int, ...]
    below: tuple[int, ...]
    ones: tuple[int, ...]
    turned: tuple[tuple[int, ...], ...]
    summed: tuple[int, ...]


class Part(NamedTuple):
    """What is known of one component before it is numbered."""

    fields: list[Field]
    first: int
    places: int
    low: int
    is_halved: bool
    is_summed: bool
    orientations: int
    looks: tuple[int, ...]
    """By place, as many of each as there are pieces; none if the component is kept by piece."""
    turned: tuple[int, ...]
    """By look."""

    @property
    def orders(self) -> int:
        """How many numbers the places of its pieces take."""
        if self.looks:
            same = math.prod(map(math.factorial, Counter(self.looks).values()))
            return math.factorial(self.places) // same
        return math.perm(self.places, len(self.fields)) >> self.is_halved

    @property
    def ways(self) -> int:
        """How many numbers their turns take."""
        if self.turns_by_place:
            return int(self.orientations ** (self.places - self.is_summed))
        if self.looks:
            return math.prod(self.turned[look] for look in self.looks)
        return math.prod(field.counted for field in self.fields)

    @property
    def turns_by_place(self) -> bool:
        """Whether turns are numbered by place alone, whatever piece is there."""
        if self.looks:
            return all(self.turned[look] == self.orientations for look in self.looks)
        return len(self.fields) == self.places and all(
            field.counted == self.orientations for field in self.fields
        )

    @property
    def place_weights(self) -> list[int]:
        """What a turn counts for, by place: all 0 if that depends on the piece."""
        if not self.turns_by_place:
            return [0] * self.places
        weights = [int(self.orientations**place) for place in range(self.places)]
        return [*weights[:-1], 0] if self.is_summed else weights

    @property
    def field_weights(self) -> list[int]:
        """What a turn counts for, by field: all 0 if that depends on the place."""
        if self.turns_by_place or self.looks:
            return [0] * len(self.fields)
        return [
            math.prod(field.counted for field in self.fields[:i]) for i in range(len(self.fields))
        ]

    @property
    def bits(self) -> int:
        """How many the number of places takes."""
        return self.places.bit_length()

    @property
    def spread(self) -> int:
        """How many bits `RankTables.below` takes."""
        return (max(self.looks) + 2) * self.bits if self.looks else 0

    @property
    def below(self) -> int:
        """How many pieces look less than each look, packed."""
        if not self.looks:
            return 0
        ends = range(max(self.looks) + 2)
        return sum(sum(look < end for look in self.looks) << self.bits * end for end in ends)

    @property
    def ones(self) -> int:
        """The lowest bit of each number in `below`."""
        return sum(1 << i for i in range(0, self.spread, self.bits))


def parts_of(layout: Layout) -> list[Part]:
    """The components that move, in the order of the numbers: the last counts least."""
    group = layout.group
    basis = Invariants.of(group.components, group.motions).basis
    parts = []
    first = 0
    for shape in layout.shapes:
        each = layout.components[shape.component]
        orbit = layout.definition.orbits[each.orbit]
        fields = layout.fields_of[shape.component]
        whole = len(fields) == len(each.places)
        turn, odd = (math.gcd(*(row[2 * shape.component + i] for row in basis)) for i in (0, 1))
        parts.append(
            Part(
                fields,
                first,
                len(each.places),
                shape.item_bits,
                is_halved=whole and not shape.by_place and len(fields) > 1 and odd == 2,
                is_summed=whole
                and turn == each.orientations
                and each.orientations > 1
                and all(orbit.counted[place] == each.orientations for place in each.places),
                orientations=each.orientations,
                looks=tuple(orbit.looks[p] for p in each.places) if shape.by_place else (),
                turned=counted_of(orbit),
            )
        )
        first += len(fields)
    return parts


def tables_of(layout: Layout, parts: Sequence[Part], goal: Sequence[int]) -> RankTables:
    """The tables for states that can become `goal`."""
    most = max((part.places for part in parts), default=1)
    looks = max(len(part.turned) for part in parts)
    fields = [field for part in parts for field in part.fields]
    masks = [(1 << layout.words[field.word].bits) - 1 for field in fields]
    codes = [
        goal[field.word] >> field.shift & mask for field, mask in zip(fields, masks, strict=True)
    ]
    here = [codes[part.first : part.first + len(part.fields)] for part in parts]
    by_place = [int(bool(part.looks)) for part in parts]
    width, size = layout.words[0].bits, len(fields)
    filled = next((most for most in FILLED if size <= most and width * most <= WORD_BITS), size)
    more = filled - size
    return RankTables(
        words=len(layout.words),
        by_place=by_place[0] if len(set(by_place)) == 1 else 2,
        filled=filled,
        width=width,
        least=sum(min(parts[0].looks, default=0) << field.shift for field in fields),
        room=width * more,
        added=sum(min(i, more) << width * i for i in range(filled)),
        mask=masks[0],
        first=tuple(part.first for part in parts),
        ends=tuple(part.first + len(part.fields) for part in parts),
        places=tuple(part.places for part in parts),
        low=tuple(part.low for part in parts),
        orders=tuple(part.orders for part in parts),
        ways=tuple(part.ways for part in parts),
        total=tuple(
            sum(code >> part.low for code in found) % part.orientations
            for part, found in zip(parts, here, strict=True)
        ),
        orientations=tuple(part.orientations for part in parts),
        kept_by_place=tuple(by_place),
        word=tuple(field.word for field in fields),
        shift=tuple(field.shift for field in fields),
        masks=tuple(masks),
        halved=tuple(1 + part.is_halved for part in parts),
        odd=tuple(
            0 if part.looks else parity([code & (1 << part.low) - 1 for code in found])
            for part, found in zip(parts, here, strict=True)
        ),
        counted=tuple(field.counted for field in fields),
        value=tuple(
            math.perm(part.places - 1 - i, len(part.fields) - 1 - i)
            for part in parts
            for i in range(len(part.fields))
        ),
        place_weight=tuple((*part.place_weights, *[0] * (most - part.places)) for part in parts),
        field_weight=tuple(weight for part in parts for weight in part.field_weights),
        bits=tuple(part.bits for part in parts),
        below=tuple(part.below for part in parts),
        ones=tuple(part.ones for part in parts),
        turned=tuple((*part.turned, *[1] * (looks - len(part.turned))) for part in parts),
        summed=tuple(int(part.is_summed) for part in parts),
    )
