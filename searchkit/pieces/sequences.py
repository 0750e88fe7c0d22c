"""Sequences of moves as texts: `R U2 F'`, `(R U R' U')3`, `[R: U]`, `[R, U]`.

`[a: b]` is a conjugate, `a b a'`, and `[a, b]` a commutator, `a b a' b'`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Generic, TypeVar

import attrs

from searchkit.errors import ParseError
from searchkit.pieces.changes import Motion, inverse, power, then
from searchkit.pieces.definition import Definition
from searchkit.texts.amounts import quoted

T = TypeVar("T")
_TOKEN = re.compile(r"\s*([(\[:,]|[)\]](?:'[0-9]+|\^?[0-9]*'?)|[^\s()\[\]:,]+)")
_POWER = re.compile(r"(?:\^?([0-9]+))?('?)|(')([0-9]+)")
MOST_DIGITS = 9
MOST_BRACKETS = 100
MOST_STEPS = 100_000
"""How many steps a sequence may have where each of them is looked at."""
MOST_NAMED = 24
"""How many rotations and words an error names."""


def read_sequence(
    definition: Definition, text: str, motions: Mapping[str, Motion] | None = None
) -> Motion:
    """The motion of a sequence of moves, rotations and words, in which groups may have powers.

    The power of a move is a number, and `'` before or after it takes it back. `motions` has those
    of all names that can stand in it, by default those of the definition. Raises `ParseError` that
    names the word.

    >>> from searchkit.pieces import Change, Move, Orbit
    >>> turn = Move("A", {"beads": Change((4, 0, 1, 2, 3))})
    >>> ring = Definition("ring", [Orbit("beads", 5)], [turn])
    >>> read_sequence(ring, "A2 (A' A')2 A3'")[0].sources
    (0, 1, 2, 3, 4)
    """
    known = _named(definition) if motions is None else motions
    return _MotionReader(definition, _straight(text), known).whole()


def read_steps(definition: Definition, text: str) -> tuple[Motion, ...]:
    """The motions of a sequence, step by step: what a search takes as one step is one.

    Raises `ParseError` as `read_sequence` does, and for more than 100,000 steps.
    """
    return _StepReader(definition, _straight(text), _steps_named(definition)).whole()


@lru_cache(maxsize=32)
def _steps_named(definition: Definition) -> Mapping[str, tuple[Motion, ...]]:
    """The steps of moves and words."""
    every = (*definition.moves, *definition.rotations)
    steps: dict[str, tuple[Motion, ...]] = {}
    steps |= {move.name: (definition.motion(move),) for move in every}
    for word, text in definition.words.items():
        steps[word] = _StepReader(definition, _straight(text), steps).whole()
    return steps


@lru_cache(maxsize=32)
def _named(definition: Definition) -> Mapping[str, Motion]:
    """The motions of moves, rotations and words."""
    every = (*definition.moves, *definition.rotations)
    motions = {move.name: definition.motion(move) for move in every}
    for word, text in definition.words.items():
        motions[word] = read_sequence(definition, text, motions)
    return motions


def moves_in(names: Collection[str], text: str) -> set[str]:
    """Which of some names stand in a sequence, in which there may be other words as well."""
    words = {word for word in _TOKEN.findall(_straight(text)) if word[0] not in "([:,)]"}
    return {found[0] for word in words if (found := _split(word, names))}


def _straight(text: str) -> str:
    return text.replace("’", "'").replace("′", "'")


def _split(word: str, names: Collection[str]) -> tuple[str, int] | None:
    """The longest name that a word begins with, and its power; None if that is not a name."""
    for length in range(len(word), 0, -1):
        rest = _POWER.fullmatch(word, length)
        if rest and word[:length] in names:
            return word[:length], _exponent(rest)
    return None


@attrs.define
class _Reader(Generic[T]):
    """Reads a text from left to right; classes say what is made of it."""

    definition: Definition
    text: str
    motions: Mapping[str, T]
    position: int = 0

    def nothing(self) -> T:
        """What an empty sequence is."""
        raise NotImplementedError

    def then(self, first: T, second: T) -> T:
        """One after the other."""
        raise NotImplementedError

    def inverse(self, part: T) -> T:
        """What takes a part back."""
        raise NotImplementedError

    def power(self, part: T, exponent: int) -> T:
        """A part several times."""
        raise NotImplementedError

    def named(self, name: str, exponent: int) -> T:
        """A power of what has a name."""
        return self.power(self.motions[name], exponent)

    def whole(self) -> T:
        motion, end = self._until(0)
        if end:
            raise ParseError(f"{end[0]!r} in {quoted(self.text)} has no bracket that it belongs to")
        return motion

    def _until(self, depth: int) -> tuple[T, str]:
        """The moves up to the next sign that ends a group, and that sign; "" is the end."""
        if depth > MOST_BRACKETS:
            raise ParseError(f"more than {MOST_BRACKETS} brackets stand in each other")
        motion = self.nothing()
        while self.text[self.position :].strip():
            token = _TOKEN.match(self.text, self.position)
            assert token is not None
            self.position = token.end()
            sign = token[1]
            if sign[0] in ")]:,":
                return motion, sign
            motion = self.then(motion, self._part(sign, depth))
        return motion, ""

    def _part(self, sign: str, depth: int) -> T:
        if sign not in ("(", "["):
            return self._word(sign)
        part, end = self._until(depth + 1)
        if sign == "[" and end in (":", ","):
            second, last = self._until(depth + 1)
            backward = self.inverse(part)
            part = self.then(self.then(part, second), backward)
            part = part if end == ":" else self.then(part, self.inverse(second))
            end = last
        elif sign == "[" and end[:1] == "]":
            raise ParseError(f"brackets in {quoted(self.text)} must be like [R: U] or [R, U]")
        wanted = ")" if sign == "(" else "]"
        if end[:1] != wanted:
            raise ParseError(f"a bracket {sign!r} is not closed in {quoted(self.text)}")
        found = _POWER.fullmatch(end, 1)
        assert found is not None
        return self.power(part, _exponent(found))

    def _word(self, word: str) -> T:
        found = _split(word, self.motions)
        if found is not None:
            return self.named(*found)
        moves = [move.name for move in self.definition.moves]
        others = [name for name in self.motions if name not in moves]
        more = " ..." * (len(others) > MOST_NAMED)
        also = f"also {' '.join(others[:MOST_NAMED])}{more}, " * bool(others)
        raise ParseError(
            f"{quoted(word)} is not a move of {self.definition.name}; moves are {' '.join(moves)}, "
            f"{also}each with a power like 2, ' or 2'"
        )


class _MotionReader(_Reader[Motion]):
    """Makes one motion."""

    def nothing(self) -> Motion:
        return self.definition.identity

    def then(self, first: Motion, second: Motion) -> Motion:
        return then(first, second)

    def inverse(self, part: Motion) -> Motion:
        return inverse(part)

    def power(self, part: Motion, exponent: int) -> Motion:
        return power(part, exponent)


class _StepReader(_Reader[tuple[Motion, ...]]):
    """Lists the motions of all steps."""

    def nothing(self) -> tuple[Motion, ...]:
        return ()

    def then(self, first: tuple[Motion, ...], second: tuple[Motion, ...]) -> tuple[Motion, ...]:
        if len(first) + len(second) > MOST_STEPS:
            raise ParseError(f"{quoted(self.text)} has more than {MOST_STEPS:,} steps")
        return first + second

    def inverse(self, part: tuple[Motion, ...]) -> tuple[Motion, ...]:
        return tuple(inverse(motion) for motion in reversed(part))

    def power(self, part: tuple[Motion, ...], exponent: int) -> tuple[Motion, ...]:
        if len(part) * abs(exponent) > MOST_STEPS:
            raise ParseError(f"{quoted(self.text)} has more than {MOST_STEPS:,} steps")
        return (part if exponent >= 0 else self.inverse(part)) * abs(exponent)

    def named(self, name: str, exponent: int) -> tuple[Motion, ...]:
        """A power of a move is one step if the definition says so."""
        part = self.motions[name]
        if self.definition.powers and name not in self.definition.words:
            return (power(part[0], exponent),)
        return self.power(part, exponent)


def _exponent(found: re.Match[str]) -> int:
    digits = found[1] or found[4] or ""
    if len(digits) > MOST_DIGITS:
        raise ParseError(f"the power {digits[:MOST_DIGITS]}... has more than {MOST_DIGITS} digits")
    return int(digits or 1) * (-1 if found[2] or found[3] else 1)
