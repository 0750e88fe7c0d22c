"""What values expressions of rules can have: a store of what always fits need not be checked."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from searchkit.errors import CompilationError
from searchkit.fields.declared import Set
from searchkit.fields.tables import NotListedError, as_number

Interval = tuple[int, int]
"""The least value and the greatest."""

MOST = 1 << 62
"""Sums of numbers beyond it may wrap around in machine code."""
_TRUTH = (0, 1)
_CORNERS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
}  # fmt: skip
"""Operations whose extremes are at extremes of their operands, whatever these are."""


def interval_of(context: Any, node: ast.expr) -> Interval | None:
    """Bounds on a number of an author's rule, in any state; None if none are known.

    Fields are within theirs. (R. E. Moore, Interval Analysis, 1966.)
    """
    try:
        found = _static(context, node) or _of_node(context, node)
    except (CompilationError, NotListedError):
        return None
    if context.guards and isinstance(node, (ast.BinOp, ast.Attribute, ast.Subscript)):
        found = _guarded(context.guard(node), found)
    return found if found is not None and -MOST < found[0] <= found[1] < MOST else None


def _guarded(guard: Interval | None, known: Interval | None) -> Interval | None:
    """The bounds that are known, and those that `legal` has made sure of."""
    if guard is None or known is None:
        return known
    return max(guard[0], known[0]), min(guard[1], known[1])


def _static(context: Any, node: ast.expr) -> Interval | None:
    static = context.static(node)
    if static is None or not static.values:
        return None
    numbers = [as_number(each) for each in static.values]
    return min(numbers), max(numbers)


def _of_node(context: Any, node: ast.expr) -> Interval | None:
    if isinstance(node, ast.Name):
        found: Interval | None = context.known.get(node.id)
        return found
    if isinstance(node, ast.Compare):
        return _TRUTH
    if isinstance(node, ast.IfExp):
        return _joined(interval_of(context, node.body), interval_of(context, node.orelse))
    if isinstance(node, ast.UnaryOp):
        return _of_sign(context, node)
    if isinstance(node, ast.BinOp):
        left, right = interval_of(context, node.left), interval_of(context, node.right)
        return changed(left, node.op, right)
    if isinstance(node, ast.Call):
        return _of_call(context, node)
    field = context.field(node)
    if field is not None:
        return field[0].field.low, field[0].field.below - 1
    row = context.row(node) if isinstance(node, ast.Subscript) else None
    return None if row is None else numbers_of(row)


def numbers_of(row: Any) -> Interval | None:
    """Bounds on the numbers of a list that indices lead to."""
    if row.level != row.nested.depth:
        return None
    numbers = [each for inner in row.nested.at(row.level - 1) for each in inner]
    return (min(numbers), max(numbers)) if numbers else None


def _of_sign(context: Any, node: ast.UnaryOp) -> Interval | None:
    if isinstance(node.op, ast.Not):
        return _TRUTH
    found = interval_of(context, node.operand)
    return (-found[1], -found[0]) if found is not None and isinstance(node.op, ast.USub) else None


def _of_call(context: Any, node: ast.Call) -> Interval | None:
    function = node.func
    if isinstance(function, ast.Attribute):
        field = context.field(function.value)
        if field is not None and function.attr == "index":
            return 0, field[0].field.length - 1
        return None
    name = function.id if isinstance(function, ast.Name) else ""
    if name in ("any", "all"):
        return _TRUTH
    if name == "len" and len(node.args) == 1:
        field = context.field(node.args[0])
        is_set = field is not None and isinstance(field[0].field, Set)
        return (0, field[0].field.length) if is_set else None
    if name not in ("min", "max", "abs") or node.keywords or isinstance(node.args[0], ast.Starred):
        return None
    given = [interval_of(context, each) for each in node.args]
    if name == "abs":
        if given[0] is None:
            return None
        least, most = given[0]
        return max(0, least, -most), max(most, -least)
    known = [each for each in given if each is not None]
    if len(given) < 2 or len(known) < len(given):
        return None
    which = min if name == "min" else max
    return which(each[0] for each in known), which(each[1] for each in known)


def _joined(one: Interval | None, other: Interval | None) -> Interval | None:
    if one is None or other is None:
        return None
    return min(one[0], other[0]), max(one[1], other[1])


def changed(left: Interval | None, op: ast.operator, right: Interval | None) -> Interval | None:
    """Bounds on the result of an operation."""
    if right is not None and isinstance(op, ast.Mod) and right[0] > 0:
        return 0, right[1] - 1
    if isinstance(op, ast.BitAnd):
        tops = [each[1] for each in (left, right) if each is not None and each[0] >= 0]
        return (0, min(tops)) if tops else None
    if left is None or right is None:
        return None
    corner = _CORNERS.get(type(op))
    if corner is not None:
        ends = [corner(a, b) for a in left for b in right]
        return min(ends), max(ends)
    if isinstance(op, ast.FloorDiv) and right[0] > 0:
        ends = [a // b for a in left for b in right]
        return min(ends), max(ends)
    if left[0] < 0 or right[0] < 0:
        return None
    if isinstance(op, (ast.BitOr, ast.BitXor)):
        return 0, (1 << max(left[1], right[1]).bit_length()) - 1
    if isinstance(op, ast.RShift) and right[1] < 64:
        return left[0] >> right[1], left[1] >> right[0]
    return None
