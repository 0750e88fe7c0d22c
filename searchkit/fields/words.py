"""The rules on fields, translated: what each is given and returns, and where it ends in errors."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from searchkit.fields.lowered import FIELDS, WITHIN
from searchkit.fields.places import MOST, known_of
from searchkit.fields.statics import FieldsTranslator, Opaque, of_static
from searchkit.fields.tables import FILLER, as_number
from searchkit.kernel_language.marks import SAID
from searchkit.translation import entries, objects, sequences, statements
from searchkit.translation.arithmetic import named
from searchkit.translation.calls import split_source
from searchkit.translation.comparison import known_truth
from searchkit.translation.expressions import tested
from searchkit.translation.facts import Scope
from searchkit.translation.loops import inside
from searchkit.translation.memory import is_none
from searchkit.translation.refusals import handler_of, own_name, refuse, written
from searchkit.translation.translator import Rows
from searchkit.translation.types import Int
from searchkit.translation.values import Function, Known, Place, Scalar, Value

MAY_DO = (ast.Call, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
"""Expressions that may have an effect."""


def of_rule(t: FieldsTranslator, rule: Function, returned: Callable[[Value], None]) -> None:
    """Translate a rule that is given a state and a move."""
    definition = split_source(rule.function).definition
    is_stable = not t.facts.changes_state
    state = Place(t.kind, FIELDS, "", 0, is_stable=is_stable, root=known_of(t, ""))
    moves: list[Any] = [_argument(t, i) for i in range(len(definition.args.args) - 2)]
    t.scope = Scope((t.name,), {}, t.site, {})

    def run(definition: Any, scope: Scope, given: dict[str, Value]) -> Value:
        with inside(t, scope):
            scope.returned, scope.yielded, scope.is_entry = returned, None, True
            for name, value in given.items():
                if isinstance(value, Place) and value.memory == FIELDS:
                    scope.bound[name] = value
                else:
                    t.forms.assign(t, name, value)
            if not t.forms.block(t, definition.body):
                returned(Known(None))
        return Known(None)

    t.run_entry = run
    t.forms.called(t, rule, [state, *moves], {})


def _argument(t: FieldsTranslator, number: int) -> Any:
    static = t.tables.argument(number)
    found = of_static(t, static, ast.Pass())
    return Opaque(static) if found is None else found


def legal(t: FieldsTranslator, rule: Function) -> None:
    """`legal`, and any other test."""

    def returned(value: Value) -> None:
        _check_returned(t, value)
        t.text.line(f"return {t.forms.truth(t, value).text}")

    of_rule(t, rule, returned)


def apply(t: FieldsTranslator, rule: Function) -> None:
    """`apply`: the state, changed."""
    names = split_source(rule.function).definition.args.args

    def returned(value: Value) -> None:
        is_state = isinstance(value, Place) and value.memory == FIELDS
        if not is_none(value) and not is_state:
            given: Any = getattr(t.node, "value", t.node)
            raise t.forms.wrong(
                t,
                f"returns {written(given):.40}, which is lost; change fields of "
                f"{own_name(names[1].arg)}, and return nothing",
            )
        t.text.line("return state")

    of_rule(t, rule, returned)


def cost(t: FieldsTranslator, rule: Function) -> None:
    """`cost`, or `estimate`."""

    def returned(value: Value) -> None:
        _check_returned(t, value)
        if isinstance(value, Known) and isinstance(value.value, float):
            value = Known(as_number(value.value))
        t.text.line(f"return {t.forms.number(t, value, 'returns').text}")

    of_rule(t, rule, returned)


def give_back(t: FieldsTranslator, node: ast.expr | None) -> None:
    """Return the value of an expression; of a test, whether it holds."""
    is_test = t.scope.is_entry and t.name in ("legal", "at_goal")
    if is_test and isinstance(node, (ast.BoolOp, ast.UnaryOp)):
        t.scope.returned(tested(t, node))
    else:
        entries.give_back(t, node)


def _check_returned(t: FieldsTranslator, value: Value) -> None:
    if is_none(value):
        raise refuse(t, "returns nothing", "return a value on every way through it")


def do_expr(t: FieldsTranslator, node: ast.Expr) -> None:
    """An expression by itself, which must have an effect."""
    value = node.value
    if not isinstance(value, ast.Constant) and not any(
        isinstance(each, MAY_DO) for each in ast.walk(value)
    ):
        raise t.forms.wrong(
            t,
            f"works out {ast.unparse(value):.40}, and does nothing with it; "
            "is an assignment or a return missing?",
        )
    objects.do_expr(t, node)


def do_assert(t: FieldsTranslator, node: ast.Assert) -> None:
    """An assertion: of the kernel, too, unless the rule takes the error."""
    if t.handlers:
        statements.do_assert(t, node)
        return
    test = tested(t, node.test)
    if known_truth(test) is not True:
        said = getattr(node, SAID, None)
        shown = f", {said.value!r}" if isinstance(said, ast.Constant) else ""
        t.text.line(f"assert {test.text}{shown}")


def fail(t: FieldsTranslator, raises: Any = None, what: str = "", instead: str = "") -> None:
    """End with an error, or go where an error of Python leads."""
    target = None if raises is None else handler_of(t, raises)
    if target is not None:
        t.text.leave(target)
        return
    if raises is IndexError:
        line = getattr(t.node, "lineno", 0)
        name = t.text.name("beyond")
        t.text.line(f"{name} = {WITHIN}({FILLER}, 'an index within a shorter row', 0, 0, {line})")
    else:
        t.text.line("assert False")


def index_within(t: FieldsTranslator, index: Scalar, count: Scalar) -> Scalar:
    """An index from 0 on that is in range."""
    if index.low < 0 and not (index.high < 0 and index.low == index.high):
        index = t.forms.within(t, index, 0, max(0, count.high - 1), "an index")
    if index.low < 0 or index.high < count.low:
        return sequences.index_within(t, index, count)
    if count.low == count.high:
        return t.forms.within(t, index, 0, count.low - 1, "an index")
    found = named(t, index)
    text = f"({found.text} if {found.text} < {count.text} else {FILLER})"
    most = max(0, count.high - 1)
    return t.forms.within(t, Scalar(Int(), text), 0, most, "an index within a shorter row")


def as_float(t: FieldsTranslator, value: Value, what: str) -> Scalar:
    """Refuses a float."""
    raise refuse(t, "uses a number with a point", "rules calculate with whole numbers")


def small(t: FieldsTranslator, value: Scalar) -> str:
    """The text of a number that fits a word."""
    return t.forms.within(t, value, 1 - MOST, MOST - 1).text


STATEMENTS: Rows = {ast.Expr: do_expr, ast.Assert: do_assert}

ENTRIES: Rows = {"legal": legal, "at_goal": legal, "apply": apply, "cost": cost, "estimate": cost}
