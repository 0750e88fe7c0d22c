"""Sequences of moves as texts: `R U2 F'`, `(R U R' U')3`, `[R: U]`, `[R, U]`.

`[a: b]` is a conjugate, `a b a'`, and `[a, b]` a commutator, `a b a' b'`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache

import attrs

from searchkit.errors import ParseError
from searchkit.pieces.changes import Motion, inverse, power, then
from searchkit.pieces.definition import Definition
from searchkit.texts.amounts import quoted

_TOKEN = re.compile(r"\s*([(\[:,]|[)\]](?:'[0-9]+|\^?[0-9]*'?)|[^\s()\[\]:,]+)")
_POWER = re.compile(r"(?:\^?([0-9]+))?('?)|(')([0-9]+)")
MOST_DIGITS = 9
MOST_BRACKETS = 100
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
    return _Reader(definition, _straight(text), known).whole()


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
class _Reader:
    """Reads a text from left to right."""

    definition: Definition
    text: str
    motions: Mapping[str, Motion]
    position: int = 0

    def whole(self) -> Motion:
        motion, end = self._until(0)
        if end:
            raise ParseError(f"{end[0]!r} in {quoted(self.text)} has no bracket that it belongs to")
        return motion

    def _until(self, depth: int) -> tuple[Motion, str]:
        """The moves up to the next sign that ends a group, and that sign; "" is the end."""
        if depth > MOST_BRACKETS:
            raise ParseError(f"more than {MOST_BRACKETS} brackets stand in each other")
        motion = self.definition.identity
        while self.text[self.position :].strip():
            token = _TOKEN.match(self.text, self.position)
            assert token is not None
            self.position = token.end()
            sign = token[1]
            if sign[0] in ")]:,":
                return motion, sign
            motion = then(motion, self._part(sign, depth))
        return motion, ""

    def _part(self, sign: str, depth: int) -> Motion:
        if sign not in ("(", "["):
            return self._word(sign)
        part, end = self._until(depth + 1)
        if sign == "[" and end in (":", ","):
            second, last = self._until(depth + 1)
            backward = inverse(part)
            part = then(then(part, second), backward)
            part, end = (part if end == ":" else then(part, inverse(second))), last
        elif sign == "[" and end[:1] == "]":
            raise ParseError(f"brackets in {quoted(self.text)} must be like [R: U] or [R, U]")
        wanted = ")" if sign == "(" else "]"
        if end[:1] != wanted:
            raise ParseError(f"a bracket {sign!r} is not closed in {quoted(self.text)}")
        found = _POWER.fullmatch(end, 1)
        assert found is not None
        return power(part, _exponent(found))

    def _word(self, word: str) -> Motion:
        found = _split(word, self.motions)
        if found is not None:
            return power(self.motions[found[0]], found[1])
        moves = [move.name for move in self.definition.moves]
        others = [name for name in self.motions if name not in moves]
        more = " ..." * (len(others) > MOST_NAMED)
        also = f"also {' '.join(others[:MOST_NAMED])}{more}, " * bool(others)
        raise ParseError(
            f"{quoted(word)} is not a move of {self.definition.name}; moves are {' '.join(moves)}, "
            f"{also}each with a power like 2, ' or 2'"
        )


def _exponent(found: re.Match[str]) -> int:
    digits = found[1] or found[4] or ""
    if len(digits) > MOST_DIGITS:
        raise ParseError(f"the power {digits[:MOST_DIGITS]}... has more than {MOST_DIGITS} digits")
    return int(digits or 1) * (-1 if found[2] or found[3] else 1)
