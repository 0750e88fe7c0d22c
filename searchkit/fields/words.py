"""The rules on fields, translated: what each is given and returns, and where it ends in errors."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from searchkit.fields.lowered import FIELDS, WITHIN
from searchkit.fields.places import MOST
from searchkit.fields.sets import Sets
from searchkit.fields.statics import Opaque
from searchkit.fields.tables import FILLER
from searchkit.kernel_language.marks import SAID
from searchkit.translation.calls import split_source
from searchkit.translation.comparison import known_truth
from searchkit.translation.memory import is_none
from searchkit.translation.naming import own_name, written
from searchkit.translation.types import Int
from searchkit.translation.values import Function, Known, Place, Scalar, Value
from searchkit.translation.variables import Scope

MAY_DO = (ast.Call, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
"""Expressions that may have an effect."""


class Words(Sets):
    """One rule on its way to a kernel."""

    def rule(self, rule: Function, returned: Callable[[Value], None]) -> None:
        """Translate a rule that is given a state and a move."""
        definition = split_source(rule.function)[0]
        is_stable = not self.facts.changes_state
        state = Place(self.kind, FIELDS, "", 0, is_stable=is_stable, root=self.known_of(""))
        moves: list[Any] = [self._argument(i) for i in range(len(definition.args.args) - 2)]
        self.scope = Scope((self.name,), {}, self.site, {})

        def run(definition: Any, scope: Scope, given: dict[str, Value]) -> Value:
            with self.inside(scope):
                scope.returned, scope.yielded, scope.is_entry = returned, None, True
                self.guards.enter(definition)
                for name, value in given.items():
                    if isinstance(value, Place) and value.memory == FIELDS:
                        scope.bound[name] = value
                    else:
                        self.assign(name, value)
                if not self.block(definition.body):
                    returned(Known(None))
                if self.name == "legal":
                    self.guards.learn()
            return Known(None)

        self.run_entry = run
        self.called(rule, [state, *moves], {})

    def _argument(self, number: int) -> Any:
        static = self.tables.argument(number)
        found = self.of_static(static, ast.Pass())
        return Opaque(static) if found is None else found

    def legal(self, rule: Function) -> None:
        """`legal`, and any other test."""

        def returned(value: Value) -> None:
            self._check_returned(value)
            self.text.line(f"return {self.truth(value).text}")

        self.rule(rule, returned)

    at_goal = legal

    def apply(self, rule: Function) -> None:
        """`apply`: the state, changed."""

        def returned(value: Value) -> None:
            is_state = isinstance(value, Place) and value.memory == FIELDS
            if not is_none(value) and not is_state:
                given: Any = getattr(self.node, "value", self.node)
                raise self.wrong(
                    f"returns {written(given):.40}, which is lost; change fields of "
                    f"{own_name(self.guards.state)}, and return nothing"
                )
            self.text.line("return state")

        self.rule(rule, returned)

    def cost(self, rule: Function) -> None:
        """`cost`, or `estimate`."""

        def returned(value: Value) -> None:
            self._check_returned(value)
            if isinstance(value, Place):
                value = self.truth(value)
            if isinstance(value, Known) and isinstance(value.value, float):
                value = Known(self.tables.number_of(value.value))
            self.text.line(f"return {self.number(value, 'returns').text}")

        self.rule(rule, returned)

    estimate = cost

    def give_back(self, node: ast.expr | None) -> None:
        """Return the value of an expression; of a test, whether it holds."""
        is_test = self.scope.is_entry and self.name in ("legal", "at_goal")
        if is_test and isinstance(node, (ast.BoolOp, ast.UnaryOp)):
            self.scope.returned(self.test(node))
        else:
            super().give_back(node)

    def _check_returned(self, value: Value) -> None:
        if is_none(value):
            raise self.refuse("returns nothing", "return a value on every way through it")

    def _do_expr(self, node: ast.Expr) -> None:
        value = node.value
        if not isinstance(value, ast.Constant) and not any(
            isinstance(each, MAY_DO) for each in ast.walk(value)
        ):
            raise self.wrong(
                f"works out {ast.unparse(value):.40}, and does nothing with it; "
                "is an assignment or a return missing?"
            )
        super()._do_expr(node)

    def _do_assert(self, node: ast.Assert) -> None:
        if self.handlers:
            super()._do_assert(node)
            return
        test = self.test(node.test)
        if known_truth(test) is not True:
            said = getattr(node, SAID, None)
            shown = f", {said.value!r}" if isinstance(said, ast.Constant) else ""
            self.text.line(f"assert {test.text}{shown}")

    def fail(self, raises: Any = None, what: str = "", instead: str = "") -> None:
        """End with an error, or go where an error of Python leads."""
        target = None if raises is None else self.handler_of(raises)
        if target is not None:
            self.text.leave(target)
            return
        if raises is IndexError:
            line = getattr(self.node, "lineno", 0)
            name = self.text.name("beyond")
            self.text.line(
                f"{name} = {WITHIN}({FILLER}, 'an index within a shorter row', 0, 0, {line})"
            )
        else:
            self.text.line("assert False")

    def index_within(self, index: Scalar, count: Scalar) -> Scalar:
        """An index from 0 on that is in range."""
        if index.low < 0 and not (index.high < 0 and index.low == index.high):
            index = self.within(index, 0, max(0, count.high - 1), "an index")
        if index.low < 0 or index.high < count.low:
            return super().index_within(index, count)
        if count.low == count.high:
            return self.within(index, 0, count.low - 1, "an index")
        found = self.named(index)
        text = f"({found.text} if {found.text} < {count.text} else {FILLER})"
        most = max(0, count.high - 1)
        return self.within(Scalar(Int(), text), 0, most, "an index within a shorter row")

    def as_float(self, value: Value, what: str) -> Scalar:
        """Refuses a float."""
        raise self.refuse("uses a number with a point", "rules calculate with whole numbers")

    def small(self, value: Scalar) -> str:
        """The text of a number that fits a word."""
        return self.within(value, 1 - MOST, MOST - 1).text

    def value(self, node: ast.expr) -> Value:
        """The value of an expression, with what another rule has made sure of."""
        found: Value = super().value(node)
        if isinstance(found, Scalar) and isinstance(found.type, Int):
            return self.guards.narrowed(node, found)  # type: ignore[no-any-return]
        return found

    def block(self, body: list[Any]) -> bool:
        """Statements; whether all ways through them leave."""
        self.guards.block(body)
        return super().block(body)

    def statement(self, node: Any) -> bool:
        """One statement."""
        self.guards.before(node)
        found = super().statement(node)
        self.guards.after(node)
        return found
