"""What the kernels of puzzles of pieces look up.

Some moves turn over one run of places and leave the others in their order. In words by place, the
run comes from words whose fields are in the opposite order, shifted and masked, and pieces with two
orientations are turned by changing bits. For stacks and rings of which a part is turned over, this
takes less time than a look-up for each field.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Any, NamedTuple

import attrs

from searchkit.bits import WORD_BITS
from searchkit.pieces.layout import REVERSIBLE, Layout, Rows

BLOCK = 5
"""What a test looks up are 32 values at once, the bits of a number."""


class Tables(NamedTuple):
    """What the kernels look up, in few arrays: calls that are not inlined hand over each of them.

    Row `w` of `in_words` says of a word how wide its fields are, and which they are: the first, and
    the one after the last. Row `f` of `in_fields` says of a field in which word it is, where it
    begins there, and its kind if it is by piece (see `Layout.after`). Row `o` of `arrivals` has two
    numbers for each field: what comes there by an operator, and the row of `after` to look it up.
    `kinds` is how many kinds there are; `mixed` is 1 if a word has fields of several. `by_place` is
    1 if all words are by place, 2 if they are from `first_by_place` on. `width` and `fields` say of
    what width all fields are, and how many, where there is one word.

    There are `of_words` words. If `runs` is not 0, it is the width of their fields, and moves turn
    over runs of places: see `Runs` for `still`, `turned`, `moves` and `kept`.

    Row `o` of `illegal` has `tests` for operator `o`: see `tests_of`.
    """

    goal: tuple[int, ...]
    in_words: Rows
    in_fields: Rows
    kinds: int
    first_by_place: int
    mixed: int
    width: int
    fields: int
    by_place: int
    after: Rows
    arrivals: Rows
    of_words: int
    runs: int
    still: int
    moves: Rows
    turned: int
    kept: tuple[int, ...]
    illegal: Rows
    tests: int


@lru_cache(maxsize=16)
def tables_of(layout: Layout, goal: Any) -> Tables:
    """The tables of a layout and a goal."""
    firsts = [0]
    for word in layout.words:
        firsts.append(firsts[-1] + len(word.fields))
    kinds = layout.kinds
    by_piece = [word for word in layout.words if not word.by_place]
    runs = runs_of(layout) or Runs(False, 0, ((0,),), (0,))
    illegal = tests_of(layout)
    return Tables(
        goal=goal if isinstance(goal, tuple) else (goal,),
        in_words=tuple(
            (word.bits, first, first + len(word.fields))
            for word, first in zip(layout.words, firsts, strict=False)
        ),
        in_fields=tuple(
            (
                field.word,
                field.shift,
                kinds.index((field.component, field.counted)) if field.counted else 0,
            )
            for field in layout.fields
        )
        or ((0, 0, 0),),
        kinds=len(kinds),
        mixed=int(any(len({(f.component, f.counted) for f in w.fields}) > 1 for w in by_piece)),
        width=layout.words[0].bits if len(layout.words) == 1 else 0,
        fields=len(layout.fields) if len(layout.words) == 1 else 0,
        by_place=0 if len(by_piece) == len(layout.words) else 2 if by_piece else 1,
        first_by_place=len(by_piece),
        after=layout.after,
        arrivals=layout.arrivals,
        of_words=len(layout.words),
        runs=layout.words[0].bits if runs_of(layout) else 0,
        still=int(runs.is_still),
        moves=runs.moves,
        turned=runs.turned,
        kept=runs.kept,
        illegal=illegal,
        tests=len(illegal[0]) // 4,
    )


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
        each, shape = layout.components[number], layout.shape_of[number]
        change = layout.changes[number][operator]
        looks = layout.definition.orbits[each.orbit].looks
        homes = {looks[place]: i for i, place in enumerate(each.places)}
        for item, look in pairs:
            source = change.sources[item]
            if shape.by_place:
                field, value = numbers[number, source], look
            else:
                field, value = numbers[number, homes[look]], source
            key = field, (1 << shape.item_bits) - 1, value >> BLOCK
            bits[key] = bits.get(key, 0) | 1 << (value & (1 << BLOCK) - 1)
    return tuple(number for key, values in bits.items() for number in (*key, values))


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
        low = layout.shape_of[field.component].item_bits
        found.append(turn << low if is_flip or not turn else None)
    return found
