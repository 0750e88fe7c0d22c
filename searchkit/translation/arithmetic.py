"""Numbers, calculated with as Python does: whole ones by the bounds that are known of them.

Every whole number in a cell or a variable is below 2**40; what an expression makes on the way there
stays below 2**62, or the state is left to Python. Floats are rounded once at each step. A float
is one cell with its bits (`searchkit.kernel_language.floats`). Where Python may have a whole number
instead (`Float.form`), it is below 2**53, or the state is left to Python: then it makes no
difference which of the two it is. Whether a zero has a sign shows nowhere.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from enum import EnumType, IntEnum
from math import inf
from typing import Any

from searchkit.kernel_language.constants import BINARY, SIGNS
from searchkit.kernel_language.floats import ENDLESS, WITHOUT_SIGN, word_of
from searchkit.kernel_language.intervals import of_operation
from searchkit.translation.memory import class_of_atom, constant, is_none, there
from searchkit.translation.refusals import describe, refuse, trap
from searchkit.translation.translator import Rows, Translator
from searchkit.translation.types import (
    EITHER,
    FLOAT,
    MOST_EXACT,
    WHOLE,
    Atom,
    Bool,
    Float,
    Int,
    Seq,
    is_exact,
    join,
)
from searchkit.translation.values import SMALL, Known, Scalar, Value

EXACT = word_of(float(MOST_EXACT))
MOST_SQUARES = 1 << 32
"""Of a sum of squares below it, `math.hypot` and `math.dist` give the float that is nearest to its
root, as `math.sqrt` does: no such root comes nearer to the middle between two floats than 2**-33 of
their distance, and what they calculate is good to 2**-50 of it."""
MOST_SIDE = 1 << 16
ROUNDED = "adds whole numbers and floats whose sum is rounded where Python may not round it"
OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    kind: BINARY[sign] for kind, sign in SIGNS.items() if issubclass(kind, ast.operator)
} | {ast.Div: operator.truediv, ast.MatMult: operator.matmul}
UNARY: dict[type, Callable[[Any], Any]] = {
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert,
}  # fmt: skip
"""What Python does for an operator."""
_MADE = {"+": "float_add", "-": "float_subtract", "*": "float_multiply", "/": "float_divide"}


def _written(number: float) -> str:
    word = word_of(number)
    return str(word) if word >= 0 else f"({word})"


HUGE = 1 << 62
NO_NUMBER = 1 - SMALL
MOST_FACTOR = 1 << 30
MOST_PRODUCT = 1 << 60
"""Below it, so that the sums of three products are below 2**62."""
MOST_SHIFT = 61


def _ends(op: str, a: Scalar, b: Scalar) -> tuple[int, int]:
    return of_operation(op, (a.low, a.high), (b.low, b.high))


def _made(sign: str, a: Scalar, b: Scalar) -> Scalar:
    """The result of an operation that machine code can do."""
    return Scalar(Int(), f"({a.text} {sign} {b.text})", *_ends(sign, a, b))


def is_float(value: Value) -> bool:
    """Whether a value is a number that may have a decimal point."""
    if isinstance(value, Known):
        return isinstance(value.value, float)
    return isinstance(value, Scalar) and isinstance(value.type, Float)


def as_float(t: Translator, value: Value, what: str) -> Scalar:
    """A number as a float; refuses what is none."""
    value = there(t, value)
    if isinstance(value, Known) and isinstance(value.value, (int, float)):
        if not is_exact(value.value):
            raise refuse(t, f"uses {value.value!r:.40} where floats are", "use other numbers")
        number = float(value.value)
        is_int = not isinstance(value.value, float)
        return Scalar(Float(WHOLE if is_int or abs(number) == inf else FLOAT), _written(number))
    if isinstance(value, Scalar) and isinstance(value.type, Float):
        return value
    if isinstance(value, Scalar) and isinstance(value.type, Bool):
        return Scalar(Float(WHOLE), f"float_of(int({value.text}))")
    if isinstance(value, Scalar) and isinstance(value.type, Int):
        text = value.text
        if not -MOST_EXACT <= value.low <= value.high <= MOST_EXACT:
            text = t.text.temporary(text)
            what = f"makes a float of {{{text}}}, which is beyond 2**53"
            trap(t, f"{text} < -{MOST_EXACT} or {text} > {MOST_EXACT}", what=what)
        return Scalar(Float(WHOLE), f"float_of({text})")
    raise refuse(t, f"{what} {describe(value)}", "use numbers")


def of_floats(t: Translator, op: ast.operator, left: Value, right: Value) -> Value:
    """A binary operator."""
    sign = "/" if isinstance(op, ast.Div) else SIGNS.get(type(op), "@")
    if sign == "**":
        return _float_power(t, left, right)
    if sign not in _MADE:
        raise refuse(
            t,
            f"uses {sign} on {describe(left)} and {describe(right)}",
            "use math.floor of a quotient, or whole numbers",
        )
    a, b = (
        t.forms.as_float(t, left, f"uses {sign} on"),
        t.forms.as_float(t, right, f"uses {sign} on"),
    )
    if sign == "/":
        divisor = named(t, b)
        trap(t, f"float_equal({divisor.text}, 0)", ZeroDivisionError)
        return rounded(t, sign, a, divisor, FLOAT)
    forms = {each.type.form for each in (a, b)}  # type: ignore[union-attr]
    if FLOAT in forms:
        return rounded(t, sign, a, b, FLOAT)
    return rounded(t, sign, a, b, EITHER if EITHER in forms else WHOLE)


def rounded(t: Translator, sign: str, a: Scalar, b: Scalar, form: str) -> Scalar:
    """What an operator makes of two floats."""
    found = Scalar(Float(form), f"{_MADE[sign]}({a.text}, {b.text})")
    return found if form == FLOAT else exact(t, found)


def exact(t: Translator, value: Scalar) -> Scalar:
    """What may be a whole number, which a float stands for; else the state is Python's."""
    found = named(t, value)
    size = t.text.temporary(f"{found.text} & {WITHOUT_SIGN}", "size")
    trap(
        t,
        f"{size} > {EXACT} and {size} < {ENDLESS}",
        what="calculates beyond 2**53 what is a whole number or a float",
        instead="make it a float from the start: 0.0",
    )
    return found


def named(t: Translator, value: Scalar) -> Scalar:
    """A number whose text is a name, or a constant."""
    if value.text.isidentifier() or value.text.strip("(-)").isdigit():
        return value
    return value._replace(text=t.text.temporary(value.text))


def _float_power(t: Translator, left: Value, right: Value) -> Value:
    power = right.value if isinstance(right, Known) else None
    number = named(t, t.forms.as_float(t, left, "uses ** on"))
    is_float = number.type.form == FLOAT  # type: ignore[union-attr]
    if not (isinstance(power, float) or (isinstance(power, int) and is_float)) or power <= 0:
        raise refuse(
            t,
            "uses ** with floats, or whole numbers that may be floats, by a number that states "
            "decide",
            "use math.sqrt for a root, and x * x for a square",
        )
    if not float(power).is_integer():
        trap(t, f"float_less({number.text}, 0)", what=f"takes a number below 0 to ** {power}")
    exponent = constant(t, (float(power),), Seq(Float(), 1, 1)).cell()
    found = t.text.temporary(f"float_power({number.text}, {exponent})", "power")
    size, own = f"{found} & {WITHOUT_SIGN}", f"{number.text} & {WITHOUT_SIGN}"
    trap(t, f"({size}) >= {ENDLESS} and ({own}) < {ENDLESS}", OverflowError)
    return Scalar(Float(), found)


def float_negative(t: Translator, value: Value) -> Scalar:
    """The float with the other sign."""
    a = t.forms.as_float(t, value, "uses - on")
    return Scalar(a.type, f"float_subtract({_written(-0.0)}, {a.text})")


def float_extreme(t: Translator, values: list[Value], name: str) -> Scalar:
    """`min` or `max`: the first of those that are alike."""
    found = [t.forms.as_float(t, each, f"uses {name} on") for each in values]
    kind: Any = found[0].type
    best = t.text.temporary(found[0].text, "best")
    for each in found[1:]:
        kind = join(kind, each.type)
        other = named(t, each)
        pair = f"{other.text}, {best}" if name == "min" else f"{best}, {other.text}"
        with t.text.block(f"if float_less({pair}):"):
            t.text.line(f"{best} = {other.text}")
    return Scalar(kind, best)


# Comparisons


def float_compared(t: Translator, sign: str, left: Value, right: Value) -> Scalar:
    """A comparison of numbers of which one is a float."""
    a, b = t.forms.as_float(t, left, "compares"), t.forms.as_float(t, right, "compares")
    one, other = (b, a) if sign in (">", ">=") else (a, b)
    if sign in ("==", "!="):
        text = f"float_equal({a.text}, {b.text})"
        return Scalar(Bool(), text if sign == "==" else f"(not {text})", 0, 1)
    text = f"float_less({one.text}, {other.text})"
    if sign in ("<=", ">="):
        one, other = named(t, one), named(t, other)
        pair = f"({one.text}, {other.text})"
        text = f"(float_less{pair} or float_equal{pair})"
    return Scalar(Bool(), text, 0, 1)


# Whole numbers of floats


def whole_of(t: Translator, name: str, value: Value) -> Scalar:
    """`int`, `floor`, `ceil`, `trunc` or `round`; what is too large is left to Python."""
    a = named(t, t.forms.as_float(t, value, "makes a whole number of"))
    size = t.text.temporary(f"{a.text} & {WITHOUT_SIGN}", "size")
    trap(t, f"{size} >= {word_of(float(SMALL))}", what="gets a whole number beyond 2**40")
    floor = f"float_floor({a.text})"
    if name == "floor":
        text = floor
    elif name == "ceil":
        text = f"(0 - float_floor({float_negative(t, a).text}))"
    elif name == "round":
        down = t.text.temporary(floor, "down")
        rest = t.text.temporary(f"float_subtract({a.text}, float_of({down}))", "rest")
        half = word_of(0.5)
        is_up = f"({rest} > {half} or ({rest} == {half} and {down} % 2 == 1))"
        text = f"({down} + int({is_up}))"
    else:
        text = f"(float_floor({size}) if {a.text} >= 0 else 0 - float_floor({size}))"
    return Scalar(Int(), t.text.temporary(text, "whole"))


def whole_or_never(t: Translator, value: Scalar) -> tuple[str, str]:
    """Of what is a whole number or infinity: whether it is that, and the number if not."""
    a = named(t, value)
    most = word_of(float(SMALL))
    trap(
        t,
        f"{a.text} != {ENDLESS} and ({a.text} & {WITHOUT_SIGN}) >= {most}",
        what="estimates by more than 2**40",
    )
    return f"{a.text} == {ENDLESS}", f"float_floor({a.text})"


# Roots


def root(t: Translator, value: Value) -> Scalar:
    """`math.sqrt`."""
    a = named(t, t.forms.as_float(t, value, "takes the root of"))
    trap(t, f"float_less({a.text}, 0)", ValueError)
    return Scalar(Float(), f"float_root({a.text})")


def root_of_squares(t: Translator, values: list[Value], name: str) -> Scalar:
    """`math.hypot`."""
    terms = []
    for each in values:
        if is_float(each):
            raise refuse(
                t, f"calls {name} with floats", "use math.sqrt(x * x + y * y), or whole numbers"
            )
        number = t.forms.within(
            t, t.forms.number(t, each, f"calls {name} with"), -MOST_SIDE, MOST_SIDE
        )
        terms.append(named(t, number))
    total = " + ".join(f"{each.text} * {each.text}" for each in terms) or "0"
    squares = t.text.temporary(total, "squares")
    trap(
        t, f"{squares} >= {MOST_SQUARES}", what="takes the root of squares beyond 2**32",
        instead="use math.sqrt(x * x + y * y)",
    )  # fmt: skip
    return Scalar(Float(), f"float_root(float_of({squares}))")


# What other parts have


def number(t: Translator, value: Value, what: str) -> Scalar:
    """A value as a number; refuses what is none."""
    if isinstance(value, Known) and isinstance(value.value, (int, bool)):
        number = int(value.value)
        if abs(number) >= HUGE:
            raise refuse(t, f"uses {number}, beyond 2**62", "use smaller numbers")
        kind = Int(truths=is_truth(value))
        return Scalar(kind, str(number) if number >= 0 else f"({number})", number, number)
    value = there(t, value)
    if isinstance(value, Scalar) and isinstance(value.type, Bool):
        return Scalar(Int(truths=True), f"int({value.text})", 0, 1)
    if isinstance(value, Scalar) and isinstance(value.type, Int):
        return value
    if is_numbered(value):
        return t.forms.number(t, t.forms.of_member(t, value), what)
    if may_be_number(t, value):
        found = number_of_atom(t, value)  # type: ignore[arg-type]
        trap(t, f"{found.text} == {NO_NUMBER}", what=f"{what} what is no number")
        return found
    if is_none(value):
        always_raises(t, TypeError())
        return Scalar(Int(), "0", 0, 0)
    raise refuse(t, f"{what} {describe(value)}", "use whole numbers")


def may_be_number(t: Translator, value: Value) -> bool:
    """Whether a value is a number or something else, which only their numbers tell apart."""
    is_any = isinstance(value, Scalar) and value.type == Atom(None)
    return is_any and any(isinstance(each, int) for each in t.atoms.values)


def number_of_atom(t: Translator, value: Scalar) -> Scalar:
    """The number that such a value is; `NO_NUMBER` if it is something else."""
    numbers = [each for each in t.atoms.values if isinstance(each, int)]
    if min(numbers) <= NO_NUMBER:
        raise refuse(t, f"uses {min(numbers)} among other values", "use a larger number")
    found = of_atom(t, value, lambda each: int(each) if isinstance(each, int) else NO_NUMBER)
    kind = Int(truths=any(isinstance(each, bool) for each in numbers))
    return Scalar(kind, t.text.temporary(found.text, "number"), min(numbers), max(numbers))


def is_numbered(value: Value) -> bool:
    """Whether a value is a member of an enumeration of whole numbers."""
    kind = class_of_atom(value)
    return isinstance(kind, EnumType) and issubclass(kind, IntEnum)


def is_whole(value: Value) -> bool:
    """Whether a value is a whole number, or a truth value."""
    if isinstance(value, Known):
        return isinstance(value.value, int)
    return isinstance(value, Scalar) and isinstance(value.type, (Int, Bool))


def reduced(t: Translator, value: Scalar) -> Scalar:
    """The same number, which fits a cell; leaves the state to Python where it does not."""
    if value.low > -SMALL and value.high < SMALL:
        return value
    return Scalar(Int(), t.forms.small(t, value), 1 - SMALL, SMALL - 1)


def within(t: Translator, value: Scalar, low: int, high: int) -> Scalar:
    """The number; leaves the state to Python where it is out of these bounds."""
    if low <= value.low and value.high <= high:
        return value
    text = named(t, value).text
    trap(
        t,
        f"{text} < {low} or {text} > {high}",
        what=f"gets the number {{{text}}}, which is not between {low} and {high}",
        instead="calculate with smaller numbers",
    )
    return Scalar(Int(), text, max(low, value.low), min(high, value.high))


def binary(t: Translator, op: ast.operator, left: Value, right: Value) -> Value:
    """A binary operator on numbers or truth values."""
    if isinstance(left, Known) and isinstance(right, Known):
        return known_binary(t, op, left.value, right.value)
    sign = SIGNS.get(type(op))
    if isinstance(op, ast.Div) or is_float(left) or is_float(right):
        return of_floats(t, op, left, right)
    if sign is None:
        raise refuse(t, "uses @", "use numbers")
    if sign in ("&", "|", "^") and is_truth(left) and is_truth(right):
        one, other = truth_of(left), truth_of(right)
        return Scalar(Bool(), f"({one} {sign} {other})", 0, 1)
    a, b = t.forms.number(t, left, f"uses {sign} on"), t.forms.number(t, right, f"uses {sign} on")
    make = _OPERATIONS.get(sign)
    found: Scalar = _made(sign, a, b) if make is None else make(t, sign, a, b)
    are_truths = sign in ("&", "|", "^") and a.type.truths and b.type.truths  # type: ignore[union-attr]
    return found._replace(type=Int(truths=are_truths))


def known_binary(t: Translator, op: ast.operator, left: Any, right: Any) -> Known:
    """The same on objects of Python."""
    if isinstance(op, (ast.Pow, ast.LShift)) and isinstance(right, int) and right > 64:
        raise refuse(t, "makes a number that is too large", "use smaller numbers")
    return asked(t, OPERATORS[type(op)], left, right)


def asked(t: Translator, call: Callable[..., Any], *given: Any) -> Known:
    """What Python returns whatever the state is, asked at once."""
    try:
        return Known(call(*given))
    except Exception as error:
        return always_raises(t, error)


def always_raises(t: Translator, error: Exception) -> Known:
    """What is in place of an expression that raises an error whenever it runs."""
    t.forms.fail(t, type(error))
    return Known(0)


def is_truth(value: Value) -> bool:
    """Whether it is True or False."""
    if isinstance(value, Known):
        return isinstance(value.value, bool)
    return isinstance(value, Scalar) and isinstance(value.type, Bool)


def truth_of(value: Any) -> str:
    """The text of a truth value."""
    return str(value.value) if isinstance(value, Known) else value.text


def _sum(t: Translator, sign: str, a: Scalar, b: Scalar) -> Scalar:
    low, high = _ends(sign, a, b)
    if not -HUGE < low <= high < HUGE:
        a, b = reduced(t, a), reduced(t, b)
    return _made(sign, a, b)


def _product(t: Translator, sign: str, a: Scalar, b: Scalar) -> Scalar:
    low, high = _ends("*", a, b)
    if not -HUGE < low <= high < HUGE:
        one, other = (max(abs(each.low), abs(each.high)) for each in (a, b))
        if min(one, other) >= MOST_FACTOR and a.low != a.high and b.low != b.high:
            return _large_product(t, a, b)
        if one > other:
            most = MOST_PRODUCT // other
            a = t.forms.within(t, a, -most, most)
        else:
            most = MOST_PRODUCT // one
            b = t.forms.within(t, b, -most, most)
    return _made("*", a, b)


def _large_product(t: Translator, a: Scalar, b: Scalar) -> Scalar:
    """The product of numbers of which both may be large, which leaves few to Python."""
    one, other = (named(t, each).text for each in (a, b))
    least, most = 1 - MOST_FACTOR, MOST_FACTOR - 1
    is_small = f"{least} <= {one} <= {most} and {least} <= {other} <= {most}"
    trap(
        t,
        f"not ({is_small}) and abs({other}) > {MOST_PRODUCT} // max(1, abs({one}))",
        what=f"multiplies {{{one}}} by {{{other}}}, which is beyond 2**60",
        instead="calculate with smaller numbers",
    )
    return Scalar(Int(), f"({one} * {other})", -MOST_PRODUCT, MOST_PRODUCT)


def _quotient(t: Translator, sign: str, a: Scalar, b: Scalar) -> Scalar:
    if b.low <= 0 <= b.high:
        if b.low == b.high:
            t.forms.fail(t, ZeroDivisionError)
            return a
        b = named(t, b)
        trap(t, f"{b.text} == 0", ZeroDivisionError)
    return _made(sign, a, b)


def _shift_left(t: Translator, sign: str, a: Scalar, b: Scalar) -> Scalar:
    if b.low >= 0 and b.high <= MOST_SHIFT:
        most = 1 << MOST_SHIFT - b.high
        a = t.forms.within(t, a, -most, most)
    else:
        b = t.forms.within(t, b, 0, MOST_SHIFT - max(a.low.bit_length(), a.high.bit_length()))
    return _made(sign, a, b)


def _shift_right(t: Translator, sign: str, a: Scalar, b: Scalar) -> Scalar:
    return _made(sign, a, t.forms.within(t, b, 0, 63))


def _power(t: Translator, sign: str, a: Scalar, b: Scalar) -> Scalar:
    if a.low == a.high == 2:
        return _shift_left(t, "<<", Scalar(Int(), "1", 1, 1), b)
    if b.low != b.high and a.low == a.high > 2:
        powers = tuple(a.low**i for i in range(40) if a.low**i < SMALL)
        row = constant(t, powers, Seq(Int(), len(powers), len(powers)))
        place = named(t, t.forms.within(t, b, 0, len(powers) - 1)).text
        return Scalar(Int(), row.cell(place), 1, powers[-1])
    if b.low != b.high or not 0 <= b.low <= 8:
        raise refuse(t, "uses ** with an exponent that states decide", "multiply, or use <<")
    found, a = Scalar(Int(), "1", 1, 1), named(t, a)
    for _ in range(b.low):
        found = _product(t, "*", found, a)
    return found


def negative(t: Translator, value: Value) -> Value:
    """The number with the other sign."""
    if is_float(value):
        return float_negative(t, value)
    a = t.forms.number(t, value, "uses - on")
    return Scalar(Int(), f"(0 - {a.text})", -a.high, -a.low)


def inverted(t: Translator, value: Value) -> Value:
    """The complement of a number."""
    a = t.forms.number(t, value, "uses ~ on")
    return Scalar(Int(), f"(-1 - {a.text})", -1 - a.high, -1 - a.low)


def absolute(t: Translator, value: Value) -> Value:
    """The number without its sign."""
    if is_float(value):
        a = t.forms.as_float(t, value, "uses abs on")
        return Scalar(a.type, f"({a.text} & {WITHOUT_SIGN})")
    a = t.forms.number(t, value, "uses abs on")
    if a.low >= 0:
        return a._replace(type=Int())
    return Scalar(Int(), f"abs({a.text})", 0, max(abs(a.low), abs(a.high)))


def smallest(t: Translator, values: list[Value], name: str) -> Value:
    """The least or the greatest of several numbers: `min` or `max`."""
    if any(map(is_float, values)):
        return float_extreme(t, values, name)
    found = [t.forms.number(t, each, f"uses {name} on") for each in values]
    pick = min if name == "min" else max
    text = found[0].text
    for each in found[1:]:
        text = f"{name}({text}, {each.text})"
    kind = Int(truths=any(each.type.truths for each in found))  # type: ignore[union-attr]
    return Scalar(kind, text, pick(e.low for e in found), pick(e.high for e in found))


def of_atom(t: Translator, value: Scalar, number: Callable[[Any], int]) -> Scalar:
    """What `number` gives for an atom."""
    numbers = tuple(map(number, t.atoms.values)) or (0,)
    row = constant(t, numbers, Seq(Int(), len(numbers), len(numbers)))
    at = value.text if value.text.isidentifier() else t.text.temporary(value.text, "atom")
    trap(t, f"{at} >= {len(numbers)}")
    return Scalar(Int(), row.cell(at), min(numbers), max(numbers))


_OPERATIONS: Rows = {
    "+": _sum, "-": _sum, "*": _product, "//": _quotient, "%": _quotient, "<<": _shift_left,
    ">>": _shift_right, "**": _power,
}  # fmt: skip
