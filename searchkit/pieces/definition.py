"""What a permutation puzzle is made of: orbits of places, moves, and what is solved.

An orbit is a set of places between which pieces of one kind go. A move takes the piece in each
place to another one and may turn it, whatever the piece is. Pieces may look alike, and how a piece
is turned may not matter: states that look alike are one state. So a definition also says which
part of a puzzle is to be solved (`only`).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any, NoReturn, Self

import attrs

from searchkit.errors import UsageError
from searchkit.heuristic import distances_from
from searchkit.pieces.changes import Change, Motion, inverse, order, then
from searchkit.pieces.facelets import Facelets, check_stickers
from searchkit.texts.amounts import cut, quoted

_NAME = re.compile(r"[^\s'()\[\]:,#^/]+")
MOST_ORIENTATIONS = 64
MOST_POWERS = 1000
"""Of a move whose order is higher, only itself and its inverse would be listed: it is refused."""
MOST_WHOLES = 1000
"""Of more ways to hold a puzzle, only the one that is given is tried."""
MOST_NUMBERS = 2_000_000
"""How many places the powers of moves may have in all: tables have a number for each."""


def check_name(name: object, what: str) -> None:
    """Raise `UsageError` unless this can be a name in sequences of moves and in files."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise UsageError(
            f"{what} {quoted(name)} must be one word without any of ' ( ) [ ] : , # ^ /"
        )


def _pairs(pairs: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted({(place, label) for place, label in pairs}))


def _changes(changes: Mapping[str, Change]) -> dict[str, Change]:
    return dict(changes)


def _words(words: Mapping[str, str]) -> dict[str, str]:
    return dict(words)


@attrs.frozen
class Orbit:
    """Places between which pieces go, and how they are solved.

    `pieces[i]` is the label of the piece that belongs in place `i`; pieces with one label look
    alike. `turned[i]` is its orientation there, and orientations of that piece are told apart
    modulo `counted[i]`: all of them if that is `orientations`, none if it is 1. `names`, if given,
    are what stands for pieces in texts: look by look, `orientations` names each.

    `illegal` are pairs of a place and a label: no step may lead a piece of that label there.

    >>> from searchkit.pieces import Orbit
    >>> Orbit("corners", 4, 3).pieces, Orbit("spots", 4, pieces=(1, 1, 2, 2)).looks
    ((0, 1, 2, 3), (0, 0, 1, 1))
    """

    name: str
    places: int
    orientations: int = 1
    pieces: tuple[int, ...] = attrs.field(default=(), converter=tuple[int, ...])
    turned: tuple[int, ...] = attrs.field(default=(), converter=tuple[int, ...])
    counted: tuple[int, ...] = attrs.field(default=(), converter=tuple[int, ...])
    names: tuple[str, ...] = attrs.field(default=(), converter=tuple[str, ...])
    illegal: tuple[tuple[int, int], ...] = attrs.field(default=(), converter=_pairs)

    def __attrs_post_init__(self) -> None:
        check_name(self.name, "the name of an orbit")
        for what, most in (("places", 1 << 16), ("orientations", MOST_ORIENTATIONS)):
            number = getattr(self, what)
            if type(number) is not int or not 1 <= number <= most:
                self._refuse(f" has {cut(repr(number))} {what}; give a number from 1 to {most}")
        defaults = {
            "pieces": range(self.places),
            "turned": (0,) * self.places,
            "counted": (self.orientations,) * self.places,
        }
        for what, default in defaults.items():
            values = getattr(self, what) or tuple(default)
            if len(values) != self.places:
                self._refuse(f" has {self.places} places, but {len(values)} numbers for {what}")
            object.__setattr__(self, what, values)
        for place in range(self.places):
            self._check(place)
        object.__setattr__(
            self, "turned", tuple(t % c for t, c in zip(self.turned, self.counted, strict=True))
        )
        _check_unique("name", self.names)
        if self.names and len(self.names) != (1 + max(self.looks)) * self.orientations:
            count = len(self.names)
            each = "each orientation of each piece that looks different"
            self._refuse(f" has {count} names; give one for {each}")
        labels = set(self.pieces)
        for place, label in self.illegal:
            where = f": the illegal pair of place {place} and piece {label}"
            if place not in range(self.places):
                self._refuse(f"{where} has a place that is not from 0 to {self.places - 1}")
            if label not in labels:
                self._refuse(f"{where} has a piece that the orbit does not have")
            if self.pieces[place] == label:
                self._refuse(f"{where} is there when the puzzle is solved; solve it otherwise")

    def _refuse(self, why: str) -> NoReturn:
        raise UsageError(f"orbit {self.name}{why}")

    def _check(self, place: int) -> None:
        label, turned, counted = self.pieces[place], self.turned[place], self.counted[place]
        where, count = f", place {place}:", self.orientations
        if type(label) is not int or label < 0:
            self._refuse(f"{where} the piece {cut(repr(label))} must be a number from 0")
        if type(turned) is not int or not 0 <= turned < count:
            self._refuse(f"{where} orientation {cut(repr(turned))} must be from 0 to {count - 1}")
        if type(counted) is not int or counted < 1 or count % counted:
            modulo = f"modulo {cut(repr(counted))}; use a divisor of {count}"
            self._refuse(f"{where} orientations cannot be told apart {modulo}")

    @cached_property
    def looks(self) -> tuple[int, ...]:
        """How the piece of each place looks, as a number from 0; equal numbers look alike.

        Pieces of one label look different where their orientations are told apart differently.
        """
        kinds = list(zip(self.pieces, self.counted, strict=True))
        ranks = {kind: number for number, kind in enumerate(sorted(set(kinds)))}
        return tuple(ranks[kind] for kind in kinds)

    @property
    def are_all_different(self) -> bool:
        """Whether no two pieces look alike."""
        return len(set(self.looks)) == self.places

    @property
    def matters(self) -> bool:
        """Whether anything of the orbit can be seen to change."""
        return len(set(self.looks)) > 1 or max(self.counted) > 1

    @property
    def told_apart(self) -> int:
        """Modulo which number orientations matter, of one piece or another."""
        return math.lcm(*self.counted)

    def identity(self) -> Change:
        """The change that leaves all pieces as they are."""
        return Change.identity(self.places, self.orientations)

    def seen(self, change: Change) -> Change:
        """What can be seen of a change: nothing if nothing matters, else with `told_apart`."""
        modulus = self.told_apart
        if not self.matters:
            return Change.identity(self.places)
        return Change(change.sources, (turn % modulus for turn in change.turns), modulus)


@attrs.frozen
class Move:
    """A move by its name; orbits that `changes` does not name stay as they are."""

    name: str
    changes: Mapping[str, Change] = attrs.field(converter=_changes, hash=False)

    def __attrs_post_init__(self) -> None:
        check_name(self.name, "the name of a move")


@attrs.frozen
class Power:
    """A power of a move, with the name that is written for it: `R`, `R2`, `R'`."""

    name: str
    move: str
    exponent: int
    motion: Motion


@attrs.frozen
class Definition:
    """A permutation puzzle: its orbits, its moves, and rotations of the whole.

    A rotation is not a move, but holds the puzzle in another way. If `powers`, every power of a
    move is one step; else the move and its inverse are. The action of a step is what `label` makes
    of its name. `words` are names that can stand in
    sequences for other sequences, in which the words before them can stand. `facelets` say what
    the puzzle looks like.

    >>> from searchkit.pieces import Change, Definition, Move, Orbit
    >>> ring = Definition(
    ...     "ring", [Orbit("beads", 5)],
    ...     [Move("A", {"beads": Change((4, 0, 1, 2, 3))}),
    ...      Move("B", {"beads": Change((1, 0, 2, 3, 4))})],
    ... )
    >>> [each.name for each in ring.steps]
    ['A', 'A2', "A2'", "A'", 'B']
    """

    name: str
    orbits: tuple[Orbit, ...] = attrs.field(converter=tuple[Orbit, ...])
    moves: tuple[Move, ...] = attrs.field(converter=tuple[Move, ...])
    rotations: tuple[Move, ...] = attrs.field(default=(), converter=tuple[Move, ...])
    powers: bool = True
    words: Mapping[str, str] = attrs.field(factory=dict, converter=_words, hash=False)
    facelets: Facelets | None = None
    label: Callable[[str], Any] = str

    def __attrs_post_init__(self) -> None:
        if not self.orbits:
            raise UsageError(f"puzzle {self.name} has no orbit; give one or more")
        if not self.moves:
            raise UsageError(f"puzzle {self.name} has no move; give one or more")
        _check_unique("orbit", [orbit.name for orbit in self.orbits])
        for word in self.words:
            check_name(word, "the word")
        moves = [move.name for move in (*self.moves, *self.rotations)]
        _check_unique("move", [*moves, *self.words])
        known = {orbit.name: orbit for orbit in self.orbits}
        for name, stickers in self.facelets.stickers.items() if self.facelets else ():
            if name not in known:
                raise UsageError(f"stickers name orbit {quoted(name)}; known: {', '.join(known)}")
            check_stickers(name, stickers, known[name].places, known[name].orientations)
        if self.is_bandaged and self.rotations:
            raise UsageError(
                f"puzzle {self.name} has illegal states and the rotation {self.rotations[0].name}, "
                "after which its places would be others; leave rotations out"
            )
        for move in (*self.moves, *self.rotations):
            for name, change in move.changes.items():
                if name not in known:
                    raise UsageError(
                        f"move {move.name} names orbit {quoted(name)}; known: {', '.join(known)}"
                    )
                orbit = known[name]
                if (change.places, change.orientations) != (orbit.places, orbit.orientations):
                    raise UsageError(
                        f"move {move.name}: orbit {name} has {orbit.places} places and "
                        f"{orbit.orientations} orientations, its change {change.places} and "
                        f"{change.orientations}"
                    )

    @property
    def is_bandaged(self) -> bool:
        """Whether some states are illegal, so that some steps lead nowhere."""
        return any(orbit.illegal for orbit in self.orbits)

    @cached_property
    def firsts(self) -> tuple[int, ...]:
        """Where orbits begin when places are numbered through all of them; the last is how many."""
        return tuple(accumulate((orbit.places for orbit in self.orbits), initial=0))

    def place_name(self, orbit: int, place: int) -> str:
        """What a place is called: by the faces that it is on, else by its number."""
        name = self.orbits[orbit].name
        if self.facelets is None or name not in self.facelets.stickers:
            return f"place {place}"
        return self.facelets.place_name(name, place)

    @cached_property
    def still(self) -> frozenset[tuple[int, int]]:
        """The places that no move changes: the number of the orbit, and the place."""
        motions = [self.motion(move) for move in self.moves]
        return frozenset(
            (number, place)
            for number, orbit in enumerate(self.orbits)
            for place in range(orbit.places)
            if all(motion[number].keeps(place) for motion in motions)
        )

    @cached_property
    def wholes(self) -> tuple[Motion, ...]:
        """The turns of the whole puzzle that its rotations make, the identity first."""
        motions = [self.motion(rotation) for rotation in self.rotations]
        found = distances_from(
            self.identity, lambda motion: (then(motion, each) for each in motions), MOST_WHOLES
        )
        return tuple(found) if len(found) <= MOST_WHOLES else (self.identity,)

    def held(self, motion: Motion) -> Motion:
        """The motion, and then the turn of the whole that brings home the places that are still.

        If none does, the motion. O(turns of the whole * places).
        """
        for whole in self.wholes:
            after = then(motion, whole)
            if all(after[number].keeps(place) for number, place in self.still):
                return after
        return motion

    def motion(self, move: Move) -> Motion:
        """What a move does to each orbit."""
        return tuple(move.changes.get(each.name, each.identity()) for each in self.orbits)

    @property
    def identity(self) -> Motion:
        """The motion that does nothing."""
        return tuple(orbit.identity() for orbit in self.orbits)

    def seen(self, motion: Motion) -> Motion:
        """What can be seen of a motion.

        Orbits in which nothing matters stay as they are, and orientations are those that are told
        apart of some piece of the orbit.
        """
        return tuple(orbit.seen(change) for orbit, change in zip(self.orbits, motion, strict=True))

    @cached_property
    def _steps(self) -> tuple[tuple[Power, ...], tuple[str, ...]]:
        found: dict[Motion, Power] = {}
        notes = []
        listed = {self.seen(self.motion(move)) for move in self.moves}
        names = {move.name for move in (*self.moves, *self.rotations)}
        places, count = self.firsts[-1], 0
        for move in self.moves:
            motion = self.seen(self.motion(move))
            times = order(motion)
            if times > MOST_POWERS and self.powers:
                raise UsageError(
                    f"move {move.name} has {times:,} powers, more than {MOST_POWERS:,}; list it "
                    "and its inverse only (powers=False)"
                )
            exponents = range(1, times) if self.powers else sorted({1, times - 1})
            count += len(exponents)
            if count * places > MOST_NUMBERS:
                raise UsageError(
                    f"puzzle {self.name} has {places:,} places, and {count:,} powers of moves up "
                    f"to {move.name}: tables of more than {MOST_NUMBERS:,} numbers; use fewer "
                    "places or moves"
                    + (", or list moves and their inverses only (powers=False)" * self.powers)
                )
            if times == 1:
                notes.append(f"move {move.name} changes nothing that can be seen")
                continue
            twins = Counter[str]()
            each = motion
            for exponent in exponents:
                if exponent > 1:
                    each = then(each, motion) if self.powers else inverse(motion)
                    if not self.powers and each in listed:
                        continue
                if each in found:
                    twins[found[each].move] += 1
                    continue
                name = power_name(move.name, exponent, times, names)
                found[each] = Power(name, move.name, exponent, each)
            notes += [
                f"move {move.name} and {other} have {'all' if n == times - 1 else n} powers in "
                "common, which are listed once"
                for other, n in twins.items()
            ]
        return tuple(found.values()), tuple(notes)

    @property
    def steps(self) -> tuple[Power, ...]:
        """The different powers of the moves, in their order; what does nothing is left out."""
        return self._steps[0]

    @property
    def notes(self) -> tuple[str, ...]:
        """What is odd about the moves: those that do nothing, or have powers in common."""
        return self._steps[1]

    def inverse_of(self, step: Power) -> Power | None:
        """The step that takes one back, if there is one."""
        back = inverse(step.motion)
        return next((each for each in self.steps if each.motion == back), None)

    def solved_as(self, rows: Sequence[Sequence[tuple[int, int]]]) -> Self:
        """The same puzzle, to be solved as a pattern, whose rows have looks and orientations."""
        orbits = []
        for orbit, row in zip(self.orbits, rows, strict=True):
            homes = [orbit.looks.index(look) for look, _ in row]
            pieces, counted = ([of[home] for home in homes] for of in (orbit.pieces, orbit.counted))
            turned = [turn for _, turn in row]
            orbits.append(attrs.evolve(orbit, pieces=pieces, turned=turned, counted=counted))
        return attrs.evolve(self, orbits=orbits)

    def with_moves(self, names: Collection[str]) -> Self:
        """The same puzzle with some of its moves, in the order of the puzzle."""
        known = [move.name for move in self.moves]
        for name in names:
            if name not in known:
                raise UsageError(
                    f"puzzle {self.name} has no move {quoted(name)}; known: {' '.join(known)}"
                )
        return attrs.evolve(self, moves=tuple(move for move in self.moves if move.name in names))

    def only(self, wanted: Mapping[str, Sequence[int]], *, turned: bool = True) -> Self:
        """The puzzle in which some places only are to be solved.

        `wanted` has, by the name of an orbit, the places whose pieces matter; all other pieces
        look alike, and it does not matter how they are turned. Without `turned`, nor does it for
        those that matter. Raises `UsageError` where illegal pairs name pieces that would look
        alike.
        """
        for name in wanted:
            if name not in [orbit.name for orbit in self.orbits]:
                raise UsageError(
                    f"puzzle {self.name} has no orbit {quoted(name)}; known: "
                    f"{', '.join(each.name for each in self.orbits)}"
                )
        return attrs.evolve(
            self, orbits=[_masked(each, wanted.get(each.name, ()), turned) for each in self.orbits]
        )


def _masked(orbit: Orbit, wanted: Sequence[int], turned: bool) -> Orbit:
    for place in wanted:
        if place not in range(orbit.places):
            raise UsageError(
                f"orbit {orbit.name} has no place {cut(repr(place))}; places are from 0 to "
                f"{orbit.places - 1}"
            )
    named = {label for _, label in orbit.illegal}
    for place, label in enumerate(orbit.pieces):
        if label in named and place not in wanted:
            raise UsageError(
                f"orbit {orbit.name}: piece {label} of place {place} must matter, as it is illegal "
                "in some places; name all such pieces"
            )
    other = 1 + max(orbit.pieces)
    inside = [place in wanted for place in range(orbit.places)]
    return attrs.evolve(
        orbit,
        names=(),
        pieces=[p if is_in else other for p, is_in in zip(orbit.pieces, inside, strict=True)],
        counted=[
            c if is_in and turned else 1 for c, is_in in zip(orbit.counted, inside, strict=True)
        ],
    )


def _check_unique(what: str, names: Sequence[str]) -> None:
    for name, times in Counter(names).items():
        if times > 1:
            raise UsageError(f"{times} {what}s are called {name}; give each a name of its own")


def power_name(move: str, exponent: int, times: int, taken: Collection[str] = ()) -> str:
    """How a power of a move is written whose order is `times`, by the shorter way round.

    None is written like the moves whose names are `taken`.

    >>> [power_name("R", exponent, 5) for exponent in (1, 2, 3, 4)], power_name("D1", 2, 4)
    (['R', 'R2', "R2'", "R'"], 'D1^2')
    >>> power_name("R", 2, 4, ["R", "R2"])
    'R^2'
    """
    short = exponent if 2 * exponent <= times else times - exponent
    mark = "" if 2 * exponent <= times else "'"
    between = "^" if move[-1].isdecimal() or f"{move}{short}" in taken else ""
    return f"{move}{between}{short}{mark}" if short > 1 else f"{move}{mark}"
