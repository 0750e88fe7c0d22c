"""Functions of `operator` and `functools`, and iterators that have a name."""

from __future__ import annotations

import ast
import functools
import itertools
import math
import operator
from typing import Any

from searchkit.kernel_language import trees
from searchkit.kernel_language.constants import COMPARED, SIGNS
from searchkit.translation.arithmetic import OPERATORS, UNARY
from searchkit.translation.calls import Calls
from searchkit.translation.definitions import used_soon
from searchkit.translation.effects import may_change
from searchkit.translation.types import Int, Seq
from searchkit.translation.values import Items, Joined, Known, Scalar, Stream, Value

_BINARY: dict[Any, ast.operator] = {call: kind() for kind, call in OPERATORS.items()}
_COMPARED: dict[Any, Any] = {COMPARED[sign]: kind() for kind, sign in SIGNS.items()
                             if sign in COMPARED}  # fmt: skip
_UNARY: dict[Any, ast.unaryop] = {call: kind() for kind, call in UNARY.items()}


class Library(Calls):
    """What is called that Python's library has made."""

    def call(self, function: Value, args: list[Value], named: dict[str, Value]) -> Value:
        """What a call returns."""
        called = function.value if isinstance(function, Known) else None
        if called is functools.partial and all(isinstance(each, Known) for each in args):
            known = {name: each.value for name, each in named.items() if isinstance(each, Known)}
            if len(known) == len(named):
                first, *rest = (each.value for each in args if isinstance(each, Known))
                return Known(functools.partial(first, *rest, **known))
        if isinstance(called, functools.partial):
            own = {name: Known(each) for name, each in called.keywords.items()}
            return self.call(Known(called.func), [*map(Known, called.args), *args], own | named)
        if isinstance(called, operator.itemgetter) and len(args) == 1:
            items = [self.indexed(args[0], Known(each)) for each in called.__reduce__()[1]]
            return items[0] if len(items) == 1 else Items(tuple(items))
        if isinstance(called, operator.attrgetter) and len(args) == 1:
            names = called.__reduce__()[1]
            found = [functools.reduce(self.attribute, n.split("."), args[0]) for n in names]
            return found[0] if len(found) == 1 else Items(tuple(found))
        is_open = not named and not all(isinstance(each, Known) for each in args)
        if is_open and getattr(called, "__module__", "") == "_operator":
            made = self._by_operator(called, args)
            if made is not None:
                return made
        return super().call(function, args, named)

    def only_member(self, value: Value, raises: type[Exception] | None) -> Value:
        """The member of a set that has one; another leaves the state to Python, or is an error."""
        count = self.number(self.length_of(value), "")
        self.trap(f"{count.text} != 1", raises)
        row = self.made_row(self._by_number(self.stream(value)), tuple)
        return self.indexed(row, Known(0))

    def _of_call(self, node: ast.Call) -> Value:
        """A call; `next(iter(x))` gives the first item of a row, or the only one of a set."""
        if _is_call_of(node, "next") and _is_call_of(node.args[0], "iter"):
            own = [self._known_name(name) for name in ("next", "iter")]
            if own == [next, iter]:
                value = self.value(node.args[0].args[0])  # type: ignore[attr-defined]
                if self.is_set(value) and not isinstance(value, Known):
                    return self.only_member(value, None)
                if self.kind_of(value) in (tuple, list, str) and not isinstance(value, Known):
                    self.trap(f"not {self.truth(value).text}", StopIteration)
                    return self.indexed(value, Known(0))
        is_turned = _is_call_of(node, "zip") and isinstance(node.args[0], ast.Starred)
        if is_turned and self._known_name("zip") is zip:
            value = self.value(node.args[0].value)  # type: ignore[attr-defined]
            found = self._turned_rows(value)
            if found is not None:
                return found
            args = self.parts_of(self.evaluated(value))
            self.node = node
            return self.call(Known(zip), args, {})
        return super()._of_call(node)

    def _turned_rows(self, value: Value) -> Value | None:
        """`zip(*rows)` of as many rows as there are; None if these can be told apart."""
        kind = getattr(value, "type", None)
        if not isinstance(kind, Seq) or not isinstance(kind.item, Seq) or kind.is_fixed:
            return None
        if self.is_mutable(kind.item):
            raise self.refuse("turns rows that may change", "make tuples of them")
        rows = self.in_memory(self.collected(value, tuple))
        count = self.length(rows)
        least, i = self.text.temporary("0", "least"), self.text.name("i")
        most = rows.type.item.most
        with self.text.loop(f"for {i} in range({count.text}):"):
            own = self.length(self.item_at(rows, i))
            self.text.line(f"{least} = min({least}, {own.text}) if {i} != 0 else {own.text}")

        def column(at: Scalar) -> Value:
            def item(row: Scalar) -> Value:
                inner = self.item_at(rows, self.text.temporary(row.text, "row"))
                return self.loaded(self.item_at(inner, self.text.temporary(at.text, "at")))

            return self.in_memory(Joined((Stream(count=count, at=item),), tuple))

        return Stream(count=Scalar(Int(), least, 0, most), at=column)

    def _by_operator(self, called: Any, args: list[Value]) -> Value | None:
        if called in _BINARY and len(args) == 2:
            return self.combined(_BINARY[called], *args)
        if called in _COMPARED and len(args) == 2:
            return self.compared(_COMPARED[called], *args)
        if called in _UNARY and len(args) == 1:
            return self.unary(_UNARY[called], *args)
        if called is operator.not_:
            return self.negated(self.truth(args[0]))
        if called is operator.contains and len(args) == 2:
            return self.contains(*args)
        return self.indexed(*args) if called is operator.getitem and len(args) == 2 else None

    # Iterators with names

    def may_be_named(self, node: ast.Assign) -> bool:
        """Whether an iterator can have a name: it may as well be made where it is used."""
        part = None if self.scope.definition is None else used_soon(node, self.scope.definition)
        return part is not None and all(
            map(self._is_of_library, filter(may_change, trees.nodes(part)))
        )

    def _is_of_library(self, node: ast.AST) -> bool:
        """Whether an expression calls a function of Python's, which changes no list."""
        function = node.func if isinstance(node, ast.Call) else None
        base = function.value if isinstance(function, ast.Attribute) else function
        known = self._known_name(base.id) if isinstance(base, ast.Name) else None
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
