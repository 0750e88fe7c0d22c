"""Values by size: numbers, texts, tuples and lists of them, sets by what they contain."""

from __future__ import annotations

from math import ceil, floor, isnan

from searchkit.kernel_language.constants import COMPARED
from searchkit.problem import Step
from searchkit.translation.atoms import OfAtoms
from searchkit.translation.comparison import (
    FALSE,
    OF_NUMBERS,
    constant_truth,
    known_truth,
    without_view,
)
from searchkit.translation.memory import is_none
from searchkit.translation.naming import shown_pair
from searchkit.translation.types import Bool, Char, Float, Maybe, Never, Seq
from searchkit.translation.values import Items, Known, Place, Scalar, Stream, Value

_TURNED = str.maketrans("<>", "><")


class Order(OfAtoms):
    """Comparisons by size."""

    def ordered(self, sign: str, left: Value, right: Value) -> Scalar:
        """A comparison by size: of numbers, characters, tuples, and sets."""
        if isinstance(left, Place) and isinstance(left.type, Maybe):
            left = self.there(left)
        if isinstance(right, Place) and isinstance(right.type, Maybe):
            right = self.there(right)
        if is_none(left) or is_none(right):
            self.always_raises(TypeError())
            return FALSE
        left, right = self._as_plain(without_view(left), without_view(right))
        for each in (left, right):
            if isinstance(each, Stream):
                raise self.refuse("compares an iterator by size", "make a list or set of it")
            if getattr(each.type if isinstance(each, Place) else each, "kind", None) is Step:
                raise self.refuse("compares steps, whose labels are left out", "compare states")
        if all(self.is_numbered(e) or self.is_whole(e) for e in (left, right)):
            left, right = (self.number(each, "compares") for each in (left, right))
        found = self.ordered_atoms(sign, left, right)
        if found is not None:
            return found
        kinds = [each.type for each in (left, right) if isinstance(each, (Place, Scalar))]
        if any(isinstance(each, Char) for each in kinds):
            one, other = self.as_cell(left, Char()), self.as_cell(right, Char())
            if one is not None and other is not None:
                return Scalar(Bool(), f"({one} {sign} {other})", 0, 1)
        if all(isinstance(each, OF_NUMBERS) for each in kinds) and not any(
            isinstance(each, Items) for each in (left, right)
        ):
            if any(isinstance(each, Float) for each in kinds):
                return self.float_compared(sign, left, right)
            return self._ordered_numbers(sign, left, right)
        is_set = [self.kind_of(each) in (set, frozenset) for each in (left, right)]
        if any(is_set):
            if not all(is_set):
                self.always_raises(TypeError())
                return FALSE
            return self.ordered_sets(sign, left, right)
        return self._ordered_parts(sign, left, right)

    def _ordered_numbers(self, sign: str, left: Value, right: Value) -> Scalar:
        for one, other, way in ((left, right, sign), (right, left, sign.translate(_TURNED))):
            if isinstance(one, Known) and isinstance(one.value, float):
                return self._ordered_with_float(way, one.value, self.number(other, "compares"))
        a, b = self.number(left, "compares"), self.number(right, "compares")
        low, high = COMPARED[sign](a.low, b.high), COMPARED[sign](a.high, b.low)
        if low == high == COMPARED[sign](a.low, b.low) == COMPARED[sign](a.high, b.high):
            return constant_truth(low)
        return Scalar(Bool(), f"({a.text} {sign} {b.text})", 0, 1)

    def _ordered_with_float(self, sign: str, value: float, number: Scalar) -> Scalar:
        if isnan(value):
            return FALSE
        compare = COMPARED[sign]
        ends = {compare(value, number.low), compare(value, number.high)}
        if len(ends) == 1 and (value <= number.low or value >= number.high):
            return constant_truth(ends.pop())
        # The least or the greatest whole number that stands for it: `2.5 < n` is `2 < n`.
        whole = floor(value) if sign in ("<", ">=") else ceil(value)
        return Scalar(Bool(), f"({whole} {sign} {number.text})", 0, 1)

    def ordered_sets(self, sign: str, left: Value, right: Value) -> Scalar:
        """Whether a set is part of another."""
        raise self.refuse("compares sets", "")

    def _ordered_parts(self, sign: str, left: Value, right: Value) -> Scalar:
        """Tuples by size: by the first items that differ, or else by their lengths."""
        one, kind = self._parts(left)
        other, other_kind = self._parts(right)
        if one is None or other is None:
            row, other_row = self._row_to_compare(left), self._row_to_compare(right)
            if row is not None and other_row is not None:
                return self._ordered_rows(sign, row, other_row)
        if one is None or other is None or kind is not other_kind or not one or not other:
            raise self.refuse(
                f"compares {shown_pair(left, right)} by size",
                "compare numbers, or tuples of a fixed number of numbers",
            )
        result = self.text.temporary(str(COMPARED[sign](len(one), len(other))), "less")
        with self.text.once() as out:
            for a, b in zip(one, other, strict=False):
                differ = self.negated(self.equal(a, b))
                if known_truth(differ) is False:
                    continue
                with self.text.block(f"if {differ.text}:"):
                    strict = self.ordered(sign[0], a, b)
                    self.text.line(f"{result} = {strict.text}")
                    self.text.leave(out)
        return Scalar(Bool(), result, 0, 1)

    def _row_to_compare(self, value: Value) -> Place | None:
        """A tuple, list or text of like items in memory; None if it is something else."""
        if self.is_word(value):
            assert isinstance(value, Scalar)
            value = self.spelt(value)
        if isinstance(value, Scalar) and isinstance(value.type, Char):
            value = Items((value,), str)
        if isinstance(value, Known) and isinstance(value.value, str):
            text = value.value
            return self.constant(text, Seq(Char(), len(text), len(text), str))
        if isinstance(value, (Known, Items)) and self.kind_of(value) in (tuple, list):
            value = self.in_memory(value)
        kind = value.type if isinstance(value, Place) else None
        is_row = isinstance(kind, Seq) and kind.kind in (tuple, list, str)
        return value if is_row else None  # type: ignore[return-value]

    def _ordered_rows(self, sign: str, left: Place, right: Place) -> Scalar:
        """Sequences of any length by size."""
        one, other = left.type, right.type
        if one.kind is not other.kind:
            self.always_raises(TypeError())
            return FALSE
        count, others = self.length(left), self.length(right)
        result = self.text.temporary(f"{count.text} {sign} {others.text}", "less")
        if isinstance(one.item, Never) or isinstance(other.item, Never):
            return Scalar(Bool(), result, 0, 1)
        i = self.text.name("i")
        with self.text.loop(f"for {i} in range(min({count.text}, {others.text})):") as loop:
            pair = [self.loaded(self.item_at(each, i)) for each in (left, right)]
            differ = self.negated(self.equal(*pair))
            with self.text.block(f"if {differ.text}:"):
                strict = self.ordered(sign[0], *pair)
                self.text.line(f"{result} = {strict.text}")
                self.text.leave(loop)
        return Scalar(Bool(), result, 0, 1)
