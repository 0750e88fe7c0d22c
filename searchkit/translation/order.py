"""Values by size, and words, members of enumerations and None, which have numbers of their own."""

from __future__ import annotations

import enum
from math import ceil, floor, isnan
from typing import Any

from searchkit.kernel_language.constants import COMPARED
from searchkit.problem import Step
from searchkit.translation.arithmetic import (
    always_raises,
    float_compared,
    is_numbered,
    is_whole,
    may_be_number,
    of_atom,
)
from searchkit.translation.comparison import (
    FALSE,
    OF_NUMBERS,
    as_plain,
    constant_truth,
    fixed_items,
    known_truth,
    negated,
)
from searchkit.translation.memory import (
    as_cell,
    constant,
    in_memory,
    is_listed,
    is_none,
    kind_of,
    loaded,
    spelt_out,
    text_constant,
    there,
)
from searchkit.translation.naming import shown, shown_pair
from searchkit.translation.refusals import refuse, trap
from searchkit.translation.translator import Translator
from searchkit.translation.types import Atom, Char, Float, Int, Never, Seq, Type
from searchkit.translation.values import Items, Known, Place, Scalar, Stream, Value

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
    for each in (left, right):
        if isinstance(each, Stream):
            raise refuse(t, "compares an iterator by size", "make a list or set of it")
        if getattr(each.type if isinstance(each, Place) else each, "kind", None) is Step:
            raise refuse(t, "compares steps, whose labels are left out", "compare states")
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
