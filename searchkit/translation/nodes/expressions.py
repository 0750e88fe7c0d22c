"""Expressions of the author's, one function for each kind of the syntax tree."""

from __future__ import annotations

import ast
import collections
import operator
import types as python_types
from collections.abc import Callable
from typing import Any

from searchkit.translation.nodes.build import Bottom
from searchkit.translation.nodes.lattice import Ref
from searchkit.translation.nodes.node import BOOL, INT, Node, name, number
from searchkit.translation.nodes.scope import Scope
from searchkit.translation.nodes.values import (
    Chosen,
    Function,
    Group,
    Known,
    Method,
    Row,
    Stream,
    View,
)
from searchkit.translation.types import (
    NONE,
    Atom,
    Bits,
    Bool,
    Char,
    Int,
    Maybe,
    Record,
    Seq,
    names_of,
)

_COMPARE = {
    "Eq": operator.eq, "NotEq": operator.ne, "Lt": operator.lt, "LtE": operator.le,
    "Gt": operator.gt, "GtE": operator.ge, "Is": operator.is_, "IsNot": operator.is_not,
    "In": lambda a, b: a in b, "NotIn": lambda a, b: a not in b,
}  # fmt: skip
_OPERATE = {
    "Add": operator.add, "Sub": operator.sub, "Mult": operator.mul, "FloorDiv": operator.floordiv,
    "Mod": operator.mod, "BitAnd": operator.and_, "BitOr": operator.or_, "BitXor": operator.xor,
    "LShift": operator.lshift, "RShift": operator.rshift, "Pow": operator.pow, "Div": operator.truediv,
}  # fmt: skip
_METHODS = {
    "Add": "add", "Sub": "sub", "Mult": "mul", "FloorDiv": "floordiv", "Mod": "mod", "BitAnd": "and",
    "BitOr": "or", "BitXor": "xor", "LShift": "lshift", "RShift": "rshift", "Pow": "pow", "Div": "truediv",
}  # fmt: skip
PLAIN = (int, bool, str, tuple, frozenset, float, type(None), bytes)


class Expressions:
    """Makes values of expressions."""

    def __init__(self, build: Any, parts: Any) -> None:
        self.b, self.p = build, parts
        self.ways: dict[type, Callable[[Scope, Any], Any]] = {
            ast.Constant: lambda scope, node: Known(node.value),
            ast.Name: parts.names.read,
            ast.Tuple: self.row, ast.List: self.list, ast.Set: self.set, ast.Dict: self.dict,
            ast.BinOp: self.binary, ast.UnaryOp: self.unary, ast.BoolOp: self.both,
            ast.Compare: self.compare, ast.IfExp: self.choice, ast.Subscript: self.subscript,
            ast.Attribute: self.attribute, ast.Call: parts.calls.call, ast.Lambda: self.function,
            ast.GeneratorExp: self.generator, ast.ListComp: self.comprehension,
            ast.SetComp: self.comprehension, ast.DictComp: self.dict_comprehension,
            ast.NamedExpr: self.named, ast.JoinedStr: self.text,
        }  # fmt: skip

    def key(self, scope: Scope, node: ast.AST, what: str = "") -> Any:
        """What a place of the program is called in all rounds."""
        return (scope.path, node.lineno, node.col_offset, type(node).__name__, what)

    def value(self, scope: Scope, node: ast.expr) -> Any:
        """What an expression comes to."""
        way = self.ways.get(type(node))
        if way is None:
            raise self.p.cells.refuse(f"the expression {type(node).__name__}")
        self.p.going.path = (scope.path, node.lineno, node.col_offset)
        found = way(scope, node)
        self.p.going.path = (scope.path, node.lineno, node.col_offset)
        return found

    def solid(self, scope: Scope, node: ast.expr) -> Any:
        """The same; rows that are made on the way are kept."""
        found = self.value(scope, node)
        if isinstance(found, Stream):
            self.p.going.path = (*self.key(scope, node), "solid")
        return self.p.going.solid(found)

    def test(self, scope: Scope, node: ast.expr) -> Node:
        """Whether an expression is true."""
        cells = self.p.cells
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.b.negated(self.test(scope, node.operand))
        if isinstance(node, ast.BoolOp):
            is_and = isinstance(node.op, ast.And)
            found = self.test(scope, node.values[0])
            return self._tests(scope, found, node.values[1:], is_and)
        return cells.truth(self.p.expressions.value(scope, node))

    def _tests(self, scope: Scope, found: Node, rest: list[ast.expr], is_and: bool) -> Node:
        b = self.b
        for each in rest:
            test = found if is_and else b.negated(found)

            def make(each: ast.expr = each) -> Node:
                inner = self.test(scope, each)
                return inner if is_and else b.negated(inner)

            found = self.p.cells.then(test, make)
            found = found if is_and else b.negated(found)
        return found

    # Displays

    def items(self, scope: Scope, nodes: list[ast.expr]) -> tuple[list[Any], bool]:
        """Values of a display, and whether some of them are starred."""
        made, is_starred = [], False
        for each in nodes:
            if isinstance(each, ast.Starred):
                is_starred = True
                made.append((True, self.value(scope, each.value)))
            else:
                value = self.solid(scope, each)
                made.append((False, value))
        return made, is_starred

    def row(self, scope: Scope, node: ast.Tuple) -> Any:
        made, is_starred = self.items(scope, node.elts)
        if is_starred:
            return self.starred(made, tuple)
        items = [each for _, each in made]
        if all(isinstance(each, Known) for each in items):
            return Known(tuple(each.value for each in items))
        return Group(items)

    def starred(self, made: list[tuple[bool, Any]], kind: type) -> Any:
        """A display with starred items, as a sum."""
        fixed: list[Any] = []
        for is_star, each in made:
            if not is_star:
                fixed.append(each)
                continue
            items = self.spread(each)
            if items is None:
                break
            fixed += items
        else:
            if all(isinstance(each, Known) for each in fixed) and kind is tuple:
                return Known(tuple(each.value for each in fixed))
            return Group(fixed, tuple)
        parts = [each if star else Group([each]) for star, each in made]
        found = self.p.going.chained(parts, kind)
        found.chain = parts
        return found

    def spread(self, value: Any) -> list[Any] | None:
        """The items of a value as values, where they are few."""
        cells = self.p.cells
        if isinstance(value, Known) and isinstance(value.value, (tuple, list, str, dict)):
            return [Known(each) for each in value.value]
        if isinstance(value, Group):
            return list(value.items)
        if isinstance(value, Row):
            return [cells.part(value, i) for i in range(cells.length(value).value)]
        return None

    def list(self, scope: Scope, node: ast.List) -> Any:
        made, is_starred = self.items(scope, node.elts)
        if made and all(isinstance(e, Known) and not s for s, e in made):
            found = self.b.shown(self.key(scope, node), [each.value for _, each in made])
            if found is not None:
                return found
        heap = self.b.heap(self.key(scope, node), list)
        if is_starred:
            return self.p.objects.collected(heap, self.starred(made, list))
        return self.p.objects.of_items(heap, [each for _, each in made])

    def set(self, scope: Scope, node: ast.Set) -> Any:
        made, _ = self.items(scope, node.elts)
        if all(isinstance(each, Known) and not star for star, each in made):
            return self._new_set(scope, node, Known(tuple(each.value for _, each in made)))
        return self._new_set(scope, node, self.starred(made, tuple))

    def _new_set(self, scope: Scope, node: ast.AST, value: Any) -> Any:
        heap = self.b.heap(self.key(scope, node), set)
        return self.p.objects.collected(heap, value, is_set=True)

    def dict(self, scope: Scope, node: ast.Dict) -> Any:
        if None in node.keys:
            raise self.p.cells.refuse("** in a dict")
        pairs = [
            (self.solid(scope, k), self.solid(scope, v))
            for k, v in zip(node.keys, node.values, strict=True)
        ]
        is_known = all(isinstance(each, Known) for pair in pairs for each in pair)
        if pairs and is_known:
            try:
                table = {key.value: value.value for key, value in pairs}
            except TypeError:
                self.b.trap()
                raise Bottom from None
            found = self.b.shown(self.key(scope, node), table)
            if found is not None:
                return found
        ref = self.p.objects.new(self.b.heap(self.key(scope, node), dict), max(4, len(pairs)), -1)
        self.b.put(ref, number(0))
        for key, value in pairs:
            self.p.objects.put_key(ref, key, value)
        return ref

    def text(self, scope: Scope, node: ast.JoinedStr) -> Any:
        """A text that is put together."""
        made: list[Any] = []
        for each in node.values:
            if isinstance(each, ast.Constant):
                made.append(Known(each.value))
                continue
            value = self.solid(scope, each.value)  # type: ignore[attr-defined]
            given = each.format_spec  # type: ignore[attr-defined]
            if each.conversion != -1 or (
                given is not None and not all(isinstance(e, ast.Constant) for e in given.values)
            ):  # type: ignore[attr-defined]
                raise self.p.cells.refuse("formats a value in its own way")
            form = "" if given is None else "".join(e.value for e in given.values)
            if isinstance(value, Known) and isinstance(value.value, (int, str)):
                made.append(Known(format(value.value, form)))
            elif self.p.cells.kind_of(value) is str and not form:
                made.append(value)
            elif isinstance(self.p.cells.type_of(value), Int) and form.rstrip("d").isdigit() | (
                form == ""
            ):
                digits = form.rstrip("d")
                if digits and digits[0] != "0":
                    raise self.p.cells.refuse("fills with blanks")
                made.append(self.p.texts.of_number(scope, each, value, int(digits or 1)))
            else:
                raise self.p.cells.refuse("formats what is no number")
        return self.p.going.chained(made, str)

    # Operators

    def binary(self, scope: Scope, node: ast.BinOp) -> Any:
        return self.operate(
            scope, node, self.value(scope, node.left), node.op, self.value(scope, node.right)
        )

    def operate(self, scope: Scope, node: Any, one: Any, op: ast.operator, other: Any) -> Any:
        """An operator of two values."""
        sign, cells, b = type(op).__name__, self.p.cells, self.b
        if any(isinstance(e, Known) and isinstance(e.value, View) for e in (one, other)):
            raise cells.refuse("an operator of the items of a dict")
        if isinstance(one, Known) and isinstance(other, Known):
            if isinstance(one.value, PLAIN) and isinstance(other.value, PLAIN):
                try:
                    return Known(_OPERATE[sign](one.value, other.value))
                except (ArithmeticError, TypeError, ValueError, KeyError):
                    b.trap()
                    raise Bottom from None
            if isinstance(one.value, (set, frozenset)) and isinstance(
                other.value, (set, frozenset)
            ):
                return Known(_OPERATE[sign](one.value, other.value))
        kinds = [cells.kind_of(each) if not isinstance(each, Stream) else each.kind
                 for each in (one, other)]  # fmt: skip
        if any(each in (set, frozenset) for each in kinds):
            if not all(each in (set, frozenset) for each in kinds):
                raise cells.refuse("a set and another value")
            return self.p.sets.operate(sign, one, other, self.key(scope, node))
        rows = (tuple, list, str)
        if sign == "Add" and kinds[0] in rows and kinds[0] is kinds[1]:
            if kinds[0] is list:
                heap = b.heap(self.key(scope, node), list)
                return self.p.objects.collected(heap, self.p.going.chained([one, other], list))
            items = [self.spread(each) for each in (one, other)]
            if kinds[0] is tuple and None not in items:
                return Group([*items[0], *items[1]])
            parts = []
            for each in (one, other):
                parts += getattr(each, "chain", [each])
            made = self.p.going.chained(parts, kinds[0])
            made.chain = parts
            return made
        if sign == "Mult" and (kinds[0] in rows or kinds[1] in rows):
            if kinds[1] in rows:
                one, other, kinds = other, one, kinds[::-1]
            return self._repeated(scope, node, one, other, kinds[0])
        if sign == "Div":
            raise cells.refuse("divides")
        if kinds == [dict, dict] and sign == "BitOr":
            made = self.p.objects.new(b.heap(self.key(scope, node), dict), 8, -1)
            b.put(made, number(0))
            for each in (one, other):
                pairs = (
                    Known(tuple(each.value.items()))
                    if isinstance(each, Known)
                    else self.p.methods.items(b.held(each))
                )
                self.p.going.each(
                    pairs,
                    lambda pair: self.p.objects.put_key(
                        made, cells.part(pair, 0), cells.part(pair, 1)
                    ),
                )
            return made
        own = _METHODS.get(sign)
        for owner, beside, title in ((one, other, f"__{own}__"), (other, one, f"__r{own}__")):
            function = getattr(cells.kind_of(owner), title, None)
            if isinstance(function, python_types.FunctionType):
                return self.p.calls.run(
                    Function(None, None, function, owner, None), [beside], {}, node, scope
                )
        return self.p.numbers.operate(sign, cells.number(one), cells.number(other))

    def _repeated(self, scope: Scope, node: Any, row: Any, times: Any, kind: type) -> Any:
        b, cells, going = self.b, self.p.cells, self.p.going
        count = going.count(going.counted([times]))
        length = cells.length(row)

        def run(body: Callable[[Any], None]) -> None:
            with b.counting(number(0), count):
                b.alone(lambda: going.each(row, body))

        if isinstance(length, Known):
            total = b.held(b.times(count, length.value))
        else:
            total = b.held(self.p.numbers.operate("Mult", count, b.held(length)))
        made = Stream(run, Known(total.what) if total.kind == "number" else total)
        made.kind = kind
        if kind is list:
            return self.p.objects.collected(b.heap(self.key(scope, node), list), made)
        return made

    def unary(self, scope: Scope, node: ast.UnaryOp) -> Any:
        if isinstance(node.op, ast.Not):
            found = self.test(scope, node)
            return Known(bool(found.what)) if found.kind == "number" else found
        value = self.value(scope, node.operand)
        if isinstance(value, Known) and isinstance(value.value, (int, float)):
            ways = {"USub": operator.neg, "UAdd": operator.pos, "Invert": operator.invert}
            return Known(ways[type(node.op).__name__](value.value))
        title = {"USub": "__neg__", "UAdd": "__pos__", "Invert": "__invert__"}[
            type(node.op).__name__
        ]
        own = getattr(self.p.cells.kind_of(value), title, None)
        if isinstance(own, python_types.FunctionType):
            return self.p.calls.run(Function(None, None, own, value, None), [], {}, node, scope)
        found = self.p.cells.number(value)
        if isinstance(node.op, ast.UAdd):
            return found
        if isinstance(node.op, ast.USub):
            return self.p.numbers.operate("Sub", number(0), found)
        return self.p.numbers.operate("Sub", number(-1), found)

    def both(self, scope: Scope, node: ast.BoolOp) -> Any:
        """`and` and `or`, whose value is the last that was asked."""
        b, cells = self.b, self.p.cells
        is_and = isinstance(node.op, ast.And)
        values = list(node.values)
        value = self.solid(scope, values.pop(0))
        while values:
            if isinstance(value, Known):
                if bool(value.value) is not is_and:
                    return value
                value = self.solid(scope, values.pop(0))
                continue
            break
        if not values:
            return value
        kind = cells.type_of(value)
        if isinstance(kind, Bool):
            body: list[Node] = []
            rest = [ast.BoolOp(node.op, values)] if len(values) > 1 else values
            for each in rest:
                ast.copy_location(each, node.values[-len(values)])
            with b.inside(body):
                try:
                    other = self.solid(scope, rest[0])
                    is_bool = isinstance(cells.type_of(other), Bool)
                except Bottom:
                    b.trap()
                    other, is_bool = number(0, BOOL), True
            if is_bool:
                found = cells.truth(other)
                found = found if is_and else b.negated(found)
                test = value if is_and else b.negated(value)
                found = cells.joined(test, body, found)
                return found if is_and else b.negated(found)
            variable = b.variable(self.key(scope, node, "value"))
            self.p.names.hold(variable, value)
            with b.inside(body):
                self.p.names.hold(variable, other)
            bodies = (body, []) if is_and else ([], body)
            b.emit(Node("if", None, [value], bodies=bodies))
            return self.p.names.value_of(variable)
        variable = b.variable(self.key(scope, node, "value"))
        self.p.names.hold(variable, value)
        with b.block() as label:
            for each in values:
                test = cells.truth(value)
                test = b.negated(test) if is_and else test
                b.choose(test, lambda: b.leave(label))
                value = self.solid(scope, each)
                self.p.names.hold(variable, value)
        return self.p.names.value_of(variable)

    def compare(self, scope: Scope, node: ast.Compare) -> Any:
        b, cells = self.b, self.p.cells
        left = self.value(scope, node.left)
        found: Any = None
        for i, (op, each) in enumerate(zip(node.ops, node.comparators, strict=True)):
            body: list[Node] = []
            with b.inside(body):
                try:
                    right = self.value(scope, each)
                    test = self.compared(left, type(op).__name__, right)
                except Bottom:
                    if not i:
                        self.b.body.append(Node("trap", None))
                        for one in body:
                            _ = one
                        raise
                    b.trap()
                    right, test = Known(0), number(0, BOOL)
            if not i:
                b.body.extend(body)
                found = test
            else:
                found = cells.joined(found, body, test)
            left = right
        return Known(bool(found.what)) if found.kind == "number" else found

    def compared(self, one: Any, sign: str, other: Any) -> Node:
        """One comparison."""
        b, cells = self.b, self.p.cells
        if sign not in ("In", "NotIn") and any(
            isinstance(e, Known) and isinstance(e.value, View) for e in (one, other)
        ):
            raise cells.refuse("compares the items of a dict")
        if isinstance(one, Known) and isinstance(other, Known):
            return number(bool(_COMPARE[sign](one.value, other.value)), BOOL)
        if sign in ("NotIn", "NotEq", "IsNot"):
            turned = {"NotIn": "In", "NotEq": "Eq", "IsNot": "Is"}[sign]
            return b.negated(self.compared(one, turned, other))
        if sign == "In":
            return self.contains(one, other)
        if sign == "Is":
            kinds = [cells.type_of(each) for each in (one, other)]
            if not any(
                isinstance(each, Known) and (each.value is None or isinstance(each.value, bool))
                for each in (one, other)
            ) and not all(isinstance(each, (Atom, Bool)) for each in kinds):
                raise cells.refuse("is, of other values than None")
            for x, y in ((one, kinds[1]), (other, kinds[0])):
                if isinstance(x, Known) and isinstance(x.value, bool) and not isinstance(y, Bool):
                    raise cells.refuse("is True, of a number")
            sign = "Eq"
        one, other = self.p.going.solid(one), self.p.going.solid(other)
        if sign == "Eq":
            return cells.equal(one, other)
        return cells.ordered(sign, one, other)

    def contains(self, item: Any, value: Any) -> Node:
        """`in`."""
        b, cells = self.b, self.p.cells
        item = self.p.going.solid(item)
        bounds = getattr(value, "bounds", None)
        if bounds is not None and bounds[2] == 1:
            kind = cells.type_of(item)
            if isinstance(kind, (Int, Bool)):
                found = cells.number(item)
                return b.both(
                    "and", [b.compare("GtE", found, bounds[0]), b.compare("Lt", found, bounds[1])]
                )
        if isinstance(value, Known):
            if isinstance(value.value, (set, frozenset, dict)) or (
                isinstance(value.value, (tuple, list)) and len(value.value) > 2
            ):
                return b.compare("GtE", self.p.sets.known_place(list(value.value), item), 0)
            if isinstance(value.value, range):
                return b.compare("GtE", self.p.sets.known_place(list(value.value), item), 0)
            if not isinstance(value.value, (tuple, list, str)):
                raise cells.refuse(f"in {type(value.value).__name__}")
            if isinstance(value.value, str):
                if isinstance(cells.type_of(item), Char):
                    return b.compare("GtE", self.p.sets.known_place(list(value.value), item), 0)
                return self.p.texts.contains(item, value)
        if isinstance(value, Stream):
            return b.compare("GtE", self.p.objects.find(value, item), 0)
        if isinstance(value, Chosen):
            keys = [(n, key) for n, each in enumerate(value.values) for key in each]
            return b.compare("GtE", self.p.sets.known_place(keys, Group([value.at, item])), 0)
        if isinstance(value, Group):
            tests = [cells.equal(item, each) for each in value.items]
            return b.held(b.both("or", tests))
        kind = cells.typed(value)
        if isinstance(kind, Bits) or cells.kind_of(value) in (set, frozenset):
            return self.p.sets.contains(item, value)
        if cells.kind_of(value) is dict:
            return b.compare("GtE", self.p.objects.key_place(value, item), 0)
        if (
            cells.kind_of(value) is str
            and not isinstance(cells.type_of(item), Char)
            and not (isinstance(item, Known) and len(item.value) == 1)
        ):
            return self.p.texts.contains(item, value)
        return b.compare("GtE", self.p.objects.find(value, item), 0)

    def choice(self, scope: Scope, node: ast.IfExp) -> Any:
        """`a if test else b`."""
        b, cells = self.b, self.p.cells
        test = self.test(scope, node.test)
        if test.kind == "number":
            return self.value(scope, node.body if test.what else node.orelse)
        values, bodies = [], ([], [])
        for body, each in zip(bodies, (node.body, node.orelse), strict=True):
            with b.inside(body):
                try:
                    values.append(self.solid(scope, each))
                except Bottom:
                    b.trap()
                    values.append(None)
        present = [each for each in values if each is not None]
        if not present:
            b.emit(Node("if", None, [test], bodies=bodies))
            raise Bottom
        if any(cells.type_of(each) is None for each in present):
            if not any(bodies):
                raise cells.refuse("chooses what has no type")
            raise cells.refuse("chooses what has no type")
        sets = [each for each in present if isinstance(cells.type_of(each), Bits)]
        variable = b.variable(self.key(scope, node, "value"))
        for body, each in zip(bodies, values, strict=True):
            if each is not None:
                with b.inside(body):
                    if (
                        sets
                        and not isinstance(cells.type_of(each), Bits)
                        and cells.kind_of(each) in (set, frozenset)
                    ):
                        each = cells.as_type(each, cells.type_of(sets[0]))
                    self.p.names.hold(variable, each)
        b.emit(Node("if", None, [test], bodies=bodies))
        found = self.p.names.value_of(variable)
        return self.p.names.settled(found) if isinstance(found, (Node, Row)) else found

    def named(self, scope: Scope, node: ast.NamedExpr) -> Any:
        value = self.solid(scope, node.value)
        self.p.names.give(scope, node.target.id, value)
        return self.p.names.read(
            scope, ast.copy_location(ast.Name(node.target.id, ast.Load()), node)
        )

    # Parts

    def subscript(self, scope: Scope, node: ast.Subscript) -> Any:
        b, cells = self.b, self.p.cells
        value = self.value(scope, node.value)
        if isinstance(value, Known) and isinstance(value.value, View):
            raise cells.refuse("looks into the items of a dict")
        if isinstance(node.slice, ast.Slice):
            bounds = [
                None if e is None else self.value(scope, e)
                for e in (node.slice.lower, node.slice.upper, node.slice.step)
            ]
            bounds = [None if isinstance(e, Known) and e.value is None else e for e in bounds]
            kind = value.kind if isinstance(value, Stream) else cells.kind_of(value)
            kind = kind if kind in (list, str) else tuple
            found = self.p.going.sliced(value, bounds, kind)
            if kind is list and not isinstance(found, Known):
                return self.p.objects.collected(b.heap(self.key(scope, node), list), found)
            return found
        if isinstance(value, Stream) and value.kind is None:
            raise cells.refuse("looks into an iterator")
        i = self.solid(scope, node.slice)
        if cells.kind_of(value) is type(None):
            cells.present(value)
        own = (
            None
            if isinstance(value, (Known, Stream))
            else getattr(cells.kind_of(value), "__getitem__", None)
        )
        if isinstance(own, python_types.FunctionType):
            return self.p.calls.run(Function(None, None, own, value, None), [i], {}, node, scope)
        if (
            not isinstance(value, Known)
            and isinstance(cells.kind_of(value), type)
            and not isinstance(value, (Stream, Chosen))
        ) and not issubclass(cells.kind_of(value), (tuple, list, str, dict)):
            raise cells.refuse(f"looks into {cells.kind_of(value).__name__}")
        return self.item(value, i)

    def item(self, value: Any, i: Any) -> Any:
        """`value[i]`."""
        b, cells = self.b, self.p.cells
        if isinstance(value, Known):
            if isinstance(i, Known):
                try:
                    return Known(value.value[i.value])
                except (IndexError, KeyError, TypeError):
                    b.trap()
                    raise Bottom from None
            if isinstance(value.value, dict):
                return self.looked_up(value.value, i, None)
            return cells.item(value, cells.number(i))
        if isinstance(value, Stream):
            at = cells.index(cells.number(i), cells.length(value))
            return value.at(at) if value.at else self.item(self.p.going.solid(value), at)
        if isinstance(value, Chosen):
            table = {}
            for n, each in enumerate(value.values):
                pairs = each.items() if isinstance(each, dict) else enumerate(each)
                table |= {(n, key): found for key, found in pairs}
            if not all(isinstance(each, dict) for each in value.values):
                i = cells.index(cells.number(i), cells.length(value))
            return self.looked_up(table, Group([value.at, i]), None)
        value = cells.there(value)
        if cells.kind_of(value) is dict:
            if value.type.heap.default is not None:
                return self.by_default(value, self.p.names.settled(self.p.going.solid(i)))
            at = b.held(self.p.objects.key_place(value, i))
            b.trap(b.compare("Lt", at, 0))
            return cells.loaded(self.p.objects.value_place(value, at))
        return cells.item(value, cells.number(i))

    def by_default(self, value: Any, key: Any) -> Any:
        """A value of a dict that makes those which it lacks."""
        b, cells, objects, names = self.b, self.p.cells, self.p.objects, self.p.names
        factory = value.type.heap.default
        value = b.held(value)
        path = (*self.p.going.path, "default")
        if factory is collections.Counter:
            objects.check_key(cells.typed(key))
            variable = b.variable((*path, "count"))
            at = b.held(objects.key_place(value, key))
            b.choose(
                b.compare("GtE", at, 0),
                lambda: names.hold(variable, cells.loaded(objects.value_place(value, at))),
                lambda: names.hold(variable, Known(0)),
            )
            return names.settled(names.value_of(variable))
        at = b.held(objects.key_place(value, key))

        def add() -> None:
            if factory is int:
                made: Any = Known(0)
            elif factory is set:
                made = objects.collected(b.heap(path, set), Known(()), is_set=True)
            else:
                made = objects.of_items(b.heap(path, list), [])
            objects.put_key(value, key, made)

        b.choose(b.compare("Lt", at, 0), add)
        at = b.held(objects.key_place(value, key))
        b.trap(b.compare("Lt", at, 0))
        return cells.loaded(objects.value_place(value, at))

    def looked_up(self, table: Any, key: Any, other: Any) -> Any:
        """A value of a dict that is known; `other` where there is no such key."""
        b, cells = self.b, self.p.cells
        values = list(table.values())
        at = b.held(self.p.sets.known_place(list(table), key))
        if not values:
            if other is None:
                b.trap()
                raise Bottom
            return other
        item = b.type_of_items(values)
        if other is None:
            b.trap(b.compare("Lt", at, 0))
        elif (
            isinstance(other, Known)
            and item is not None
            and not isinstance(other.value, (list, dict, set))
        ):
            values = [*values, other.value]
            item = b.type_of_items(values)
            if item is not None:
                last = len(values) - 1
                at = b.held(
                    Node("choose", None, [b.compare("Lt", at, 0), number(last), at], INT, 0, last)
                )
        if item is None or (other is not None and not isinstance(other, Known)):
            if item is None:
                if other is not None or any(callable(each) for each in values):
                    raise cells.refuse("a dict of what has no type")
                return Chosen(values, at)
            variable = b.variable((*self.p.going.path, "looked up"))
            inside = lambda: self.p.names.hold(variable, self.at_known(values, item, at))  # noqa: E731
            b.choose(b.compare("GtE", at, 0), inside, lambda: self.p.names.hold(variable, other))
            return self.p.names.settled(self.p.names.value_of(variable))
        return self.at_known(values, item, at)

    def row_of(self, value: Chosen) -> Any:
        """The items of one of several values, in their order."""
        rows = [tuple(each) for each in value.values]
        item = self.b.type_of_items(rows)
        if item is None:
            raise self.p.cells.refuse("one of several values of no type")
        return self.at_known(rows, item, value.at)

    def at_known(self, values: list[Any], item: Any, at: Node) -> Any:
        """One of several values that are known."""
        b, cells = self.b, self.p.cells
        place = b.constant(Seq(item, len(values), len(values)), tuple(values))
        place.values = [tuple(values)]
        found = cells.loaded(cells.item_at(place, at))
        if isinstance(found, Node) and isinstance(item, (Int, Bool)):
            found = Node(
                found.kind, found.what, found.args, item, int(min(values)), int(max(values))
            )
        return found

    def attribute(self, scope: Scope, node: ast.Attribute) -> Any:
        return self.part_of(self.value(scope, node.value), node.attr, node)

    def part_of(self, value: Any, title: str, node: Any) -> Any:
        """`value.title`."""
        cells = self.p.cells
        if isinstance(value, Chosen):
            return Method(value, title)
        if isinstance(value, Known):
            if type(value.value) in (*PLAIN, list, dict, set, View, range):
                return Method(value, title)
            try:
                own = getattr(type(value.value), title, None)
                if isinstance(own, python_types.FunctionType) and not isinstance(value.value, type):
                    if title not in getattr(value.value, "__dict__", {}):
                        return Function(None, None, own, value, None)
                if isinstance(own, property) and own.fget is not None:
                    return self.p.calls.run(
                        Function(None, None, own.fget, value, None), [], {}, node
                    )
                if isinstance(value.value, tuple) and title in ("_replace", "index", "count"):
                    return Method(value, title)
                return Known(getattr(value.value, title))
            except AttributeError:
                raise cells.refuse(f"the attribute {title}") from None
        kind = cells.type_of(value)
        if isinstance(kind, Maybe):
            value = cells.there(value)
            kind = cells.type_of(value)
        of = cells.kind_of(value)
        if isinstance(value, Group) or isinstance(kind, Record):
            names = names_of(of) if of is not tuple else None
            if names and title in names:
                return cells.part(value, names.index(title))
        own = getattr(of, title, None) if of is not None else None
        if isinstance(own, python_types.FunctionType) and title != "_replace":
            return Function(None, None, own, value, None)
        if isinstance(own, property) and own.fget is not None:
            return self.p.calls.run(Function(None, None, own.fget, value, None), [], {}, node)
        if isinstance(kind, Atom) and kind.kind is not str:
            return self.of_atom(value, title)
        return Method(value, title)

    def of_atom(self, value: Node, title: str) -> Any:
        """An attribute of a member of an enumeration, or the like."""
        b, cells = self.b, self.p.cells
        kind = value.type.kind
        own = [each for each in b.atoms.values if kind is None or type(each) is kind]
        found = []
        for each in own:
            part = getattr(each, title, None)
            if callable(part):
                raise cells.refuse(f"calls {title} of a member")
            found.append(part)
        own, found = (
            zip(*[(o, f) for o, f in zip(own, found, strict=True)], strict=True)
            if own
            else ((), ())
        )
        return self.looked_up(dict(zip(own, found, strict=True)), value, None)

    # Functions and comprehensions

    def function(self, scope: Scope, node: ast.Lambda) -> Function:
        return Function(node, scope.site, None, None, scope)

    def loops(
        self,
        scope: Scope,
        generators: list[ast.comprehension],
        first: Any,
        body: Callable[[], None],
    ) -> None:
        """The loops of a comprehension."""
        head, *rest = generators
        if head.is_async:
            raise self.p.cells.refuse("async")
        b = self.b

        def one(item: Any) -> None:
            with b.block() as label:
                self.p.statements.assign(scope, head.target, item)
                for each in head.ifs:
                    test = self.test(scope, each)
                    b.choose(b.negated(test), lambda: b.leave(label))
                if rest:
                    self.loops(scope, rest, self.value(scope, rest[0].iter), body)
                else:
                    body()

        self.p.going.each(first, one, ordered=self.is_ordered)

    is_ordered = True

    def generator(self, scope: Scope, node: ast.GeneratorExp) -> Any:
        return self.stream_of(scope, node, node.elt)

    def stream_of(self, scope: Scope, node: Any, elt: ast.expr) -> Any:
        """What a comprehension goes through."""
        first = self.value(scope, node.generators[0].iter)

        def run(body: Callable[[Any], None]) -> None:
            self.loops(scope, node.generators, first, lambda: body(self.value(scope, elt)))

        one = node.generators[0]
        length = None
        is_set = self.is_set(first)
        if len(node.generators) == 1 and not one.ifs and not is_set:
            if not isinstance(first, Stream) or first.length is not None:
                kind = self.p.cells.kind_of(first)
                if isinstance(first, Stream) or kind not in (dict, set):
                    length = self.p.cells.length(first)
        made = Stream(run, length)
        made.node = node
        if is_set:
            self.p.calls.check_pure(scope, node)
            inner = run

            def unordered(body: Callable[[Any], None]) -> None:
                was, self.is_ordered = self.is_ordered, False
                try:
                    inner(body)
                finally:
                    self.is_ordered = was

            made = Stream(unordered, length, is_set=True)
        return made

    def is_set(self, value: Any) -> bool:
        """Whether the order of items is not known."""
        if isinstance(value, Stream):
            return value.is_set
        if isinstance(value, Known):
            return False
        return self.p.cells.kind_of(value) in (set, frozenset)

    def comprehension(self, scope: Scope, node: Any) -> Any:
        stream = self.stream_of(scope, node, node.elt)
        if isinstance(node, ast.SetComp):
            return self._new_set(scope, node, stream)
        heap = self.b.heap(self.key(scope, node), list)
        if stream.is_set:
            raise self.p.cells.refuse("the order of a set")
        return self.p.objects.collected(heap, stream)

    def dict_comprehension(self, scope: Scope, node: ast.DictComp) -> Any:
        b = self.b
        ref = self.p.objects.new(b.heap(self.key(scope, node), dict), 8, -1)
        b.put(ref, number(0))
        first = self.value(scope, node.generators[0].iter)
        self.loops(
            scope, node.generators, first,
            lambda: self.p.objects.put_key(ref, self.solid(scope, node.key), self.solid(scope, node.value)),
        )  # fmt: skip
        return ref


_ = (NONE, Ref, name)
