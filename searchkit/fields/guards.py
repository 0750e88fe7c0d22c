"""What `legal` proves of numbers that `apply` makes: a store of what always fits is not compared.

Where it has said `0 <= s.offset[car] + slide <= self.last[car]`, so it is, as long as nothing has
changed the field.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import attrs

from searchkit.errors import CompilationError
from searchkit.fields.lowered import names_of
from searchkit.kernel_language.intervals import Interval
from searchkit.kernel_language.trees import substituted
from searchkit.translation.values import Known, Scalar

MOST = 1 << 62
_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt,
}  # fmt: skip
_SWAPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE, ast.Eq: ast.Eq,
}  # fmt: skip
Fact = tuple[ast.expr, type[ast.cmpop], ast.expr]


@attrs.define
class Guards:
    """Bounds on expressions of a rule, by their texts, as long as no field is changed."""

    proved: dict[str, Interval] = attrs.field(factory=dict)
    """What `legal` has made sure of wherever it returns what is true."""
    known: dict[str, Interval] = attrs.field(factory=dict)
    translator: Any = None
    definition: Any = None
    _parts: dict[str, ast.expr] = attrs.field(factory=dict)
    state: str = ""
    _branch: tuple[Any, dict[str, Interval]] | None = None

    def begun(self, translator: Any) -> Guards:
        """The same for a rule on its way."""
        return Guards(self.proved, {}, translator)

    def enter(self, definition: Any) -> None:
        """Begin with the text of the rule."""
        names = [each.arg for each in definition.args.args]
        self.definition, self.state = definition, names[1]
        self._parts = {name: ast.Name(f"argument_{i}") for i, name in enumerate(names)}
        if self.translator.name == "apply":
            self.known = dict(self.proved)

    def _is_here(self) -> bool:
        return bool(self.known) and self.translator.scope.definition is self.definition

    def narrowed(self, node: ast.expr, found: Scalar) -> Scalar:
        """A number with what is known of the expression that it is."""
        if not self._is_here() or not isinstance(node, (ast.BinOp, ast.Attribute, ast.Subscript)):
            return found
        guard = self.known.get(self._key(node))
        if guard is None or not -MOST < found.low <= found.high < MOST:
            return found
        low, high = max(guard[0], found.low), min(guard[1], found.high)
        return found._replace(low=low, high=high) if low <= high else found

    def _key(self, node: ast.expr) -> str:
        return ast.unparse(substituted(node, self._parts))

    def before(self, node: ast.stmt) -> None:
        """A statement begins."""
        if self._is_here():
            if isinstance(node, ast.If):
                self._branch = node.orelse, self.known
            elif not isinstance(node, (ast.Assign, ast.AugAssign)):  # a loop comes back
                self._forget(node)

    def after(self, node: ast.stmt) -> None:
        """A statement ends."""
        if self._is_here():
            self._forget(node)

    def block(self, body: Any) -> None:
        """A block begins: the other branch begins with what the first did."""
        if self._branch is not None and body and body is self._branch[0]:
            self.known = self._branch[1]

    def _forget(self, node: ast.stmt) -> None:
        fields = changed_fields(node, self.state)
        self.known = {
            key: bounds
            for key, bounds in self.known.items()
            if fields is not None and not any(f".{name}" in key for name in fields)
        }

    def learn(self) -> None:
        """Note what the rule makes sure of wherever it returns what is true.

        Only what every way through its body comes by is looked at: tests that return False, and
        what is returned at the end.
        """
        stored = names_of(self.definition, stored=True)
        own = {each.arg for each in self.definition.args.args}
        if own & {*stored}:
            return
        for statement in self.definition.body:
            facts: list[Fact] = []
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    if stored.count(name) == 1:
                        self._parts[name] = substituted(value, self._parts)
                case ast.If(
                    test=test, body=[ast.Return(value=ast.Constant(value=False))], orelse=[]
                ):
                    facts = list(_facts(test, holds=False))
                case ast.Return(value=ast.expr() as value):
                    facts = list(_facts(value, holds=True))
                case ast.Expr(value=ast.Constant()):
                    pass
                case _:  # it may return, or change what names stand for
                    break
            for left, sign, right in facts:
                for one, by, other in ((left, sign, right), (right, _SWAPPED[sign], left)):
                    bounds = self._bounds(other)
                    if bounds is not None:
                        key = self._key(one)
                        self.proved[key] = _narrowed(by, self.proved.get(key), bounds)
            if isinstance(statement, ast.Return):
                break

    def _bounds(self, node: ast.expr) -> Interval | None:
        try:
            with self.translator.text.aside():
                found = self.translator.forms.value(self.translator, node)
        except CompilationError:
            return None
        if isinstance(found, Known) and isinstance(found.value, int):
            return found.value, found.value
        if isinstance(found, Scalar) and -MOST < found.low <= found.high < MOST:
            return found.low, found.high
        return None


def _narrowed(by: type[ast.cmpop], earlier: Interval | None, known: Interval) -> Interval:
    """The bounds on what compares so with a number that is within others."""
    low, high = earlier or (-MOST, MOST)
    if by in (ast.GtE, ast.Gt, ast.Eq):
        low = max(low, known[0] + (by is ast.Gt))
    if by in (ast.LtE, ast.Lt, ast.Eq):
        high = min(high, known[1] - (by is ast.Lt))
    return low, high


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
