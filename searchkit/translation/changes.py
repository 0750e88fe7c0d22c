"""Children that differ from their state in few cells: made of its words, not packed from cells."""

from __future__ import annotations

from typing import Any

from searchkit.translation import builders, memory, statements
from searchkit.translation.memory import as_cell, copy_cells, count_of, plus, store, type_of_joined
from searchkit.translation.translator import Translator
from searchkit.translation.types import Atom, Bool, Char, Int, Record, Seq
from searchkit.translation.values import (
    FRAME,
    Items,
    Joined,
    Known,
    Place,
    Scalar,
    Stream,
    Value,
    Words,
)

MOST_CHANGES = 8
"""In how many cells a child may differ whose words are made of those of its state."""
_CELLS = (Int, Bool, Char, Atom)


class _Change:
    """What a child is made of: words, and cells that are replaced, by their numbers."""

    words: Words | None = None

    def __init__(self) -> None:
        self.cells: list[tuple[str, str]] = []


# Lists that began as a part of the state


def copied_list(t: Translator, value: Place, copy: Place) -> Place:
    """A list that was copied; with its words, if it is a part of the state."""
    kind = value.type
    if (
        t.name != "expand"
        or not t.forms.has_words
        or (value.memory, value.base, copy.memory) != (FRAME, "", FRAME)
        or not value.shift + kind.cells <= t.kind.cells
        or not (kind.is_fixed and isinstance(kind.item, _CELLS))
    ):
        return builders.copied_list(t, value, copy)
    word = t.text.temporary("state", "word")
    unfit = t.text.temporary("self.widened()", "unfit")
    return copy._replace(words=Words(word, unfit, copy.shift - value.shift))


def put(t: Translator, place: Place, value: Value) -> None:
    """Write a value to an item of a list; notes it as a change of the state."""
    statements.put(t, place, value)
    words = place.words
    if words is None:
        return
    at = place._replace(shift=place.shift - words.shift).at()
    _replace(t, words.word, words.unfit, at, place.cell())


def _replace(t: Translator, word: str, unfit: str, at: str, cell: str) -> None:
    t.text.line(f"{unfit} |= self.misfit({at}, {cell})")
    t.text.line(f"{word} = self.replaced({word}, {at}, {cell})")


# Children


def changed_words(t: Translator, child: Value) -> tuple[str, str] | None:
    """Names for the words of a child, and for what is not 0 where it does not fit.

    None where it differs from the state in too many cells, or in a way that is not followed.
    """
    if not t.forms.has_words:
        return None
    change = _Change()
    if not _follow(t, child, Place(t.kind, FRAME, "", 0, is_stable=True), change):
        return None
    count = len(change.cells)
    if count > min(MOST_CHANGES, max(4, t.kind.cells // 2)):
        return None
    words = change.words or Words("state", "self.widened()", 0)
    if not count and change.words is not None:
        return words.word, words.unfit
    word = t.text.temporary(words.word, "child")
    unfit = t.text.temporary(words.unfit, "unfit")
    for at, cell in change.cells:
        _replace(t, word, unfit, at, cell)
    return word, unfit


def _follow(t: Translator, value: Value, place: Place, change: _Change) -> bool:
    """Note how a value differs from a part of the state; whether that is known."""
    kind = place.type
    if isinstance(value, Place):
        return _follow_place(value, place, change)
    if isinstance(kind, _CELLS) and isinstance(value, (Scalar, Known)):
        return _follow_cell(t, value, place, change)
    if isinstance(value, Items) and isinstance(kind, Record) and value.kind is kind.kind:
        return len(value.items) == len(kind.items) and all(
            _follow(t, each, t.forms.field_of(t, place, i), change)
            for i, each in enumerate(value.items)
        )
    if not isinstance(kind, Seq) or not kind.is_fixed or not isinstance(kind.item, _CELLS):
        return False
    if isinstance(value, Items) and value.kind is kind.kind:
        return len(value.items) == kind.most and all(
            _follow(t, each, t.forms.item_at(t, place, str(i)), change)
            for i, each in enumerate(value.items)
        )
    if isinstance(value, Joined) and value.kind is kind.kind:
        return _follow_parts(t, value, place, change)
    return False


def _follow_place(value: Place, place: Place, change: _Change) -> bool:
    if value.type != place.type or value.memory != FRAME:
        return False
    if value.base == "" and value.shift == place.shift:
        return value.is_stable
    words = value.words
    if words is None or value.base or value.shift - place.shift != words.shift:
        return False
    if change.words is not None:
        return False
    change.words = words
    return True


def _follow_cell(t: Translator, value: Scalar | Known, place: Place, change: _Change) -> bool:
    text = as_cell(t, value, place.type)
    if text is None:
        return False
    if text not in (place.cell(), f"({place.cell()} != 0)"):
        change.cells.append((place.at(), text))
    return True


def _follow_parts(t: Translator, value: Joined, place: Place, change: _Change) -> bool:
    """Parts of the sequence that are where they were, and items between them."""
    items = _items_between(t, value, place)
    return items is not None and all(
        _follow_cell(t, item, t.forms.item_at(t, place, at), change) for at, item in items
    )


def _items_between(
    t: Translator, value: Joined, row: Place
) -> list[tuple[str, Scalar | Known]] | None:
    """The items, and where they are put, of what is otherwise a row of the same length.

    None where some part of the row would not be where it is.
    """
    whole = type_of_joined(t, value)
    if not whole.is_fixed or whole.most != row.type.most:
        return None
    found: list[tuple[str, Scalar | Known]] = []
    before: list[str] = []
    done = "0"
    for part in value.parts:
        items: tuple[Any, ...] = ()
        if isinstance(part, Items):
            items = part.items
        elif isinstance(part, Scalar):
            items = (part,)
        elif not _is_in_place(t, part, row, before, done):
            return None
        if not all(isinstance(each, (Scalar, Known)) for each in items):
            return None
        found += [(plus(done, str(i)), each) for i, each in enumerate(items)]
        count = count_of(t, part).text
        before.append(count)
        done = plus(done, count)
        if not done.isdigit() and not done.isidentifier():
            done = t.text.temporary(done, "n")
    return found


def _is_in_place(t: Translator, part: Any, row: Place, before: list[str], done: str) -> bool:
    """Whether a part is that of a row from as many items on as are in front of it."""
    first: Any = part
    is_there = True
    if isinstance(part, Stream):
        if part.slice is None:
            return False
        first, begin = part.slice
        is_there = first.shift == row.shift and t.sums.is_total(before, begin)
    elif isinstance(part, Place) and isinstance(part.type, Seq) and done.isdigit():
        is_there = part.shift == row.shift + int(done)
    else:
        return False
    is_same = (first.memory, first.base) == (row.memory, row.base) and first.is_stable
    return is_same and first.type.item == row.type.item and is_there


def store_joined(t: Translator, value: Joined, place: Place) -> None:
    """A row with a few other items is copied as a whole: how much that is, is known."""
    rows = [part.slice[0] for part in value.parts if isinstance(part, Stream) and part.slice]
    row = rows[0] if rows else None
    if row is not None and place.type.is_fixed and row.type.is_fixed:
        are_alike = row.type.item == place.type.item and isinstance(row.type.item, _CELLS)
        if are_alike and not row.type.start and row.type.most == place.type.most:
            items = _items_between(t, value, row)
            if items is not None and len(items) <= MOST_CHANGES:
                copy_cells(t, row, place, row.type.cells, 0)
                for at, item in items:
                    store(t, item, t.forms.item_at(t, place, at))
                return
    memory.store_joined(t, value, place)
