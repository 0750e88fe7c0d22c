"""Coordinates of a part of a permutation puzzle: small numbers that moves change by one look-up.

Where a few pieces of a component are, and how they are turned, is one coordinate; how all places of
a component are turned is another, and so is what looks alike where. All arrangements that can be
reached are listed, so that what the rest determines has no number, and a table has a row for each
of them and in it what every operator makes of it: the rows of a state are near in memory (H.
Kociemba's coordinates of 1992, for any puzzle).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any

import attrs
import numpy as np

from searchkit.errors import UnsuitableError
from searchkit.pieces.components import parity
from searchkit.pieces.layout import Layout
from searchkit.pieces.patterns import Pattern

Array = np.ndarray[Any, Any]
MOST_CODES = 1 << 14
"""Of a coordinate that is one of several on its places: tables of this many rows stay in caches."""
MOST_ALONE = 1 << 16
MOST_LISTED = 1 << 18
MOST_RELATIVE = 1 << 20
KEY_BITS = 62
MOST_LINKS = 3
"""How many coordinates others on the same places can be relative to: a set of places for each."""


@attrs.frozen
class Mark:
    """What matters of a piece: where it is, and modulo what it is turned."""

    place: bool
    counted: int


Marks = Mapping[int, Mapping[int, Mark]]
"""By the number of an orbit, by the look of a piece; what is not named does not matter."""


@attrs.frozen(eq=False)
class Coordinate:
    """The arrangements of some pieces or places of a component.

    A code is the number of a placement and, in its lowest `turn_bits`, one of `ways` to turn it.
    Row `code` of `after` has the codes after the operators. The key of an arrangement is the sum
    of `part(field, value)` over the fields of a state's component; `codes` are those of the `keys`,
    which are in their order. `placements` are the places of the pieces, if it is made of pieces.
    """

    component: int
    keys: Array
    codes: Array
    after: Array
    ways: int
    turn_bits: int
    goal: int
    parts: Mapping[tuple[int, int], int]
    """By the number of a field in its component, and its value: what it adds to the key."""
    inverse_parts: Mapping[tuple[int, int], int]
    """The same for the key of the inverse state; empty where pieces look alike."""
    placements: Array | None = None

    @property
    def places(self) -> int:
        """How many placements there are."""
        return len(self.keys) // self.ways


class _ByPiece:
    """Arrangements of some pieces that all differ: a row has the place and the turn of each."""

    def __init__(self, on: _Component, looks: Sequence[int], counted: Sequence[int]) -> None:
        self.on, self.looks, self.counted = on, looks, counted
        count, turns = len(looks), on.turns
        self.weights = [len(on.places) ** (count - 1 - i) * turns**count for i in range(count)]
        self.turn_weights = [turns ** (count - 1 - i) for i in range(count)]
        places = [on.where[look] for look in looks]
        rows = zip(places, counted, strict=True)
        self.first = [place * turns + on.row[place][1] % modulus for place, modulus in rows]
        self.key_range = len(on.places) ** count * turns**count
        self.most = math.perm(len(on.places), count) * math.prod(counted)
        codes = np.arange(len(on.places) * turns)
        self._place, self._turn = codes // turns, codes % turns
        self._after: dict[int, list[Array]] = {}
        """By operator, and piece: what a place and turn of it becomes."""
        self._key = [
            self._place * weight + self._turn * turn_weight
            for weight, turn_weight in zip(self.weights, self.turn_weights, strict=True)
            if self.key_range >> KEY_BITS == 0
        ]

    def all_rows(self) -> Array:
        """All arrangements, by their keys, whether or not they can be reached."""
        placements = placed(len(self.on.places), len(self.looks))
        turned = np.array(list(product(*map(range, self.counted))))
        rows = placements[:, None] * self.on.turns + turned
        return np.asarray(rows.reshape(-1, len(self.looks)))

    def after(self, rows: Array, operator: int) -> Array:
        if operator not in self._after:
            to, turned = self.on.arrived[operator]
            places, turns = to[self._place] * self.on.turns, self._turn + turned[self._place]
            after = {modulus: places + turns % modulus for modulus in set(self.counted)}
            self._after[operator] = [after[modulus] for modulus in self.counted]
        return np.stack([each[rows[:, i]] for i, each in enumerate(self._after[operator])], axis=1)

    def keys(self, rows: Array) -> Array:
        return np.asarray(sum(key[rows[:, i]] for i, key in enumerate(self._key)))

    def part(self, look: int, place: int, turn: int) -> int:
        if look not in self.looks:
            return 0
        i = self.looks.index(look)
        return int(self.weights[i] * place + self.turn_weights[i] * (turn % self.counted[i]))


class _ByPlace:
    """Arrangements of looks and turns in all places: a row has those of each place."""

    def __init__(self, on: _Component, kinds: Mapping[int, tuple[int, int]]) -> None:
        self.on, self.kinds = on, kinds
        self.counted = np.ones(1 + max(kind for kind, _ in kinds.values()), np.int64)
        for kind, modulus in kinds.values():
            self.counted[kind] = modulus
        self.turns = math.lcm(*self.counted.tolist())
        base = len(self.counted) * self.turns
        self.key_range = base ** len(on.places)
        self.weights = [base**i for i in range(len(on.places))]
        self.first = [kinds[look][0] * self.turns + turn % kinds[look][1] for look, turn in on.row]
        self.most = MOST_LISTED

    def after(self, rows: Array, operator: int) -> Array:
        sources, turns = self.on.sources[operator]
        came = rows[:, sources]
        kind = came // self.turns
        turn = (came % self.turns + turns) % self.counted[kind]
        return np.asarray(kind * self.turns + turn)

    def keys(self, rows: Array) -> Array:
        return np.asarray(sum(rows[:, i] * weight for i, weight in enumerate(self.weights)))

    def part(self, look: int, place: int, turn: int) -> int:
        kind, modulus = self.kinds[look]
        return int((kind * self.turns + turn % modulus) * self.weights[place])


class _Component:
    """A component of a puzzle under its operators, with its row of the goal."""

    def __init__(self, layout: Layout, number: int, goal: Pattern) -> None:
        each = layout.components[number]
        self.layout, self.number = layout, number
        self.places, self.turns = each.places, each.orientations
        self.orbit = layout.definition.orbits[each.orbit]
        self.shape = layout.shape_of[number]
        self.row = [goal[each.orbit][place] for place in each.places]
        self.where = {look: i for i, (look, _) in enumerate(self.row)}
        self.sources: list[tuple[Array, Array]] = []
        self.arrived: list[tuple[Array, Array]] = []
        for change in layout.changes[number]:
            to, turned = np.array(change.arrived(), np.int64).T
            self.sources.append((np.array(change.sources), np.array(change.turns, np.int64)))
            self.arrived.append((to, turned))
        self.is_even = all(not parity(list(sources)) for sources, _ in self.sources)

    def inverse_parts(self, form: _ByPiece | _ByPlace) -> dict[tuple[int, int], int]:
        """The same for the state that the inverse of the motion from the goal leads to.

        A piece from place `a` of the goal is at `b`: in the inverse, that from `b` is at `a`.
        """
        if not self.orbit.are_all_different or len(set(self.orbit.counted)) > 1:
            return {}
        found: dict[tuple[int, int], int] = {}
        for i, field in enumerate(self.layout.fields_of[self.number]):
            for value, at, look, turn in self.layout.values_of(field):
                home, (piece, turned) = self.where[look], self.row[at]
                both = self.row[home][1] + turned
                found[i, value] = form.part(piece, home, (both - turn) % self.turns)
        return found

    def parts(self, form: _ByPiece | _ByPlace) -> dict[tuple[int, int], int]:
        """What each value of each field adds to a key."""
        return {
            (i, value): form.part(look, place, turn)
            for i, field in enumerate(self.layout.fields_of[self.number])
            for value, place, look, turn in self.layout.values_of(field)
        }


def coordinates(layout: Layout, goal: Pattern, marks: Marks) -> list[Coordinate]:
    """Those of what is marked, component by component; the states that can become `goal`.

    Raises `UnsuitableError` where pieces that look alike have too many arrangements.
    """
    found: list[Coordinate] = []
    for number, each in enumerate(layout.components):
        orbit = layout.definition.orbits[each.orbit]
        chosen = marks.get(each.orbit, {})
        looks = {orbit.looks[place] for place in each.places}
        if each.moves and not looks.isdisjoint(chosen):
            found += _coordinates_on(_Component(layout, number, goal), chosen)
    return found


def _coordinates_on(on: _Component, marks: Mapping[int, Mark]) -> Iterator[Coordinate]:
    counts = Counter(look for look, _ in on.row)
    mark = {look: marks.get(look, Mark(False, 1)) for look in counts}
    if len(mark) == 1:  # wherever they are, it looks alike
        mark = {look: attrs.evolve(each, place=False) for look, each in mark.items()}
    if on.turns > 1 and all(each.counted == on.turns for each in mark.values()):
        yield _listed(on, _ByPlace(on, dict.fromkeys(mark, (0, on.turns))))
        mark = {look: attrs.evolve(each, counted=1) for look, each in mark.items()}
    told = [look for look in mark if mark[look].place]
    others = [look for look in mark if not mark[look].place]
    if not told and all(each.counted == 1 for each in mark.values()):
        return
    if any(counts[look] > 1 for look in told) or any(mark[look].counted > 1 for look in others):
        yield _by_place(on, mark, others)
        return
    told.sort(key=on.orbit.looks.index)
    spare = 0 if others else 1 + on.is_even  # the rest determines where these are
    while spare and len(told) > 1 and mark[told[-1]].counted == 1:
        told.pop()
        spare -= 1
    parts = shared_out(told, len(on.places), [mark[look].counted for look in told])
    for part in parts:
        form = _ByPiece(on, part, [mark[look].counted for look in part])
        yield _listed(on, form, is_one_of_several=len(parts) > 1)


def shared_out(told: list[int], places: int, counted: list[int]) -> list[list[int]]:
    """Few pieces for each coordinate; each coordinate can be seen relative to those before."""
    if math.perm(places, len(told)) * math.prod(counted) <= MOST_ALONE:
        return [told]
    size = 1
    while (
        size < len(told)
        and math.perm(places, size + 1) * math.prod(sorted(counted)[-size - 1 :]) <= MOST_CODES
        and math.comb(places, size + 1) * math.perm(places, size + 1) <= MOST_RELATIVE
    ):
        size += 1
    return [told[i : i + size] for i in range(0, len(told), size)]


def _by_place(on: _Component, mark: Mapping[int, Mark], others: Sequence[int]) -> Coordinate:
    kinds: dict[int, tuple[int, int]] = {}
    names: dict[tuple[int, int], int] = {}
    has_field = {on.orbit.looks[on.places[item]] for item in on.shape.items}
    if on.shape.by_place:
        has_field = set(mark)
    # What has no field must add nothing to a key.
    for look in sorted(mark, key=lambda look: (look in has_field, look)):
        own = (-1 if look in others else look, mark[look].counted)
        kinds[look] = names.setdefault(own, len(names)), mark[look].counted
    return _listed(on, _ByPlace(on, kinds))


def _listed(
    on: _Component, form: _ByPiece | _ByPlace, *, is_one_of_several: bool = False
) -> Coordinate:
    """The coordinate of all arrangements that can be reached. O(arrangements * operators).

    Where pieces move together, as stickers of one corner do, not all placements can be reached. One
    of several coordinates then has all of them: it is numbered among the places others have left.
    """
    name = f"orbit {on.orbit.name}, places {on.places[0]} to {on.places[-1]}"
    if form.key_range >> KEY_BITS:
        raise UnsuitableError(
            f"{name}: too many pieces look alike for pattern databases; name fewer pieces"
        )
    rows = np.array([form.first], np.int64)
    keys = form.keys(rows)
    layer = rows
    steps = on.layout.steps
    first = {step.move: number for number, step in enumerate(steps) if step.exponent == 1}
    while len(layer):
        children = np.concatenate(
            [layer[:0], *(form.after(layer, each) for each in first.values())]
        )
        found, index = np.unique(form.keys(children), return_index=True)
        at = np.minimum(np.searchsorted(keys, found), len(keys) - 1)
        layer = children[index[keys[at] != found]]
        keys, index = np.unique(np.concatenate([keys, form.keys(layer)]), return_index=True)
        rows = np.concatenate([rows, layer])[index]
        if len(keys) > min(MOST_LISTED, form.most):
            raise UnsuitableError(
                f"{name}: pieces that look alike have more than {MOST_LISTED:,} arrangements; name "
                "fewer of them"
            )
    places, placements = len(keys), None
    if isinstance(form, _ByPiece):
        placements = np.unique(rows // on.turns, axis=0)
        if is_one_of_several and len(placements) < math.perm(len(on.places), len(form.looks)):
            rows = form.all_rows()
            keys = form.keys(rows)
            placements = np.unique(rows // on.turns, axis=0)
        places = len(placements)
    ways = len(keys) // places
    bits = (ways - 1).bit_length()
    numbers = np.arange(len(keys))
    codes = numbers // ways << bits | numbers % ways
    after = np.zeros((places << bits, len(steps)), np.int32)
    for number, step in enumerate(steps):
        before = steps[number - 1]
        follows = (before.move, before.exponent + 1) == (step.move, step.exponent)
        if follows and step.move in first:
            after[:, number] = after[after[:, number - 1], first[step.move]]
        else:
            found = form.keys(form.after(rows, number))
            after[codes, number] = codes[np.searchsorted(keys, found)]
    goal = int(codes[np.searchsorted(keys, form.keys(np.array([form.first], np.int64)))[0]])
    parts, inverse_parts = on.parts(form), on.inverse_parts(form)
    return Coordinate(
        on.number, keys, codes, after, ways, bits, goal, parts, inverse_parts, placements
    )


def relative(placements: Array, universe: int, used: int) -> tuple[Array, Array]:
    """Where pieces are among the places that are left when `used` of `universe` places are taken.

    Row `s` has, by the number of a placement, its number when the places of the `s`-th set are
    taken (0 where it needs one of them), and the other result, by that number, the placement.
    O(sets * placements).
    """
    size = placements.shape[1]
    sets = list(combinations(range(universe), used))
    numbers = np.zeros((len(sets), len(placements)), np.int32)
    back = np.zeros((len(sets), math.perm(universe - used, size)), np.int32)
    for row, taken in enumerate(sets):
        free = np.ones(universe, np.int64)
        free[list(taken)] = 0
        possible = np.flatnonzero(free[placements].all(axis=1))
        number = lexicographic((np.cumsum(free) - 1)[placements[possible]], universe - used)
        numbers[row, possible] = number
        back[row, number] = possible
    return numbers, back


def lexicographic(placements: Array, universe: int) -> Array:
    """The number of each placement of some pieces on that many places. O(pieces ** 2) each."""
    number = np.zeros(len(placements), np.int64)
    size = placements.shape[1]
    for i in range(size):
        before = sum((placements[:, j] < placements[:, i]).astype(np.int64) for j in range(i))
        number = number * (universe - i) + placements[:, i] - before
    return number


def placed(universe: int, size: int) -> Array:
    """All placements of that many pieces, by their lexicographic number."""
    rows = np.zeros((1, 0), np.int64)
    for _ in range(size):
        count = len(rows)
        rows = np.concatenate(
            [np.repeat(rows, universe, 0), np.tile(np.arange(universe), count)[:, None]], axis=1
        )
        last = rows[:, -1:]
        rows = rows[(rows[:, :-1] != last).all(axis=1)]
    return rows


def set_numbers(placements: Array, universe: int) -> Array:
    """The number of the set of places that each placement takes, in the order of combinations."""
    numbers = {each: i for i, each in enumerate(combinations(range(universe), placements.shape[1]))}
    return np.array([numbers[tuple(row)] for row in np.sort(placements, axis=1).tolist()], np.int64)
