"""What of a text is known before its function runs: constants, and what modules hold."""

from __future__ import annotations

import ast
import builtins
import operator
from collections.abc import Callable, Container, Mapping
from types import ModuleType
from typing import Any

from searchkit.kernel_language import constants

BINARY: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    node: constants.BINARY[sign]
    for node, sign in constants.SIGNS.items()
    if issubclass(node, ast.operator) and node is not ast.Pow  # numba goes by the exponent
} | {ast.Div: operator.truediv}
UNARY: dict[type[ast.AST], Callable[[Any], Any]] = {
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert,
}  # fmt: skip
COMPARED: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    node: constants.COMPARED[sign]
    for node, sign in constants.SIGNS.items()
    if issubclass(node, ast.cmpop) and sign in constants.COMPARED
}


class Unfit(Exception):  # noqa: N818  (no error: numba takes over)
    """A function has what only numba itself compiles; the message says what."""


def done_by(functions: Mapping[type[ast.AST], Any], sign: ast.AST) -> Any:
    """What an operator of a text does."""
    if type(sign) not in functions:
        raise Unfit(type(sign).__name__)
    return functions[type(sign)]


def _done(function: Callable[..., Any], *values: Any) -> Any:
    """What a function gives for known values; of an error, numba tells where it is."""
    try:
        return function(*values)
    except (AttributeError, TypeError, ValueError) as error:
        raise Unfit("an error of what is known") from error


class Known:
    """Values of expressions of a function, whose own names are `names`."""

    def __init__(self, values: Mapping[str, Any], names: Container[str]) -> None:
        self._values, self.names = values, names

    def has(self, node: ast.expr) -> bool:
        """Whether an expression has a value before the function runs."""
        if isinstance(node, ast.Name):
            return node.id not in self.names
        if isinstance(node, ast.Attribute):
            return self.has(node.value) and isinstance(self.value(node.value), ModuleType)
        if isinstance(node, ast.UnaryOp) and type(node.op) in UNARY:
            return isinstance(node.operand, ast.Constant)
        return isinstance(node, ast.Constant)

    def value(self, node: ast.expr) -> Any:
        """The value of such an expression; `Unfit` for others."""
        if not self.has(node):
            raise Unfit("something that is found out first")
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.UnaryOp):
            return _done(done_by(UNARY, node.op), self.value(node.operand))
        if isinstance(node, ast.Attribute):
            return _done(getattr, self.value(node.value), node.attr)
        assert isinstance(node, ast.Name)
        if node.id in self._values:
            return self._values[node.id]
        return _done(getattr, builtins, node.id)

    def truth(self, node: ast.expr) -> bool | None:
        """Whether a condition holds, if that is known."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            known = self.truth(node.operand)
            return None if known is None else not known
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            sides = node.left, node.comparators[0]
            if all(map(self.has, sides)):
                compare = done_by(COMPARED, node.ops[0])
                return bool(_done(bool, _done(compare, *map(self.value, sides))))
        return bool(_done(bool, self.value(node))) if self.has(node) else None
