"""Truth, equality and order of values, as Python has them."""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable, ItemsView, KeysView
from contextlib import suppress
from typing import Any

from searchkit.kernel_language.constants import COMPARED, SIGNS
from searchkit.problem import Step
from searchkit.translation.arithmetic import NO_NUMBER, Arithmetic
from searchkit.translation.memory import MOST_UNROLLED, class_of_atom
from searchkit.translation.naming import describe, shown_pair
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
    Record,
    Seq,
    Unfit,
    is_exact,
    items_of,
    names_of,
)
from searchkit.translation.values import (
    Function,
    Items,
    Joined,
    Known,
    Place,
    Scalar,
    Stream,
    Value,
    without_names,
)

TRUE, FALSE = Scalar(Bool(), "True", 1, 1), Scalar(Bool(), "False", 0, 0)
NUMBERS = (Int, Bool)
OF_NUMBERS = (Int, Bool, Float)
MOST_PARTS = 16
"""How many items a row has at most that are looked at one by one."""


def constant_truth(value: bool) -> Scalar:
    """A truth value that is known."""
    return TRUE if value else FALSE


def without_view(value: Value) -> Value:
    """The keys or items of a dict of the author's as a set, which they are compared like."""
    is_view = isinstance(value, Known) and isinstance(value.value, (KeysView, ItemsView))
    return Known(frozenset(value.value)) if is_view else value  # type: ignore[union-attr]


def known_truth(value: Scalar) -> bool | None:
    """What a truth value is known to be."""
    return {"True": True, "False": False}.get(value.text)


class Comparison(Arithmetic):
    """Comparisons and tests."""

    # Of classes further down

    equals_set: Callable[[Value, Place], Scalar]
    length_of: Callable[[Value], Scalar | Known]
    ordered: Callable[[str, Value, Value], Scalar]
    and_then: Callable[[Scalar, Callable[[], Scalar]], Scalar]

    def truth(self, value: Value) -> Scalar:
        """Whether Python takes a value for true."""
        if isinstance(value, Known):
            return constant_truth(bool(value.value))
        if isinstance(value, Scalar):
            if isinstance(value.type, Bool):
                return value
            if isinstance(value.type, Int):
                if value.low > 0 or value.high < 0:
                    return TRUE
                return Scalar.truth(f"({value.text} != 0)")
            if isinstance(value.type, Char):
                return TRUE
            if isinstance(value.type, Float):
                return self.float_compared("!=", value, Known(0))
            return self._truth_of_atom(value)
        if isinstance(value, Items):
            return constant_truth(bool(value.items))
        if isinstance(value, Function) or (isinstance(value, Stream) and value.is_iterator):
            return TRUE  # though nothing may be left
        if isinstance(value, Stream) and value.count is None:
            raise self.refuse("tests a view of a dict", "test the dict")
        kind = value.type if isinstance(value, Place) else None
        if isinstance(value, Place) and isinstance(kind, Maybe):
            inner = self.truth(self.loaded(self.part(value, kind.item, 1)))
            return self.both(self.flag_of(value), inner)
        if isinstance(value, Place) and isinstance(kind, Bits):
            return self.negated(self.all_zero(value))
        if isinstance(kind, Record) and not {"__bool__", "__len__"} & set(dir(kind.kind)):
            return TRUE
        return self.truth(self.length_of(value))

    def flag_of(self, place: Place) -> Scalar:
        """Whether what may be None is not."""
        return Scalar.truth(self._now(place, f"({place.cell()} != 0)"))

    def _truth_of_atom(self, value: Scalar) -> Scalar:
        self.trap(f"{value.text} >= {len(self.atoms.values)}")
        false = [i for i, each in enumerate(self.atoms.values) if not each]
        if not false:
            return TRUE
        tests = " and ".join(f"{value.text} != {i}" for i in false)
        return Scalar.truth(f"({tests})")

    def all_zero(self, place: Place) -> Scalar:
        """Whether all cells of a place are 0."""
        tests = " and ".join(f"{place.cell(i)} == 0" for i in range(place.type.cells))
        return Scalar.truth(self._now(place, f"({tests or 'True'})"))

    def negated(self, value: Scalar) -> Scalar:
        """The other truth value."""
        known = known_truth(value)
        if known is not None:
            return constant_truth(not known)
        return Scalar.truth(f"(not {value.text})")

    def both(self, one: Scalar, other: Scalar) -> Scalar:
        """Whether both hold; the text of either may be evaluated in any case."""
        for a, b in ((one, other), (other, one)):
            if known_truth(a) is not None:
                return b if known_truth(a) else FALSE
        return Scalar.truth(f"({one.text} and {other.text})")

    # Comparisons

    def as_compared(self, value: Value) -> Value:
        """A value in a form that is compared: a view of a dict as a set, joined rows as one."""
        return self.in_memory(value) if isinstance(value, Joined) else without_view(value)

    def compared(self, op: ast.cmpop, left: Value, right: Value) -> Scalar:
        """A comparison of two values, but for `in`."""
        left, right = self.as_compared(left), self.as_compared(right)
        if isinstance(op, (ast.Is, ast.IsNot)):
            found = self._same(left, right)
            return found if isinstance(op, ast.Is) else self.negated(found)
        if isinstance(left, Known) and isinstance(right, Known):
            return self.truth(self.asked(COMPARED[SIGNS[type(op)]], left.value, right.value))
        if isinstance(op, ast.Eq):
            return self.equal(left, right)
        if isinstance(op, ast.NotEq):
            return self.negated(self.equal(left, right))
        return self.ordered(SIGNS[type(op)], left, right)

    def _same(self, left: Value, right: Value) -> Scalar:
        if isinstance(left, Known) and isinstance(right, Known):
            return constant_truth(left.value is right.value)
        for one, other in ((left, right), (right, left)):
            value = one.value if isinstance(one, Known) else NotImplemented
            if value is None or isinstance(value, bool):
                kind = other.type if isinstance(other, (Scalar, Place)) else None
                is_bool = isinstance(kind, (Bool, type(None))) or getattr(kind, "empty", 0) is False
                if value is not None and not is_bool:
                    break  # 1 == True, but is not True
                return self.equal(other, one)
            if isinstance(one, Scalar) and isinstance(one.type, (Atom, Bool)):
                kind = other.type if isinstance(other, Scalar) else None
                is_member = isinstance(other, Known) and not isinstance(other.value, (str, int))
                if is_member or (kind == one.type and getattr(kind, "kind", str) is not str):
                    return self.equal(left, right)
        raise self.refuse(
            f"compares {describe(left)} by `is` with {describe(right)}", "use == or !="
        )

    def equal(self, left: Value, right: Value) -> Scalar:
        """Whether two values are equal."""
        left, right = self._as_plain(self.as_compared(left), self.as_compared(right))
        at_hand = (Known, Items, Scalar) if isinstance(left, Place) else (Known, Items)
        if isinstance(left, (Scalar, Place)) and isinstance(right, at_hand):
            left, right = right, left
        for each in (left, right):
            if getattr(each.type if isinstance(each, Place) else each, "kind", None) is Step:
                raise self.refuse("compares steps, whose labels are left out", "compare states")
            if isinstance(each, Stream):
                raise self.refuse("compares an iterator", "make a tuple of it")
            if isinstance(each, Function):
                raise self.refuse("compares a function", "")
        for one, other in ((left, right), (right, left)):
            if isinstance(other, Place) and isinstance(other.type, Maybe):
                return self._equals_maybe(one, other)
            if not isinstance(one, Scalar):
                continue
            is_row = self.is_listed(one) and not isinstance(other, (Known, Scalar))
            is_spelt = self.kind_of(other) is str and not isinstance(other, Known)
            if is_row or (is_spelt and self.is_word(one)):
                return self.equal(self.spelt(one), other)
            is_known = isinstance(other, Known) and isinstance(other.value, tuple)
            if self.is_listed(one) and is_known:
                with suppress(Unfit, TypeError):
                    code = self.atoms.code(other.value)  # type: ignore[union-attr]
                    return Scalar.truth(f"({one.text} == {code})")
                return FALSE
        if isinstance(right, Scalar):
            if isinstance(right.type, Float) or (
                isinstance(left, Scalar) and isinstance(left.type, Float)
            ):
                return self._equals_float(left, right)
            return self._equals_scalar(left, right)
        if isinstance(left, Known) and isinstance(right, Known):
            return constant_truth(bool(left.value == right.value))
        if isinstance(left, Scalar):
            if self.kind_of(right) is not str or not isinstance(left.type, Char):
                return self._unlike(left, right)
            left = Items((left,), str)
        return self._equal_wholes(left, right)

    def _as_plain(self, left: Value, right: Value) -> tuple[Value, Value]:
        """Two tuples of which one has names that the other has not, both without: so are equal."""
        kinds = self.kind_of(left), self.kind_of(right)
        are_tuples = kinds[0] is not kinds[1] and Step not in kinds and all(
            each is tuple or (each is not None and issubclass(each, tuple) and names_of(each))
            for each in kinds
        )  # fmt: skip
        return (without_names(left), without_names(right)) if are_tuples else (left, right)

    def _equals_float(self, left: Value, right: Scalar) -> Scalar:
        for each in (left, right):
            is_known = isinstance(each, Known) and isinstance(each.value, (int, float))
            if is_known and not is_exact(each.value):  # type: ignore[union-attr]
                raise self.refuse(f"compares {shown_pair(left, right)}", "use smaller numbers")
            is_number = isinstance(each, Scalar) and isinstance(each.type, OF_NUMBERS)
            if not is_known and not is_number:
                return FALSE
        return self.float_compared("==", left, right)

    def _equals_scalar(self, left: Value, right: Scalar) -> Scalar:
        if isinstance(left, Known) and isinstance(right.type, NUMBERS):
            if not isinstance(left.value, (int, float)):
                return self._never_equal(left, right)
            if not right.low <= left.value <= right.high or left.value != int(left.value):
                return FALSE
            left = self.number(Known(int(left.value)), "compares")
        if isinstance(left, Known):
            own: Any = class_of_atom(right)
            equality: Any = getattr(own, "__eq__", None)
            is_member = isinstance(own, enum.EnumMeta) and equality is str.__eq__
            if is_member and type(left.value) is str:  # members that are texts as well
                same = [each for each in own if each == left.value]
                return self.equal(Known(same[0]), right) if same else FALSE
            text = self.as_cell(left, right.type)
            if text is None and isinstance(right.type, Char) and type(left.value) is str:
                return FALSE  # it has more letters than one
            if text is None:
                return self._unlike(left, right)
            return Scalar.truth(f"({right.text} == {text})")
        if isinstance(left, Scalar):
            for one, other in ((left, right), (right, left)):
                if isinstance(one.type, NUMBERS) and self.may_be_number(other):
                    number, name = self.number(one, "compares"), self.number_of_atom(other).text
                    text = f"({name} == {number.text} and {name} != {NO_NUMBER})"
                    return Scalar.truth(text)
            if isinstance(left.type, NUMBERS) and isinstance(right.type, NUMBERS):
                if isinstance(left.type, Bool) and isinstance(right.type, Bool):
                    return Scalar.truth(f"({left.text} == {right.text})")
                a, b = self.number(left, "compares"), self.number(right, "compares")
                if a.high < b.low or b.high < a.low:
                    return FALSE
                return Scalar.truth(f"({b.text} == {a.text})")
            if type(left.type) is type(right.type):
                return Scalar.truth(f"({left.text} == {right.text})")
        if isinstance(left, Items) and left.kind is str and isinstance(right.type, Char):
            if len(left.items) != 1:
                return FALSE
            return self.equal(left.items[0], right)
        return self._unlike(left, right)

    def _unlike(self, left: Value, right: Value) -> Scalar:
        """Of values of unlike types: never equal, unless both may be texts, or numbers."""
        kinds = [self.type_of(left), self.type_of(right)]
        if type(kinds[0]) is type(kinds[1]) or {Maybe, Never} & set(map(type, kinds)):
            raise self.refuse(f"compares {shown_pair(left, right)}", "compare like values")
        if any(isinstance(each, Atom) for each in kinds):
            texts = all(
                isinstance(each, (Atom, Char)) or (isinstance(each, Seq) and each.kind is str)
                for each in kinds
            )
            mixed = any(isinstance(each, Atom) and each.kind is None for each in kinds)
            numbers = any(
                isinstance(each, Atom) and each.kind is not None
                and issubclass(each.kind, (int, str)) and each.kind is not str
                for each in kinds
            )  # fmt: skip
            if texts or mixed or numbers:
                raise self.refuse(f"compares {shown_pair(left, right)}", "use values of one class")
        return FALSE

    def _never_equal(self, known: Known, other: Value) -> Scalar:
        """Of an object of Python and what is of another class; refuses what may be equal to it."""
        kind = known.value.__class__
        is_plain = kind.__module__ == "builtins" and kind is not complex
        if is_plain or issubclass(kind, enum.Enum) or names_of(kind) is not None:
            return FALSE
        raise self.refuse(
            f"compares {shown_pair(known, other)}", "use numbers and texts of Python's"
        )

    def _by_class(self, one: type, other: type) -> Scalar:
        """Of values of two classes: never equal, unless one is derived from the other."""
        if issubclass(one, other) or issubclass(other, one):
            raise self.refuse(
                f"compares a {one.__name__} with a {other.__name__}", "use values of one class"
            )
        return FALSE

    def _equals_maybe(self, left: Value, right: Place) -> Scalar:
        flag = self.flag_of(right)
        empty = right.type.empty
        if isinstance(left, Known) and (left.value is None or empty is False):
            if left.value == empty:
                return self.negated(flag)
        elif isinstance(left, Scalar) and empty is False:
            raise self.refuse(f"compares {shown_pair(left, right)}", "compare like values")
        elif isinstance(left, Scalar) and left.type == NONE:
            return self.negated(flag)
        inner = self.part(right, right.type.item, 1)
        if isinstance(left, Place) and isinstance(left.type, Maybe):
            if left.type.empty is not empty:
                raise self.refuse(f"compares {shown_pair(left, right)}", "compare like values")
            result = self.text.temporary("False", "same")
            with self.text.block(f"if {left.cell()} == 0 or {right.cell()} == 0:"):
                self.text.line(f"{result} = {left.cell()} == {right.cell()}")
            with self.text.block("else:"):
                found = self.equal(
                    self.loaded(self.part(left, left.type.item, 1)), self.loaded(inner)
                )
                self.text.line(f"{result} = {found.text}")
            return Scalar.truth(result)
        return self.and_then(flag, lambda: self.equal(left, self.loaded(inner)))

    def _parts(self, value: Value) -> list[Value] | None:
        """The items of a value that has a fixed number of them."""
        if isinstance(value, Items):
            return list(value.items)
        if isinstance(value, Known):
            is_row = isinstance(value.value, (tuple, list, str, bytes))
            return list(map(Known, value.value)) if is_row else None
        is_row = isinstance(value, Place) and isinstance(value.type, Seq)
        if not is_row:
            return self.fields_of(value)
        assert isinstance(value, Place)
        kind = value.type
        if not kind.is_fixed or kind.most > MOST_PARTS:
            return None
        return [self.loaded(self.item_at(value, str(i))) for i in range(kind.most)]

    def _equal_wholes(self, left: Value, right: Value) -> Scalar:
        """The comparison of two values that have items."""
        one, other = self.kind_of(left), self.kind_of(right)
        if one is None or other is None:
            return FALSE
        if {one, other} <= {set, frozenset}:
            left, right = (self.in_memory(e) if isinstance(e, Items) else e for e in (left, right))
            pair = (left, right) if isinstance(right, Place) else (right, left)
            return self.equals_set(*pair)
        if one is not other:
            for known, value in ((left, right), (right, left)):
                if isinstance(known, Known):
                    self._never_equal(known, value)
            return self._by_class(one, other)
        both = (left, right)
        rows = [e for e in both if isinstance(e, Place) and isinstance(e.type, Seq)]
        if len(rows) == 2:
            return self._equal_sequences(*rows)
        if rows:
            return self._equals_row(right if rows[0] is left else left, rows[0])
        items, others = map(self._items_at_hand, both)
        return self._all_equal(items, others) if len(items) == len(others) else FALSE

    def _items_at_hand(self, value: Value) -> list[Value]:
        """The items of a value that is no row in memory, and of an object with names for them."""
        found = self._parts(value)
        if found is None and isinstance(value, Known):
            found = list(map(Known, items_of(value.value)))
        return self.items_of_record(value) if found is None else found  # type: ignore[arg-type]

    def _equals_row(self, left: Value, right: Place) -> Scalar:
        """The comparison of a value with a row in memory, item by item."""
        items = self._items_at_hand(left)
        kind, count = right.type, len(items)
        if not kind.least <= count <= kind.most:
            return FALSE
        if kind.is_fixed and count > MOST_PARTS:
            row = self.in_memory(left)
            if isinstance(row.type, Seq):
                return self._equal_sequences(row, right)

        def are_equal() -> Scalar:
            there = [self.loaded(self.item_at(right, str(i))) for i in range(count)]
            return self._all_equal(items, there)

        if kind.is_fixed:
            return are_equal()
        return self.and_then(Scalar.truth(f"({self.length(right).text} == {count})"), are_equal)

    def _all_equal(self, left: list[Value], right: list[Value]) -> Scalar:
        found = TRUE
        for one, other in zip(left, right, strict=True):
            found = self.both(found, self.equal(one, other))
        return found

    def _equal_sequences(self, left: Place, right: Place) -> Scalar:
        count, other = self.length(left), self.length(right)
        if count.low > other.high or other.low > count.high:
            return FALSE
        kinds = left.type.item, right.type.item
        if any(isinstance(each, Never) for each in kinds):
            return Scalar.truth(f"({count.text} == 0 and {other.text} == 0)")
        if count.low == count.high == other.low == other.high <= MOST_UNROLLED:
            return self._all_equal(self._parts(left) or [], self._parts(right) or [])
        result = self.text.temporary(f"{count.text} == {other.text}", "same")
        with self.text.block(f"if {result}:"):
            i = self.text.name("i")
            with self.text.loop(f"for {i} in range({count.text}):"):
                found = self.equal(
                    self.loaded(self.item_at(left, i)), self.loaded(self.item_at(right, i))
                )
                with self.text.block(f"if not {found.text}:"):
                    self.text.line(f"{result} = False")
                    self.text.line("break")
        return Scalar.truth(result)
