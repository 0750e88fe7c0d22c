"""Children that differ from their state in few cells: made of its words, not packed from cells."""

from __future__ import annotations

from typing import Any

from searchkit.translation.statements import Statements
from searchkit.translation.types import Atom, Bool, Char, Int, Record, Seq, Type
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


class Changes(Statements):
    """How a child is made of the words of its state."""

    kind: Type
    name: str
    has_words: bool = True
    """Whether states are packed by a layout of their own."""

    # Lists that began as a part of the state

    def copied_list(self, value: Place, copy: Place) -> Place:
        """A list that was copied; with its words, if it is a part of the state."""
        kind = value.type
        if (
            self.name != "expand"
            or not self.has_words
            or (value.memory, value.base, copy.memory) != (FRAME, "", FRAME)
            or not value.shift + kind.cells <= self.kind.cells
            or not (kind.is_fixed and isinstance(kind.item, _CELLS))
        ):
            return super().copied_list(value, copy)
        word = self.text.temporary("state", "word")
        unfit = self.text.temporary("self.widened()", "unfit")
        return copy._replace(words=Words(word, unfit, copy.shift - value.shift))

    def _put(self, place: Place, value: Value) -> None:
        super()._put(place, value)
        words = place.words
        if words is None:
            return
        at = place._replace(shift=place.shift - words.shift).at()
        self._replace(words.word, words.unfit, at, place.cell())

    def _replace(self, word: str, unfit: str, at: str, cell: str) -> None:
        self.text.line(f"{unfit} |= self.misfit({at}, {cell})")
        self.text.line(f"{word} = self.replaced({word}, {at}, {cell})")

    # Children

    def changed_words(self, child: Value) -> tuple[str, str] | None:
        """Names for the words of a child, and for what is not 0 where it does not fit.

        None where it differs from the state in too many cells, or in a way that is not followed.
        """
        if not self.has_words:
            return None
        change = _Change()
        if not self._follow(child, Place(self.kind, FRAME, "", 0, is_stable=True), change):
            return None
        count = len(change.cells)
        if count > min(MOST_CHANGES, max(4, self.kind.cells // 2)):
            return None
        words = change.words or Words("state", "self.widened()", 0)
        if not count and change.words is not None:
            return words.word, words.unfit
        word = self.text.temporary(words.word, "child")
        unfit = self.text.temporary(words.unfit, "unfit")
        for at, cell in change.cells:
            self._replace(word, unfit, at, cell)
        return word, unfit

    def _follow(self, value: Value, place: Place, change: _Change) -> bool:
        """Note how a value differs from a part of the state; whether that is known."""
        kind = place.type
        if isinstance(value, Place):
            return self._follow_place(value, place, change)
        if isinstance(kind, _CELLS) and isinstance(value, (Scalar, Known)):
            return self._follow_cell(value, place, change)
        if isinstance(value, Items) and isinstance(kind, Record) and value.kind is kind.kind:
            return len(value.items) == len(kind.items) and all(
                self._follow(each, self.field_of(place, i), change)
                for i, each in enumerate(value.items)
            )
        if not isinstance(kind, Seq) or not kind.is_fixed or not isinstance(kind.item, _CELLS):
            return False
        if isinstance(value, Items) and value.kind is kind.kind:
            return len(value.items) == kind.most and all(
                self._follow(each, self.item_at(place, str(i)), change)
                for i, each in enumerate(value.items)
            )
        if isinstance(value, Joined) and value.kind is kind.kind:
            return self._follow_parts(value, place, change)
        return False

    def _follow_place(self, value: Place, place: Place, change: _Change) -> bool:
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

    def _follow_cell(self, value: Scalar | Known, place: Place, change: _Change) -> bool:
        text = self.as_cell(value, place.type)
        if text is None:
            return False
        if text not in (place.cell(), f"({place.cell()} != 0)"):
            change.cells.append((place.at(), text))
        return True

    def _follow_parts(self, value: Joined, place: Place, change: _Change) -> bool:
        """Parts of the sequence that are where they were, and items between them."""
        items = self._items_between(value, place)
        return items is not None and all(
            self._follow_cell(item, self.item_at(place, at), change) for at, item in items
        )

    def _items_between(self, value: Joined, row: Place) -> list[tuple[str, Scalar | Known]] | None:
        """The items, and where they are put, of what is otherwise a row of the same length.

        None where some part of the row would not be where it is.
        """
        whole = self.type_of_joined(value)
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
            elif not self._is_in_place(part, row, before, done):
                return None
            if not all(isinstance(each, (Scalar, Known)) for each in items):
                return None
            found += [(self._plus(done, str(i)), each) for i, each in enumerate(items)]
            count = self.count_of(part).text
            before.append(count)
            done = self._plus(done, count)
            if not done.isdigit() and not done.isidentifier():
                done = self.text.temporary(done, "n")
        return found

    def _is_in_place(self, part: Any, row: Place, before: list[str], done: str) -> bool:
        """Whether a part is that of a row from as many items on as are in front of it."""
        first: Any = part
        is_there = True
        if isinstance(part, Stream):
            if part.slice is None:
                return False
            first, begin = part.slice
            is_there = first.shift == row.shift and self.sums.is_total(before, begin)
        elif isinstance(part, Place) and isinstance(part.type, Seq) and done.isdigit():
            is_there = part.shift == row.shift + int(done)
        else:
            return False
        is_same = (first.memory, first.base) == (row.memory, row.base) and first.is_stable
        return is_same and first.type.item == row.type.item and is_there

    def _store_joined(self, value: Joined, place: Place) -> None:
        """A row with a few other items is copied as a whole: how much that is, is known."""
        rows = [part.slice[0] for part in value.parts if isinstance(part, Stream) and part.slice]
        row = rows[0] if rows else None
        if row is not None and place.type.is_fixed and row.type.is_fixed:
            are_alike = row.type.item == place.type.item and isinstance(row.type.item, _CELLS)
            if are_alike and not row.type.start and row.type.most == place.type.most:
                items = self._items_between(value, row)
                if items is not None and len(items) <= MOST_CHANGES:
                    self._copy_cells(row, place, row.type.cells, 0)
                    for at, item in items:
                        self.store(item, self.item_at(place, at))
                    return
        super()._store_joined(value, place)
