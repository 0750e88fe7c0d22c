"""Values in memory: read, written, copied, brought to another type."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

from searchkit.kernel_language.site import Site
from searchkit.problem import Step
from searchkit.translation.cells import write
from searchkit.translation.naming import (
    SHORTER,
    UNLIKE_ITEMS,
    beyond,
    describe,
    shown,
    unknown_in,
    unlike,
)
from searchkit.translation.refusals import Refusals
from searchkit.translation.text import Sums, Text
from searchkit.translation.types import (
    NONE,
    Atom,
    Atoms,
    Bits,
    Bool,
    Char,
    Float,
    Int,
    Maybe,
    Never,
    Open,
    Record,
    Seq,
    Type,
    Unfit,
    alike,
    join,
    type_of,
    with_truths,
)
from searchkit.translation.values import (
    ANY_NUMBERS,
    CONSTANTS,
    FRAME,
    NO_NUMBERS,
    SMALL,
    Chosen,
    Function,
    Interval,
    Items,
    Joined,
    Known,
    Place,
    Scalar,
    Stream,
    Value,
)

SCALARS = (Int, Float, Bool, Char, Atom)
MOST_UNROLLED = 4
"""How many cells are copied or compared one by one instead of in a loop."""
MOST_CONSTANT_CELLS = 1 << 22
"""How many a constant may have: a text among many has room for the longest of them."""
MOST_PARTS = 8
"""How many items a tuple has at most of which each has bounds of its own."""
MOST_CELLS = 1 << 16
"""How large a frame may become."""
NO_VALUE = Known(None)


class Memory(Refusals):
    """The text that is being made, and the numbers that it looks up."""

    # Of classes further down

    check_copied: Callable[[Value], bool]
    as_atom: Callable[[Scalar, Type], str | None]
    float_text: Callable[[Scalar], str | None]
    row_of: Callable[[Value], Place]
    _store_set: Callable[[Value, Place], None]

    words = True
    """Whether texts of letters alone that states do not change are kept as numbers."""

    def __init__(self, text: Text, atoms: Atoms, numbers: list[int], site: Site) -> None:
        super().__init__(text, site)
        self.atoms = atoms
        self.numbers = numbers
        """The table of constants."""
        self.sums = Sums()
        self._kept: dict[Any, int] = {}
        self._types_of_items: dict[Any, Type] = {}
        """By what gives the items of rows by number."""

    # Types

    def joined(self, one: Type, other: Type) -> Any:
        """The type of values of either."""
        found = join(one, other) or false_or(one, other)
        if found is None:
            what, cure = unlike(one, other)
            raise self.refuse(f"{what}{self.here()}", cure)
        return found

    def type_of(self, value: Value) -> Any:
        """The type of a value."""
        if isinstance(value, (Scalar, Place)):
            return value.type
        if isinstance(value, Known):
            pair = value.value.__class__ is tuple and len(value.value) == 2
            if not pair or (value.value[0] is None) is (value.value[1] is None):
                return self.type_of_known(value.value)
            value = Items(tuple(map(Known, value.value)))
        if isinstance(value, Items):
            found = [self.type_of(each) for each in value.items]
            if (
                value.kind is tuple
                and len(found) == 2
                and (found[0] == NONE) is not (found[1] == NONE)
            ):
                return Record(tuple(found))
            if value.kind not in (tuple, list, str, set, frozenset):
                return Record(tuple(found), value.kind)
            item = alike(found, value.kind)
            if item is None:
                return Record(tuple(found), value.kind)
            least = min(1, len(found)) if value.kind in (set, frozenset) else len(found)
            return Seq(item, least, len(found), value.kind)
        if isinstance(value, Joined):
            return self.type_of_joined(value)
        if isinstance(value, Function):
            raise self.refuse("uses a function as a value", "call it")
        if isinstance(value, Chosen):
            raise self.refuse(f"keeps {describe(value)} that a state chooses", "look it up there")
        raise self.refuse("keeps an iterator", "make a list or tuple of it")

    def _type_of_row(self, value: Stream) -> Seq:
        """The type of what is gone through by number."""
        assert value.count is not None
        assert value.at is not None
        if value.at not in self._types_of_items:
            with self.text.aside():
                one = value.at(Scalar(Int(), "0", 0, max(0, value.count.high - 1)))
                self._types_of_items[value.at] = self.type_of(one)
        return Seq(self._types_of_items[value.at], value.count.low, value.count.high, tuple)

    def type_of_known(self, *values: Any) -> Any:
        """The type of an object of Python, or of several."""
        try:
            return type_of(values, self.atoms, words=self.words, floats=True)
        except (TypeError, Unfit):
            raise self.refuse(*unknown_in(values[0])) from None

    def type_of_joined(self, value: Joined) -> Any:
        """The type of sequences one behind the other."""
        item, least, most = self.items_of_joined(value)
        if item is None:
            raise self.refuse(*UNLIKE_ITEMS)
        if least < most:
            known = self.sums.total([self.count_of(each).text for each in value.parts])
            if known is not None and least <= known <= most:
                least = most = known
        return Seq(item, least, most, value.kind)

    def items_of_joined(self, value: Joined) -> tuple[Type | None, int, int]:
        """The type of their items, None if they are unlike; the least and most that there are."""
        item: Type | None = Never()
        least = most = 0
        for each in value.parts:
            kind = self._type_of_row(each) if isinstance(each, Stream) else self.type_of(each)
            if isinstance(kind, Char):
                kind = Seq(kind, 1, 1, str)
            if isinstance(kind, Record):
                for one in kind.items:
                    item = None if item is None else join(item, one)
                kind = Seq(item or Never(), len(kind.items), len(kind.items), kind.kind)
            least, most = least + kind.least, most + kind.most
            item = None if item is None else join(item, kind.item)
        return item, least, most

    def kind_of(self, value: Value) -> type | None:
        """The class of a sequence or set; None for all else."""
        if isinstance(value, (Items, Joined)):
            return value.kind
        if isinstance(value, Known):
            known: type = value.value.__class__
            return known
        if isinstance(value, Scalar):
            return str if isinstance(value.type, Char) else None
        if isinstance(value, Place) and not isinstance(value.type, Maybe):
            return getattr(value.type, "kind", None)
        return None

    def views(self, value: Stream) -> tuple[Scalar, Callable[[str], Value]]:
        """How many items there are, and each by its number."""
        assert value.count is not None
        assert value.at is not None
        most, at = value.count.high, value.at
        return value.count, lambda i: at(Scalar(Int(), i, 0, max(0, most - 1)))

    @staticmethod
    def is_word(value: Value) -> bool:
        """Whether a value is a text by its number among the atoms."""
        return class_of_atom(value) is str

    @staticmethod
    def is_listed(value: Value) -> bool:
        """Whether a value is a tuple by its number among the atoms: the member of a set."""
        kind = class_of_atom(value)
        return kind is not None and issubclass(kind, tuple)

    def spelt(self, atom: Scalar) -> Place:
        """The characters of such a text, or the items of such a tuple."""
        own: Any = atom.type.kind  # type: ignore[union-attr]
        of_kind = [each for each in self.atoms.values if isinstance(each, own)]
        first = of_kind[0] if of_kind else own()
        values = [each if isinstance(each, own) else first for each in self.atoms.values]
        if own is str:
            lengths = list(map(len, values)) or [0]
            kind: Type = Seq(Char(), min(lengths), max(lengths), str)
        else:
            kind = self.type_of_known(*values)
        row = self.constant(tuple(values), Seq(kind, len(values), len(values), tuple))
        number = atom.text if atom.text.isidentifier() else self.text.temporary(atom.text)
        self.trap(f"{number} >= {len(values)}")
        return self.item_at(row, number)

    def spelt_out(self, value: Value) -> Value:
        """A text, or a tuple, of one cell by its items; any other value as it is."""
        if isinstance(value, Scalar) and isinstance(value.type, Char):
            return Items((value,), str)
        is_spelt = self.is_word(value) or self.is_listed(value)
        return self.spelt(value) if is_spelt else value  # type: ignore[arg-type]

    # Reading

    def length(self, place: Place) -> Scalar:
        """How many items a sequence has."""
        kind = place.type
        if not kind.start:
            return Scalar.whole(kind.most)
        return Scalar(Int(), self._now(place, place.cell()), kind.least, kind.most)

    def _now(self, place: Place, text: str) -> str:
        return text if place.is_stable else self.text.temporary(text)

    def loaded(self, place: Place) -> Value:
        """What is at a place: a scalar, or the place itself."""
        kind = place.type
        if isinstance(kind, Bool):
            return Scalar(kind, f"({self._now(place, place.cell())} != 0)", 0, 1)
        if isinstance(kind, Char):
            return Scalar(kind, self._now(place, place.cell()), 0, 0x10FFFF)
        if isinstance(kind, (Atom, Float)):
            return Scalar(kind, self._now(place, place.cell()), 0, SMALL - 1)
        if isinstance(kind, Int):
            return Scalar(kind, self._now(place, place.cell()), *place.bounds)
        return place

    def part(
        self, place: Place, kind: Type, offset: int, number: int | None = None,
        item: int | None = None,
    ) -> Place:  # fmt: skip
        """A part of a value, by the cells in front of it; `item` is its number, if known."""
        path = (*place.path, number)
        found = place._replace(type=kind, shift=place.shift + offset, path=path)
        if not place.parts or isinstance(place.type, Maybe):
            return found
        if item is None or item >= len(place.parts):
            return found._replace(parts=())
        return found._replace(bounds=place.parts[item].bounds, parts=place.parts[item].parts)

    def item_at(self, place: Place, index: str) -> Place:
        """The item of a sequence, by its number, which is in range."""
        kind = place.type
        size, head = kind.item.cells, kind.start
        if index.isdigit():
            return self.part(place, kind.item, head + int(index) * size, item=int(index))
        text = index if size == 1 else f"({index}) * {size}"
        base = f"{place.base} + {text}" if place.base else text
        if not base.isidentifier():
            base = self.text.temporary(base, "at")
        return self.part(place, kind.item, head)._replace(base=base)

    def field_of(self, place: Place, number: int) -> Place:
        """An item of a record."""
        kinds = place.type.items
        return self.part(place, kinds[number], place.type.starts()[number], number, number)

    def items_of_record(self, place: Place) -> list[Value]:
        """All items of a record."""
        return [self.loaded(self.field_of(place, i)) for i in range(len(place.type.items))]

    def fields_of(self, value: Value) -> list[Value] | None:
        """The items of a tuple, or list, of unlike items in memory; None for all else."""
        kind = value.type if isinstance(value, Place) else None
        if not isinstance(kind, Record) or not issubclass(kind.kind, (tuple, list)):
            return None
        if kind.kind is Step:
            return None
        assert isinstance(value, Place)
        return self.items_of_record(value)

    def interval(self, value: Value) -> Interval:
        """Bounds on the numbers in a value, and in its items."""
        if isinstance(value, Scalar) and not isinstance(value.type, (Int, Bool)):
            return NO_NUMBERS
        if isinstance(value, (Scalar, Place)):
            ends = value.bounds if isinstance(value, Place) else (value.low, value.high)
            low, high = (min(max(each, 1 - SMALL), SMALL - 1) for each in ends)
            return Interval(low, high, value.parts if isinstance(value, Place) else ())
        if isinstance(value, Known):
            if isinstance(value.value, int):
                return Interval(int(value.value), int(value.value))
            if value.value is None or isinstance(value.value, (str, float)):
                return NO_NUMBERS
            if type(value.value) is tuple:
                value = Items(tuple(map(Known, value.value)))
        if not isinstance(value, Items):
            return ANY_NUMBERS
        parts = tuple(map(self.interval, value.items))
        found = reduce(Interval.joined, parts, NO_NUMBERS)
        is_short = len(parts) <= MOST_PARTS and value.kind not in (set, frozenset)
        return found._replace(parts=parts if is_short else ())

    def within_bounds(self, place: Place, *values: Value) -> Place:
        """Where one of some values is now, with bounds on its numbers unless it may be changed."""
        if self.is_mutable(place.type):
            return place
        known = reduce(Interval.joined, map(self.interval, values))
        return place._replace(bounds=known.bounds, parts=known.parts)

    # Writing

    def slot(self, kind: Type) -> Place:
        """Room for a value."""
        if self.text.cells + kind.cells > MOST_CELLS:
            raise self.refuse("needs more memory than a kernel may have", "use shorter lists")
        return Place(kind, FRAME, "", self.text.room(kind.cells))

    def in_memory(self, value: Value, want: Type | None = None) -> Place:
        """The value at a place, of the type that is wanted."""
        if isinstance(value, Place) and (want is None or value.type == want):
            return value
        kind = self.type_of(value) if want is None else want
        if isinstance(value, Known):
            return self.constant(value.value, kind)
        place = self.slot(kind)
        self.store(value, place)
        is_copy = self.check_copied(value)
        return self.within_bounds(place, value)._replace(is_stable=True, is_fresh=not is_copy)

    def constant(self, value: Any, kind: Type) -> Place:
        """An object of Python in the table of constants."""
        if kind.cells > MOST_CONSTANT_CELLS:
            raise self.refuse("needs too large a table of constants", "use shorter texts or lists")
        cells = [0] * kind.cells
        try:
            write(with_truths(kind), value, cells, 0, self.atoms)
        except (Unfit, TypeError):
            raise self.refuse(
                f"uses {value!r:.60} where values of another type are", "use like values"
            ) from None
        key = tuple(cells)
        if key not in self._kept:
            self._kept[key] = len(self.numbers)
            self.numbers += cells
        bounds = min(cells, default=0), max(cells, default=0)
        return Place(kind, CONSTANTS, "", self._kept[key], is_stable=True, bounds=bounds)

    def text_constant(self, text: str) -> Place:
        """A text of Python's by its characters."""
        return self.constant(text, Seq(Char(), len(text), len(text), str))

    def empty_row(self, item: Type, most: int, kind: type) -> Place:
        """Room for a sequence or set, without items."""
        place = self.slot(Seq(item, 0, max(1, most), kind))
        self.text.line(f"{place.cell()} = 0")
        return place

    def small(self, value: Scalar) -> str:
        """The text of a number that fits a cell; leaves the state to Python where it does not."""
        if value.low > -SMALL and value.high < SMALL:
            return value.text
        text = self.text.temporary(value.text)
        self.trap(
            f"{text} <= -{SMALL} or {text} >= {SMALL}",
            what=f"gets {{{text}}}, a number beyond 2**40",
            instead="calculate with smaller numbers, or a remainder",
        )
        return text

    def as_cell(self, value: Value, kind: Type) -> str | None:
        """The number that stands for a scalar value in a cell of a type; None if none can."""
        if isinstance(value, Known):
            cells = [0]
            try:
                write(with_truths(kind), value.value, cells, 0, self.atoms)
            except (Unfit, TypeError):
                return None
            return str(cells[0])
        if not isinstance(value, Scalar):
            return None
        if isinstance(kind, Float):
            return self.float_text(value)
        if isinstance(value.type, Bool) and isinstance(kind, (Bool, Int)):
            return f"int({value.text})"
        if isinstance(value.type, Int) and isinstance(kind, Int):
            return self.small(value)
        is_atom = isinstance(value.type, Atom) and isinstance(kind, Atom) and kind.kind is None
        return self.small(value) if value.type == kind or is_atom else self.as_atom(value, kind)

    def is_mutable(self, kind: Type) -> bool:
        """Whether values of a type can be changed in place."""
        if isinstance(kind, (Seq, Bits, Open)) and kind.kind not in (tuple, str, frozenset, bytes):
            return True
        if isinstance(kind, Seq):
            return self.is_mutable(kind.item)
        if isinstance(kind, Record):
            return kind.kind is list or any(map(self.is_mutable, kind.items))
        return isinstance(kind, Maybe) and self.is_mutable(kind.item)

    def store(self, value: Value, place: Place) -> None:
        """Write a value to a place, which is of a type that holds it.

        A list with a name cannot become part of another value: here it would be a copy.
        """
        kind = place.type
        is_named = isinstance(value, Place) and bool(place.path) and not value.is_fresh
        if is_named and self.is_mutable(value.type):  # type: ignore[union-attr]
            raise self.refuse(
                "puts a list that has a name, or is part of another, into another value",
                "copy it with list(...) or tuple(...)",
            )
        if isinstance(kind, Never):
            raise self.refuse("keeps a value where none was met", "begin with one of its kind")
        if not isinstance(kind, Maybe):
            value = self.there(value)
        if isinstance(value, Place) and value.type == kind:
            self._copy(value, place)
        elif isinstance(kind, SCALARS):
            text = self.as_cell(value, kind)
            if text is None:
                self._cannot(value, kind)
            self.text.line(f"{place.cell()} = {text}")
        elif isinstance(kind, Maybe):
            self._store_maybe(value, place)
        elif isinstance(kind, Seq):
            self._store_items(value, place)
        elif isinstance(kind, Record):
            self._store_record(value, place)
        else:
            self._store_set(value, place)

    def _cannot(self, value: Value, kind: Type) -> None:
        raise self.refuse(
            f"puts {describe(value)} where {shown(kind)} is", "use two names, or like values"
        )

    def there(self, value: Value) -> Value:
        """A value, but what is not None; leaves the state to Python where it is None."""
        if not isinstance(value, Place) or not isinstance(value.type, Maybe):
            return value
        what = f"uses {value.type.empty} as another value"
        self.trap(f"{value.cell()} == 0", what=what, instead="test it before")
        return self.loaded(self.part(value, value.type.item, 1))

    def _store_maybe(self, value: Value, place: Place) -> None:
        if place.type.empty is False and isinstance(self.type_of(value), Bool):
            text = self.as_cell(value, Bool())
            self.trap(f"{text} != 0", what="uses True where False or another value is")
            value = NO_VALUE
        if is_none(value):
            self.text.line(f"{place.cell()} = 0")
            for i in range(1, place.type.cells):  # equal values are equal cells
                self.text.line(f"{place.cell(i)} = 0")
            return
        if isinstance(value, Place) and isinstance(value.type, Maybe):
            with self.text.block(f"if {value.cell()} == 0:"):
                self._store_maybe(NO_VALUE, place)
            with self.text.block("else:"):
                inner = self.loaded(self.part(value, value.type.item, 1))
                self.text.line(f"{place.cell()} = 1")
                self.store(inner, self.part(place, place.type.item, 1))
            return
        self.text.line(f"{place.cell()} = 1")
        self.store(value, self.part(place, place.type.item, 1))

    def _store_items(self, value: Value, place: Place) -> None:
        kind = place.type
        value = self.spelt_out(value)
        if isinstance(value, Joined) and value.kind is kind.kind:
            self._store_joined(value, place)
            return
        if isinstance(value, Known) and not hasattr(value.value, "__len__"):
            self._cannot(value, kind)
        if isinstance(value, Known):
            value = self.constant(value.value, self.joined(self.type_of(value), Seq(
                kind.item, len(value.value), len(value.value), kind.kind)))  # fmt: skip
        if isinstance(value, Items) and value.kind in (set, frozenset):
            value = self.row_of(value)
        if isinstance(value, Items) and value.kind is kind.kind:
            count = len(value.items)
            if not kind.least <= count <= kind.most:
                raise self.refuse("makes a longer or shorter sequence than the others here", "")
            for i, each in enumerate(value.items):
                self.store(each, self.item_at(place, str(i)))
            if kind.start:
                self.text.line(f"{place.cell()} = {count}")
            return
        if not (
            isinstance(value, Place)
            and isinstance(value.type, Seq)
            and value.type.kind is kind.kind
        ):
            self._cannot(value, kind)
            return
        source = value
        length = self.length(source)
        self._check_length(kind, length.text, length.low, length.high)
        if not isinstance(source.type.item, Never):
            self.repeat(
                length, lambda i: self.store(
                    self.loaded(self.item_at(source, i)), self.item_at(place, i))
            )  # fmt: skip
        if kind.start:
            self.text.line(f"{place.cell()} = {length.text}")

    def _check_length(self, kind: Seq, text: str, least: int, most: int) -> None:
        """Leave the state to Python where a sequence has more or fewer items than there is room."""
        if most > kind.most or least < kind.least:
            test = f"{text} > {kind.most} or {text} < {kind.least}"
            self.trap(test, what=beyond(kind), instead=SHORTER)

    def _store_joined(self, value: Joined, place: Place) -> None:
        """One part behind the other; the counter is a number of the text for as long as it can."""
        kind = place.type
        whole = self.type_of_joined(value)
        counts = [self.count_of(each) for each in value.parts]
        text = str(whole.most)
        if whole.least < whole.most:
            text = self.text.temporary(" + ".join(each.text for each in counts), "n")
        self._check_length(kind, text, whole.least, whole.most)
        done = "0"
        if self.text.is_aside:
            return
        for part, count in zip(value.parts, counts, strict=True):
            items = self.items_by_number(part)
            start = done
            self.repeat(count, lambda i, items=items, start=start: self.store(  # type: ignore[misc]
                items(i), self.item_at(place, self._plus(start, i))))  # fmt: skip
            done = self._plus(done, count.text)
            if not done.isdigit() and not done.isidentifier():
                done = self.text.temporary(done, "n")
        if kind.start:
            self.text.line(f"{place.cell()} = {text}")

    @staticmethod
    def _plus(one: str, other: str) -> str:
        if one.isdigit() and other.isdigit():
            return str(int(one) + int(other))
        return other if one == "0" else one if other == "0" else f"{one} + {other}"

    def count_of(self, value: Value) -> Scalar:
        """How many items a sequence has."""
        if isinstance(value, Place) and isinstance(value.type, Seq):
            return self.length(value)
        if isinstance(value, Stream) and value.count is not None:
            return value.count
        count = 1
        if isinstance(value, Items):
            count = len(value.items)
        elif isinstance(value, Known):
            count = len(value.value)
        elif isinstance(value, Place):
            count = len(value.type.items)
        return Scalar.whole(count)

    def items_by_number(self, value: Value) -> Callable[[str], Value]:
        """What gives the item of a sequence by the text of its number."""
        if isinstance(value, Stream):
            return self.views(value)[1]
        if isinstance(value, Scalar):  # a character
            return lambda i: value
        if isinstance(value, Items) and len(value.items) == 1:
            (first,) = value.items
            return lambda i: first
        if isinstance(value, Items) and len(value.items) == 2:
            pair = value.items
            return lambda i: pair[int(i)]  # see `repeat`
        if isinstance(value, Place) and isinstance(value.type, Record):
            value = Items(tuple(self.items_of_record(value)), value.type.kind)
        if isinstance(value, Known) and isinstance(value.value, str):
            value = self.text_constant(value.value)
        place = self.in_memory(value)
        if isinstance(place.type, Record):
            raise self.refuse(*UNLIKE_ITEMS)
        return lambda i: self.loaded(self.item_at(place, i))

    def _store_record(self, value: Value, place: Place) -> None:
        kind = place.type
        if isinstance(value, Known):
            value = self.constant(value.value, kind)
            self._copy(value, place)
            return
        parts: list[Value] = []
        if isinstance(value, Items) and value.kind is kind.kind:
            parts = list(value.items)
        elif isinstance(value, Place) and isinstance(value.type, Record):
            if value.type.kind is kind.kind:
                parts = self.items_of_record(value)
        elif isinstance(value, Place) and isinstance(value.type, Seq) and (
            kind.kind in (tuple, list) and value.type.kind is kind.kind
        ):  # fmt: skip
            count = len(kind.items)
            if value.type.least <= count <= value.type.most:
                if not value.type.is_fixed:
                    self.trap(f"{value.cell()} != {count}", what=beyond(kind), instead=SHORTER)
                parts = [self.loaded(self.item_at(value, str(i))) for i in range(count)]
        if len(parts) != len(kind.items):
            self._cannot(value, kind)
        for i, each in enumerate(parts):
            self.store(each, self.field_of(place, i))

    def copied(self, place: Place) -> Place:
        """The same cells in room of their own."""
        copy = self.slot(place.type)
        self._copy(place, copy)
        return copy.made()

    def _copy(self, source: Place, place: Place) -> None:
        if source.memory == place.memory and source.at() == place.at():
            return
        kind = source.type
        if isinstance(kind, Seq) and kind.start:
            # What is behind the last item may be anything.
            count = self.text.temporary(source.cell())
            self.text.line(f"{place.cell()} = {count}")
            size = kind.item.cells
            text = count if size == 1 else f"{count} * {size}"
            self._copy_cells(source, place, text, 1)
        else:
            self._copy_cells(source, place, kind.cells, 0)

    def _copy_cells(self, source: Place, place: Place, count: int | str, begin: int) -> None:
        if isinstance(count, int) and count <= MOST_UNROLLED:
            for i in range(count):
                self.text.line(f"{place.cell(begin + i)} = {source.cell(begin + i)}")
            return
        at = self.text.name("i")
        with self.text.loop(f"for {at} in range({count}):"):
            one, other = (each._replace(shift=each.shift + begin) for each in (place, source))
            self.text.line(f"{one.cell(at)} = {other.cell(at)}")

    def repeat(self, count: Scalar, body: Callable[[str], None]) -> None:
        """A loop that calls `body` with the text of each number below `count`."""
        if count.low == count.high <= 2:
            for i in range(count.high):
                body(str(i))
            return
        at = self.text.name("i")
        with self.text.loop(f"for {at} in range({count.text}):"):
            body(at)


def false_or(one: Type, other: Type) -> Type | None:
    """The type of False, where a sequence, set or record is not found, or that; None of others."""
    for a, b in ((one, other), (other, one)):
        if isinstance(a, Bool) and isinstance(b, (Seq, Record, Bits, Open)):
            return Maybe(b, empty=False)
        if isinstance(a, Bool) and isinstance(b, Maybe) and b.empty is False:
            return b
    return None


def class_of_atom(value: Value) -> type | None:
    """The class of what only its number among the atoms tells; None of all else, and of several."""
    is_atom = isinstance(value, Scalar) and isinstance(value.type, Atom)
    return value.type.kind if is_atom else None  # type: ignore[union-attr]


def is_none(value: Value) -> bool:
    """Whether a value is None whatever the state is."""
    return (isinstance(value, Known) and value.value is None) or (
        isinstance(value, Scalar) and value.type == NONE
    )
