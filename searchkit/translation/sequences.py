"""Sequences: items by index, slices, one behind the other, what is in them."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any, TypeVar

import attrs

from searchkit.problem import Step
from searchkit.translation.arithmetic import always_raises, asked, known_binary
from searchkit.translation.comparison import FALSE, flag_of, is_letter, known_truth
from searchkit.translation.memory import (
    constant,
    copied,
    fields_of,
    in_memory,
    is_none,
    items_of_record,
    kind_of,
    loaded,
    part,
    plus,
    spelt_out,
    store,
    text_constant,
    there,
    type_of,
)
from searchkit.translation.refusals import describe, refuse, trap
from searchkit.translation.translator import Translator
from searchkit.translation.types import Atom, Bool, Char, Int, Maybe, Never, Record, Seq, alike
from searchkit.translation.values import Items, Joined, Known, Place, Scalar, Stream, Value
from searchkit.translation.variables import kept

T = TypeVar("T")


def held(t: Translator, value: Value) -> Value:
    """A sequence of which items can be taken by number: known, items, or in memory."""
    value = there(t, value)
    if is_step(value):
        raise refuse(t, "takes a Step apart", "use its state, or its cost")
    if is_none(value):
        return Known(()) if always_raises(t, TypeError()) else value
    if isinstance(value, Known):
        if hasattr(value.value, "tolist") and hasattr(value.value, "dtype"):
            raise refuse(t, "uses an array of numpy", "make a list of it: .tolist()")
        return value
    return in_memory(t, value) if isinstance(value, Joined) else spelt_out(t, value)


def as_row(t: Translator, value: Value) -> Place | Items | Known:
    """The same, but that unlike items stay apart and all others are in memory."""
    value = t.forms.held(t, value)
    if isinstance(value, Items) and len(value.items) > 1:
        if all(isinstance(each, Known) for each in value.items):
            return in_memory(t, Known(tuple(e.value for e in value.items)))
        return in_memory(t, value, _of_pair(type_of(t, value)))
    if isinstance(value, Known) and isinstance(value.value, str):
        return text_constant(t, value.value)
    if isinstance(value, Known) and isinstance(value.value, (tuple, list)):
        return constant(t, value.value, _of_pair(type_of(t, value)))
    if isinstance(value, (Items, Known, Place)):
        return value
    raise refuse(t, f"takes items of {describe(value)}", "make a tuple of it")


def _of_pair(kind: Any) -> Any:
    """The type of a pair of None and a value as a row."""
    same = alike(kind.items, tuple) if isinstance(kind, Record) and kind.kind is tuple else None
    return kind if same is None else Seq(same, len(kind.items), len(kind.items))


def row_of_like(t: Translator, value: Value, what: str, instead: str) -> Place:
    """A sequence of like items in memory; refuses all else."""
    found = as_row(t, value)
    if isinstance(found, Items):
        found = in_memory(t, found)
    if not isinstance(found, Place) or not isinstance(found.type, Seq):
        raise refuse(t, what, instead)
    return found


def length_of(t: Translator, value: Value) -> Scalar | Known:
    """`len`."""
    value = t.forms.held(t, value)
    if isinstance(value, Known):
        return asked(t, len, value.value)
    if isinstance(value, Items) and value.kind not in (set, frozenset):
        return Known(len(value.items))
    if isinstance(value, Items):
        value = in_memory(t, value)
    if isinstance(value, Place) and isinstance(value.type, Seq):
        return t.forms.length(t, value)
    fields = fields_of(t, value)
    if fields is not None:
        return Known(len(fields))
    if isinstance(value, Stream):
        if value.is_iterator:
            return always_raises(t, TypeError())
        if value.count is None:
            raise refuse(t, "takes the length of a view of a dict", "use the dict")
        return value.count
    return t.forms.length_of_set(t, value)


# Items


def indexed(t: Translator, value: Value, index: Value) -> Value:
    """`value[index]`."""
    if is_step(value):
        return of_step(t, value, index)
    value = t.forms.held(t, value)
    if isinstance(value, Known) and isinstance(index, Known):
        return asked(t, operator.getitem, value.value, index.value)
    if isinstance(value, Known) and isinstance(value.value, dict):
        return t.forms.found_in_dict(t, value.value, index)
    if isinstance(value, Known) and isinstance(value.value, range):
        count = len(value.value)
        at = t.forms.index_within(t, t.forms.number(t, index, "indexes by"), Scalar.whole(count))
        return of_range(value.value, at)
    if isinstance(index, Known) and isinstance(value, Items):
        try:
            found: Value = value.items[index.value]
            return found
        except Exception as error:
            return always_raises(t, error)
    place = t.forms.place_of_item(t, value, index)
    return place if isinstance(place, Known) else loaded(t, place)


def is_step(value: Value) -> bool:
    """Whether a value is a step, of which machine code has no label."""
    kind = value.type if isinstance(value, Place) else value
    return isinstance(kind, (Items, Record)) and kind.kind is Step


def of_step(t: Translator, value: Value, index: Value) -> Value:
    """The state or the cost of a step."""
    number = index.value if isinstance(index, Known) else None
    if number not in (1, 2, -1, -2) or isinstance(number, bool):
        raise refuse(t, "takes a Step apart", "use its state, or its cost")
    place = 0 if number in (1, -2) else 1
    if isinstance(value, Items):
        return value.items[place]  # type: ignore[no-any-return]
    return loaded(t, t.forms.field_of(t, value, place))  # type: ignore[arg-type]


def of_range(numbers: range, at: Scalar) -> Value:
    """The number at a place of a range."""
    ends = (numbers[0], numbers[-1]) if numbers else (0, 0)
    text = f"({numbers.start} + {at.text} * {numbers.step})"
    return Scalar(Int(), text, min(ends), max(ends))


def place_of_item(t: Translator, value: Value, index: Value) -> Place | Known:
    """Where `value[index]` is."""
    row = as_row(t, value)
    items = value.value if isinstance(value, Known) and not isinstance(index, Known) else ()
    if isinstance(items, tuple) and {int, str} == set(map(type, items)):
        row = constant(t, items, Seq(Atom(None), len(items), len(items)))
    if isinstance(row, Place) and isinstance(row.type, Record):
        names = row.type.kind
        if isinstance(index, Known) and issubclass(names, (tuple, list)):
            try:
                number = range(len(row.type.items))[index.value]
            except Exception as error:
                return always_raises(t, error)
            return t.forms.field_of(t, row, number)
        kinds = row.type.items
        if not issubclass(names, (tuple, list)) or len(set(kinds)) != 1:
            raise refuse(
                t,
                f"takes an item of {describe(row)} by a number that states decide",
                "keep like items in a tuple of their own",
            )
        row = row._replace(type=Seq(kinds[0], len(kinds), len(kinds)))
    if isinstance(row, Items) and row.items:
        row = in_memory(t, row)
    if isinstance(row, Items) or (
        isinstance(row, Place) and isinstance(row.type, Seq) and isinstance(row.type.item, Never)
    ):
        return always_raises(t, IndexError())
    if not isinstance(row, Place) or not isinstance(row.type, Seq):
        raise refuse(t, f"takes an item of {describe(row)}", "use a tuple, list or dict")
    if row.type.kind in (set, frozenset):
        return always_raises(t, TypeError())
    number = t.forms.number(t, index, "indexes by")
    return t.forms.item_at(t, row, t.forms.index_within(t, number, t.forms.length(t, row)).text)


def index_within(t: Translator, index: Scalar, count: Scalar) -> Scalar:
    """An index from 0 on that is in range; leaves the state to Python where it is not."""
    if index.high < 0 or index.low == index.high < 0:
        text = f"({count.text} + {index.text})"
        if count.low == count.high and index.low == index.high:
            text = str(count.low + index.low)
        index = Scalar(Int(), text, count.low + index.low, count.high + index.high)
    elif index.low < 0:
        # One call for what is said most often: its lines would have to be compiled each time.
        name = t.text.temporary(f"from_the_front({index.text}, {count.text})", "i")
        trap(t, f"{name} < 0", IndexError)
        return Scalar(Int(), name, 0, max(0, count.high - 1))
    if index.low >= 0 and index.high < count.low:
        return index
    text = index.text
    if not text.isidentifier() and not text.isdigit():
        text = t.text.temporary(text, "i")
    tests = [f"{text} < 0"] * (index.low < 0) + [f"{text} >= {count.text}"] * (
        index.high >= count.low
    )
    trap(t, " or ".join(tests), IndexError)
    return Scalar(Int(), text, max(0, index.low), min(index.high, max(0, count.high - 1)))


# Slices


def sliced(t: Translator, value: Value, parts: tuple[Value, Value, Value]) -> Value:
    """`value[lower:upper:step]`; missing parts are None."""
    if isinstance(value, Joined) and all(isinstance(each, Known) for each in parts):
        turned = _turned_part(value, [each.value for each in parts])  # type: ignore[union-attr]
        if turned is not None:
            return turned
    value = t.forms.held(t, value)
    if all(isinstance(each, Known) for each in parts):
        known = slice(*(each.value for each in parts))  # type: ignore[union-attr]
        if isinstance(value, Known):
            return asked(t, operator.getitem, value.value, known)
        if isinstance(value, Items):
            return Items(value.items[known], value.kind)
        if isinstance(value, Place) and isinstance(value.type, Record):
            items = items_of_record(t, value)[known]
            return Items(tuple(items), value.type.kind if value.type.kind is list else tuple)
    row = row_of_like(t, value, f"takes a slice of {describe(value)}", "use a tuple or list")
    if t.forms.is_mutable(t, row.type.item):
        raise refuse(
            t, "takes a slice of a list of lists, which stay the same lists", "copy each of them"
        )
    lower, upper, step = parts
    if not isinstance(step, Known) or step.value not in (None, 1, -1):
        return _stepping(t, row, parts)
    if step.value == -1:
        if not (isinstance(lower, Known) and isinstance(upper, Known)) or (
            lower.value is not None or upper.value is not None
        ):
            return _stepping(t, row, parts)
        return turned_row(t, row)
    return _part(t, row, lower, upper)


def _stepping(t: Translator, row: Place, parts: tuple[Value, Value, Value]) -> Value:
    """A slice by a step that is known, of any sequence from its beginning to its end."""
    count = t.forms.length(t, row)
    if not all(isinstance(each, Known) for each in parts):
        raise refuse(t, "takes a slice with a step and bounds that change", "use range")
    begin, end, step = (each.value for each in parts)  # type: ignore[union-attr]
    known = slice(begin, end, step)
    if count.low != count.high:
        begin = begin or 0
        if end is not None or begin < 0 or step < 0:
            raise refuse(
                t,
                "takes a slice with bounds and a step of a sequence whose length changes",
                "use range",
            )
        text = f"max(0, ({count.text} + {step - 1 - begin}) // {step})"
        low, high = (len(range(most)[known]) for most in (count.low, count.high))
        size = kept(t, Scalar(Int(), text, low, high), "n")
        return _view(t, row, size, lambda i: f"{begin} + {step} * ({i})")
    places = range(count.low)[known]
    items = tuple(loaded(t, t.forms.item_at(t, row, str(i))) for i in places)
    return Items(items, row.type.kind)


def _turned_part(value: Joined, parts: list[Any]) -> Joined | None:
    """A part of a sequence from its last item to its first."""
    stream = value.parts[0]
    if parts != [None, None, -1] or len(value.parts) > 1 or not isinstance(stream, Stream):
        return None
    count, at = stream.count, stream.at
    if count is None or at is None:
        return None

    def back(i: Scalar) -> Value:
        found: Value = at(Scalar(Int(), f"({count.text} - 1 - {i.text})", 0, i.high))
        return found

    return Joined((stream._replace(at=back, slice=None),), value.kind)


def turned_row(t: Translator, row: Place) -> Value:
    """The items from the last to the first."""
    count = t.forms.length(t, row)
    return _view(t, row, count, lambda i: f"{count.text} - 1 - {i}")


def _part(t: Translator, row: Place, lower: Value, upper: Value) -> Value:
    count = t.forms.length(t, row)
    begin, end = end_of_slice(t, lower, count, 0), end_of_slice(t, upper, count, count)
    if begin.low == begin.high and end.low == end.high:
        fixed = max(0, end.low - begin.low)
        kind = attrs.evolve(row.type, least=fixed, most=fixed)
        found = part(row, kind, row.type.start + begin.low * row.type.item.cells)
        found = found._replace(is_fresh=False, root=None, path=())
        if row.is_stable and kind.kind is not list:
            return found
        copy = t.forms.slot(t, kind)
        store(t, found._replace(is_stable=True), copy)
        return copy.made()
    low, high = max(0, end.low - begin.high), max(0, end.high - begin.low)
    if begin.text == "0":
        size = end
    else:
        text = f"({end.text} - {begin.text})"
        if end.low < begin.high:
            text = f"max(0, {text})"
        size = Scalar(Int(), text, low, min(high, count.high))
    whole, size = size.text, kept(t, size, "n")
    t.sums.note(size.text, whole)
    return _view(t, row, size, lambda i: plus(begin.text, i), begin.text)


def end_of_slice(t: Translator, value: Value, count: Scalar, default: int | Scalar) -> Scalar:
    """A bound of a slice as a place from 0 to the length."""
    if isinstance(value, Known) and value.value is None:
        if isinstance(default, Scalar):
            return default
        return Scalar.whole(default)
    number = t.forms.number(t, value, "slices by")
    if number.low == number.high and count.low == count.high:
        place = slice(number.low, None).indices(count.low)[0]
        return Scalar.whole(place)
    if number.low >= 0 and number.high <= count.low:
        found = kept(t, number, "i")
        t.sums.note(found.text, number.text)
        return found
    name = t.text.temporary(number.text, "i")
    if number.low < 0:
        with t.text.block(f"if {name} < 0:"):
            t.text.line(f"{name} = max(0, {name} + {count.text})")
    if number.high > count.low:
        t.text.line(f"{name} = min({name}, {count.text})")
    low = min(number.low, count.low) if number.low >= 0 else 0
    high = count.high if number.low < 0 else min(number.high, count.high)
    return Scalar(Int(), name, low, high)


def _view(
    t: Translator, row: Place, count: Scalar, place: Callable[[str], str], begin: str = ""
) -> Value:
    """Some items of a sequence, which are read when they are used; from `begin` on, if any."""

    def at(i: Scalar) -> Value:
        return loaded(t, t.forms.item_at(t, row, place(i.text)))

    part = Stream(count=count, at=at, slice=(row, begin) if begin else None)
    found = Joined((part,), row.type.kind)
    return found if row.is_stable else in_memory(t, found)


# One behind the other


def joined_sequences(t: Translator, left: Value, right: Value) -> Value:
    """`left + right`."""
    if isinstance(left, Known) and isinstance(right, Known):
        return known_binary(t, ast.Add(), left.value, right.value)
    parts: list[Value] = []
    kinds = set()
    for each in (left, right):
        kind = kind_of(each)
        if kind not in (tuple, list, str):
            raise refuse(t, f"adds {describe(left)} and {describe(right)}", "use numbers")
        kinds.add(kind)
        parts.append(each)
    if len(kinds) > 1:
        return always_raises(t, TypeError())
    return behind_each_other(t, parts, kinds.pop())


def behind_each_other(t: Translator, parts: list[Value], kind: type) -> Value:
    """Sequences one behind the other."""
    parts = [x for each in parts for x in (each.parts if isinstance(each, Joined) else [each])]
    if all(isinstance(each, Items) for each in parts):
        return Items(tuple(x for each in parts for x in each.items), kind)  # type: ignore[union-attr]
    settled: list[Value] = []
    for each in parts:
        value = each
        if isinstance(each, Known):
            value = Items(tuple(Known(x) for x in each.value), kind)
        elif isinstance(each, Place) and not each.is_stable:
            value = copied(t, each)  # the items, of which a new row is made
        if isinstance(value, Items) and len(value.items) > 2:
            settled += [Items((x,), kind) for x in value.items]
        elif not (isinstance(value, Items) and not value.items):
            settled.append(value)
    return Joined(tuple(settled), kind) if settled else Items((), kind)


def repeated(t: Translator, value: Value, count: Value) -> Value:
    """`sequence * count`."""
    kind, many = kind_of(value), count.value if isinstance(count, Known) else None
    if kind not in (tuple, list, str):
        raise refuse(t, f"multiplies {describe(value)}", "use numbers")
    if isinstance(many, int) and many <= 1:
        return behind_each_other(t, [value] * max(0, many), kind)
    if isinstance(many, int) and isinstance(value, Items):
        size = many * len(value.items)
        if size > 4096 and len(value.items) > 1:
            raise refuse(t, "repeats a long sequence", "use a shorter one")
        if size <= 64 or len(value.items) > 1:
            check_repeated(t, value)
            return Items(value.items * many, value.kind)
    row = t.forms.held(t, value)
    if isinstance(row, Known):
        row = Items(tuple(Known(each) for each in row.value), kind)
    number = t.forms.number(t, count, "repeats by")
    if number.high > 4 * t.facts.capacity and number.low != number.high:
        number = t.forms.within(t, number, -(1 << 40), 4 * t.facts.capacity)
    text = number.text if number.low >= 0 else f"max(0, {number.text})"
    times = kept(t, Scalar(Int(), text, max(0, number.low), max(0, number.high)), "n")
    if isinstance(row, Items) and len(row.items) == 1:
        check_repeated(t, row)
        item = t.forms.settled(t, row.items[0])
        return Joined((Stream(count=times, at=lambda i: item),), kind)
    return _repeated_row(t, row, times)


def _repeated_row(t: Translator, value: Value, times: Scalar) -> Value:
    """Several items, times and again."""
    row = in_memory(t, value) if isinstance(value, Items) else value
    if not isinstance(row, Place) or not isinstance(row.type, Seq):
        raise refuse(t, "repeats a sequence of unlike items", "use a comprehension")
    if t.forms.is_mutable(t, row.type.item):
        raise refuse(t, "repeats a list within a list", "use a comprehension")
    if not row.is_stable:
        row = copied(t, row)
    one = t.forms.length(t, row)
    low, high = times.low * one.low, times.high * one.high
    size = kept(t, Scalar(Int(), f"({times.text} * {one.text})", low, high), "n")
    if isinstance(row.type.item, Never):
        return Items((), row.type.kind)
    place = row

    def at(i: Scalar) -> Value:
        return loaded(t, t.forms.item_at(t, place, f"{i.text} % {one.text}"))

    return Joined((Stream(count=size, at=at),), row.type.kind)


def check_repeated(t: Translator, value: Items) -> None:
    """Refuse `[[0] * 3] * 3`, whose rows are one list."""
    for each in value.items:
        kind = type_of(t, each)
        if t.forms.is_mutable(t, kind):
            raise refuse(t, "repeats a list within a list", "use a comprehension")


# What is in them


def contains(t: Translator, value: Value, item: Value) -> Scalar:
    """`item in value`."""
    if isinstance(value, Joined) and value.kind is not str and len(value.parts) == 1:
        (value,) = value.parts  # a slice need not be copied
    value = t.forms.held(t, value)
    if isinstance(value, Known):
        if isinstance(item, Known):
            return t.forms.truth(t, asked(t, operator.contains, value.value, item.value))
        return in_known(t, value.value, item)
    if isinstance(value, Stream):
        return t.forms.in_stream(t, value, item)
    if isinstance(value, Items):
        return in_items(t, value, item)
    if isinstance(value, Place) and isinstance(value.type, Record):
        return in_items(t, Items(tuple(items_of_record(t, value)), tuple), item)
    if isinstance(value, Place) and isinstance(value.type, Seq):
        if value.type.kind is str and not is_character(item):
            return is_found(place_of_text(t, value, spelling(t, item)).text)
        return t.forms.in_row(t, value, item)
    return t.forms.in_set(t, value, item)


def spelling(t: Translator, value: Value) -> Place:
    """A text in memory."""
    value = spelt_out(t, value)
    if kind_of(value) is not str:
        raise refuse(t, f"looks for {describe(value)} in a text", "look for a text")
    if isinstance(value, Known):
        return text_constant(t, value.value)
    return in_memory(t, value)


def place_of_text(t: Translator, row: Place, part: Place, begin: str = "0") -> Scalar:
    """The first place of a text within another from somewhere on; else -1."""
    call = f"place_of({cells_of_text(t, row)}, {cells_of_text(t, part)}, {begin})"
    return Scalar(Int(), t.text.temporary(call, "found"), -1, row.type.most)


def cells_of_text(t: Translator, row: Place) -> str:
    """Where a text is, as the kernels of `texts` take it: its cells, the first, how many."""
    return f"{row.memory}, {row.at(row.type.start)}, {t.forms.length(t, row).text}"


def is_character(item: Value) -> bool:
    """Whether a value is one character."""
    if isinstance(item, Known):
        return is_letter(item.value)
    return isinstance(item, Scalar) and isinstance(item.type, Char)


def in_items(t: Translator, value: Items, item: Value) -> Scalar:
    """Whether one of some values equals another."""
    found: list[str] = []
    if value.kind is str and not is_character(item):
        raise refuse(t, "looks for a text within a text", "look for one character")
    for each in value.items:
        same = t.forms.equal(t, item, each)
        known = known_truth(same)
        if known:
            return same
        if known is None:
            found.append(same.text)
    if not found:
        return FALSE
    return Scalar.truth(f"({' or '.join(found)})")


def in_known(t: Translator, known: Any, item: Value) -> Scalar:
    """Whether something is in an object of the author's."""
    if isinstance(known, range):
        if isinstance(item, Place) and isinstance(item.type, Maybe):
            there = flag_of(t, item)
            with t.text.block(f"if not {there.text}:"):
                t.forms.fail(t, what="looks for None in a range", instead="test it for None before")
            item = loaded(t, part(item, item.type.item, 1))
        is_number = isinstance(item, Scalar) and isinstance(item.type, (Int, Bool))
        if not is_number or not known:
            return FALSE
        number = t.forms.number(t, item, "looks for")
        low, high = sorted((known[0], known[-1]))
        tests = [f"{low} <= {number.text}", f"{number.text} <= {high}"]
        if abs(known.step) != 1:
            tests.append(f"({number.text} - {low}) % {abs(known.step)} == 0")
        return Scalar.truth(f"({' and '.join(tests)})")
    if isinstance(known, (tuple, list)) and len(known) <= 8:
        return in_items(t, Items(tuple(Known(each) for each in known), tuple), item)
    if isinstance(known, str):
        return in_items(t, Items(tuple(Known(each) for each in dict.fromkeys(known)), str), item)
    if isinstance(known, (tuple, list)):
        return t.forms.in_row(t, as_row(t, Known(known)), item)
    if isinstance(known, (set, frozenset, dict)):
        return t.forms.in_known_set(t, known, item)
    raise refuse(t, f"looks in {known!r:.40}", "use a tuple, list, set, dict or range")


def in_row(t: Translator, row: Value, item: Value) -> Scalar:
    """Whether something is in a sequence: the items are looked at one by one."""
    return is_found(place_in_row(t, row, item))


def is_found(place: str | None) -> Scalar:
    """Whether something was found, by the name of its place."""
    return FALSE if place is None else Scalar.truth(f"({place} >= 0)")


def at_place(
    t: Translator, place: str | None, error: type[Exception], found: Callable[[str], T]
) -> T | Known:
    """What is found at a place; that error of Python's where there is nothing."""
    if place is None:
        return always_raises(t, error())
    trap(t, f"{place} < 0", error)
    return found(place)


def place_in_row(t: Translator, row: Value, item: Value, begin: str = "0") -> str | None:
    """A name for the first place of something in a sequence from somewhere on; else -1."""
    if not isinstance(row, Place) or not isinstance(row.type, Seq):
        raise refuse(t, f"looks in {describe(row)}", "use a tuple, list, set, dict or range")
    if isinstance(row.type.item, Never):
        return None
    item = t.forms.settled(t, item)
    found, i = t.text.temporary("-1", "found"), t.text.name("i")
    begin = "" if begin == "0" else f"{begin}, "
    with t.text.loop(f"for {i} in range({begin}{t.forms.length(t, row).text}):"):
        same = t.forms.equal(t, item, loaded(t, t.forms.item_at(t, row, i)))
        with t.text.block(f"if {same.text}:"):
            t.text.line(f"{found} = {i}")
            t.text.line("break")
    return found
