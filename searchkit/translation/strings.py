"""Texts: what is in them, and texts made of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from contextlib import nullcontext
from functools import partialmethod
from typing import Any

from searchkit.translation.builders import MOST_ITEMS
from searchkit.translation.kernels.texts import OTHER, WRONG
from searchkit.translation.members import Members
from searchkit.translation.naming import describe, full
from searchkit.translation.order import is_letter
from searchkit.translation.types import Bool, Char, Int, Never, Seq
from searchkit.translation.values import SMALL, Items, Joined, Known, Place, Scalar, Value

NONE, SPACE = Known(None), Known(" ")
MOST_BITS = 38


class Strings(Members):
    """What texts are asked to do."""

    # Of classes further down

    parts_of: Callable[[Value], list[Value]]

    def _row_in_memory(self, owner: Value) -> Place:
        return self.row(owner, f"looks in {describe(owner)}", "use tuples of like items")

    def _row_startswith(self, owner: Value, part: Value) -> Value:
        row, part = self._row_in_memory(owner), self.spelled(part)
        return self._is_at(row, part, Scalar.whole(0))

    def _row_endswith(self, owner: Value, part: Value) -> Value:
        row, part = self._row_in_memory(owner), self.spelled(part)
        count, own = self.length(row), self.length(part)
        begin = Scalar(Int(), f"({count.text} - {own.text})", count.low - own.high, count.high)
        return self._is_at(row, part, self.kept(begin))

    def _is_at(self, row: Place, part: Place, begin: Scalar) -> Scalar:
        """Whether a text is at a place of another, in front of which it may be."""
        call = f"is_at({self.cells_of_text(row)}, {self.cells_of_text(part)}, {begin.text})"
        return Scalar.truth(self.text.temporary(call, "same"))

    def _row_join(self, owner: Value, items: Value) -> Value:
        return self.joined_text(owner, items)

    # Taken apart

    def _row_split(self, owner: Value, separator: Value = NONE, *rest: Value) -> Value:
        """The parts between separators: one text, or all white space as far as it goes."""
        if rest:
            raise self.refuse("splits a text some times only", "use partition")
        row = self._row_in_memory(owner)
        by_space = isinstance(separator, Known) and separator.value is None
        is_char = by_space or self._is_char(separator)
        part_of, width = separator, "1"
        if not is_char:
            part = self.spelled(separator)
            own = self._not_empty(part)
            part_of, width = part, own.text
        most = row.type.most
        place = self.slot(Seq(Seq(Char(), 0, most + 1, str), 0, most + 1, list))
        k, n, i = (self.text.temporary("0", hint) for hint in ("part", "n", "i"))
        with self.text.loop(f"while {i} < {self.length(row).text}:"):
            char = self.loaded(self.item_at(row, i))
            made = self.item_at(place, k)
            if by_space:
                test = self._is_space(char)
            elif is_char:
                test = self.equal(char, part_of)
            else:
                assert isinstance(part_of, Place)
                test = self._is_at(row, part_of, Scalar(Int(), i, 0, most))
            with self.text.block(f"if {test.text}:"):
                with self.text.block(f"if {n} != 0:") if by_space else nullcontext():
                    self.text.line(f"{made.cell()} = {n}")
                    self.text.line(f"{k} += 1")
                    self.text.line(f"{n} = 0")
                self.text.line(f"{i} += {width}")
            with self.text.block("else:"):
                self.store(char, self.item_at(made, n))
                self.text.line(f"{n} += 1")
                self.text.line(f"{i} += 1")
        with self.text.block(f"if {n} != 0:") if by_space else nullcontext():
            self.text.line(f"{self.item_at(place, k).cell()} = {n}")
            self.text.line(f"{k} += 1")
        self.text.line(f"{place.cell()} = {k}")
        return place.made()

    def _row_splitlines(self, owner: Value) -> Value:
        """The lines; a text with another end of lines than a newline is left to Python."""
        row = self._row_in_memory(owner)
        others = Known("\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
        stream = self.mapped(lambda each: self.contains(others, each), self.stream(row))
        self.trap(
            self.any_or_all(stream, is_any=True).text,
            what="splits a text whose lines end otherwise than with a newline",
        )
        lines: Any = self._row_split(owner, Known("\n"))
        last = self.text.temporary(f"{lines.cell()} - 1", "last")
        with self.text.block(f"if {self.item_at(lines, last).cell()} == 0:"):
            self.text.line(f"{lines.cell()} = {last}")
        made: Value = lines
        return made

    def _not_empty(self, part: Place) -> Scalar:
        """The length of a text; one that may be empty leaves the state to Python where it is."""
        own = self.length(part)
        if own.low == 0:
            self.trap(f"{own.text} == 0", what="looks for an empty text", instead="test it before")
        return own

    def _in_three(self, owner: Value, separator: Value, *, is_last: bool) -> Value:
        row, part = self._row_in_memory(owner), self.spelled(separator)
        own, count = self._not_empty(part), self.length(row)
        at = self.place_of_text(row, part, is_last=is_last).text
        cut, width = self.text.temporary(at, "cut"), self.text.temporary(own.text, "width")
        with self.text.block(f"if {at} < 0:"):
            self.text.line(f"{cut} = {'0' if is_last else count.text}")
            self.text.line(f"{width} = 0")
        begin, size = Scalar(Int(), cut, 0, count.high), Scalar(Int(), width, 0, own.high)
        end = begin._replace(text=self.text.temporary(f"{cut} + {width}", "end"))
        parts = ((row, NONE, begin), (part, NONE, size), (row, end, NONE))
        return Items(tuple(self.in_memory(self.sliced(e, (a, b, NONE))) for e, a, b in parts))

    _row_partition = partialmethod(_in_three, is_last=False)
    _row_rpartition = partialmethod(_in_three, is_last=True)

    def _stripped(
        self, owner: Value, chars: Value = NONE, *, at_begin: bool, at_end: bool
    ) -> Value:
        row = self._row_in_memory(owner)
        count = self.length(row)
        chars = chars if isinstance(chars, (Known, Scalar)) else self.spelled(chars)
        by_space = isinstance(chars, Known) and chars.value is None
        i, n = self.text.temporary("0", "i"), self.text.temporary(count.text, "n")

        def goes(at: str) -> str:
            char = self.loaded(self.item_at(row, at))
            if by_space:
                return self._is_space(char).text
            if self._is_char(chars):
                return self.equal(char, chars).text
            return self.contains(chars, char).text

        if not isinstance(row.type.item, Never):
            for is_wanted, place, step in (
                (at_begin, i, f"{i} += 1"),
                (at_end, f"{n} - 1", f"{n} -= 1"),
            ):
                if is_wanted:
                    with self.text.loop(f"while {i} < {n}:"):
                        at = self.text.temporary(place, "at")
                        with self.text.block(f"if not {goes(at)}:"):
                            self.text.line("break")
                        self.text.line(step)
        ends = (Scalar(Int(), each, 0, count.high) for each in (i, n))
        return self.sliced(row, (*ends, Known(None)))  # type: ignore[arg-type]

    _row_strip = partialmethod(_stripped, at_begin=True, at_end=True)
    _row_lstrip = partialmethod(_stripped, at_begin=True, at_end=False)
    _row_rstrip = partialmethod(_stripped, at_begin=False, at_end=True)

    def _is_space(self, char: Value) -> Scalar:
        """Whether a character is white space; what is not ASCII is left to Python."""
        assert isinstance(char, Scalar)
        self._ascii(char)
        text = f"({char.text} == 32 or 9 <= {char.text} <= 13 or 28 <= {char.text} <= 31)"
        return Scalar.truth(text)

    # Replaced

    def _row_replace(self, owner: Value, old: Value, new: Value, count: Value = NONE) -> Value:
        if self._is_char(old) and self._is_char(new) and count is NONE:
            old, new = self.settled(old), self.settled(new)
            return self._each_letter(
                owner, lambda each: self.either(self.equal(each, old), lambda: new, lambda: each)
            )
        row, one, other = self._row_in_memory(owner), self.spelled(old), self.spelled(new)
        own, width = self._not_empty(one), self.length(other)
        longest = row.type.most // max(1, own.low) * max(0, width.high - own.low) + row.type.most
        most_chars = min(max(1, longest), MOST_ITEMS)
        place = self.slot(Seq(Char(), 0, most_chars, str))
        left = SMALL - 1 if count is NONE else self.number(count, "replaces by").text
        left = self.text.temporary(str(left), "left")
        i, n = self.text.temporary("0", "i"), self.text.temporary("0", "n")
        with self.text.loop(f"while {i} < {self.length(row).text}:"):
            same = self._is_at(row, one, Scalar(Int(), i, 0, row.type.most))
            with self.text.block(f"if {left} != 0 and {same.text}:"):
                what = full(most_chars, "a text")
                self.trap(f"{n} + {width.text} > {most_chars}", what=what)
                if not isinstance(other.type.item, Never):
                    j = self.text.name("j")
                    with self.text.loop(f"for {j} in range({width.text}):"):
                        at = self.text.temporary(f"{n} + {j}", "at")
                        self.store(self.loaded(self.item_at(other, j)), self.item_at(place, at))
                self.text.line(f"{n} += {width.text}")
                self.text.line(f"{i} += {own.text}")
                self.text.line(f"{left} -= 1")
            with self.text.block("else:"):
                self.trap(f"{n} >= {most_chars}", what=full(most_chars, "a text"))
                self.store(self.loaded(self.item_at(row, i)), self.item_at(place, n))
                self.text.line(f"{n} += 1")
                self.text.line(f"{i} += 1")
        self.text.line(f"{place.cell()} = {n}")
        return place.made()

    def _count_of_text(self, owner: Value, part: Value) -> Scalar:
        """How often a text is in another, one behind the other."""
        row, one = self._row_in_memory(owner), self.spelled(part)
        self._not_empty(one)
        call = f"times_of({self.cells_of_text(row)}, {self.cells_of_text(one)})"
        return Scalar(Int(), self.text.temporary(call, "n"), 0, row.type.most)

    # Letters

    def _changed_letters(self, owner: Value, table: dict[str, str]) -> Value:
        if isinstance(owner, Scalar):
            self._ascii(owner)
            return self.value_or(Known(table), owner, owner)
        return self._each_letter(owner, lambda each: self._changed_letters(each, table))

    _row_lower = partialmethod(_changed_letters, table={chr(i): chr(i + 32) for i in range(65, 91)})
    _row_upper = partialmethod(_changed_letters, table={chr(i + 32): chr(i) for i in range(65, 91)})
    _row_swapcase = partialmethod(
        _changed_letters, table={chr(i): chr(i ^ 32) for i in range(65, 123) if chr(i).isalpha()}
    )

    def _each_letter(self, owner: Value, change: Callable[[Value], Value]) -> Value:
        """A text of as many letters."""
        row = self.settled(self._row_in_memory(owner))
        return Joined((self.mapped(change, self.stream(row)),), str)

    def _ascii(self, char: Scalar) -> None:
        self.trap(
            f"{char.text} > 127",
            what="asks for the kind or the other case of a letter beyond ASCII",
        )

    def _is_in_class(self, char: Value, ranges: str) -> Scalar:
        assert isinstance(char, Scalar)
        self._ascii(char)
        ends = zip(ranges[::2], ranges[1::2], strict=True)
        tests = (f"({ord(a)} <= {char.text} <= {ord(b)})" for a, b in ends)
        return Scalar.truth(f"({' or '.join(tests)})")

    def _all_are(self, owner: Value, ranges: str, others: str = "") -> Value:
        """Whether all characters of a text are of these ranges, and there are some.

        With `others`, whether there are some, and none of those.
        """
        if isinstance(owner, Scalar):
            return self._is_in_class(owner, ranges)
        row = self._row_in_memory(owner)

        def found(own: str, *, is_any: bool) -> Scalar:
            each = self.mapped(lambda char: self._is_in_class(char, own), self.stream(row))
            return self.any_or_all(each, is_any=is_any)

        if others:
            some = found(ranges, is_any=True)
            return self.both(some, self.negated(found(others, is_any=True)))
        whole = found(ranges, is_any=False)
        return self.both(self.truth(row), whole)

    _row_isdigit = partialmethod(_all_are, ranges="09")
    _row_isalpha = partialmethod(_all_are, ranges="azAZ")
    _row_isalnum = partialmethod(_all_are, ranges="09azAZ")

    _row_isupper = partialmethod(_all_are, ranges="AZ", others="az")
    _row_islower = partialmethod(_all_are, ranges="az", others="AZ")

    def _row_translate(self, owner: Value, table: Value) -> Value:
        known = table.value if isinstance(table, Known) else None
        if not isinstance(known, dict) or not all(
            isinstance(key, int) and (isinstance(each, int) or is_letter(each))
            for key, each in known.items()
        ):
            raise self.refuse("translates by a table of other than letters", "use replace")
        letters = {chr(k): chr(v) if isinstance(v, int) else v for k, v in known.items()}
        table = Known(letters)
        if isinstance(owner, Scalar):
            return self.value_or(table, owner, owner)
        return self._each_letter(owner, lambda each: self.value_or(table, each, each))

    def _row_zfill(self, owner: Value, width: Value) -> Value:
        row = self._row_in_memory(owner)
        if not isinstance(row.type.item, Never):
            first = self.loaded(self.item_at(row, "0"))
            there = self.truth(row).text
            sign = f"{first.text} == 43 or {first.text} == 45"  # type: ignore[union-attr]
            self.trap(f"{there} and ({sign})", what="fills a text that begins with a sign by zfill")
        return self._padded_text(row, width, Known("0"), at_begin=True)

    def _padded_text(
        self, owner: Value, width: Value, fill: Value = SPACE, *, at_begin: bool
    ) -> Value:
        row = self._row_in_memory(owner)
        if not self._is_char(fill):
            raise self.refuse(
                "fills a text with a value that is not one character", "name a character"
            )
        count = self.length(row)
        missing = self.number(self.binary(ast.Sub(), width, count), "fills up to")
        if missing.high > MOST_ITEMS:
            missing = self.within(missing, -MOST_ITEMS, MOST_ITEMS)
        pad = self.repeated(Items((self.settled(fill),), str), missing)
        parts: list[Value] = [pad, row] if at_begin else [row, pad]
        return self.in_memory(self.behind_each_other(parts, str))

    _row_rjust = partialmethod(_padded_text, at_begin=True)
    _row_ljust = partialmethod(_padded_text, at_begin=False)

    def combined(self, op: ast.operator, left: Value, right: Value) -> Value:
        """A binary operator: `%` of a text puts values into it."""
        is_text = isinstance(left, Known) and isinstance(left.value, str)
        if not (is_text and isinstance(op, ast.Mod)) or isinstance(right, Known):
            return super().combined(op, left, right)
        pieces = re.split(r"%(0?\d*)([ds])", left.value)  # type: ignore[union-attr]
        values = self.parts_of(right) if self.kind_of(right) is tuple else [right]
        if any("%" in each for each in pieces[::3]) or len(pieces) // 3 != len(values):
            raise self.refuse("formats a text by %", "use an f-string")
        parts: list[Value] = [Known(pieces[0])]
        for i, value in enumerate(values):
            width, sort, behind = pieces[3 * i + 1 : 3 * i + 4]
            if sort == "s" and width:
                raise self.refuse("formats a text by %", "use an f-string")
            parts.append(
                self.formatted(value, width + sort) if sort == "d" else self.as_text(value)
            )
            parts.append(Known(behind))
        parts = [each for each in parts if not isinstance(each, Known) or each.value]
        return self.behind_each_other(parts, str)

    # Numbers as texts

    def formatted(self, value: Value, spec: str) -> Value:
        """A whole number in a format: with a width, filled with zeros or not, decimal or binary."""
        if not spec:
            return self.as_text(value)
        found = re.fullmatch(r"(0?)(\d*)([db]?)", spec)
        is_number = isinstance(value, Scalar) and isinstance(value.type, Int)
        if isinstance(value, Known):
            return Known(format(value.value, spec))
        if found is None or not is_number:
            raise self.refuse("formats a text", "use characters, or str(...)")
        assert isinstance(value, Scalar)
        base, width = 2 if found[3] == "b" else 10, int(found[2] or 0)
        if width > MOST_ITEMS:
            raise self.refuse("formats a number to more characters than a text may have")
        if found[1]:
            return self.in_digits(value, base, width=width)
        row = self.in_digits(value, base)
        return self._padded_text(row, Known(width), Known(" "), at_begin=True)

    def as_text(self, value: Value) -> Value:
        """`str`."""
        if isinstance(value, Known):
            return Known(str(value.value))
        if self.is_word(value):
            return self.spelt(value)  # type: ignore[arg-type]
        if self.kind_of(value) is str:
            return value
        is_number = isinstance(value, Scalar) and isinstance(value.type, Int)
        if is_number and value.type.truths:  # type: ignore[union-attr]
            raise self.refuse(
                "makes a text of a number that may be True or False",
                "make it a number before: int(...)",
            )
        if isinstance(value, Scalar) and isinstance(value.type, Bool):
            return self.either(value, lambda: Known("True"), lambda: Known("False"))
        if not is_number:
            raise self.refuse(f"makes a text of {describe(value)}", "use characters")
        if value.low >= 0 and value.high <= 9:  # type: ignore[union-attr]
            return self.indexed(Known("0123456789"), value)
        return self.in_digits(value, 10)

    def in_digits(self, value: Value, base: int, prefix: str = "", width: int = 0) -> Place:
        """A number written in a base up to 10, with zeros in front up to a width."""
        number = self.within(self.number(value, "makes a text of"), 1 - SMALL, SMALL - 1)
        digits = len(str(SMALL)) if base == 10 else SMALL.bit_length()
        most = 1 + len(prefix) + max(width, digits)
        place = self.slot(Seq(Char(), 1, most, str))
        least = f"{width} - int({number.text} < 0)" if number.low < 0 else str(width)
        head = self.text.temporary("0", "head")
        if number.low < 0:
            with self.text.block(f"if {number.text} < 0:"):
                self.store(Known("-"), self.item_at(place, "0"))
                self.text.line(f"{head} = 1")
        for each in prefix:
            self.store(Known(each), self.item_at(place, head))
            self.text.line(f"{head} += 1")
        where = f"{place.memory}, {place.at(1)} + {head}"
        call = f"write_digits(abs({number.text}), {base}, max(1, {least}), {where})"
        self.text.line(f"{place.cell()} = {head} + {call}")
        return place.made()

    def whole_of_text(self, value: Value, base: int = 10) -> Scalar:
        """`int` of a text of digits; other forms of numbers are left to Python."""
        row = self.spelled(value)
        count = self.length(row)
        self.trap(f"{count.text} == 0", ValueError)
        self.trap(
            f"{count.text} > {len(str(SMALL)) - 1 if base > 2 else MOST_BITS}",
            what="reads a number of many digits",
        )
        call = f"whole_number({self.cells_of_text(row)}, {base})"
        number = self.text.temporary(call, "whole")
        self.trap(f"{number} == {WRONG}", ValueError)
        self.trap(f"{number} == {OTHER}", what="reads a number that is not digits alone")
        return Scalar(Int(), number)
