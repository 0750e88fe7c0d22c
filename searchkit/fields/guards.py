"""Bounds that `legal` has made sure of: a store of `apply` that they prove to fit is not compared.

Where `legal` has said `0 <= s.offset[car] + slide <= self.last[car]`, so it is in `apply`, as long
as nothing has changed the field.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from searchkit.fields.bounds import Bounds, combined, interval_of
from searchkit.fields.flow import names_of
from searchkit.kernel_language.copies import substituted
from searchkit.kernel_language.intervals import Interval

LEAST, MOST = -(1 << 62), 1 << 62
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
    low, high = earlier or (LEAST, MOST)
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
