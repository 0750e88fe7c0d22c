"""Values in memory: read, written, copied, brought to another type."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

from searchkit.problem import Step
from searchkit.translation.cells import write
from searchkit.translation.refusals import (
    SHORTER,
    UNLIKE_ITEMS,
    beyond,
    describe,
    here,
    refuse,
    shown,
    trap,
    unknown_in,
    unlike,
)
from searchkit.translation.translator import Translator
from searchkit.translation.types import (
    NONE,
    Atom,
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
    with_truths,
)
from searchkit.translation.types import type_of as type_of_objects
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
    Objects,
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

# Types


def joined_type(t: Translator, one: Type, other: Type) -> Any:
    """The type of values of either."""
    found = join(one, other) or false_or(one, other)
    if found is None:
        what, cure = unlike(one, other)
        raise refuse(t, f"{what}{here(t)}", cure)
    return found


def type_of(t: Translator, value: Value) -> Any:
    """The type of a value."""
    if isinstance(value, (Scalar, Place)):
        return value.type
    if isinstance(value, Known):
        pair = value.value.__class__ is tuple and len(value.value) == 2
        if not pair or (value.value[0] is None) is (value.value[1] is None):
            return t.forms.type_of_known(t, value.value)
        value = Items(tuple(map(Known, value.value)))
    if isinstance(value, Items):
        found = [type_of(t, each) for each in value.items]
        if value.kind is tuple and len(found) == 2 and (found[0] == NONE) is not (found[1] == NONE):
            return Record(tuple(found))
        if value.kind not in (tuple, list, str, set, frozenset):
            return Record(tuple(found), value.kind)
        item = alike(found, value.kind)
        if item is None:
            return Record(tuple(found), value.kind)
        least = min(1, len(found)) if value.kind in (set, frozenset) else len(found)
        return Seq(item, least, len(found), value.kind)
    if isinstance(value, Joined):
        return type_of_joined(t, value)
    if isinstance(value, Function):
        raise refuse(t, "uses a function as a value", "call it")
    if isinstance(value, (Chosen, Objects)):
        raise refuse(t, f"keeps {describe(value)} that a state chooses", "look it up there")
    raise refuse(t, "keeps an iterator", "make a list or tuple of it")


def _type_of_row(t: Translator, value: Stream) -> Seq:
    """The type of what is gone through by number."""
    assert value.count is not None
    if value.at not in t.types_of_items:
        with t.text.aside():
            t.types_of_items[value.at] = type_of(t, value.item("0"))
    return Seq(t.types_of_items[value.at], value.count.low, value.count.high, tuple)


def type_of_known(t: Translator, *values: Any) -> Any:
    """The type of an object of Python, or of several."""
    try:
        return type_of_objects(values, t.atoms, words=t.words, floats=True)
    except (TypeError, Unfit):
        raise refuse(t, *unknown_in(values[0])) from None


def type_of_joined(t: Translator, value: Joined) -> Any:
    """The type of sequences one behind the other."""
    item, least, most = items_of_joined(t, value)
    if item is None:
        raise refuse(t, *UNLIKE_ITEMS)
    if least < most:
        known = t.sums.total([count_of(t, each).text for each in value.parts])
        if known is not None and least <= known <= most:
            least = most = known
    return Seq(item, least, most, value.kind)


def items_of_joined(t: Translator, value: Joined) -> tuple[Type | None, int, int]:
    """The type of their items, None if they are unlike; the least and most that there are."""
    item: Type | None = Never()
    least = most = 0
    for each in value.parts:
        kind = _type_of_row(t, each) if isinstance(each, Stream) else type_of(t, each)
        if isinstance(kind, Char):
            kind = Seq(kind, 1, 1, str)
        if isinstance(kind, Record):
            for one in kind.items:
                item = None if item is None else join(item, one)
            kind = Seq(item or Never(), len(kind.items), len(kind.items), kind.kind)
        least, most = least + kind.least, most + kind.most
        item = None if item is None else join(item, kind.item)
    return item, least, most


def kind_of(value: Value) -> type | None:
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


def is_word(value: Value) -> bool:
    """Whether a value is a text by its number among the atoms."""
    return class_of_atom(value) is str


def is_listed(value: Value) -> bool:
    """Whether a value is a tuple by its number among the atoms: the member of a set."""
    kind = class_of_atom(value)
    return kind is not None and issubclass(kind, tuple)


def spelt(t: Translator, atom: Scalar) -> Place:
    """The characters of such a text, or the items of such a tuple."""
    own: Any = atom.type.kind  # type: ignore[union-attr]
    of_kind = [each for each in t.atoms.values if isinstance(each, own)]
    first = of_kind[0] if of_kind else own()
    values = [each if isinstance(each, own) else first for each in t.atoms.values]
    if own is str:
        lengths = list(map(len, values)) or [0]
        kind: Type = Seq(Char(), min(lengths), max(lengths), str)
    else:
        kind = t.forms.type_of_known(t, *values)
    row = constant(t, tuple(values), Seq(kind, len(values), len(values), tuple))
    number = atom.text if atom.text.isidentifier() else t.text.temporary(atom.text)
    trap(t, f"{number} >= {len(values)}")
    return t.forms.item_at(t, row, number)


def spelt_out(t: Translator, value: Value) -> Value:
    """A text, or a tuple, of one cell by its items; any other value as it is."""
    if isinstance(value, Scalar) and isinstance(value.type, Char):
        return Items((value,), str)
    is_spelt = is_word(value) or is_listed(value)
    return spelt(t, value) if is_spelt else value  # type: ignore[arg-type]


# Reading


def length(t: Translator, place: Place) -> Scalar:
    """How many items a sequence has."""
    kind = place.type
    if not kind.start:
        return Scalar.whole(kind.most)
    return Scalar(Int(), now(t, place, place.cell()), kind.least, kind.most)


def now(t: Translator, place: Place, text: str) -> str:
    """The text of a cell as it is now."""
    return text if place.is_stable else t.text.temporary(text)


def loaded(t: Translator, place: Place) -> Value:
    """What is at a place: a scalar, or the place itself."""
    kind = place.type
    if isinstance(kind, Bool):
        return Scalar(kind, f"({now(t, place, place.cell())} != 0)", 0, 1)
    if isinstance(kind, Char):
        return Scalar(kind, now(t, place, place.cell()), 0, 0x10FFFF)
    if isinstance(kind, (Atom, Float)):
        return Scalar(kind, now(t, place, place.cell()), 0, SMALL - 1)
    if isinstance(kind, Int):
        return Scalar(kind, now(t, place, place.cell()), *place.bounds)
    return place


def part(
    place: Place, kind: Type, offset: int, number: int | None = None,
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


def item_at(t: Translator, place: Place, index: str) -> Place:
    """The item of a sequence, by its number, which is in range."""
    kind = place.type
    size, head = kind.item.cells, kind.start
    if index.isdigit():
        return part(place, kind.item, head + int(index) * size, item=int(index))
    text = index if size == 1 else f"({index}) * {size}"
    base = f"{place.base} + {text}" if place.base else text
    if not base.isidentifier():
        base = t.text.temporary(base, "at")
    return part(place, kind.item, head)._replace(base=base)


def field_of(t: Translator, place: Place, number: int) -> Place:
    """An item of a record."""
    kinds = place.type.items
    return part(place, kinds[number], place.type.starts()[number], number, number)


def items_of_record(t: Translator, place: Place) -> list[Value]:
    """All items of a record."""
    return [loaded(t, t.forms.field_of(t, place, i)) for i in range(len(place.type.items))]


def is_object(value: Value) -> bool:
    """Whether a value is a record that is no tuple: what its items are is for its class to say."""
    kind = value.type if isinstance(value, Place) else value
    own = getattr(kind, "kind", None) if isinstance(kind, (Record, Items, Objects)) else None
    return own is not None and not issubclass(own, (tuple, list, str, set, frozenset, dict))


def fields_of(t: Translator, value: Value) -> list[Value] | None:
    """The items of a tuple, or list, of unlike items in memory; None for all else."""
    if not isinstance(value, Place) or not isinstance(value.type, Record):
        return None
    kind = value.type.kind
    is_row = issubclass(kind, (tuple, list)) and kind is not Step
    return items_of_record(t, value) if is_row else None


def interval(value: Value) -> Interval:
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
    parts = tuple(map(interval, value.items))
    found = reduce(Interval.joined, parts, NO_NUMBERS)
    is_short = len(parts) <= MOST_PARTS and value.kind not in (set, frozenset)
    return found._replace(parts=parts if is_short else ())


def within_bounds(t: Translator, place: Place, *values: Value) -> Place:
    """Where one of some values is now, with bounds on its numbers unless it may be changed."""
    if t.forms.is_mutable(t, place.type):
        return place
    known = reduce(Interval.joined, map(interval, values))
    return place._replace(bounds=known.bounds, parts=known.parts)


# Writing


def slot(t: Translator, kind: Type) -> Place:
    """Room for a value."""
    if t.text.cells + kind.cells > MOST_CELLS:
        raise refuse(t, "needs more memory than a kernel may have", "use shorter lists")
    return Place(kind, FRAME, "", t.text.room(kind.cells))


def in_memory(t: Translator, value: Value, want: Type | None = None) -> Place:
    """The value at a place, of the type that is wanted."""
    if isinstance(value, Place) and (want is None or value.type == want):
        return value
    kind = type_of(t, value) if want is None else want
    if isinstance(value, Known):
        return constant(t, value.value, kind)
    place = t.forms.slot(t, kind)
    store(t, value, place)
    is_copy = check_copied(t, value)
    return within_bounds(t, place, value)._replace(is_stable=True, is_fresh=not is_copy)


def constant(t: Translator, value: Any, kind: Type) -> Place:
    """An object of Python in the table of constants."""
    if kind.cells > MOST_CONSTANT_CELLS:
        raise refuse(t, "needs too large a table of constants", "use shorter texts or lists")
    cells = [0] * kind.cells
    try:
        write(with_truths(kind), value, cells, 0, t.atoms)
    except (Unfit, TypeError):
        raise refuse(
            t, f"uses {value!r:.60} where values of another type are", "use like values"
        ) from None
    key = tuple(cells)
    if key not in t.kept:
        t.kept[key] = len(t.numbers)
        t.numbers += cells
    bounds = min(cells, default=0), max(cells, default=0)
    return Place(kind, CONSTANTS, "", t.kept[key], is_stable=True, bounds=bounds)


def text_constant(t: Translator, text: str) -> Place:
    """A text of Python's by its characters."""
    return constant(t, text, Seq(Char(), len(text), len(text), str))


def empty_row(t: Translator, item: Type, most: int, kind: type) -> Place:
    """Room for a sequence or set, without items."""
    place = t.forms.slot(t, Seq(item, 0, max(1, most), kind))
    t.text.line(f"{place.cell()} = 0")
    return place


def small(t: Translator, value: Scalar) -> str:
    """The text of a number that fits a cell; leaves the state to Python where it does not."""
    if value.low > -SMALL and value.high < SMALL:
        return value.text
    text = t.text.temporary(value.text)
    trap(
        t,
        f"{text} <= -{SMALL} or {text} >= {SMALL}",
        what=f"gets {{{text}}}, a number beyond 2**40",
        instead="calculate with smaller numbers, or a remainder",
    )
    return text


def as_cell(t: Translator, value: Value, kind: Type) -> str | None:
    """The number that stands for a scalar value in a cell of a type; None if none can."""
    if isinstance(value, Known):
        cells = [0]
        try:
            write(with_truths(kind), value.value, cells, 0, t.atoms)
        except (Unfit, TypeError):
            return None
        return str(cells[0])
    if not isinstance(value, Scalar):
        return None
    if isinstance(kind, Float):
        is_number = isinstance(value.type, (Int, Bool, Float))
        return t.forms.as_float(t, value, "").text if is_number else None
    if isinstance(value.type, Bool) and isinstance(kind, (Bool, Int)):
        return f"int({value.text})"
    if isinstance(value.type, Int) and isinstance(kind, Int):
        return t.forms.small(t, value)
    is_atom = isinstance(value.type, Atom) and isinstance(kind, Atom) and kind.kind is None
    return (
        t.forms.small(t, value)
        if value.type == kind or is_atom
        else t.forms.as_atom(t, value, kind)
    )


def is_mutable(t: Translator, kind: Type) -> bool:
    """Whether values of a type can be changed in place."""
    if isinstance(kind, (Seq, Bits, Open)) and kind.kind not in (tuple, str, frozenset, bytes):
        return True
    if isinstance(kind, Seq):
        return t.forms.is_mutable(t, kind.item)
    if isinstance(kind, Record):
        return kind.kind is list or any(t.forms.is_mutable(t, each) for each in kind.items)
    return isinstance(kind, Maybe) and t.forms.is_mutable(t, kind.item)


def store(t: Translator, value: Value, place: Place) -> None:
    """Write a value to a place, which is of a type that holds it.

    A list with a name cannot become part of another value: here it would be a copy.
    """
    kind = place.type
    is_named = isinstance(value, Place) and bool(place.path) and not value.is_fresh
    if is_named and t.forms.is_mutable(t, value.type):  # type: ignore[union-attr]
        raise refuse(
            t,
            "puts a list that has a name, or is part of another, into another value",
            "copy it with list(...) or tuple(...)",
        )
    if isinstance(kind, Never):
        raise refuse(t, "keeps a value where none was met", "begin with one of its kind")
    if not isinstance(kind, Maybe):
        value = there(t, value)
    if isinstance(value, Place) and value.type == kind:
        t.forms.copy(t, value, place)
    elif isinstance(kind, SCALARS):
        text = as_cell(t, value, kind)
        if text is None:
            cannot(t, value, kind)
        t.text.line(f"{place.cell()} = {text}")
    elif isinstance(kind, Maybe):
        _store_maybe(t, value, place)
    elif isinstance(kind, Seq):
        _store_items(t, value, place)
    elif isinstance(kind, Record):
        _store_record(t, value, place)
    else:
        t.forms.store_set(t, value, place)


def cannot(t: Translator, value: Value, kind: Type) -> None:
    """Refuse to bring a value to a type."""
    raise refuse(
        t, f"puts {describe(value)} where {shown(kind)} is", "use two names, or like values"
    )


def there(t: Translator, value: Value) -> Value:
    """A value, but what is not None; leaves the state to Python where it is None."""
    if not isinstance(value, Place) or not isinstance(value.type, Maybe):
        return value
    what = f"uses {value.type.empty} as another value"
    trap(t, f"{value.cell()} == 0", what=what, instead="test it before")
    return loaded(t, part(value, value.type.item, 1))


def _store_maybe(t: Translator, value: Value, place: Place) -> None:
    if place.type.empty is False and isinstance(type_of(t, value), Bool):
        text = as_cell(t, value, Bool())
        trap(t, f"{text} != 0", what="uses True where False or another value is")
        value = NO_VALUE
    if is_none(value):
        t.text.line(f"{place.cell()} = 0")
        for i in range(1, place.type.cells):  # equal values are equal cells
            t.text.line(f"{place.cell(i)} = 0")
        return
    if isinstance(value, Place) and isinstance(value.type, Maybe):
        with t.text.block(f"if {value.cell()} == 0:"):
            _store_maybe(t, NO_VALUE, place)
        with t.text.block("else:"):
            inner = loaded(t, part(value, value.type.item, 1))
            t.text.line(f"{place.cell()} = 1")
            store(t, inner, part(place, place.type.item, 1))
        return
    t.text.line(f"{place.cell()} = 1")
    store(t, value, part(place, place.type.item, 1))


def _store_items(t: Translator, value: Value, place: Place) -> None:
    kind = place.type
    value = spelt_out(t, value)
    if isinstance(value, Joined) and value.kind is kind.kind:
        t.forms.store_joined(t, value, place)
        return
    if isinstance(value, Known) and not hasattr(value.value, "__len__"):
        cannot(t, value, kind)
    if isinstance(value, Known):
        value = constant(t, value.value, joined_type(t, type_of(t, value), Seq(
            kind.item, len(value.value), len(value.value), kind.kind)))  # fmt: skip
    if isinstance(value, Items) and value.kind in (set, frozenset):
        value = t.forms.row_of(t, value)
    if isinstance(value, Items) and value.kind is kind.kind:
        count = len(value.items)
        if not kind.least <= count <= kind.most:
            raise refuse(t, "makes a longer or shorter sequence than the others here", "")
        for i, each in enumerate(value.items):
            store(t, each, t.forms.item_at(t, place, str(i)))
        if kind.start:
            t.text.line(f"{place.cell()} = {count}")
        return
    if not (
        isinstance(value, Place) and isinstance(value.type, Seq) and value.type.kind is kind.kind
    ):
        cannot(t, value, kind)
        return
    source = value
    length = t.forms.length(t, source)
    _check_length(t, kind, length.text, length.low, length.high)
    if not isinstance(source.type.item, Never):
        repeat(
            t, length, lambda i: store(
                t, loaded(t, t.forms.item_at(t, source, i)), t.forms.item_at(t, place, i))
        )  # fmt: skip
    if kind.start:
        t.text.line(f"{place.cell()} = {length.text}")


def _check_length(t: Translator, kind: Seq, text: str, least: int, most: int) -> None:
    """Leave the state to Python where a sequence has more or fewer items than there is room."""
    if most > kind.most or least < kind.least:
        test = f"{text} > {kind.most} or {text} < {kind.least}"
        trap(t, test, what=beyond(kind), instead=SHORTER)


def store_joined(t: Translator, value: Joined, place: Place) -> None:
    """One part behind the other; the counter is a number of the text for as long as it can."""
    kind = place.type
    whole = type_of_joined(t, value)
    counts = [count_of(t, each) for each in value.parts]
    text = str(whole.most)
    if whole.least < whole.most:
        text = t.text.temporary(" + ".join(each.text for each in counts), "n")
    _check_length(t, kind, text, whole.least, whole.most)
    done = "0"
    if t.text.is_aside:
        return
    for part, count in zip(value.parts, counts, strict=True):
        items = items_by_number(t, part)
        start = done
        repeat(t, count, lambda i, items=items, start=start: store(  t, # type: ignore[misc]
            items(i), t.forms.item_at(t, place, plus(start, i))))  # fmt: skip
        done = plus(done, count.text)
        if not done.isdigit() and not done.isidentifier():
            done = t.text.temporary(done, "n")
    if kind.start:
        t.text.line(f"{place.cell()} = {text}")


def plus(one: str, other: str) -> str:
    """The text of a sum of places."""
    if one.isdigit() and other.isdigit():
        return str(int(one) + int(other))
    return other if one == "0" else one if other == "0" else f"{one} + {other}"


def count_of(t: Translator, value: Value) -> Scalar:
    """How many items a sequence has."""
    if isinstance(value, Place) and isinstance(value.type, Seq):
        return t.forms.length(t, value)
    if isinstance(value, Stream) and value.count is not None:
        return value.count
    count = 1
    if isinstance(value, Items):
        count = len(value.items)
    elif isinstance(value, Place):
        count = len(value.type.items)
    return Scalar.whole(count)


def items_by_number(t: Translator, value: Value) -> Callable[[str], Value]:
    """What gives the item of a sequence by the text of its number."""
    if isinstance(value, Stream):
        return value.item
    if isinstance(value, Scalar):  # a character
        return lambda i: value
    if isinstance(value, Items) and len(value.items) == 1:
        (first,) = value.items
        return lambda i: first
    if isinstance(value, Items) and len(value.items) == 2:
        pair = value.items
        return lambda i: pair[int(i)]  # see `repeat`
    if isinstance(value, Place) and isinstance(value.type, Record):
        value = Items(tuple(items_of_record(t, value)), value.type.kind)
    place = in_memory(t, value)
    if isinstance(place.type, Record):
        raise refuse(t, *UNLIKE_ITEMS)
    return lambda i: loaded(t, t.forms.item_at(t, place, i))


def _store_record(t: Translator, value: Value, place: Place) -> None:
    kind = place.type
    if isinstance(value, Known):
        value = constant(t, value.value, kind)
        t.forms.copy(t, value, place)
        return
    parts: list[Value] = []
    if isinstance(value, Items) and value.kind is kind.kind:
        parts = list(value.items)
    elif isinstance(value, Place) and isinstance(value.type, Record):
        if value.type.kind is kind.kind:
            parts = items_of_record(t, value)
    elif isinstance(value, Place) and isinstance(value.type, Seq) and (
        kind.kind in (tuple, list) and value.type.kind is kind.kind
    ):  # fmt: skip
        count = len(kind.items)
        if value.type.least <= count <= value.type.most:
            if not value.type.is_fixed:
                trap(t, f"{value.cell()} != {count}", what=beyond(kind), instead=SHORTER)
            parts = [loaded(t, t.forms.item_at(t, value, str(i))) for i in range(count)]
    if len(parts) != len(kind.items):
        cannot(t, value, kind)
    for i, each in enumerate(parts):
        store(t, each, t.forms.field_of(t, place, i))


def copied(t: Translator, place: Place) -> Place:
    """The same cells in room of their own."""
    copy = t.forms.slot(t, place.type)
    t.forms.copy(t, place, copy)
    return copy.made()


def copy(t: Translator, source: Place, place: Place) -> None:
    """Copy a value from one place to another of the same type."""
    if source.memory == place.memory and source.at() == place.at():
        return
    kind = source.type
    if isinstance(kind, Seq) and kind.start:
        # What is behind the last item may be anything.
        count = t.text.temporary(source.cell())
        t.text.line(f"{place.cell()} = {count}")
        size = kind.item.cells
        text = count if size == 1 else f"{count} * {size}"
        copy_cells(t, source, place, text, 1)
    else:
        copy_cells(t, source, place, kind.cells, 0)


def copy_cells(t: Translator, source: Place, place: Place, count: int | str, begin: int) -> None:
    """Copy some cells."""
    if isinstance(count, int) and count <= MOST_UNROLLED:
        for i in range(count):
            t.text.line(f"{place.cell(begin + i)} = {source.cell(begin + i)}")
        return
    at = t.text.name("i")
    with t.text.loop(f"for {at} in range({count}):"):
        one, other = (each._replace(shift=each.shift + begin) for each in (place, source))
        t.text.line(f"{one.cell(at)} = {other.cell(at)}")


def repeat(t: Translator, count: Scalar, body: Callable[[str], None]) -> None:
    """A loop that calls `body` with the text of each number below `count`."""
    if count.low == count.high <= 2:
        for i in range(count.high):
            body(str(i))
        return
    at = t.text.name("i")
    with t.text.loop(f"for {at} in range({count.text}):"):
        body(at)


def check_copied(t: Translator, value: Value) -> bool:
    """Whether a list is copied that Python would not copy; refuses it where that shows."""
    is_list = isinstance(value, Place) and t.forms.is_mutable(t, value.type)
    if not is_list or value.is_fresh:  # type: ignore[union-attr]
        return False
    t.forms.check_sharing(t, value)
    return True


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
