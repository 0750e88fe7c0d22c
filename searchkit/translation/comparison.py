"""Truth, equality and order of values, as Python has them."""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable, ItemsView, KeysView
from contextlib import suppress
from math import ceil, floor, isnan
from typing import Any

from searchkit.kernel_language.constants import COMPARED, SIGNS
from searchkit.problem import Step
from searchkit.translation.arithmetic import (
    NO_NUMBER,
    always_raises,
    asked,
    float_compared,
    is_numbered,
    is_whole,
    may_be_number,
    number_of_atom,
    of_atom,
)
from searchkit.translation.memory import (
    MOST_UNROLLED,
    as_cell,
    class_of_atom,
    constant,
    fields_of,
    in_memory,
    is_listed,
    is_none,
    is_word,
    items_of_record,
    kind_of,
    loaded,
    now,
    part,
    spelt,
    spelt_out,
    text_constant,
    there,
    type_of,
)
from searchkit.translation.refusals import describe, refuse, shown, shown_pair, trap
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
    Record,
    Seq,
    Type,
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


def truth(t: Translator, value: Value) -> Scalar:
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
            return float_compared(t, "!=", value, Known(0))
        return _truth_of_atom(t, value)
    if isinstance(value, Items):
        return constant_truth(bool(value.items))
    if isinstance(value, Function) or (isinstance(value, Stream) and value.is_iterator):
        return TRUE  # though nothing may be left
    if isinstance(value, Stream) and value.count is None:
        raise refuse(t, "tests a view of a dict", "test the dict")
    kind = value.type if isinstance(value, Place) else None
    if isinstance(value, Place) and isinstance(kind, Maybe):
        inner = t.forms.truth(t, loaded(t, part(value, kind.item, 1)))
        return both(flag_of(t, value), inner)
    if isinstance(value, Place) and isinstance(kind, Bits):
        return negated(all_zero(t, value))
    if isinstance(kind, Record) and not {"__bool__", "__len__"} & set(dir(kind.kind)):
        return TRUE
    return t.forms.truth(t, t.forms.length_of(t, value))


def flag_of(t: Translator, place: Place) -> Scalar:
    """Whether what may be None is not."""
    return Scalar.truth(now(t, place, f"({place.cell()} != 0)"))


def _truth_of_atom(t: Translator, value: Scalar) -> Scalar:
    trap(t, f"{value.text} >= {len(t.atoms.values)}")
    false = [i for i, each in enumerate(t.atoms.values) if not each]
    if not false:
        return TRUE
    tests = " and ".join(f"{value.text} != {i}" for i in false)
    return Scalar.truth(f"({tests})")


def all_zero(t: Translator, place: Place) -> Scalar:
    """Whether all cells of a place are 0."""
    tests = " and ".join(f"{place.cell(i)} == 0" for i in range(place.type.cells))
    return Scalar.truth(now(t, place, f"({tests or 'True'})"))


def negated(value: Scalar) -> Scalar:
    """The other truth value."""
    known = known_truth(value)
    if known is not None:
        return constant_truth(not known)
    return Scalar.truth(f"(not {value.text})")


def both(one: Scalar, other: Scalar) -> Scalar:
    """Whether both hold; the text of either may be evaluated in any case."""
    for a, b in ((one, other), (other, one)):
        if known_truth(a) is not None:
            return b if known_truth(a) else FALSE
    return Scalar.truth(f"({one.text} and {other.text})")


# Comparisons


def as_compared(t: Translator, value: Value) -> Value:
    """A value in a form that is compared: a view of a dict as a set, joined rows as one."""
    return in_memory(t, value) if isinstance(value, Joined) else without_view(value)


def compared(t: Translator, op: ast.cmpop, left: Value, right: Value) -> Scalar:
    """A comparison of two values, but for `in`."""
    left, right = t.forms.as_compared(t, left), t.forms.as_compared(t, right)
    if isinstance(op, (ast.Is, ast.IsNot)):
        found = _same(t, left, right)
        return found if isinstance(op, ast.Is) else negated(found)
    if isinstance(left, Known) and isinstance(right, Known):
        return t.forms.truth(t, asked(t, COMPARED[SIGNS[type(op)]], left.value, right.value))
    if isinstance(op, ast.Eq):
        return t.forms.equal(t, left, right)
    if isinstance(op, ast.NotEq):
        return negated(t.forms.equal(t, left, right))
    return t.forms.ordered(t, SIGNS[type(op)], left, right)


def _same(t: Translator, left: Value, right: Value) -> Scalar:
    if isinstance(left, Known) and isinstance(right, Known):
        return constant_truth(left.value is right.value)
    for one, other in ((left, right), (right, left)):
        value = one.value if isinstance(one, Known) else NotImplemented
        if value is None or isinstance(value, bool):
            kind = other.type if isinstance(other, (Scalar, Place)) else None
            is_bool = isinstance(kind, (Bool, type(None))) or getattr(kind, "empty", 0) is False
            if value is not None and not is_bool:
                break  # 1 == True, but is not True
            return t.forms.equal(t, other, one)
        if isinstance(one, Scalar) and isinstance(one.type, (Atom, Bool)):
            kind = other.type if isinstance(other, Scalar) else None
            is_member = isinstance(other, Known) and not isinstance(other.value, (str, int))
            if is_member or (kind == one.type and getattr(kind, "kind", str) is not str):
                return t.forms.equal(t, left, right)
    raise refuse(t, f"compares {describe(left)} by `is` with {describe(right)}", "use == or !=")


def equal(t: Translator, left: Value, right: Value) -> Scalar:
    """Whether two values are equal."""
    left, right = as_plain(t.forms.as_compared(t, left), t.forms.as_compared(t, right))
    at_hand = (Known, Items, Scalar) if isinstance(left, Place) else (Known, Items)
    if isinstance(left, (Scalar, Place)) and isinstance(right, at_hand):
        left, right = right, left
    _check_values(t, left, right)
    if is_none(left) and is_none(right):
        return TRUE
    for one, other in ((left, right), (right, left)):
        if isinstance(other, Place) and isinstance(other.type, Maybe):
            return _equals_maybe(t, one, other)
        if not isinstance(one, Scalar):
            continue
        is_row = is_listed(one) and not isinstance(other, (Known, Scalar))
        is_spelt = kind_of(other) is str and not isinstance(other, Known)
        if is_row or (is_spelt and is_word(one)):
            return t.forms.equal(t, spelt(t, one), other)
        is_known = isinstance(other, Known) and isinstance(other.value, tuple)
        if is_listed(one) and is_known:
            with suppress(Unfit, TypeError):
                code = t.atoms.code(other.value)  # type: ignore[union-attr]
                return Scalar.truth(f"({one.text} == {code})")
            return FALSE
    if isinstance(right, Scalar):
        if isinstance(right.type, Float) or (
            isinstance(left, Scalar) and isinstance(left.type, Float)
        ):
            return _equals_float(t, left, right)
        return _equals_scalar(t, left, right)
    if isinstance(left, Known) and isinstance(right, Known):
        return constant_truth(bool(left.value == right.value))
    if isinstance(left, Scalar):
        if kind_of(right) is not str or not isinstance(left.type, Char):
            return _unlike(t, left, right)
        left = Items((left,), str)
    return _equal_wholes(t, left, right)


def _check_values(t: Translator, *values: Value) -> None:
    """Refuse to compare what is no value in machine code."""
    for each in values:
        if getattr(each.type if isinstance(each, Place) else each, "kind", None) is Step:
            raise refuse(t, "compares steps, whose labels are left out", "compare states")
        if isinstance(each, Stream):
            raise refuse(t, "compares an iterator", "make a tuple, list or set of it")
        if isinstance(each, Function):
            raise refuse(t, "compares a function", "")


def as_plain(left: Value, right: Value) -> tuple[Value, Value]:
    """Two tuples of which one has names that the other has not, both without: so are equal."""
    kinds = kind_of(left), kind_of(right)
    are_tuples = kinds[0] is not kinds[1] and Step not in kinds and all(
        each is tuple or (each is not None and issubclass(each, tuple) and names_of(each))
        for each in kinds
    )  # fmt: skip
    return (without_names(left), without_names(right)) if are_tuples else (left, right)


def _equals_float(t: Translator, left: Value, right: Scalar) -> Scalar:
    for each in (left, right):
        is_known = isinstance(each, Known) and isinstance(each.value, (int, float))
        if is_known and not is_exact(each.value):  # type: ignore[union-attr]
            raise refuse(t, f"compares {shown_pair(left, right)}", "use smaller numbers")
        is_number = isinstance(each, Scalar) and isinstance(each.type, OF_NUMBERS)
        if not is_known and not is_number:
            return FALSE
    return float_compared(t, "==", left, right)


def _equals_scalar(t: Translator, left: Value, right: Scalar) -> Scalar:
    if isinstance(left, Known) and isinstance(right.type, NUMBERS):
        if not isinstance(left.value, (int, float)):
            return _never_equal(t, left, right)
        if not right.low <= left.value <= right.high or left.value != int(left.value):
            return FALSE
        left = t.forms.number(t, Known(int(left.value)), "compares")
    if isinstance(left, Known):
        own: Any = class_of_atom(right)
        equality: Any = getattr(own, "__eq__", None)
        is_member = isinstance(own, enum.EnumMeta) and equality is str.__eq__
        if is_member and type(left.value) is str:  # members that are texts as well
            same = [each for each in own if each == left.value]
            return t.forms.equal(t, Known(same[0]), right) if same else FALSE
        text = as_cell(t, left, right.type)
        if text is None and isinstance(right.type, Char) and type(left.value) is str:
            return FALSE  # it has more letters than one
        if text is None:
            return _unlike(t, left, right)
        return Scalar.truth(f"({right.text} == {text})")
    if isinstance(left, Scalar):
        for one, other in ((left, right), (right, left)):
            if isinstance(one.type, NUMBERS) and may_be_number(t, other):
                number, name = t.forms.number(t, one, "compares"), number_of_atom(t, other).text
                text = f"({name} == {number.text} and {name} != {NO_NUMBER})"
                return Scalar.truth(text)
        if isinstance(left.type, NUMBERS) and isinstance(right.type, NUMBERS):
            if isinstance(left.type, Bool) and isinstance(right.type, Bool):
                return Scalar.truth(f"({left.text} == {right.text})")
            a, b = t.forms.number(t, left, "compares"), t.forms.number(t, right, "compares")
            if a.high < b.low or b.high < a.low:
                return FALSE
            return Scalar.truth(f"({b.text} == {a.text})")
        if type(left.type) is type(right.type):
            return Scalar.truth(f"({left.text} == {right.text})")
    if isinstance(left, Items) and left.kind is str and isinstance(right.type, Char):
        if len(left.items) != 1:
            return FALSE
        return t.forms.equal(t, left.items[0], right)
    return _unlike(t, left, right)


def _unlike(t: Translator, left: Value, right: Value) -> Scalar:
    """Of values of unlike types: never equal, unless both may be texts, or numbers."""
    kinds = [type_of(t, left), type_of(t, right)]
    if type(kinds[0]) is type(kinds[1]) or {Maybe, Never} & set(map(type, kinds)):
        raise refuse(t, f"compares {shown_pair(left, right)}", "compare like values")
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
            raise refuse(t, f"compares {shown_pair(left, right)}", "use values of one class")
    return FALSE


def _never_equal(t: Translator, known: Known, other: Value) -> Scalar:
    """Of an object of Python and what is of another class; refuses what may be equal to it."""
    kind = known.value.__class__
    is_plain = kind.__module__ == "builtins" and kind is not complex
    if is_plain or issubclass(kind, enum.Enum) or names_of(kind) is not None:
        return FALSE
    raise refuse(t, f"compares {shown_pair(known, other)}", "use numbers and texts of Python's")


def _by_class(t: Translator, one: type, other: type) -> Scalar:
    """Of values of two classes: never equal, unless one is derived from the other."""
    if issubclass(one, other) or issubclass(other, one):
        raise refuse(
            t, f"compares a {one.__name__} with a {other.__name__}", "use values of one class"
        )
    return FALSE


def _equals_maybe(t: Translator, left: Value, right: Place) -> Scalar:
    flag = flag_of(t, right)
    empty = right.type.empty
    if isinstance(left, Known) and (left.value is None or empty is False):
        if left.value == empty:
            return negated(flag)
    elif isinstance(left, Scalar) and empty is False:
        raise refuse(t, f"compares {shown_pair(left, right)}", "compare like values")
    elif isinstance(left, Scalar) and left.type == NONE:
        return negated(flag)
    inner = part(right, right.type.item, 1)
    if isinstance(left, Place) and isinstance(left.type, Maybe):
        if left.type.empty is not empty:
            raise refuse(t, f"compares {shown_pair(left, right)}", "compare like values")
        result = t.text.temporary("False", "same")
        with t.text.block(f"if {left.cell()} == 0 or {right.cell()} == 0:"):
            t.text.line(f"{result} = {left.cell()} == {right.cell()}")
        with t.text.block("else:"):
            found = t.forms.equal(t, loaded(t, part(left, left.type.item, 1)), loaded(t, inner))
            t.text.line(f"{result} = {found.text}")
        return Scalar.truth(result)
    return and_then(t, flag, lambda: t.forms.equal(t, left, loaded(t, inner)))


def fixed_items(t: Translator, value: Value) -> list[Value] | None:
    """The items of a value that has a fixed number of them."""
    if isinstance(value, Items):
        return list(value.items)
    if isinstance(value, Known):
        is_row = isinstance(value.value, (tuple, list, str, bytes))
        return list(map(Known, value.value)) if is_row else None
    if not isinstance(value, Place) or not isinstance(value.type, Seq):
        return fields_of(t, value)
    kind = value.type
    if not kind.is_fixed or kind.most > MOST_PARTS:
        return None
    return [loaded(t, t.forms.item_at(t, value, str(i))) for i in range(kind.most)]


def _equal_wholes(t: Translator, left: Value, right: Value) -> Scalar:
    """The comparison of two values that have items."""
    one, other = kind_of(left), kind_of(right)
    if one is None or other is None:
        return FALSE
    if {one, other} <= {set, frozenset}:
        left, right = (in_memory(t, e) if isinstance(e, Items) else e for e in (left, right))
        pair = (left, right) if isinstance(right, Place) else (right, left)
        return t.forms.equals_set(t, *pair)
    if one is not other:
        for known, value in ((left, right), (right, left)):
            if isinstance(known, Known):
                _never_equal(t, known, value)
        return _by_class(t, one, other)
    both = (left, right)
    rows = [e for e in both if isinstance(e, Place) and isinstance(e.type, Seq)]
    if len(rows) == 2:
        return _equal_sequences(t, *rows)
    if rows:
        return _equals_row(t, right if rows[0] is left else left, rows[0])
    items, others = (_items_at_hand(t, each) for each in both)
    return _all_equal(t, items, others) if len(items) == len(others) else FALSE


def _items_at_hand(t: Translator, value: Value) -> list[Value]:
    """The items of a value that is no row in memory, and of an object with names for them."""
    found = fixed_items(t, value)
    if found is None and isinstance(value, Known):
        found = list(map(Known, items_of(value.value)))
    return items_of_record(t, value) if found is None else found  # type: ignore[arg-type]


def _equals_row(t: Translator, left: Value, right: Place) -> Scalar:
    """The comparison of a value with a row in memory, item by item."""
    items = _items_at_hand(t, left)
    kind, count = right.type, len(items)
    if not kind.least <= count <= kind.most:
        return FALSE
    if kind.is_fixed and count > MOST_PARTS:
        row = in_memory(t, left)
        if isinstance(row.type, Seq):
            return _equal_sequences(t, row, right)

    def are_equal() -> Scalar:
        there = [loaded(t, t.forms.item_at(t, right, str(i))) for i in range(count)]
        return _all_equal(t, items, there)

    if kind.is_fixed:
        return are_equal()
    return and_then(t, Scalar.truth(f"({t.forms.length(t, right).text} == {count})"), are_equal)


def _all_equal(t: Translator, left: list[Value], right: list[Value]) -> Scalar:
    found = TRUE
    for one, other in zip(left, right, strict=True):
        found = both(found, t.forms.equal(t, one, other))
    return found


def _equal_sequences(t: Translator, left: Place, right: Place) -> Scalar:
    count, other = t.forms.length(t, left), t.forms.length(t, right)
    if count.low > other.high or other.low > count.high:
        return FALSE
    kinds = left.type.item, right.type.item
    if any(isinstance(each, Never) for each in kinds):
        return Scalar.truth(f"({count.text} == 0 and {other.text} == 0)")
    if count.low == count.high == other.low == other.high <= MOST_UNROLLED:
        return _all_equal(t, fixed_items(t, left) or [], fixed_items(t, right) or [])
    result = t.text.temporary(f"{count.text} == {other.text}", "same")
    with t.text.block(f"if {result}:"):
        i = t.text.name("i")
        with t.text.loop(f"for {i} in range({count.text}):"):
            found = t.forms.equal(
                t, loaded(t, t.forms.item_at(t, left, i)), loaded(t, t.forms.item_at(t, right, i))
            )
            with t.text.block(f"if not {found.text}:"):
                t.text.line(f"{result} = False")
                t.text.line("break")
    return Scalar.truth(result)


def and_then(t: Translator, first: Scalar, second: Callable[[], Scalar]) -> Scalar:
    """Whether both hold; the second is evaluated where the first holds."""
    known = known_truth(first)
    if known is not None:
        return second() if known else FALSE
    with t.text.apart() as lines:
        found = second()
    if not lines:
        return both(first, found)
    result = t.text.temporary(first.text, "both")
    with t.text.block(f"if {result}:"):
        t.text.lines += lines
        t.text.line(f"{result} = {found.text}")
    return Scalar(Bool(), result, 0, 1)


def or_else(t: Translator, first: Scalar, second: Callable[[], Scalar]) -> Scalar:
    """Whether either holds; the second is evaluated where the first does not."""
    return negated(and_then(t, negated(first), lambda: negated(second())))


UNMET = "uses a letter that was not met where letters and longer texts are"
MEET = "use texts of letters alone, or numbers"
_NONE, _OWN, _UNKNOWN = -1, -2, -3
"""Values without an order, with one of their own, and of a class that is not known before."""


def is_letter(value: Any) -> bool:
    """Whether a value is a text of one character."""
    return value.__class__ is str and len(value) == 1


def order_of(kind: type) -> int:
    """Whether values of a class have no order (`_NONE`), that of texts (0), or one of their own."""
    owners = [
        {id(getattr(each, name)) for name in ("__lt__", "__le__", "__gt__", "__ge__")}
        for each in (kind, object, str)
    ]
    return _NONE if owners[0] == owners[1] else 0 if owners[0] == owners[2] else _OWN


def _ranks(values: list[Any]) -> dict[Any, int]:
    """The places of texts among the values, in their order; below 0 what is no text."""
    texts = sorted({str.__str__(each) for each in values if order_of(each.__class__) == 0})
    places = {each: i for i, each in enumerate(texts)}
    orders = ((each, order_of(each.__class__)) for each in values)
    return {each: order or places[str.__str__(each)] for each, order in orders}


_TURNED = str.maketrans("<>", "><")


def as_atom(t: Translator, value: Scalar, kind: Type) -> str | None:
    """A character as a word, or a word as a character, where it is one; None of all else.

    A word that is no character leaves the state to Python, and so does a character that is
    none of the words.
    """
    if isinstance(value.type, Char) and isinstance(kind, Atom) and kind.kind in (str, None):
        letters = {each: i for i, each in enumerate(t.atoms.values) if is_letter(each)}
        place = t.forms.key_place(t, tuple(letters), value) if letters else None
        if place is None and t.words and t.atoms.has_words:
            raise refuse(t, UNMET, MEET)  # letter by letter they may all do
        if place is None:
            t.forms.fail(t, what=UNMET, instead=MEET)
            return "0"
        trap(t, f"{place} < 0", what=UNMET, instead=MEET)
        codes = tuple(letters.values())
        return constant(t, codes, Seq(Int(), len(codes), len(codes))).cell(place)
    if isinstance(value.type, Atom) and isinstance(kind, Char):
        found = of_atom(t, value, lambda each: ord(each) if is_letter(each) else -1)
    elif isinstance(value.type, Atom) and isinstance(kind, Atom):
        own: Any = kind.kind
        code = t.text.temporary(value.text, "atom")
        is_own = of_atom(t, Scalar(Int(), code), lambda each: int(each.__class__ is own))
        trap(t, f"{is_own.text} == 0", what=f"uses another value where {shown(kind)} is")
        return code
    else:
        return None
    number = t.text.temporary(found.text, "letter")
    trap(t, f"{number} < 0", what="uses a longer text where a single letter is")
    return number


def ordered_atoms(t: Translator, sign: str, left: Value, right: Value) -> Scalar | None:
    """A comparison by size where one of two is an atom; None if the other is none.

    Python compares words, and members of enumerations that are texts or numbers as well; of
    all others it raises an error.
    """
    kinds = []
    for each in (left, right):
        if isinstance(each, Known) and not isinstance(each.value, (str, enum.Enum)):
            return None
        if isinstance(each, Scalar) and not isinstance(each.type, Atom):
            return None
        if not isinstance(each, (Known, Scalar)):
            return None
        kinds.append(each.value.__class__ if isinstance(each, Known) else each.type.kind)  # type: ignore[union-attr]
    orders = [_UNKNOWN if each is None else order_of(each) for each in kinds]
    if _OWN in orders:
        return None
    if _NONE in orders:
        always_raises(t, TypeError())
        return FALSE
    codes = [as_cell(t, each, Atom(None)) for each in (left, right)]
    ranks = _ranks(t.atoms.values)
    numbers = []
    for code in codes:
        assert code is not None
        name = t.text.temporary(code, "atom")
        found = of_atom(t, Scalar(Int(), name), lambda each: ranks[each])
        numbers.append(t.text.temporary(found.text, "rank"))
    if _UNKNOWN in orders:
        trap(t, " or ".join(f"{each} == {_OWN}" for each in numbers))
        trap(t, " or ".join(f"{each} == {_NONE}" for each in numbers), TypeError)
    return Scalar.truth(f"({numbers[0]} {sign} {numbers[1]})")


def ordered(t: Translator, sign: str, left: Value, right: Value) -> Scalar:
    """A comparison by size: of numbers, characters, tuples, and sets."""
    left = there(t, left)
    right = there(t, right)
    if is_none(left) or is_none(right):
        always_raises(t, TypeError())
        return FALSE
    left, right = as_plain(t.forms.as_compared(t, left), t.forms.as_compared(t, right))
    _check_values(t, left, right)
    pair = (left, right)
    is_with = any(map(is_whole, pair))
    if all(is_numbered(e) or is_whole(e) or (is_with and may_be_number(t, e)) for e in pair):
        left, right = (t.forms.number(t, each, "compares") for each in (left, right))
    left, right = (t.forms.held(t, each) if is_listed(each) else each for each in (left, right))
    found = ordered_atoms(t, sign, left, right)
    if found is not None:
        return found
    kinds = [each.type for each in (left, right) if isinstance(each, (Place, Scalar))]
    if any(isinstance(each, Char) for each in kinds):
        one, other = as_cell(t, left, Char()), as_cell(t, right, Char())
        if one is not None and other is not None:
            return Scalar.truth(f"({one} {sign} {other})")
    if all(isinstance(each, OF_NUMBERS) for each in kinds) and not any(
        isinstance(each, Items) for each in (left, right)
    ):
        if any(isinstance(each, Float) for each in kinds):
            return float_compared(t, sign, left, right)
        return _ordered_numbers(t, sign, left, right)
    is_set = [kind_of(each) in (set, frozenset) for each in (left, right)]
    if any(is_set):
        if not all(is_set):
            always_raises(t, TypeError())
            return FALSE
        return t.forms.ordered_sets(t, sign, left, right)
    return _ordered_parts(t, sign, left, right)


def _ordered_numbers(t: Translator, sign: str, left: Value, right: Value) -> Scalar:
    for one, other, way in ((left, right, sign), (right, left, sign.translate(_TURNED))):
        if isinstance(one, Known) and isinstance(one.value, float):
            return _ordered_with_float(way, one.value, t.forms.number(t, other, "compares"))
    a, b = t.forms.number(t, left, "compares"), t.forms.number(t, right, "compares")
    low, high = COMPARED[sign](a.low, b.high), COMPARED[sign](a.high, b.low)
    if low == high == COMPARED[sign](a.low, b.low) == COMPARED[sign](a.high, b.high):
        return constant_truth(low)
    return Scalar.truth(f"({a.text} {sign} {b.text})")


def _ordered_with_float(sign: str, value: float, number: Scalar) -> Scalar:
    if isnan(value):
        return FALSE
    compare = COMPARED[sign]
    ends = {compare(value, number.low), compare(value, number.high)}
    if len(ends) == 1 and (value <= number.low or value >= number.high):
        return constant_truth(ends.pop())
    # The least or the greatest whole number that stands for it: `2.5 < n` is `2 < n`.
    whole = floor(value) if sign in ("<", ">=") else ceil(value)
    return Scalar.truth(f"({whole} {sign} {number.text})")


def _ordered_parts(t: Translator, sign: str, left: Value, right: Value) -> Scalar:
    """Tuples by size: by the first items that differ, or else by their lengths."""
    one, other = fixed_items(t, left), fixed_items(t, right)
    if one is None or other is None:
        row, other_row = _row_to_compare(t, left), _row_to_compare(t, right)
        if row is not None and other_row is not None:
            return _ordered_rows(t, sign, row, other_row)
    if not one or not other or kind_of(left) is not kind_of(right):
        raise refuse(
            t,
            f"compares {shown_pair(left, right)} by size",
            "compare numbers, or tuples of a fixed number of numbers",
        )
    result = t.text.temporary(str(COMPARED[sign](len(one), len(other))), "less")
    with t.text.once() as out:
        for a, b in zip(one, other, strict=False):
            differ = negated(t.forms.equal(t, a, b))
            if known_truth(differ) is False:
                continue
            with t.text.block(f"if {differ.text}:"):
                strict = t.forms.ordered(t, sign[0], a, b)
                t.text.line(f"{result} = {strict.text}")
                t.text.leave(out)
    return Scalar.truth(result)


def _row_to_compare(t: Translator, value: Value) -> Place | None:
    """A tuple, list or text of like items in memory; None if it is something else."""
    value = spelt_out(t, value)
    if isinstance(value, Known) and isinstance(value.value, str):
        return text_constant(t, value.value)
    if isinstance(value, (Known, Items)) and kind_of(value) in (tuple, list):
        value = in_memory(t, value)
    kind = value.type if isinstance(value, Place) else None
    is_row = isinstance(kind, Seq) and kind.kind in (tuple, list, str)
    return value if is_row else None  # type: ignore[return-value]


def _ordered_rows(t: Translator, sign: str, left: Place, right: Place) -> Scalar:
    """Sequences of any length by size."""
    one, other = left.type, right.type
    if one.kind is not other.kind:
        always_raises(t, TypeError())
        return FALSE
    count, others = t.forms.length(t, left), t.forms.length(t, right)
    result = t.text.temporary(f"{count.text} {sign} {others.text}", "less")
    if isinstance(one.item, Never) or isinstance(other.item, Never):
        return Scalar.truth(result)
    i = t.text.name("i")
    with t.text.loop(f"for {i} in range(min({count.text}, {others.text})):") as loop:
        pair = [loaded(t, t.forms.item_at(t, each, i)) for each in (left, right)]
        differ = negated(t.forms.equal(t, *pair))
        with t.text.block(f"if {differ.text}:"):
            strict = t.forms.ordered(t, sign[0], *pair)
            t.text.line(f"{result} = {strict.text}")
            t.text.leave(loop)
    return Scalar.truth(result)
