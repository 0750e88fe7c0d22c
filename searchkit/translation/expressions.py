"""Expressions of the author's, by what they are."""

from __future__ import annotations

import ast
import builtins
import enum
import types
from collections.abc import Callable, MutableMapping, MutableSequence, MutableSet
from enum import EnumType
from functools import partial
from typing import Any, TypeVar

from searchkit.kernel_language import trees
from searchkit.translation.arithmetic import UNARY, asked, binary, inverted, is_truth, negative
from searchkit.translation.builders import made_set
from searchkit.translation.comparison import and_then, known_truth, negated, or_else, without_view
from searchkit.translation.effects import may_change
from searchkit.translation.lookups import either
from searchkit.translation.loops import inside, is_set, most_at, most_of, note_most, run
from searchkit.translation.memory import is_object, is_word, kind_of, loaded, spelt, type_of
from searchkit.translation.refusals import describe, refuse, trap, written
from searchkit.translation.scopes import flag_of
from searchkit.translation.sequences import (
    behind_each_other,
    is_step,
    joined_sequences,
    of_step,
    repeated,
    sliced,
)
from searchkit.translation.sets import is_any_set
from searchkit.translation.translator import Rows, Translator
from searchkit.translation.types import Atom, Int, Record
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
from searchkit.translation.variables import looked_up, taken

ROWS = (tuple, list, str)
T = TypeVar("T")


def value(t: Translator, node: ast.expr) -> Value:
    """The value of an expression."""
    before, t.node = t.node, node
    make = t.forms.expressions.get(type(node))
    if make is None:
        kind = type(node).__name__
        raise refuse(t, f"uses `{written(node):.40}` ({kind})", "write it another way")
    found: Value = make(t, node)
    t.node = before
    return found


def values_of(t: Translator, nodes: list[ast.expr]) -> list[Value]:
    """The values of expressions, from left to right; later ones may change lists."""
    changes = [any(map(may_change, trees.nodes(each))) for each in nodes]
    return [
        frozen(t, t.forms.value(t, each)) if any(changes[i + 1 :]) else t.forms.value(t, each)
        for i, each in enumerate(nodes)
    ]


def frozen(t: Translator, value: Value) -> Value:
    """A value as it is now, but that lists stay the same lists."""
    if isinstance(value, Items):
        return Items(tuple(frozen(t, each) for each in value.items), value.kind)
    is_list = isinstance(value, Place) and t.forms.is_mutable(t, value.type)
    return value if is_list or isinstance(value, Stream) else t.forms.settled(t, value)


def check_set(t: Translator, node: ast.AST) -> None:
    """Leave the state to Python where a name was given no value."""
    if getattr(node, "is_unsure", False):
        flag = looked_up(t, flag_of(node.id))  # type: ignore[attr-defined]
        assert flag is not None
        trap(t, f"not {t.forms.truth(t, flag).text}", UnboundLocalError)


def of_name(t: Translator, node: ast.Name) -> Value:
    """What a name stands for."""
    t.forms.check_set(t, node)
    found = looked_up(t, node.id)
    if found is not None:
        # What := changes later in the same expression has the value now.
        if node.id in t.scope.walrus:
            return t.forms.settled(t, found)
        return taken(t, found, node.id) if getattr(node, "is_last", False) else found
    return global_value(t, node.id)


def global_value(t: Translator, name: str) -> Known:
    """What a name stands for that is not local."""
    if name in t.scope.names:
        return Known(t.scope.names[name])
    if hasattr(builtins, name):
        return Known(getattr(builtins, name))
    raise refuse(t, f"uses {name}, which is not defined", "define it")


def _of_namedexpr(t: Translator, node: ast.NamedExpr) -> Value:
    t.forms.assign(t, node.target.id, t.forms.value(t, node.value))
    found = looked_up(t, node.target.id)
    assert found is not None
    return t.forms.settled(t, found)


def attribute(t: Translator, value: Value, name: str) -> Value:
    """`value.name`."""
    if isinstance(value, Known):
        return t.forms.attribute_of_known(t, value, name)
    if is_step(value):
        return of_step(t, value, Known({"state": 1, "cost": 2}.get(name)))
    if isinstance(value, Place) and isinstance(value.type, Record):
        if name in value.type.names:
            return loaded(t, t.forms.field_of(t, value, value.type.names.index(name)))
        return t.forms.method_of(t, value.type.kind, name, value)
    if isinstance(value, Items) and value.kind not in (tuple, list, str, set, frozenset):
        names = Record((), value.kind).names
        if name in names:
            found: Value = value.items[names.index(name)]
            return found
        return t.forms.method_of(t, value.kind, name, value)
    if isinstance(value, Scalar) and isinstance(value.type, Atom):
        kind = value.type.kind
        of_kind = isinstance(kind, EnumType) and not issubclass(kind, enum.Flag)
        known = list(kind) if of_kind else t.atoms.values  # type: ignore[call-overload]
        members = [each for each in known if hasattr(each, name)]
        if members and not isinstance(members[0], str):
            return t.forms.found_in_dict(t, {each: getattr(each, name) for each in members}, value)
    raise refuse(
        t, f"uses .{name} of {describe(value)}", "use the items of tuples, or the fields of records"
    )


def check_own(t: Translator, owner: Known, node: ast.expr) -> None:
    """Refuse to change a list, set or dict that the problem has, or the module."""
    if isinstance(owner.value, MutableMapping):
        cure = "use functools.cache, which machine code does without, or fill it in __init__"
    elif isinstance(owner.value, (MutableSequence, MutableSet)):
        cure = "leave it out: results have statistics"
    else:
        return
    what = f"changes `{written(node)}`, which lasts from one state to the next"
    raise refuse(t, what, cure)


def of_member(t: Translator, value: Value) -> Value:
    """The number that a member of an enumeration is."""
    kind: Any = type_of(t, value).kind
    return t.forms.found_in_dict(t, {each: int(each) for each in kind}, value)


def attribute_of_known(t: Translator, value: Known, name: str) -> Value:
    """An attribute of an object of Python."""
    owner = value.value
    t.counters.met |= {name} if t.counters.is_owner(owner) else set()
    static = getattr(type(owner), name, None)
    if isinstance(static, property) and static.fget is not None and owner is t.author:
        return t.forms.called(t, Function(None, None, static.fget, value), [], {})
    if isinstance(static, types.FunctionType) and name not in getattr(owner, "__dict__", ()):
        found = getattr(owner, name)
        if isinstance(found, types.MethodType) and found.__func__ is static:
            return Function(None, None, static, value)
    return asked(t, getattr, owner, name)


# Items, slices


def _of_subscript(t: Translator, node: ast.Subscript) -> Value:
    owner = t.forms.value(t, node.value)
    if isinstance(node.slice, ast.Slice):
        if is_object(owner):
            raise refuse(
                t, f"takes a slice of {describe(owner)}", "use its attributes, or a method"
            )
        lower, upper, step = (
            Known(None) if each is None else t.forms.value(t, each)
            for each in (node.slice.lower, node.slice.upper, node.slice.step)
        )
        return sliced(t, owner, (lower, upper, step))
    return t.forms.indexed(t, owner, t.forms.value(t, node.slice))


# Displays


def _items(t: Translator, nodes: list[ast.expr], kind: type) -> Value:
    parts: list[Value] = []
    values = values_of(t, [n.value if isinstance(n, ast.Starred) else n for n in nodes])
    for each, value in zip(nodes, values, strict=True):
        inner = value
        if isinstance(each, ast.Starred):
            is_plain = isinstance(inner, Joined) or (isinstance(inner, Items) and not is_set(inner))
            if not is_plain or is_object(inner):
                inner = t.forms.collected(t, inner, kind)
            parts.append(inner._replace(kind=kind) if isinstance(inner, (Items, Joined)) else inner)
        else:
            parts.append(Items((inner,), kind))
    return behind_each_other(t, parts, kind) if parts else Items((), kind)


def _of_tuple(t: Translator, node: ast.Tuple) -> Value:
    found = _items(t, node.elts, tuple)
    if isinstance(found, Items) and all(isinstance(each, Known) for each in found.items):
        return Known(tuple(each.value for each in found.items))
    return found


def _of_set(t: Translator, node: ast.Set) -> Value:
    found = _items(t, node.elts, list)
    if isinstance(found, Items):
        return Items(found.items, set)
    return t.forms.collected(t, found, set)


# Operators


def combined(t: Translator, op: ast.operator, left: Value, right: Value) -> Value:
    """A binary operator on values of any kind."""
    if isinstance(op, (ast.Add, ast.Mult)):
        left, right = (spelt(t, e) if is_word(e) else e for e in (left, right))  # type: ignore[arg-type]
    left, right = without_view(left), without_view(right)
    kinds = kind_of(left), kind_of(right)
    if is_any_set(left) or is_any_set(right):
        return t.forms.combined_sets(t, op, left, right)
    if isinstance(op, ast.Add) and any(each in ROWS for each in kinds):
        return joined_sequences(t, left, right)
    if isinstance(op, ast.Mult):
        for one, other in ((left, right), (right, left)):
            if kind_of(one) in ROWS:
                if isinstance(one, Known) and isinstance(other, Known):
                    break
                return repeated(t, one, other)
    return binary(t, op, left, right)


def _of_unaryop(t: Translator, node: ast.UnaryOp) -> Value:
    if isinstance(node.op, ast.Not):
        return negated(tested(t, node.operand))
    return t.forms.unary(t, node.op, t.forms.value(t, node.operand))


def unary(t: Translator, op: ast.unaryop, value: Value) -> Value:
    """`-`, `+` or `~`."""
    if isinstance(value, Known):
        return asked(t, UNARY[type(op)], value.value)
    if isinstance(op, ast.USub):
        return negative(t, value)
    if isinstance(op, ast.Invert):
        return inverted(t, value)
    return t.forms.number(t, value, "uses + on")._replace(type=Int())


def chain(t: Translator, left: Value, rest: list[tuple[ast.cmpop, ast.expr]]) -> Scalar:
    """A chain of comparisons: what follows one that fails is not evaluated."""
    (op, node), *others = rest
    if any(may_change(each) for _, every in rest for each in trees.nodes(every)):
        left = frozen(t, left)
    right = t.forms.value(t, node)
    if isinstance(op, (ast.In, ast.NotIn)):
        first = t.forms.contains(t, right, left)
        if isinstance(op, ast.NotIn):
            first = negated(first)
    else:
        first = t.forms.compared(t, op, left, right)
    if not others:
        return first
    right = frozen(t, right)
    return and_then(t, first, lambda: chain(t, right, others))


def tested(t: Translator, node: ast.expr) -> Scalar:
    """Whether an expression holds."""
    if isinstance(node, ast.BoolOp):
        join = and_then if isinstance(node.op, ast.And) else or_else
        return join(t, tested(t, node.values[0]), lambda: tested(t, _rest(node)))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return negated(tested(t, node.operand))
    return t.forms.truth(t, t.forms.value(t, node))


def _rest(node: ast.BoolOp) -> ast.expr:
    """What follows the first operand."""
    rest = node.values[1:]
    return rest[0] if len(rest) == 1 else ast.copy_location(ast.BoolOp(node.op, rest), node)


def _of_boolop(t: Translator, node: ast.BoolOp) -> Value:
    first = t.forms.value(t, node.values[0])
    with t.text.apart() as lines:
        rest = t.forms.value(t, _rest(node))
    is_and = isinstance(node.op, ast.And)
    if is_truth(first) and is_truth(rest):
        join = and_then if is_and else or_else
        return join(t, t.forms.truth(t, first), lambda: _behind(t, lines, t.forms.truth(t, rest)))
    value = t.forms.settled(t, first)
    ways: list[Callable[[], Value]] = [lambda: _behind(t, lines, rest), lambda: value]
    return either(t, t.forms.truth(t, value), *(ways if is_and else ways[::-1]))


def _behind(t: Translator, lines: list[Any], value: T) -> T:
    """A value that was translated apart, with its lines, which stand here."""
    t.text.lines += lines
    return value


# Comprehensions


def generated(t: Translator, node: Any, element: Callable[[], Value]) -> Stream:
    """What a comprehension goes through."""
    scope = t.scope
    generators: list[ast.comprehension] = node.generators
    if any(each.is_async for each in generators):
        raise refuse(t, "uses async", "use for")
    outer = t.forms.stream(t, t.forms.value(t, generators[0].iter))
    is_calm = not any(map(may_change, trees.nodes(node)))
    if len(generators) == 1 and not generators[0].ifs and outer.at is not None:
        at = outer.at

        def item(i: Scalar) -> Value:
            with inside(t, scope):
                _assign_calmly(t, generators[0].target, at(i), is_calm=is_calm)
                return element()

        return outer._replace(at=item, is_iterator=True, row=None, known=None)

    places = [(scope.key, node, i) for i in range(len(generators))]

    def level(number: int, stream: Stream, body: Any, stop: Any) -> None:
        def one(value: Value, turn: Round) -> None:
            with inside(t, scope):
                end = stop or turn.stop
                each = generators[number]
                _assign_calmly(t, each.target, value, is_calm=is_calm)
                _under(t, each.ifs, lambda: further(number, Round(end, turn.next), body))

        run(t, stream, one)

    def further(number: int, turn: Round, body: Any) -> None:
        if number + 1 == len(generators):
            body(element(), turn)
            return
        inner = t.forms.stream(t, t.forms.value(t, generators[number + 1].iter))
        note_most(t, places[number + 1], inner)
        if not inner.is_ordered:
            t.facts.sets_within.add(places[number + 1])
        level(number + 1, inner, body, turn.stop)

    def each(body: Any) -> None:
        outside = t.scope

        def back(value: Value, turn: Round) -> None:
            with inside(t, outside):
                body(value, turn)

        level(0, outer, back, None)

    most = most_at(t, places[1:], lambda: each(lambda value, turn: None))
    most *= max(1, most_of(outer))
    is_ordered = outer.is_ordered and t.facts.sets_within.isdisjoint(places)
    return Stream(each=each, most=most, is_ordered=is_ordered)


def _assign_calmly(t: Translator, target: ast.expr, value: Value, *, is_calm: bool) -> None:
    """Give the names of a comprehension values; `is_calm` if it changes nothing."""
    before, t.is_calm = t.is_calm, is_calm
    t.forms.assign_target(t, target, value)
    t.is_calm = before


def _under(t: Translator, tests: list[ast.expr], body: Callable[[], None]) -> None:
    """What is done where all tests hold."""
    if not tests:
        body()
        return
    test = tested(t, tests[0])
    if known_truth(test) is False:
        return
    with t.text.block(f"if {test.text}:"):
        _under(t, tests[1:], body)


def _of_listcomp(t: Translator, node: ast.ListComp) -> Value:
    stream = generated(t, node, lambda: t.forms.value(t, node.elt))
    if not stream.is_ordered:
        found = in_any_order(t, node, stream)
        if found is None:
            raise refuse(t, "makes a list of a set", "use sorted(...)")
        return found
    if stream.at is not None:
        return Joined((stream,), list)
    return t.forms.made_row(t, stream, list)


def in_any_order(t: Translator, node: ast.AST, stream: Stream) -> Value | None:
    """A list of a set for what does not ask for its order; None where that matters."""
    way = getattr(node, "in_any_order", None)
    return t.forms.made_row(t, stream, list) if way == "row" else stream if way else None


def inner(t: Translator, node: Any) -> Function:
    """An inner function, with what its arguments are where they are not given."""
    names = [each.arg for each in node.args.kwonlyargs]
    values: list[Any] = []
    for each in (*node.args.defaults, *node.args.kw_defaults):
        value = None if each is None else t.forms.settled(t, t.forms.value(t, each))
        is_list = isinstance(value, (Items, Joined, Place)) and t.forms.is_mutable(
            t, type_of(t, value)
        )
        if is_list or (isinstance(value, Known) and isinstance(value.value, (list, dict, set))):
            raise refuse(t, "keeps a list as a default", "make it in the function")
        values.append(value)
    count = len(node.args.defaults)
    named = {n: v for n, v in zip(names, values[count:], strict=True) if v is not None}
    return Function(node, t.scope, defaults=tuple(values[:count]), kw_defaults=named)


def _of_joinedstr(t: Translator, node: ast.JoinedStr) -> Value:
    parts: list[Value] = []
    for each in node.values:
        if isinstance(each, ast.FormattedValue):
            spec = Known("") if each.format_spec is None else t.forms.value(t, each.format_spec)
            is_said = isinstance(spec, Known) and (not spec.value or each.conversion == -1)
            if not is_said or each.conversion not in (-1, 115):
                raise refuse(t, "formats a text", "use characters")
            value, form = t.forms.value(t, each.value), spec.value  # type: ignore[union-attr]
            parts.append(t.forms.formatted(t, value, form) if form else t.forms.as_text(t, value))
        else:
            parts.append(t.forms.value(t, each))
    if all(isinstance(each, Known) for each in parts):
        return Known("".join(each.value for each in parts))  # type: ignore[union-attr]
    return behind_each_other(t, parts, str)


EXPRESSIONS: Rows = {
    ast.Constant: lambda t, node: Known(node.value), ast.Name: of_name,
    ast.NamedExpr: _of_namedexpr, ast.Subscript: _of_subscript, ast.Tuple: _of_tuple,
    ast.List: lambda t, node: _items(t, node.elts, list), ast.Set: _of_set,
    ast.BinOp: lambda t, node: t.forms.combined(t, node.op, *values_of(t, [node.left, node.right])),
    ast.UnaryOp: _of_unaryop, ast.BoolOp: _of_boolop, ast.ListComp: _of_listcomp,
    ast.Compare: lambda t, node: chain(
        t, t.forms.value(t, node.left), list(zip(node.ops, node.comparators, strict=True))
    ),
    ast.IfExp: lambda t, node: either(
        t, tested(t, node.test), *(partial(t.forms.value, t, e) for e in (node.body, node.orelse))
    ),
    ast.GeneratorExp: lambda t, node: generated(t, node, lambda: t.forms.value(t, node.elt)),
    ast.SetComp: lambda t, node: made_set(
        t, generated(t, node, lambda: t.forms.value(t, node.elt)), set
    ), ast.Lambda: inner, ast.JoinedStr: _of_joinedstr,
}  # fmt: skip
