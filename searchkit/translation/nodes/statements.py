"""Statements of the author's."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from searchkit.translation.nodes.build import Bottom
from searchkit.translation.nodes.lattice import Ref
from searchkit.translation.nodes.node import INT, Node, name, number
from searchkit.translation.nodes.scope import Scope
from searchkit.translation.nodes.values import NAMED, Function, Group, Known, Place, Stream
from searchkit.translation.types import Maybe

MOST_TURNS = 1 << 24
"""A loop of more turns may be one without an end: Python runs it, which can be ended there."""


class Statements:
    """Makes what is done."""

    def __init__(self, build: Any, parts: Any) -> None:
        self.b, self.p = build, parts
        self.ways: dict[type, Callable[[Scope, Any], None]] = {
            ast.Pass: lambda scope, node: None, ast.Expr: self.expression, ast.Assign: self.assignment,
            ast.AnnAssign: self.annotated, ast.AugAssign: self.augmented, ast.Return: self.giving,
            ast.If: self.choice, ast.For: self.loop, ast.While: self.waiting,
            ast.Break: lambda scope, node: build.leave(scope.loops[-1][0]),
            ast.Continue: lambda scope, node: build.leave(scope.loops[-1][1]),
            ast.Raise: lambda scope, node: build.trap(), ast.Assert: self.asserted,
            ast.Delete: self.deleted, ast.FunctionDef: self.inner,
        }  # fmt: skip

    def block(self, scope: Scope, body: list[ast.stmt]) -> None:
        """Make statements, as far as they are reached."""
        b = self.b
        for node in body:
            b.line = node.lineno
            way = self.ways.get(type(node))
            if way is None:
                raise self.p.cells.refuse(f"the statement {type(node).__name__}")
            try:
                way(scope, node)
            except Bottom:
                b.trap()
            if b.is_over:
                return

    def expression(self, scope: Scope, node: ast.Expr) -> None:
        value = node.value
        if isinstance(value, ast.Constant):
            return
        if isinstance(value, ast.Yield):
            self.yielded(scope, value)
        elif isinstance(value, ast.YieldFrom):
            assert scope.yielded is not None
            self.p.going.each(self.p.expressions.value(scope, value.value), scope.yielded)
        else:
            self.p.expressions.value(scope, value)

    def yielded(self, scope: Scope, node: ast.Yield) -> None:
        """Hand over an item."""
        if scope.yielded is None:
            raise self.p.cells.refuse("yields")
        if node.value is None:
            scope.yielded(Known(None))
            return
        scope.yielded(self.p.expressions.value(scope, node.value))

    def assignment(self, scope: Scope, node: ast.Assign) -> None:
        value = self.p.expressions.value(scope, node.value)
        if len(node.targets) > 1:
            value = self.p.names.settled(self.p.going.solid(value))
        for each in node.targets:
            self.assign(scope, each, value)

    def annotated(self, scope: Scope, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.assign(scope, node.target, self.p.expressions.value(scope, node.value))

    def assign(self, scope: Scope, target: ast.expr, value: Any) -> None:
        """Give a target a value."""
        cells = self.p.cells
        if isinstance(target, ast.Name):
            self.p.names.give(scope, target.id, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self.unpack(scope, target.elts, value)
        elif isinstance(target, ast.Subscript):
            if isinstance(target.slice, ast.Slice):
                raise cells.refuse("gives a slice other items")
            owner = self.p.expressions.value(scope, target.value)
            self.put(owner, self.p.expressions.solid(scope, target.slice), value)
        else:
            raise cells.refuse(f"gives {type(target).__name__} a value")

    def put(self, owner: Any, i: Any, value: Any) -> None:
        """`owner[i] = value`."""
        cells = self.p.cells
        if isinstance(owner, (Known, Group, Stream)):
            raise self.b.changes(owner)
        owner = cells.there(owner)
        kind = cells.kind_of(owner)
        if not isinstance(cells.type_of(owner), Ref):
            raise self.b.changes(owner)
        if kind is list:
            self.p.objects.put_item(owner, cells.number(i), value)
        elif kind is dict:
            self.p.objects.put_key(owner, i, value)
        else:
            raise cells.refuse(f"changes {kind}")

    def unpack(self, scope: Scope, targets: list[ast.expr], value: Any) -> None:
        """Give several targets the items of a value."""
        cells, b = self.p.cells, self.b
        if isinstance(value, Stream):
            if value.kind is None:
                if not isinstance(value.length, Known):
                    raise cells.refuse("unpacks an iterator")
                value = self.p.going.fixed((*self.p.going.path, "unpacked"), value, tuple)
            else:
                value = self.p.going.solid(value)
        cells.check_row(value)
        stars = [i for i, each in enumerate(targets) if isinstance(each, ast.Starred)]
        if isinstance(cells.type_of(value), Maybe):
            value = cells.there(value)
        length = cells.length(value)
        if stars:
            if not isinstance(length, Known):
                raise cells.refuse("unpacks a row of unknown length with a star")
            first, last = stars[0], len(targets) - stars[0] - 1
            if length.value < first + last:
                b.trap()
                raise Bottom
            parts = [cells.part(value, i) for i in range(length.value)]
            middle = parts[first : length.value - last]
            key = (scope.path, targets[first].lineno, targets[first].col_offset, "star")
            made = self.p.objects.of_items(b.heap(key, list), middle)
            parts = [*parts[:first], made, *parts[length.value - last :]]
            targets = [each.value if isinstance(each, ast.Starred) else each for each in targets]
        else:
            if not isinstance(length, Known):
                b.trap(b.compare("NotEq", length, len(targets)))
            elif length.value != len(targets):
                b.trap()
                raise Bottom
            parts = [cells.part(value, i) for i in range(len(targets))]
        parts = [
            self.p.names.settled(self.p.going.solid(each)) if not isinstance(each, Stream) else each
            for each in parts
        ]
        for target, part in zip(targets, parts, strict=True):
            self.assign(scope, target, part)

    def augmented(self, scope: Scope, node: ast.AugAssign) -> None:
        cells, expressions = self.p.cells, self.p.expressions
        target = node.target
        if isinstance(target, ast.Name):
            old = expressions.value(scope, ast.copy_location(ast.Name(target.id, ast.Load()), node))
            found = self.changed(scope, node, old)
            if found is not None:
                self.assign(scope, target, found)
        elif isinstance(target, ast.Subscript):
            owner = expressions.value(scope, target.value)
            i = self.p.names.settled(expressions.solid(scope, target.slice))
            old = expressions.item(owner, i)
            found = self.changed(scope, node, old)
            if found is not None:
                self.put(owner, i, found)
        else:
            raise cells.refuse("changes an attribute")

    def changed(self, scope: Scope, node: ast.AugAssign, old: Any) -> Any:
        """What an operator makes of a value; None where it is changed in place."""
        cells, sign = self.p.cells, type(node.op).__name__
        kind = cells.kind_of(old) if not isinstance(old, Stream) else None
        if kind in (list, set, dict) and isinstance(old, Known):
            raise self.b.changes(old)
        if kind is list:
            if not isinstance(cells.type_of(old), Ref):
                raise self.b.changes(old)
            if sign != "Add":
                raise cells.refuse("changes a list by an operator")
            value = self.p.expressions.value(scope, node.value)
            self.p.going.each(value, lambda item: self.p.objects.append(old, item))
            return None
        if kind is set:
            value = self.p.going.solid(self.p.expressions.value(scope, node.value))
            if cells.kind_of(value) not in (set, frozenset):
                raise cells.refuse("changes a set by another value")
            if not isinstance(cells.type_of(old), Ref) or sign not in ("BitOr", "Sub"):
                raise cells.refuse("changes a set by an operator")
            change = (
                self.p.sets.add
                if sign == "BitOr"
                else lambda ref, item: self.p.sets.remove(ref, item, must=False)
            )
            self.p.going.each(value, lambda item: change(old, item), ordered=False)
            return None
        value = self.p.expressions.value(scope, node.value)
        return self.p.expressions.operate(scope, node, old, node.op, value)

    def giving(self, scope: Scope, node: ast.Return) -> None:
        assert scope.returned is not None
        if node.value is None:
            scope.returned(Known(None))
            return
        if isinstance(node.value, ast.IfExp) and scope.outer is None and len(scope.path) == 1:
            test = self.p.expressions.test(scope, node.value.test)
            ways = [
                ast.copy_location(ast.Return(e), node) for e in (node.value.body, node.value.orelse)
            ]
            if test.kind == "number":
                self.giving(scope, ways[0] if test.what else ways[1])
                return
            self.b.choose(
                test, lambda: self.giving(scope, ways[0]), lambda: self.giving(scope, ways[1])
            )
            return
        scope.returned(self.p.expressions.value(scope, node.value))

    def choice(self, scope: Scope, node: ast.If) -> None:
        test = self.p.expressions.test(scope, node.test)
        if test.kind == "number":
            self.block(scope, node.body if test.what else node.orelse)
            return
        self.b.choose(
            test, lambda: self.block(scope, node.body), lambda: self.block(scope, node.orelse)
        )

    def loop(self, scope: Scope, node: ast.For) -> None:
        b = self.b
        value = self.p.expressions.value(scope, node.iter)
        if isinstance(value, Place) and value.lasts == NAMED:
            if not isinstance(node.iter, ast.Name) or scope.stores[node.iter.id] > 1:
                value = self.p.names.settled(value)

        with b.block() as out:

            def one(item: Any) -> None:
                with b.block() as again:
                    line = b.line
                    b.line = node.lineno
                    scope.loops.append((out, again))
                    try:
                        self.assign(scope, node.target, item)
                        self.block(scope, node.body)
                    except Bottom:
                        b.trap()
                    finally:
                        scope.loops.pop()
                        b.line = line

            self.p.going.each(value, one)
            self.block(scope, node.orelse)

    def waiting(self, scope: Scope, node: ast.While) -> None:
        b = self.b
        with b.block() as out, b.block() as end:
            turns = b.fresh("v_turns")
            b.let(turns, number(0))
            here = name(turns, INT, 0, 1 << 30)
            with b.endless():
                b.let(turns, b.plus(here, 1))
                b.trap(b.compare("Gt", here, MOST_TURNS))
                with b.block() as again:
                    scope.loops.append((out, again))
                    try:
                        test = self.p.expressions.test(scope, node.test)
                        b.choose(
                            b.negated(test), lambda: b.leave(end)
                        ) if test.kind != "number" else (None if test.what else b.leave(end))
                        if not b.is_over:
                            self.block(scope, node.body)
                    except Bottom:
                        b.trap()
                    finally:
                        scope.loops.pop()
        if node.orelse:
            raise self.p.cells.refuse("else of while")

    def asserted(self, scope: Scope, node: ast.Assert) -> None:
        self.b.trap(self.b.negated(self.p.expressions.test(scope, node.test)))

    def deleted(self, scope: Scope, node: ast.Delete) -> None:
        cells, b = self.p.cells, self.b
        for each in node.targets:
            if not isinstance(each, ast.Subscript) or isinstance(each.slice, ast.Slice):
                raise cells.refuse("deletes a name")
            owner = self.p.expressions.value(scope, each.value)
            i = self.p.expressions.solid(scope, each.slice)
            if not isinstance(cells.type_of(owner), Ref):
                raise self.b.changes(owner)
            if cells.kind_of(owner) is dict and not isinstance(owner, Known):
                at = b.held(self.p.objects.key_place(owner, i))
                b.trap(b.compare("Lt", at, 0))
                self.p.objects.take_out(owner, at)
            elif cells.kind_of(owner) is list and not isinstance(owner, Known):
                self.p.objects.pop(owner, i)
            else:
                raise cells.refuse("deletes an item")

    def inner(self, scope: Scope, node: ast.FunctionDef) -> None:
        self.p.names.give(scope, node.name, Function(node, scope.site, None, None, scope))


_ = (Node, number)
