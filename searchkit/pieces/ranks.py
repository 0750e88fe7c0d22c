"""Numbers for the states of a puzzle of pieces, without most of what cannot be reached.

Component by component: where pieces differ, their places in lexicographic order (D. H. Lehmer,
Teaching combinatorial tricks to a computer, 1960); where some look alike, so are the looks of the
places (D. E. Knuth, The Art of Computer Programming, section 7.2.1.2). Turns are digits. Where
moves keep the sum of a component's turns, its last turn is left out; where they are all even, one
of two orders of different pieces is. What the moves keep of several components together is not left
out: such numbers belong to no state.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import attrs

from searchkit.bits import WORD_BITS, count_ones, lowest_one, replace_word, shift_right, zero_state
from searchkit.permutations import rank_permutation, unrank_permutation
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


OF_PARTS = ["first", "places", "low", "orders", "ways", "orientations", "bits", "below", "ones"]
OF_FIELDS = ["word", "shift", "counted"]
"""What the tables have of each component, and of each field, by the names that it has there."""


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
        ends=tuple(part.first + len(part.fields) for part in parts),
        total=tuple(
            sum(code >> part.low for code in found) % part.orientations
            for part, found in zip(parts, here, strict=True)
        ),
        kept_by_place=tuple(by_place),
        masks=tuple(masks),
        halved=tuple(1 + part.is_halved for part in parts),
        odd=tuple(
            0 if part.looks else parity([code & (1 << part.low) - 1 for code in found])
            for part, found in zip(parts, here, strict=True)
        ),
        value=tuple(
            math.perm(part.places - 1 - i, len(part.fields) - 1 - i)
            for part in parts
            for i in range(len(part.fields))
        ),
        place_weight=tuple((*part.place_weights, *[0] * (most - part.places)) for part in parts),
        field_weight=tuple(weight for part in parts for weight in part.field_weights),
        turned=tuple((*part.turned, *[1] * (looks - len(part.turned))) for part in parts),
        summed=tuple(int(part.is_summed) for part in parts),
        **{name: tuple(getattr(part, name) for part in parts) for name in OF_PARTS},
        **{name: tuple(getattr(field, name) for field in fields) for name in OF_FIELDS},
    )


MOST_RANKS = 1 << 40
MOST_GAPS = 64
"""A hash table takes less than numbers of which fewer than one in this many belong to a state."""
COUNTED_BITS = 63
"""The bits that the numbers of pieces that are left must fit: see `RankTables.below`."""


@attrs.frozen(eq=False)
class Ranking:
    """Numbers of the states of a layout from which a state can be reached.

    Its kernels are those of a puzzle that has it as a part.
    """

    constants: ClassVar[tuple[str, ...]] = ("by_place", "words")

    ranks: int
    tables: RankTables

    @classmethod
    def of(cls, layout: Layout, goal: Sequence[int]) -> Ranking | None:
        """The numbers of states that can become `goal`; None if they would not be worth their room.

        There must be fields, and not too few of the numbers those of a state.
        """
        if not layout.fields:
            return None
        parts = parts_of(layout)
        ranks = math.prod(part.orders * part.ways for part in parts)
        if ranks > MOST_RANKS or ranks > MOST_GAPS * layout.group.count.states:
            return None
        if any(part.spread > COUNTED_BITS for part in parts):
            return None
        is_order = len(layout.words) == len(parts) == 1 and _is_order(parts[0])
        return (OrderRanking if is_order else cls)(ranks, tables_of(layout, parts, goal))

    def rank(self, state: Any) -> int:
        """Kernel: the number of a state. O(fields)."""
        rank = 0
        for part in range(len(self.tables.first)):
            if self.is_by_place(part):
                order = self.places_rank(state, part)
            else:
                order = self.pieces_rank(state, part)
            rank = rank * self.tables.orders[part] * self.tables.ways[part] + order
        return int(rank)

    def is_by_place(self, part: int) -> bool:
        """Kernel: whether a component is kept by place."""
        if self.tables.by_place == 2:
            return self.tables.kept_by_place[part] == 1
        return self.tables.by_place == 1

    def pieces_rank(self, state: Any, part: int) -> int:
        """Kernel: the number of what is in a component kept by piece."""
        low = self.tables.low[part]
        left = (1 << self.tables.places[part]) - 1
        order = 0
        turns = 0
        for field in range(self.tables.first[part], self.tables.ends[part]):
            code = self.code(state, field)
            one = 1 << (code & (1 << low) - 1)
            order += count_ones(left & (one - 1)) * self.tables.value[field]
            left ^= one
            weight = self.tables.place_weight[part][code & (1 << low) - 1]
            turns += (code >> low) * (weight + self.tables.field_weight[field])
        return int(order // self.tables.halved[part] * self.tables.ways[part] + turns)

    def places_rank(self, state: Any, part: int) -> int:
        """Kernel: the number of what is in a component kept by place."""
        low = self.tables.low[part]
        bits = self.tables.bits[part]
        below = self.tables.below[part]
        left = self.tables.places[part]
        ends = self.tables.ends[part]
        ways = self.tables.orders[part]
        order = 0
        turns = 0
        weight = 1
        for field in range(self.tables.first[part], ends):
            code = self.code(state, field)
            look = code & (1 << low) - 1
            less = below >> bits * look & (1 << bits) - 1
            same = (below >> bits * (look + 1) & (1 << bits) - 1) - less
            order += ways * less // left
            ways = ways * same // left
            below -= self.tables.ones[part] >> bits * (look + 1) << bits * (look + 1)
            left -= 1
            if left >= self.tables.summed[part]:
                turns += (code >> low) * weight
            weight *= self.tables.turned[part][look]
        return int(order * self.tables.ways[part] + turns)

    def unrank(self, index: int) -> Any:
        """Kernel: the state with a number. O(fields * places)."""
        state = zero_state(self.tables.words)
        rest = index
        for count in range(len(self.tables.first)):
            part = len(self.tables.first) - 1 - count
            turns = rest % self.tables.ways[part]
            rest = rest // self.tables.ways[part]
            number = rest % self.tables.orders[part]
            rest = rest // self.tables.orders[part]
            if self.is_by_place(part):
                state = self.with_places(state, part, number, turns)
                continue
            # Not a kernel of its own, which machine code would call: with all tables.
            low = self.tables.low[part]
            order = number * self.tables.halved[part]
            left = (1 << self.tables.places[part]) - 1
            ends = self.tables.ends[part]
            odd = self.tables.odd[part]
            last = self.tables.total[part]
            follows = -1
            for field in range(self.tables.first[part], ends):
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
                turn = 0
                if weight == 0:
                    follows = field
                else:
                    turn = turns // weight % self.tables.counted[field]
                    last += self.tables.orientations[part] - turn
                state = self.put(state, field, place | turn << low)
            if follows >= 0:
                state = self.put(state, follows, last % self.tables.orientations[part] << low)
        return state

    def with_places(self, state: Any, part: int, number: int, turns: int) -> Any:
        """Kernel: a state in which a component kept by place is filled."""
        low = self.tables.low[part]
        bits = self.tables.bits[part]
        mask = (1 << bits) - 1
        below = self.tables.below[part]
        left = self.tables.places[part]
        ways = self.tables.orders[part]
        order = number
        rest = turns
        last = self.tables.total[part]
        for field in range(self.tables.first[part], self.tables.ends[part]):
            look = 0
            while ways * (below >> bits * (look + 1) & mask) // left <= order:
                look += 1
            less = below >> bits * look & mask
            same = (below >> bits * (look + 1) & mask) - less
            order -= ways * less // left
            ways = ways * same // left
            below -= self.tables.ones[part] >> bits * (look + 1) << bits * (look + 1)
            left -= 1
            if left >= self.tables.summed[part]:
                turn = rest % self.tables.turned[part][look]
                rest = rest // self.tables.turned[part][look]
            else:
                turn = last % self.tables.orientations[part]
            last += self.tables.orientations[part] - turn
            state = self.put(state, field, look | turn << low)
        return state

    def code(self, state: Any, field: int) -> int:
        """Kernel: the bits of a field."""
        if self.tables.words == 1:
            return int(state >> self.tables.shift[field] & self.tables.mask)
        word = state[self.tables.word[field]]
        return int(word >> self.tables.shift[field] & self.tables.masks[field])

    def put(self, state: Any, field: int, code: int) -> Any:
        """Kernel: a state with some bits of a field set."""
        bits = code << self.tables.shift[field]
        if self.tables.words == 1:
            return state | bits
        word = self.tables.word[field]
        return replace_word(state, word, state[word] | bits)


def _is_order(part: Part) -> bool:
    """Whether a component has a different look in each place, all in a row, and nothing turns."""
    looks = sorted(part.looks)
    in_a_row = list(range(looks[0], looks[0] + part.places)) if looks else None
    return looks == in_a_row and part.ways == 1


@attrs.frozen(eq=False)
class OrderRanking(Ranking):
    """Numbers where the state is the order of different pieces, kept by place."""

    constants = ("filled", "width")

    def rank(self, state: Any) -> int:
        """Kernel: the place of the order. O(fields)."""
        order = (state - self.tables.least << self.tables.room) + self.tables.added
        return rank_permutation(order, self.tables.width, self.tables.filled)

    def unrank(self, index: int) -> Any:
        """Kernel: the order with a number. O(fields)."""
        order = unrank_permutation(index, self.tables.width, self.tables.filled)
        return shift_right(order - self.tables.added, self.tables.room) + self.tables.least
