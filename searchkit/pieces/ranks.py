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
from collections.abc import Sequence
from typing import Any, ClassVar

import attrs

from searchkit.bits import count_ones, lowest_one, replace_word, shift_right, zero_state
from searchkit.permutations import rank_permutation, unrank_permutation
from searchkit.pieces.layout import Layout
from searchkit.pieces.rank_tables import Part, RankTables, parts_of, tables_of

MOST_RANKS = 1 << 40
MOST_GAPS = 64
"""A hash table takes less than numbers of which fewer than one in this many belong to a state."""
COUNTED_BITS = 63
"""The bits that the numbers of pieces that are left must fit: see `RankTables.below`."""


@attrs.frozen(eq=False)
class Ranking:
    """Numbers of the states of a layout, of one word, from which a state can be reached.

    Its kernels are those of a puzzle that has it as a part.
    """

    constants: ClassVar[tuple[str, ...]] = ("by_place",)

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
        kind = cls if len(layout.words) == 1 else WideRanking
        if len(layout.words) == 1 and len(parts) == 1 and _is_order(parts[0]):
            kind = OrderRanking
        return kind(ranks, tables_of(layout, parts, goal))

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
        state = self.empty()
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
        return int(state >> self.tables.shift[field] & self.tables.mask)

    def empty(self) -> Any:
        """Kernel: a state in which all fields are 0."""
        return 0

    def put(self, state: Any, field: int, code: int) -> Any:
        """Kernel: a state with some bits of a field set."""
        return state | code << self.tables.shift[field]

    def has_turns_by_place(self, part: int) -> bool:
        """Whether the turns of a component are numbered by place, if it has any."""
        return self.tables.ways[part] == 1 or any(self.tables.place_weight[part])


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


@attrs.frozen(eq=False)
class WideRanking(Ranking):
    """Numbers of the states of a layout of several words."""

    def code(self, state: Any, field: int) -> int:
        """Kernel: the bits of a field."""
        word = state[self.tables.word[field]]
        return int(word >> self.tables.shift[field] & self.tables.masks[field])

    def empty(self) -> Any:
        """Kernel: a state in which all fields are 0."""
        return zero_state(self.tables.words)

    def put(self, state: Any, field: int, code: int) -> Any:
        """Kernel: a state with some bits of a field set."""
        word = self.tables.word[field]
        return replace_word(state, word, state[word] | code << self.tables.shift[field])
