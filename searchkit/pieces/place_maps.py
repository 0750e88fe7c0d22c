"""Maps of the places of a puzzle onto each other that take every step to a step.

Such a map acts on motions by conjugation, and so on states: what is in a place comes to the image
of that place, and each piece becomes the one that belongs in the image of its own place. With
pieces that look alike, whatever looks alike becomes what looks alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import chain

import attrs

from searchkit.pieces.changes import Change, Motion
from searchkit.pieces.components import Component
from searchkit.pieces.definition import Definition
from searchkit.pieces.patterns import Pattern, counted_of, solved
from searchkit.problem import derived


@attrs.frozen
class Frame:
    """The places of all orbits, numbered one after another; those of orbit `o` from `first[o]`.

    `modulus[i]` is how many orientations are told apart in place `i`, `component[i]` the number of
    its component among those that move, -1 if nothing moves there. `orbit[i]` is its orbit,
    `looks[i]`, `turned[i]` and `counted[i]` are those of the piece that belongs there, and
    `counted_of` is by orbit and look.
    """

    definition: Definition
    first: tuple[int, ...]
    modulus: tuple[int, ...]
    component: tuple[int, ...]

    orbit: tuple[int, ...] = derived(
        lambda self: tuple(n for n, o in enumerate(self.definition.orbits) for _ in o.looks)
    )
    looks: tuple[int, ...] = derived(lambda self: self._each("looks"))
    turned: tuple[int, ...] = derived(lambda self: self._each("turned"))
    counted: tuple[int, ...] = derived(lambda self: self._each("counted"))
    counted_of: tuple[tuple[int, ...], ...] = derived(
        lambda self: tuple(map(counted_of, self.definition.orbits))
    )

    def _each(self, name: str) -> tuple[int, ...]:
        return tuple(chain.from_iterable(getattr(each, name) for each in self.definition.orbits))

    @classmethod
    def of(cls, definition: Definition, components: Sequence[Component]) -> Frame:
        """The frame of a definition, with those of its components that move."""
        first = definition.firsts
        modulus, numbers = [1] * first[-1], [-1] * first[-1]
        for number, each in enumerate(components):
            for place in each.places:
                modulus[first[each.orbit] + place] = each.orientations
                numbers[first[each.orbit] + place] = number
        return cls(definition, first, tuple(modulus), tuple(numbers))


@attrs.frozen(eq=False)
class PlaceMap:
    """A map of places, numbered as in `frame`, under which steps are conjugate to steps.

    A piece in place `i` with orientation `o` comes to place `places[i]`, with orientation
    `factors[i] * o + turns[i]`; a mirror has factors of -1. `steps[s]` is the number of the step
    that step `s` becomes.
    """

    frame: Frame
    places: tuple[int, ...]
    turns: tuple[int, ...]
    factors: tuple[int, ...]
    steps: tuple[int, ...]

    @classmethod
    def identity(cls, frame: Frame) -> PlaceMap:
        """The map under which all stays as it is."""
        count, steps = len(frame.modulus), len(frame.definition.steps)
        return cls(frame, tuple(range(count)), (0,) * count, (1,) * count, tuple(range(steps)))

    def then(self, other: PlaceMap) -> PlaceMap:
        """One map and then the other. O(places + steps)."""
        modulus = self.frame.modulus
        places, turns, factors = (
            tuple(map(each.__getitem__, self.places))
            for each in (other.places, other.turns, other.factors)
        )
        rows = list(zip(self.turns, self.factors, turns, factors, modulus, strict=True))
        return PlaceMap(
            self.frame,
            places,
            tuple([(factor * turn + more) % m for turn, _, more, factor, m in rows]),
            tuple([factor * before % m if m > 1 else 1 for _, before, _, factor, m in rows]),
            tuple(map(other.steps.__getitem__, self.steps)),
        )

    @property
    def is_identity(self) -> bool:
        """Whether every step becomes itself, and so every state."""
        return self.steps == tuple(range(len(self.steps)))

    @cached_property
    def is_mirror(self) -> bool:
        """Whether orientations are counted the other way round.

        If no piece has more than two of them: whether each move that is not its own inverse becomes
        the inverse of a move.
        """
        if max(self.frame.modulus) > 2:
            return any(factor != 1 for factor in self.factors)
        steps = self.frame.definition.steps
        orders: dict[str, int] = {}
        for step in steps:
            orders[step.move] = max(orders.get(step.move, 0), step.exponent + 1)
        images = [
            (steps[image].exponent + 1, orders[steps[image].move])
            for step, image in zip(steps, self.steps, strict=True)
            if step.exponent == 1 and orders[step.move] > 2
        ]
        return bool(images) and all(after == whole for after, whole in images)

    def motion(self, motion: Motion) -> Motion:
        """The conjugate of a motion, with turns as far as they can be seen. O(places)."""
        frame = self.frame
        sources = list(range(len(frame.modulus)))
        turns = [0] * len(sources)
        for first, change in zip(frame.first[:-1], motion, strict=True):
            for place, (source, turn) in enumerate(zip(change.sources, change.turns, strict=True)):
                here, there, modulus = first + source, first + place, frame.modulus[first + place]
                if frame.component[there] >= 0:
                    sources[self.places[there]] = self.places[here]
                    turns[self.places[there]] = (
                        self.factors[there] * turn + self.turns[there] - self.turns[here]
                    ) % modulus
        return tuple(
            Change(
                [source - first for source in sources[first:end]],
                turns[first:end],
                change.orientations,
            )
            for first, end, change in zip(frame.first[:-1], frame.first[1:], motion, strict=True)
        )

    @cached_property
    def recoloured(self) -> dict[tuple[int, int], tuple[int, int]]:
        """By component and look: the look that it becomes, and how far that is turned besides."""
        frame = self.frame
        found = {}
        for home, component in enumerate(frame.component):
            if component >= 0:
                to = self.places[home]
                more = frame.turned[to] - self.factors[home] * frame.turned[home] - self.turns[home]
                found[component, frame.looks[home]] = frame.looks[to], more % frame.counted[to]
        return found

    def pattern(self, pattern: Pattern) -> Pattern:
        """The image of a pattern whose pieces are in components of their own. O(places)."""
        frame = self.frame
        rows = [list(row) for row in solved(frame.definition)]
        for first, row in zip(frame.first[:-1], pattern, strict=True):
            for place, (look, turned) in enumerate(row, first):
                if frame.component[place] < 0:
                    continue
                to = self.places[place]
                other, more = self.recoloured[frame.component[place], look]
                orbit = frame.orbit[to]
                counted = frame.counted_of[orbit][other]
                turn = self.factors[place] * turned + self.turns[place] + more
                rows[orbit][to - frame.first[orbit]] = other, turn % counted
        return tuple(map(tuple, rows))


def why_not(definition: Definition, one: PlaceMap) -> str | None:
    """None if each step becomes the step that a map says, and what looks alike looks alike then.

    Else what is wrong, in a few words. O(steps x places).
    """
    where = [(o, p) for o, orbit in enumerate(definition.orbits) for p in range(orbit.places)]
    number = {each: i for i, each in enumerate(where)}
    if sorted(one.places) != list(range(len(where))):
        return "two places go to one"
    if sorted(one.steps) != list(range(len(definition.steps))):
        return "two steps become one"
    for step, image in zip(definition.steps, one.steps, strict=True):
        other = definition.steps[image]
        for (orbit, place), i in number.items():
            change = step.motion[orbit]
            source = number[orbit, change.sources[place]]
            there_orbit, there = where[one.places[i]]
            there_change = other.motion[there_orbit]
            modulus = there_change.orientations
            if number[there_orbit, there_change.sources[there]] != one.places[source]:
                return f"{step.name} does not become {other.name}"
            turned = one.factors[i] * change.turns[place] + one.turns[i] - one.turns[source]
            if (turned - there_change.turns[there]) % modulus or change.orientations != modulus:
                return f"{step.name} does not become {other.name}"
    pairs = illegal_pairs(one.frame)
    if {(one.places[place], one.places[home]) for place, home in pairs} != pairs:
        return "what is legal does not become what is legal"
    return why_not_solved(definition, one)


def illegal_pairs(frame: Frame) -> set[tuple[int, int]]:
    """Places with the places of pieces that are illegal there, as far as these can come there."""
    component = frame.component
    return {
        (first + place, home)
        for first, orbit in zip(frame.first[:-1], frame.definition.orbits, strict=True)
        for place, label in orbit.illegal
        for home, piece in enumerate(orbit.pieces, first)
        if piece == label and component[first + place] == component[home] >= 0
    }


def why_not_solved(definition: Definition, one: PlaceMap) -> str | None:
    """The same of pieces that look alike, which moves can exchange, and of the solved state."""
    where = [(o, p) for o, orbit in enumerate(definition.orbits) for p in range(orbit.places)]
    images: dict[tuple[int, int], tuple[int, int]] = {}
    origins: dict[tuple[int, int, int], tuple[int, int]] = {}
    for i, (orbit, place) in enumerate(where):
        component = one.frame.component[i]
        if component < 0:
            continue
        home = definition.orbits[orbit]
        away_orbit, away = where[one.places[i]]
        there = definition.orbits[away_orbit]
        modulus = home.counted[place]
        if modulus != there.counted[away]:
            return "pieces are turned in other ways"
        shift = there.turned[away] - one.factors[i] * home.turned[place] - one.turns[i]
        look, image = (component, home.looks[place]), (there.looks[away], shift % modulus)
        if images.setdefault(look, image) != image:
            return "what looks alike does not do so then"
        if origins.setdefault((component, away_orbit, image[0]), look) != look:
            return "what does not look alike does so then"
    return None
