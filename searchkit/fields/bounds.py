"""What values expressions of rules can have: a store of what always fits need not be checked.

Nor need one of `apply` that `legal` proves to fit: where it has said
`0 <= s.offset[car] + slide <= self.last[car]`, so it is, as long as nothing has changed the field.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from searchkit.bits import WORD_BITS
from searchkit.errors import CompilationError
from searchkit.fields.declared import Set
from searchkit.fields.flow import names_of
from searchkit.fields.tables import NUMBERS, Instance
from searchkit.kernel_language.constants import SIGNS
from searchkit.kernel_language.copies import substituted
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
    return combined(_guarded, guard, found)


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


def _guarded(guard: Interval | None, known: Interval | None) -> Interval | None:
    """The bounds that are known, and those that `legal` has made sure of; None beyond `MOST`."""
    if known is None:
        return None
    low, high = known if guard is None else (max(guard[0], known[0]), min(guard[1], known[1]))
    return (low, high) if -MOST < low <= high < MOST else None


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


_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt,
}  # fmt: skip
_SWAPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE, ast.Eq: ast.Eq,
}  # fmt: skip
Fact = tuple[ast.expr, type[ast.cmpop], ast.expr]


def numbered(names: Sequence[str]) -> dict[str, ast.expr]:
    """What stands for the arguments of a rule in keys."""
    return {name: ast.Name(f"argument_{i}", ast.Load()) for i, name in enumerate(names)}


def key_of(node: ast.AST, parts: Mapping[str, ast.expr]) -> str:
    """An expression as text, with what stands for its names."""
    return ast.unparse(substituted(node, parts))


def guards_of(context: object, definition: ast.FunctionDef) -> dict[str, Bounds]:
    """Bounds on expressions, by their texts, wherever `legal` has returned what is true.

    `context` is that in which it was made into a kernel. Only what every way through its body comes
    by is looked at: tests that return False, and what is returned at the end.
    """
    names = [each.arg for each in definition.args.args]
    parts = numbered(names)
    guards: dict[str, Bounds] = {}
    if assigns_to(definition, names):
        return {}
    for statement in definition.body:
        facts: list[Fact] = []
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                if context.stored[name] == 1 and name not in names:  # type: ignore[attr-defined]
                    parts[name] = substituted(value, parts)
            case ast.If(test=test, body=[ast.Return(value=ast.Constant(value=False))], orelse=[]):
                facts = list(_facts(test, holds=False))
            case ast.Return(value=ast.expr() as value):
                facts = list(_facts(value, holds=True))
            case ast.Expr(value=ast.Constant()):
                pass
            case _:  # it may return, or change what names stand for
                break
        for left, sign, right in facts:
            for one, by, other in ((left, sign, right), (right, _SWAPPED[sign], left)):
                known = interval_of(context, other)
                if known is None:
                    continue
                key = key_of(one, parts)
                guards[key] = combined(partial(_narrowed, by), guards.get(key), known)
        if isinstance(statement, ast.Return):
            break
    return guards


def _narrowed(
    by: type[ast.cmpop], earlier: Interval | None, known: Interval | None
) -> Interval | None:
    """The bounds on what compares so with a number that is within others."""
    if known is None:
        return earlier
    low, high = earlier or (-MOST, MOST)
    if by in (ast.GtE, ast.Gt, ast.Eq):
        low = max(low, known[0] + (by is ast.Gt))
    if by in (ast.LtE, ast.Lt, ast.Eq):
        high = min(high, known[1] - (by is ast.Lt))
    return low, high


def assigns_to(definition: ast.FunctionDef, names: Sequence[str]) -> bool:
    """Whether a function gives one of some names another value."""
    return not {*names}.isdisjoint(names_of(definition, stored=True))


def changed_fields(node: ast.AST, state: str | None) -> set[str] | None:
    """The fields of the state that a statement may change; None if it may be all."""
    found = set()
    for each in ast.walk(node):
        place: ast.AST = each
        if isinstance(each, ast.Call):
            given = [*each.args, *(named.value for named in each.keywords)]
            if any(isinstance(one, ast.Name) and one.id == state for one in given):
                return None
            place = each.func.value if isinstance(each.func, ast.Attribute) else each
        elif not isinstance(getattr(each, "ctx", None), (ast.Store, ast.Del)):
            continue
        while isinstance(place, ast.Subscript):
            place = place.value
        owner = place.value if isinstance(place, ast.Attribute) else None
        if isinstance(owner, ast.Name) and owner.id == state:
            found.add(place.attr)  # type: ignore[attr-defined]
    return found


def _facts(test: ast.expr, *, holds: bool) -> Iterator[Fact]:
    """The comparisons that hold where a test does, or does not."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _facts(operand, holds=not holds)
        case ast.BoolOp(op=op, values=values) if isinstance(op, ast.And) is holds:
            for each in values:
                yield from _facts(each, holds=holds)
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            if not holds and len(ops) > 1:
                return
            for sign, right in zip(ops, comparators, strict=True):
                kind = type(sign) if holds else _OPPOSITE.get(type(sign))
                if kind in _SWAPPED:
                    yield left, kind, right
                left = right
