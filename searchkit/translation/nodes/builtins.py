"""Python's own functions."""

from __future__ import annotations

import ast
import collections
import functools
import itertools
import math
import operator
import types
from collections.abc import Callable
from functools import partial
from typing import Any

from searchkit.translation.nodes.build import Bottom
from searchkit.translation.nodes.lattice import Ref
from searchkit.translation.nodes.node import BOOL, FRAME, INT, SMALL, Node, name, number
from searchkit.translation.nodes.scope import Scope
from searchkit.translation.nodes.values import Function, Group, Known, Method, Stream
from searchkit.translation.types import Bits, Bool, Char, Int, names_of

PURE = (
    abs, all, any, bool, divmod, frozenset, int, len, max, min, ord, chr, pow, range, round, sorted,
    str, sum, tuple, zip, enumerate, reversed, math.gcd, math.comb, math.isqrt, math.lcm, isinstance, issubclass,
    math.prod, type, hash, operator.itemgetter,
)  # fmt: skip
OPERATORS = {
    operator.add: "Add", operator.sub: "Sub", operator.mul: "Mult", operator.xor: "BitXor",
    operator.and_: "BitAnd", operator.or_: "BitOr", operator.floordiv: "FloorDiv", operator.mod: "Mod",
}  # fmt: skip
VALUES = (int, bool, str, tuple, frozenset, float, type(None), range, bytes, type)


class Builtins:
    """Makes calls of Python's own functions."""

    def __init__(self, build: Any, parts: Any) -> None:
        self.b, self.p = build, parts
        self.ways: dict[Any, Callable[..., Any]] = {
            len: self._len, range: lambda scope, node, args, named: parts.going.counted(args),
            enumerate: self._enumerate, zip: self._zip, reversed: self._reversed,
            sum: self._sum, any: self._any, all: self._all, min: partial(self._best, "min"), max: partial(self._best, "max"),
            sorted: self._sorted, abs: lambda s, n, args, named: parts.numbers.size(parts.cells.number(args[0])),
            tuple: self._tuple, list: self._list, set: partial(self._set, set),
            frozenset: partial(self._set, frozenset),
            bool: lambda s, n, args, named: parts.cells.truth(args[0]), int: self._int,
            divmod: self._divmod, dict: self._dict, map: self._map, filter: self._filter,
            next: self._next, ord: self._ord, iter: self._iter,
            isinstance: self._isinstance, math.gcd: self._gcd, itertools.product: self._product,
            itertools.combinations: self._combinations, itertools.chain: self._chain,
            collections.defaultdict: self._defaults, collections.Counter: self._counter,
            functools.reduce: self._reduce, itertools.accumulate: self._accumulate,
            itertools.permutations: self._permutations, str: self._str, chr: self._chr,
            itertools.chain.from_iterable: self._chain_from, itertools.pairwise: self._pairwise,
        }  # fmt: skip

    def call(self, scope: Scope, node: ast.Call, function: Any) -> Any:
        """What a call of a function that is not the author's comes to."""
        cells = self.p.cells
        try:
            way = self.ways.get(function)
        except TypeError:
            way = None
        expressions = self.p.expressions
        is_open = (
            function in (min, max, sum, any, all, len, sorted, tuple, list, set, frozenset)
            if way
            else False
        )
        if is_open and len(node.args) == 1 and not isinstance(node.args[0], ast.Starred):
            was = expressions.is_ordered
            expressions.is_ordered = (was and function in (tuple, list)) or (
                function is sorted and False
            )
            try:
                args, named = self.p.calls.arguments(scope, node)
                return self._called(scope, node, function, way, args, named)
            finally:
                expressions.is_ordered = was
        args, named = self.p.calls.arguments(scope, node)
        found = self._called(scope, node, function, way, args, named)
        _ = cells
        return found

    def _called(self, scope: Any, node: Any, function: Any, way: Any, args: Any, named: Any) -> Any:
        b, cells = self.b, self.p.cells
        if all(isinstance(each, Known) for each in [*args, *named.values()]) and self._is_pure(
            function, args, named
        ):
            try:
                found = function(*[e.value for e in args], **{k: v.value for k, v in named.items()})
                if function in (zip, enumerate, reversed):
                    found = tuple(found)
                return Known(found)
            except Exception:
                b.trap()
                raise Bottom from None
        if way is None:
            raise cells.refuse(f"calls {getattr(function, '__name__', function)}")
        return way(scope, node, args, named)

    def _is_pure(self, function: Any, args: Any, named: Any) -> bool:
        if function in (zip, enumerate, reversed):
            return False
        if function not in PURE or function is sorted:
            return False
        if any(
            callable(each.value) and not isinstance(each.value, type)
            for each in [*args, *named.values()]
        ):
            return False
        return all(
            isinstance(each.value, (*VALUES, list, dict, set)) for each in args
        ) or function in (isinstance, type)

    def _none(self, named: Any, *but: str) -> None:
        if set(named) - set(but):
            raise self.p.cells.refuse("named arguments")

    def _len(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        own = getattr(self.p.cells.kind_of(args[0]), "__len__", None)
        if isinstance(own, types.FunctionType):
            return self.p.calls.run(Function(None, None, own, args[0], None), [], {}, node, scope)
        return self.p.cells.length(args[0], inside=False)

    def _iter(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        is_set = self.p.expressions.is_set(args[0])
        length = (
            self.p.cells.length(args[0]) if is_set and not isinstance(args[0], Stream) else None
        )
        return Stream(
            lambda body: self.p.going.each(args[0], body, ordered=not is_set), length, None, is_set
        )

    def _reversed(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        if isinstance(args[0], Stream) and args[0].is_iterator and args[0].kind is None:
            raise self.p.cells.refuse("reverses an iterator")
        return self.p.going.turned(args[0])

    def _enumerate(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        self._none(named, "start")
        start = named.get("start", args[1] if len(args) > 1 else Known(0))
        return self.p.going.enumerated(args[0], start)

    def _zip(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        self._none(named, "strict")
        strict = named.get("strict", Known(False))
        return self.p.going.zipped(args, strict=bool(strict.value))

    def _sum(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        self._none(named, "start")
        b, cells = self.b, self.p.cells
        begin = named.get("start", args[1] if len(args) > 1 else Known(0))
        if not isinstance(cells.type_of(begin), (Int, Bool)):
            raise cells.refuse("a sum of rows")
        variable = b.variable(self.p.expressions.key(scope, node, "sum"))
        begin = cells.number(begin)
        self.p.names.hold(variable, begin)
        b.grow(variable, INT, begin.low, begin.high)
        most = None
        if not (isinstance(args[0], Stream) and args[0].length is None):
            found = cells.length(args[0])
            most = found.value if isinstance(found, Known) else found.high
        bounds = b.variable(self.p.expressions.key(scope, node, "items"))

        def one(item: Any) -> None:
            each = cells.number(item)
            b.grow(bounds, INT, each.low, each.high)
            old = name(variable.title, INT, variable.low, variable.high)
            if most is not None and most < 10000:
                low = begin.low + most * min(0, bounds.low)
                high = begin.high + most * max(0, bounds.high)
                if low > -SMALL and high < SMALL:
                    b.grow(variable, INT, low, high)
                    b.let(variable.title, Node("binary", "Add", [old, each], INT, low, high))
                    return
            self.p.names.hold(variable, self.p.numbers.operate("Add", old, each))

        self.p.going.each(args[0], one, ordered=False)
        return b.held(name(variable.title, INT, variable.low, variable.high))

    def _found(self, value: Any, wanted: bool) -> Node:
        b = self.b
        title = b.fresh("any")
        b.let(title, number(not wanted, BOOL))
        with b.block() as label:

            def one(item: Any) -> None:
                def hit() -> None:
                    b.let(title, number(wanted, BOOL))
                    b.leave(label)

                test = self.p.cells.truth(self.p.going.solid(item))
                b.choose(test if wanted else b.negated(test), hit)

            self.p.going.each(value, one, ordered=False)
        return name(title, BOOL, 0, 1)

    def _any(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        return self._found(args[0], True)

    def _all(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        return self._found(args[0], False)

    def _best(self, what: str, scope: Any, node: Any, args: Any, named: Any) -> Any:
        self._none(named, "default", "key")
        b, cells, names = self.b, self.p.cells, self.p.names
        key = named.get("key")
        if len(args) > 1:
            kinds = [cells.type_of(each) for each in args]
            if key is None and all(isinstance(each, (Int, Bool)) for each in kinds):
                return self.p.numbers.least([cells.number(each) for each in args], what)
            args = [Group(args)]
        variable = b.variable(self.p.expressions.key(scope, node, "best"))
        beside = b.variable(self.p.expressions.key(scope, node, "key")) if key is not None else None
        title = b.fresh("v_any")
        b.let(title, number(0, BOOL))
        some = name(title, BOOL, 0, 1)
        sign = "Lt" if what == "min" else "Gt"

        def one(item: Any) -> None:
            item = names.settled(self.p.going.solid(item))
            mine = (
                item
                if key is None
                else names.settled(self.p.going.solid(self.applied(key, [item], node, scope)))
            )

            def take() -> None:
                names.hold(variable, item)
                if beside is not None:
                    names.hold(beside, mine)
                b.let(title, number(1, BOOL))

            try:
                old = names.value_of(variable if beside is None else beside)
            except Bottom:
                take()
                return
            better = cells.then(some, lambda: b.negated(cells.ordered(sign, mine, old)))
            b.choose(b.negated(better), take)

        # Of equal items the first is taken, which only a key can tell apart.
        self.p.going.each(args[0], one, ordered=key is not None)
        if "default" in named:
            b.choose(b.negated(some), lambda: names.hold(variable, named["default"]))
        else:
            b.trap(b.negated(some))
        return names.settled(names.value_of(variable))

    def applied(self, function: Any, args: list[Any], node: Any, scope: Any) -> Any:
        """What a function that is a value says."""
        if isinstance(function, Function):
            return self.p.calls.run(function, args, {}, node, scope)
        if isinstance(function, Method):
            return self.p.methods.apply(scope, node, function, args, {})
        if isinstance(function, Known):
            value = function.value
            if hasattr(value, "__code__"):
                return self.p.calls.run(
                    Function(None, None, value, None, None), args, {}, node, scope
                )
            if hasattr(value, "__func__"):
                bound = Function(None, None, value.__func__, Known(value.__self__), None)
                return self.p.calls.run(bound, args, {}, node, scope)
            if isinstance(value, operator.itemgetter):
                found = [
                    self.p.expressions.item(args[0], Known(each)) for each in value.__reduce__()[1]
                ]
                return found[0] if len(found) == 1 else Group(found)
            if value in OPERATORS and len(args) == 2:
                sign = getattr(ast, OPERATORS[value])()
                return self.p.expressions.operate(scope, node, args[0], sign, args[1])
            if isinstance(value, type) and names_of(value):
                raise self.p.cells.refuse("applies a class")
            return self._called(scope, node, value, self.ways.get(value), args, {})
        raise self.p.cells.refuse("applies a value")

    def _sorted(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        self._none(named, "reverse", "key")
        if "key" in named and not (isinstance(named["key"], Known) and named["key"].value is None):
            return self._sorted_by(scope, node, args[0], named)
        heap = self.b.heap(self.p.expressions.key(scope, node), list)
        value = args[0]
        if isinstance(value, Known):
            try:
                return self.p.objects.of_known(
                    heap,
                    sorted(value.value, reverse=bool(named.get("reverse", Known(False)).value)),
                )
            except TypeError:
                self.b.trap()
                raise Bottom from None
        ref = self._unordered(heap, value)
        reverse = named.get("reverse", Known(False))
        if not isinstance(reverse, Known):
            raise self.p.cells.refuse("an order that is not known")
        self.p.objects.sort(ref, is_down=bool(reverse.value))
        return ref

    def _sorted_by(self, scope: Any, node: Any, value: Any, named: Any) -> Any:
        """By a key: pairs of it and of the place are sorted, so that equal ones stay in order."""
        b, cells, objects, going = self.b, self.p.cells, self.p.objects, self.p.going
        reverse = named.get("reverse", Known(False))
        if not isinstance(reverse, Known):
            raise cells.refuse("an order that is not known")
        key = self.p.expressions.key
        items = objects.collected(b.heap(key(scope, node, "items"), list), value)
        pairs = objects.new(b.heap(key(scope, node, "keys"), list), 8, -1)
        b.put(pairs, number(0))
        sign = -1 if reverse.value else 1

        def one(pair: Any) -> None:
            at, item = pair.items
            found = going.solid(self.applied(named["key"], [item], node, scope))
            objects.append(pairs, Group([found, b.times(at, sign)]))

        going.each(going.enumerated(items, Known(0)), one)
        objects.sort(pairs, is_down=bool(reverse.value))
        made = objects.new(b.heap(key(scope, node), list), 8, -1)
        b.put(made, number(0))

        def take(pair: Any) -> None:
            at = b.held(b.times(cells.number(cells.part(pair, 1)), sign))
            objects.append(made, cells.loaded(cells.item_at(items, at)))

        going.each(pairs, take)
        return made

    def _reduce(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        b, names = self.b, self.p.names
        variable = b.variable(self.p.expressions.key(scope, node, "reduced"))
        title = b.fresh("v_any")
        b.let(title, number(len(args) > 2, BOOL))
        some = name(title, BOOL, 0, 1)
        if len(args) > 2:
            names.hold(variable, args[2])

        def one(item: Any) -> None:
            item = names.settled(self.p.going.solid(item))
            if len(args) < 3:

                def first() -> None:
                    names.hold(variable, item)
                    b.let(title, number(1, BOOL))

                b.choose(some, lambda: more(item), first)
            else:
                more(item)

        def more(item: Any) -> None:
            old = names.settled(names.value_of(variable))
            names.hold(variable, self.applied(args[0], [old, item], node, scope))

        self.p.going.each(args[1], one)
        b.trap(b.negated(some))
        return names.settled(names.value_of(variable))

    def _accumulate(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        b, names = self.b, self.p.names
        self._none(named, "initial")
        variable = b.variable(self.p.expressions.key(scope, node, "sum"))
        if len(args) > 1:
            raise self.p.cells.refuse("accumulates by a function")
        first = named.get("initial")

        def run(body: Callable[[Any], None]) -> None:
            names.hold(variable, Known(0) if first is None else first)
            if first is not None:
                body(names.settled(names.value_of(variable)))

            def one(item: Any) -> None:
                old = self.p.cells.number(names.settled(names.value_of(variable)))
                names.hold(variable, self.p.numbers.operate("Add", old, self.p.cells.number(item)))
                body(names.settled(names.value_of(variable)))

            self.p.going.each(args[0], one)

        return Stream(run)

    def _permutations(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        b, cells, going = self.b, self.p.cells, self.p.going
        row = args[0] if going.is_sized(args[0]) else self._kept(scope, node, 0, args[0])
        length = cells.length(row)
        size = args[1] if len(args) > 1 else length
        if not isinstance(size, Known):
            raise cells.refuse("orders of a length that is not known")
        row = going.held(row)

        def run(body: Callable[[Any], None]) -> None:
            count = going.count(row)

            def go(places: list[Node]) -> None:
                if len(places) == size.value:
                    body(Group([going.at(row, each) for each in places]))
                    return
                with b.counting(number(0), count) as i:
                    new = b.both("and", [b.compare("NotEq", i, each) for each in places])
                    b.choose(new, lambda: go([*places, i]))

            go([])

        return Stream(run)

    def _str(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        cells = self.p.cells
        if cells.kind_of(args[0]) is str:
            return args[0]
        if not isinstance(cells.type_of(args[0]), Int):
            raise cells.refuse("str of what is no number")
        return self.p.texts.of_number(scope, node, args[0])

    def _chr(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        code = self.b.held(self.p.cells.number(args[0]))
        self.b.trap(
            self.b.both("or", [self.b.compare("Lt", code, 0), self.b.compare("Gt", code, 0xD7FF)])
        )
        return Node(code.kind, code.what, code.args, Char(), 0, 0xD7FF)

    def _unordered(self, heap: Any, value: Any) -> Any:
        objects, b = self.p.objects, self.b
        kind = None if isinstance(value, Stream) else self.p.cells.type_of(value)
        if (
            isinstance(kind, Bits)
            or (isinstance(value, Stream) and value.is_set)
            or (isinstance(kind, Ref) and kind.kind in (set, frozenset))
        ):
            ref = objects.new(heap, 8, -1)
            b.put(ref, number(0))
            self.p.going.each(value, lambda item: objects.append(ref, item), ordered=False)
            return ref
        return objects.collected(heap, value)

    def _tuple(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        if not args:
            return Known(())
        value, cells = args[0], self.p.cells
        if isinstance(value, Group):
            return Group(value.items)
        if isinstance(value, Known):
            return Known(tuple(value.value))
        kind = cells.kind_of(value)
        if kind is tuple:
            return value
        if self.p.expressions.is_set(value):
            raise cells.refuse("the order of a set")
        length = None if isinstance(value, Stream) and value.length is None else cells.length(value)
        key = self.p.expressions.key(scope, node)
        if isinstance(length, Known):
            row = (
                None
                if isinstance(value, Stream) or kind is not list or not isinstance(value, Node)
                else self.p.changes.row(value)
            )
            return row or self.p.going.fixed(key, value, tuple)
        return self.p.objects.collected(self.b.heap(key, tuple), value)

    def _list(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        heap = self.b.heap(self.p.expressions.key(scope, node), list)
        if not args:
            return self.p.objects.of_items(heap, [])
        if self.p.expressions.is_set(args[0]):
            raise self.p.cells.refuse("the order of a set")
        return self.p.objects.collected(heap, args[0])

    def _set(self, kind: type, scope: Any, node: Any, args: Any, named: Any) -> Any:
        if (
            args
            and kind is frozenset
            and (
                isinstance(self.p.cells.type_of(args[0]), Bits)
                and self.p.cells.kind_of(args[0]) is frozenset
            )
        ):
            return args[0]
        heap = self.b.heap(self.p.expressions.key(scope, node), kind)
        return self.p.objects.collected(heap, args[0] if args else Known(()), is_set=True)

    def _int(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        b, cells = self.b, self.p.cells
        if len(args) != 1:
            raise cells.refuse("int of a base")
        if isinstance(cells.type_of(args[0]), Char):
            code = cells.scalar(args[0], Char())
            b.trap(b.both("or", [b.compare("Lt", code, 48), b.compare("Gt", code, 57)]))
            return Node("binary", "Sub", [code, number(48)], INT, 0, 9)
        if cells.kind_of(args[0]) is str:
            return self.p.texts.number(self.p.going.solid(args[0]))
        return cells.number(args[0])

    def _ord(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        code = self.p.cells.scalar(args[0], Char())
        return Node(code.kind, code.what, code.args, INT, 0, 0x10FFFF)

    def _divmod(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        one, other = (self.b.held(self.p.cells.number(each)) for each in args)
        return Group([self.p.numbers.operate(sign, one, other) for sign in ("FloorDiv", "Mod")])

    def _dict(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        b, cells, objects = self.b, self.p.cells, self.p.objects
        ref = objects.new(b.heap(self.p.expressions.key(scope, node), dict), 8, -1)
        b.put(ref, number(0))
        if args:
            value = args[0]
            if isinstance(value, Known) and isinstance(value.value, dict):
                value = Known(tuple(value.value.items()))
            elif cells.kind_of(value) is dict and not isinstance(value, Stream):
                value = self.p.methods.items(value)
            self.p.going.each(value, lambda item: objects.put_key(ref, *self._pair(item)))
        for title, value in named.items():
            objects.put_key(ref, Known(title), value)
        return ref

    def _defaults(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        self._none(named)
        if (
            len(args) != 1
            or not isinstance(args[0], Known)
            or args[0].value not in (int, list, set)
        ):
            raise self.p.cells.refuse("a dict with values of another kind")
        heap = self.b.heap((*self.p.expressions.key(scope, node), args[0].value), dict)
        heap.default = args[0].value
        ref = self.p.objects.new(heap, 8, -1)
        self.b.put(ref, number(0))
        return ref

    def _counter(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        self._none(named)
        b, cells, objects = self.b, self.p.cells, self.p.objects
        heap = b.heap(self.p.expressions.key(scope, node), dict)
        heap.default = collections.Counter
        ref = objects.new(heap, 8, -1)
        b.put(ref, number(0))
        if args:
            if cells.kind_of(args[0]) is dict:
                raise cells.refuse("counts of a dict")

            def one(item: Any) -> None:
                item = self.p.names.settled(self.p.going.solid(item))
                self.p.going.path = (*self.p.expressions.key(scope, node), "each")
                old = cells.number(self.p.expressions.by_default(ref, item))
                objects.put_key(ref, item, self.p.numbers.small(b.plus(old, 1)))

            self.p.going.each(args[0], one)
        return ref

    def _pair(self, item: Any) -> tuple[Any, Any]:
        return self.p.cells.part(item, 0), self.p.cells.part(item, 1)

    def _map(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        function, *rows = args
        value = rows[0] if len(rows) == 1 else self.p.going.zipped(rows, strict=False)

        def apply(item: Any) -> Any:
            given = [item] if len(rows) == 1 else item.items
            fake = ast.copy_location(
                ast.Call(
                    ast.Name(
                        getattr(getattr(function, "value", None), "__name__", "map"), ast.Load()
                    ),
                    [],
                    [],
                ),
                node,
            )
            return self.applied(function, given, fake, scope)

        def run(body: Callable[[Any], None]) -> None:
            self.p.going.each(value, lambda item: body(apply(item)))

        sized = self.p.going.is_sized(value)
        return Stream(
            run,
            self.p.cells.length(value) if sized else None,
            None,
            self.p.expressions.is_set(value),
        )

    def _filter(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        function, value = args

        def run(body: Callable[[Any], None]) -> None:
            def one(item: Any) -> None:
                if isinstance(function, Known) and function.value is None:
                    test = self.p.cells.truth(item)
                else:
                    test = self.p.cells.truth(self.applied(function, [item], node, scope))
                self.b.choose(test, lambda: body(item))

            self.p.going.each(value, one)

        return Stream(run)

    def _next(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        b, names = self.b, self.p.names
        value = args[0]
        is_set = isinstance(value, Stream) and value.is_set
        if isinstance(node.args[0], ast.Name) or not isinstance(value, Stream):
            raise self.p.cells.refuse("next of a name")
        variable = b.variable(self.p.expressions.key(scope, node, "next"))
        with b.block() as label:

            def one(item: Any) -> None:
                if is_set:
                    b.trap(b.compare("Gt", self.p.going.count(value), 1))
                names.hold(variable, item)
                b.leave(label)

            self.p.going.each(value, one, ordered=not is_set)
            if len(args) > 1:
                names.hold(variable, args[1])
            else:
                b.trap()
        return names.settled(names.value_of(variable))

    def _isinstance(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        cells = self.p.cells
        kind = cells.kind_of(args[0])
        of = args[1].value if isinstance(args[1], Known) else None
        if of is None or kind is None or isinstance(cells.type_of(args[0]), type(None)):
            raise cells.refuse("isinstance")
        return Known(issubclass(kind, of))

    def _gcd(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        if len(args) != 2:
            raise self.p.cells.refuse("gcd")
        found = [self.p.cells.number(each) for each in args]
        most = max(abs(e) for n in found for e in (n.low, n.high))
        return self.b.held(Node("call", ("gcd",), found, INT, 0, most))

    def _product(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        self._none(named, "repeat")
        rows = args * named["repeat"].value if "repeat" in named else args
        rows = [
            self.p.going.held(each)
            if self.p.going.is_sized(each)
            else self._kept(scope, node, i, each)
            for i, each in enumerate(rows)
        ]

        def run(body: Callable[[Any], None]) -> None:
            def go(i: int, items: list[Any]) -> None:
                if i == len(rows):
                    body(Group(items))
                    return
                self.p.going.each(rows[i], lambda item: go(i + 1, [*items, item]))

            go(0, [])

        return Stream(run)

    def _kept(self, scope: Any, node: Any, i: int, value: Any) -> Any:
        key = self.p.expressions.key(scope, node, f"kept{i}")
        return self.p.objects.collected(self.b.heap(key, list), value)

    def _combinations(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        b = self.b
        row = args[0] if self.p.going.is_sized(args[0]) else self._kept(scope, node, 0, args[0])
        row = self.p.going.held(row)
        if not isinstance(args[1], Known):
            return self._some(row, self.p.cells.number(args[1]))
        size = args[1].value

        def run(body: Callable[[Any], None]) -> None:
            count = self.p.going.count(row)

            def go(left: int, low: Node, items: list[Any]) -> None:
                if not left:
                    body(Group(items))
                    return
                with b.counting(low, b.minus(count, left - 1)) as i:
                    b.alone(lambda: go(left - 1, b.plus(i, 1), [*items, self.p.going.at(row, i)]))

            go(size, number(0), [])

        return Stream(run)

    def _some(self, row: Any, size: Node) -> Stream:
        """Combinations of a size that is found."""
        b, going, objects = self.b, self.p.going, self.p.objects
        size = b.held(size)

        def run(body: Callable[[Any], None]) -> None:
            count = b.held(going.count(row))
            b.trap(b.compare("Lt", size, 0))
            at = objects._taken(size)
            with b.counting(number(0), size) as i:
                b.put(b.plus(at, i), i)
            with b.block() as label, b.endless():
                b.choose(b.compare("Gt", size, count), lambda: b.leave(label))

                def item(i: Node) -> Any:
                    place = b.load(FRAME, b.plus(at, i), INT)
                    return going.at(row, Node(place.kind, place.what, place.args, INT, 0, 1 << 20))

                def each(inner: Callable[[Any], None]) -> None:
                    with b.counting(number(0), size) as i:
                        b.alone(lambda: inner(item(i)))

                made = Stream(
                    each, Node(size.kind, size.what, size.args, INT, 0, 1 << 20), item, kind=tuple
                )
                b.alone(lambda: body(self.p.going.solid(made)))
                more = Node("call", ("next_combination", FRAME), [at, size, count], BOOL, 0, 1)
                b.choose(b.negated(b.held(more)), lambda: b.leave(label))

        return Stream(run)

    def _chain(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        made = self.p.going.chained(args, None)
        return Stream(made.run, made.length)

    def _chain_from(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        def run(body: Callable[[Any], None]) -> None:
            self.p.going.each(args[0], lambda row: self.p.going.each(row, body))

        return Stream(run)

    def _pairwise(self, scope: Any, node: Any, args: Any, named: Any) -> Any:
        one = self.p.going.sliced(args[0], [None, Known(-1), None], tuple)
        other = self.p.going.sliced(args[0], [Known(1), None, None], tuple)
        return self.p.going.zipped([one, other], strict=False)
