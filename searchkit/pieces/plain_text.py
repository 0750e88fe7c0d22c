"""The rules of a puzzle as a file of their own, for those who check a proof without searchkit."""

from __future__ import annotations

from typing import Any

from searchkit.pieces.patterns import shown_row
from searchkit.pieces.stickers import stickered

_BEGIN = '''"""{name}, by itself: {what}."""

START = {start!r}
GOAL = {goal!r}
MOVES = {{
{moves}
}}
'''
_END = """

def starts():
    return [START]


def goal(state):
    return state == GOAL


heuristics = {}
"""
_OF_STICKERS = '''FACES = {sizes}


def successors(state):
    """Where each sticker comes from is in MOVES; they are counted through all FACES."""
    stickers = state.replace(" ", "")
    for move, sources in MOVES.items():
        after = "".join(stickers[source] for source in sources)
        faces, begin = [], 0
        for size in FACES:
            faces.append(after[begin : begin + size])
            begin += size
        yield move, " ".join(faces), 1
'''
_OF_NAMES = '''TURNED = {turned}


def turn(piece, times):
    for _ in range(times):
        piece = TURNED[piece]
    return piece


def successors(state):
    """Where the piece in each place comes from, and how often it turns, is in MOVES."""
    pieces = state.split()
    for move, (sources, turns) in MOVES.items():
        after = [turn(pieces[source], times) for source, times in zip(sources, turns)]
        yield move, " ".join(after), 1
'''


def plain_text(puzzle: Any) -> str | None:
    """The file; None if a state is written neither as stickers nor as one row of pieces."""
    definition, stickers = puzzle.definition, stickered(puzzle.definition)
    if definition.is_bandaged:
        return None
    told = puzzle.start, puzzle.goal
    if stickers is not None and stickers.tells_all:
        what, rest = (
            "a text has the stickers, face by face",
            _OF_STICKERS.format(sizes=stickers.sizes),
        )
        rows: dict[str, Any] = {
            step.name: stickers.sources(step.motion) for step in definition.steps
        }
    elif len(definition.orbits) == 1:
        what = "a text has the piece in each place"
        rest = _OF_NAMES.format(turned=_turned(definition.orbits[0]))
        changes = {step.name: step.motion[0] for step in definition.steps}
        rows = {name: (each.sources, each.turns) for name, each in changes.items()}
    else:
        return None
    moves = "\n".join(f"    {definition.label(name)!r}: {row}," for name, row in rows.items())
    start, goal = map(puzzle.format_state, told)
    return (
        _BEGIN.format(name=definition.name, what=what, start=start, goal=goal, moves=moves)
        + rest
        + _END
    )


def _turned(orbit: Any) -> dict[str, str]:
    """What a piece is called when it is turned once, by what it is called before."""
    found: dict[str, str] = {}
    for look, counted in set(zip(orbit.looks, orbit.counted, strict=True)):
        names = shown_row(orbit, [(look, turned) for turned in range(counted)])
        found |= zip(names, [*names[1:], names[0]], strict=True)
    return dict(sorted(found.items()))
