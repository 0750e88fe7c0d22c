"""What is known of a puzzle of pieces, as rows of texts."""

from __future__ import annotations

import math
from collections import Counter

from searchkit.pieces.group import Factor, StateCount
from searchkit.pieces.layout import Layout
from searchkit.pieces.up_to_symmetry import count_up_to_symmetry
from searchkit.texts.amounts import memory, plural

MOST_DIGITS = 200
MOST_SHOWN = 8
"""Of the moves that a symmetry changes."""
TOO_LARGE = (
    "the group is too large for a proof of its size: of a state that keeps the sums of turns and "
    "parities it is not known whether it can be reached"
)
ALIKE = (
    "pieces look alike, and the moves make less than sums of turns and parities allow: of a state "
    "that keeps these it may not be known whether it can be reached"
)

BANDAGED = (
    "some states are illegal, and what the moves make without regard to that is counted: of a "
    "legal state it may not be known whether it can be reached"
)


def facts_of(layout: Layout, ranks: int) -> list[tuple[str, str]]:
    """The orbits with their groups, how many states there are, and how they are packed.

    `ranks` is how many numbers states have, 0 if they have none.
    """
    group, count = layout.group, layout.group.count
    texts = [(each.orbit, _of_factor(each)) for each in group.factors]
    found = [
        (f"orbit {orbit}", f"{times} parts of {text} each" if times > 1 else text)
        for (orbit, text), times in Counter(texts).items()
    ]
    product = math.prod(each.order for each in group.factors)
    if product > group.order:
        share = _amount(product // group.order)
        found.append(
            ("all orbits together", f"of {share} ways to combine what orbits do, moves make 1")
        )
    bandaged = layout.definition.is_bandaged
    is_exact = count.is_exact and not bandaged
    at_most = "" if is_exact else "at most "
    found.append(("states that can be reached", at_most + _amount(count.states)))
    if not group.is_known:
        found.append(("note", TOO_LARGE))
    elif not count.is_exact:
        found.append(("note", ALIKE))
    if bandaged:
        pairs = sum(len(orbit.illegal) for orbit in layout.definition.orbits)
        found.append(("illegal", f"{plural(pairs, 'pair')} of a place and a piece"))
        found.append(("note", BANDAGED))
    found += _of_symmetries(layout, count if is_exact else None)
    packed = f"{plural(len(layout.words), 'word')}, {plural(len(layout.fields), 'field')}"
    found.append(("a state takes", packed))
    if ranks:
        found.append(("numbers of states", f"{ranks:,}, a bit for each: {memory(ranks // 8)}"))
    return [*found, *(("note", note) for note in layout.definition.notes)]


def _of_symmetries(layout: Layout, count: StateCount | None) -> list[tuple[str, str]]:
    """How many symmetries there are, and of which all others are products."""
    found = layout.symmetries
    mirrors = f", {found.mirrors:,} of them mirrors" * (found.mirrors > 0)
    least = "" if found.is_whole else "at least "
    rows = [("symmetries", f"{least}{found.order:,}{mirrors}")]
    for each in found.few:
        changed = list(found.step_map(each).items())
        text = ", ".join(f"{before} to {after}" for before, after in changed[:MOST_SHOWN])
        rows.append(("symmetry", text + ", ..." * (len(changed) > MOST_SHOWN)))
    if count is not None and len(found.maps) > 1:
        exactly = None if found.note else count_up_to_symmetry(layout.group, found.maps)
        fewest = "at least " + _amount(-(-count.states // len(found.maps)))
        rows.append(("states up to symmetry", _amount(exactly) if exactly else fewest))
    if found.note is not None:
        rows.append(("note", found.note))
    return rows


def _of_factor(each: Factor) -> str:
    motions = f"{_amount(each.order)} way{'s' * (each.order > 1)} to move"
    text = f"{plural(len(each.places), 'place')}, {'' if each.is_exact else 'at most '}{motions}"
    return text + (f", which follow from {each.follows}" if each.follows else "")


def _amount(number: int) -> str:
    """A number in full, unless that would fill a page."""
    if number < 10**MOST_DIGITS:
        return f"{number:,}"
    power = math.log10(number)
    return f"about {10 ** (power % 1):.2f} x 10^{int(power):,}"
