"""Which states of a bandaged puzzle are illegal: some pieces may not be in some places.

A step is one power of a move, and only the states that steps lead to have to be legal: the piece
that `R2` takes through a place is not seen there.
"""

from __future__ import annotations

from searchkit.errors import ParseError
from searchkit.pieces.definition import Definition
from searchkit.pieces.layout import Layout, Rows
from searchkit.pieces.patterns import Pattern, after, solved
from searchkit.pieces.sequences import read_sequence, read_steps
from searchkit.texts.amounts import quoted

BLOCK = 5
"""What a test looks up are 32 values at once, the bits of a number."""


def why_illegal(definition: Definition, pattern: Pattern) -> str | None:
    """Which piece is where it may not be, in a few words; None if none is. O(pairs)."""
    for orbit, row in zip(definition.orbits, pattern, strict=True):
        labels = dict(zip(orbit.looks, orbit.pieces, strict=True))
        for place, label in orbit.illegal:
            if labels[row[place][0]] == label:
                return f"orbit {orbit.name}: piece {label} may not be in place {place}"
    return None


def check_legal(definition: Definition, pattern: Pattern) -> None:
    """Raise `ParseError` for an illegal state."""
    found = why_illegal(definition, pattern)
    if found is not None:
        raise ParseError(f"the state is illegal: {found} (both from 0)")


def state_after(definition: Definition, text: str) -> Pattern:
    """The state after a sequence of moves on the solved puzzle, held as it is when solved.

    Raises `ParseError` for moves that cannot be read, and for a step to an illegal state.
    """
    pattern = solved(definition)
    if not definition.is_bandaged:
        return after(definition, pattern, definition.held(read_sequence(definition, text)))
    for number, motion in enumerate(read_steps(definition, text), 1):
        pattern = after(definition, pattern, motion)
        found = why_illegal(definition, pattern)
        if found is not None:
            raise ParseError(f"{quoted(text)}: step {number} is illegal: {found} (both from 0)")
    return pattern


def tests_of(layout: Layout) -> Rows:
    """By operator, four numbers for each test of a state: a step is illegal if one of them holds.

    They are a field, the mask of what is looked at there, which 32 values those are that the test
    is about, and the bits of those that are illegal. What is looked at is what the step leads to
    an illegal place: a field by place is that of the place from which it comes, one by piece must
    not say that place. O(operators x pairs).
    """
    found = [_tests(layout, operator) for operator in range(len(layout.steps))]
    most = max(map(len, found), default=0)
    return tuple((*row, *(0,) * (most - len(row))) for row in found) or ((),)


def _tests(layout: Layout, operator: int) -> tuple[int, ...]:
    numbers = {(f.component, f.item): number for number, f in enumerate(layout.fields)}
    bits: dict[tuple[int, int, int], int] = {}
    for number, pairs in layout.illegal.items():
        each, low = layout.components[number], layout.item_bits(number)
        change = layout.changes[number][operator]
        looks = layout.definition.orbits[each.orbit].looks
        homes = {looks[place]: i for i, place in enumerate(each.places)}
        for item, look in pairs:
            source = change.sources[item]
            if layout.is_by_place(number):
                field, value = numbers[number, source], look
            else:
                field, value = numbers[number, homes[look]], source
            key = field, (1 << low) - 1, value >> BLOCK
            bits[key] = bits.get(key, 0) | 1 << (value & (1 << BLOCK) - 1)
    return tuple(number for key, values in bits.items() for number in (*key, values))
