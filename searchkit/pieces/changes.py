"""What a move does to the places of one orbit, and what moves do one after another."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

import attrs

from searchkit.errors import UsageError
from searchkit.texts.amounts import cut, quoted

_CYCLE = re.compile(r"\(\s*([^()]*?)\s*\)")
_PLACE = re.compile(r"([0-9]+)(?:\+([0-9]+))?")


@attrs.frozen
class Change:
    """Where the pieces of an orbit go, and how far each of them turns.

    The piece that arrives in place `i` comes from place `sources[i]`, and `turns[i]` is added to
    its orientation. Both are from 0; `orientations` is what orientations are counted modulo.

    >>> from searchkit.pieces import Change
    >>> quarter = Change((3, 0, 1, 2))
    >>> quarter.then(quarter).sources, quarter.order
    ((2, 3, 0, 1), 4)
    """

    sources: tuple[int, ...] = attrs.field(converter=tuple[int, ...])
    turns: tuple[int, ...] = attrs.field(converter=tuple[int, ...], default=())
    orientations: int = 1

    def __attrs_post_init__(self) -> None:
        places = len(self.sources)
        if not self.turns:
            object.__setattr__(self, "turns", (0,) * places)
        check_permutation(self.sources)
        if len(self.turns) != places:
            raise UsageError(
                f"{len(self.turns)} turns for {places} places; give one for each place"
            )
        for place, turn in enumerate(self.turns):
            if type(turn) is not int or not 0 <= turn < self.orientations:
                raise UsageError(
                    f"the turn {cut(repr(turn))} at place {place} must be a number from 0 to "
                    f"{self.orientations - 1}"
                )

    @classmethod
    def identity(cls, places: int, orientations: int = 1) -> Change:
        """The change that leaves all pieces as they are."""
        return cls(tuple(range(places)), (), orientations)

    @classmethod
    def cycles(cls, text: str, places: int, orientations: int = 1) -> Change:
        """The change written as cycles: the piece in each place goes to the place named next.

        A number after a plus sign is how far the piece turns as it leaves that place.

        >>> Change.cycles("(0+1 2)(1)", 3, 2)
        Change(sources=(2, 1, 0), turns=(0, 0, 1), orientations=2)
        """
        sources, turns = list(range(places)), [0] * places
        if re.sub(_CYCLE, "", text).strip():
            raise UsageError(f"{quoted(text)} is not made of cycles; write them like '(0 1 2)'")
        seen: set[int] = set()
        for cycle in _CYCLE.findall(text):
            found = [_PLACE.fullmatch(word) for word in cycle.split()]
            if not found or None in found:
                raise UsageError(f"cycle {quoted(f'({cycle})')} must list places, like '(0 1+2)'")
            steps = [(int(one[1]), int(one[2] or 0)) for one in found if one is not None]
            for (here, turn), (there, _) in zip(steps, steps[1:] + steps[:1], strict=True):
                if here >= places or here in seen:
                    raise UsageError(
                        f"place {here} in {quoted(text)} "
                        + ("stands there twice" if here in seen else f"is not below {places}")
                    )
                seen.add(here)
                sources[there if there < places else 0], turns[there % places] = here, turn
        return cls(tuple(sources), tuple(turns), orientations)

    @property
    def places(self) -> int:
        """How many places the orbit has."""
        return len(self.sources)

    @property
    def is_identity(self) -> bool:
        """Whether all stays as it is."""
        return not any(self.turns) and self.sources == tuple(range(self.places))

    def keeps(self, place: int) -> bool:
        """Whether what is in a place stays there as it is."""
        return self.sources[place] == place and not self.turns[place]

    @property
    def order(self) -> int:
        """How often the change must be made until all is as before."""
        found = 1
        for cycle in cycles(self.sources):  # each is run until no piece is turned
            turned = math.gcd(sum(self.turns[place] for place in cycle), self.orientations)
            found = math.lcm(found, len(cycle) * self.orientations // turned)
        return found

    def then(self, other: Change) -> Change:
        """The change that this one and then the other one make. O(places)."""
        return Change(
            tuple(self.sources[place] for place in other.sources),
            tuple(
                (self.turns[place] + turn) % self.orientations
                for place, turn in zip(other.sources, other.turns, strict=True)
            ),
            self.orientations,
        )

    def inverse(self) -> Change:
        """The change that takes this one back."""
        sources, turns = [0] * self.places, [0] * self.places
        for place, (source, turn) in enumerate(zip(self.sources, self.turns, strict=True)):
            sources[source], turns[source] = place, -turn % self.orientations
        return Change(tuple(sources), tuple(turns), self.orientations)

    def arrived(self) -> tuple[tuple[int, int], ...]:
        """By the place that a piece leaves: the place it goes to, and how far it turns."""
        found = [(0, 0)] * self.places
        for place, (source, turn) in enumerate(zip(self.sources, self.turns, strict=True)):
            found[source] = place, turn
        return tuple(found)


Motion = tuple[Change, ...]
"""What is done to every orbit of a puzzle, in the order of the orbits."""


def check_permutation(sources: Sequence[int]) -> None:
    """Raise `UsageError`, which names the culprit, unless each number from 0 is there once."""
    places, seen = len(sources), set()
    for place in sources:
        if type(place) is not int or not 0 <= place < places:
            raise UsageError(
                f"there is no place {cut(repr(place))}; places are from 0 to {places - 1}"
            )
        if place in seen:
            raise UsageError(f"two places get the piece of place {place}; each piece can go to one")
        seen.add(place)


def cycles(sources: Sequence[int]) -> Iterator[list[int]]:
    """The cycles of a permutation, each from its first place on. O(places)."""
    seen = [False] * len(sources)
    for start in range(len(sources)):
        cycle, place = list[int](), start
        while not seen[place]:
            seen[place] = True
            cycle.append(place)
            place = sources[place]
        if cycle:
            yield cycle


def then(first: Motion, second: Motion) -> Motion:
    """One motion after another."""
    return tuple(one.then(other) for one, other in zip(first, second, strict=True))


def inverse(motion: Motion) -> Motion:
    """The motion that takes another one back."""
    return tuple(change.inverse() for change in motion)


def order(motion: Motion) -> int:
    """How often a motion must be made until all is as before."""
    return math.lcm(*(change.order for change in motion))


def power(motion: Motion, exponent: int) -> Motion:
    """A motion made `exponent` times; taken back as often where that is below 0. O(log exponent).

    >>> power((Change((1, 2, 0)),), -4)[0].sources
    (2, 0, 1)
    """
    result = tuple(Change.identity(each.places, each.orientations) for each in motion)
    if exponent < 0:
        motion, exponent = inverse(motion), -exponent
    while exponent:
        if exponent & 1:
            result = then(result, motion)
        motion = then(motion, motion)
        exponent >>= 1
    return result
