"""Arithmetic on whole numbers of Python in machine words, by the bounds that are known of them.

Every number in a cell or a variable is below 2**40; what an expression makes on the way there
stays below 2**62, or the state is left to Python.
"""

from __future__ import annotations

import ast
from enum import EnumType, IntEnum
from typing import Any

from searchkit.kernel_language.constants import BINARY, SIGNS
from searchkit.translation.floats import Floats
from searchkit.translation.memory import is_none
from searchkit.translation.naming import describe
from searchkit.translation.types import Atom, Bool, Int, Maybe
from searchkit.translation.values import SMALL, Known, Place, Scalar, Value

HUGE = 1 << 62
MOST_SHIFT = 61


def _ends(op: str, a: Scalar, b: Scalar) -> tuple[int, int]:
    values = [BINARY[op](x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
    return min(values), max(values)


def _bits(*values: int) -> int:
    return max(each.bit_length() for each in values)


class Arithmetic(Floats):
    """Operators on numbers."""

    def number(self, value: Value, what: str) -> Scalar:
        """A value as a number; refuses what is none."""
        if isinstance(value, Known) and isinstance(value.value, (int, bool)):
            number = int(value.value)
            if abs(number) >= HUGE:
                raise self.refuse(f"uses {number}, beyond 2**62", "use smaller numbers")
            return Scalar(Int(), str(number) if number >= 0 else f"({number})", number, number)
        if isinstance(value, Place) and isinstance(value.type, Maybe):
            value = self.there(value)
        if isinstance(value, Scalar) and isinstance(value.type, Bool):
            return Scalar(Int(), f"int({value.text})", 0, 1)
        if isinstance(value, Scalar) and isinstance(value.type, Int):
            return value
        if self.is_numbered(value):
            return self.number(self.of_member(value), what)
        if is_none(value):
            self.always_raises(TypeError())
            return Scalar(Int(), "0", 0, 0)
        raise self.refuse(f"{what} {describe(value)}", "use whole numbers")

    @staticmethod
    def is_numbered(value: Value) -> bool:
        """Whether a value is a member of an enumeration of whole numbers."""
        kind = (
            value.type.kind if isinstance(value, Scalar) and isinstance(value.type, Atom) else None
        )
        return isinstance(kind, EnumType) and issubclass(kind, IntEnum)

    @staticmethod
    def is_whole(value: Value) -> bool:
        """Whether a value is a whole number, or a truth value."""
        if isinstance(value, Known):
            return isinstance(value.value, int)
        return isinstance(value, Scalar) and isinstance(value.type, (Int, Bool))

    def of_member(self, value: Value) -> Value:
        """The number that a member of an enumeration is."""
        raise NotImplementedError

    def reduced(self, value: Scalar) -> Scalar:
        """The same number, which fits a cell; leaves the state to Python where it does not."""
        if value.low > -SMALL and value.high < SMALL:
            return value
        return Scalar(Int(), self.small(value), 1 - SMALL, SMALL - 1)

    def within(self, value: Scalar, low: int, high: int) -> Scalar:
        """The number; leaves the state to Python where it is out of these bounds."""
        if low <= value.low and value.high <= high:
            return value
        text = value.text
        if not text.isidentifier():
            text = self.text.temporary(text)
        self.trap(
            f"{text} < {low} or {text} > {high}",
            what=f"gets the number {{{text}}}, which is not between {low} and {high}",
            instead="calculate with smaller numbers",
        )
        return Scalar(Int(), text, max(low, value.low), min(high, value.high))

    def binary(self, op: ast.operator, left: Value, right: Value) -> Value:
        """A binary operator on numbers or truth values."""
        if isinstance(left, Known) and isinstance(right, Known):
            return self.known_binary(op, left.value, right.value)
        sign = SIGNS.get(type(op))
        if isinstance(op, ast.Div) or self.is_float(left) or self.is_float(right):
            return self.of_floats(op, left, right)
        if sign is None:
            raise self.refuse("uses @", "use numbers")
        if sign in ("&", "|", "^") and self.is_truth(left) and self.is_truth(right):
            one, other = self.truth_of(left), self.truth_of(right)
            return Scalar(Bool(), f"({one} {sign} {other})", 0, 1)
        a, b = self.number(left, f"uses {sign} on"), self.number(right, f"uses {sign} on")
        make: Any = {
            "+": self._sum, "-": self._sum, "*": self._product, "//": self._quotient,
            "%": self._quotient, "<<": self._shift_left, ">>": self._shift_right,
            "**": self._power,
        }.get(sign, self._bitwise)  # fmt: skip
        found: Value = make(sign, a, b)
        return found

    def known_binary(self, op: ast.operator, left: Any, right: Any) -> Known:
        """The same on objects of Python."""
        code = compile(
            ast.fix_missing_locations(
                ast.Expression(ast.BinOp(ast.Name("a", ast.Load()), op, ast.Name("b", ast.Load())))
            ), "<known>", "eval",
        )  # fmt: skip
        if isinstance(op, (ast.Pow, ast.LShift)) and isinstance(right, int) and right > 64:
            raise self.refuse("makes a number that is too large", "use smaller numbers")
        try:
            return Known(eval(code, {"a": left, "b": right}))
        except Exception as error:
            return self.always_raises(error)

    def always_raises(self, error: Exception) -> Known:
        """What is in place of an expression that raises an error whenever it runs."""
        self.fail(type(error))
        return Known(0)

    @staticmethod
    def is_truth(value: Value) -> bool:
        """Whether it is True or False."""
        if isinstance(value, Known):
            return isinstance(value.value, bool)
        return isinstance(value, Scalar) and isinstance(value.type, Bool)

    @staticmethod
    def truth_of(value: Any) -> str:
        """The text of a truth value."""
        return str(value.value) if isinstance(value, Known) else value.text

    def _sum(self, sign: str, a: Scalar, b: Scalar) -> Scalar:
        low, high = _ends(sign, a, b)
        if not -HUGE < low <= high < HUGE:
            a, b = self.reduced(a), self.reduced(b)
            low, high = _ends(sign, a, b)
        return Scalar(Int(), f"({a.text} {sign} {b.text})", low, high)

    def _product(self, sign: str, a: Scalar, b: Scalar) -> Scalar:
        low, high = _ends("*", a, b)
        if not -HUGE < low <= high < HUGE:
            if a.high - a.low > b.high - b.low:
                a = self.within(a, -(1 << 31), 1 << 31)
                b = self.within(b, -(1 << 30), 1 << 30)
            else:
                a = self.within(a, -(1 << 30), 1 << 30)
                b = self.within(b, -(1 << 31), 1 << 31)
            low, high = _ends("*", a, b)
        return Scalar(Int(), f"({a.text} * {b.text})", low, high)

    def _quotient(self, sign: str, a: Scalar, b: Scalar) -> Scalar:
        if b.low <= 0 <= b.high:
            if b.low == b.high:
                self.fail(ZeroDivisionError)
                return a
            text = b.text if b.text.isidentifier() else self.text.temporary(b.text)
            self.trap(f"{text} == 0", ZeroDivisionError)
            b = b._replace(text=text)
        most = max(abs(b.low), abs(b.high))
        if sign == "%":
            low, high = (0 if b.low >= 0 else 1 - most), (0 if b.high <= 0 else most - 1)
            if a.low >= 0 and b.low > 0:
                high = min(high, a.high)
        elif b.low > 0:
            low = min(a.low // b.low, a.low // b.high)
            high = max(a.high // b.low, a.high // b.high)
        else:
            high = max(abs(a.low), abs(a.high))
            low = -high
        return Scalar(Int(), f"({a.text} {sign} {b.text})", low, high)

    def _shift_left(self, sign: str, a: Scalar, b: Scalar) -> Scalar:
        if b.low >= 0 and b.high <= MOST_SHIFT:
            most = 1 << MOST_SHIFT - b.high
            a = self.within(a, -most, most)
        else:
            b = self.within(b, 0, MOST_SHIFT - _bits(a.low, a.high))
        low = min(a.low << max(b.low, 0), a.low << max(b.high, 0))
        high = max(a.high << max(b.low, 0), a.high << max(b.high, 0))
        return Scalar(Int(), f"({a.text} << {b.text})", low, high)

    def _shift_right(self, sign: str, a: Scalar, b: Scalar) -> Scalar:
        b = self.within(b, 0, 63)
        return Scalar(Int(), f"({a.text} >> {b.text})", min(a.low, 0), max(a.high, 0))

    def _bitwise(self, sign: str, a: Scalar, b: Scalar) -> Scalar:
        bits = 1 << _bits(a.low, a.high, b.low, b.high)
        low, high = -bits, bits - 1
        if a.low >= 0 and b.low >= 0:
            low = 0
        if sign == "&" and (a.low >= 0 or b.low >= 0):
            low = 0
            high = min(each.high for each in (a, b) if each.low >= 0)
        return Scalar(Int(), f"({a.text} {sign} {b.text})", low, high)

    def _power(self, sign: str, a: Scalar, b: Scalar) -> Scalar:
        if a.low == a.high == 2:
            return self._shift_left("<<", Scalar(Int(), "1", 1, 1), b)
        if b.low != b.high or not 0 <= b.low <= 8:
            raise self.refuse("uses ** with an exponent that states decide", "multiply, or use <<")
        found = Scalar(Int(), "1", 1, 1)
        if not a.text.isidentifier():
            a = a._replace(text=self.text.temporary(a.text))
        for _ in range(b.low):
            found = self._product("*", found, a)
        return found

    def negative(self, value: Value) -> Value:
        """The number with the other sign."""
        if self.is_float(value):
            return self.float_negative(value)
        a = self.number(value, "uses - on")
        return Scalar(Int(), f"(0 - {a.text})", -a.high, -a.low)

    def inverted(self, value: Value) -> Value:
        """The complement of a number."""
        a = self.number(value, "uses ~ on")
        return Scalar(Int(), f"(-1 - {a.text})", -1 - a.high, -1 - a.low)

    def absolute(self, value: Value) -> Value:
        """The number without its sign."""
        if self.is_float(value):
            return self.float_absolute(value)
        a = self.number(value, "uses abs on")
        if a.low >= 0:
            return a
        return Scalar(Int(), f"abs({a.text})", 0, max(abs(a.low), abs(a.high)))

    def smallest(self, values: list[Value], name: str) -> Value:
        """The least or the greatest of several numbers: `min` or `max`."""
        if any(map(self.is_float, values)):
            return self.float_extreme(values, name)
        found = [self.number(each, f"uses {name} on") for each in values]
        pick = min if name == "min" else max
        text = found[0].text
        for each in found[1:]:
            text = f"{name}({text}, {each.text})"
        return Scalar(Int(), text, pick(e.low for e in found), pick(e.high for e in found))
