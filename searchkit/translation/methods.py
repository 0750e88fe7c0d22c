"""Methods of lists, tuples, texts, sets and dicts."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from searchkit.translation.arithmetic import absolute, always_raises, asked
from searchkit.translation.builders import (
    add_member,
    any_or_all,
    move,
    put_behind,
    sort_in_place,
    summed,
    without,
)
from searchkit.translation.comparison import negated
from searchkit.translation.lookups import chosen_method, value_or, whole_set
from searchkit.translation.loops import is_set, mapped, ordered_stream, run
from searchkit.translation.memory import (
    in_memory,
    is_word,
    kind_of,
    loaded,
    spelt,
    store,
    there,
    type_of,
)
from searchkit.translation.refusals import describe, full, refuse, trap
from searchkit.translation.sequences import (
    at_place,
    behind_each_other,
    end_of_slice,
    is_character,
    place_in_row,
    place_of_text,
    sliced,
    spelling,
    turned_row,
)
from searchkit.translation.sets import make_room_for
from searchkit.translation.strings import count_of_text, not_empty, row_in_memory
from searchkit.translation.translator import Rows, Translator
from searchkit.translation.types import Bits, Bool, Int, Never, Open, Seq
from searchkit.translation.values import SMALL, Chosen, Items, Known, Place, Scalar, Value
from searchkit.translation.variables import kept

Method = Callable[[list[Value], dict[str, Value]], Value]
NONE, ONE = Known(None), Known(1)


class Bound(NamedTuple):
    """A method with what it belongs to."""

    owner: Value
    run: Callable[..., Value]
    is_method: bool = True

    def __call__(self, /, *args: Value, **named: Value) -> Value:
        """What it returns."""
        return self.run(self.owner, *args, **named)


def takes(make: Any, args: list[Value], named: dict[str, Value]) -> bool:
    """Whether a function or method may be given such arguments."""
    if isinstance(make, Bound):
        make, args = make.run, [make.owner, *args]
    try:
        inspect.signature(make).bind(*args, **named)
    except TypeError:
        return False
    return True


def method(t: Translator, owner: Value, name: str) -> Bound | None:
    """A method of a list, tuple, text, set or dict; None for all else."""
    if isinstance(owner, Chosen):
        run = chosen_method(t, owner, name)
        if run is not None:
            return Bound(owner, run)
        owner = whole_set(t, owner)
    if isinstance(owner, Known):
        if isinstance(owner.value, dict) and name == "get":
            return Bound(owner, partial(value_or, t))
        if isinstance(owner.value, str) and name in _TEXTS:
            return Bound(owner, lambda own, *args: _of_known_text(t, own, name, args))
        if isinstance(owner.value, (tuple, list, str)) and name in ("index", "count"):
            return Bound(owner, partial(t.forms.row_methods[name], t))
        if isinstance(owner.value, (set, frozenset)) and name in t.forms.set_methods:
            return Bound(owner, partial(t.forms.set_methods[name], t))
        return None
    owner = there(t, owner)
    if isinstance(owner, Scalar) and is_word(owner):
        owner = spelt(t, owner)
    if isinstance(owner, Scalar) and isinstance(owner.type, (Int, Bool)) and name in _OF_INTS:
        return Bound(owner, lambda own: _of_bits(t, own, _OF_INTS[name]))
    kind = kind_of(owner)
    if kind in (set, frozenset):
        found = t.forms.set_methods.get(name)
    elif kind in (tuple, list, str):
        is_other = (name in _TEXTS and kind is not str) or (name in _LISTS and kind is not list)
        found = None if is_other else t.forms.row_methods.get(name)
    elif kind is not None and name == "_replace" and issubclass(kind, tuple):
        return Bound(owner, lambda value, /, **named: t.forms.replaced(t, value, named))
    else:
        return None
    return Bound(owner, _found_method(t, owner, name, found))


def _found_method(t: Translator, owner: Value, name: str, found: Any) -> Callable[..., Value]:
    if found is None:
        cure = "write it out as a loop, or as a function of your own"
        raise refuse(t, f"calls .{name} of {describe(owner)}", cure)
    return partial(found, t)


def _of_known_text(t: Translator, owner: Known, name: str, args: tuple[Value, ...]) -> Value:
    """What a method of a text gives that no state decides about."""
    if not all(isinstance(each, Known) for each in args):
        make = Bound(owner, _found_method(t, owner, name, t.forms.row_methods.get(name)))
        if not takes(make, [*args], {}):
            what = f"calls .{name} with arguments that machine code does not know"
            raise refuse(t, what, "use fewer, or a slice")
        return make(*args)
    made = asked(t, getattr(owner.value, name), *(each.value for each in args))  # type: ignore[union-attr]
    is_list = isinstance(made.value, list)
    return Items(tuple(map(Known, made.value)), list) if is_list else made


def _of_bits(t: Translator, owner: Value, kernel: str) -> Value:
    """What a kernel says of the bits of a number without its sign."""
    number = t.forms.within(t, absolute(t, owner), 0, SMALL - 1)
    return Scalar(Int(), f"{kernel}({number.text})", 0, number.high.bit_length())


# Sequences


def _row_index(t: Translator, owner: Value, item: Value, *begin: Value) -> Value:
    if isinstance(owner, Known) and all(isinstance(each, Known) for each in (item, *begin)):
        return asked(t, owner.value.index, *(each.value for each in (item, *begin)))  # type: ignore[union-attr]
    found = _row_find(t, owner, item, *begin)
    if isinstance(found, Known):
        return always_raises(t, ValueError())
    assert isinstance(found, Scalar)
    trap(t, f"{found.text} < 0", ValueError)
    return found._replace(low=0)


def _begin(t: Translator, row: Place, begin: tuple[Value, ...]) -> str:
    """From where on something is looked for, as a place from 0 on."""
    if not begin:
        return "0"
    if len(begin) > 1:
        raise refuse(t, "looks for something up to a place", "use a slice")
    return end_of_slice(t, begin[0], t.forms.length(t, row), 0).text


def _row_find(t: Translator, owner: Value, item: Value, *begin: Value) -> Value:
    """The first place of an item, or of a text in another; else -1."""
    row = row_in_memory(t, owner)
    if kind_of(owner) is str and (begin or not is_character(item)):
        spelled = spelling(t, item)
        if begin:
            not_empty(t, spelled)
        return place_of_text(t, row, spelled, _begin(t, row, begin))
    place = place_in_row(t, row, item, _begin(t, row, begin))
    return Known(-1) if place is None else Scalar(Int(), place, -1, row.type.most - 1)


def _row_count(t: Translator, owner: Value, item: Value) -> Value:
    if isinstance(owner, Known) and isinstance(item, Known):
        return Known(owner.value.count(item.value))
    if kind_of(owner) is str and not is_character(item):
        return count_of_text(t, owner, item)
    item = t.forms.settled(t, item)
    stream = mapped(t, lambda each: t.forms.equal(t, item, each), t.forms.stream(t, owner))
    found = summed(t, stream, Scalar.whole(0))
    assert found is not None  # truth values are whole
    return found


# Lists that are changed


def list_to_change(t: Translator, owner: Value, *, whole: bool = False) -> Place:
    """A list that is going to be changed in place."""
    if not isinstance(owner, Place) or not isinstance(owner.type, Seq):
        raise refuse(t, f"changes {describe(owner)}", "give the list a name before")
    t.forms.change(t, owner, whole=whole)
    return owner


def check_other(t: Translator, owner: Value, value: Value, what: str, instead: str) -> None:
    """Refuse to put a list, set or dict into itself."""
    roots = [each.root for each in (owner, value) if isinstance(each, Place)]
    if len(roots) == 2 and roots[0] is not None and roots[0] is roots[1]:
        raise refuse(t, what, instead)


def _room_for(t: Translator, owner: Value, item: Value) -> Place:
    row = t.forms.list_to_change(t, owner)
    row = t.forms.enlarge(t, row, type_of(t, item))
    most = row.type.most
    trap(t, f"{row.cell()} >= {most}", what=full(most, "a list"), instead="use a shorter one")
    return row


def _row_append(t: Translator, owner: Value, item: Value) -> Value:
    t.forms.list_to_change(t, owner)
    item = t.forms.settled(t, item) if isinstance(item, Scalar) else item
    put_behind(t, _room_for(t, owner, item), item)
    return NONE


def row_extend(t: Translator, owner: Value, items: Value) -> Value:
    """`extend` of a list."""
    stream = ordered_stream(t, items)
    check_other(t, owner, items, "extends a list by itself", "copy it first")
    run(t, stream, lambda item, _: (_row_append(t, owner, item), None)[1])
    return NONE


def _row_insert(t: Translator, owner: Value, index: Value, item: Value) -> Value:
    t.forms.list_to_change(t, owner, whole=True)
    item = t.forms.settled(t, item) if isinstance(item, Scalar) else item
    row = _room_for(t, owner, item)
    count = kept(t, t.forms.length(t, row), "n")
    at = end_of_slice(t, index, count, 0)
    at = kept(t, at, "at")
    item = t.forms.settled(t, item)
    k = t.text.temporary(count.text, "k")
    with t.text.loop(f"while {k} > {at.text}:"):
        before = t.text.temporary(f"{k} - 1", "k")
        move(t, t.forms.item_at(t, row, before), t.forms.item_at(t, row, k))
        t.text.line(f"{k} = {before}")
    store(t, item, t.forms.item_at(t, row, at.text))
    t.text.line(f"{row.cell()} = {count.text} + 1")
    return NONE


def row_pop(t: Translator, owner: Value, index: Value = NONE) -> Value:
    """`pop` of a list."""
    at_end = index is NONE or (isinstance(index, Known) and index.value == -1)
    row = t.forms.list_to_change(t, owner, whole=True)
    row = t.forms.enlarge(t, row, Never())
    if isinstance(row.type.item, Never):
        return always_raises(t, IndexError())
    count = kept(t, t.forms.length(t, row), "n")
    if at_end:
        trap(t, f"{count.text} == 0", IndexError)
        last = t.text.temporary(f"{count.text} - 1", "last")
        t.text.line(f"{row.cell()} = {last}")
        found = loaded(t, t.forms.item_at(t, row, last))
        return taken_out(t, found)
    at = kept(t, t.forms.index_within(t, t.forms.number(t, index, "pops"), count), "at")
    found = taken_out(t, loaded(t, t.forms.item_at(t, row, at.text)))
    close_gap(t, row, at.text, count.text)
    return found


def taken_out(t: Translator, value: Value) -> Value:
    """An item that was taken out of a list, which is overwritten later."""
    if isinstance(value, Place):
        copy = t.forms.slot(t, value.type)
        store(t, value, copy)
        return copy.made()
    return value


def close_gap(t: Translator, row: Place, at: str, count: str) -> None:
    """Move what is behind an item one to the front."""
    k = t.text.name("k")
    with t.text.loop(f"for {k} in range({at}, {count} - 1):"):
        behind = t.text.temporary(f"{k} + 1", "k")
        move(t, t.forms.item_at(t, row, behind), t.forms.item_at(t, row, k))
    t.text.line(f"{row.cell()} = {count} - 1")


def _row_remove(t: Translator, owner: Value, item: Value) -> Value:
    row = t.forms.enlarge(t, t.forms.list_to_change(t, owner, whole=True), Never())

    def close(place: str) -> Value:
        close_gap(t, row, place, kept(t, t.forms.length(t, row), "n").text)
        return NONE

    return at_place(t, place_in_row(t, row, item), ValueError, close)


def _row_rotate(t: Translator, owner: Value, by: Value = ONE) -> Value:
    """What a queue does: the last items come first."""
    row = t.forms.list_to_change(t, owner, whole=True)._replace(is_stable=False)
    count = kept(t, t.forms.length(t, row), "n")
    steps = kept(t, t.forms.number(t, by, "turns by"))
    with t.text.block(f"if {count.text} > 0:"):
        cut = t.text.temporary(f"{count.text} - {steps.text} % {count.text}", "cut")
        end = Scalar(Int(), cut, 0, count.high)
        parts = [sliced(t, row, (end, NONE, NONE)), sliced(t, row, (NONE, end, NONE))]
        store(t, in_memory(t, behind_each_other(t, parts, list), row.type), row)
    return NONE


def _row_clear(t: Translator, owner: Value) -> Value:
    row = t.forms.enlarge(t, t.forms.list_to_change(t, owner, whole=True), Never())
    t.text.line(f"{row.cell()} = 0")
    return NONE


def _row_reverse(t: Translator, owner: Value) -> Value:
    row = t.forms.list_to_change(t, owner, whole=True)
    turned = in_memory(t, turned_row(t, row._replace(is_stable=False)))
    store(t, turned, row)
    return NONE


def _row_sort(t: Translator, owner: Value, key: Value = NONE, reverse: Value = NONE) -> Value:
    row = t.forms.list_to_change(t, owner, whole=True)
    if not isinstance(reverse, Known):
        raise refuse(t, "sorts in an order that states decide", "use two calls")
    change = None if key is NONE else (lambda value: t.forms.call(t, key, [value], {}))
    sort_in_place(t, row, change, down=bool(reverse.value))
    return NONE


# Sets that are changed, and others


def changed_members(t: Translator, owner: Value) -> Place:
    """The set in memory that is going to be changed."""
    row = owner
    if not isinstance(row, Place) or not isinstance(row.type, (Seq, Bits, Open)):
        raise refuse(t, f"changes {describe(owner)}", "give the set a name before")
    if row.type.kind is not set:
        raise refuse(t, "changes a frozenset", "make a set of it first: set(...)")
    t.forms.change(t, row)
    return row


def _set_add(t: Translator, owner: Value, item: Value) -> Value:
    row = changed_members(t, owner)
    make_room_for(t, row, item)
    if isinstance(row.type, (Bits, Open)):
        t.forms.with_bit(t, row, item, "|", must=True)
        return NONE
    row = t.forms.enlarge(t, row, type_of(t, item))
    add_member(t, row, item)
    return NONE


def set_update(t: Translator, owner: Value, *others: Value) -> Value:
    """`update` of a set."""
    before = t.unordered
    for each in others:
        check_other(t, owner, each, "adds a set to itself", "leave it")
        changed_members(t, owner)

        def add(item: Value, _: Any) -> None:
            inner, t.unordered = t.unordered, before  # the order makes no difference
            _set_add(t, owner, item)
            t.unordered = inner

        run(t, t.forms.stream(t, each), add)
    return NONE


def set_discard(t: Translator, owner: Value, item: Value, *, is_sure: bool = False) -> Value:
    """`discard` of a set; `is_sure` for `remove`, which needs the member."""
    row = changed_members(t, owner)
    if isinstance(row.type, (Bits, Open)):
        if is_sure:
            there = t.forms.in_set(t, row._replace(is_stable=False), item)
            trap(t, f"not {there.text}", KeyError)
        t.forms.with_bit(t, row, item, "&", must=False)
        return NONE
    row = t.forms.enlarge(t, row, Never())
    place = place_in_row(t, row, item)
    if place is None:
        return always_raises(t, KeyError()) if is_sure else NONE
    if is_sure:
        trap(t, f"{place} < 0", KeyError)
    without(t, row, place)
    return NONE


def set_isdisjoint(t: Translator, owner: Value, other: Value) -> Value:
    """`isdisjoint` of a set."""
    stream = mapped(t, lambda each: t.forms.contains(t, owner, each), t.forms.stream(t, other))
    return negated(any_or_all(t, stream, is_any=True))


def _part_of_set(t: Translator, owner: Value, other: Value, *, sign: str) -> Value:
    return t.forms.ordered_sets(t, sign, owner, t.forms.as_set(t, other))


def as_set(t: Translator, value: Value) -> Value:
    """A value as a set."""
    value = whole_set(t, value)
    return value if is_set(value) else t.forms.collected(t, value, set)


def _joined_set(t: Translator, owner: Value, *others: Value, op: ast.operator) -> Value:
    for each in others:
        other = t.forms.as_set(t, each)
        owner = t.forms.combined_sets(t, op, t.forms.unbound(t, owner, other), other)
    return owner


def unbound(t: Translator, owner: Value, other: Value) -> Value:
    """A set that a method joins with another, with members of its own, whatever they are."""
    return owner


def _set_pop(t: Translator, owner: Value) -> Value:
    raise refuse(
        t,
        "takes a member out of a set, whose order machine code does not know",
        "take min(...) of it, and remove that",
    )


_TEXTS = frozenset(
    {"join", "startswith", "endswith", "split", "splitlines", "find", "rfind", "rindex", "replace",
     "lower", "upper", "swapcase", "strip", "lstrip", "rstrip", "partition", "rpartition",
     "zfill", "rjust", "ljust", "translate", "isupper", "islower", "isdigit", "isalpha", "isalnum"}
)  # fmt: skip
_OF_INTS = {"bit_count": "count_ones", "bit_length": "bit_length"}
_LISTS = {"append", "extend", "insert", "pop", "remove", "clear", "reverse", "sort", "copy",
          "appendleft", "popleft", "rotate"}  # fmt: skip
CHANGING = (_LISTS - {"copy"}) | {"add", "discard", "update", "setdefault", "popitem"}
"""The methods that change what they belong to."""


ROW_METHODS: Rows = {
    "index": _row_index, "find": _row_find, "count": _row_count,
    "append": _row_append, "extend": row_extend, "insert": _row_insert, "pop": row_pop,
    "appendleft": lambda t, own, item: _row_insert(t, own, Known(0), item),
    "popleft": lambda t, own: row_pop(t, own, Known(0)),
    "copy": lambda t, own: t.forms.collected(t, own, list),
    "remove": _row_remove, "rotate": _row_rotate, "clear": _row_clear, "reverse": _row_reverse,
    "sort": _row_sort,
}  # fmt: skip


SET_METHODS: Rows = {
    "issubset": partial(_part_of_set, sign="<="), "issuperset": partial(_part_of_set, sign=">="),
    "union": partial(_joined_set, op=ast.BitOr()),
    "intersection": partial(_joined_set, op=ast.BitAnd()),
    "difference": partial(_joined_set, op=ast.Sub()), "add": _set_add, "update": set_update,
    "discard": set_discard, "isdisjoint": set_isdisjoint,
    "remove": lambda t, own, item: t.forms.set_methods["discard"](t, own, item, is_sure=True),
    "symmetric_difference": lambda t, own, other: _joined_set(t, own, other, op=ast.BitXor()),
    "pop": _set_pop, "copy": lambda t, own: t.forms.collected(t, own, kind_of(own) or set),
}  # fmt: skip
