"""The group of a puzzle's moves: how many states there are, and which."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from functools import cached_property
from itertools import chain

import attrs
import numpy as np

from searchkit.heuristic import distances_from
from searchkit.pieces.chain import Chain, Element, Product, TooLargeError
from searchkit.pieces.changes import Change, Motion
from searchkit.pieces.components import (
    Component,
    Invariants,
    Row,
    alike,
    components_of,
    displaced,
    motion_to,
    numbers_of,
)
from searchkit.pieces.definition import Definition
from searchkit.pieces.patterns import Pattern, after, solved

MOST_LISTED = 100_000
"""The most patterns that are counted one by one, where no formula says how many there are."""
MOST_LOOKED_AT = 10_000_000
"""The most places of these, after each move."""

PARTS = 4
"""By what factor the chain of one component may take less work than that of all."""
MOST_COMPARED = 200
"""Of the places of components which are asked whether they move alike."""


@attrs.frozen
class Factor:
    """The group on one component alone: `order` is how many motions its places have.

    Not more than that where `is_exact` is false. What is in the places follows from what is in
    those of `follows`, another orbit, if that has a name.
    """

    orbit: str
    places: tuple[int, ...]
    order: int
    is_exact: bool = True
    follows: str = ""


@attrs.frozen
class StateCount:
    """How many states can be reached; not more than that where `is_exact` is false."""

    states: int
    is_exact: bool


@attrs.frozen(eq=False)
class Group:
    """The motions that the moves of a definition generate, as far as they can be seen.

    >>> from searchkit.pieces import Change, Definition, Group, Move, Orbit
    >>> beads = [Move("A", {"beads": Change((1, 2, 0, 3, 4))}),
    ...          Move("B", {"beads": Change((0, 1, 3, 4, 2))})]
    >>> group = Group(Definition("rings", [Orbit("beads", 5)], beads))
    >>> group.order, group.count
    (60, StateCount(states=60, is_exact=True))
    """

    definition: Definition
    _orders: dict[tuple[int, ...], int] = attrs.field(init=False, factory=dict)

    @cached_property
    def motions(self) -> tuple[Motion, ...]:
        """What can be seen of the moves."""
        definition = self.definition
        return tuple(definition.seen(definition.motion(move)) for move in definition.moves)

    @cached_property
    def components(self) -> tuple[Component, ...]:
        """The places that moves connect."""
        return components_of(self.definition, self.motions)

    @cached_property
    def _alike(self) -> tuple[int, list[Row]]:
        return alike(self.definition, self.components)

    @cached_property
    def invariants(self) -> Invariants:
        """What all moves keep, and the exchange of pieces that look alike as well."""
        return Invariants.of(self.components, self.motions, self._alike[1])

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """Where the points of each component begin."""
        sizes = [len(each.places) * each.orientations for each in self.components]
        return tuple(sum(sizes[:number]) for number in range(len(sizes) + 1))

    @property
    def chain(self) -> Chain | None:
        """The chain of stabilisers, proved; None if nothing moves, or if it would be too large."""
        return self._chain[0]

    @property
    def is_known(self) -> bool:
        """Whether the group is not too large for a chain."""
        return self.chain is not None or not any(each.moves for each in self.components)

    @cached_property
    def _chain(self) -> tuple[Chain | None, bool]:
        return self._chain_on(range(len(self.components)))

    def _chain_on(self, numbers: Sequence[int], share: int = 1) -> tuple[Chain | None, bool]:
        """The proved chain on components, and whether it is all that their invariants allow."""
        rows: list[list[Element]] = []
        bases: dict[int, range] = {}
        begin = 0
        for number in numbers:
            offset, end = self.offsets[number : number + 2]
            rows.append([points[offset:end] - offset + begin for points in self._points])
            if self.components[number].moves:
                turns = self.components[number].orientations
                bases[number] = range(begin, begin + end - offset, turns)
            begin += end - offset
        if not bases:
            return None, True
        points = [np.concatenate(each) for each in zip(*rows, strict=True)]
        largest_first = sorted(bases.values(), key=len, reverse=True)
        try:
            found = Chain(points, list(chain.from_iterable(largest_first)), share=share)
            if found.order == self._most(numbers):
                return found, True
            found.complete()
        except TooLargeError:
            return None, False
        return found, False

    def _most(self, numbers: Sequence[int]) -> int:
        """How many motions of components the invariants of the moves allow."""
        parts = [self.components[number] for number in numbers]
        motions = math.prod(each.motions for each in parts)
        return motions // Invariants.of(parts, self.motions).index

    @property
    def is_all_that_invariants_allow(self) -> bool:
        """Whether the motions are those that keep sums of turns and parities, and no fewer."""
        return self._chain[1]

    @property
    def order(self) -> int:
        """How many different motions there are; not more than that unless `is_known`."""
        if self.chain is not None:
            return self.chain.order
        return self._most(range(len(self.components)))

    @property
    def are_all_different(self) -> bool:
        """Whether each motion leads from the solved state to another state."""
        return self._alike[0] == 1

    @cached_property
    def count(self) -> StateCount:
        """How many states can be reached from the solved one.

        Exact if no pieces look alike, if the moves generate all motions that their invariants
        allow, and if there are few states.
        """
        if self.are_all_different:
            return StateCount(self.order, self.is_known)
        same, _ = self._alike
        most = math.prod(each.motions for each in self.components) // same
        if self.is_all_that_invariants_allow:
            return StateCount(most // self.invariants.index, True)
        if self._listed is not None:
            return StateCount(len(self._listed), True)
        return StateCount(min(self.order, most // self.invariants.index), False)

    @cached_property
    def _listed(self) -> frozenset[Pattern] | None:
        """Every pattern that can be reached, where these are not many."""
        definition, motions = self.definition, self.motions
        most = min(MOST_LISTED, MOST_LOOKED_AT // (definition.firsts[-1] * len(motions)))
        found = distances_from(
            solved(definition),
            lambda pattern: (after(definition, pattern, motion) for motion in motions),
            most=most,
        )
        return frozenset(found) if len(found) <= most else None

    @cached_property
    def factors(self) -> tuple[Factor, ...]:
        """The group on each component alone; `order` divides the product of these orders."""
        moving = [number for number, each in enumerate(self.components) if each.moves]
        found: list[Factor] = []
        for number in moving:
            each = self.components[number]
            order = self.order if len(moving) == 1 else self.order_on(number)
            name = self.definition.orbits[each.orbit].name
            found.append(
                Factor(
                    name,
                    each.places,
                    order or self._most([number]),
                    is_exact=order > 0 and self.is_known,
                )
            )
        places = sum(len(each.places) for each in found)
        if not self.is_known or self.is_all_that_invariants_allow or places > MOST_COMPARED:
            return tuple(found)
        for i, one in enumerate(found):
            for k, other in enumerate(found[:i]):
                # Where two components move alike, both together have no more motions than one.
                if one.order == other.order == self.order_on(moving[k], moving[i]):
                    found[i] = attrs.evolve(one, follows=other.follows or other.orbit)
                    break
        return tuple(found)

    def order_on(self, *numbers: int) -> int:
        """How many motions there are of some components; 0 if the chain would be too large."""
        if numbers not in self._orders:
            is_all = [n for n, each in enumerate(self.components) if each.moves] == sorted(numbers)
            found = self.chain if is_all else self._chain_on(numbers, PARTS)[0]
            self._orders[numbers] = 0 if found is None else found.order
        return self._orders[numbers]

    def can_reach(self, pattern: Pattern) -> bool | None:
        """Whether the moves lead from the solved state to a pattern; None if that is not known.

        It may not be where pieces look alike and the moves generate less than their invariants
        allow, or where the group is too large for a chain.
        """
        if displaced(self.definition, self.components, pattern):
            return False
        motion = motion_to(self.definition, self.components, pattern)
        if not self.invariants.contains(numbers_of(self.components, motion)):
            return False
        if self.is_all_that_invariants_allow:
            return True
        if self.chain is not None and self.chain.contains(self.points(motion)):
            return True
        if self.are_all_different:
            return None if self.chain is None else False
        return None if self._listed is None else pattern in self._listed

    def random(self, rng: random.Random) -> Motion:
        """A motion drawn from all those that moves make; uniformly, if the group `is_known`."""
        if self.chain is not None:
            return self.motion(self.chain.random(rng))
        if self.is_known:
            return self.definition.seen(self.definition.identity)
        return self.motion(Product(self._points, rng).next())

    @cached_property
    def _points(self) -> list[Element]:
        return [self.points(motion) for motion in self.motions]

    def points(self, motion: Motion) -> Element:
        """A motion as an array: where each place, with each orientation of a piece, goes."""
        found = np.zeros(self.offsets[-1], np.int32)
        for offset, each in zip(self.offsets[:-1], self.components, strict=True):
            change, count = each.own(motion[each.orbit]), each.orientations
            for place, (source, more) in enumerate(zip(change.sources, change.turns, strict=True)):
                for turn in range(count):
                    to = place * count + (turn + more) % count
                    found[offset + source * count + turn] = offset + to
        return found

    def motion(self, points: Element) -> Motion:
        """The motion that an array of points stands for; components apart, all stays."""
        definition = self.definition
        changes = list(definition.seen(definition.identity))
        for offset, each in zip(self.offsets[:-1], self.components, strict=True):
            change = changes[each.orbit]
            sources, turns = list(change.sources), list(change.turns)
            for i, place in enumerate(each.places):
                to = int(points[offset + i * each.orientations]) - offset
                there = each.places[to // each.orientations]
                sources[there], turns[there] = place, to % each.orientations
            changes[each.orbit] = Change(sources, turns, change.orientations)
        return tuple(changes)
