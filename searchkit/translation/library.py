"""Functions of `operator` and `functools`, and iterators that have a name."""

from __future__ import annotations

import ast
import functools
import itertools
import math
import operator
from functools import partial
from typing import Any

from searchkit.kernel_language import trees
from searchkit.kernel_language.constants import COMPARED, SIGNS
from searchkit.translation import calls
from searchkit.translation.arithmetic import OPERATORS, UNARY
from searchkit.translation.calls import known_name
from searchkit.translation.comparison import negated
from searchkit.translation.definitions import used_soon
from searchkit.translation.effects import may_change
from searchkit.translation.loops import by_number, is_set
from searchkit.translation.memory import in_memory, kind_of, loaded
from searchkit.translation.refusals import refuse, trap
from searchkit.translation.strings import parts_of
from searchkit.translation.translator import Rows, Translator
from searchkit.translation.types import Int, Seq
from searchkit.translation.values import Items, Joined, Known, Scalar, Stream, Value
from searchkit.translation.variables import evaluated

_BINARY: dict[Any, ast.operator] = {call: kind() for kind, call in OPERATORS.items()}
_COMPARED: dict[Any, Any] = {COMPARED[sign]: kind() for kind, sign in SIGNS.items()
                             if sign in COMPARED}  # fmt: skip
_UNARY: dict[Any, ast.unaryop] = {call: kind() for kind, call in UNARY.items()}


def call(t: Translator, function: Value, args: list[Value], named: dict[str, Value]) -> Value:
    """What a call returns."""
    called = function.value if isinstance(function, Known) else None
    if called is functools.partial and all(isinstance(each, Known) for each in args):
        known = {name: each.value for name, each in named.items() if isinstance(each, Known)}
        if len(known) == len(named):
            first, *rest = (each.value for each in args if isinstance(each, Known))
            return Known(functools.partial(first, *rest, **known))
    if isinstance(called, functools.partial):
        own = {name: Known(each) for name, each in called.keywords.items()}
        return t.forms.call(t, Known(called.func), [*map(Known, called.args), *args], own | named)
    if isinstance(called, operator.itemgetter) and len(args) == 1:
        items = [t.forms.indexed(t, args[0], Known(each)) for each in called.__reduce__()[1]]
        return items[0] if len(items) == 1 else Items(tuple(items))
    if isinstance(called, operator.attrgetter) and len(args) == 1:
        names = called.__reduce__()[1]
        found = [
            functools.reduce(partial(t.forms.attribute, t), n.split("."), args[0]) for n in names
        ]
        return found[0] if len(found) == 1 else Items(tuple(found))
    is_open = not named and not all(isinstance(each, Known) for each in args)
    if is_open and getattr(called, "__module__", "") == "_operator":
        made = _by_operator(t, called, args)
        if made is not None:
            return made
    return calls.call(t, function, args, named)


def only_member(t: Translator, value: Value, raises: type[Exception] | None) -> Value:
    """The member of a set that has one; another leaves the state to Python, or is an error."""
    count = t.forms.number(t, t.forms.length_of(t, value), "")
    trap(t, f"{count.text} != 1", raises)
    row = t.forms.made_row(t, by_number(t, t.forms.stream(t, value)), tuple)
    return t.forms.indexed(t, row, Known(0))


def of_call(t: Translator, node: ast.Call) -> Value:
    """A call; `next(iter(x))` gives the first item of a row, or the only one of a set."""
    if _is_call_of(node, "next") and _is_call_of(node.args[0], "iter"):
        own = [known_name(t, name) for name in ("next", "iter")]
        if own == [next, iter]:
            value = t.forms.value(t, node.args[0].args[0])  # type: ignore[attr-defined]
            if is_set(value) and not isinstance(value, Known):
                return only_member(t, value, None)
            if kind_of(value) in (tuple, list, str) and not isinstance(value, Known):
                trap(t, f"not {t.forms.truth(t, value).text}", StopIteration)
                return t.forms.indexed(t, value, Known(0))
    is_turned = _is_call_of(node, "zip") and isinstance(node.args[0], ast.Starred)
    if is_turned and known_name(t, "zip") is zip:
        value = t.forms.value(t, node.args[0].value)  # type: ignore[attr-defined]
        found = _turned_rows(t, value)
        if found is not None:
            return found
        args = parts_of(t, evaluated(t, value))
        t.node = node
        return t.forms.call(t, Known(zip), args, {})
    return calls.of_call(t, node)


def _turned_rows(t: Translator, value: Value) -> Value | None:
    """`zip(*rows)` of as many rows as there are; None if these can be told apart."""
    kind = getattr(value, "type", None)
    if not isinstance(kind, Seq) or not isinstance(kind.item, Seq) or kind.is_fixed:
        return None
    if t.forms.is_mutable(t, kind.item):
        raise refuse(t, "turns rows that may change", "make tuples of them")
    rows = in_memory(t, t.forms.collected(t, value, tuple))
    count = t.forms.length(t, rows)
    least, i = t.text.temporary("0", "least"), t.text.name("i")
    most = rows.type.item.most
    with t.text.loop(f"for {i} in range({count.text}):"):
        own = t.forms.length(t, t.forms.item_at(t, rows, i))
        t.text.line(f"{least} = min({least}, {own.text}) if {i} != 0 else {own.text}")

    def column(at: Scalar) -> Value:
        def item(row: Scalar) -> Value:
            inner = t.forms.item_at(t, rows, t.text.temporary(row.text, "row"))
            return loaded(t, t.forms.item_at(t, inner, t.text.temporary(at.text, "at")))

        return in_memory(t, Joined((Stream(count=count, at=item),), tuple))

    return Stream(count=Scalar(Int(), least, 0, most), at=column)


def _by_operator(t: Translator, called: Any, args: list[Value]) -> Value | None:
    if called in _BINARY and len(args) == 2:
        return t.forms.combined(t, _BINARY[called], *args)
    if called in _COMPARED and len(args) == 2:
        return t.forms.compared(t, _COMPARED[called], *args)
    if called in _UNARY and len(args) == 1:
        return t.forms.unary(t, _UNARY[called], *args)
    if called is operator.not_:
        return negated(t.forms.truth(t, args[0]))
    if called is operator.contains and len(args) == 2:
        return t.forms.contains(t, *args)
    return t.forms.indexed(t, *args) if called is operator.getitem and len(args) == 2 else None


# Iterators with names


def may_be_named(t: Translator, node: ast.Assign) -> bool:
    """Whether an iterator can have a name: it may as well be made where it is used."""
    part = None if t.scope.definition is None else used_soon(node, t.scope.definition)
    changing = [] if part is None else filter(may_change, trees.nodes(part))
    return part is not None and all(_is_of_library(t, each) for each in changing)


def _is_of_library(t: Translator, node: ast.AST) -> bool:
    """Whether an expression calls a function of Python's, which changes no list."""
    function = node.func if isinstance(node, ast.Call) else None
    base = function.value if isinstance(function, ast.Attribute) else function
    known = known_name(t, base.id) if isinstance(base, ast.Name) else None
    if isinstance(function, ast.Attribute):
        return known in (itertools, functools, math)
    module = getattr(known, "__module__", None)
    return module in ("builtins", "itertools", "_functools", "collections")


def _is_call_of(node: ast.expr, name: str) -> bool:
    """Whether an expression calls a function with that name, and gives it one argument."""
    match node:
        case ast.Call(ast.Name(called), [_], []):
            return bool(called == name)
    return False


EXPRESSIONS: Rows = {ast.Call: of_call}
