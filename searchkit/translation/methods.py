"""Methods of lists, tuples, texts, sets and dicts."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from functools import partialmethod
from typing import Any, NamedTuple

from searchkit.translation.naming import describe, full
from searchkit.translation.strings import Strings
from searchkit.translation.types import Bits, Bool, Int, Never, Open, Seq
from searchkit.translation.values import SMALL, Chosen, Items, Known, Place, Scalar, Value

Method = Callable[[list[Value], dict[str, Value]], Value]
NONE, ONE = Known(None), Known(1)


class Bound(NamedTuple):
    """A method with what it belongs to."""

    owner: Value
    run: Callable[..., Value]
    is_method: bool = True

    def __call__(self, *args: Value, **named: Value) -> Value:
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


class Methods(Strings):
    """What values of Python's own classes are asked to do."""

    # Of classes further down

    replaced: Callable[[Value, dict[str, Value]], Value]
    call: Callable[[Value, list[Value], dict[str, Value]], Value]

    def method(self, owner: Value, name: str) -> Bound | None:
        """A method of a list, tuple, text, set or dict; None for all else."""
        if isinstance(owner, Chosen):
            run = self.chosen_method(owner, name)
            if run is not None:
                return Bound(owner, run)
            owner = self.whole_set(owner)
        if isinstance(owner, Known):
            if isinstance(owner.value, dict) and name == "get":
                return Bound(owner, self.value_or)
            if isinstance(owner.value, str) and name in _TEXTS:
                return Bound(owner, lambda own, *args: self._of_known_text(own, name, args))
            if isinstance(owner.value, (tuple, list, str)) and name in ("index", "count"):
                return Bound(owner, getattr(self, f"_row_{name}"))
            if isinstance(owner.value, (set, frozenset)) and hasattr(self, f"_set_{name}"):
                return Bound(owner, getattr(self, f"_set_{name}"))
            return None
        owner = self.there(owner)
        if isinstance(owner, Scalar) and self.is_word(owner):
            owner = self.spelt(owner)
        if isinstance(owner, Scalar) and isinstance(owner.type, (Int, Bool)) and name in _OF_INTS:
            return Bound(owner, lambda own: self._of_bits(own, _OF_INTS[name]))
        kind = self.kind_of(owner)
        if kind in (set, frozenset):
            found = getattr(self, f"_set_{name}", None)
        elif kind in (tuple, list, str):
            found = getattr(self, f"_row_{name}", None)
            if name in _TEXTS and kind is not str:
                found = None
            if name in _LISTS and kind is not list:
                found = None
        elif kind is not None and name == "_replace" and issubclass(kind, tuple):
            return Bound(owner, lambda value, **named: self.replaced(value, named))
        else:
            return None
        if found is None:
            raise self.refuse(
                f"calls .{name} of {describe(owner)}",
                "write it out as a loop, or as a function of your own",
            )
        return Bound(owner, found)

    def _of_known_text(self, owner: Known, name: str, args: tuple[Value, ...]) -> Value:
        """What a method of a text gives that no state decides about."""
        if not all(isinstance(each, Known) for each in args):
            found: Value = getattr(self, f"_row_{name}")(owner, *args)
            return found
        made = self.asked(getattr(owner.value, name), *(each.value for each in args))  # type: ignore[union-attr]
        is_list = isinstance(made.value, list)
        return Items(tuple(map(Known, made.value)), list) if is_list else made

    def _of_bits(self, owner: Value, kernel: str) -> Value:
        """What a kernel says of the bits of a number without its sign."""
        number = self.within(self.absolute(owner), 0, SMALL - 1)  # type: ignore[arg-type]
        return Scalar(Int(), f"{kernel}({number.text})", 0, number.high.bit_length())

    # Sequences

    def _row_index(self, owner: Value, item: Value, *begin: Value) -> Value:
        if isinstance(owner, Known) and all(isinstance(each, Known) for each in (item, *begin)):
            return self.asked(owner.value.index, *(each.value for each in (item, *begin)))  # type: ignore[union-attr]
        return self._that_is_there(self._row_find(owner, item, *begin))

    def _that_is_there(self, found: Value) -> Value:
        """A place that was found; a ValueError where it is -1."""
        if isinstance(found, Known):
            return self.always_raises(ValueError())
        assert isinstance(found, Scalar)
        self.trap(f"{found.text} < 0", ValueError)
        return found._replace(low=0)

    def _begin(self, row: Place, begin: tuple[Value, ...]) -> str:
        """From where on something is looked for, as a place from 0 on."""
        if not begin:
            return "0"
        if len(begin) > 1:
            raise self.refuse("looks for something up to a place", "use a slice")
        number = self.number(begin[0], "looks from")
        if number.low >= 0:
            return self.kept(number, "begin").text
        count = self.length(row).text
        name = self.text.temporary(number.text, "begin")
        with self.text.block(f"if {name} < 0:"):
            self.text.line(f"{name} = max(0, {name} + {count})")
        return name

    def _row_find(self, owner: Value, item: Value, *begin: Value) -> Value:
        """The first place of an item, or of a text in another; else -1."""
        row = self._row_in_memory(owner)
        if self.kind_of(owner) is str and (begin or not self._is_char(item)):
            spelled = self.spelled(item)
            if begin:
                self._not_empty(spelled)
            return self.place_of_text(row, spelled, self._begin(row, begin))
        place = self.place_in_row(row, item, self._begin(row, begin))
        return Known(-1) if place is None else Scalar(Int(), place, -1, row.type.most - 1)

    def _row_rfind(self, owner: Value, item: Value) -> Scalar:
        row = self._row_in_memory(owner)
        return self.place_of_text(row, self.spelled(item), is_last=True)

    def _row_rindex(self, owner: Value, item: Value) -> Value:
        return self._that_is_there(self._row_rfind(owner, item))

    def _row_count(self, owner: Value, item: Value) -> Value:
        if isinstance(owner, Known) and isinstance(item, Known):
            return Known(owner.value.count(item.value))
        if self.kind_of(owner) is str and not self._is_char(item):
            return self._count_of_text(owner, item)
        item = self.settled(item)
        stream = self.mapped(lambda each: self.equal(item, each), self.stream(owner))
        found = self.summed(stream, Scalar.whole(0))
        assert found is not None  # truth values are whole
        return found

    def _row_copy(self, owner: Value) -> Value:
        return self.collected(owner, list)

    # Lists that are changed

    def _list(self, owner: Value, *, whole: bool = False) -> Place:
        """A list that is going to be changed in place."""
        if not isinstance(owner, Place) or not isinstance(owner.type, Seq):
            raise self.refuse(f"changes {describe(owner)}", "give the list a name before")
        self.change(owner, whole=whole)
        return owner

    def check_other(self, owner: Value, value: Value, what: str, instead: str) -> None:
        """Refuse to put a list, set or dict into itself."""
        roots = [each.root for each in (owner, value) if isinstance(each, Place)]
        if len(roots) == 2 and roots[0] is not None and roots[0] is roots[1]:
            raise self.refuse(what, instead)

    def _room_for(self, owner: Value, item: Value) -> Place:
        row = self._list(owner)
        row = self.enlarge(row, self.type_of(item))
        most = row.type.most
        self.trap(f"{row.cell()} >= {most}", what=full(most, "a list"), instead="use a shorter one")
        return row

    def _row_append(self, owner: Value, item: Value) -> Value:
        self._list(owner)
        item = self.settled(item) if isinstance(item, Scalar) else item
        row = self._room_for(owner, item)
        n = self.text.temporary(row.cell(), "n")
        self.store(item, self.item_at(row, n))
        self.text.line(f"{row.cell()} = {n} + 1")
        return NONE

    def _row_extend(self, owner: Value, items: Value) -> Value:
        stream = self.ordered_stream(items)
        self.check_other(owner, items, "extends a list by itself", "copy it first")
        self.run(stream, lambda item, _: (self._row_append(owner, item), None)[1])
        return NONE

    def _row_appendleft(self, owner: Value, item: Value) -> Value:
        return self._row_insert(owner, Known(0), item)

    def _row_popleft(self, owner: Value) -> Value:
        return self._row_pop(owner, Known(0))

    def _row_insert(self, owner: Value, index: Value, item: Value) -> Value:
        self._list(owner, whole=True)
        item = self.settled(item) if isinstance(item, Scalar) else item
        row = self._room_for(owner, item)
        count = self.kept(self.length(row), "n")
        at = self._end(index, count, 0)
        at = self.kept(at, "at")
        item = self.settled(item)
        k = self.text.temporary(count.text, "k")
        with self.text.loop(f"while {k} > {at.text}:"):
            before = self.text.temporary(f"{k} - 1", "k")
            self.move(self.item_at(row, before), self.item_at(row, k))
            self.text.line(f"{k} = {before}")
        self.store(item, self.item_at(row, at.text))
        self.text.line(f"{row.cell()} = {count.text} + 1")
        return NONE

    def _row_pop(self, owner: Value, index: Value = NONE) -> Value:
        at_end = index is NONE or (isinstance(index, Known) and index.value == -1)
        row = self._list(owner, whole=True)
        row = self.enlarge(row, Never())
        if isinstance(row.type.item, Never):
            return self.always_raises(IndexError())
        count = self.kept(self.length(row), "n")
        if at_end:
            self.trap(f"{count.text} == 0", IndexError)
            last = self.text.temporary(f"{count.text} - 1", "last")
            self.text.line(f"{row.cell()} = {last}")
            found = self.loaded(self.item_at(row, last))
            return self._taken(found)
        at = self.kept(self.index_within(self.number(index, "pops"), count), "at")
        found = self._taken(self.loaded(self.item_at(row, at.text)))
        self._close(row, at.text, count.text)
        return found

    def _taken(self, value: Value) -> Value:
        """An item that was taken out of a list, which is overwritten later."""
        if isinstance(value, Place):
            copy = self.slot(value.type)
            self.store(value, copy)
            return copy.made()
        return value

    def _close(self, row: Place, at: str, count: str) -> None:
        """Move what is behind an item one to the front."""
        k = self.text.name("k")
        with self.text.loop(f"for {k} in range({at}, {count} - 1):"):
            behind = self.text.temporary(f"{k} + 1", "k")
            self.move(self.item_at(row, behind), self.item_at(row, k))
        self.text.line(f"{row.cell()} = {count} - 1")

    def _row_remove(self, owner: Value, item: Value) -> Value:
        row = self.enlarge(self._list(owner, whole=True), Never())

        def close(place: str) -> Value:
            self._close(row, place, self.kept(self.length(row), "n").text)
            return NONE

        return self.at_place(self.place_in_row(row, item), ValueError, close)

    def _row_rotate(self, owner: Value, by: Value = ONE) -> Value:
        """What a queue does: the last items come first."""
        row = self._list(owner, whole=True)._replace(is_stable=False)
        count = self.kept(self.length(row), "n")
        steps = self.kept(self.number(by, "turns by"))
        with self.text.block(f"if {count.text} > 0:"):
            cut = self.text.temporary(f"{count.text} - {steps.text} % {count.text}", "cut")
            end = Scalar(Int(), cut, 0, count.high)
            parts = [self.sliced(row, (end, NONE, NONE)), self.sliced(row, (NONE, end, NONE))]
            self.store(self.in_memory(self.behind_each_other(parts, list), row.type), row)
        return NONE

    def _row_clear(self, owner: Value) -> Value:
        row = self.enlarge(self._list(owner, whole=True), Never())
        self.text.line(f"{row.cell()} = 0")
        return NONE

    def _row_reverse(self, owner: Value) -> Value:
        row = self._list(owner, whole=True)
        turned = self.in_memory(self.turned(row._replace(is_stable=False)))
        self.store(turned, row)
        return NONE

    def _row_sort(self, owner: Value, key: Value = NONE, reverse: Value = NONE) -> Value:
        row = self._list(owner, whole=True)
        if not isinstance(reverse, Known):
            raise self.refuse("sorts in an order that states decide", "use two calls")
        change = None if key is NONE else (lambda value: self.call(key, [value], {}))
        self.sort_in_place(row, change, down=bool(reverse.value))
        return NONE

    # Sets that are changed, and others

    def _members(self, owner: Value) -> Place:
        row = owner
        if not isinstance(row, Place) or not isinstance(row.type, (Seq, Bits, Open)):
            raise self.refuse(f"changes {describe(owner)}", "give the set a name before")
        if row.type.kind is not set:
            raise self.refuse("changes a frozenset", "make a set of it first: set(...)")
        self.change(row)
        return row

    def _set_add(self, owner: Value, item: Value) -> Value:
        row = self._members(owner)
        self.make_room_for(row, item)
        if isinstance(row.type, (Bits, Open)):
            self._with_bit(row, item, "|", must=True)
            return NONE
        row = self.enlarge(row, self.type_of(item))
        self.add_member(row, item)
        return NONE

    def _set_update(self, owner: Value, *others: Value) -> Value:
        before = self.unordered
        for each in others:
            self.check_other(owner, each, "adds a set to itself", "leave it")
            self._members(owner)

            def add(item: Value, _: Any) -> None:
                inner, self.unordered = self.unordered, before  # the order makes no difference
                self._set_add(owner, item)
                self.unordered = inner

            self.run(self.stream(each), add)
        return NONE

    def _set_discard(self, owner: Value, item: Value, *, is_sure: bool = False) -> Value:
        row = self._members(owner)
        if isinstance(row.type, (Bits, Open)):
            if is_sure:
                there = self.in_set(row._replace(is_stable=False), item)
                self.trap(f"not {there.text}", KeyError)
            self._with_bit(row, item, "&", must=False)
            return NONE
        row = self.enlarge(row, Never())
        place = self.place_in_row(row, item)
        if place is None:
            return self.always_raises(KeyError()) if is_sure else NONE
        if is_sure:
            self.trap(f"{place} < 0", KeyError)
        self.without(row, place)
        return NONE

    def _set_remove(self, owner: Value, item: Value) -> Value:
        return self._set_discard(owner, item, is_sure=True)

    def _set_isdisjoint(self, owner: Value, other: Value) -> Value:
        stream = self.mapped(lambda each: self.contains(owner, each), self.stream(other))
        return self.negated(self.any_or_all(stream, is_any=True))

    def _part_of_set(self, owner: Value, other: Value, *, sign: str) -> Value:
        return self.ordered_sets(sign, owner, self._as_set(other))

    _set_issubset = partialmethod(_part_of_set, sign="<=")
    _set_issuperset = partialmethod(_part_of_set, sign=">=")

    def _as_set(self, value: Value) -> Value:
        value = self.whole_set(value)
        return value if self.is_set(value) else self.collected(value, set)

    def _joined_set(self, owner: Value, *others: Value, op: ast.operator) -> Value:
        for each in others:
            other = self._as_set(each)
            owner = self.combined_sets(op, self._unbound(owner, other), other)
        return owner

    def _unbound(self, owner: Value, other: Value) -> Value:
        """A set that a method joins with another, with members of its own, whatever they are."""
        return owner

    _set_union = partialmethod(_joined_set, op=ast.BitOr())
    _set_intersection = partialmethod(_joined_set, op=ast.BitAnd())
    _set_difference = partialmethod(_joined_set, op=ast.Sub())

    def _set_symmetric_difference(self, owner: Value, other: Value) -> Value:
        return self._joined_set(owner, other, op=ast.BitXor())

    def _set_pop(self, owner: Value) -> Value:
        raise self.refuse(
            "takes a member out of a set, whose order machine code does not know",
            "take min(...) of it, and remove that",
        )

    def _set_copy(self, owner: Value) -> Value:
        return self.collected(owner, self.kind_of(owner) or set)


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
