"""The search for maps of places that take steps to steps, by refinement and backtracking.

Steps and places have colours; a step's depends on where it takes places of which colours, a
place's on what the steps bring there. Then one step after another gets a colour of its own, and
its image that colour too, until all steps differ in colour (B. D. McKay, Practical graph
isomorphism, 1981). Where they go determines where places go, but for one of each component.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from searchkit.heuristic import distances_from
from searchkit.pieces.changes import cycles, inverse, then
from searchkit.pieces.components import Component
from searchkit.pieces.place_maps import Frame, PlaceMap

Array = np.ndarray[Any, Any]
MOST_WORK = 100_000_000
"""How many colours of places under steps may be looked at in all: some seconds."""
MOST_SIZE = 500_000
"""How many places under steps there may be."""
OVERHEAD = 20_000
"""What it takes besides to look at them once."""


class OutOfWorkError(Exception):
    """The search has taken as long as it may."""


class Colours(NamedTuple):
    """The colours of the steps, and of the places."""

    steps: Array
    places: Array

    def same(self, other: Colours) -> bool:
        """Whether as many of each have each colour."""
        pairs = zip(self, other, strict=True)
        return all(np.array_equal(np.sort(one), np.sort(two)) for one, two in pairs)


class FoundSymmetries(NamedTuple):
    """Maps that generate all there are, of which there are the product of `sizes`.

    If the search ran out of work (`is_whole` is false), they generate a part.
    """

    generators: tuple[PlaceMap, ...]
    sizes: tuple[int, ...]
    is_whole: bool


def find_symmetries(frame: Frame, components: tuple[Component, ...]) -> FoundSymmetries:
    """Generators of all maps of a definition; `components` are those that move."""
    if not components:
        return FoundSymmetries((), (), is_whole=True)
    if len(frame.definition.steps) * len(frame.modulus) > MOST_SIZE:
        return FoundSymmetries((), (), is_whole=False)
    return _StepSearch(frame, components).run()


class _StepSearch:
    def __init__(self, frame: Frame, components: tuple[Component, ...]) -> None:
        self.frame, self.components, self._work = frame, components, 0
        steps, count = frame.definition.steps, len(frame.modulus)
        # The places of each component, as the frame numbers them.
        self._flat = [[frame.first[c.orbit] + place for place in c.places] for c in components]
        self._active = active = np.array([p for places in self._flat for p in places], np.int64)
        # By step and place: where what arrives there comes from, and how far that turns; and the
        # length of the cycle there with how far it turns in all.
        sources, turns, kinds = np.zeros((3, len(steps), count), np.int64)
        for number, step in enumerate(steps):
            for first, change in zip(frame.first[:-1], step.motion, strict=True):
                last = first + change.places
                sources[number, first:last] = np.array(change.sources) + first
                turns[number, first:last] = change.turns
            turn = turns[number].tolist()
            for cycle in cycles(sources[number].tolist()):
                around = math.gcd(sum(turn[p] for p in cycle), frame.modulus[cycle[0]])
                kinds[number, cycle] = len(cycle) << 8 | around
        self._motions = sources, turns
        # Of active places: the sources, the goals, and the kinds; by their own numbers.
        own = np.zeros(count, np.int64)
        own[active] = np.arange(len(active))
        active_sources = own[sources[:, active]]
        goals = np.argsort(active_sources, axis=1)
        self._tables = active_sources, goals, _mixed(kinds[:, active])
        # Rows of the square and the inverse of each step, by their numbers; -1 if it is none.
        numbers = {step.motion: number for number, step in enumerate(steps)}
        squares = [numbers.get(then(step.motion, step.motion), -1) for step in steps]
        inverses = [numbers.get(inverse(step.motion), -1) for step in steps]
        self._powers = np.array([squares, inverses], np.int64)
        # The class of pieces that look alike to which the piece of each active place belongs.
        classes = [(frame.component[p], frame.looks[p]) for p in active.tolist()]
        known = {each: number for number, each in enumerate(dict.fromkeys(classes))}
        self._alike = np.array([known[each] for each in classes], np.int64)

    def _first(self) -> Colours:
        frame = self.frame
        places = []
        sizes = np.bincount(self._alike)
        for row, place in enumerate(self._active.tolist()):
            size = len(self.components[frame.component[place]].places)
            numbers = (size, frame.modulus[place], frame.counted[place])
            places.append(hash((*numbers, int(sizes[self._alike[row]]))))
        steps = np.zeros(len(frame.definition.steps), np.uint64)
        return self._refined(Colours(steps, _mixed(np.array(places, np.int64))))

    def _refined(self, colours: Colours) -> Colours:
        """Colours that depend on all others, until no more of them differ."""
        sources, goals, kinds = self._tables
        steps, places = colours
        classes = -1
        while True:
            count = len(np.unique(steps)) + len(np.unique(places))
            if count == classes:
                return Colours(steps, places)
            classes = count
            self._work += sources.size + OVERHEAD
            if self._work > MOST_WORK:
                raise OutOfWorkError
            alike = np.zeros(int(self._alike.max()) + 1, np.uint64)
            np.add.at(alike, self._alike, _mixed(places))
            rows = steps[:, None]
            arriving = _mixed(rows * _ODD[0] + places[sources] * _ODD[1] + kinds).sum(axis=0)
            leaving = _mixed(rows * _ODD[2] + places[goals] * _ODD[3] + kinds).sum(axis=0)
            taken = _mixed(places * _ODD[4] + places[sources] * _ODD[5] + kinds).sum(axis=1)
            looks = _mixed(alike)[self._alike]
            known = np.append(steps, np.uint64(1))  # -1 stands for a step that is none
            square, back = known[self._powers]
            steps = _mixed(steps * _ODD[6] + taken + _mixed(square) * _ODD[1] + back * _ODD[2])
            places = _mixed(places * _ODD[7] + arriving + leaving * _ODD[0] + looks)

    def run(self) -> FoundSymmetries:
        """Generators of all maps, and how many there are at each level, from the first on."""
        try:
            path, picks = self._path()
        except OutOfWorkError:
            return FoundSymmetries((), (), is_whole=False)
        found: list[PlaceMap] = []
        sizes: list[int] = []
        for level in reversed(range(len(picks))):
            cell = np.flatnonzero(path[level].steps == path[level].steps[picks[level]]).tolist()
            tried: set[int] = set()
            reached = _orbit(picks[level], found)
            for image in cell:
                if image in reached or image in tried:
                    continue
                try:
                    one = self._image(path, picks, level, path[level], image)
                except OutOfWorkError:
                    return FoundSymmetries(tuple(found), (len(reached), *sizes), is_whole=False)
                if one is None:
                    tried |= _orbit(image, found)
                else:
                    found.append(one)
                    reached = _orbit(picks[level], found)
            sizes.insert(0, len(reached))
        return FoundSymmetries(tuple(found), tuple(sizes), is_whole=True)

    def _path(self) -> tuple[list[Colours], list[int]]:
        """Colours in which more and more steps have one of their own, and those steps."""
        path, picks = [self._first()], list[int]()
        while True:
            _, first, counts = np.unique(path[-1].steps, return_index=True, return_counts=True)
            if counts.max() == 1:
                return path, picks
            # Of the most steps of one colour: such a step moves least, or turns one way, so that
            # one of its own tells more of the others apart than a half turn would.
            picks.append(int(first[counts == counts.max()].min()))
            path.append(self._marked(path[-1], picks[-1]))

    def _marked(self, colours: Colours, step: int) -> Colours:
        steps = colours.steps.copy()
        steps[step : step + 1] = _mixed(steps[step : step + 1] * _ODD[3] + _ODD[1])
        return self._refined(Colours(steps, colours.places))

    def _image(
        self, path: list[Colours], picks: list[int], level: int, colours: Colours, image: int
    ) -> PlaceMap | None:
        """A map that takes the step picked at a level to `image`, where colours agree above."""
        colours, level = self._marked(colours, image), level + 1
        if not colours.same(path[level]):
            return None
        if level == len(picks):
            return self._map(path[-1], colours)
        wanted = path[level].steps[picks[level]]
        for other in np.flatnonzero(colours.steps == wanted).tolist():
            found = self._image(path, picks, level, colours, other)
            if found is not None:
                return found
        return None

    def _map(self, home: Colours, image: Colours) -> PlaceMap | None:
        """The map that takes colours to colours, if there is one."""
        steps = np.zeros(len(home.steps), np.int64)
        steps[np.argsort(home.steps)] = np.argsort(image.steps)
        places = np.arange(len(self.frame.modulus))
        turns, factors = np.zeros_like(places), np.ones_like(places)
        numbers = {place: row for row, place in enumerate(self._active.tolist())}
        left = set(range(len(self.components)))
        for number, base in enumerate(flat[0] for flat in self._flat):
            colour = home.places[numbers[base]]
            for other in sorted(left):
                near = [p for p in self._flat[other] if image.places[numbers[p]] == colour]
                found = self._component(number, other, near, steps)
                if found is not None:
                    left.discard(other)
                    flat = self._flat[number]
                    places[flat], turns[flat], factors[flat] = found
                    break
            else:
                return None
        rows = (each.tolist() for each in (places, turns, factors, steps))
        return PlaceMap(self.frame, *map(tuple, rows))

    @cached_property
    def _ways(self) -> list[list[tuple[int, int, int]]]:
        """For each component: how its places are reached, as place, step, and the place before."""
        sources = self._motions[0]
        found = []
        for flat in self._flat:
            todo, seen, ways = [flat[0]], {flat[0]}, []
            for before in todo:
                for step, place in enumerate(sources[:, before].tolist()):
                    if place not in seen:
                        seen.add(place)
                        todo.append(place)
                        ways.append((place, step, before))
            found.append(ways)
        return found

    def _component(
        self, number: int, other: int, near: Sequence[int], steps: Array
    ) -> tuple[Array, Array, int] | None:
        """Where places of a component go, and turn, if the first goes `near`, under `steps`."""
        sources, turned = self._motions
        flat = np.array(self._flat[number])
        here, there = self.components[number], self.components[other]
        modulus = here.orientations
        if (len(here.places), modulus) != (len(there.places), there.orientations):
            return None
        units = [unit for unit in (range(1, modulus) or (1,)) if math.gcd(unit, modulus) == 1]
        for goal, unit in product(near, units):
            place = np.zeros(len(self.frame.modulus), np.int64)
            turn = np.zeros_like(place)
            place[flat[0]] = goal
            for after, step, before in self._ways[number]:
                # `after` is where what arrives in `before` comes from.
                image = steps[step]
                place[after] = sources[image, place[before]]
                turn[after] = (
                    turn[before] + unit * turned[step, before] - turned[image, place[before]]
                ) % modulus
            if len(set(place[flat].tolist())) < len(flat):
                continue
            images = sources[steps[:, None], place[flat]]
            if not np.array_equal(images, place[sources[:, flat]]):
                continue
            conjugate = unit * turned[:, flat] + turn[flat] - turn[sources[:, flat]]
            if not np.array_equal(turned[steps[:, None], place[flat]], conjugate % modulus):
                continue
            if self._keeps_looks(flat, place, turn, unit):
                return place[flat], turn[flat], unit
        return None

    def _keeps_looks(self, flat: Array, place: Array, turn: Array, unit: int) -> bool:
        """Whether what looks alike in a component does so afterwards, turned as when solved."""
        frame = self.frame
        images: dict[int, tuple[int, int, int]] = {}
        for home in flat.tolist():
            to = int(place[home])
            counted = frame.counted[to]
            more = (frame.turned[to] - unit * frame.turned[home] - int(turn[home])) % counted
            image = frame.looks[to], counted, more
            if images.setdefault(frame.looks[home], image) != image:
                return False
            if counted != frame.counted[home]:
                return False
        return len({look for look, _, _ in images.values()}) == len(images)


def _orbit(step: int, maps: Sequence[PlaceMap]) -> set[int]:
    """The steps that a step becomes under products of maps."""
    return set(distances_from(step, lambda one: (each.steps[one] for each in maps)))


_ODD = np.array(
    [
        0x9E3779B97F4A7C15,
        0xC2B2AE3D27D4EB4F,
        0x165667B19E3779F9,
        0xD6E8FEB86659FD93,
        0xA0761D6478BD642F,
        0xE7037ED1A0B428DB,
        0x8EBC6AF09C88C6E3,
        0x589965CC75374CC3,
    ],
    np.uint64,
)


def _mixed(values: Array) -> Array:
    """Numbers that look random, made of given ones alone (G. L. Steele and others, 2014)."""
    values = values.astype(np.uint64)
    values = (values ^ values >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ values >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    values ^= values >> np.uint64(31)
    return values
