"""What is called: the author's functions, put in place, records, and Python's own."""

from __future__ import annotations

import ast
import dataclasses
import enum
import types as python_types
from typing import Any

import attrs

from searchkit.errors import CompilationError
from searchkit.problem import Step
from searchkit.translation.calls import split_source
from searchkit.translation.definitions import is_used_once, own_nodes
from searchkit.translation.effects import NOTHING, what_changes
from searchkit.translation.nodes.build import Bottom
from searchkit.translation.nodes.node import Node
from searchkit.translation.nodes.scope import Scope
from searchkit.translation.nodes.values import Function, Group, Known, Method, Place, Row, Stream
from searchkit.translation.records import does_more, making_of
from searchkit.translation.types import names_of

DEEP = 12


class Calls:
    """Makes calls."""

    def __init__(self, build: Any, parts: Any) -> None:
        self.b, self.p = build, parts
        self.running: list[Any] = []

    def call(self, scope: Scope, node: ast.Call) -> Any:
        """What a call comes to."""
        cells, expressions = self.p.cells, self.p.expressions
        function = expressions.value(scope, node.func)
        if isinstance(function, Known) and function.value is Step:
            return self.step(scope, node)
        if isinstance(function, Method):
            return self.p.methods.call(scope, node, function)
        if isinstance(function, Known):
            value = function.value
            if isinstance(value, python_types.MethodType) and isinstance(
                value.__func__, python_types.FunctionType
            ):
                function = Function(None, None, value.__func__, Known(value.__self__), None)
            elif isinstance(value, python_types.FunctionType):
                if value in (attrs.evolve, dataclasses.replace) and len(node.args) == 1:
                    args, named = self.arguments(scope, node)
                    if (
                        not isinstance(cells.kind_of(args[0]), type)
                        or names_of(cells.kind_of(args[0])) is None
                    ):
                        raise cells.refuse("replaces a part of what is no record")
                    self.check_made(cells.kind_of(args[0]))
                    return self.p.methods._replaced(args[0], named)
                function = Function(None, None, value, None, None)
            elif isinstance(value, type) and issubclass(value, enum.Enum) and len(node.args) == 1:
                table = {each.value: each for each in value}
                return expressions.looked_up(table, expressions.solid(scope, node.args[0]), None)
            elif isinstance(value, type) and names_of(value) is not None:
                return self.record(scope, node, value)
            else:
                return self.p.builtins.call(scope, node, value)
        if not isinstance(function, Function):
            raise cells.refuse("calls a value")
        args, named = self.arguments(scope, node)
        return self.run(function, args, named, node, scope)

    def arguments(self, scope: Scope, node: ast.Call) -> tuple[list[Any], dict[str, Any]]:
        """What a call hands over."""
        expressions = self.p.expressions
        args: list[Any] = []
        for each in node.args:
            if isinstance(each, ast.Starred):
                items = expressions.spread(expressions.value(scope, each.value))
                if items is None:
                    value = expressions.value(scope, each.value)
                    length = self.p.cells.length(value)
                    if not isinstance(length, Known):
                        raise self.p.cells.refuse("a star of unknown length")
                    items = [self.p.cells.part(value, i) for i in range(length.value)]
                args += items
            else:
                args.append(self.argument(scope, each))
        if any(each.arg is None for each in node.keywords):
            raise self.p.cells.refuse("** in a call")
        named = {str(each.arg): self.argument(scope, each.value) for each in node.keywords}
        return args, named

    def argument(self, scope: Scope, node: ast.expr) -> Any:
        """An argument, which later ones do not change."""
        value = self.p.expressions.value(scope, node)
        if isinstance(value, (Node, Row)):
            return self.p.names.settled(value)
        return value

    def step(self, scope: Scope, node: ast.Call) -> Any:
        """A step, whose label is left out."""
        given = dict(zip(("action", "state", "cost"), node.args, strict=False))
        given |= {str(each.arg): each.value for each in node.keywords}
        if (
            any(isinstance(each, ast.Starred) for each in node.args)
            or not {"action", "state"} <= given.keys()
        ):
            raise self.p.cells.refuse("a step of a star")
        self.label(scope, given["action"])
        state = self.p.expressions.value(scope, given["state"])
        cost = self.p.expressions.solid(scope, given["cost"]) if "cost" in given else Known(1)
        return Group([state, cost], Step)

    def label(self, scope: Scope, node: ast.expr) -> None:
        """Refuse a label that may change something, or has no value."""
        for each in ast.walk(node):
            if isinstance(each, ast.Name) and getattr(each, "is_unsure", False):
                owner = scope.owner_of(each.id)
                if owner is not None:
                    self.p.names.check_given(owner, each.id)

        self.check_pure(scope, node)

    def check_pure(self, scope: Scope, node: ast.AST) -> None:
        """Refuse an expression that may change something."""

        def known(title: str) -> Any:
            owner = scope.owner_of(title)
            if owner is None:
                try:
                    return scope.outside(title)
                except Exception:
                    return NOTHING
            alias = self.b.variable((owner.path, title)).alias
            if isinstance(alias, Known):
                return alias.value
            if isinstance(alias, Function):
                raise self.p.cells.refuse("calls an inner function within a label")
            return NOTHING

        changed = what_changes(node, known)
        if changed is not None:
            raise self.p.cells.refuse(f"what may change something: {changed}")

    def record(self, scope: Scope, node: ast.Call, kind: type) -> Any:
        """An object of a class with names."""
        args, named = self.arguments(scope, node)
        self.check_made(kind)
        making = making_of(kind)
        given = dict(zip(making.by_position, args, strict=False))
        whole = {title: Known(value) for title, value in making.defaults.items()} | given | named
        if given.keys() & named.keys() or len(args) > len(given) or set(whole) != set(making.names):
            raise self.p.cells.refuse("a record of other fields")
        names = making.names
        items = [whole[title] for title in names]
        items = [self.p.going.solid(each) for each in items]
        if all(isinstance(each, Known) for each in items):
            return Known(kind(**{n: e.value for n, e in zip(names, items, strict=True)}))
        return Group(items, kind)

    def check_made(self, kind: type) -> None:
        """Refuse a class that does more when an object is made."""
        if does_more(kind):
            raise self.p.cells.refuse("a record that does more when it is made")

    # The author's functions

    def run(
        self,
        function: Function,
        args: list[Any],
        named: dict[str, Any],
        node: Any,
        scope: Any = None,
    ) -> Any:
        """Put a function in the place of its call."""
        cells, b = self.p.cells, self.b
        definition, site = function.definition, function.site
        if definition is None:
            try:
                definition, site = split_source(function.function)
            except CompilationError as error:
                raise cells.refuse(str(error)) from error
            if any(isinstance(each, ast.Await) for each in ()):
                raise AssertionError
        if definition in self.running:
            raise cells.refuse("calls itself")
        if len(self.running) > DEEP:
            raise cells.refuse("calls too deep")
        if function.owner is not None:
            if isinstance(vars(type(function.owner)).get("x"), staticmethod):
                raise AssertionError
            args = [function.owner, *args]
        caller = scope.path if scope is not None else self.p.going.path
        path = (*caller, (node.lineno, node.col_offset, id(definition)))
        inner = Scope(path, definition, site, function.function, function.scope)
        given = self.bound(function, definition, args, named)
        is_generator = isinstance(definition, ast.FunctionDef) and any(
            isinstance(each, (ast.Yield, ast.YieldFrom)) for each in own_nodes(definition)
        )
        inner.is_generator = is_generator
        if is_generator:
            return self.generator(inner, given)
        for title, value in given.items():
            self.p.names.give(inner, title, value, is_argument=True)
        self.running.append(definition)
        line = b.line
        try:
            if isinstance(definition, ast.Lambda):
                return self.p.expressions.value(inner, definition.body)
            return self.body(inner)
        finally:
            self.running.pop()
            b.line = line

    def bound(
        self, function: Function, definition: Any, args: list[Any], named: dict[str, Any]
    ) -> dict[str, Any]:
        """What each argument stands for."""
        cells, given = self.p.cells, definition.args
        names = [each.arg for each in [*given.posonlyargs, *given.args]]
        found = dict(zip(names, args, strict=False))
        if given.vararg is not None:
            found[given.vararg.arg] = self.packed(args[len(names) :])
        elif len(args) > len(names):
            raise cells.refuse("too many arguments")
        if given.kwarg is not None:
            raise cells.refuse("** among the arguments")
        found |= named
        names += [each.arg for each in given.kwonlyargs]
        if function.function is not None:
            defaults = function.function.__defaults__ or ()
            positional = names[: len(given.posonlyargs) + len(given.args)]
            for title, value in zip(
                positional[len(positional) - len(defaults) :], defaults, strict=True
            ):
                found.setdefault(title, Known(value))
            for title, value in (function.function.__kwdefaults__ or {}).items():
                found.setdefault(title, Known(value))
        else:
            positional = names[: len(given.posonlyargs) + len(given.args)]
            for title, value in zip(
                positional[len(positional) - len(given.defaults) :], given.defaults, strict=True
            ):
                if title not in found:
                    if not isinstance(value, ast.Constant):
                        raise cells.refuse("a default that is found when the function is made")
                    found[title] = Known(value.value)
        own = {*names} | ({given.vararg.arg} if given.vararg is not None else set())
        if set(found) != own:
            raise cells.refuse("other arguments than the function has")
        return found

    def packed(self, args: list[Any]) -> Any:
        """Arguments behind a star."""
        if all(isinstance(each, Known) for each in args):
            return Known(tuple(each.value for each in args))
        return Group([self.p.going.solid(each) for each in args])

    def body(self, scope: Scope) -> Any:
        """The body of a function, and what it returns."""
        b, names = self.b, self.p.names
        returns = [each for each in own_nodes(scope.definition) if isinstance(each, ast.Return)]
        last = scope.definition.body[-1]
        if len(returns) == 1 and last is returns[0]:
            found: list[Any] = []
            scope.returned = found.append
            self.p.statements.block(scope, scope.definition.body)
            if not found:
                raise Bottom
            value = found[0]
            if isinstance(value, Place) and value.lasts == "named":
                return Place(value.type, value.memory, value.at, "once")
            return names.settled(value) if isinstance(value, (Node, Row, Group)) else value
        if not returns:
            self.p.statements.block(scope, scope.definition.body)
            return Known(None)
        variable = b.variable((scope.path, "return"))
        constant: list[Any] = []
        with b.block() as label:

            def returned(value: Any) -> None:
                constant.append(value)
                kind = self.p.cells.type_of(value)
                if kind is None and not (isinstance(value, Stream) and value.kind):
                    raise self.p.cells.refuse("returns what has no type")
                names.hold(variable, value)
                b.leave(label)

            scope.returned = returned
            self.p.statements.block(scope, scope.definition.body)
            if not b.is_over:
                names.hold(variable, Known(None))
        found_value = names.value_of(variable)
        if isinstance(found_value, (Node, Row)):
            return names.settled(found_value)
        if isinstance(found_value, Place):
            return Place(found_value.type, found_value.memory, found_value.at, "once")
        return found_value

    def generator(self, scope: Scope, given: dict[str, Any]) -> Stream:
        """What a generator gives, as it is gone through."""
        b = self.b
        settled = {title: self.p.names.settled(value) for title, value in given.items()}
        outer_running = list(self.running)

        def run(body: Any) -> None:
            for title, value in settled.items():
                self.p.names.give(scope, title, value, is_argument=True)
            here, line = self.running, b.line
            self.running = [*outer_running, scope.definition]
            try:
                with b.block() as label:

                    def one(item: Any) -> None:
                        inside, self.running = self.running, here
                        at, path = b.line, self.p.going.path
                        b.line = line
                        try:
                            body(item)
                        finally:
                            self.running = inside
                            b.line, self.p.going.path = at, path

                    scope.yielded = one
                    scope.returned = lambda value: b.leave(label)
                    self.p.statements.block(scope, scope.definition.body)
            finally:
                self.running = here
                b.line = line

        made = Stream(run)
        made.node = ast.Pass()
        return made

    def check_once(self, scope: Scope, title: str) -> None:
        """Refuse an iterator that may be gone through twice."""
        if not is_used_once(scope.definition, title):
            raise self.p.cells.refuse(f"the iterator {title} is used several times")
