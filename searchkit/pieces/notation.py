"""States of a permutation puzzle as texts: stickers, pieces in each place, or moves.

Of a bandaged puzzle some are illegal: some pieces may not be in some places. A step is one power of
a move, and only the states that steps lead to have to be legal: the piece that `R2` takes through a
place is not seen there.
"""

from __future__ import annotations

from searchkit.errors import ParseError
from searchkit.pieces.definition import Definition
from searchkit.pieces.patterns import (
    Pattern,
    after,
    format_pattern,
    looks_like_pattern,
    parse_pattern,
    solved,
    upright,
)
from searchkit.pieces.sequences import read_sequence, read_steps
from searchkit.pieces.stickers import stickered
from searchkit.texts.amounts import quoted


def why_illegal(definition: Definition, pattern: Pattern) -> str | None:
    """Which piece is where it may not be, in a few words; None if none is. O(pairs)."""
    for orbit, row in zip(definition.orbits, pattern, strict=True):
        labels = dict(zip(orbit.looks, orbit.pieces, strict=True))
        for place, label in orbit.illegal:
            if labels[row[place][0]] == label:
                return f"orbit {orbit.name}: piece {label} may not be in place {place}"
    return None


def check_legal(definition: Definition, pattern: Pattern, what: str = "the state") -> None:
    """Raise `ParseError` for an illegal state, which messages call `what`."""
    found = why_illegal(definition, pattern)
    if found is not None:
        raise ParseError(f"{what} is illegal: {found} (both from 0)")


def state_after(definition: Definition, text: str) -> Pattern:
    """The state after a sequence of moves on the solved puzzle, held as it is when solved.

    Raises `ParseError` for moves that cannot be read, and for a step to an illegal state.
    """
    pattern = solved(definition)
    if not definition.is_bandaged:
        return after(definition, pattern, definition.held(read_sequence(definition, text)))
    shown = quoted(text)
    for number, motion in enumerate(read_steps(definition, text), 1):
        pattern = after(definition, pattern, motion)
        check_legal(definition, pattern, f"{shown}: step {number}")
    return pattern


def format_state(definition: Definition, pattern: Pattern) -> str:
    """The stickers where these tell all about a state; else the pieces in each place."""
    stickers = stickered(definition)
    if stickers is not None and stickers.tells_all:
        return stickers.write(pattern)
    return format_pattern(definition, pattern)


def read_state(definition: Definition, text: str) -> Pattern:
    """The state that a text describes: pieces in each place, stickers, or moves made when solved.

    What could be several of these is the first: see `looks_like_pattern`. A puzzle that is turned
    as a whole is the same, as far as the definition has its rotations. Raises `ParseError`, also
    for illegal states, and for moves that come through one.
    """
    stickers = stickered(definition)
    if looks_like_pattern(definition, text):
        pattern = upright(definition, parse_pattern(definition, text))
    elif not text.strip():
        raise ParseError("the state is empty; write stickers, pieces in each place, or moves")
    elif stickers is not None and stickers.is_meant(text):
        pattern = stickers.read(text)
    else:
        return state_after(definition, text)
    check_legal(definition, pattern)
    return pattern
