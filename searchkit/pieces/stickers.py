"""States as stickers, face by face: `UUUUUUUUU RRRRRRRRR ...`.

Each face is written in reading order, each sticker as the face where its colour belongs. Read are
also other letters and digits, if every face has a sticker that never moves: it names the face.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache, partial
from typing import NoReturn

import attrs

from searchkit.errors import ParseError
from searchkit.pieces.changes import Motion
from searchkit.pieces.definition import Definition
from searchkit.pieces.facelets import BLANK, Facelets, Sticker
from searchkit.pieces.patterns import Pattern, Row, all_rows, solved
from searchkit.pieces.sequences import moves_in
from searchkit.texts.amounts import plural, quoted

Shown = tuple[str, ...]
"""The letters of the stickers of a place."""
Spot = tuple[int, int, int]
"""Where a sticker is: the number of an orbit, a place, and the number of the sticker there."""


@attrs.frozen(eq=False)
class Stickered:
    """A definition with facelets, between patterns and stickers."""

    definition: Definition
    facelets: Facelets

    @cached_property
    def stickers(self) -> dict[Spot, Sticker]:
        """Those of all spots, in the order in which they are written."""
        order = {face.letter: number for number, face in enumerate(self.facelets.faces)}
        found = [
            (order[each.face], each.y, each.x, (number, place, k), each)
            for number, orbit in enumerate(self.definition.orbits)
            for place, stickers in enumerate(self.facelets.stickers.get(orbit.name, ()))
            for k, each in enumerate(stickers)
        ]
        return {spot: each for *_, spot, each in sorted(found, key=lambda row: row[:4])}

    @cached_property
    def homes(self) -> Shown:
        """The letter of each spot when the puzzle is solved."""
        return tuple(each.face for each in self.stickers.values())

    def _at(self, number: int, place: int) -> Shown:
        """The stickers of the piece that belongs in a place, there."""
        stickers = self.facelets.stickers[self.definition.orbits[number].name]
        return tuple(each.face for each in stickers[place])

    def _base(self, number: int, place: int) -> Shown:
        """The same, as they are if it is not turned."""
        orbit = self.definition.orbits[number]
        turn = -orbit.turned[place] % orbit.orientations
        return _turned(self._at(number, place), turn, orbit.orientations)

    @cached_property
    def _looks(self) -> tuple[tuple[Shown, ...], ...]:
        """By orbit and look: the stickers of a piece that is not turned, as far as they matter."""
        found: list[tuple[Shown, ...]] = []
        for number, orbit in enumerate(self.definition.orbits):
            bases: dict[int, list[Shown]] = {}
            if orbit.name in self.facelets.stickers:
                for place, look in enumerate(orbit.looks):
                    turns = range(0, orbit.orientations, orbit.counted[place])
                    base = self._base(number, place)
                    alike = bases.setdefault(look, [])
                    alike += [_turned(base, turn, orbit.orientations) for turn in turns]
            found.append(tuple(_common(bases[look]) for look in sorted(bases)))
        return tuple(found)

    def shown(self, pattern: Pattern) -> Shown:
        """The letter of each spot; `BLANK` where a colour does not matter. O(stickers)."""
        orbits, still = self.definition.orbits, self.definition.still
        found = []
        for (number, place, k), home in zip(self.stickers, self.homes, strict=True):
            if (number, place) in still:
                found.append(home)
                continue
            look, turned = pattern[number][place]
            found.append(_turned(self._looks[number][look], turned, orbits[number].orientations)[k])
        return tuple(found)

    def write(self, pattern: Pattern) -> str:
        """The stickers on one line, with a blank between faces."""
        shown, words, begin = self.shown(pattern), [], 0
        for size in self.sizes:
            words.append("".join(shown[begin : begin + size]))
            begin += size
        return " ".join(words)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """How many stickers each face has; those without any are left out."""
        counts = Counter(self.homes)
        return tuple(counts[face.letter] for face in self.facelets.faces if counts[face.letter])

    @cached_property
    def tells_all(self) -> bool:
        """Whether states that differ look different."""
        for number, orbit in enumerate(self.definition.orbits):
            if not orbit.matters or self.definition.still.issuperset(
                (number, place) for place in range(orbit.places)
            ):
                continue
            if orbit.name not in self.facelets.stickers:
                return False
            states = all_rows(orbit)
            looks = {
                _turned(self._looks[number][look], turned, orbit.orientations)
                for look, turned in states
            }
            if len(looks) < len(states):
                return False
        return True

    def is_meant(self, text: str) -> bool:
        """Whether a text is meant as stickers, not as moves or pieces."""
        words, definition = text.split(), self.definition
        moves = {move.name for move in (*definition.moves, *definition.rotations)}
        if all(moves_in(moves | definition.words.keys(), word) for word in words):
            return False
        if not all(letter.isalnum() or letter == BLANK for word in words for letter in word):
            return False
        return max(map(len, words), default=0) >= min(4, *self.sizes) and (
            2 * sum(map(len, words)) >= len(self.stickers)
        )

    def read(self, text: str) -> Pattern:
        """The pattern of stickers, of a puzzle that is held in any way. Raises `ParseError`."""
        letters = tuple("".join(text.split()))
        if len(letters) != len(self.stickers):
            counts = Counter(self.homes)
            faces = ", ".join(f"{counts[o.letter]} of {o.letter}" for o in self.facelets.faces)
            has = f"{self.definition.name} has {len(self.stickers)}: {faces}"
            raise ParseError(f"{quoted(text)} has {plural(len(letters), 'sticker')}; {has}")
        capitals = tuple(letter.upper() for letter in letters)
        if not self._is_named and {*capitals} <= {*self.homes, BLANK}:
            letters = capitals
        names = self._names(letters)
        self._check_counts(letters, names)
        letters = self._held(tuple(names.get(letter, letter) for letter in letters))
        there = dict(zip(self.stickers, letters, strict=True))
        spoken = {face: letter for letter, face in names.items()}
        return tuple(
            self._row(number, there, spoken) if orbit.name in self.facelets.stickers else home
            for number, (orbit, home) in enumerate(
                zip(self.definition.orbits, solved(self.definition), strict=True)
            )
        )

    def _names(self, letters: Shown) -> Mapping[str, str]:
        """The face that each letter stands for: where it is on a sticker that never moves."""
        same = {face.letter: face.letter for face in self.facelets.faces}
        middles = [
            (letter, home)
            for spot, letter, home in zip(self.stickers, letters, self.homes, strict=True)
            if spot[:2] in self.definition.still
        ]
        if not self._is_named or BLANK in dict(middles):
            return same
        names: dict[str, str] = {}
        for letter, home in middles:
            other = names.setdefault(letter, home)
            if other != home:
                raise ParseError(
                    f"the stickers in the middle of {other} and of {home} are both {letter}; each "
                    "face has a colour of its own"
                )
        return names

    @cached_property
    def _is_named(self) -> bool:
        """Whether each face has a sticker that never moves."""
        still = self.definition.still
        there = {h for spot, h in zip(self.stickers, self.homes, strict=True) if spot[:2] in still}
        return there == set(self.homes)

    def _held(self, letters: Shown) -> Shown:
        """The stickers after the turn of the whole that brings home those that no move moves."""
        still = [i for i, spot in enumerate(self.stickers) if spot[:2] in self.definition.still]
        for moved in self._wholes:
            after = tuple(letters[source] for source in moved)
            if all(after[i] in (self.homes[i], BLANK) for i in still):
                return after
        return letters

    @cached_property
    def _wholes(self) -> list[list[int]]:
        """By turn of the whole: where the sticker of each spot comes from."""
        return [self.sources(motion) for motion in self.definition.wholes]

    def sources(self, motion: Motion) -> list[int]:
        """By the number of a spot: where its sticker comes from."""
        numbers = {spot: i for i, spot in enumerate(self.stickers)}
        return [numbers[self._source(spot, motion)] for spot in self.stickers]

    def _source(self, spot: Spot, motion: Motion) -> Spot:
        number, place, k = spot
        change, orbit = motion[number], self.definition.orbits[number]
        count = len(self._at(number, place))
        turn = change.turns[place] if count == orbit.orientations else 0
        return number, change.sources[place], (k - turn) % count

    def _check_counts(self, letters: Shown, names: Mapping[str, str]) -> None:
        """Raise `ParseError` unless each face has as many stickers as there are."""
        wanted, there = Counter(self.homes), Counter(letters)
        for letter in there:
            if letter not in names and letter != BLANK:
                raise ParseError(f"no face is called {letter}; faces are {' '.join(names)}")
        missing = {letter: wanted[home] - there[letter] for letter, home in names.items()}
        for letter in sorted(missing, key=lambda each: missing[each]):  # the most of all first
            if missing[letter] < 0 or (missing[letter] > 0 and not there[BLANK]):
                count = plural(there[letter], "sticker")
                raise ParseError(f"{count} of {letter}; there are {wanted[names[letter]]}")

    @cached_property
    def _readings(self) -> tuple[Mapping[Shown, set[tuple[int, int]]], ...]:
        """By orbit and what a place shows: the look and the orientation of the piece there."""
        found = []
        for number, orbit in enumerate(self.definition.orbits):
            known: dict[Shown, set[tuple[int, int]]] = {}
            if orbit.name in self.facelets.stickers:
                for place, (look, counted) in enumerate(
                    zip(orbit.looks, orbit.counted, strict=True)
                ):
                    for base in (self._base(number, place), self._looks[number][look]):
                        for turn in range(orbit.orientations):
                            shown = _turned(base, turn, orbit.orientations)
                            known.setdefault(shown, set()).add((look, turn % counted))
            found.append(known)
        return tuple(found)

    def _row(self, number: int, there: Mapping[Spot, str], spoken: Mapping[str, str]) -> Row:
        orbit = self.definition.orbits[number]
        found, astray = list[tuple[int, int]](), None
        for place in range(orbit.places):
            homes = self._at(number, place)
            shown = tuple(there[number, place, k] for k in range(len(homes)))
            if (number, place) in self.definition.still:
                if all(each in (home, BLANK) for each, home in zip(shown, homes, strict=True)):
                    found.append((orbit.looks[place], orbit.turned[place]))
                    continue
                astray = place
            readings = self._readings[number].get(shown)
            if readings is None or len(readings) > 1:
                self._refuse(number, place, shown, spoken)
            found += readings
        self._check_pieces(number, [look for look, _ in found])
        if astray is not None:
            name = self.facelets.place_name(orbit.name, astray)
            raise ParseError(
                f"{orbit.name}: the piece of {name}, which never moves, is elsewhere, and no "
                "rotation that the definition names brings it home"
            )
        return tuple(found)

    def _refuse(self, number: int, place: int, shown: Shown, spoken: Mapping[str, str]) -> NoReturn:
        """Raise `ParseError` for what a place shows, by the letters that were given for faces."""
        orbit = self.definition.orbits[number]
        known = self._readings[number]
        turns = range(len(shown))
        if shown in known:
            why = "which several pieces do; write the state as pieces"
        elif any(_turned(shown[::-1], turn, len(shown)) in known for turn in turns):
            why = "which are the colours of a piece in a mirror"
        else:
            why = "and no piece has these colours"
        name = self.facelets.place_name(orbit.name, place)
        given = " ".join(spoken.get(letter, letter) for letter in shown)
        raise ParseError(f"{orbit.name}: {name} shows {given}, {why}")

    def _check_pieces(self, number: int, looks: list[int]) -> None:
        """Raise `ParseError` unless each piece of an orbit is there."""
        orbit = self.definition.orbits[number]
        name = partial(self.facelets.place_name, orbit.name)
        there, wanted = Counter(looks), Counter(orbit.looks)
        for look in there - wanted:
            places = " and ".join(name(p) for p, each in enumerate(looks) if each == look)
            missing = next(iter(wanted - there))
            raise ParseError(
                f"{orbit.name}: {places} show the piece {name(orbit.looks.index(look))}, and no "
                f"place shows {name(orbit.looks.index(missing))}"
            )


def _turned(shown: Shown, turn: int, orientations: int) -> Shown:
    """The stickers of a place whose piece is turned further; one without orientations is not."""
    if len(shown) != orientations:
        return shown
    return tuple(shown[(k - turn) % orientations] for k in range(orientations))


def _common(shown: Sequence[Shown]) -> Shown:
    """The stickers in which all of some agree, `BLANK` where they do not."""
    return tuple(
        letters[0] if len(set(letters)) == 1 else BLANK for letters in zip(*shown, strict=True)
    )


@lru_cache(maxsize=32)
def stickered(definition: Definition) -> Stickered | None:
    """Between patterns and stickers; None if the definition does not say where those are."""
    facelets = definition.facelets
    return None if facelets is None else Stickered(definition, facelets)
