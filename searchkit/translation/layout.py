"""Where the cells of a state lie in its words, and how they get more room during a search.

A cell has a field of bits, which hold its value less `lows`, modulo the size of the field. A field
that turns out too small gets more bits, which no other field has: since they are zero in all states
of before, those states stay as they are, and so does what an engine has stored.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import attrs
import numpy as np

from searchkit.bits import WORD_BITS
from searchkit.translation.cells import cells_of
from searchkit.translation.types import (
    MOST_UNIVERSE,
    Atom,
    Atoms,
    Bits,
    Bool,
    Char,
    Float,
    Grid,
    Int,
    Maybe,
    Never,
    Record,
    Seq,
    Type,
    Unfit,
)

MOST_STATE_WORDS = 16
"""The most words of a state."""
MOST_WIDE = 64
"""How many pieces of further bits there can be."""
FEW = 4
"""Items of longer rows are taken to have one range of values, as tiles on a board have."""

ATOM = "atom"
Array = np.ndarray[Any, Any]
WIDE_COLUMNS = 5


class LayoutTables(NamedTuple):
    """What the kernels look up; the arrays are changed in place.

    Of each cell: the value that the bits 0 stand for, the shift and the mask of its field, the
    least value, and the size of all its bits less 1. Each five numbers of `wide` are a piece of
    further bits: its cell, its shift in the word, its shift in the field, its mask, and the word.
    Those of word `w` are the pieces from `ends[w]` to `ends[w + 1]`. All these are parts of
    `whole`, where a kernel finds them behind one address. `constants` are what else the kernels of
    a problem look up.
    """

    lows: Array
    shifts: Array
    masks: Array
    least: Array
    fulls: Array
    ends: Array
    wide: Array
    whole: Array
    constants: Array

    @classmethod
    def of(cls, **columns: Array | list[int]) -> LayoutTables:
        """The tables with these columns, of which `wide` may be shorter than there is room."""
        room = {name: len(column) for name, column in columns.items()}
        room["wide"] = MOST_WIDE * WIDE_COLUMNS
        lengths = [room[name] for name in COLUMNS]
        made = cls._in(_lines(_begins(lengths)[-1]), lengths)
        for name, column in columns.items():
            getattr(made, name)[: len(column)] = column
        return made

    @classmethod
    def _in(cls, whole: Array, lengths: Sequence[int]) -> LayoutTables:
        """The columns of these lengths in an array, one behind the other."""
        pairs = zip(_begins(lengths), lengths, strict=False)
        columns = [whole[begin : begin + length] for begin, length in pairs]
        return cls._make((*columns, whole, np.zeros(0, dtype=np.int64)))

    def copy(self) -> LayoutTables:
        """The same numbers in arrays of their own."""
        lengths = [len(getattr(self, name)) for name in COLUMNS]
        whole = _lines(len(self.whole))
        whole[:] = self.whole
        return self._in(whole, lengths)._replace(constants=self.constants)

    def places(self) -> list[int]:
        """Where each column begins in the whole, in the order of their names."""
        return _begins([len(getattr(self, name)) for name in COLUMNS])[:-1]


LINE = 8
"""The words of a line of a processor's cache: each column begins with one."""


def _lines(words: int) -> Array:
    """As many zeros, from the begin of a line on: reads of vectors across two lines take longer."""
    found = np.zeros(words + LINE, dtype=np.int64)
    begin = -(found.ctypes.data // found.itemsize) % LINE
    return found[begin : begin + words]


def _begins(lengths: Iterable[int]) -> list[int]:
    """Where each of some columns begins, and where the last one ends."""
    return list(accumulate((-(-length // LINE) * LINE for length in lengths), initial=0))


COLUMNS = LayoutTables._fields[:-2]
"""The columns in the order in which they are in the whole."""


class TooNarrow(Exception):  # noqa: N818  (leads to a wider layout)
    """There is no bit left for a value that does not fit its field."""


class Field(NamedTuple):
    """What is known of a cell: its least and its largest value, and whether these are all.

    Cells of one `group` are alike.
    """

    low: int
    high: int
    group: int
    is_sure: bool = False


def shapes(kind: Type) -> list[tuple[object, tuple[int, int] | None]]:
    """For each cell, which others are like it (those of an equal name), and its range if known."""
    return list(_shapes(kind, ()))


def _shapes(
    kind: Type, path: tuple[object, ...]
) -> Iterable[tuple[object, tuple[int, int] | None]]:
    match kind:
        case Bool():
            yield path, (0, 1)
        case Int() | Float() | Char():
            yield path, None
        case Atom():
            yield (*path, ATOM), None
        case Maybe():
            yield (*path, "flag"), (0, 1)
            yield from _shapes(kind.item, (*path, "item"))
        case Seq():
            if not kind.is_fixed:
                yield (*path, "length"), (kind.least, kind.most)
            are_alike = kind.most > FEW or not kind.is_fixed
            for i in range(kind.most):
                yield from _shapes(kind.item, (*path, "items" if are_alike else i))
        case Record():
            for i, each in enumerate(kind.items):
                yield from _shapes(each, (*path, i))
        case Bits():
            for i in range(kind.cells):
                size = min(kind.width, kind.universe.size - i * kind.width)
                yield (*path, i), (0, (1 << size) - 1)
        case Never():
            pass


class Layout:
    """The fields of all cells, in words; made by `lay_out`.

    `word_of` says of each cell, in their order, in which word its field is: they go from word to
    word. `left` are bits that no field has: the word, the lowest of them, and how many.
    """

    is_closed = False
    """Whether nothing gets wider: other processes have the layout, too."""
    kernels: Mapping[str, Any] | None = None
    """Those that pack states, once they are made: they stay the same when something gets wider."""

    def __init__(
        self,
        kind: Type,
        words: int,
        word_of: list[int],
        tables: LayoutTables,
        left: list[tuple[int, int, int]],
    ) -> None:
        self.kind, self.words, self.word_of = kind, words, word_of
        self.tables, self.left = tables, left
        self._columns: dict[str, list[int]] = {}
        """The tables as lists, which are faster to go through in Python; until one gets wider."""

    def copy(self) -> Layout:
        """The same layout, which gets wider by itself."""
        same = Layout(self.kind, self.words, self.word_of, self.tables.copy(), self.left.copy())
        same.kernels = self.kernels
        return same

    def column(self, name: str) -> list[int]:
        """A table as a list."""
        if name not in self._columns:
            self._columns[name] = getattr(self.tables, name).tolist()
        return self._columns[name]

    def firsts(self) -> list[int]:
        """The first cell of each word, and the end."""
        return [bisect_left(self.word_of, w) for w in range(self.words + 1)]

    def is_fit(self, cells: Sequence[int]) -> bool:
        """Whether each cell fits its field."""
        return not self._misfits(cells)

    def _misfits(self, cells: Sequence[int]) -> list[int]:
        least, fulls = self.column("least"), self.column("fulls")
        return [i for i, value in enumerate(cells) if not least[i] <= value <= least[i] + fulls[i]]

    def pack(self, cells: Sequence[int]) -> Any:
        """The word, or the tuple of words, with these cells, which fit."""
        words = [0] * self.words
        columns = tuple(map(self.column, ("lows", "shifts", "masks")))
        for value, w, low, shift, mask in zip(cells, self.word_of, *columns, strict=True):
            words[w] |= (value - low & mask) << shift
        for cell, shift, above, mask, w in self._wide():
            words[w] |= (cells[cell] - columns[0][cell] >> above & mask) << shift
        return words[0] if self.words == 1 else tuple(words)

    def known(self, state: Any, atoms: Atoms) -> Any:
        """The words of an author's state; None if it has none, so that nobody has met it."""
        try:
            cells = cells_of(self.kind, state, atoms)
        except Unfit:
            return None
        return self.pack(cells) if self.is_fit(cells) else None

    def packed(self, rows: Array) -> Array | None:
        """The words of many states, by a row of cells for each; None if one does not fit."""
        tables = self.tables
        fields = rows - tables.least
        if ((fields < 0) | (fields > tables.fulls)).any():
            return None
        from_low = rows - tables.lows
        bits = (from_low & tables.masks) << tables.shifts
        words = np.zeros((len(rows), self.words), dtype=np.int64)
        firsts = self.firsts()
        for w in range(self.words):
            words[:, w] = np.bitwise_or.reduce(bits[:, firsts[w] : firsts[w + 1]], axis=1)
        for cell, shift, above, mask, w in self._wide():
            words[:, w] |= (from_low[:, cell] >> above & mask) << shift
        return words[:, 0] if self.words == 1 else words

    def unpack(self, state: Any) -> list[int]:
        """The cells of a word, or of a tuple of words."""
        words = (state,) if self.words == 1 else state
        columns = map(self.column, ("lows", "shifts", "masks"))
        cells = [
            low + (words[w] >> shift & mask)
            for w, low, shift, mask in zip(self.word_of, *columns, strict=True)
        ]
        wide = self._wide()
        for cell, shift, above, mask, w in wide:
            cells[cell] += (words[w] >> shift & mask) << above
        for cell, *_ in wide:
            full = self.column("fulls")[cell]
            if cells[cell] > self.column("least")[cell] + full:
                cells[cell] -= full + 1
        return cells

    def unpacked(self, rows: Array) -> Array:
        """The cells of many states, a row for each."""
        tables, words = self.tables, rows.reshape(len(rows), -1)
        cells: Array = tables.lows + (words[:, self.word_of] >> tables.shifts & tables.masks)
        wide = self._wide()
        for cell, shift, above, mask, w in wide:
            cells[:, cell] += (words[:, w] >> shift & mask) << above
        for cell, *_ in wide:
            full = int(tables.fulls[cell])
            cells[cells[:, cell] > int(tables.least[cell]) + full, cell] -= full + 1
        return cells

    def _wide(self) -> list[list[int]]:
        if not self.column("ends")[-1]:
            return []
        numbers = self.tables.wide[: int(self.tables.ends[-1]) * WIDE_COLUMNS]
        return numbers.reshape(-1, WIDE_COLUMNS).tolist()

    def widen(self, cells: Sequence[int], *, spare: int = 0) -> bool:
        """Make room for these cells; False if they fit already. `TooNarrow` if there is none.

        Fields that get wider get so many bits more than they need, where there are any.
        """
        misfits = self._misfits(cells)
        if misfits and self.is_closed:
            raise TooNarrow
        for cell in misfits:
            self._widen(cell, cells[cell], spare)
        return bool(misfits)

    def _widen(self, cell: int, value: int, spare: int) -> None:
        tables = self.tables
        low, least, full = (int(each[cell]) for each in (tables.lows, tables.least, tables.fulls))
        if low != least:
            raise TooNarrow  # Bits 1 stand for what is below `low`; more of them would be 0.
        width = full.bit_length()
        needed = max(least + full, value) - min(least, value)
        more = needed.bit_length() - width
        there = sum(count for _, _, count in self.left)
        if there < more:
            raise TooNarrow
        more = min(more + spare, there)
        rows = self._wide()
        while more:
            w, at, count = self.left.pop()
            taken = min(count, more)
            rows.append([cell, at, width, (1 << taken) - 1, w])
            if taken < count:
                self.left.append((w, at + taken, count - taken))
            width, more = width + taken, more - taken
        if len(rows) > MOST_WIDE:
            raise TooNarrow
        rows.sort(key=lambda row: row[-1])
        tables.wide[: len(rows) * WIDE_COLUMNS] = np.ravel(rows)
        for w in range(self.words):
            tables.ends[w + 1] = sum(row[-1] <= w for row in rows)
        tables.fulls[cell] = (1 << width) - 1
        if value < least:
            # As much room below as is left above what was possible before.
            room = (1 << width) - 1 - (least + full - value)
            tables.least[cell] = value - room // 2
        self._columns.clear()


def fields_of(kind: Type, rows: Array) -> list[Field]:
    """The fields of the cells of a type, from the cells of some values: a row for each."""
    ends = zip(rows.min(axis=0).tolist(), rows.max(axis=0).tolist(), strict=True)
    groups: dict[object, int] = {}
    ranges: dict[int, tuple[int, int]] = {}
    fields = []
    for (name, known), met in zip(shapes(kind), ends, strict=True):
        group = groups.setdefault(name, len(groups))
        low, high = met
        if known is not None:  # zeros lie behind what is shorter than it may be
            low, high = min(low, known[0]), max(high, known[1])
        before = ranges.get(group, (low, high))
        ranges[group] = min(low, before[0]), max(high, before[1])
        fields.append((group, known is not None))
    return [Field(*ranges[group], group, is_sure) for group, is_sure in fields]


def lay_out(kind: Type, fields: Sequence[Field], *, is_whole: bool = False) -> Layout:
    """The fields in as few words as their values take; `Unfit` if those are too many.

    Unless the values are all that there are (`is_whole`), numbers get a bit more, and room for
    all from 0 on, where that takes no word more.
    """
    exact = [_widths(field, 0) for field in fields]
    widths, words = exact, _words_for(exact)
    if not is_whole:
        more = [0 if field.is_sure else 1 for field in fields]
        down = [each and _down_to_zero(field) + 1 for field, each in zip(fields, more, strict=True)]
        for room in (down, more):
            ample = list(map(_widths, fields, room))
            if _words_for(ample) == words:
                widths = ample
                break
    if words > MOST_STATE_WORDS:
        raise Unfit(f"a state takes {words} words of 64 bits; the most is {MOST_STATE_WORDS}")
    count, word, at = len(fields), 0, 0
    lows, shifts, sizes = (np.zeros(count, dtype=np.int64) for _ in range(3))
    word_of, left = [], []
    for i, (each, (low, width)) in enumerate(zip(fields, widths, strict=True)):
        if at + width > WORD_BITS:
            left.append((word, at, WORD_BITS - at))
            word, at = word + 1, 0
        lows[i], shifts[i], sizes[i] = low, min(at, WORD_BITS - 1), width
        word_of.append(word)
        at += width
        assert low <= each.low
    left.append((word, at, WORD_BITS - at))
    masks = (np.int64(1) << sizes) - 1
    tables = LayoutTables.of(
        lows=lows, shifts=shifts, masks=masks, least=lows, fulls=masks, ends=[0] * (words + 1),
        wide=[],
    )  # fmt: skip
    return Layout(kind, words, word_of, tables, [each for each in left if each[-1]])


def _down_to_zero(field: Field) -> int:
    """How many bits more a field takes if it has room for all numbers from 0 on."""
    return max(0, field.high.bit_length() - (field.high - field.low).bit_length())


def _widths(field: Field, more: int) -> tuple[int, int]:
    """The value that bits 0 stand for, and how many bits there are."""
    width = (field.high - field.low).bit_length() + more
    is_from_zero = field.low >= 0 and field.high.bit_length() <= width
    return 0 if is_from_zero else field.low, width


def _words_for(widths: Sequence[tuple[int, int]]) -> int:
    words, at = 1, 0
    for _, width in widths:
        if at + width > WORD_BITS:
            words, at = words + 1, 0
        at += width
    return words


def wider(fields: Sequence[Field], others: Sequence[Field]) -> list[Field]:
    """Fields for the values of both, and four times as many where the second has more."""
    ends: dict[int, tuple[int, int]] = {}
    for one, other in zip(fields, others, strict=True):
        low, high = ends.get(one.group, (one.low, one.high))
        ends[one.group] = min(low, other.low), max(high, other.high)
    found = []
    for each in fields:
        low, high = ends[each.group]
        room = 0 if each.is_sure else 3 * (high - low + 1)
        if low < each.low:
            low -= room
        if high > each.high:
            high += room
        found.append(each._replace(low=low, high=high))
    return found


def roomier(before: Type, kind: Type) -> Type:
    """The type, with room for more where it has more than another of the same form.

    Lengths and ranges are half as large again.
    """
    match before, kind:
        case Maybe(), Maybe():
            return Maybe(roomier(before.item, kind.item))
        case Seq(), Seq():
            more = (kind.most + 1) // 2 if kind.most > before.most and kind.kind is not str else 0
            item = roomier(before.item, kind.item)
            return attrs.evolve(kind, item=item, most=kind.most + more)
        case Record(), Record() if len(before.items) == len(kind.items):
            items = map(roomier, before.items, kind.items)
            return Record(tuple(items), kind.kind)
        case Bits(universe=Grid() as one), Bits(universe=Grid() as other):
            if one.size < other.size and len(one.sizes) == len(other.sizes):
                sizes = tuple(size + (size + 1) // 2 for size in other.sizes)
                wide = other._replace(sizes=sizes)
                return Bits(wide, kind.kind) if wide.size <= MOST_UNIVERSE else kind
    return kind
