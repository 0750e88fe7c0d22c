"""Texts: what is in them, and texts made of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from typing import Any

from searchkit.translation import members
from searchkit.translation.arithmetic import always_raises, binary
from searchkit.translation.builders import MOST_ITEMS, any_or_all, joined_text
from searchkit.translation.comparison import both, fixed_items, is_letter, negated
from searchkit.translation.kernels.texts import OTHER, WRONG
from searchkit.translation.lookups import either, value_or
from searchkit.translation.loops import is_set, mapped
from searchkit.translation.memory import (
    in_memory,
    is_object,
    is_word,
    kind_of,
    loaded,
    spelt,
    store,
)
from searchkit.translation.refusals import describe, full, of_order, refuse, trap
from searchkit.translation.sequences import (
    behind_each_other,
    cells_of_text,
    is_character,
    place_of_text,
    repeated,
    row_of_like,
    sliced,
    spelling,
)
from searchkit.translation.translator import Rows, Translator
from searchkit.translation.types import Bool, Char, Int, Never, Seq
from searchkit.translation.values import SMALL, Items, Joined, Known, Place, Scalar, Value
from searchkit.translation.variables import kept

NONE, SPACE = Known(None), Known(" ")
MOST_BITS = 38


def row_in_memory(t: Translator, owner: Value) -> Place:
    """A text or row in memory that is searched."""
    return row_of_like(t, owner, f"looks in {describe(owner)}", "use tuples of like items")


def _begins_or_ends(t: Translator, owner: Value, part: Value, *, test: Any) -> Value:
    """`startswith` or `endswith`: of a text, or one of several."""
    row, parts = row_in_memory(t, owner), parts_of(t, part) if kind_of(part) is tuple else [part]
    tests = [test(t, row, spelling(t, each)) for each in parts]
    return Scalar.truth(f"({' or '.join(each.text for each in tests)})" if tests else "False")


def _begins_with(t: Translator, row: Place, part: Place) -> Scalar:
    return _is_at(t, row, part, Scalar.whole(0))


def _ends_with(t: Translator, row: Place, part: Place) -> Scalar:
    count, own = t.forms.length(t, row), t.forms.length(t, part)
    begin = Scalar(Int(), f"({count.text} - {own.text})", count.low - own.high, count.high)
    return _is_at(t, row, part, kept(t, begin))


def _is_at(t: Translator, row: Place, part: Place, begin: Scalar) -> Scalar:
    """Whether a text is at a place of another, in front of which it may be."""
    call = f"is_at({cells_of_text(t, row)}, {cells_of_text(t, part)}, {begin.text})"
    return Scalar.truth(t.text.temporary(call, "same"))


# Taken apart


def _row_split(t: Translator, owner: Value, separator: Value = NONE, *rest: Value) -> Place:
    """The parts between separators: one text, or all white space as far as it goes."""
    if rest:
        raise refuse(t, "splits a text some times only", "use partition")
    row = row_in_memory(t, owner)
    by_space = isinstance(separator, Known) and separator.value is None
    is_char = by_space or is_character(separator)
    part_of, width = separator, "1"
    if not is_char:
        part = spelling(t, separator)
        own = not_empty(t, part)
        part_of, width = part, own.text
    most = row.type.most
    place = t.forms.slot(t, Seq(Seq(Char(), 0, most + 1, str), 0, most + 1, list))
    k, n, i = (t.text.temporary("0", hint) for hint in ("part", "n", "i"))
    with t.text.loop(f"while {i} < {t.forms.length(t, row).text}:"):
        char = loaded(t, t.forms.item_at(t, row, i))
        made = t.forms.item_at(t, place, k)
        if by_space:
            test = _is_space(t, char)
        elif is_char:
            test = t.forms.equal(t, char, part_of)
        else:
            assert isinstance(part_of, Place)
            test = _is_at(t, row, part_of, Scalar(Int(), i, 0, most))
        with t.text.block(f"if {test.text}:"):
            with t.text.block(f"if {n} != 0:") if by_space else nullcontext():
                t.text.line(f"{made.cell()} = {n}")
                t.text.line(f"{k} += 1")
                t.text.line(f"{n} = 0")
            t.text.line(f"{i} += {width}")
        with t.text.block("else:"):
            store(t, char, t.forms.item_at(t, made, n))
            t.text.line(f"{n} += 1")
            t.text.line(f"{i} += 1")
    with t.text.block(f"if {n} != 0:") if by_space else nullcontext():
        t.text.line(f"{t.forms.item_at(t, place, k).cell()} = {n}")
        t.text.line(f"{k} += 1")
    t.text.line(f"{place.cell()} = {k}")
    return place.made()


def _row_splitlines(t: Translator, owner: Value) -> Value:
    """The lines; a text with another end of lines than a newline is left to Python."""
    row = row_in_memory(t, owner)
    others = Known("\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
    stream = mapped(t, lambda each: t.forms.contains(t, others, each), t.forms.stream(t, row))
    trap(
        t,
        any_or_all(t, stream, is_any=True).text,
        what="splits a text whose lines end otherwise than with a newline",
    )
    lines = _row_split(t, owner, Known("\n"))
    last = t.text.temporary(f"{lines.cell()} - 1", "last")
    with t.text.block(f"if {t.forms.item_at(t, lines, last).cell()} == 0:"):
        t.text.line(f"{lines.cell()} = {last}")
    return lines


def not_empty(t: Translator, part: Place) -> Scalar:
    """The length of a text; one that may be empty leaves the state to Python where it is."""
    own = t.forms.length(t, part)
    if own.low == 0:
        trap(t, f"{own.text} == 0", what="looks for an empty text", instead="test it before")
    return own


def _row_partition(t: Translator, owner: Value, separator: Value) -> Value:
    row, part = row_in_memory(t, owner), spelling(t, separator)
    own, count = not_empty(t, part), t.forms.length(t, row)
    at = place_of_text(t, row, part).text
    cut, width = t.text.temporary(at, "cut"), t.text.temporary(own.text, "width")
    with t.text.block(f"if {at} < 0:"):
        t.text.line(f"{cut} = {count.text}")
        t.text.line(f"{width} = 0")
    begin, size = Scalar(Int(), cut, 0, count.high), Scalar(Int(), width, 0, own.high)
    end = begin._replace(text=t.text.temporary(f"{cut} + {width}", "end"))
    parts = ((row, NONE, begin), (part, NONE, size), (row, end, NONE))
    return Items(tuple(in_memory(t, sliced(t, e, (a, b, NONE))) for e, a, b in parts))


def _stripped(
    t: Translator, owner: Value, chars: Value = NONE, *, at_begin: bool, at_end: bool
) -> Value:
    row = row_in_memory(t, owner)
    count = t.forms.length(t, row)
    chars = chars if isinstance(chars, (Known, Scalar)) else spelling(t, chars)
    by_space = isinstance(chars, Known) and chars.value is None
    i, n = t.text.temporary("0", "i"), t.text.temporary(count.text, "n")

    def goes(at: str) -> str:
        char = loaded(t, t.forms.item_at(t, row, at))
        if by_space:
            return _is_space(t, char).text
        if is_character(chars):
            return t.forms.equal(t, char, chars).text
        return t.forms.contains(t, chars, char).text

    if not isinstance(row.type.item, Never):
        for is_wanted, place, step in (
            (at_begin, i, f"{i} += 1"),
            (at_end, f"{n} - 1", f"{n} -= 1"),
        ):
            if is_wanted:
                with t.text.loop(f"while {i} < {n}:"):
                    at = t.text.temporary(place, "at")
                    with t.text.block(f"if not {goes(at)}:"):
                        t.text.line("break")
                    t.text.line(step)
    ends = (Scalar(Int(), each, 0, count.high) for each in (i, n))
    return sliced(t, row, (*ends, Known(None)))  # type: ignore[arg-type]


def _is_space(t: Translator, char: Any) -> Scalar:
    """Whether a character is white space; what is not ASCII is left to Python."""
    _ascii(t, char)
    text = f"({char.text} == 32 or 9 <= {char.text} <= 13 or 28 <= {char.text} <= 31)"
    return Scalar.truth(text)


# Replaced


def _row_replace(t: Translator, owner: Value, old: Value, new: Value, count: Value = NONE) -> Value:
    if is_character(old) and is_character(new) and count is NONE:
        old, new = t.forms.settled(t, old), t.forms.settled(t, new)
        return _each_letter(
            t, owner, lambda each: either(t, t.forms.equal(t, each, old), lambda: new, lambda: each)
        )
    row, one, other = row_in_memory(t, owner), spelling(t, old), spelling(t, new)
    own, width = not_empty(t, one), t.forms.length(t, other)
    longest = row.type.most // max(1, own.low) * max(0, width.high - own.low) + row.type.most
    most_chars = min(max(1, longest), MOST_ITEMS)
    place = t.forms.slot(t, Seq(Char(), 0, most_chars, str))
    left = SMALL - 1 if count is NONE else t.forms.number(t, count, "replaces by").text
    left = t.text.temporary(str(left), "left")
    i, n = t.text.temporary("0", "i"), t.text.temporary("0", "n")
    with t.text.loop(f"while {i} < {t.forms.length(t, row).text}:"):
        same = _is_at(t, row, one, Scalar(Int(), i, 0, row.type.most))
        with t.text.block(f"if {left} != 0 and {same.text}:"):
            what = full(most_chars, "a text")
            trap(t, f"{n} + {width.text} > {most_chars}", what=what)
            if not isinstance(other.type.item, Never):
                j = t.text.name("j")
                with t.text.loop(f"for {j} in range({width.text}):"):
                    at = t.text.temporary(f"{n} + {j}", "at")
                    store(t, loaded(t, t.forms.item_at(t, other, j)), t.forms.item_at(t, place, at))
            t.text.line(f"{n} += {width.text}")
            t.text.line(f"{i} += {own.text}")
            t.text.line(f"{left} -= 1")
        with t.text.block("else:"):
            trap(t, f"{n} >= {most_chars}", what=full(most_chars, "a text"))
            store(t, loaded(t, t.forms.item_at(t, row, i)), t.forms.item_at(t, place, n))
            t.text.line(f"{n} += 1")
            t.text.line(f"{i} += 1")
    t.text.line(f"{place.cell()} = {n}")
    return place.made()


def _row_rfind(t: Translator, owner: Value, part: Value) -> Scalar:
    row = row_in_memory(t, owner)
    call = f"last_place_of({cells_of_text(t, row)}, {cells_of_text(t, spelling(t, part))})"
    return Scalar(Int(), t.text.temporary(call, "found"), -1, row.type.most)


def _row_rindex(t: Translator, owner: Value, part: Value) -> Scalar:
    found = _row_rfind(t, owner, part)
    trap(t, f"{found.text} < 0", ValueError)
    return found._replace(low=0)


def count_of_text(t: Translator, owner: Value, part: Value) -> Scalar:
    """How often a text is in another, one behind the other."""
    row, one = row_in_memory(t, owner), spelling(t, part)
    not_empty(t, one)
    call = f"times_of({cells_of_text(t, row)}, {cells_of_text(t, one)})"
    return Scalar(Int(), t.text.temporary(call, "n"), 0, row.type.most)


# Letters


def _changed_letters(t: Translator, owner: Value, table: dict[str, str]) -> Value:
    if isinstance(owner, Scalar):
        _ascii(t, owner)
        return value_or(t, Known(table), owner, owner)
    return _each_letter(t, owner, lambda each: _changed_letters(t, each, table))


def _each_letter(t: Translator, owner: Value, change: Callable[[Value], Value]) -> Value:
    """A text of as many letters."""
    row = t.forms.settled(t, row_in_memory(t, owner))
    return Joined((mapped(t, change, t.forms.stream(t, row)),), str)


def _ascii(t: Translator, char: Scalar) -> None:
    trap(
        t, f"{char.text} > 127", what="asks for the kind or the other case of a letter beyond ASCII"
    )


def _is_in_class(t: Translator, char: Any, ranges: str) -> Scalar:
    _ascii(t, char)
    ends = zip(ranges[::2], ranges[1::2], strict=True)
    tests = (f"({ord(a)} <= {char.text} <= {ord(b)})" for a, b in ends)
    return Scalar.truth(f"({' or '.join(tests)})")


def _all_are(t: Translator, owner: Value, ranges: str, others: str = "") -> Value:
    """Whether all characters of a text are of these ranges, and there are some.

    With `others`, whether there are some, and none of those.
    """
    if isinstance(owner, Scalar):
        return _is_in_class(t, owner, ranges)
    row = row_in_memory(t, owner)

    def found(own: str, *, is_any: bool) -> Scalar:
        each = mapped(t, lambda char: _is_in_class(t, char, own), t.forms.stream(t, row))
        return any_or_all(t, each, is_any=is_any)

    if others:
        some = found(ranges, is_any=True)
        return both(some, negated(found(others, is_any=True)))
    whole = found(ranges, is_any=False)
    return both(t.forms.truth(t, row), whole)


def _row_translate(t: Translator, owner: Value, table: Value) -> Value:
    known = table.value if isinstance(table, Known) else None
    if not isinstance(known, dict) or not all(
        isinstance(key, int) and (isinstance(each, int) or is_letter(each))
        for key, each in known.items()
    ):
        raise refuse(t, "translates by a table of other than letters", "use replace")
    letters = {chr(k): chr(v) if isinstance(v, int) else v for k, v in known.items()}
    table = Known(letters)
    if isinstance(owner, Scalar):
        return value_or(t, table, owner, owner)
    return _each_letter(t, owner, lambda each: value_or(t, table, each, each))


def _row_zfill(t: Translator, owner: Value, width: Value) -> Value:
    row = row_in_memory(t, owner)
    if not isinstance(row.type.item, Never):
        first = loaded(t, t.forms.item_at(t, row, "0"))
        there = t.forms.truth(t, row).text
        sign = f"{first.text} == 43 or {first.text} == 45"  # type: ignore[union-attr]
        trap(t, f"{there} and ({sign})", what="fills a text that begins with a sign by zfill")
    return _padded_text(t, row, width, Known("0"), at_begin=True)


def _padded_text(
    t: Translator, owner: Value, width: Value, fill: Value = SPACE, *, at_begin: bool
) -> Value:
    row = row_in_memory(t, owner)
    if not is_character(fill):
        raise refuse(t, "fills a text with a value that is not one character", "name a character")
    count = t.forms.length(t, row)
    missing = t.forms.number(t, binary(t, ast.Sub(), width, count), "fills up to")
    if missing.high > MOST_ITEMS:
        missing = t.forms.within(t, missing, -MOST_ITEMS, MOST_ITEMS)
    pad = repeated(t, Items((t.forms.settled(t, fill),), str), missing)
    parts: list[Value] = [pad, row] if at_begin else [row, pad]
    return in_memory(t, behind_each_other(t, parts, str))


def combined(t: Translator, op: ast.operator, left: Value, right: Value) -> Value:
    """A binary operator: `%` of a text puts values into it."""
    is_text = isinstance(left, Known) and isinstance(left.value, str)
    if not (is_text and isinstance(op, ast.Mod)) or isinstance(right, Known):
        return members.combined(t, op, left, right)
    pieces = re.split(r"%(?:(0?\d*d)|s)", left.value)  # type: ignore[union-attr]
    values = parts_of(t, right) if kind_of(right) is tuple else [right]
    if any("%" in each for each in pieces[::2]) or len(pieces) // 2 != len(values):
        raise refuse(t, "formats a text by %", "use an f-string")
    parts: list[Value] = [Known(pieces[0])]
    for value, form, behind in zip(values, pieces[1::2], pieces[2::2], strict=True):
        parts += [t.forms.formatted(t, value, form or ""), Known(behind)]
    parts = [each for each in parts if not isinstance(each, Known) or each.value]
    return behind_each_other(t, parts, str)


# Numbers as texts


def formatted(t: Translator, value: Value, spec: str) -> Value:
    """A whole number in a format: with a width, filled with zeros or not, decimal or binary."""
    if not spec:
        return t.forms.as_text(t, value)
    found = re.fullmatch(r"(0?)(\d*)([db]?)", spec)
    is_number = isinstance(value, Scalar) and isinstance(value.type, Int)
    if isinstance(value, Known):
        return Known(format(value.value, spec))
    if found is None or not is_number:
        raise refuse(t, "formats a text", "use characters, or str(...)")
    assert isinstance(value, Scalar)
    base, width = 2 if found[3] == "b" else 10, int(found[2] or 0)
    if width > MOST_ITEMS:
        raise refuse(t, "formats a number to more characters than a text may have")
    if found[1]:
        return in_digits(t, value, base, width=width)
    row = in_digits(t, value, base)
    return _padded_text(t, row, Known(width), Known(" "), at_begin=True)


def as_text(t: Translator, value: Value) -> Value:
    """`str`."""
    if isinstance(value, Known):
        return Known(str(value.value))
    if is_word(value):
        return spelt(t, value)  # type: ignore[arg-type]
    if kind_of(value) is str:
        return value
    is_number = isinstance(value, Scalar) and isinstance(value.type, Int)
    if is_number and value.type.truths:  # type: ignore[union-attr]
        raise refuse(
            t,
            "makes a text of a number that may be True or False",
            "make it a number before: int(...)",
        )
    if isinstance(value, Scalar) and isinstance(value.type, Bool):
        return either(t, value, lambda: Known("True"), lambda: Known("False"))
    if not is_number:
        raise refuse(t, f"makes a text of {describe(value)}", "use characters")
    if value.low >= 0 and value.high <= 9:  # type: ignore[union-attr]
        return t.forms.indexed(t, Known("0123456789"), value)
    return in_digits(t, value, 10)


def in_digits(t: Translator, value: Value, base: int, prefix: str = "", width: int = 0) -> Place:
    """A number written in a base up to 10, with zeros in front up to a width."""
    number = t.forms.within(t, t.forms.number(t, value, "makes a text of"), 1 - SMALL, SMALL - 1)
    digits = len(str(SMALL)) if base == 10 else SMALL.bit_length()
    most = 1 + len(prefix) + max(width, digits)
    place = t.forms.slot(t, Seq(Char(), 1, most, str))
    least = f"{width} - int({number.text} < 0)" if number.low < 0 else str(width)
    head = t.text.temporary("0", "head")
    if number.low < 0:
        with t.text.block(f"if {number.text} < 0:"):
            store(t, Known("-"), t.forms.item_at(t, place, "0"))
            t.text.line(f"{head} = 1")
    for each in prefix:
        store(t, Known(each), t.forms.item_at(t, place, head))
        t.text.line(f"{head} += 1")
    where = f"{place.memory}, {place.at(1)} + {head}"
    call = f"write_digits(abs({number.text}), {base}, max(1, {least}), {where})"
    t.text.line(f"{place.cell()} = {head} + {call}")
    return place.made()


def whole_of_text(t: Translator, value: Value, base: int = 10) -> Scalar:
    """`int` of a text of digits; other forms of numbers are left to Python."""
    row = spelling(t, value)
    count = t.forms.length(t, row)
    trap(t, f"{count.text} == 0", ValueError)
    trap(
        t,
        f"{count.text} > {len(str(SMALL)) - 1 if base > 2 else MOST_BITS}",
        what="reads a number of many digits",
    )
    call = f"whole_number({cells_of_text(t, row)}, {base})"
    number = t.text.temporary(call, "whole")
    trap(t, f"{number} == {WRONG}", ValueError)
    trap(t, f"{number} == {OTHER}", what="reads a number that is not digits alone")
    return Scalar(Int(), number)


def parts_of(t: Translator, value: Value) -> list[Value]:
    """The items of a value that has a fixed number of them."""
    value = in_memory(t, value) if isinstance(value, Joined) else value
    if is_set(value) and not isinstance(value, Known):
        raise of_order(t, "unpacks a set")
    if is_object(value):
        value = t.forms.made_row(t, t.forms.stream(t, value), tuple)
    if isinstance(value, Items):
        return list(value.items)
    if isinstance(value, Known):
        if not hasattr(value.value, "__iter__"):
            always_raises(t, TypeError())
            return []
        return [Known(each) for each in value.value]
    parts = fixed_items(t, value)
    if parts is None:
        raise refuse(t, f"unpacks {describe(value)}", "use a tuple of a fixed length")
    return parts


ROW_METHODS: Rows = {
    "partition": _row_partition, "rfind": _row_rfind, "rindex": _row_rindex,
    "strip": partial(_stripped, at_begin=True, at_end=True),
    "lstrip": partial(_stripped, at_begin=True, at_end=False),
    "rstrip": partial(_stripped, at_begin=False, at_end=True),
    "lower": partial(_changed_letters, table={chr(i): chr(i + 32) for i in range(65, 91)}),
    "upper": partial(_changed_letters, table={chr(i + 32): chr(i) for i in range(65, 91)}),
    "isdigit": partial(_all_are, ranges="09"), "isalpha": partial(_all_are, ranges="azAZ"),
    "isalnum": partial(_all_are, ranges="09azAZ"),
    "isupper": partial(_all_are, ranges="AZ", others="az"),
    "islower": partial(_all_are, ranges="az", others="AZ"),
    "rjust": partial(_padded_text, at_begin=True), "ljust": partial(_padded_text, at_begin=False),
    "startswith": partial(_begins_or_ends, test=_begins_with),
    "endswith": partial(_begins_or_ends, test=_ends_with), "join": joined_text,
    "split": _row_split, "splitlines": _row_splitlines, "replace": _row_replace,
    "translate": _row_translate, "zfill": _row_zfill,
}  # fmt: skip
