"""Sequences of moves as texts: `R U2 F'`, `(R U R' U')3`, `[R: U]`, `[R, U]`.

`[a: b]` is a conjugate, `a b a'`, and `[a, b]` a commutator, `a b a' b'`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import Generic, TypeVar

import attrs

from searchkit.errors import ParseError
from searchkit.pieces.changes import Motion, inverse, power, then
from searchkit.pieces.definition import Definition
from searchkit.texts.amounts import quoted

T = TypeVar("T")
Steps = tuple[Motion, ...]
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
    reader = _Reader(definition, _straight(text), known, definition.identity, then, inverse, power)
    return reader.whole()


def read_steps(definition: Definition, text: str) -> Steps:
    """The motions of a sequence, step by step: what a search takes as one step is one.

    Raises `ParseError` as `read_sequence` does, and for more than 100,000 steps.
    """
    return _listed(definition, _straight(text), _steps_named(definition))


@lru_cache(maxsize=32)
def _steps_named(definition: Definition) -> Mapping[str, Steps]:
    """The steps of moves and words."""
    every = (*definition.moves, *definition.rotations)
    steps: dict[str, Steps] = {}
    steps |= {move.name: (definition.motion(move),) for move in every}
    for word, text in definition.words.items():
        steps[word] = _listed(definition, _straight(text), steps)
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
    """Reads a text from left to right, and makes of it what its functions make of parts."""

    definition: Definition
    text: str
    motions: Mapping[str, T]
    nothing: T
    then: Callable[[T, T], T]
    inverse: Callable[[T], T]
    power: Callable[[T, int], T]
    named: Callable[[str, int], T] | None = None
    """A power of what has a name, where that is another than its part several times."""
    position: int = 0

    def whole(self) -> T:
        motion, end = self._until(0)
        if end:
            raise ParseError(f"{end[0]!r} in {quoted(self.text)} has no bracket that it belongs to")
        return motion

    def _until(self, depth: int) -> tuple[T, str]:
        """The moves up to the next sign that ends a group, and that sign; "" is the end."""
        if depth > MOST_BRACKETS:
            raise ParseError(f"more than {MOST_BRACKETS} brackets stand in each other")
        motion = self.nothing
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
            name, exponent = found
            if self.named is not None:
                return self.named(name, exponent)
            return self.power(self.motions[name], exponent)
        moves = [move.name for move in self.definition.moves]
        others = [name for name in self.motions if name not in moves]
        more = " ..." * (len(others) > MOST_NAMED)
        also = f"also {' '.join(others[:MOST_NAMED])}{more}, " * bool(others)
        raise ParseError(
            f"{quoted(word)} is not a move of {self.definition.name}; moves are {' '.join(moves)}, "
            f"{also}each with a power like 2, ' or 2'"
        )


def _listed(definition: Definition, text: str, known: Mapping[str, Steps]) -> Steps:
    """The motions of all steps."""

    def few(count: int) -> None:
        if count > MOST_STEPS:
            raise ParseError(f"{quoted(text)} has more than {MOST_STEPS:,} steps")

    def both(first: Steps, second: Steps) -> Steps:
        few(len(first) + len(second))
        return first + second

    def back(part: Steps) -> Steps:
        return tuple(inverse(motion) for motion in reversed(part))

    def several(part: Steps, exponent: int) -> Steps:
        few(len(part) * abs(exponent))
        return (part if exponent >= 0 else back(part)) * abs(exponent)

    def named(name: str, exponent: int) -> Steps:
        if definition.powers and name not in definition.words:  # a power of a move is one step
            return (power(known[name][0], exponent),)
        return several(known[name], exponent)

    return _Reader(definition, text, known, (), both, back, several, named).whole()


def _exponent(found: re.Match[str]) -> int:
    digits = found[1] or found[4] or ""
    if len(digits) > MOST_DIGITS:
        raise ParseError(f"the power {digits[:MOST_DIGITS]}... has more than {MOST_DIGITS} digits")
    return int(digits or 1) * (-1 if found[2] or found[3] else 1)
