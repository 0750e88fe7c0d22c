"""Expressions of the author's, by what they are."""

from __future__ import annotations

import ast
import builtins
import enum
import types
from collections.abc import Callable, MutableMapping, MutableSequence, MutableSet
from enum import EnumType
from typing import Any, TypeVar

from searchkit.kernel_language import trees
from searchkit.translation.arithmetic import UNARY
from searchkit.translation.comparison import FALSE, known_truth, without_view
from searchkit.translation.counted import Counted
from searchkit.translation.effects import may_change
from searchkit.translation.lookups import Lookups
from searchkit.translation.naming import describe, written
from searchkit.translation.scopes import flag_of
from searchkit.translation.types import Atom, Bool, Int, Record
from searchkit.translation.values import (
    Function,
    Items,
    Joined,
    Known,
    Place,
    Round,
    Scalar,
    Stream,
    Value,
)

ROWS = (tuple, list, str)
T = TypeVar("T")


class Expressions(Lookups):
    """What expressions stand for."""

    # Of classes further down

    called: Callable[[Function, list[Value], dict[str, Value]], Value]
    assign_target: Callable[[ast.expr, Value], None]
    formatted: Callable[[Value, str], Value]
    as_text: Callable[[Value], Value]
    _method_of: Callable[[type, str, Value], Value]

    author: Any
    counters: Counted

    def value(self, node: ast.expr) -> Value:
        """The value of an expression."""
        before, self.node = self.node, node
        make: Callable[[Any], Value] | None = getattr(
            self, f"_of_{type(node).__name__.lower()}", None
        )
        if make is None:
            kind = type(node).__name__
            raise self.refuse(f"uses `{written(node):.40}` ({kind})", "write it another way")
        found = make(node)
        self.node = before
        return found

    def values(self, nodes: list[ast.expr]) -> list[Value]:
        """The values of expressions, from left to right; later ones may change lists."""
        changes = [any(map(may_change, trees.nodes(each))) for each in nodes]
        return [
            self.frozen(self.value(each)) if any(changes[i + 1 :]) else self.value(each)
            for i, each in enumerate(nodes)
        ]

    def frozen(self, value: Value) -> Value:
        """A value as it is now, but that lists stay the same lists."""
        if isinstance(value, Items):
            return Items(tuple(map(self.frozen, value.items)), value.kind)
        is_list = isinstance(value, Place) and self.is_mutable(value.type)
        return value if is_list or isinstance(value, Stream) else self.settled(value)

    def _of_constant(self, node: ast.Constant) -> Value:
        return Known(node.value)

    def check_set(self, node: ast.AST) -> None:
        """Leave the state to Python where a name was given no value."""
        if getattr(node, "is_unsure", False):
            flag = self.looked_up(flag_of(node.id))  # type: ignore[attr-defined]
            assert flag is not None
            self.trap(f"not {self.truth(flag).text}", UnboundLocalError)

    def _of_name(self, node: ast.Name) -> Value:
        self.check_set(node)
        found = self.looked_up(node.id)
        if found is not None:
            # What := changes later in the same expression has the value now.
            if node.id in self.scope.walrus:
                return self.settled(found)
            return self.taken(found, node.id) if getattr(node, "is_last", False) else found
        if node.id in self.scope.names:
            return Known(self.scope.names[node.id])
        if hasattr(builtins, node.id):
            return Known(getattr(builtins, node.id))
        raise self.refuse(f"uses {node.id}, which is not defined", "define it")

    def _of_namedexpr(self, node: ast.NamedExpr) -> Value:
        self.assign(node.target.id, self.value(node.value))
        found = self.looked_up(node.target.id)
        assert found is not None
        return self.settled(found)

    def attribute(self, value: Value, name: str) -> Value:
        """`value.name`."""
        if isinstance(value, Known):
            return self._attribute_of_known(value, name)
        if self.is_step(value):
            return self._of_step(value, Known({"state": 1, "cost": 2}.get(name)))
        if isinstance(value, Place) and isinstance(value.type, Record):
            if name in value.type.names:
                return self.loaded(self.field_of(value, value.type.names.index(name)))
            return self._method_of(value.type.kind, name, value)
        if isinstance(value, Items) and value.kind not in (tuple, list, str, set, frozenset):
            names = Record((), value.kind).names
            if name in names:
                found: Value = value.items[names.index(name)]
                return found
            return self._method_of(value.kind, name, value)
        if isinstance(value, Scalar) and isinstance(value.type, Atom):
            kind = value.type.kind
            of_kind = isinstance(kind, EnumType) and not issubclass(kind, enum.Flag)
            known = list(kind) if of_kind else self.atoms.values  # type: ignore[call-overload]
            members = [each for each in known if hasattr(each, name)]
            if members and not isinstance(members[0], str):
                return self.found_in_dict({each: getattr(each, name) for each in members}, value)
        raise self.refuse(
            f"uses .{name} of {describe(value)}",
            "use the items of tuples, or the fields of records",
        )

    def check_own(self, owner: Known, node: ast.expr) -> None:
        """Refuse to change a list, set or dict that the problem has, or the module."""
        if isinstance(owner.value, MutableMapping):
            cure = "use functools.cache, which machine code does without, or fill it in __init__"
        elif isinstance(owner.value, (MutableSequence, MutableSet)):
            cure = "leave it out: results have statistics"
        else:
            return
        what = f"changes `{written(node)}`, which lasts from one state to the next"
        raise self.refuse(what, cure)

    def of_member(self, value: Value) -> Value:
        """The number that a member of an enumeration is."""
        kind: Any = self.type_of(value).kind
        return self.found_in_dict({each: int(each) for each in kind}, value)

    def _attribute_of_known(self, value: Known, name: str) -> Value:
        owner = value.value
        self.counters.met |= {name} if self.counters.is_owner(owner) else set()
        static = getattr(type(owner), name, None)
        if isinstance(static, property) and static.fget is not None and owner is self.author:
            return self.called(Function(None, None, static.fget, value), [], {})
        if isinstance(static, types.FunctionType) and name not in getattr(owner, "__dict__", ()):
            found = getattr(owner, name)
            if isinstance(found, types.MethodType) and found.__func__ is static:
                return Function(None, None, static, value)
        return self.asked(getattr, owner, name)

    # Items, slices

    def _of_subscript(self, node: ast.Subscript) -> Value:
        owner = self.value(node.value)
        if isinstance(node.slice, ast.Slice):
            lower, upper, step = (
                Known(None) if each is None else self.value(each)
                for each in (node.slice.lower, node.slice.upper, node.slice.step)
            )
            return self.sliced(owner, (lower, upper, step))
        return self.indexed(owner, self.value(node.slice))

    # Displays

    def _items(self, nodes: list[ast.expr], kind: type) -> Value:
        parts: list[Value] = []
        values = self.values([n.value if isinstance(n, ast.Starred) else n for n in nodes])
        for each, value in zip(nodes, values, strict=True):
            inner = value
            if isinstance(each, ast.Starred):
                if not isinstance(inner, (Items, Joined)) or inner.kind in (set, frozenset):
                    inner = self.collected(inner, kind)
                parts.append(
                    inner._replace(kind=kind) if isinstance(inner, (Items, Joined)) else inner
                )
            else:
                parts.append(Items((inner,), kind))
        return self.behind_each_other(parts, kind) if parts else Items((), kind)

    def _of_tuple(self, node: ast.Tuple) -> Value:
        found = self._items(node.elts, tuple)
        if isinstance(found, Items) and all(isinstance(each, Known) for each in found.items):
            return Known(tuple(each.value for each in found.items))
        return found

    def _of_list(self, node: ast.List) -> Value:
        return self._items(node.elts, list)

    def _of_set(self, node: ast.Set) -> Value:
        found = self._items(node.elts, list)
        if isinstance(found, Items):
            return Items(found.items, set)
        return self.collected(found, set)

    # Operators

    def _of_binop(self, node: ast.BinOp) -> Value:
        left, right = self.values([node.left, node.right])
        return self.combined(node.op, left, right)

    def combined(self, op: ast.operator, left: Value, right: Value) -> Value:
        """A binary operator on values of any kind."""
        if isinstance(op, (ast.Add, ast.Mult)):
            left, right = (self.spelt(e) if self.is_word(e) else e for e in (left, right))  # type: ignore[arg-type]
        left, right = without_view(left), without_view(right)
        kinds = self.kind_of(left), self.kind_of(right)
        if self.is_any_set(left) or self.is_any_set(right):
            return self.combined_sets(op, left, right)
        if isinstance(op, ast.Add) and any(each in ROWS for each in kinds):
            return self.joined_sequences(left, right)
        if isinstance(op, ast.Mult):
            for one, other in ((left, right), (right, left)):
                if self.kind_of(one) in ROWS:
                    if isinstance(one, Known) and isinstance(other, Known):
                        break
                    return self.repeated(one, other)
        return self.binary(op, left, right)

    def _of_unaryop(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            return self.negated(self.test(node.operand))
        return self.unary(node.op, self.value(node.operand))

    def unary(self, op: ast.unaryop, value: Value) -> Value:
        """`-`, `+` or `~`."""
        if isinstance(value, Known):
            return self.asked(UNARY[type(op)], value.value)
        if isinstance(op, ast.USub):
            return self.negative(value)
        if isinstance(op, ast.Invert):
            return self.inverted(value)
        return self.number(value, "uses + on")._replace(type=Int())

    def _of_compare(self, node: ast.Compare) -> Value:
        return self.chain(self.value(node.left), list(zip(node.ops, node.comparators, strict=True)))

    def chain(self, left: Value, rest: list[tuple[ast.cmpop, ast.expr]]) -> Scalar:
        """A chain of comparisons: what follows one that fails is not evaluated."""
        (op, node), *others = rest
        if any(may_change(each) for _, every in rest for each in trees.nodes(every)):
            left = self.frozen(left)
        right = self.value(node)
        if isinstance(op, (ast.In, ast.NotIn)):
            first = self.contains(right, left)
            if isinstance(op, ast.NotIn):
                first = self.negated(first)
        else:
            first = self.compared(op, left, right)
        if not others:
            return first
        right = self.frozen(right)
        return self.and_then(first, lambda: self.chain(right, others))

    def and_then(self, first: Scalar, second: Callable[[], Scalar]) -> Scalar:
        """Whether both hold; the second is evaluated where the first holds."""
        known = known_truth(first)
        if known is not None:
            return second() if known else FALSE
        with self.text.apart() as lines:
            found = second()
        if not lines:
            return self.both(first, found)
        result = self.text.temporary(first.text, "both")
        with self.text.block(f"if {result}:"):
            self.text.lines += lines
            self.text.line(f"{result} = {found.text}")
        return Scalar(Bool(), result, 0, 1)

    def or_else(self, first: Scalar, second: Callable[[], Scalar]) -> Scalar:
        """Whether either holds; the second is evaluated where the first does not."""
        return self.negated(self.and_then(self.negated(first), lambda: self.negated(second())))

    def test(self, node: ast.expr) -> Scalar:
        """Whether an expression holds."""
        if isinstance(node, ast.BoolOp):
            join = self.and_then if isinstance(node.op, ast.And) else self.or_else
            return join(self.test(node.values[0]), lambda: self.test(self._rest(node)))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.negated(self.test(node.operand))
        return self.truth(self.value(node))

    @staticmethod
    def _rest(node: ast.BoolOp) -> ast.expr:
        """What follows the first operand."""
        rest = node.values[1:]
        return rest[0] if len(rest) == 1 else ast.copy_location(ast.BoolOp(node.op, rest), node)

    def _of_boolop(self, node: ast.BoolOp) -> Value:
        first = self.value(node.values[0])
        with self.text.apart() as lines:
            rest = self.value(self._rest(node))
        is_and = isinstance(node.op, ast.And)
        if self.is_truth(first) and self.is_truth(rest):
            join = self.and_then if is_and else self.or_else
            return join(self.truth(first), lambda: self._behind(lines, self.truth(rest)))
        value = self.settled(first)
        ways: list[Callable[[], Value]] = [lambda: self._behind(lines, rest), lambda: value]
        return self.either(self.truth(value), *(ways if is_and else ways[::-1]))

    def _behind(self, lines: list[Any], value: T) -> T:
        """A value that was translated apart, with its lines, which stand here."""
        self.text.lines += lines
        return value

    def _of_ifexp(self, node: ast.IfExp) -> Value:
        return self.either(
            self.test(node.test), lambda: self.value(node.body), lambda: self.value(node.orelse)
        )

    def either(
        self, test: Scalar, first: Callable[[], Value], second: Callable[[], Value]
    ) -> Value:
        """One of two values, of which only that one is evaluated."""
        known = known_truth(test)
        if known is not None:
            return first() if known else second()
        with self.text.apart() as lines:
            one = first()
        with self.text.apart() as others:
            other = second()
        are_known = not lines and not others and isinstance(one, Known) and isinstance(other, Known)
        if are_known and (type(one.value), one.value) == (type(other.value), other.value):  # type: ignore[union-attr]
            return one
        both = isinstance(one, Items) and isinstance(other, Items) and one.kind is other.kind
        if both and len(one.items) == len(other.items) and not lines and not others:  # type: ignore[union-attr]
            pairs = zip(one.items, other.items, strict=True)  # type: ignore[union-attr]
            choice = self.kept(test)
            items = tuple(self.either(choice, lambda a=a: a, lambda b=b: b) for a, b in pairs)  # type: ignore[misc]
            return Items(items, one.kind)  # type: ignore[union-attr]
        kind = self.joined(self.type_of(one), self.type_of(other))
        if isinstance(kind, Bool) and not lines and not others:
            texts = [self.truth(each).text for each in (one, other)]
            return Scalar(kind, f"({texts[0]} if {test.text} else {texts[1]})", 0, 1)
        cell = self._cell(kind, "value")
        for end, block, value in ((f"if {test.text}:", lines, one), ("else:", others, other)):
            with self.text.block(end):
                self.text.lines += block
                self._write(cell, value)
        found = self._read(cell)
        if isinstance(found, Scalar) and isinstance(kind, Int):
            numbers = [self.number(each, "") for each in (one, other)]
            low, high = min(e.low for e in numbers), max(e.high for e in numbers)
            return found._replace(low=max(low, found.low), high=min(high, found.high))
        if isinstance(found, Place):
            is_fresh = not self.is_mutable(kind) or all(
                isinstance(each, (Items, Joined)) or getattr(each, "is_fresh", False)
                for each in (one, other)
            )
            return self.within_bounds(found, one, other)._replace(is_fresh=is_fresh)
        return found

    # Comprehensions

    def _generated(self, node: Any, element: Callable[[], Value]) -> Stream:
        """What a comprehension goes through."""
        scope = self.scope
        generators: list[ast.comprehension] = node.generators
        if any(each.is_async for each in generators):
            raise self.refuse("uses async", "use for")
        outer = self.stream(self.value(generators[0].iter))
        is_calm = not any(map(may_change, trees.nodes(node)))
        if len(generators) == 1 and not generators[0].ifs and outer.at is not None:
            at = outer.at

            def item(i: Scalar) -> Value:
                with self.inside(scope):
                    self._assign_calmly(generators[0].target, at(i), is_calm=is_calm)
                    return element()

            return outer._replace(at=item, is_iterator=True, row=None, known=None)

        places = [(scope.key, node, i) for i in range(len(generators))]

        def level(number: int, stream: Stream, body: Any, stop: Any) -> None:
            def one(value: Value, turn: Round) -> None:
                with self.inside(scope):
                    end = stop or turn.stop
                    each = generators[number]
                    self._assign_calmly(each.target, value, is_calm=is_calm)
                    self._under(each.ifs, lambda: further(number, Round(end, turn.next), body))

            self.run(stream, one)

        def further(number: int, turn: Round, body: Any) -> None:
            if number + 1 == len(generators):
                body(element(), turn)
                return
            inner = self.stream(self.value(generators[number + 1].iter))
            self.note_most(places[number + 1], inner)
            if not inner.is_ordered:
                self.facts.sets_within.add(places[number + 1])
            level(number + 1, inner, body, turn.stop)

        def each(body: Any) -> None:
            outside = self.scope

            def back(value: Value, turn: Round) -> None:
                with self.inside(outside):
                    body(value, turn)

            level(0, outer, back, None)

        most = self.most_at(places[1:], lambda: each(lambda value, turn: None))
        most *= max(1, self.most_of(outer))
        is_ordered = outer.is_ordered and self.facts.sets_within.isdisjoint(places)
        return Stream(each=each, most=most, is_ordered=is_ordered)

    def _assign_calmly(self, target: ast.expr, value: Value, *, is_calm: bool) -> None:
        """Give the names of a comprehension values; `is_calm` if it changes nothing."""
        before, self.is_calm = self.is_calm, is_calm
        self.assign_target(target, value)
        self.is_calm = before

    def _under(self, tests: list[ast.expr], body: Callable[[], None]) -> None:
        """What is done where all tests hold."""
        if not tests:
            body()
            return
        test = self.test(tests[0])
        if known_truth(test) is False:
            return
        with self.text.block(f"if {test.text}:"):
            self._under(tests[1:], body)

    def _of_generatorexp(self, node: ast.GeneratorExp) -> Value:
        return self._generated(node, lambda: self.value(node.elt))

    def _of_listcomp(self, node: ast.ListComp) -> Value:
        stream = self._generated(node, lambda: self.value(node.elt))
        if not stream.is_ordered:
            raise self.refuse("makes a list of a set", "use sorted(...)")
        if stream.at is not None:
            return Joined((stream,), list)
        return self.made_row(stream, list)

    def _of_setcomp(self, node: ast.SetComp) -> Value:
        return self.made_set(self._generated(node, lambda: self.value(node.elt)), set)

    def _of_lambda(self, node: ast.Lambda) -> Value:
        return self.inner(node)

    def inner(self, node: Any) -> Function:
        """An inner function, with what its arguments are where they are not given."""
        names = [each.arg for each in node.args.kwonlyargs]
        values: list[Any] = []
        for each in (*node.args.defaults, *node.args.kw_defaults):
            value = None if each is None else self.settled(self.value(each))
            is_list = isinstance(value, (Items, Joined, Place)) and self.is_mutable(
                self.type_of(value)
            )
            if is_list or (isinstance(value, Known) and isinstance(value.value, (list, dict, set))):
                raise self.refuse("keeps a list as a default", "make it in the function")
            values.append(value)
        count = len(node.args.defaults)
        named = {n: v for n, v in zip(names, values[count:], strict=True) if v is not None}
        return Function(node, self.scope, defaults=tuple(values[:count]), kw_defaults=named)

    def _of_joinedstr(self, node: ast.JoinedStr) -> Value:
        parts: list[Value] = []
        for each in node.values:
            if isinstance(each, ast.FormattedValue):
                spec = Known("") if each.format_spec is None else self.value(each.format_spec)
                is_said = isinstance(spec, Known) and (not spec.value or each.conversion == -1)
                if not is_said or each.conversion not in (-1, 115):
                    raise self.refuse("formats a text", "use characters")
                value, form = self.value(each.value), spec.value  # type: ignore[union-attr]
                parts.append(self.formatted(value, form) if form else self.as_text(value))
            else:
                parts.append(self.value(each))
        if all(isinstance(each, Known) for each in parts):
            return Known("".join(each.value for each in parts))  # type: ignore[union-attr]
        return self.behind_each_other(parts, str)
