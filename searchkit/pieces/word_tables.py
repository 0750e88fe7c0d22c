"""What the kernels of puzzles of pieces look up."""

from __future__ import annotations

from typing import Any, NamedTuple

from searchkit.pieces.layout import Layout, Rows
from searchkit.pieces.legality import tests_of
from searchkit.pieces.runs import runs_of


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
    over runs of places: see `searchkit.pieces.runs` for `still`, `turned`, `moves` and `kept`.

    Row `o` of `illegal` has `tests` for operator `o`: see `searchkit.pieces.legality.tests_of`.
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


def tables_of(layout: Layout, goal: Any) -> Tables:
    """The tables of a layout and a goal."""
    firsts = [0]
    for word in layout.words:
        firsts.append(firsts[-1] + len(word.fields))
    kinds = layout.kinds
    by_piece = [word for word in layout.words if not word.by_place]
    runs = runs_of(layout)
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
        runs=layout.words[0].bits if runs else 0,
        still=int(runs.is_still) if runs else 0,
        moves=runs.moves if runs else ((0,),),
        turned=runs.turned if runs else 0,
        kept=runs.kept if runs else (0,),
        illegal=illegal,
        tests=len(illegal[0]) // 4,
    )
