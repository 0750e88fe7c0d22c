"""The pattern space of a permutation puzzle: pattern databases of any of its pieces.

A pattern state has the codes of its group's coordinates side by side, so that a move takes a
look-up for each (see `searchkit.pieces.coordinates`). Its entry has the numbers of their placements
as digits, each among the places that those before have left, and then those of their turns.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import attrs
import numpy as np

from searchkit.errors import UnsuitableError
from searchkit.packed import PackedStep
from searchkit.pattern_space import WORD_BITS_USED, Pattern, PatternSpace
from searchkit.pieces.coordinates import (
    Array,
    Coordinate,
    coordinates,
    placed,
    relative,
    set_numbers,
)
from searchkit.pieces.groups import check_groups, marks_of, name_of
from searchkit.pieces.layout import Layout

MOST_ENTRIES = 1 << 40
MOST_BY_KEY = 1 << 16
"""Codes are listed by keys below this, not looked for."""
SET_BITS = 16
SET_MASK = (1 << SET_BITS) - 1
WIDE = ("parts", "keys")
"""Arrays of numbers that may have more than 32 bits."""
NOTHING = (
    "mask", "turn_bits", "first", "links", "needs", "first_set", "first_field", "end_field",
    "first_part", "first_key", "end_key",
)  # fmt: skip
"""What is 0 of a slot that a group does not need."""
MOST_LINKS = 3
"""A set of places is kept for each of the coordinates that others are relative to."""


class SpaceTables(NamedTuple):
    """What the kernels look up; slot `i` of group `g`, for a coordinate each, is `g * most + i`.

    A code has `bits`, from `shift` on, of which the lowest `turn_bits` are one of `ways` to turn a
    placement, one of `radix`. `after[first + code * operators + operator]` is a code after an
    operator. The `links` slots before a slot are on the same places: `sets` has, from `first_set`
    on, the number of the set of places that the number of a placement takes, if one after it
    `needs` that; `numbers[first_number + set * width + number]` is the number of a placement among
    the places that are left, of which there are `back_width`, and `back` the reverse. `total` is
    how many ways there are for a group. Keys are added up from `parts`, by the fields from
    `first_field` to `end_field`, and looked for among those from `first_key` to `end_key`; if these
    are equal, codes are by key. What is `inverse` further on in `parts` is for the key of the
    inverse state.
    """

    operators: int
    most: int
    value_bits: int
    inverse: int
    size: tuple[int, ...]
    total: tuple[int, ...]
    shift: tuple[int, ...]
    mask: tuple[int, ...]
    turn_bits: tuple[int, ...]
    ways: tuple[int, ...]
    radix: tuple[int, ...]
    first: tuple[int, ...]
    after: Any
    links: tuple[int, ...]
    needs: tuple[int, ...]
    first_set: tuple[int, ...]
    sets: Any
    first_number: tuple[int, ...]
    width: tuple[int, ...]
    back_width: tuple[int, ...]
    numbers: Any
    first_back: tuple[int, ...]
    back: Any
    first_field: tuple[int, ...]
    end_field: tuple[int, ...]
    first_part: tuple[int, ...]
    parts: Any
    first_key: tuple[int, ...]
    end_key: tuple[int, ...]
    keys: Any
    codes: Any


class PieceSpace(PatternSpace):
    """The space of some groups of pieces, numbered as in `searchkit.pieces.groups`.

    Every move counts in every group that it changes. Values are added up where no move changes two
    groups. Raises `UsageError` and `UnsuitableError` for groups that cannot be.
    """

    parts = ("problem",)
    constants = ("operators", "most", "value_bits", "inverse")
    undirected = True

    def __init__(self, problem: Any, groups: Sequence[Pattern]) -> None:
        self.problem = problem
        self.groups = tuple(map(tuple, groups))
        layout: Layout = problem.layout
        check_groups(layout.definition, self.groups)
        goal = problem.unpack(problem.goal)
        self._names = [name_of(layout.definition, group) for group in self.groups]
        self._slots = [
            coordinates(layout, goal, marks_of(layout.definition, group)) for group in self.groups
        ]
        self._puzzle = layout.definition.name
        self.operators = len(layout.steps)
        maker = _Maker(layout, self._slots)
        self.tables = maker.tables
        self._digests = [
            hashlib.sha256(b"".join(_described(slots))).hexdigest()[:32] for slots in self._slots
        ]
        for group, name in enumerate(self._names):
            if maker.bits[group] > WORD_BITS_USED or self.entries(group) > MOST_ENTRIES:
                raise UnsuitableError(
                    f"pattern {name} has {self.entries(group):,} entries, too many for a "
                    "database; name fewer pieces"
                )
        acting = [self._acting(slots) for slots in self._slots]
        self.additive = len(self.groups) > 1 and sum(map(len, acting)) == len(set().union(*acting))

    def _acting(self, slots: Sequence[Coordinate]) -> set[int]:
        """The operators that change a group."""
        found: set[int] = set()
        for each in slots:
            same = each.after[each.codes] == each.codes[:, None]
            found |= set(np.flatnonzero(~same.all(axis=0)).tolist())
        return found

    def name_of(self, group: int) -> str:
        """As `searchkit.pieces.groups` reads it."""
        return self._names[group]

    def identity(self, group: int) -> Mapping[str, Any]:
        """The puzzle, the pieces, and a digest of what the moves make of them."""
        return {
            "puzzle": self._puzzle,
            "pattern": self._names[group],
            "moves": self._digests[group],
            "counts": "all moves",
        }

    def entries(self, group: int) -> int:
        """The placements, times the ways to turn them."""
        most = self.tables.most
        radix = self.tables.radix[group * most : group * most + most]
        return int(math.prod(radix) * self.tables.total[group])

    def goals(self, group: int) -> list[tuple[int, int]]:
        """The goal of the puzzle."""
        first = group * self.tables.most
        codes = enumerate(each.goal for each in self._slots[group])
        return [(sum(code << self.tables.shift[first + i] for i, code in codes), 1)]

    def locate(self, state: Any, image: int, group: int) -> int:
        """Kernel: the codes of the keys of a state. O(fields + log(arrangements))."""
        word = 0
        for i in range(self.tables.size[group]):
            slot = group * self.tables.most + i
            key = 0
            part = self.tables.first_part[slot] + image * self.tables.inverse
            for field in range(self.tables.first_field[slot], self.tables.end_field[slot]):
                key += int(self.tables.parts[part + self.problem.field(state, field)])
                part += 1 << self.tables.value_bits
            low = self.tables.first_key[slot]
            high = self.tables.end_key[slot]
            if high == low:  # codes are by key
                low += key
            while high - low > 1:
                middle = low + high >> 1
                if self.tables.keys[middle] <= key:
                    low = middle
                else:
                    high = middle
            word |= int(self.tables.codes[low]) << self.tables.shift[slot]
        return int(word)

    def moved(self, word: int, step: PackedStep, image: int, group: int) -> int:
        """Kernel: each code after the operator. O(coordinates)."""
        _, _, operator, _ = step
        return self.previous(word, group, operator, 0)

    def previous(self, word: int, group: int, operator: int, choice: int) -> int:
        """Kernel: each code after an operator: all moves can be taken back by another one."""
        after = 0
        for i in range(self.tables.size[group]):
            slot = group * self.tables.most + i
            code = word >> self.tables.shift[slot] & self.tables.mask[slot]
            row = self.tables.first[slot] + code * self.tables.operators
            after |= int(self.tables.after[row + operator]) << self.tables.shift[slot]
        return after

    def rank(self, word: int, group: int) -> int:
        """Kernel: the numbers of placements as digits, then those of turns. O(coordinates)."""
        entry = 0
        turns = 0
        known = 0
        for i in range(self.tables.size[group]):
            slot = group * self.tables.most + i
            code = word >> self.tables.shift[slot] & self.tables.mask[slot]
            number = code >> self.tables.turn_bits[slot]
            turn = code ^ number << self.tables.turn_bits[slot]
            for link in range(self.tables.links[slot]):
                at = slot * MOST_LINKS + link
                row = (known >> SET_BITS * link & SET_MASK) * self.tables.width[at]
                number = int(self.tables.numbers[self.tables.first_number[at] + row + number])
            if self.tables.links[slot] == 0:
                known = 0
            if self.tables.needs[slot] != 0:
                taken = int(self.tables.sets[self.tables.first_set[slot] + number])
                known |= taken << SET_BITS * self.tables.links[slot]
            entry = entry * self.tables.radix[slot] + number
            turns = turns * self.tables.ways[slot] + turn
        return int(entry * self.tables.total[group] + turns)

    def unrank(self, entry: int, group: int) -> int:
        """Kernel: the pattern state with that entry. O(coordinates)."""
        size = self.tables.size[group]
        places = entry // self.tables.total[group]
        turns = entry - places * self.tables.total[group]
        word = 0
        for k in range(size):
            slot = group * self.tables.most + size - 1 - k
            rest = places // self.tables.radix[slot]
            number = places - rest * self.tables.radix[slot]
            left = turns // self.tables.ways[slot]
            code = number << self.tables.turn_bits[slot] | turns - left * self.tables.ways[slot]
            word |= code << self.tables.shift[slot]
            places = rest
            turns = left
        # Numbers among the places that are left become numbers among all places.
        known = 0
        for i in range(size):
            slot = group * self.tables.most + i
            links = self.tables.links[slot]
            code = word >> self.tables.shift[slot] & self.tables.mask[slot]
            number = code >> self.tables.turn_bits[slot]
            if links == 0:
                known = 0
            if self.tables.needs[slot] != 0:
                taken = int(self.tables.sets[self.tables.first_set[slot] + number])
                known |= taken << SET_BITS * links
            own = number
            for k in range(links):
                link = links - 1 - k
                at = slot * MOST_LINKS + link
                row = (known >> SET_BITS * link & SET_MASK) * self.tables.back_width[at]
                number = int(self.tables.back[self.tables.first_back[at] + row + number])
            word ^= (own ^ number) << self.tables.shift[slot] + self.tables.turn_bits[slot]
        return word


class InversePieceSpace(PieceSpace):
    """The same where the inverse of a state, which is as far from the goal, is looked up as well.

    (A. Felner, U. Zahavi, J. Schaeffer and R. Holte, Dual lookups in pattern databases, 2005.)
    """

    images = 2

    def moved(self, word: int, step: PackedStep, image: int, group: int) -> int:
        """Kernel: each code after the operator; that of the inverse is found from the child."""
        _, _, operator, child = step
        if image == 1:
            return self.locate(child, image, group)
        return self.previous(word, group, operator, 0)


def _described(slots: Sequence[Coordinate]) -> Iterator[bytes]:
    """What a database of these coordinates depends on."""
    for each in slots:
        yield np.array([each.component, len(each.keys), each.ways, each.goal]).tobytes()
        yield np.ascontiguousarray(each.after).tobytes()


class _Maker:
    """Tables for the coordinates of some groups."""

    def __init__(self, layout: Layout, groups: Sequence[Sequence[Coordinate]]) -> None:
        self.layout = layout
        self.most = max(1, *map(len, groups))
        self.rows: dict[str, list[int]] = {}
        # None is empty: a group may have no coordinate, and a coordinate none before it.
        self.arrays = {
            name: [np.zeros(1, np.int64 if name in WIDE else np.int32)]
            for name in ("after", "sets", "numbers", "back", "parts", "keys", "codes")
        }
        self.bits: list[int] = []
        self.inverse = [np.zeros(1, np.int64)]
        self.value_bits = max(word.bits for word in layout.words)
        totals = []
        for slots in groups:
            shift = 0
            for i in range(self.most):
                shift += self._add(slots, i, shift) if i < len(slots) else self._add_none(shift)
            self.bits.append(shift)
            totals.append(math.prod(each.ways for each in slots))
        arrays: dict[str, Any] = {
            name: np.concatenate(found) for name, found in self.arrays.items()
        }
        straight = len(arrays["parts"])
        arrays["parts"] = np.concatenate([arrays["parts"], *self.inverse])
        self.tables = SpaceTables(
            operators=len(layout.steps),
            most=self.most,
            value_bits=self.value_bits,
            inverse=straight,
            size=tuple(map(len, groups)),
            total=tuple(totals),
            **{name: tuple(row) for name, row in self.rows.items()},
            **arrays,
        )

    def _append(self, name: str, values: Array) -> int:
        """Add values to an array: where they begin."""
        known = self.arrays[name]
        begins = sum(map(len, known))
        known.append(np.asarray(values).reshape(-1).astype(known[0].dtype))
        return begins

    def _note(self, **numbers: int) -> None:
        for name, number in numbers.items():
            self.rows.setdefault(name, []).append(int(number))

    def _add_none(self, shift: int) -> int:
        none = dict.fromkeys(NOTHING, 0)
        self._note(shift=shift, ways=1, radix=1, **none)
        self._no_links()
        return 0

    def _no_links(self) -> None:
        for _ in range(MOST_LINKS):
            self._note(first_number=0, width=0, back_width=0, first_back=0)

    def _add(self, slots: Sequence[Coordinate], i: int, shift: int) -> int:
        own = slots[i]
        bits = max(1, (len(own.after) - 1).bit_length())
        before = _linked(slots, i)
        has_next = i + 1 < len(slots) and bool(_linked(slots, i + 1))
        fields = self.layout.fields_of[own.component]
        self.inverse.append(self._parts(own.inverse_parts, len(fields)).reshape(-1))
        keys, codes, end = own.keys, own.codes, len(own.keys)
        if keys[-1] < MOST_BY_KEY:
            codes = np.zeros(int(keys[-1]) + 1, np.int64)
            codes[keys] = own.codes
            keys, end = np.zeros(len(codes), np.int64), 0
        first_key = self._append("keys", keys)
        self._append("codes", codes)
        self._note(
            shift=shift,
            mask=(1 << bits) - 1,
            turn_bits=own.turn_bits,
            ways=own.ways,
            first=self._append("after", own.after),
            links=len(before),
            needs=has_next,
            first_field=self.layout.fields.index(fields[0]),
            end_field=self.layout.fields.index(fields[0]) + len(fields),
            first_part=self._append("parts", self._parts(own.parts, len(fields))),
            first_key=first_key,
            end_key=first_key + end,
        )
        self._note(**self._linked_tables(own, before, has_next=has_next))
        return bits

    def _parts(self, own: Mapping[tuple[int, int], int], fields: int) -> Array:
        parts = np.zeros((fields, 1 << self.value_bits), np.int64)
        for (field, value), part in own.items():
            parts[field, value] = part
        return parts

    def _linked_tables(
        self, own: Coordinate, before: Sequence[Coordinate], *, has_next: bool
    ) -> dict[str, int]:
        """Tables of numbers among the places that coordinates before have left."""
        if len(before) > MOST_LINKS:
            raise UnsuitableError("a database of so many pieces is too large; name fewer pieces")
        if own.placements is None:
            self._no_links()
            return {"radix": own.places, "first_set": 0}
        universe = len(self.layout.components[own.component].places)
        placements = own.placements
        for each in before:
            assert each.placements is not None
            used = each.placements.shape[1]
            numbers, back = relative(placements, universe, used)
            self._note(
                first_number=self._append("numbers", numbers),
                width=numbers.shape[1],
                back_width=back.shape[1],
                first_back=self._append("back", back),
            )
            universe -= used
            placements = placed(universe, placements.shape[1])
        for _ in range(MOST_LINKS - len(before)):
            self._note(first_number=0, width=0, back_width=0, first_back=0)
        sets = set_numbers(placements, universe) if has_next else np.zeros(0)
        return {"radix": len(placements), "first_set": self._append("sets", sets)}


def _linked(slots: Sequence[Coordinate], i: int) -> list[Coordinate]:
    """The coordinates before one that are of pieces on the same places."""
    own = slots[i]
    if own.placements is None:
        return []
    return [
        each
        for each in slots[:i]
        if each.component == own.component and each.placements is not None
    ]


@attrs.frozen
class _Wanted:
    """A space that is wanted; puzzles that differ in their starts share it."""

    layout: Layout
    goal: Any
    groups: tuple[Pattern, ...]
    problem: Any = attrs.field(eq=False)


@lru_cache(maxsize=8)
def _made(wanted: _Wanted) -> PieceSpace:
    kind = InversePieceSpace if _has_cheap_inverses(wanted.layout) else PieceSpace
    return kind(wanted.problem, wanted.groups)


def _has_cheap_inverses(layout: Layout) -> bool:
    """Whether all pieces differ and none is turned: the inverse is looked up as fast then.

    By place, the looks of a component are the numbers of its places only if it is a whole orbit.
    """
    orbits = layout.definition.orbits
    return all(
        orbits[each.orbit].are_all_different
        and each.orientations == 1
        and (not layout.by_place or len(each.places) == orbits[each.orbit].places)
        for each in layout.components
        if each.moves
    )


def space_of(problem: Any, groups: Sequence[Pattern]) -> PieceSpace:
    """The space of some groups of a `Pieces`, made once for puzzles of one layout and goal."""
    return _made(_Wanted(problem.layout, problem.goal, tuple(map(tuple, groups)), problem))
