"""Functions of Python that the author calls."""

from __future__ import annotations

import ast
import sys
import types
from collections.abc import Callable
from functools import partial
from math import factorial, isqrt
from typing import Any

from searchkit.kernel_language.floats import ENDLESS, WITHOUT_SIGN
from searchkit.translation.arithmetic import (
    HUGE,
    ROUNDED,
    absolute,
    always_raises,
    binary,
    exact,
    is_float,
    named,
    root,
    root_of_squares,
    smallest,
    whole_of,
)
from searchkit.translation.builders import (
    any_or_all,
    bounded,
    cell_of,
    clear,
    extreme,
    items_of,
    read,
    summed,
    write,
)
from searchkit.translation.comparison import fixed_items
from searchkit.translation.expressions import in_any_order
from searchkit.translation.loops import (
    check_order,
    counted,
    enumerated,
    filtered,
    is_set,
    mapped,
    ordered_stream,
    repeated,
    run,
    turned_stream,
    zipped,
)
from searchkit.translation.members import by_own_method, is_instance
from searchkit.translation.memory import (
    as_cell,
    constant,
    copied,
    fields_of,
    in_memory,
    is_object,
    is_word,
    joined_type,
    kind_of,
    type_of,
)
from searchkit.translation.methods import NONE, ONE
from searchkit.translation.refusals import describe, refuse, trap
from searchkit.translation.strings import in_digits, parts_of, whole_of_text
from searchkit.translation.translator import Rows, Translator
from searchkit.translation.types import EITHER, FLOAT, WHOLE, Char, Float, Int, Seq
from searchkit.translation.values import (
    SMALL,
    Items,
    Joined,
    Known,
    Place,
    Round,
    Scalar,
    Stream,
    Value,
)
from searchkit.translation.variables import kept

MOST_FACTORIAL = 14
ZERO, TEN, FALSE = Known(0), Known(10), Known(False)
NO_TEXT, EMPTY = Known(""), Items((), list)
_WHOLE_OF = {"ceil": "ceiling", "trunc": "whole_part", "int": "whole_part", "round": "nearest"}
"""The kernels of `numbers` for what Python makes of a quotient."""


def _maker(kind: type, empty: Value) -> Any:
    """What is called for `list` and the like."""

    def call(t: Translator, value: Value = empty) -> Value:
        is_named = getattr(getattr(t.node, "func", None), "id", None) == kind.__name__
        if is_named and kind in (tuple, list) and (is_set(value) or isinstance(value, Stream)):
            stream = t.forms.stream(t, value)
            found = None if stream.is_ordered else in_any_order(t, t.node, stream)
            if found is not None:
                return found
        return value if value is empty else t.forms.collected(t, value, kind)

    return call


def _any_or_all(t: Translator, value: Value, is_any: bool) -> Value:
    return any_or_all(t, t.forms.stream(t, value), is_any=is_any)


def _whole(t: Translator, value: Value, name: str) -> Value:
    if is_float(value):
        return whole_of(t, name, value)
    return t.forms.number(t, value, "makes a whole number of")._replace(type=Int())


def _call_range(
    t: Translator, first: Value, second: Value | None = None, step: Value = ONE
) -> Value:
    start, stop = (ZERO, first) if second is None else (first, second)
    begin, end = (t.forms.number(t, each, "counts by") for each in (start, stop))
    if not isinstance(step, Known) or not step.value:
        raise refuse(t, "uses range with a step that states decide", "use while")
    return counted(t, begin, end, step.value)


def _call_zip(t: Translator, *args: Value, strict: Value = FALSE) -> Value:
    if not isinstance(strict, Known):
        raise refuse(t, "uses zip with a strict= that states decide", "")
    if not args:
        return Known(())
    rows = [_at_hand(t, each) for each in args]
    if None not in rows and any(fields_of(t, each) is not None for each in args):
        if strict.value and len(set(map(len, rows))) > 1:  # type: ignore[arg-type]
            t.forms.fail(t)  # Python finds out at the end
        return repeated(t, [Items(each) for each in zip(*rows, strict=False)])
    return zipped(t, [t.forms.stream(t, each) for each in args], is_strict=bool(strict.value))


def _at_hand(t: Translator, value: Value) -> list[Value] | None:
    """The items of a sequence that has a fixed number of them; None for all else."""
    if isinstance(value, Known) and not isinstance(value.value, (tuple, list, str)):
        return None
    if isinstance(value, Place) and not value.is_stable:
        return None
    return None if is_set(value) or is_object(value) else fixed_items(t, value)


def changing(t: Translator, function: Value) -> Callable[[Value], Value]:
    """What a function makes of each of several values."""
    node, known = t.node, function.value if isinstance(function, Known) else None
    t.gone_through = None  # what a function of Python's calls gives no items of a loop
    if isinstance(known, types.BuiltinMethodType):  # of a dict of the author's, say
        function = Known(t.forms.method(t, Known(known.__self__), known.__name__) or known)

    def change(value: Value) -> Value:
        before, t.node = t.node, node
        if isinstance(known, types.MethodDescriptorType):
            method = t.forms.method(t, value, known.__name__)
            found = t.forms.call(t, function if method is None else Known(method), [], {})
        else:
            found = t.forms.call(t, function, [value], {})
        t.node = before
        return found

    return change


def keyed(t: Translator, key: Value) -> Callable[[Value], Value] | None:
    """What a function of Python's goes by; None if that is the items themselves."""
    return None if isinstance(key, Known) and key.value is None else changing(t, key)


def _call_map(t: Translator, function: Value, first: Value, *others: Value) -> Value:
    if not others:
        return mapped(t, changing(t, function), t.forms.stream(t, first))
    rows = zipped(t, [t.forms.stream(t, each) for each in (first, *others)], is_strict=False)
    return mapped(t, lambda value: t.forms.call(t, function, parts_of(t, value), {}), rows)


def _call_filter(t: Translator, test: Value, items: Value) -> Value:
    if isinstance(test, Known) and test.value is None:
        return filtered(t, partial(t.forms.truth, t), t.forms.stream(t, items))
    change = changing(t, test)
    return filtered(t, lambda value: t.forms.truth(t, change(value)), t.forms.stream(t, items))


def call_sum(t: Translator, items: Value, start: Value = ZERO) -> Value:
    """`sum` of numbers."""
    stream = t.forms.stream(t, items)
    here = t.scope.key, t.node
    if not is_float(start) and here not in t.sums_of_floats:
        begin = t.forms.number(t, start, "adds to")
        with t.text.apart() as lines:
            found = summed(t, stream, begin)
        if found is not None:
            t.text.lines += lines
            return found
        t.sums_of_floats.add(here)
    return summed_floats(t, stream, start)


def _of_least(
    t: Translator,
    items: Value,
    *others: Value,
    name: str,
    key: Value = NONE,
    default: Value | None = None,
) -> Value:
    change = keyed(t, key)
    if others:
        args = [items, *others]
        if change is None and all(map(_is_number, args)):
            return smallest(t, args, name)
        items = Items(tuple(args))
    return extreme(t, t.forms.stream(t, items), name, change, default)


def _is_number(value: Value) -> bool:
    if isinstance(value, Known):
        return isinstance(value.value, (int, float))
    return isinstance(value, Scalar) and isinstance(value.type, (Int, Float))


def _call_sorted(
    t: Translator, items: Value, *, key: Value = NONE, reverse: Value = FALSE
) -> Value:
    if not isinstance(reverse, Known):
        raise refuse(t, "sorts in an order that states decide", "use two calls")
    change = keyed(t, key)
    if change is not None and t.handlers:  # the first error of a key is taken
        check_order(t, t.forms.stream(t, items))
    return t.forms.sorted_row(t, items, change, down=bool(reverse.value))


def _call_abs(t: Translator, value: Value) -> Value:
    found = by_own_method(t, value, "__abs__")
    return absolute(t, value) if found is None else found


def _call_int(t: Translator, value: Value, base: Value = TEN) -> Value:
    if kind_of(value) is str or is_word(value):
        if not isinstance(base, Known) or base.value not in range(2, 11):
            raise refuse(t, "reads a number of another base", "use numbers in states")
        if base.value != 10:
            return whole_of_text(t, value, base.value)
        code = None if is_word(value) else as_cell(t, value, Char())
        if code is None:
            return whole_of_text(t, value)
        if not code.isidentifier():
            code = t.text.temporary(code)
        # Other writings have digits of their own.
        trap(t, f"{code} < 48 or 57 < {code} < 128", ValueError)
        return t.forms.within(t, Scalar(Int(), f"({code} - 48)", 0, SMALL - 1), 0, 9)
    return _whole(t, value, "int")


def _call_round(t: Translator, number: Value, ndigits: Value | None = None) -> Value:
    if ndigits is not None:
        raise refuse(t, "rounds to digits", "use whole numbers")
    return _whole(t, number, "round")


def _call_pow(t: Translator, base: Value, exp: Value, mod: Value | None = None) -> Value:
    if mod is not None:
        raise refuse(t, "calls pow with a modulus", "use ** and %")
    return binary(t, ast.Pow(), base, exp)


def _of_two(t: Translator, name: str, args: tuple[Value, ...]) -> Scalar:
    """What a kernel of `numbers` gives for two numbers; at most 2**62."""
    if len(args) != 2:
        raise refuse(t, f"calls {name} with other than two numbers", "call it again")
    found = [t.forms.number(t, each, f"calls {name} with") for each in args]
    one, other = (t.forms.within(t, each, 1 - SMALL, SMALL - 1).text for each in found)
    return Scalar(Int(), t.text.temporary(f"{name}({one}, {other})", name), 0, HUGE - 1)


def _call_lcm(t: Translator, *args: Value) -> Value:
    found = _of_two(t, "lcm", args)
    trap(t, f"{found.text} < 0", what="gets a multiple beyond 2**62")
    return found


def _call_factorial(t: Translator, value: Value) -> Value:
    number = kept(t, t.forms.number(t, value, "calls factorial with"))
    trap(t, f"{number.text} < 0", ValueError)
    trap(t, f"{number.text} > {MOST_FACTORIAL}")
    rows = tuple(map(factorial, range(MOST_FACTORIAL + 1)))
    row = constant(t, rows, Seq(Int(), len(rows), len(rows)))
    return Scalar(Int(), row.cell(number.text), 1, rows[-1])


def _call_comb(t: Translator, *args: Value) -> Value:
    n, k = (kept(t, t.forms.number(t, each, "calls comb with")) for each in args)
    trap(t, f"{n.text} < 0 or {k.text} < 0", ValueError)
    total = t.text.temporary(f"binomial({n.text}, {k.text})", "total")
    trap(t, f"{total} < 0", what="gets a binomial of large numbers")
    return Scalar(Int(), total, 0, SMALL - 1)


def _call_isqrt(t: Translator, value: Value) -> Value:
    """Below 2**40 a root is never rounded up to a whole number."""
    number = kept(t, t.forms.number(t, value, "takes the root of"))
    trap(t, f"{number.text} < 0", ValueError)
    number = t.forms.within(t, number, 0, SMALL - 1)
    text = t.text.temporary(f"float_floor(float_root(float_of({number.text})))", "root")
    return Scalar(Int(), text, 0, isqrt(max(0, number.high)))


def _call_prod(t: Translator, items: Value, *, start: Value = ONE) -> Value:
    """Of whole numbers."""
    begin = t.forms.within(t, t.forms.number(t, start, "multiplies"), 1 - SMALL, SMALL - 1)
    total = t.text.temporary(begin.text, "total")

    def multiply(value: Value, _: Round) -> None:
        found = binary(t, ast.Mult(), Scalar(Int(), total), value)
        if is_float(found):
            raise refuse(t, "calls prod with floats", "multiply in a loop")
        t.text.line(f"{total} = {t.forms.small(t, t.forms.number(t, found, 'multiplies'))}")

    run(t, ordered_stream(t, items), multiply)
    return Scalar(Int(), total)


def _call_dist(t: Translator, *args: Value) -> Value:
    left, right = (parts_of(t, t.forms.held(t, each)) for each in args)
    if len(left) != len(right):
        return always_raises(t, ValueError())
    steps = [binary(t, ast.Sub(), a, b) for a, b in zip(left, right, strict=True)]
    return root_of_squares(t, steps, "dist")


def _call_ord(t: Translator, value: Value) -> Value:
    code = as_cell(t, value, type_of(t, Known("0")))
    if code is None:
        raise refuse(t, f"uses ord on {describe(value)}", "use a character")
    return Scalar(Int(), code, 0, 0x10FFFF)


def _call_chr(t: Translator, value: Value) -> Value:
    code = t.forms.within(t, t.forms.number(t, value, "uses chr on"), 0, 0xD7FF)
    return Scalar(type_of(t, Known("0")), code.text, 0, 0x10FFFF)


def _call_format(t: Translator, value: Value, spec: Value = NO_TEXT) -> Value:
    if not isinstance(spec, Known):
        raise refuse(t, "formats by a text that states decide", "write the format out")
    return t.forms.formatted(t, value, spec.value)


def _call_next(t: Translator, items: Value, default: Value | None = None) -> Value:
    if not isinstance(items, Stream):
        raise refuse(t, "calls next", "use it on a generator expression")
    stream = ordered_stream(t, items)
    item, low, high = items_of(t, stream)
    if default is not None:
        item = joined_type(t, item, type_of(t, default))
    cell = cell_of(t, item, "first")
    clear(t, cell)
    met = t.text.temporary("False", "met")

    def take(value: Value, turn: Round) -> None:
        write(t, cell, value)
        t.text.line(f"{met} = True")
        t.text.leave(*turn.stop)

    if not t.text.is_aside:
        run(t, stream, take)
    if default is None:
        trap(t, f"not {met}", StopIteration)
        return bounded(read(cell), low, high)
    with t.text.block(f"if not {met}:"):
        write(t, cell, default)
    return read(cell)


def _call_copy(t: Translator, value: Value) -> Value:
    kind = kind_of(value)
    if kind in (list, set):
        return t.forms.collected(t, value, kind)
    if kind in (tuple, str, frozenset) or isinstance(value, Scalar):
        return value
    raise refuse(t, f"copies {describe(value)}", "make a new one")


def _call_deepcopy(t: Translator, value: Value) -> Value:
    """In memory, a list is all that is in it."""
    if isinstance(value, (Items, Joined)):
        value = in_memory(t, value)
    if isinstance(value, Place) and t.forms.is_mutable(t, value.type):
        return copied(t, value)
    if isinstance(value, Known) and not isinstance(value.value, (int, str)):
        raise refuse(t, "copies what no state changes", "write [row[:] for row in ...]")
    return value


def quotient(t: Translator, name: str, left: Value, right: Value) -> Scalar:
    """`ceil`, `floor`, `trunc`, `int` or `round` of `left / right`.

    Below 2**40 the float that Python makes of the quotient is on the same side of each whole
    number, and of each half, as the quotient.
    """
    a, b = (
        kept(t, t.forms.within(t, t.forms.number(t, each, "divides"), 1 - SMALL, SMALL - 1))
        for each in (left, right)
    )
    if b.low <= 0 <= b.high:
        trap(t, f"{b.text} == 0", ZeroDivisionError)
    high = max(abs(a.low), abs(a.high))
    text = f"{a.text} // {b.text}"
    if name != "floor":
        text = f"{_WHOLE_OF[name]}({a.text}, {b.text})"
    return Scalar(Int(), t.text.temporary(text, "whole"), -high, high)


def _call_isinstance(t: Translator, value: Value, classes: Value) -> Value:
    if isinstance(classes, Items) and all(isinstance(each, Known) for each in classes.items):
        classes = Known(tuple(each.value for each in classes.items))
    if not isinstance(classes, Known):
        raise refuse(t, "asks for a class that states decide", "name the class")
    return is_instance(t, value, classes.value)


def summed_floats(t: Translator, stream: Stream, start: Value) -> Scalar:
    """`sum` of numbers of which one is a float.

    From Python 3.12 on it corrects what rounding takes away, but not of whole numbers (A.
    Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen", 1974).
    """
    begin = t.forms.as_float(t, start, "adds to")
    total = t.text.temporary(begin.text, "total")
    is_corrected = sys.version_info >= (3, 12)
    lost = t.text.temporary("0", "lost") if is_corrected else ""
    met = t.text.temporary(str(begin.type.form == FLOAT), "met")  # type: ignore[union-attr]
    forms = {begin.type.form}  # type: ignore[union-attr]

    def add(value: Value, _: Any) -> None:
        item = named(t, t.forms.as_float(t, value, "adds"))
        form = item.type.form  # type: ignore[union-attr]
        forms.add(form)
        after = t.text.temporary(f"float_add({total}, {item.text})", "after")
        if form != FLOAT:
            exact(t, Scalar(Float(), after))
        if is_corrected:
            one, other = t.text.name("larger"), t.text.name("smaller")
            sizes = [f"{each} & {WITHOUT_SIGN}" for each in (total, item.text)]
            t.text.line(f"{one} = {total}")
            t.text.line(f"{other} = {item.text}")
            with t.text.block(f"if {sizes[0]} < {sizes[1]}:"):
                t.text.line(f"{one} = {item.text}")
                t.text.line(f"{other} = {total}")
            error = f"float_add(float_subtract({one}, {after}), {other})"
            if form == FLOAT:
                # The first float is added to whole numbers without correction.
                trap(t, f"not {met} and not float_equal({error}, 0)", what=ROUNDED)
                t.text.line(f"{met} = True")
                t.text.line(f"{lost} = float_add({lost}, {error})")
            else:
                trap(t, f"not float_equal({error}, 0)", what=ROUNDED)
        t.text.line(f"{total} = {after}")

    run(t, stream, add)
    if forms != {WHOLE}:  # rounding depends on the order
        check_order(t, stream)
    if is_corrected:
        with t.text.block(f"if {lost} & {WITHOUT_SIGN} < {ENDLESS}:"):
            t.text.line(f"{total} = float_add({total}, {lost})")
    return Scalar(Float(FLOAT if forms == {FLOAT} else EITHER), total)


CALLS: Rows = {
    "len": lambda t, value: t.forms.length_of(t, value), "reversed": turned_stream,
    "any": partial(_any_or_all, is_any=True), "all": partial(_any_or_all, is_any=False),
    "bool": lambda t, value=FALSE: value if value is FALSE else t.forms.truth(t, value),
    "str": lambda t, value: t.forms.as_text(t, value),
    "bin": lambda t, value: in_digits(t, value, 2, "0b"), "floor": partial(_whole, name="floor"),
    "ceil": partial(_whole, name="ceil"), "trunc": partial(_whole, name="trunc"), "sqrt": root,
    "tuple": _maker(tuple, Known(())), "list": _maker(list, EMPTY),
    "set": _maker(set, Items((), set)), "frozenset": _maker(frozenset, Known(frozenset())),
    "min": partial(_of_least, name="min"), "max": partial(_of_least, name="max"),
    "enumerate": lambda t, items, start=ZERO: enumerated(
        t, t.forms.stream(t, items), t.forms.number(t, start, "counts from")
    ), "range": _call_range, "zip": _call_zip, "map": _call_map,
    "filter": _call_filter, "sum": call_sum, "sorted": _call_sorted, "abs": _call_abs,
    "int": _call_int, "round": _call_round, "pow": _call_pow,
    "float": lambda t, value: t.forms.as_float(t, value, "makes a float of")._replace(type=Float()),
    "divmod": lambda t, one, other: Items(
        tuple(binary(t, op(), one, other) for op in (ast.FloorDiv, ast.Mod))
    ),
    "gcd": lambda t, *args: _of_two(t, "gcd", args)._replace(high=SMALL - 1), "lcm": _call_lcm,
    "hypot": lambda t, *args: root_of_squares(t, list(args), "hypot"), "dist": _call_dist,
    "factorial": _call_factorial, "comb": _call_comb, "isqrt": _call_isqrt, "prod": _call_prod,
    "ord": _call_ord, "chr": _call_chr, "format": _call_format,
    # A queue is a list here: what a list cannot do is refused by its name.
    "deque": lambda t, items=EMPTY: t.forms.collected(t, items, list), "next": _call_next,
    "copy": _call_copy, "deepcopy": _call_deepcopy,
    "isinstance": _call_isinstance,
}  # fmt: skip
