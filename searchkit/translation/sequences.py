"""Sequences: items by index, slices, one behind the other, what is in them."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any, TypeVar

import attrs

from searchkit.problem import Step
from searchkit.translation.comparison import FALSE, known_truth
from searchkit.translation.memory import is_none
from searchkit.translation.naming import describe
from searchkit.translation.order import is_letter
from searchkit.translation.types import Atom, Bool, Char, Int, Maybe, Never, Record, Seq, alike
from searchkit.translation.values import Items, Joined, Known, Place, Scalar, Stream, Value
from searchkit.translation.variables import Variables

T = TypeVar("T")


class Sequences(Variables):
    """What can be done with sequences but to change them."""

    # Of classes further down

    found_in_dict: Callable[[dict[Any, Any], Value], Value]
    in_stream: Callable[[Stream, Value], Scalar]
    in_set: Callable[[Value, Value], Scalar]
    length_of_set: Callable[[Value], Scalar]
    in_known_set: Callable[[Any, Value], Scalar]

    def held(self, value: Value) -> Value:
        """A sequence of which items can be taken by number: known, items, or in memory."""
        value = self.there(value)
        if self.is_step(value):
            raise self.refuse("takes a Step apart", "use its state, or its cost")
        if is_none(value):
            return Known(()) if self.always_raises(TypeError()) else value
        if isinstance(value, Known):
            if hasattr(value.value, "tolist") and hasattr(value.value, "dtype"):
                raise self.refuse("uses an array of numpy", "make a list of it: .tolist()")
            return value
        return self.in_memory(value) if isinstance(value, Joined) else self.spelt_out(value)

    def as_row(self, value: Value) -> Place | Items | Known:
        """The same, but that unlike items stay apart and all others are in memory."""
        value = self.held(value)
        if isinstance(value, Items) and len(value.items) > 1:
            if all(isinstance(each, Known) for each in value.items):
                return self.in_memory(Known(tuple(e.value for e in value.items)))
            return self.in_memory(value, self._of_pair(self.type_of(value)))
        if isinstance(value, Known) and isinstance(value.value, str):
            return self.text_constant(value.value)
        if isinstance(value, Known) and isinstance(value.value, (tuple, list)):
            return self.constant(value.value, self._of_pair(self.type_of(value)))
        if isinstance(value, (Items, Known, Place)):
            return value
        raise self.refuse(f"takes items of {describe(value)}", "make a tuple of it")

    @staticmethod
    def _of_pair(kind: Any) -> Any:
        """The type of a pair of None and a value as a row."""
        same = alike(kind.items, tuple) if isinstance(kind, Record) and kind.kind is tuple else None
        return kind if same is None else Seq(same, len(kind.items), len(kind.items))

    def row(self, value: Value, what: str, instead: str) -> Place:
        """A sequence of like items in memory; refuses all else."""
        found = self.as_row(value)
        if isinstance(found, Items):
            found = self.in_memory(found)
        if not isinstance(found, Place) or not isinstance(found.type, Seq):
            raise self.refuse(what, instead)
        return found

    def length_of(self, value: Value) -> Scalar | Known:
        """`len`."""
        value = self.held(value)
        if isinstance(value, Known):
            return self.asked(len, value.value)
        if isinstance(value, Items) and value.kind not in (set, frozenset):
            return Known(len(value.items))
        if isinstance(value, Items):
            value = self.in_memory(value)
        if isinstance(value, Place) and isinstance(value.type, Seq):
            return self.length(value)
        fields = self.fields_of(value)
        if fields is not None:
            return Known(len(fields))
        if isinstance(value, Stream):
            if value.is_iterator:
                return self.always_raises(TypeError())
            if value.count is None:
                raise self.refuse("takes the length of a view of a dict", "use the dict")
            return value.count
        return self.length_of_set(value)

    # Items

    def indexed(self, value: Value, index: Value) -> Value:
        """`value[index]`."""
        if self.is_step(value):
            return self._of_step(value, index)
        value = self.held(value)
        if isinstance(value, Known) and isinstance(index, Known):
            return self.asked(operator.getitem, value.value, index.value)
        if isinstance(value, Known) and isinstance(value.value, dict):
            return self.found_in_dict(value.value, index)
        if isinstance(value, Known) and isinstance(value.value, range):
            count = len(value.value)
            at = self.index_within(self.number(index, "indexes by"), Scalar.whole(count))
            return self._of_range(value.value, at)
        if isinstance(index, Known) and isinstance(value, Items):
            try:
                found: Value = value.items[index.value]
                return found
            except Exception as error:
                return self.always_raises(error)
        place = self.place_of_item(value, index)
        return place if isinstance(place, Known) else self.loaded(place)

    @staticmethod
    def is_step(value: Value) -> bool:
        """Whether a value is a step, of which machine code has no label."""
        kind = value.type if isinstance(value, Place) else value
        return isinstance(kind, (Items, Record)) and kind.kind is Step

    def _of_step(self, value: Value, index: Value) -> Value:
        """The state or the cost of a step."""
        number = index.value if isinstance(index, Known) else None
        if number not in (1, 2, -1, -2) or isinstance(number, bool):
            raise self.refuse("takes a Step apart", "use its state, or its cost")
        place = 0 if number in (1, -2) else 1
        if isinstance(value, Items):
            found: Value = value.items[place]
            return found
        assert isinstance(value, Place)
        return self.loaded(self.field_of(value, place))

    def _of_range(self, numbers: range, at: Scalar) -> Value:
        ends = (numbers[0], numbers[-1]) if numbers else (0, 0)
        text = f"({numbers.start} + {at.text} * {numbers.step})"
        return Scalar(Int(), text, min(ends), max(ends))

    def place_of_item(self, value: Value, index: Value) -> Place | Known:
        """Where `value[index]` is."""
        row = self.as_row(value)
        items = value.value if isinstance(value, Known) and not isinstance(index, Known) else ()
        if isinstance(items, tuple) and {int, str} == set(map(type, items)):
            row = self.constant(items, Seq(Atom(None), len(items), len(items)))
        if isinstance(row, Place) and isinstance(row.type, Record):
            names = row.type.kind
            if isinstance(index, Known) and issubclass(names, (tuple, list)):
                try:
                    number = range(len(row.type.items))[index.value]
                except Exception as error:
                    return self.always_raises(error)
                return self.field_of(row, number)
            kinds = row.type.items
            if not issubclass(names, (tuple, list)) or len(set(kinds)) != 1:
                raise self.refuse(
                    f"takes an item of {describe(row)} by a number that states decide",
                    "keep like items in a tuple of their own",
                )
            row = row._replace(type=Seq(kinds[0], len(kinds), len(kinds)))
        if isinstance(row, Items) and row.items:
            row = self.in_memory(row)
        if isinstance(row, Items) or (
            isinstance(row, Place)
            and isinstance(row.type, Seq)
            and isinstance(row.type.item, Never)
        ):
            return self.always_raises(IndexError())
        if not isinstance(row, Place) or not isinstance(row.type, Seq):
            raise self.refuse(f"takes an item of {describe(row)}", "use a tuple, list or dict")
        if row.type.kind in (set, frozenset):
            return self.always_raises(TypeError())
        number = self.number(index, "indexes by")
        return self.item_at(row, self.index_within(number, self.length(row)).text)

    def index_within(self, index: Scalar, count: Scalar) -> Scalar:
        """An index from 0 on that is in range; leaves the state to Python where it is not."""
        if index.high < 0 or index.low == index.high < 0:
            text = f"({count.text} + {index.text})"
            if count.low == count.high and index.low == index.high:
                text = str(count.low + index.low)
            index = Scalar(Int(), text, count.low + index.low, count.high + index.high)
        elif index.low < 0:
            # One call for what is said most often: its lines would have to be compiled each time.
            name = self.text.temporary(f"from_the_front({index.text}, {count.text})", "i")
            self.trap(f"{name} < 0", IndexError)
            return Scalar(Int(), name, 0, max(0, count.high - 1))
        if index.low >= 0 and index.high < count.low:
            return index
        text = index.text
        if not text.isidentifier() and not text.isdigit():
            text = self.text.temporary(text, "i")
        tests = [f"{text} < 0"] * (index.low < 0) + [f"{text} >= {count.text}"] * (
            index.high >= count.low
        )
        self.trap(" or ".join(tests), IndexError)
        return Scalar(Int(), text, max(0, index.low), min(index.high, max(0, count.high - 1)))

    # Slices

    def sliced(self, value: Value, parts: tuple[Value, Value, Value]) -> Value:
        """`value[lower:upper:step]`; missing parts are None."""
        if isinstance(value, Joined) and all(isinstance(each, Known) for each in parts):
            turned = self._turned_part(value, [each.value for each in parts])  # type: ignore[union-attr]
            if turned is not None:
                return turned
        value = self.held(value)
        if all(isinstance(each, Known) for each in parts):
            known = slice(*(each.value for each in parts))  # type: ignore[union-attr]
            if isinstance(value, Known):
                return self.asked(operator.getitem, value.value, known)
            if isinstance(value, Items):
                return Items(value.items[known], value.kind)
            if isinstance(value, Place) and isinstance(value.type, Record):
                items = self.items_of_record(value)[known]
                return Items(tuple(items), value.type.kind if value.type.kind is list else tuple)
        row = self.row(value, f"takes a slice of {describe(value)}", "use a tuple or list")
        if self.is_mutable(row.type.item):
            raise self.refuse(
                "takes a slice of a list of lists, which stay the same lists", "copy each of them"
            )
        lower, upper, step = parts
        if not isinstance(step, Known) or step.value not in (None, 1, -1):
            return self._stepping(row, parts)
        if step.value == -1:
            if not (isinstance(lower, Known) and isinstance(upper, Known)) or (
                lower.value is not None or upper.value is not None
            ):
                return self._stepping(row, parts)
            return self.turned(row)
        return self._part(row, lower, upper)

    def _stepping(self, row: Place, parts: tuple[Value, Value, Value]) -> Value:
        """A slice by a step that is known, of any sequence from its beginning to its end."""
        count = self.length(row)
        if not all(isinstance(each, Known) for each in parts):
            raise self.refuse("takes a slice with a step and bounds that change", "use range")
        begin, end, step = (each.value for each in parts)  # type: ignore[union-attr]
        known = slice(begin, end, step)
        if count.low != count.high:
            begin = begin or 0
            if end is not None or begin < 0 or step < 0:
                raise self.refuse(
                    "takes a slice with bounds and a step of a sequence whose length changes",
                    "use range",
                )
            text = f"max(0, ({count.text} + {step - 1 - begin}) // {step})"
            low, high = (len(range(most)[known]) for most in (count.low, count.high))
            size = self.kept(Scalar(Int(), text, low, high), "n")
            return self._view(row, size, lambda i: f"{begin} + {step} * ({i})")
        places = range(count.low)[known]
        items = tuple(self.loaded(self.item_at(row, str(i))) for i in places)
        return Items(items, row.type.kind)

    @staticmethod
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

    def turned(self, row: Place) -> Value:
        """The items from the last to the first."""
        count = self.length(row)
        return self._view(row, count, lambda i: f"{count.text} - 1 - {i}")

    def _part(self, row: Place, lower: Value, upper: Value) -> Value:
        count = self.length(row)
        begin, end = self._end(lower, count, 0), self._end(upper, count, count)
        if begin.low == begin.high and end.low == end.high:
            fixed = max(0, end.low - begin.low)
            kind = attrs.evolve(row.type, least=fixed, most=fixed)
            found = self.part(row, kind, row.type.start + begin.low * row.type.item.cells)
            found = found._replace(is_fresh=False, root=None, path=())
            if row.is_stable and kind.kind is not list:
                return found
            copy = self.slot(kind)
            self.store(found._replace(is_stable=True), copy)
            return copy.made()
        low, high = max(0, end.low - begin.high), max(0, end.high - begin.low)
        if begin.text == "0":
            size = end
        else:
            text = f"({end.text} - {begin.text})"
            if end.low < begin.high:
                text = f"max(0, {text})"
            size = Scalar(Int(), text, low, min(high, count.high))
        whole, size = size.text, self.kept(size, "n")
        self.sums.note(size.text, whole)
        return self._view(row, size, lambda i: self._plus(begin.text, i), begin.text)

    def _end(self, value: Value, count: Scalar, default: int | Scalar) -> Scalar:
        """A bound of a slice as a place from 0 to the length."""
        if isinstance(value, Known) and value.value is None:
            if isinstance(default, Scalar):
                return default
            return Scalar.whole(default)
        number = self.number(value, "slices by")
        if number.low == number.high and count.low == count.high:
            place = slice(number.low, None).indices(count.low)[0]
            return Scalar.whole(place)
        if number.low >= 0 and number.high <= count.low:
            found = self.kept(number, "i")
            self.sums.note(found.text, number.text)
            return found
        name = self.text.temporary(number.text, "i")
        if number.low < 0:
            with self.text.block(f"if {name} < 0:"):
                self.text.line(f"{name} = max(0, {name} + {count.text})")
        if number.high > count.low:
            self.text.line(f"{name} = min({name}, {count.text})")
        low = min(number.low, count.low) if number.low >= 0 else 0
        high = count.high if number.low < 0 else min(number.high, count.high)
        return Scalar(Int(), name, low, high)

    def _view(
        self, row: Place, count: Scalar, place: Callable[[str], str], begin: str = ""
    ) -> Value:
        """Some items of a sequence, which are read when they are used; from `begin` on, if any."""

        def at(i: Scalar) -> Value:
            return self.loaded(self.item_at(row, place(i.text)))

        part = Stream(count=count, at=at, slice=(row, begin) if begin else None)
        found = Joined((part,), row.type.kind)
        return found if row.is_stable else self.in_memory(found)

    # One behind the other

    def joined_sequences(self, left: Value, right: Value) -> Value:
        """`left + right`."""
        if isinstance(left, Known) and isinstance(right, Known):
            return self.known_binary(ast.Add(), left.value, right.value)
        parts: list[Value] = []
        kinds = set()
        for each in (left, right):
            kind = self.kind_of(each)
            if kind not in (tuple, list, str):
                raise self.refuse(f"adds {describe(left)} and {describe(right)}", "use numbers")
            kinds.add(kind)
            parts.append(each)
        if len(kinds) > 1:
            return self.always_raises(TypeError())
        return self.behind_each_other(parts, kinds.pop())

    def behind_each_other(self, parts: list[Value], kind: type) -> Value:
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
                value = self.copied(each)  # the items, of which a new row is made
            if isinstance(value, Items) and len(value.items) > 2:
                settled += [Items((x,), kind) for x in value.items]
            elif not (isinstance(value, Items) and not value.items):
                settled.append(value)
        return Joined(tuple(settled), kind) if settled else Items((), kind)

    def repeated(self, value: Value, count: Value) -> Value:
        """`sequence * count`."""
        kind = self.kind_of(value)
        if isinstance(count, Known) and isinstance(count.value, int) and count.value <= 1:
            copies = [value] * max(0, count.value)
        elif isinstance(count, Known) and isinstance(count.value, int) and isinstance(value, Items):
            if count.value * len(value.items) <= 64 or len(value.items) > 1:
                if count.value * len(value.items) > 4096:
                    raise self.refuse("repeats a long sequence", "use a shorter one")
                self.check_repeated(value)
                return Items(value.items * count.value, value.kind)
            copies = [value]
        else:
            copies = [value]
        if kind not in (tuple, list, str):
            raise self.refuse(f"multiplies {describe(value)}", "use numbers")
        if not copies:
            return Items((), kind)
        if copies == [value] and isinstance(count, Known) and count.value == 1:
            return self.behind_each_other([value], kind)
        row = self.held(value)
        if isinstance(row, Known):
            row = Items(tuple(Known(each) for each in row.value), kind)
        number = self.number(count, "repeats by")
        if number.high > 4 * self.facts.capacity and number.low != number.high:
            number = self.within(number, -(1 << 40), 4 * self.facts.capacity)
        text = number.text if number.low >= 0 else f"max(0, {number.text})"
        times = self.kept(Scalar(Int(), text, max(0, number.low), max(0, number.high)), "n")
        if isinstance(row, Items) and len(row.items) == 1:
            self.check_repeated(row)
            item = self.settled(row.items[0])
            return Joined((Stream(count=times, at=lambda i: item),), kind)
        return self._repeated_row(row, times)

    def _repeated_row(self, value: Value, times: Scalar) -> Value:
        """Several items, times and again."""
        row = self.in_memory(value) if isinstance(value, Items) else value
        if not isinstance(row, Place) or not isinstance(row.type, Seq):
            raise self.refuse("repeats a sequence of unlike items", "use a comprehension")
        if self.is_mutable(row.type.item):
            raise self.refuse("repeats a list within a list", "use a comprehension")
        if not row.is_stable:
            row = self.copied(row)
        one = self.length(row)
        low, high = times.low * one.low, times.high * one.high
        size = self.kept(Scalar(Int(), f"({times.text} * {one.text})", low, high), "n")
        if isinstance(row.type.item, Never):
            return Items((), row.type.kind)
        place = row

        def at(i: Scalar) -> Value:
            return self.loaded(self.item_at(place, f"{i.text} % {one.text}"))

        return Joined((Stream(count=size, at=at),), row.type.kind)

    def check_repeated(self, value: Items) -> None:
        """Refuse `[[0] * 3] * 3`, whose rows are one list."""
        for each in value.items:
            kind = self.type_of(each)
            if self.is_mutable(kind):
                raise self.refuse("repeats a list within a list", "use a comprehension")

    # What is in them

    def contains(self, value: Value, item: Value) -> Scalar:
        """`item in value`."""
        if isinstance(value, Joined) and value.kind is not str and len(value.parts) == 1:
            (value,) = value.parts  # a slice need not be copied
        value = self.held(value)
        if isinstance(value, Known):
            if isinstance(item, Known):
                return self.truth(self.asked(operator.contains, value.value, item.value))
            return self.in_known(value.value, item)
        if isinstance(value, Stream):
            return self.in_stream(value, item)
        if isinstance(value, Items):
            return self._in_items(value, item)
        if isinstance(value, Place) and isinstance(value.type, Record):
            return self._in_items(Items(tuple(self.items_of_record(value)), tuple), item)
        if isinstance(value, Place) and isinstance(value.type, Seq):
            if value.type.kind is str and not self._is_char(item):
                return self.is_found(self.place_of_text(value, self.spelled(item)).text)
            return self.in_row(value, item)
        return self.in_set(value, item)

    def spelled(self, value: Value) -> Place:
        """A text in memory."""
        value = self.spelt_out(value)
        if self.kind_of(value) is not str:
            raise self.refuse(f"looks for {describe(value)} in a text", "look for a text")
        if isinstance(value, Known):
            return self.text_constant(value.value)
        return self.in_memory(value)

    def place_of_text(
        self, row: Place, part: Place, begin: str = "0", *, is_last: bool = False
    ) -> Scalar:
        """The first, or the last, place of a text within another from somewhere on; else -1."""
        first = "" if is_last else f", {begin}"
        call = f"place_of({self.cells_of_text(row)}, {self.cells_of_text(part)}{first})"
        found = self.text.temporary(f"last_{call}" if is_last else call, "found")
        return Scalar(Int(), found, -1, row.type.most)

    def cells_of_text(self, row: Place) -> str:
        """Where a text is, as the kernels of `texts` take it: its cells, the first, how many."""
        return f"{row.memory}, {row.at(row.type.start)}, {self.length(row).text}"

    def _is_char(self, item: Value) -> bool:
        if isinstance(item, Known):
            return is_letter(item.value)
        return isinstance(item, Scalar) and isinstance(item.type, Char)

    def _in_items(self, value: Items, item: Value) -> Scalar:
        found: list[str] = []
        if value.kind is str and not self._is_char(item):
            raise self.refuse("looks for a text within a text", "look for one character")
        for each in value.items:
            same = self.equal(item, each)
            known = known_truth(same)
            if known:
                return same
            if known is None:
                found.append(same.text)
        if not found:
            return FALSE
        return Scalar.truth(f"({' or '.join(found)})")

    def in_known(self, known: Any, item: Value) -> Scalar:
        """Whether something is in an object of the author's."""
        if isinstance(known, range):
            if isinstance(item, Place) and isinstance(item.type, Maybe):
                there = self.flag_of(item)
                with self.text.block(f"if not {there.text}:"):
                    self.fail(what="looks for None in a range", instead="test it for None before")
                item = self.loaded(self.part(item, item.type.item, 1))
            is_number = isinstance(item, Scalar) and isinstance(item.type, (Int, Bool))
            if not is_number or not known:
                return FALSE
            number = self.number(item, "looks for")
            low, high = sorted((known[0], known[-1]))
            tests = [f"{low} <= {number.text}", f"{number.text} <= {high}"]
            if abs(known.step) != 1:
                tests.append(f"({number.text} - {low}) % {abs(known.step)} == 0")
            return Scalar.truth(f"({' and '.join(tests)})")
        if isinstance(known, (tuple, list)) and len(known) <= 8:
            return self._in_items(Items(tuple(Known(each) for each in known), tuple), item)
        if isinstance(known, str):
            if not self._is_char(item):
                raise self.refuse("looks for a text within a text", "look for one character")
            return self._in_items(
                Items(tuple(Known(each) for each in dict.fromkeys(known)), str), item
            )
        if isinstance(known, (tuple, list)):
            return self.in_row(self.as_row(Known(known)), item)
        if isinstance(known, (set, frozenset, dict)):
            return self.in_known_set(known, item)
        raise self.refuse(f"looks in {known!r:.40}", "use a tuple, list, set, dict or range")

    def in_row(self, row: Value, item: Value) -> Scalar:
        """Whether something is in a sequence: the items are looked at one by one."""
        return self.is_found(self.place_in_row(row, item))

    @staticmethod
    def is_found(place: str | None) -> Scalar:
        """Whether something was found, by the name of its place."""
        return FALSE if place is None else Scalar.truth(f"({place} >= 0)")

    def at_place(
        self, place: str | None, error: type[Exception], found: Callable[[str], T]
    ) -> T | Known:
        """What is found at a place; that error of Python's where there is nothing."""
        if place is None:
            return self.always_raises(error())
        self.trap(f"{place} < 0", error)
        return found(place)

    def place_in_row(self, row: Value, item: Value, begin: str = "0") -> str | None:
        """A name for the first place of something in a sequence from somewhere on; else -1."""
        if not isinstance(row, Place) or not isinstance(row.type, Seq):
            raise self.refuse(f"looks in {describe(row)}", "use a tuple, list, set, dict or range")
        if isinstance(row.type.item, Never):
            return None
        item = self.settled(item)
        found, i = self.text.temporary("-1", "found"), self.text.name("i")
        begin = "" if begin == "0" else f"{begin}, "
        with self.text.loop(f"for {i} in range({begin}{self.length(row).text}):"):
            same = self.equal(item, self.loaded(self.item_at(row, i)))
            with self.text.block(f"if {same.text}:"):
                self.text.line(f"{found} = {i}")
                self.text.line("break")
        return found
