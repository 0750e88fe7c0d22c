"""Marks in trees that were made for authors: what only checked kernels calculate."""

from __future__ import annotations

import ast
from typing import Any, TypeVar

from searchkit.kernel_language.copies import copied

Node = TypeVar("Node", bound=ast.AST)

RANGE = "searchkit_range"
"""Marks a call `int(x)` that stands for x: (what it is, the least, what it is below)."""
EITHER = "searchkit_either"
"""Marks a call `min(fast, full)` of two expressions that are equal where all is in range."""


def ranged(node: ast.expr, what: str, low: int, below: int) -> ast.expr:
    """The number, which the checked engine compares with bounds."""
    call = ast.Call(ast.Name("int", ast.Load()), [node], [])
    setattr(call, RANGE, (what, low, below))
    return ast.copy_location(call, node)


def either(fast: ast.expr, full: ast.expr) -> ast.expr:
    """The first expression; in the checked engine the second, where there are bounds."""
    if not any(hasattr(each, RANGE) for each in ast.walk(full)):
        return fast
    call = ast.Call(ast.Name("min", ast.Load()), [fast, full], [])
    setattr(call, EITHER, True)
    return ast.copy_location(call, fast)


def is_marked(node: ast.Call) -> bool:
    """Whether a call stands for its first argument."""
    return hasattr(node, RANGE) or hasattr(node, EITHER)


class _Unmarked(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> Any:
        return self.visit(node.args[0]) if is_marked(node) else self.generic_visit(node)


def unmarked(node: Node) -> Node:
    """A copy without what is marked."""
    found: Node = _Unmarked().visit(copied(node))
    return found
