"""Kernels with each operation as a call that checks it."""

from __future__ import annotations

import ast
from typing import Any

import attrs

from searchkit.kernel_language.collector import KNOWN, TUPLES, Collected
from searchkit.kernel_language.constants import SIGNS
from searchkit.kernel_language.copies import copied
from searchkit.kernel_language.marks import EITHER, RANGE
from searchkit.kernel_language.syntax import BUILTINS, ITERATORS
from searchkit.kernel_language.uses import TABLES

CHECK = "searchkit_check"
"""What the operations of a function are called in it, with its name behind."""
WORDS = "searchkit_words"


def checked_dialect(name: str, collected: Collected) -> ast.FunctionDef:
    """The function with its operations as calls."""
    definition = _Checked(name, collected).visit(copied(collected.definition))
    assert isinstance(definition, ast.FunctionDef)
    return definition


@attrs.frozen
class _Checked(ast.NodeTransformer):
    name: str
    collected: Collected

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return self._call("binary", node, _text(SIGNS[type(node.op)]), node.left, node.right)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        return self._call("unary", node, _text(SIGNS[type(node.op)]), node.operand)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        sides = [node.left, *node.comparators]
        calls = [
            self._call("compare", node, _text(SIGNS[type(op)]), left, right)
            for op, left, right in zip(node.ops, sides, sides[1:], strict=False)
        ]
        return calls[0] if len(calls) == 1 else ast.BoolOp(ast.And(), calls)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        what = ast.unparse(node.value).replace(f"{TABLES}.", "table ").removeprefix(TUPLES)
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Store):
            return node
        return self._call("item", node, node.value, node.slice, _text(what))

    def visit_Assign(self, node: ast.Assign) -> Any:
        self.generic_visit(node)
        (target, *more) = node.targets
        if more or not isinstance(target, ast.Subscript):
            return node
        return ast.Expr(self._call("put", node, target.value, target.slice, node.value))

    def visit_Yield(self, node: ast.Yield) -> ast.AST:
        self.generic_visit(node)
        step: Any = node.value
        gives, words = ast.Constant("state"), ast.Name(WORDS, ast.Load())
        operator, child, *costs = step.elts
        step.elts = [
            self._call("number", node, operator),
            self._call("result", node, child, gives, words),
            *(self._call("number", node, cost) for cost in costs),
        ]
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        if self.collected.gives == "steps":
            return node
        self.generic_visit(node)
        assert node.value is not None
        gives = ast.Constant(self.collected.gives)
        words = ast.Name(WORDS, ast.Load())
        node.value = self._call("result", node, node.value, gives, words)
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        if hasattr(node, EITHER):
            return self.visit(node.args[1])
        self.generic_visit(node)
        if hasattr(node, RANGE):
            bounds = map(ast.Constant, getattr(node, RANGE)[:3])
            return self._call("within", node, node.args[0], *bounds)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        line = ast.Constant(node.lineno)
        if name == "range":
            return ast.Call(self._method("range"), [line, *node.args], node.keywords)
        if (name in BUILTINS and name not in ITERATORS) or name in KNOWN.values():
            return ast.Call(self._method("called"), [_text(name), line, *node.args], node.keywords)
        return node

    def _call(self, method: str, node: Any, *arguments: ast.expr) -> ast.expr:
        return ast.Call(self._method(method), [*arguments, ast.Constant(node.lineno)], [])

    def _method(self, name: str) -> ast.expr:
        check = ast.Name(f"{CHECK}_{self.name}", ast.Load())
        return ast.Attribute(check, name, ast.Load())


def _text(value: str) -> ast.expr:
    return ast.Constant(value)
