"""Constant expressions of kernels, calculated before machine code sees them.

Python's numbers have no sign bit and no width: `1 << 63` is positive there, and the compiler of
machine code would take it for another type than a word. So expressions of constants are folded by
Python's own rules, and only what is left must fit a word. Where a number with the highest bit would
be compared by size, divided or shifted to the right, it is refused: as a word it is negative.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

import attrs

from searchkit.bits import WORD_BITS
from searchkit.kernel_language.site import Site

WORD = 1 << WORD_BITS
HIGHEST = WORD >> 1
MOST_BITS = 4096
"""The most bits of a constant on the way to a word."""

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.Pow: operator.pow,
}
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Invert: lambda value: ~int(value),  # ~True is out of favour, but it is -2
    ast.Not: operator.not_,
}
_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_BY_SIZE = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_NOT_BITWISE = {"abs", "divmod", "max", "min", "range"}


def signed(value: int) -> int:
    """The signed number with the same 64 bits."""
    return value - WORD if value >= HIGHEST else value


def fits_word(value: int) -> bool:
    """Whether a word, with or without a sign, holds the number."""
    return -HIGHEST <= value < WORD


def fold(tree: ast.AST, site: Site) -> None:
    """Replace the expressions of constants below a node by what Python makes of them."""
    _Folder(site).visit(tree)


def check_words(tree: ast.AST, site: Site) -> None:
    """Raise `CompilationError` for constants that no word holds, or that differ there."""
    _WordChecker(site).visit(tree)


@attrs.frozen
class _Folder(ast.NodeTransformer):
    """Replaces expressions of constants by what Python makes of them."""

    site: Site

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        left, right = _number(node.left), _number(node.right)
        if right is not None:
            self._check_right(node, right)
        if left is None or right is None:
            if isinstance(node.op, ast.Pow):
                raise self.site.error(node, "uses **; multiply, or use << for powers of two")
            return node
        bits = left.bit_length() + right.bit_length()
        if isinstance(node.op, ast.LShift):
            bits += right
        elif isinstance(node.op, ast.Pow):
            bits += left.bit_length() * right
        if bits > MOST_BITS:
            raise self.site.error(node, "uses a number which has more than 64 bits")
        return _constant(_BINARY[type(node.op)](left, right), node)

    def _check_right(self, node: ast.BinOp, right: int) -> None:
        if isinstance(node.op, (ast.FloorDiv, ast.Mod)) and right == 0:
            raise self.site.error(node, "divides by 0")
        if isinstance(node.op, ast.Pow) and right < 0:
            raise self.site.error(node, "uses ** with a negative number, which gives a float")
        is_shift = isinstance(node.op, (ast.LShift, ast.RShift))
        of_constant = _number(node.left) is not None
        if is_shift and (right < 0 or (right >= WORD_BITS and not of_constant)):
            raise self.site.error(
                node, f"shifts by {right} places; a word can be shifted by 0 to 63"
            )

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        value = _number(node.operand)
        return node if value is None else _constant(_UNARY[type(node.op)](value), node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        values = [_number(each) for each in (node.left, *node.comparators)]
        if any(value is None for value in values) or not all(
            type(op) in _COMPARED for op in node.ops
        ):
            return node
        pairs = zip(node.ops, values, values[1:], strict=False)
        return _constant(all(_COMPARED[type(op)](left, right) for op, left, right in pairs), node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        values = [_number(each) for each in node.values]
        if any(value is None for value in values):
            return node
        ends = (value for value in values if bool(value) is isinstance(node.op, ast.Or))
        return _constant(next(ends, values[-1]), node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        value = _number(node.test)
        if value is None:
            return node
        return node.body if value else node.orelse


@attrs.frozen
class _WordChecker(ast.NodeVisitor):
    """Refuses constants that no word holds, or that mean something else there."""

    site: Site

    def visit_Constant(self, node: ast.Constant) -> None:
        if type(node.value) is int and not fits_word(node.value):
            shown = f"{node.value:#x}" if node.value.bit_length() < 100 else "a number"
            raise self.site.error(node, f"uses the number {shown}, which has more than 64 bits")

    def visit_Compare(self, node: ast.Compare) -> None:
        self.generic_visit(node)
        sides = [node.left, *node.comparators]
        for op, *pair in zip(node.ops, sides, sides[1:], strict=False):
            if isinstance(op, _BY_SIZE):
                self._refuse(pair, "compares by size with")

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self.generic_visit(node)
        if isinstance(node.op, (ast.FloorDiv, ast.Mod)):
            self._refuse([node.left, node.right], "divides with")
        if isinstance(node.op, ast.RShift):
            self._refuse([node.left], "shifts to the right")

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in _NOT_BITWISE:
            self._refuse(node.args, f"calls {node.func.id} with")

    def _refuse(self, nodes: list[ast.expr], told: str) -> None:
        for node in nodes:
            value = _number(node)
            if value is not None and value >= HIGHEST:
                raise self.site.error(
                    node,
                    f"{told} {value:#x}, which is negative as a machine word; use "
                    "searchkit.bits.shift_right, and masks",
                )


def _number(node: ast.AST) -> Any:
    """The number of a constant; None for all else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    return None


def _constant(value: Any, node: ast.AST) -> ast.Constant:
    return ast.copy_location(ast.Constant(value), node)
