"""Functions of Python that the author calls."""

from __future__ import annotations

import ast
import types
from collections.abc import Callable
from functools import partialmethod
from math import factorial, isqrt
from typing import Any

from searchkit.translation.arithmetic import HUGE
from searchkit.translation.methods import NONE, ONE, Methods
from searchkit.translation.naming import describe
from searchkit.translation.types import Char, Float, Int, Seq
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

MOST_FACTORIAL = 14
ZERO, TEN, FALSE = Known(0), Known(10), Known(False)
NO_TEXT, EMPTY = Known(""), Items((), list)
_WHOLE_OF = {"ceil": "ceiling", "trunc": "whole_part", "int": "whole_part", "round": "nearest"}
"""The kernels of `numbers` for what Python makes of a quotient."""


def _by(method: str, *more: Any, empty: Value | None = None) -> Any:
    """What is called for a function of Python's: a method that is given its argument."""

    def call(self: Any, value: Value | None = empty) -> Value:
        return value if value is empty is not None else getattr(self, method)(value, *more)  # type: ignore[return-value]

    return call


class Functions(Methods):
    """What functions of Python return."""

    gone_through: ast.AST | None = None
    """The call whose items a loop of the rule itself goes through, all of them."""

    _call_len = _by("length_of")
    _call_reversed = _by("turned_stream")
    _call_any = _by("_any_or_all", True)
    _call_all = _by("_any_or_all", False)
    _call_bool = _by("truth", empty=Known(False))
    _call_str = _by("as_text")
    _call_bin = _by("in_digits", 2, "0b")
    _call_floor = _by("_whole", "floor")
    _call_ceil = _by("_whole", "ceil")
    _call_trunc = _by("_whole", "trunc")
    _call_sqrt = _by("root")
    _call_tuple = _by("collected", tuple, empty=Known(()))
    _call_list = _by("collected", list, empty=EMPTY)
    _call_set = _by("collected", set, empty=Items((), set))
    _call_frozenset = _by("collected", frozenset, empty=Known(frozenset()))

    def _any_or_all(self, value: Value, is_any: bool) -> Value:
        return self.any_or_all(self.stream(value), is_any=is_any)

    def _whole(self, value: Value, name: str) -> Value:
        if self.is_float(value):
            return self.whole_of(name, value)
        return self.number(value, "makes a whole number of")._replace(type=Int())

    def _call_range(self, first: Value, second: Value | None = None, step: Value = ONE) -> Value:
        start, stop = (ZERO, first) if second is None else (first, second)
        begin, end = (self.number(each, "counts by") for each in (start, stop))
        if not isinstance(step, Known) or not step.value:
            raise self.refuse("uses range with a step that states decide", "use while")
        return self.counted(begin, end, step.value)

    def _call_enumerate(self, items: Value, start: Value = ZERO) -> Value:
        return self.enumerated(self.stream(items), self.number(start, "counts from"))

    def _call_zip(self, *args: Value, strict: Value = FALSE) -> Value:
        if not isinstance(strict, Known):
            raise self.refuse("uses zip with a strict= that states decide", "")
        if not args:
            return Known(())
        rows = [self._at_hand(each) for each in args]
        if None not in rows and any(self.fields_of(each) is not None for each in args):
            if strict.value and len(set(map(len, rows))) > 1:  # type: ignore[arg-type]
                self.fail()  # Python finds out at the end
            return self._repeated([Items(each) for each in zip(*rows, strict=False)])
        return self.zipped([self.stream(each) for each in args], is_strict=bool(strict.value))

    def _at_hand(self, value: Value) -> list[Value] | None:
        """The items of a sequence that has a fixed number of them; None for all else."""
        if isinstance(value, Known) and not isinstance(value.value, (tuple, list, str)):
            return None
        if isinstance(value, Place) and not value.is_stable:
            return None
        return None if self.is_set(value) else self._parts(value)

    def _change(self, function: Value) -> Callable[[Value], Value]:
        node, known = self.node, function.value if isinstance(function, Known) else None
        self.gone_through = None  # what a function of Python's calls gives no items of a loop
        if isinstance(known, types.BuiltinMethodType):  # of a dict of the author's, say
            function = Known(self.method(Known(known.__self__), known.__name__) or known)

        def change(value: Value) -> Value:
            before, self.node = self.node, node
            if isinstance(known, types.MethodDescriptorType):
                method = self.method(value, known.__name__)
                found = self.call(function if method is None else Known(method), [], {})
            else:
                found = self.call(function, [value], {})
            self.node = before
            return found

        return change

    def _keyed(self, key: Value) -> Callable[[Value], Value] | None:
        """What a function of Python's goes by; None if that is the items themselves."""
        return None if isinstance(key, Known) and key.value is None else self._change(key)

    def _call_map(self, function: Value, first: Value, *others: Value) -> Value:
        if not others:
            return self.mapped(self._change(function), self.stream(first))
        rows = self.zipped([self.stream(each) for each in (first, *others)], is_strict=False)
        return self.mapped(lambda value: self.call(function, self.parts_of(value), {}), rows)

    def _call_filter(self, test: Value, items: Value) -> Value:
        if isinstance(test, Known) and test.value is None:
            return self.filtered(self.truth, self.stream(items))
        change = self._change(test)
        return self.filtered(lambda value: self.truth(change(value)), self.stream(items))

    def _call_sum(self, items: Value, start: Value = ZERO) -> Value:
        stream = self.stream(items)
        here = self.scope.key, self.node
        if not self.is_float(start) and here not in self.sums_of_floats:
            begin = self.number(start, "adds to")
            with self.text.apart() as lines:
                found = self.summed(stream, begin)
            if found is not None:
                self.text.lines += lines
                return found
            self.sums_of_floats.add(here)
        return self.summed_floats(stream, start)

    def _of_least(
        self,
        name: str,
        items: Value,
        *others: Value,
        key: Value = NONE,
        default: Value | None = None,
    ) -> Value:
        change = self._keyed(key)
        if others:
            args = [items, *others]
            if change is None and all(map(self._is_number, args)):
                return self.smallest(args, name)
            items = Items(tuple(args))
        return self.extreme(self.stream(items), name, change, default)

    @staticmethod
    def _is_number(value: Value) -> bool:
        if isinstance(value, Known):
            return isinstance(value.value, (int, float))
        return isinstance(value, Scalar) and isinstance(value.type, (Int, Float))

    _call_min = partialmethod(_of_least, "min")
    _call_max = partialmethod(_of_least, "max")

    def _call_sorted(self, items: Value, *, key: Value = NONE, reverse: Value = FALSE) -> Value:
        if not isinstance(reverse, Known):
            raise self.refuse("sorts in an order that states decide", "use two calls")
        change = self._keyed(key)
        if change is not None and self.handlers:  # the first error of a key is taken
            self.check_order(self.stream(items))
        return self.sorted_row(items, change, down=bool(reverse.value))

    def _call_abs(self, value: Value) -> Value:
        found = self.by_own_method(value, "__abs__")
        return self.absolute(value) if found is None else found

    def _call_divmod(self, left: Value, right: Value) -> Value:
        return Items(tuple(self.binary(op(), left, right) for op in (ast.FloorDiv, ast.Mod)))

    def _call_int(self, value: Value, base: Value = TEN) -> Value:
        if self.kind_of(value) is str or self.is_word(value):
            if not isinstance(base, Known) or base.value not in range(2, 11):
                raise self.refuse("reads a number of another base", "use numbers in states")
            if base.value != 10:
                return self.whole_of_text(value, base.value)
            code = None if self.is_word(value) else self.as_cell(value, Char())
            if code is None:
                return self.whole_of_text(value)
            if not code.isidentifier():
                code = self.text.temporary(code)
            # Other writings have digits of their own.
            self.trap(f"{code} < 48 or 57 < {code} < 128", ValueError)
            return self.within(Scalar(Int(), f"({code} - 48)", 0, SMALL - 1), 0, 9)
        return self._whole(value, "int")

    def _call_round(self, number: Value, ndigits: Value | None = None) -> Value:
        if ndigits is not None:
            raise self.refuse("rounds to digits", "use whole numbers")
        return self._whole(number, "round")

    def _call_float(self, value: Value) -> Value:
        return self.as_float(value, "makes a float of")._replace(type=Float())

    def _call_pow(self, base: Value, exp: Value, mod: Value | None = None) -> Value:
        if mod is not None:
            raise self.refuse("calls pow with a modulus", "use ** and %")
        return self.binary(ast.Pow(), base, exp)

    def _of_two(self, name: str, args: tuple[Value, ...]) -> Scalar:
        """What a kernel of `numbers` gives for two numbers; at most 2**62."""
        if len(args) != 2:
            raise self.refuse(f"calls {name} with other than two numbers", "call it again")
        found = [self.number(each, f"calls {name} with") for each in args]
        one, other = (self.within(each, 1 - SMALL, SMALL - 1).text for each in found)
        return Scalar(Int(), self.text.temporary(f"{name}({one}, {other})", name), 0, HUGE - 1)

    def _call_gcd(self, *args: Value) -> Value:
        return self._of_two("gcd", args)._replace(high=SMALL - 1)

    def _call_lcm(self, *args: Value) -> Value:
        found = self._of_two("lcm", args)
        self.trap(f"{found.text} < 0", what="gets a multiple beyond 2**62")
        return found

    def _call_factorial(self, value: Value) -> Value:
        number = self.kept(self.number(value, "calls factorial with"))
        self.trap(f"{number.text} < 0", ValueError)
        self.trap(f"{number.text} > {MOST_FACTORIAL}")
        rows = tuple(map(factorial, range(MOST_FACTORIAL + 1)))
        row = self.constant(rows, Seq(Int(), len(rows), len(rows)))
        return Scalar(Int(), row.cell(number.text), 1, rows[-1])

    def _call_comb(self, *args: Value) -> Value:
        n, k = (self.kept(self.number(each, "calls comb with")) for each in args)
        self.trap(f"{n.text} < 0 or {k.text} < 0", ValueError)
        total = self.text.temporary(f"binomial({n.text}, {k.text})", "total")
        self.trap(f"{total} < 0", what="gets a binomial of large numbers")
        return Scalar(Int(), total, 0, SMALL - 1)

    def _call_isqrt(self, value: Value) -> Value:
        """Below 2**40 a root is never rounded up to a whole number."""
        number = self.kept(self.number(value, "takes the root of"))
        self.trap(f"{number.text} < 0", ValueError)
        number = self.within(number, 0, SMALL - 1)
        text = self.text.temporary(f"float_floor(float_root(float_of({number.text})))", "root")
        return Scalar(Int(), text, 0, isqrt(max(0, number.high)))

    def _call_prod(self, items: Value, *, start: Value = ONE) -> Value:
        """Of whole numbers."""
        begin = self.within(self.number(start, "multiplies"), 1 - SMALL, SMALL - 1)
        total = self.text.temporary(begin.text, "total")

        def multiply(value: Value, _: Round) -> None:
            found = self.binary(ast.Mult(), Scalar(Int(), total), value)
            if self.is_float(found):
                raise self.refuse("calls prod with floats", "multiply in a loop")
            self.text.line(f"{total} = {self.small(self.number(found, 'multiplies'))}")

        self.run(self.ordered_stream(items), multiply)
        return Scalar(Int(), total)

    def _call_hypot(self, *args: Value) -> Value:
        return self.root_of_squares(list(args), "hypot")

    def _call_dist(self, *args: Value) -> Value:
        left, right = (self.parts_of(self.held(each)) for each in args)
        if len(left) != len(right):
            return self.always_raises(ValueError())
        steps = [self.binary(ast.Sub(), a, b) for a, b in zip(left, right, strict=True)]
        return self.root_of_squares(steps, "dist")

    def _call_ord(self, value: Value) -> Value:
        code = self.as_cell(value, self.type_of(Known("0")))
        if code is None:
            raise self.refuse(f"uses ord on {describe(value)}", "use a character")
        return Scalar(Int(), code, 0, 0x10FFFF)

    def _call_chr(self, value: Value) -> Value:
        code = self.within(self.number(value, "uses chr on"), 0, 0xD7FF)
        return Scalar(self.type_of(Known("0")), code.text, 0, 0x10FFFF)

    def _call_format(self, value: Value, spec: Value = NO_TEXT) -> Value:
        if not isinstance(spec, Known):
            raise self.refuse("formats by a text that states decide", "write the format out")
        return self.formatted(value, spec.value)

    def _call_deque(self, items: Value = EMPTY, maxlen: Value | None = None) -> Value:
        """A queue is a list here: what a list cannot do is refused by its name."""
        if maxlen is not None:
            raise self.refuse("makes a deque of bounded length", "use a list")
        return self.collected(items, list)

    def _call_next(self, items: Value, default: Value | None = None) -> Value:
        if not isinstance(items, Stream):
            raise self.refuse("calls next", "use it on a generator expression")
        stream = self.ordered_stream(items)
        item, low, high = self._items_of(stream)
        if default is not None:
            item = self.joined(item, self.type_of(default))
        cell = self._cell(item, "first")
        self._clear(cell)
        met = self.text.temporary("False", "met")

        def take(value: Value, turn: Round) -> None:
            self._write(cell, value)
            self.text.line(f"{met} = True")
            self.text.leave(*turn.stop)

        if not self.text.is_aside:
            self.run(stream, take)
        if default is None:
            self.trap(f"not {met}", StopIteration)
            return self._bounded(self._read(cell), low, high)
        with self.text.block(f"if not {met}:"):
            self._write(cell, default)
        return self._read(cell)

    def _call_copy(self, value: Value) -> Value:
        kind = self.kind_of(value)
        if kind in (list, set):
            return self.collected(value, kind)
        if kind in (tuple, str, frozenset) or isinstance(value, Scalar):
            return value
        raise self.refuse(f"copies {describe(value)}", "make a new one")

    def _call_deepcopy(self, value: Value) -> Value:
        """In memory, a list is all that is in it."""
        if isinstance(value, (Items, Joined)):
            value = self.in_memory(value)
        if isinstance(value, Place) and self.is_mutable(value.type):
            return self.copied(value)
        if isinstance(value, Known) and not isinstance(value.value, (int, str)):
            raise self.refuse("copies what no state changes", "write [row[:] for row in ...]")
        return value

    def quotient(self, name: str, left: Value, right: Value) -> Scalar:
        """`ceil`, `floor`, `trunc`, `int` or `round` of `left / right`.

        Below 2**40 the float that Python makes of the quotient is on the same side of each whole
        number, and of each half, as the quotient.
        """
        a, b = (
            self.kept(self.within(self.number(each, "divides"), 1 - SMALL, SMALL - 1))
            for each in (left, right)
        )
        if b.low <= 0 <= b.high:
            self.trap(f"{b.text} == 0", ZeroDivisionError)
        high = max(abs(a.low), abs(a.high))
        text = f"{a.text} // {b.text}"
        if name != "floor":
            text = f"{_WHOLE_OF[name]}({a.text}, {b.text})"
        return Scalar(Int(), self.text.temporary(text, "whole"), -high, high)

    def _call_isinstance(self, value: Value, classes: Value) -> Value:
        if isinstance(classes, Items) and all(isinstance(each, Known) for each in classes.items):
            classes = Known(tuple(each.value for each in classes.items))
        if not isinstance(classes, Known):
            raise self.refuse("asks for a class that states decide", "name the class")
        return self.is_instance(value, classes.value)
