"""Sequences of moves as texts: `R U2 F'`, `(R U R' U')3`."""

from __future__ import annotations

import re

from searchkit.errors import ParseError
from searchkit.pieces.changes import Motion, power, then
from searchkit.pieces.definition import Definition
from searchkit.texts.amounts import quoted

_TOKEN = re.compile(r"\s*(?:(\()|(\))(\^?[0-9]*)('?)|([^\s()]+))")
_POWER = re.compile(r"(?:\^?([0-9]+))?('?)")
MOST_DIGITS = 9
MOST_BRACKETS = 100


def read_sequence(definition: Definition, text: str) -> Motion:
    """The motion of a sequence of moves and rotations, in which groups may have powers.

    The power of a move is a number, `'` takes it back. Raises `ParseError` that names the word.

    >>> from searchkit.pieces import Change, Move, Orbit
    >>> turn = Move("A", {"beads": Change((4, 0, 1, 2, 3))})
    >>> ring = Definition("ring", [Orbit("beads", 5)], [turn])
    >>> read_sequence(ring, "A2 (A' A')2 A3'")[0].sources
    (0, 1, 2, 3, 4)
    """
    text = text.replace("’", "'").replace("′", "'")
    motions = {
        move.name: definition.motion(move) for move in (*definition.moves, *definition.rotations)
    }
    stack = [definition.identity]
    position = 0
    while text[position:].strip():
        token = _TOKEN.match(text, position)
        assert token is not None
        position = token.end()
        opened, closed, exponent, mark, word = token.groups()
        if opened:
            if len(stack) > MOST_BRACKETS:
                raise ParseError(f"more than {MOST_BRACKETS} brackets stand in each other")
            stack.append(definition.identity)
            continue
        if closed:
            if len(stack) == 1:
                raise ParseError(f"a bracket is closed in {quoted(text)} that was not opened")
            motion = power(stack.pop(), _exponent(exponent.removeprefix("^"), mark))
        else:
            motion = _of_word(definition, motions, word)
        stack[-1] = then(stack[-1], motion)
    if len(stack) > 1:
        raise ParseError(f"a bracket is not closed in {quoted(text)}")
    return stack[0]


def _of_word(definition: Definition, motions: dict[str, Motion], word: str) -> Motion:
    for length in range(len(word), 0, -1):
        rest = _POWER.fullmatch(word, length)
        if rest and word[:length] in motions:
            return power(motions[word[:length]], _exponent(rest[1] or "", rest[2]))
    known = " ".join(move.name for move in definition.moves)
    raise ParseError(
        f"{quoted(word)} is not a move of {definition.name}; moves are {known}, each with a power "
        "like 2, ' or 2'"
    )


def _exponent(digits: str, mark: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ParseError(f"the power {digits[:MOST_DIGITS]}... has more than {MOST_DIGITS} digits")
    return int(digits or 1) * (-1 if mark else 1)
