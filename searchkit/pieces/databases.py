"""The pattern space of a permutation puzzle: pattern databases of any of its pieces.

A pattern state has the codes of its group's coordinates side by side, so that a move takes a
look-up for each (see `searchkit.pieces.coordinates`). Its entry has the numbers of their placements
as digits, each among the places that those before have left, and then those of their turns.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from searchkit.capabilities import FieldImage
from searchkit.errors import UnsuitableError
from searchkit.packed import PackedStep
from searchkit.pattern_space import WORD_BITS_USED, Pattern, PatternSpace
from searchkit.pieces.coordinates import (
    MOST_LINKS,
    Array,
    Coordinate,
    coordinates,
    placed,
    relative,
    set_numbers,
)
from searchkit.pieces.groups import check_groups, marks_of, name_of
from searchkit.pieces.images import View, fields_under, views_of
from searchkit.pieces.layout import Layout

MOST_ENTRIES = 1 << 40
MOST_BY_KEY = 1 << 16
"""Codes are listed by keys below this, not looked for."""
SET_BITS = 16
SET_MASK = (1 << SET_BITS) - 1
WIDE = ("parts", "keys")
"""Arrays of numbers that may have more than 32 bits."""
NO_SLOT = {
    "mask": 0, "turn_bits": 0, "ways": 1, "radix": 1, "first": 0, "links": 0, "needs": 0,
    "first_set": 0, "first_key": 0, "end_key": 0,
}  # fmt: skip
"""What stands for a slot that a group does not need."""
NO_LINK = {"first_number": 0, "width": 0, "back_width": 0, "first_back": 0}


class SpaceTables(NamedTuple):
    """What the kernels look up; slot `i` of group `g`, for a coordinate each, is `g * most + i`.

    A code has `bits`, from `shift` on, of which the lowest `turn_bits` are one of `ways` to turn a
    placement, one of `radix`. `after[first + code * operators + operator]` is a code after an
    operator. The `links` slots before a slot are on the same places: `sets` has, from `first_set`
    on, the number of the set of places that the number of a placement takes, if one after it
    `needs` that; `numbers[first_number + set * width + number]` is the number of a placement among
    the places that are left, of which there are `back_width`, and `back` the reverse. `total` is
    how many ways there are for a group. The keys of image `k`, which has the slots from `k * slots`
    on, are added up from `parts`, by the fields from `first_field` to `end_field`, and looked for
    among those from `first_key` to `end_key`; if these are equal, codes are by key. Images from
    number `straight` on are inverse; `steps[k * operators + operator]` is what an operator does to
    image `k` before that.
    """

    operators: int
    most: int
    value_bits: int
    linked: int
    slots: int
    straight: int
    steps: tuple[int, ...]
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
    constants = ("operators", "most", "value_bits", "linked")
    undirected = True

    def __init__(
        self, problem: Any, groups: Sequence[Pattern], views: Sequence[View] | None = None
    ) -> None:
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
        acting = [self._acting(slots) for slots in self._slots]
        self.additive = len(self.groups) > 1 and sum(map(len, acting)) == len(set().union(*acting))
        maker = _Maker(layout, self._slots)
        self._entries = [maker.entries(group) for group in range(len(self.groups))]
        if views is None:
            views = views_of(layout, goal, self.groups, maker.is_whole, additive=self.additive)
        self.tables = maker.tables(views)
        self.images = len(views)
        if any(len(view.groups) < len(self.groups) for view in views):
            self.looked_up = tuple(view.groups for view in views)
        self._digests = [
            hashlib.sha256(b"".join(_described(slots))).hexdigest()[:32] for slots in self._slots
        ]
        for group, name in enumerate(self._names):
            if maker.bits[group] > WORD_BITS_USED or self.entries(group) > MOST_ENTRIES:
                raise UnsuitableError(
                    f"pattern {name} has {self.entries(group):,} entries, too many for a "
                    "database; name fewer pieces"
                )

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
        return self._entries[group]

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
            at = image * self.tables.slots + slot
            part = self.tables.first_part[at]
            for field in range(self.tables.first_field[at], self.tables.end_field[at]):
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
        """Kernel: each code after what the operator does to the image. O(coordinates).

        Those of an inverse are found from the child.
        """
        _, _, operator, child = step
        if image >= self.tables.straight:
            return self.locate(child, image, group)
        after = self.tables.steps[image * self.tables.operators + operator]
        return self.previous(word, group, after, 0)

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
            if self.tables.linked != 0:
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
        if self.tables.linked == 0:
            return word
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


def _described(slots: Sequence[Coordinate]) -> Iterator[bytes]:
    """What a database of these coordinates depends on."""
    for each in slots:
        yield np.array([each.component, len(each.keys), each.ways, each.goal]).tobytes()
        yield np.ascontiguousarray(each.after).tobytes()


class _Maker:
    """Tables for the coordinates of some groups."""

    def __init__(self, layout: Layout, groups: Sequence[Sequence[Coordinate]]) -> None:
        self.layout = layout
        self.groups = groups
        self.most = max(1, *map(len, groups))
        self.rows: dict[str, list[int]] = {}
        # None is empty: a group may have no coordinate, and a coordinate none before it.
        self.arrays = {
            name: [np.zeros(1, np.int64 if name in WIDE else np.int32)]
            for name in ("after", "sets", "numbers", "back", "parts", "keys", "codes")
        }
        self.bits: list[int] = []
        self.value_bits = max(word.bits for word in layout.words)
        self.totals: list[int] = []
        for slots in groups:
            shift = 0
            for i in range(self.most):
                slot, links = self._slot(slots, i) if i < len(slots) else (NO_SLOT, [])
                self._note(shift=shift, **slot)
                for link in [*links, *[NO_LINK] * MOST_LINKS][:MOST_LINKS]:
                    self._note(**link)
                shift += slot["mask"].bit_length()
            self.bits.append(shift)
            self.totals.append(math.prod(each.ways for each in slots))

    def entries(self, group: int) -> int:
        """The placements, times the ways to turn them."""
        radix = self.rows["radix"][group * self.most : group * self.most + self.most]
        return math.prod(radix) * self.totals[group]

    def is_whole(self, group: int) -> bool:
        """Whether there is an entry for each motion of its components: inverses are as far."""
        components = {each.component for each in self.groups[group]}
        return not components or self.entries(group) >= self.layout.group.order_on(*components)

    def tables(self, views: Sequence[View]) -> SpaceTables:
        """The tables, with those of the keys of some images."""
        for view in views:
            self._add_keys(view)
        arrays: dict[str, Any] = {
            name: np.concatenate(found) for name, found in self.arrays.items()
        }
        return SpaceTables(
            operators=len(self.layout.steps),
            most=self.most,
            value_bits=self.value_bits,
            linked=int(any(self.rows["links"])),
            slots=len(self.groups) * self.most,
            straight=sum(not view.is_inverse for view in views),
            steps=tuple(step for view in views for step in view.one.steps),
            size=tuple(map(len, self.groups)),
            total=tuple(self.totals),
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

    def _slot(
        self, slots: Sequence[Coordinate], i: int
    ) -> tuple[dict[str, int], list[dict[str, int]]]:
        """The numbers of a slot, and those of the slots before it that it is linked to."""
        own = slots[i]
        before = _linked(slots, i)
        has_next = i + 1 < len(slots) and bool(_linked(slots, i + 1))
        keys, codes, end = own.keys, own.codes, len(own.keys)
        if keys[-1] < MOST_BY_KEY:
            codes = np.zeros(int(keys[-1]) + 1, np.int64)
            codes[keys] = own.codes
            keys, end = np.zeros(len(codes), np.int64), 0
        first_key = self._append("keys", keys)
        self._append("codes", codes)
        first = self._append("after", own.after)
        radix, first_set, links = self._linked_tables(own, before, has_next=has_next)
        slot = {
            "mask": (1 << max(1, (len(own.after) - 1).bit_length())) - 1,
            "turn_bits": own.turn_bits, "ways": own.ways, "radix": radix, "first": first,
            "links": len(before), "needs": has_next, "first_set": first_set,
            "first_key": first_key, "end_key": first_key + end,
        }  # fmt: skip
        return slot, links

    def _add_keys(self, view: View) -> None:
        """What the fields of a state add to the keys of an image."""
        images = fields_under(self.layout, view.one)
        for slots in self.groups:
            for i in range(self.most):
                rows = self._parts(view, images, slots[i]) if i < len(slots) else {}
                first, end = min(rows, default=0), max(rows, default=-1) + 1
                parts = np.zeros((end - first, 1 << self.value_bits), np.int64)
                for number, row in rows.items():
                    parts[number - first, : len(row)] = row
                first_part = self._append("parts", parts)
                self._note(first_field=first, end_field=end, first_part=first_part)

    def _parts(
        self, view: View, images: Sequence[FieldImage], own: Coordinate
    ) -> dict[int, list[int]]:
        """By the number of a field: what its values add to the key of a coordinate, if anything."""
        fields = self.layout.fields_of[own.component]
        numbers = {(field.word, field.shift): i for i, field in enumerate(fields)}
        parts = own.inverse_parts if view.is_inverse else own.parts
        rows = {}
        for number, each in enumerate(images):
            i = numbers.get((each.to_word, each.to_shift))
            row = [] if i is None else [parts.get((i, value), 0) for value in each.values]
            if any(row):
                rows[number] = row
        return rows

    def _linked_tables(
        self, own: Coordinate, before: Sequence[Coordinate], *, has_next: bool
    ) -> tuple[int, int, list[dict[str, int]]]:
        """How many placements are left by coordinates before, where sets begin, and each link."""
        if len(before) > MOST_LINKS:
            raise UnsuitableError("a database of so many pieces is too large; name fewer pieces")
        if own.placements is None:
            return own.places, 0, []
        links = []
        universe = len(self.layout.components[own.component].places)
        placements = own.placements
        for each in before:
            assert each.placements is not None
            used = each.placements.shape[1]
            numbers, back = relative(placements, universe, used)
            first_number, first_back = self._append("numbers", numbers), self._append("back", back)
            row = (first_number, numbers.shape[1], back.shape[1], first_back)
            links.append(dict(zip(NO_LINK, row, strict=True)))
            universe -= used
            placements = placed(universe, placements.shape[1])
        sets = set_numbers(placements, universe) if has_next else np.zeros(0)
        return len(placements), self._append("sets", sets), links


def _linked(slots: Sequence[Coordinate], i: int) -> list[Coordinate]:
    """The coordinates before one that are of pieces on the same places."""
    same = [each for each in slots[: i + 1] if each.component == slots[i].component]
    return [] if slots[i].placements is None else [s for s in same[:-1] if s.placements is not None]
