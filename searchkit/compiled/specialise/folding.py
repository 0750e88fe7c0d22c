"""Constants of kernels, put in their places: what is then known to be idle falls away."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator
from typing import Any

import attrs

from searchkit.kernel_language.constants import fits_word

_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.Not: operator.not_,
    ast.USub: operator.neg,
    ast.Invert: operator.invert,
}
_BINARY: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


_ENDS = (ast.Return, ast.Raise, ast.Break, ast.Continue)


def is_number(value: Any) -> bool:
    """Whether a constant can be written into a kernel."""
    return isinstance(value, int) and fits_word(int(value))


@attrs.frozen
class _Folding(ast.NodeTransformer):
    """Puts in its place what `resolved` makes of each name, with what follows its dots.

    Of an `if` whose test is then known only one branch stays, and of what follows a return nothing.
    """

    resolved: Callable[[ast.expr], ast.expr]

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self.resolved(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        resolved = self.resolved(node)
        return super().generic_visit(node) if resolved is node else resolved

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.operand, ast.Constant) and type(node.op) in _UNARY:
            return constant(_UNARY[type(node.op)](node.operand.value), node)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return _calculated(node, node.op, node.left, node.right)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) > 1:
            return node
        return _calculated(node, node.ops[0], node.left, node.comparators[0])

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        decides = isinstance(node.op, ast.Or)
        kept: list[ast.expr] = []
        for i, value in enumerate(node.values):
            if isinstance(value, ast.Constant):
                if bool(value.value) == decides:
                    kept.append(value)
                    break
                if i < len(node.values) - 1:
                    continue
            kept.append(value)
        node.values = kept
        return kept[0] if len(kept) == 1 else node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.test, ast.Constant):
            return node.body if node.test.value else node.orelse
        return node

    def visit_If(self, node: ast.If) -> Any:
        self.generic_visit(node)
        if isinstance(node.test, ast.Constant):
            return node.body if node.test.value else node.orelse
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for field in ("body", "orelse"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                ends = [i for i, each in enumerate(block) if isinstance(each, _ENDS)]
                del block[ends[0] + 1 if ends else len(block) :]
                if not block and field == "body":
                    block.append(ast.copy_location(ast.Pass(), node))
        return node


def constant(value: Any, node: ast.expr) -> ast.expr:
    """The number `value` in the place of `node`; that itself if it is not a number."""
    if not is_number(value):
        return node
    number = value if isinstance(value, bool) else int(value)
    return ast.copy_location(ast.Constant(number), node)


def _calculated(node: ast.expr, sign: ast.AST, left: ast.expr, right: ast.expr) -> ast.expr:
    if (
        not (isinstance(left, ast.Constant) and isinstance(right, ast.Constant))
        or type(sign) not in _BINARY
    ):
        return node
    return constant(_BINARY[type(sign)](left.value, right.value), node)


def folded(node: Any, resolved: Callable[[ast.expr], ast.expr]) -> Any:
    """The statement or expression with what `resolved` makes of its names."""
    return _Folding(resolved).visit(node)


def defined_in(node: ast.AST) -> Iterator[str]:
    """The names that are arguments or variables of a function, or of functions in it."""
    for each in ast.walk(node):
        if isinstance(each, ast.arg):
            yield each.arg
        elif isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load):
            yield each.id
        elif isinstance(each, ast.FunctionDef) and each is not node:
            yield each.name


def free_names(node: ast.AST) -> dict[str, int]:
    """The names that a definition takes from its module, each with the line that does so first."""
    own = set(defined_in(node)) if isinstance(node, ast.FunctionDef) else set()
    found: dict[str, int] = {}
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) and each.id not in own:
            found.setdefault(each.id, each.lineno)
    return found
