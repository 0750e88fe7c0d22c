"""How the states of a permutation puzzle are packed into words.

Pieces of a component that all look different are kept *by piece*: a field of bits for each, its
place in the component and, above that, how it is turned. If all of the others look alike, turned
anyhow, they have no field: they are where there is room. Otherwise a component is kept *by place*:
a field for each place, the look of what is there, and how it is turned. Either way a move looks up
what it makes of a field; by place, fields move as well. Components without motion have no field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import attrs

from searchkit.bits import WORD_BITS
from searchkit.errors import ParseError
from searchkit.pieces.changes import Change, inverse
from searchkit.pieces.components import Component, displaced
from searchkit.pieces.definition import Definition, Power
from searchkit.pieces.group import Group
from searchkit.pieces.patterns import Pattern, counted_of, solved
from searchkit.pieces.symmetries import Symmetries

Rows = tuple[tuple[int, ...], ...]
REVERSIBLE = (4, 8)
"""The widths of fields whose order in a word can be reversed quickly."""


@attrs.frozen
class Field:
    """Some bits of a state: what they are of, and where they are.

    `item` is the piece (the number, in its component, of the place where it belongs) or the
    place. `counted` is modulo which number its orientations are told apart; by place, 0.
    """

    component: int
    item: int
    counted: int
    word: int
    shift: int


@attrs.frozen
class Word:
    """Fields of one word, `bits` each, of which all are by place, or all by piece."""

    bits: int
    by_place: bool
    fields: tuple[Field, ...]


@attrs.frozen
class Shape:
    """How a component is kept; `item_bits` say the place or look, `turn_bits` how it is turned."""

    component: int
    by_place: bool
    item_bits: int
    turn_bits: int
    items: tuple[int, ...]
    """The pieces, or the places, that have fields."""

    @property
    def bits(self) -> int:
        """The width of a field."""
        return max(1, self.item_bits + self.turn_bits)


@attrs.frozen(eq=False)
class Layout:
    """The packing of a definition's states; with `by_place`, all of it is by place."""

    definition: Definition
    by_place: bool = False

    @cached_property
    def group(self) -> Group:
        """The group of the moves."""
        return Group(self.definition)

    @cached_property
    def steps(self) -> tuple[Power, ...]:
        """The operators."""
        return self.definition.steps

    @cached_property
    def labels(self) -> tuple[Any, ...]:
        """The actions of the operators."""
        return tuple(self.definition.label(step.name) for step in self.steps)

    @cached_property
    def inverses(self) -> tuple[int | None, ...]:
        """The operator that takes each one back."""
        numbers = {step.motion: number for number, step in enumerate(self.steps)}
        return tuple(numbers.get(inverse(step.motion)) for step in self.steps)

    @property
    def components(self) -> tuple[Component, ...]:
        """Those of the group."""
        return self.group.components

    @cached_property
    def changes(self) -> tuple[tuple[Change, ...], ...]:
        """By component and operator: what it does to the places there, by their numbers there."""
        return tuple(
            tuple(each.own(step.motion[each.orbit]) for step in self.steps)
            for each in self.components
        )

    @cached_property
    def symmetries(self) -> Symmetries:
        """Those of the definition."""
        return Symmetries(self.definition)

    @cached_property
    def at(self) -> dict[tuple[int, int], tuple[int, int]]:
        """The component of each place of an orbit, and its number there."""
        return {
            (each.orbit, place): (number, item)
            for number, each in enumerate(self.components)
            for item, place in enumerate(each.places)
        }

    @cached_property
    def illegal(self) -> dict[int, list[tuple[int, int]]]:
        """By component: the places, by their numbers there, and the looks that they may not have.

        What cannot come to a place is left out.
        """
        looks: dict[tuple[int, int], set[int]] = {}
        for number, each in enumerate(self.components):
            orbit = self.definition.orbits[each.orbit]
            for place in each.places:
                looks.setdefault((number, orbit.pieces[place]), set()).add(orbit.looks[place])
        found: dict[int, list[tuple[int, int]]] = {}
        for orbit_number, orbit in enumerate(self.definition.orbits):
            for place, label in orbit.illegal:
                number, item = self.at[orbit_number, place]
                there = sorted(looks.get((number, label), ()))
                if self.components[number].moves and there:
                    found.setdefault(number, []).extend((item, look) for look in there)
        return found

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        """How each component that moves is kept, the widest fields first."""
        found = [self._shape(i) for i, each in enumerate(self.components) if each.moves]
        return tuple(sorted(found, key=lambda each: (each.by_place, -each.bits, -len(each.items))))

    def _shape(self, number: int) -> Shape:
        each = self.components[number]
        orbit = self.definition.orbits[each.orbit]
        looks = [orbit.looks[place] for place in each.places]
        counted = counted_of(orbit)
        twins = {look for look, times in Counter(looks).items() if times > 1}
        by_place = self.by_place or len(twins) > 1 or any(counted[look] > 1 for look in twins)
        by_place |= any(look in twins for _, look in self.illegal.get(number, ()))
        items = [i for i, look in enumerate(looks) if by_place or look not in twins]
        values = (max(looks) if by_place else len(looks) - 1).bit_length()
        turns = max((counted[look] for look in looks if by_place or look not in twins), default=1)
        return Shape(number, by_place, values, (turns - 1).bit_length(), tuple(items))

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """The fields, word by word: all in one word if they fit, of one width then."""
        count = sum(len(shape.items) for shape in self.shapes)
        widest = max((shape.bits for shape in self.shapes), default=1)
        alike = len({shape.by_place for shape in self.shapes}) < 2
        words: list[list[Any]] = []
        for shape in self.shapes:
            bits = widest if alike and count * widest <= WORD_BITS else shape.bits
            if self.by_place:
                bits = next((width for width in REVERSIBLE if widest <= width), widest)
            for item in shape.items:
                if (
                    not words
                    or words[-1][1] != shape.by_place
                    or (len(words[-1][2]) + 1) * words[-1][0] > WORD_BITS
                ):
                    words.append([bits, shape.by_place, []])
                width, _, fields = words[-1]
                each = self.components[shape.component]
                counted = self.definition.orbits[each.orbit].counted[each.places[item]]
                modulus, at = 0 if shape.by_place else counted, width * len(fields)
                fields.append(Field(shape.component, item, modulus, len(words) - 1, at))
        if not words:
            words = [[1, False, []]]
        return tuple(Word(bits, by_place, tuple(fields)) for bits, by_place, fields in words)

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """Those of all words."""
        return tuple(field for word in self.words for field in word.fields)

    @cached_property
    def shape_of(self) -> dict[int, Shape]:
        """How each component that moves is kept, by its number."""
        return {shape.component: shape for shape in self.shapes}

    def pack(self, pattern: Pattern) -> tuple[int, ...]:
        """The words of a pattern; `ParseError` if it has pieces where they can never come to."""
        strange = displaced(self.definition, self.components, pattern)
        still = strange or self._stirred(pattern)
        if still is not None:
            orbit = self.definition.orbits[still.orbit]
            raise ParseError(
                f"orbit {orbit.name}, places {', '.join(map(str, still.places[:8]))}: no move "
                "leads there what is there, so that this can never be solved"
            )
        words = [0] * len(self.words)
        for number, shape in self.shape_of.items():
            each = self.components[number]
            orbit = self.definition.orbits[each.orbit]
            row = pattern[each.orbit]
            where = {row[place][0]: i for i, place in enumerate(each.places)}
            for field in self.fields_of[number]:
                if shape.by_place:
                    value, turned = row[each.places[field.item]]
                else:
                    value = where[orbit.looks[each.places[field.item]]]
                    turned = row[each.places[value]][1]
                words[field.word] |= (value | turned << shape.item_bits) << field.shift
        return tuple(words)

    def are_states(self, rows: Any, goal: Any) -> bool:
        """Whether all rows of words have in each field what can be there, and nothing beside.

        By piece, no two pieces are in one place; by place, the pieces are those of the row `goal`.
        O(rows x fields).
        """
        import numpy as np  # noqa: PLC0415  (few searches read files)

        words = np.concatenate([np.reshape(goal, (1, -1)), rows.reshape(len(rows), -1)])
        words = words.astype(np.int64).view(np.uint64)
        for number, fields in self.fields_of.items():
            shape, items = self.shape_of[number], []
            for field in fields:
                known = np.zeros(1 << shape.bits, dtype=bool)
                known[[value for value, *_ in self.values_of(field)]] = True
                mask = np.uint64((1 << shape.bits) - 1)
                codes = (words[:, field.word] >> np.uint64(field.shift) & mask).astype(np.int64)
                words[:, field.word] &= ~(mask << np.uint64(field.shift))
                if not known[codes].all():
                    return False
                items.append(codes & (1 << shape.item_bits) - 1)
            taken = np.sort(items, axis=0)
            wrong = taken != taken[:, :1] if shape.by_place else taken[1:] == taken[:-1]
            if wrong.any():
                return False
        return not words.any()

    def values_of(self, field: Field) -> Iterator[tuple[int, int, int, int]]:
        """All values of a field: each with the place, look and turn of a piece that it tells.

        The place is by its number in the component.
        """
        each, low = self.components[field.component], self.shape_of[field.component].item_bits
        looks = self.definition.orbits[each.orbit].looks
        counted = counted_of(self.definition.orbits[each.orbit])
        if field.counted:
            here = [(i, i, looks[each.places[field.item]]) for i in range(len(each.places))]
        else:
            here = [(look, field.item, look) for look in sorted({looks[p] for p in each.places})]
        for value, item, look in here:
            for turned in range(counted[look]):
                yield value | turned << low, item, look, turned

    def _stirred(self, pattern: Pattern) -> Component | None:
        """A component without motion that is not solved."""
        home = solved(self.definition)
        for each in self.components:
            row, wanted = pattern[each.orbit], home[each.orbit]
            if not each.moves and any(row[place] != wanted[place] for place in each.places):
                return each
        return None

    @cached_property
    def fields_of(self) -> dict[int, list[Field]]:
        """The fields of each component that moves."""
        found: dict[int, list[Field]] = {shape.component: [] for shape in self.shapes}
        for field in self.fields:
            found[field.component].append(field)
        return found

    def unpack(self, words: Sequence[int]) -> Pattern:
        """The pattern of a state."""
        rows = [list(row) for row in solved(self.definition)]
        for number, shape in self.shape_of.items():
            each = self.components[number]
            orbit = self.definition.orbits[each.orbit]
            bits, low = (1 << shape.bits) - 1, shape.item_bits
            if not shape.by_place and len(shape.items) < len(each.places):
                free = next(i for i, item in enumerate((*shape.items, -1)) if i != item)
                for place in each.places:  # what has no field is everywhere else
                    rows[each.orbit][place] = orbit.looks[each.places[free]], 0
            for field in self.fields_of[number]:
                code = words[field.word] >> field.shift & bits
                value, turned = code & (1 << low) - 1, code >> low
                if shape.by_place:
                    rows[each.orbit][each.places[field.item]] = value, turned
                else:
                    look = orbit.looks[each.places[field.item]]
                    rows[each.orbit][each.places[value]] = look, turned
        return tuple(tuple(row) for row in rows)

    @cached_property
    def kinds(self) -> tuple[tuple[int, int], ...]:
        """The kinds of fields by piece: component, and modulo what they are turned."""
        fields = (field for field in self.fields if field.counted)
        return tuple(dict.fromkeys((field.component, field.counted) for field in fields))

    @cached_property
    def turns(self) -> tuple[tuple[int, int], ...]:
        """The different things that happen to a field by place: component, and how far it turns."""
        found = (
            (field.component, self.changes[field.component][operator].turns[field.item])
            for operator in range(len(self.steps))
            for field in self.fields
            if not field.counted
        )
        return tuple(dict.fromkeys(found))

    @cached_property
    def after(self) -> Rows:
        """Rows of what a field becomes: for each operator those of `kinds`, then those of `turns`.

        Row `operator * len(kinds) + kind`, or `operators * len(kinds) + turn`.
        """
        width = 1 << max(word.bits for word in self.words)
        rows = len(self.steps) * len(self.kinds) + len(self.turns)
        table = [list(range(width)) for _ in range(max(1, rows))]
        one_of = {(field.component, field.counted): field for field in self.fields}
        for kind, (number, counted) in enumerate(self.kinds):
            low = self.shape_of[number].item_bits
            values = list(self.values_of(one_of[number, counted]))
            for operator, change in enumerate(self.changes[number]):
                row, arrived = table[operator * len(self.kinds) + kind], change.arrived()
                for value, item, _, turned in values:
                    to, turn = arrived[item]
                    row[value] = to | (turned + turn) % counted << low
        for row, (number, turn) in zip(table[rows - len(self.turns) :], self.turns, strict=False):
            orbit = self.definition.orbits[self.components[number].orbit]
            low, moduli = self.shape_of[number].item_bits, counted_of(orbit)
            for value, _, look, turned in self.values_of(one_of[number, 0]):
                row[value] = look | (turned + turn) % moduli[look] << low
        return tuple(map(tuple, table))

    @cached_property
    def arrivals(self) -> Rows:
        """By operator, two numbers for each field: what comes there, and the row of `after` for it.

        What comes to a field by place is another field; to one by piece, itself.
        """
        numbers = {(field.component, field.item): i for i, field in enumerate(self.fields)}
        kinds = {kind: number for number, kind in enumerate(self.kinds)}
        turns = {turn: number for number, turn in enumerate(self.turns)}
        rows = []
        for operator in range(len(self.steps)):
            row = []
            for number, field in enumerate(self.fields):
                if field.counted:
                    kind = kinds[field.component, field.counted]
                    row += [number, operator * len(self.kinds) + kind]
                    continue
                change = self.changes[field.component][operator]
                turn = turns[field.component, change.turns[field.item]]
                row.append(numbers[field.component, change.sources[field.item]])
                row.append(len(self.steps) * len(self.kinds) + turn)
            rows.append(tuple(row) or (0, 0))
        return tuple(rows)
