"""The places that moves connect, and what all moves keep of them: sums of turns, and parities.

Each connected set of places is a component: pieces never leave theirs. A motion adds up, in every
component, to a sum of turns (modulo the number of orientations) and to the parity of a permutation.
These numbers are additive, so those of the moves span a lattice, and a state whose numbers are not
in it cannot be reached: the parities and twists that are known of some puzzles, for any.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

import attrs

from searchkit.heuristic import distances_from
from searchkit.pieces.changes import Change, Motion, cycles
from searchkit.pieces.definition import Definition
from searchkit.pieces.patterns import Pattern

Row = tuple[int, ...]


@attrs.frozen
class Component:
    """Places of an orbit that moves connect, in their order.

    `orientations` is how many are told apart of one piece or another; `moves` whether there is any
    motion at all.
    """

    orbit: int
    places: tuple[int, ...]
    orientations: int
    moves: bool

    def own(self, change: Change) -> Change:
        """What a change of the orbit does to these places, by their numbers here. O(places)."""
        rank = {place: i for i, place in enumerate(self.places)}
        return Change(
            (rank[change.sources[place]] for place in self.places),
            (change.turns[place] for place in self.places),
            change.orientations,
        )

    @property
    def motions(self) -> int:
        """In how many ways pieces that all differ could be put and turned here."""
        return math.factorial(len(self.places)) * int(self.orientations ** len(self.places))


def components_of(definition: Definition, motions: Sequence[Motion]) -> tuple[Component, ...]:
    """The components of every orbit in which anything matters, under some motions."""
    found = []
    for number, orbit in enumerate(definition.orbits):
        if not orbit.matters:
            continue
        changes = [motion[number] for motion in motions]
        seen: set[int] = set()
        for start in range(orbit.places):
            if start in seen:
                continue
            places = distances_from(start, lambda place: (each.sources[place] for each in changes))  # noqa: B023
            seen.update(places)
            turned = any(each.turns[place] for each in changes for place in places)
            moves = turned or len(places) > 1
            found.append(Component(number, tuple(sorted(places)), orbit.told_apart, moves))
    return tuple(found)


@attrs.frozen
class Invariants:
    """What motions of some components keep: two numbers for each, the turns and the parity.

    `basis` is that of the lattice which the moves span together with all multiples of the moduli
    and with what exchanges pieces that look alike: an upper triangle (C. Hermite's normal form).
    """

    components: tuple[Component, ...]
    moduli: Row
    basis: tuple[Row, ...]

    @classmethod
    def of(
        cls, components: Sequence[Component], motions: Iterable[Motion], also: Iterable[Row] = ()
    ) -> Invariants:
        """The invariants of some motions; `also` has numbers that count as 0 besides."""
        moduli = tuple(
            number
            for each in components
            for number in (each.orientations, 2 if len(each.places) > 1 else 1)
        )
        rows = [numbers_of(components, motion) for motion in motions]
        multiples = [
            tuple(modulus if i == j else 0 for j in range(len(moduli)))
            for i, modulus in enumerate(moduli)
        ]
        return cls(tuple(components), moduli, _triangle([*rows, *also, *multiples]))

    def with_rows(self, rows: Iterable[Row]) -> Invariants:
        """What other motions with these numbers, or exchanges, keep as well."""
        return attrs.evolve(self, basis=_triangle([*rows, *self.basis]))

    @property
    def index(self) -> int:
        """Among how many motions one has the numbers of a product of moves."""
        return math.prod(row[i] for i, row in enumerate(self.basis))

    def contains(self, numbers: Row) -> bool:
        """Whether a product of moves has these numbers."""
        for i, row in enumerate(self.basis):
            if times := numbers[i] // row[i]:
                numbers = tuple(a - times * b for a, b in zip(numbers, row, strict=True))
        return not any(numbers)

    def weights(self, numbers: Row) -> tuple[int, Row] | None:
        """A modulus and weights under which the moves add up to 0, but these numbers do not.

        None if the lattice contains them.
        """
        size = len(self.basis)
        for column in range(size):
            # The dual basis: with it, every row of the basis has a whole product.
            dual = [Fraction(0)] * size
            for i in range(column, -1, -1):
                rest = int(i == column) - sum(
                    (self.basis[i][j] * dual[j] for j in range(i + 1, column + 1)), Fraction(0)
                )
                dual[i] = rest / self.basis[i][i]
            if sum((n * w for n, w in zip(numbers, dual, strict=True)), Fraction(0)) % 1:
                modulus = math.lcm(*(each.denominator for each in dual))
                return modulus, tuple(int(each * modulus) % modulus for each in dual)
        return None


def numbers_of(components: Sequence[Component], motion: Motion) -> Row:
    """The sum of the turns and the parity of a motion in each component. O(places)."""
    found = []
    for each in components:
        change = motion[each.orbit]
        found += [
            sum(change.turns[place] for place in each.places) % each.orientations,
            parity([change.sources[place] for place in each.places]),
        ]
    return tuple(found)


def parity(order: Sequence[int]) -> int:
    """0 if an order of different numbers is an even permutation of them, else 1. O(length).

    >>> parity([7, 3, 5]), parity([7, 5, 3])
    (0, 1)
    """
    ranked = {value: i for i, value in enumerate(sorted(order))}
    return sum(len(each) - 1 for each in cycles([ranked[value] for value in order])) & 1


def alike(definition: Definition, components: Sequence[Component]) -> tuple[int, list[Row]]:
    """How many motions leave the solved pattern as it is, and their numbers (generators)."""
    count, rows = 1, []
    for number, each in enumerate(components):
        orbit = definition.orbits[each.orbit]
        looks = [orbit.looks[place] for place in each.places]
        counted = dict(zip(looks, (orbit.counted[place] for place in each.places), strict=True))
        for look, same in Counter(looks).items():
            free = each.orientations // counted[look]
            count *= math.factorial(same) * free**same
            if same > 1:
                rows.append(_unit(2 * len(components), 2 * number + 1, 1))
            if free > 1:
                rows.append(_unit(2 * len(components), 2 * number, counted[look]))
    return count, rows


def _unit(size: int, place: int, value: int) -> Row:
    return tuple(value if i == place else 0 for i in range(size))


def displaced(
    definition: Definition, components: Sequence[Component], pattern: Pattern
) -> Component | None:
    """A component in which a pattern has other pieces than when solved; None if there is none."""
    for each in components:
        looks = definition.orbits[each.orbit].looks
        there = sorted(pattern[each.orbit][place][0] for place in each.places)
        if there != sorted(looks[place] for place in each.places):
            return each
    return None


def motion_to(definition: Definition, components: Sequence[Component], pattern: Pattern) -> Motion:
    """A motion that takes the solved state to a pattern with the same pieces in each component.

    Of the motions that differ in pieces that look alike it is one; orbits in which nothing matters
    stay as they are.
    """
    changes = [orbit.seen(orbit.identity()) for orbit in definition.orbits]
    for each in components:
        orbit, change = definition.orbits[each.orbit], changes[each.orbit]
        sources, turns = list(change.sources), list(change.turns)
        home: dict[int, list[int]] = {}
        for place in reversed(each.places):
            home.setdefault(orbit.looks[place], []).append(place)
        for place in each.places:
            look, turned = pattern[each.orbit][place]
            sources[place] = home[look].pop()
            turns[place] = (turned - orbit.turned[sources[place]]) % each.orientations
        changes[each.orbit] = Change(sources, turns, change.orientations)
    return tuple(changes)


def _triangle(rows: Sequence[Row]) -> tuple[Row, ...]:
    """The upper triangle that spans the same lattice; the rows must span one of full rank."""
    left = [list(row) for row in rows if any(row)]
    basis: list[list[int]] = []
    size = len(rows[0]) if rows else 0
    for column in range(size):
        pivot: list[int] = []
        while True:
            live = [row for row in left if row[column]]
            pivot = min(live, key=lambda row: abs(row[column]))
            if len(live) == 1:
                break
            for row in live:
                if row is not pivot:
                    times = row[column] // pivot[column]
                    row[:] = [a - times * b for a, b in zip(row, pivot, strict=True)]
        left = [row for row in left if row is not pivot and any(row)]
        if pivot[column] < 0:
            pivot[:] = [-a for a in pivot]
        basis.append(pivot)
    return tuple(map(tuple, basis))
