"""Moves that turn over one run of places and leave the others in their order.

In words by place, the run comes from words whose fields are in the opposite order, shifted and
masked, and pieces with two orientations are turned by changing bits. For stacks and rings of which
a part is turned over, this takes less time than a look-up for each field.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import attrs

from searchkit.bits import WORD_BITS
from searchkit.pieces.layout import REVERSIBLE, Layout, Rows


@attrs.frozen
class Runs:
    """What makes each word of the states that operators lead to.

    Row `operator` of `moves` has the first word that changes, and the one after the last; from
    which word, its fields in the opposite order, the first one gets the run; by how many bits these
    are shifted down; if there is one word, how far to the left what is not in the run is rotated,
    always 0 if `is_still`; and the first word that is not all of the run. The words after the first
    get the run from the words before that one. `kept[operator * words + word]` are the bits of a
    word that are not of the run. Those of the run that are set in `turned` are changed.
    """

    is_still: bool
    turned: int
    moves: Rows
    kept: tuple[int, ...]


@lru_cache(maxsize=16)
def runs_of(layout: Layout) -> Runs | None:
    """Those of a layout by place; None if moves are not of that kind."""
    widths = {word.bits for word in layout.words}
    if len(widths) > 1 or widths.isdisjoint(REVERSIBLE) or not layout.steps:
        return None
    if any(not word.by_place for word in layout.words):
        return None
    found = [_run(layout, operator) for operator in range(len(layout.steps))]
    moves = [each[0] for each in found if each]
    kept = [word for each in found if each for word in each[1]]
    turned = {each[2] for each in found if each}
    if len(moves) < len(found) or len(turned) > 1:
        return None
    return Runs(all(move[4] == 0 for move in moves), turned.pop(), tuple(moves), tuple(kept))


def _run(layout: Layout, operator: int) -> tuple[tuple[int, ...], list[int], int] | None:
    """The rows of an operator; None if it does not turn over one run."""
    words, bits = len(layout.words), layout.words[0].bits
    in_word = WORD_BITS // bits
    # Fields are numbered through all words, of which all but the last are full.
    slots = [field.word * in_word + field.shift // bits for field in layout.fields]
    sources = [slots[i] for i in layout.arrivals[operator][::2]]
    along = Counter((here - there) % in_word for here, there in zip(slots, sources, strict=True))
    most = max(along, key=lambda each: (along[each], -each)) if words == 1 else 0
    turns = _turns(layout, operator)
    for shift in dict.fromkeys((0, most)):
        back = [
            i for i, slot in enumerate(slots)
            if turns[i] != 0 or sources[i] != (slot - shift) % (words * in_word)
        ]  # fmt: skip
        sums = {slots[i] + sources[i] for i in back}
        if words == 1:
            sums = {each % in_word for each in sums}
        if len(sums) < 2:
            break
    else:
        return None
    total = sums.pop() if sums else 0
    kept = [(1 << WORD_BITS) - 1] * words
    for i in back:
        kept[layout.fields[i].word] ^= (1 << bits) - 1 << layout.fields[i].shift
    flips = {turns[i] for i in back}
    if len(flips) > 1 or None in flips:
        return None
    turned = sum(flip << i for flip in flips if flip for i in range(0, WORD_BITS, bits))
    moved = [word for word in range(words) if shift or kept[word] + 1 < 1 << WORD_BITS]
    first, end = (moved[0], moved[-1] + 1) if moved else (0, 0)
    whole = next((word for word in range(first, end) if kept[word]), end)
    # Field `total - slot` comes to `slot`: of word `source`, backwards and shifted down.
    source = total // in_word - first
    down = (in_word - 1 - total % in_word) * bits
    return (first, end, source, down, shift * bits, whole), kept, turned


def _turns(layout: Layout, operator: int) -> list[int | None]:
    """By field the bit that a turn changes, or 0; None if that is not one of two orientations."""
    found: list[int | None] = []
    for field in layout.fields:
        each = layout.components[field.component]
        turn = layout.steps[operator].motion[each.orbit].turns[each.places[field.item]]
        counted = layout.definition.orbits[each.orbit].counted
        is_flip = all(counted[place] == 2 for place in each.places)
        found.append(turn << layout.item_bits(field.component) if is_flip or not turn else None)
    return found
