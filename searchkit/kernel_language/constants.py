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

from searchkit.bits import WORD_BITS
from searchkit.kernel_language.site import Site
from searchkit.kernel_language.trees import Transformer, Visitor, nodes

WORD = 1 << WORD_BITS
HIGHEST = WORD >> 1
MOST_BITS = 4096
"""The most bits of a constant on the way to a word."""

Error = Callable[[ast.AST, str], Exception]
"""What makes the error about a node."""
_ENDS = (ast.Return, ast.Raise, ast.Break, ast.Continue)
SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.UAdd: "+", ast.USub: "-", ast.Invert: "~", ast.Not: "not",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
"""How operators are written."""
BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul,
    "//": operator.floordiv, "%": operator.mod, "**": operator.pow,
    "<<": operator.lshift, ">>": operator.rshift,
    "&": operator.and_, "|": operator.or_, "^": operator.xor,
}  # fmt: skip
_UNARY: dict[str, Callable[[Any], Any]] = {
    "+": operator.pos,
    "-": operator.neg,
    "~": lambda value: ~int(value),  # ~True is out of favour, but it is -2
    "not": operator.not_,
}
COMPARED: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_BY_SIZE = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_NOT_BITWISE = {"abs", "divmod", "max", "min", "range"}


def signed(value: int) -> int:
    """The signed number with the same 64 bits."""
    return value - WORD if value >= HIGHEST else value


def fits_word(value: int) -> bool:
    """Whether a word, with or without a sign, holds the number."""
    return -HIGHEST <= value < WORD


def fold(tree: ast.AST, site: Site) -> None:
    """Replace the expressions of constants below a node by what Python makes of them.

    Of an `if` whose test is then known only one branch stays, and of what follows a return nothing.
    """
    _Folder(site.error).visit(tree)


def fold_names(tree: Any, error: Error, resolved: Callable[[ast.expr], ast.expr]) -> Any:
    """The same with what `resolved` makes of each name and what follows its dots."""
    return _NameFolder(error, resolved).visit(tree)


def check_words(tree: ast.AST, site: Site) -> None:
    """Raise `CompilationError` for constants that no word holds, or that differ there."""
    numbers = (each.value for each in nodes(tree) if isinstance(each, ast.Constant))
    if not all(-HIGHEST <= each < HIGHEST for each in numbers if isinstance(each, int)):
        _WordChecker(site).visit(tree)


class _Folder(Transformer):
    """Replaces what is constant, and leaves out what no longer decides; `error` makes errors."""

    def __init__(self, error: Error) -> None:
        self.error = error

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        left, right = number_of(node.left), number_of(node.right)
        if right is not None:
            self._check_right(node, right)
        if left is None or right is None:
            if isinstance(node.op, ast.Pow):
                raise self.error(node, "uses **; multiply, or use << for powers of two")
            return node
        bits = left.bit_length() + right.bit_length()
        if isinstance(node.op, ast.LShift):
            bits += right
        elif isinstance(node.op, ast.Pow):
            bits += left.bit_length() * right
        if bits > MOST_BITS:
            raise self.error(node, "uses a number which has more than 64 bits")
        return constant(BINARY[SIGNS[type(node.op)]](left, right), node)

    def _check_right(self, node: ast.BinOp, right: int) -> None:
        if isinstance(node.op, (ast.FloorDiv, ast.Mod)) and right == 0:
            raise self.error(node, "divides by 0")
        if isinstance(node.op, ast.Pow) and right < 0:
            raise self.error(node, "uses ** with a negative number, which gives a float")
        is_shift = isinstance(node.op, (ast.LShift, ast.RShift))
        of_constant = number_of(node.left) is not None
        if is_shift and (right < 0 or (right >= WORD_BITS and not of_constant)):
            raise self.error(node, f"shifts by {right} places; a word can be shifted by 0 to 63")

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        value = number_of(node.operand)
        return node if value is None else constant(_UNARY[SIGNS[type(node.op)]](value), node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        values = [number_of(each) for each in (node.left, *node.comparators)]
        if any(value is None for value in values) or not all(
            SIGNS[type(op)] in COMPARED for op in node.ops
        ):
            return node
        pairs = zip(node.ops, values, values[1:], strict=False)
        return constant(
            all(COMPARED[SIGNS[type(op)]](left, right) for op, left, right in pairs), node
        )

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        kept: list[ast.expr] = []
        for value in node.values:
            number = number_of(value)
            decides = number is not None and bool(number) is isinstance(node.op, ast.Or)
            if number is None or decides or value is node.values[-1]:
                kept.append(value)
            if decides:
                break
        node.values = kept
        return kept[0] if len(kept) == 1 else node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        value = number_of(node.test)
        if value is None:
            return node
        return node.body if value else node.orelse

    def visit_If(self, node: ast.If) -> Any:
        self.generic_visit(node)
        test = number_of(node.test)
        return node if test is None else node.body if test else node.orelse

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


class _NameFolder(_Folder):
    def __init__(self, error: Error, resolved: Callable[[ast.expr], ast.expr]) -> None:
        super().__init__(error)
        self.resolved = resolved

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self.resolved(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        resolved = self.resolved(node)
        return super().generic_visit(node) if resolved is node else resolved


class _WordChecker(Visitor):
    """Refuses constants that no word holds, or that mean something else there."""

    def __init__(self, site: Site) -> None:
        self.site = site

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

    def _refuse(self, nodes: list[ast.expr], start: str) -> None:
        for node in nodes:
            value = number_of(node)
            if value is not None and value >= HIGHEST:
                raise self.site.error(
                    node,
                    f"{start} {value:#x}, which is negative as a machine word; use "
                    "searchkit.bits.shift_right, and masks",
                )


def number_of(node: ast.AST) -> Any:
    """The number of a constant; None for all else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    return None


def constant(value: Any, node: ast.AST) -> ast.Constant:
    """A constant in the place of a node."""
    return ast.copy_location(ast.Constant(value), node)
