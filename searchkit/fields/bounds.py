"""What values expressions of rules can have: a store of what always fits need not be checked."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from searchkit.bits import WORD_BITS
from searchkit.errors import CompilationError
from searchkit.fields.declared import Set
from searchkit.fields.tables import NUMBERS, Instance
from searchkit.kernel_language.constants import SIGNS
from searchkit.kernel_language.intervals import Interval, of_operation

Bounds = Callable[[Instance], Interval | None]
"""What is known of a number for an object: what rests on it is asked of each object."""

MOST = 1 << 62
"""Sums of numbers beyond it may wrap around in machine code."""
_TRUTH = (0, 1)
_ANY = -(1 << WORD_BITS - 1), (1 << WORD_BITS - 1) - 1


def interval_of(context: Any, node: ast.expr) -> Bounds | None:
    """Bounds on a number of an author's rule, in any state; None if none are known of any object.

    Fields are within theirs. (R. E. Moore, Interval Analysis, 1966.)
    """
    try:
        static = context.static(node)
        if static is not None and context.tables.sort(static) != NUMBERS:
            return None
        found = static.extremes if static is not None else _of_node(context, node)
    except CompilationError:
        return None
    if found is None:
        return None
    guard = None
    if context.guards and isinstance(node, (ast.BinOp, ast.Attribute, ast.Subscript)):
        guard = context.guard(node)
    return combined(_limited, found) if guard is None else combined(_guarded, guard, found)


def fixed(low: int, high: int) -> Bounds:
    """The same bounds for all objects."""
    return lambda _: (low, high)


def combined(join: Callable[..., Interval | None], *parts: Bounds | None) -> Bounds:
    """What a function makes of bounds, each of which may be None."""
    return lambda instance: join(*(None if each is None else each(instance) for each in parts))


def joined(join: Callable[..., Interval], *parts: Bounds | None) -> Bounds:
    """What a function makes of bounds, all of which are known; None where one is not."""

    def known(*given: Interval | None) -> Interval | None:
        return None if None in given else join(*given)

    return combined(known, *parts)


def _limited(found: Interval | None) -> Interval | None:
    return found if found is not None and -MOST < found[0] <= found[1] < MOST else None


def _guarded(guard: Interval | None, known: Interval | None) -> Interval | None:
    """The bounds that are known, and those that `legal` has made sure of."""
    if guard is None or known is None:
        return _limited(known)
    return _limited((max(guard[0], known[0]), min(guard[1], known[1])))


def _of_node(context: Any, node: ast.expr) -> Bounds | None:
    match node:
        case ast.Name(name):
            found: Bounds | None = context.known.get(name)
            return found
        case ast.Compare() | ast.UnaryOp(ast.Not()):
            return fixed(*_TRUTH)
        case ast.IfExp(_, body, orelse):
            return joined(
                lambda one, other: (min(one[0], other[0]), max(one[1], other[1])),
                interval_of(context, body), interval_of(context, orelse),
            )  # fmt: skip
        case ast.UnaryOp(ast.USub(), operand):
            return joined(lambda at: (-at[1], -at[0]), interval_of(context, operand))
        case ast.UnaryOp():
            return None
        case ast.BinOp(left, sign, right):
            pair = interval_of(context, left), interval_of(context, right)
            return combined(lambda one, other: changed(one, sign, other), *pair)
        case ast.Call():
            return _of_call(context, node)
    field = context.field(node)
    if field is not None:
        return fixed(field[0].field.low, field[0].field.below - 1)
    row = context.row(node) if isinstance(node, ast.Subscript) else None
    return None if row is None else numbers_of(row)


def numbers_of(row: Any) -> Bounds | None:
    """Bounds on the numbers of a list that indices lead to."""
    if row.level != row.nested.depth:
        return None
    found: Bounds = row.nested.static.span
    return found


def _of_call(context: Any, node: ast.Call) -> Bounds | None:
    function = node.func
    if isinstance(function, ast.Attribute):
        field = context.field(function.value)
        if field is not None and function.attr == "index":
            return fixed(0, field[0].field.length - 1)
        return None
    name = function.id if isinstance(function, ast.Name) else ""
    if name in ("any", "all"):
        return fixed(*_TRUTH)
    if name == "len" and len(node.args) == 1:
        field = context.field(node.args[0])
        is_set = field is not None and isinstance(field[0].field, Set)
        return fixed(0, field[0].field.length) if is_set else None
    if name not in ("min", "max", "abs") or node.keywords or isinstance(node.args[0], ast.Starred):
        return None
    given = [interval_of(context, each) for each in node.args]
    if name == "abs":
        return joined(lambda at: (max(0, at[0], -at[1]), max(at[1], -at[0])), given[0])
    if len(given) < 2:
        return None
    which: Callable[..., int] = min if name == "min" else max
    return joined(lambda *known: tuple(map(which, *known)), *given)


def changed(left: Interval | None, op: ast.operator, right: Interval | None) -> Interval | None:
    """Bounds on the result of an operation; None where nothing is known of it, or it may raise."""
    sign = SIGNS.get(type(op), "/")
    if sign in ("&", "%"):  # the other operand may be enough
        left, right = left or _ANY, right or _ANY
    if left is None or right is None or sign in ("/", "**"):
        return None
    if sign in ("//", "%") and right[0] <= 0:
        return None
    if sign in ("<<", ">>") and not 0 <= right[0] <= right[1] < WORD_BITS:
        return None
    return of_operation(sign, left, right)
