"""Source files as trees, read once by all tests of a process."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

RUNS_LATER = (ast.FunctionDef, ast.AsyncFunctionDef)
BLOCKS = "body", "orelse", "finalbody", "handlers", "cases"
"""What holds statements: those of expressions would be most of a tree, and hold none."""


@cache
def tree_of(path: Path) -> ast.Module:
    """The tree of a source file, which nobody changes."""
    return ast.parse(path.read_text())


def statements(tree: ast.Module, *, of_functions: bool = True) -> Iterator[ast.AST]:
    """All statements of a file, with or without those that functions hold."""
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        yield node
        if of_functions or not isinstance(node, RUNS_LATER):
            for block in BLOCKS:
                todo += getattr(node, block, ())
