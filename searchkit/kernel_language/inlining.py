"""Functions of plain Python with the kernels that they call written into them.

A call takes Python longer than what most kernels do. Kernels change nothing, so what one does may
be done a little earlier than the expression that it stands in.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Mapping
from functools import cache
from types import SimpleNamespace
from typing import Any

import attrs

from searchkit import bits
from searchkit.kernel_language.collector import KNOWN, Collected
from searchkit.kernel_language.copies import copied
from searchkit.kernel_language.uses import TABLES


def python_dialect(name: str, collected: Collected) -> ast.FunctionDef:
    """The function as Python can run it, whose tables may be tuples of tuples."""
    definition = _Rows().visit(copied(collected.definition))
    assert isinstance(definition, ast.FunctionDef)
    return definition


def inlined(
    function: ast.FunctionDef, kernels: Mapping[str, ast.FunctionDef]
) -> tuple[ast.FunctionDef, dict[str, tuple[str, ...]]]:
    """`function` with calls of `kernels` replaced by what they do; it must not use their names.

    Left are calls of kernels that return in several places, or where an operand may be skipped.
    Looking up a table takes time, too: each is a global name of its own. Those are returned by
    their names, with the fields that lead to the table.
    """
    writer = _Writer({**_functions_of_bits(), **kernels})
    function.body = writer.block(function.body)
    tables = _Tables()
    made = ast.fix_missing_locations(tables.visit(function))
    return made, tables.found


def tables_of(owner: Any) -> SimpleNamespace:
    """The tables of an object with kernels, and in fields of their names those of its parts."""
    tables = getattr(owner, "tables", None)
    fields = {field: getattr(tables, field) for field in getattr(tables, "_fields", ())}
    parts = {part: tables_of(getattr(owner, part)) for part in getattr(owner, "parts", ())}
    return SimpleNamespace(**fields, **parts)


@cache
def _functions_of_bits() -> dict[str, ast.FunctionDef]:
    """Those of `searchkit.bits` that are one expression, behind a docstring."""
    functions = {}
    for function in (bits.count_ones, bits.lowest_one, bits.replace_word):
        (definition,) = ast.parse(inspect.getsource(function)).body
        assert isinstance(definition, ast.FunctionDef)
        definition.body = definition.body[1:]
        functions[KNOWN[function]] = definition
    return functions


@attrs.define
class _Writer:
    """Writes functions into the places where they are called."""

    functions: dict[str, ast.FunctionDef]
    _names: int = 0

    def block(self, statements: list[Any]) -> list[Any]:
        """The statements, each after what the kernels do that it calls."""
        made: list[Any] = []
        for statement in statements:
            for field in ("value", "test", "iter"):
                expression = getattr(statement, field, None)
                if expression is not None and not isinstance(statement, ast.While):
                    setattr(statement, field, _Calls(self, made).visit(expression))
            for field in ("body", "orelse"):
                if hasattr(statement, field):
                    setattr(statement, field, self.block(getattr(statement, field)))
            made.append(statement)
        return made

    def written(self, call: ast.Call, name: str, before: list[Any]) -> ast.expr:
        """The value of a call, after what it does was added to `before`; or the call itself."""
        function = copied(self.functions[name])
        parameters = [each.arg for each in function.args.args]
        returns = [each for each in ast.walk(function) if isinstance(each, ast.Return)]
        if len(returns) != 1 or function.body[-1] is not returns[0] or call.keywords or (
            len(parameters) != len(call.args)
        ):  # fmt: skip
            return call
        stored = {
            each.id
            for each in ast.walk(function)
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
        }
        values: dict[str, ast.expr] = {}
        for parameter, argument in zip(parameters, call.args, strict=True):
            is_plain = isinstance(argument, (ast.Name, ast.Constant)) and parameter not in stored
            if is_plain or parameter == TABLES:
                values[parameter] = argument
            else:
                own = values[parameter] = self._fresh(parameter)
                before.append(ast.Assign([ast.Name(own.id, ast.Store())], argument))
        values |= {local: self._fresh(local) for local in stored.difference(parameters)}
        renamed = [_Renamed(values).visit(each) for each in function.body]
        before += self.block(renamed[:-1])
        value = _Calls(self, before).visit(renamed[-1].value)
        assert isinstance(value, ast.expr)
        return value

    def _fresh(self, name: str) -> ast.Name:
        self._names += 1
        return ast.Name(f"{name}_{self._names}", ast.Load())


@attrs.define
class _Calls(ast.NodeTransformer):
    writer: _Writer
    before: list[Any]

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in self.writer.functions:
            return self.writer.written(node, node.func.id, self.before)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        node.test = self.visit(node.test)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        node.values[0] = self.visit(node.values[0])
        return node


@attrs.define
class _Renamed(ast.NodeTransformer):
    values: dict[str, ast.expr]

    def visit_Name(self, node: ast.Name) -> ast.AST:
        value = copied(self.values.get(node.id, node))
        if isinstance(value, ast.Name):
            value.ctx = node.ctx
        return value


class _Rows(ast.NodeTransformer):
    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """`rows[i, j]`, as kernels are collected, becomes `rows[i][j]`."""
        self.generic_visit(node)
        if isinstance(node.slice, ast.Tuple):
            for index in node.slice.elts[:-1]:
                node.value = ast.Subscript(node.value, index, ast.Load())
            node.slice = node.slice.elts[-1]
        return node


class _Tables(ast.NodeTransformer):
    def __init__(self) -> None:
        self.found: dict[str, tuple[str, ...]] = {}

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        root, *fields = ast.unparse(node).split(".")
        if root != TABLES:
            return self.generic_visit(node)
        name = "_".join((root, *fields))
        self.found[name] = tuple(fields)
        return ast.Name(name, ast.Load())
