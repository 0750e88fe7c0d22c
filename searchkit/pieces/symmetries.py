"""The symmetries of a definition: all maps of its places that take steps to steps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import attrs

from searchkit.pieces.definition import Definition, Move
from searchkit.pieces.group import Group
from searchkit.pieces.place_maps import Frame, PlaceMap, illegal_pairs, why_not, why_not_solved
from searchkit.pieces.step_search import FoundSymmetries, find_symmetries

MOST_LISTED = 2048
"""How many symmetries are listed at the most: canonical states take time for each of them."""
MOST_NUMBERS = 4_000_000
"""How many numbers, of places and of steps, the list may have."""
MOST_CHECKED = 2_000_000
"""How many places under steps are looked at to check each symmetry of the list."""


@attrs.frozen(eq=False)
class Symmetries:
    """The symmetries of the solved puzzle and its steps.

    They are found from the moves alone. `frame` numbers the places; `maps` has the identity first,
    and each is checked, step by step, by code that shares nothing with the search.

    >>> from searchkit.pieces import Change, Definition, Move, Orbit
    >>> from searchkit.pieces.symmetries import Symmetries
    >>> ring = Definition(
    ...     "ring", [Orbit("beads", 5)],
    ...     [Move("A", {"beads": Change((4, 0, 1, 2, 3))}),
    ...      Move("B", {"beads": Change((1, 0, 2, 3, 4))})],
    ... )
    >>> found = Symmetries(ring)
    >>> [found.step_map(each) for each in found.maps]
    [{}, {'A': "A'"}]
    """

    definition: Definition

    @cached_property
    def frame(self) -> Frame:
        """The places, numbered."""
        return Frame.of(self.definition, self._components)

    @cached_property
    def _components(self) -> tuple[Any, ...]:
        return tuple(each for each in Group(self.definition).components if each.moves)

    @cached_property
    def _found(self) -> FoundSymmetries:
        return find_symmetries(self.frame, self._components)

    @cached_property
    def rotations(self) -> tuple[PlaceMap, ...]:
        """The rotations that the definition names, as far as they are symmetries."""
        maps = (self._rotation(move) for move in self.definition.rotations)
        return tuple(each for each in maps if each is not None)

    def _rotation(self, rotation: Move) -> PlaceMap | None:
        """The map that a rotation of the whole makes of places, if steps become steps by it."""
        definition, frame = self.definition, self.frame
        count = len(frame.modulus)
        places, turns = list(range(count)), [0] * count
        for first, change in zip(frame.first[:-1], definition.motion(rotation), strict=True):
            for place, (to, turn) in enumerate(change.arrived(), first):
                if frame.component[place] >= 0:
                    places[place], turns[place] = first + to, turn % frame.modulus[place]
        numbers = {step.motion: number for number, step in enumerate(definition.steps)}
        whole = PlaceMap(frame, tuple(places), tuple(turns), (1,) * count, ())
        moving = [component >= 0 for component in frame.component]
        if sorted(places) != list(range(count)) or moving != [moving[p] for p in places]:
            return None
        steps = [numbers.get(whole.motion(step.motion), -1) for step in definition.steps]
        if -1 in steps or why_not_solved(definition, whole):
            return None
        return attrs.evolve(whole, steps=tuple(steps))

    @property
    def is_whole(self) -> bool:
        """Whether the search came to its end, so that there are no more symmetries."""
        if self.definition.is_bandaged:
            return self._found.is_whole and len(self._listed) == math.prod(self._found.sizes)
        return self._found.is_whole

    @cached_property
    def generators(self) -> tuple[PlaceMap, ...]:
        """Maps of which all others that were found are products."""
        return self._legal[0] if self.definition.is_bandaged else self._generators

    @property
    def _generators(self) -> tuple[PlaceMap, ...]:
        """The same, whatever is illegal."""
        found = self._found
        return found.generators if found.is_whole else (*found.generators, *self.rotations)

    @cached_property
    def _legal(self) -> tuple[tuple[PlaceMap, ...], tuple[PlaceMap, ...]]:
        """Generators of a group of maps under which what is legal becomes that, and the maps."""
        generators: list[PlaceMap] = []
        identity = PlaceMap.identity(self.frame)
        maps: tuple[PlaceMap, ...] = (identity,)
        pairs = illegal_pairs(self.frame)
        for each in self._listed:
            image = {(each.places[place], each.places[home]) for place, home in pairs}
            if image == pairs and each.steps not in {one.steps for one in maps}:
                generators.append(each)
                # A product may be another map than the one of the list that does the same to steps.
                found = _products(identity, generators, len(self._listed))
                assert found is not None
                maps = found
        return tuple(generators), maps

    @cached_property
    def order(self) -> int:
        """How many symmetries there are; a lower bound if the search was given up."""
        if self.definition.is_bandaged or not self.is_whole:
            return len(self.maps)
        return math.prod(self._found.sizes)

    @cached_property
    def maps(self) -> tuple[PlaceMap, ...]:
        """The symmetries, the identity first; of more than 2,048 a group of some of them."""
        if not self.definition.is_bandaged:
            return self._listed
        generators, found = self._legal
        self._check(generators)
        return found

    @cached_property
    def _listed(self) -> tuple[PlaceMap, ...]:
        """The same, of those that keep what is illegal and of others."""
        identity = PlaceMap.identity(self.frame)
        most = min(MOST_LISTED, MOST_NUMBERS // (len(identity.places) + len(identity.steps)))
        generators = self._generators
        # The first generators fix most, so that fewer of them make a smaller group.
        for count in range(len(generators), -1, -1):
            found = _products(identity, generators[:count], most)
            if found is not None:
                break
        assert found is not None
        # Of many, those are checked of which all others are products.
        numbers = len(found) * len(identity.places) * len(identity.steps)
        checked = found if numbers <= MOST_CHECKED else generators[:count]
        if not self.definition.is_bandaged:
            self._check(checked)
        return found

    def _check(self, maps: Sequence[PlaceMap]) -> None:
        for each in maps:
            wrong = why_not(self.definition, each)
            assert wrong is None, f"{self.definition.name}: {wrong}; please report this"

    @property
    def note(self) -> str | None:
        """What was left out, in a few words; None if nothing was."""
        if not self.is_whole:
            return "the search for symmetries was given up; there may be more"
        if len(self.maps) < self.order:
            return f"{len(self.maps):,} of the symmetries, a group, are used"
        return None

    @cached_property
    def mirrors(self) -> int:
        """How many of the maps are mirrors."""
        return sum(each.is_mirror for each in self.maps)

    @property
    def few(self) -> list[PlaceMap]:
        """Some of the generators that make all maps of the list, as far as the generators do."""
        identity, few = PlaceMap.identity(self.frame), list[PlaceMap]()
        known = _closure(identity, few, 1)
        for each in reversed(self.generators):
            if known is None or len(known) == len(self.maps):
                break
            if each.steps not in known:
                few.append(each)
                known = _closure(identity, few, len(self.maps))
        return few

    def step_map(self, one: PlaceMap) -> dict[str, str]:
        """What the moves become under a map, by their names, but for those that stay."""
        steps = self.definition.steps
        return {
            step.name: steps[image].name
            for step, image in zip(steps, one.steps, strict=True)
            if step.exponent == 1 and steps[image] is not step
        }


_Steps = tuple[int, ...]


def _closure(
    identity: PlaceMap, generators: Sequence[PlaceMap], most: int
) -> dict[_Steps, tuple[_Steps, PlaceMap]] | None:
    """What steps become under all products of maps: each with one that it is made of, and the last.

    They come after what they are made of, the identity first. None if there are more than `most`.
    """
    found = {identity.steps: (identity.steps, identity)}
    todo = [identity.steps]
    for one in todo:
        for generator in generators:
            steps = tuple(map(generator.steps.__getitem__, one))
            if steps not in found:
                if len(found) == most:
                    return None
                found[steps] = one, generator
                todo.append(steps)
    return found


def _products(
    identity: PlaceMap, generators: Sequence[PlaceMap], most: int
) -> tuple[PlaceMap, ...] | None:
    """All products of maps, by what steps become; None if there are more than `most`."""
    ways = _closure(identity, generators, most)
    if ways is None:
        return None
    found = {identity.steps: identity}
    for steps, (before, last) in ways.items():
        if steps not in found:
            found[steps] = found[before].then(last)
    return tuple(found[steps] for steps in sorted(found))
