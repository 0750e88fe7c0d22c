"""Where a kernel is written, so that messages can name its author's line."""

from __future__ import annotations

import ast
import re
from types import FunctionType
from typing import NamedTuple

from searchkit.errors import CompilationError


class Site(NamedTuple):
    """A function that is a kernel, or that a kernel calls."""

    what: str
    """What messages call it: `Rush: kernel apply`."""
    file: str

    @classmethod
    def of(cls, function: FunctionType) -> Site:
        """Returns where a function stands that messages call by its own name."""
        return cls(function.__qualname__, function.__code__.co_filename)

    def at(self, line: int) -> str:
        """What messages about a line of it begin with."""
        what = re.sub(r"\b(any|all|sum|min|max)_of_\d+\b", r"\1(...)", self.what)
        return f"{what}, {self.file}:{line}"

    def error(self, node: ast.AST, message: str) -> CompilationError:
        """The error to raise for a node of its syntax tree, which has the author's lines."""
        return CompilationError(f"{self.at(getattr(node, 'lineno', 0))}: {message}")
