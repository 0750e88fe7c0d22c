"""States of a permutation puzzle as texts: stickers, pieces in each place, or moves."""

from __future__ import annotations

from searchkit.errors import ParseError
from searchkit.pieces.definition import Definition
from searchkit.pieces.legality import check_legal, state_after
from searchkit.pieces.patterns import (
    Pattern,
    format_pattern,
    looks_like_pattern,
    parse_pattern,
    upright,
)
from searchkit.pieces.stickers import stickered


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
