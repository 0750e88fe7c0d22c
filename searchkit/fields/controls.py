"""What is read off kernels that were made of rules, and what Python runs of them.

Of a control state, one number that is read off a state decides which moves are legal. Other moves
change a state by the same amount wherever they are made.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import attrs

from searchkit.fields.layout import Layout
from searchkit.fields.lowered import ASKED, moved_to, names_of, reads_of
from searchkit.fields.statics import OPERATOR, SELF
from searchkit.fields.tables import BY_MOVE
from searchkit.kernel_language.marks import EITHER, SAID, is_marked, range_of, unmarked
from searchkit.kernel_language.trees import copied

MOST_ASKED = 1 << 15
"""The most pairs of a control state and a move that are asked whether they are legal."""


@attrs.frozen
class Control:
    """The number that decides: its expression in kernels, and how many values it has."""

    text: str
    expression: ast.expr
    values: int


def control_of(legal: ast.FunctionDef, layout: Layout) -> Control | None:
    """The one number that the kernel `legal` reads off the state; None if it reads more.

    It is a field, or the index of the first item of an array with some value.
    """
    state = legal.args.args[1].arg
    plain = unmarked(legal)
    for node, values in _numbers(plain, layout):
        control = Control(ast.dump(node), copied(node), values)
        rest = replaced(plain, control, "searchkit_value")
        if state not in names_of(rest):
            return control
    return None


def _numbers(tree: ast.AST, layout: Layout) -> Iterator[tuple[ast.expr, int]]:
    """The expressions of a kernel that read one number of few values."""
    fields = reads_of(layout)
    for node in ast.walk(tree):
        match node:
            case ast.BinOp(ast.Call(ast.Attribute(attr="first_field")), ast.FloorDiv()):
                yield node, max(slot.field.length for slot in layout.slots.values())
            case ast.BinOp(op=ast.BitAnd()) if ast.unparse(node) in fields:
                yield node, fields[ast.unparse(node)].below


def replaced(tree: Any, control: Control, name: str) -> Any:
    """A copy in which a name stands for the number."""
    return _Replaced(control.text, name).visit(copied(tree))


def with_control(apply: ast.FunctionDef, control: Control, name: str) -> None:
    """Let the kernel `apply` take the number from its argument, until it changes the state."""
    state = apply.args.args[1].arg
    for i, statement in enumerate(apply.body):
        if state in names_of(statement, stored=True):
            return
        apply.body[i] = replaced(statement, control, name)


@attrs.frozen
class _Replaced(ast.NodeTransformer):
    text: str
    name: str

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        if ast.dump(node) == self.text:
            return ast.copy_location(ast.Name(self.name, ast.Load()), node)
        return self.generic_visit(node)


@attrs.frozen
class Changes:
    """What each move changes of a state of one word: bits that it flips, or a number it adds."""

    amounts: tuple[int, ...]
    are_flipped: bool

    def inverses(self) -> tuple[int | None, ...]:
        """For each move the one other that can take it back; None where there are none, or two."""
        count = Counter(self.amounts)
        back = [each if self.are_flipped else -each for each in self.amounts]
        place = {amount: i for i, amount in enumerate(self.amounts)}
        return tuple(place[each] if count[each] == 1 else None for each in back)


def sign_of_changes(apply: ast.FunctionDef) -> type[ast.operator] | None:
    """Whether the kernel `apply` only flips bits, or only adds, what no state decides.

    Then it is the type of `^`, or of `+`; else None. Proved from its text: the state is read
    where something is added to it, and nowhere else.
    """
    state = apply.args.args[1].arg
    body = unmarked(apply)
    signs: set[type[ast.operator]] = set()
    allowed: set[int] = set()
    reads: set[int] = set()
    for node in ast.walk(body):
        match node:
            case ast.Return(ast.Name() as value):
                allowed.add(id(value))
            case ast.Assign([ast.Name(name)], ast.BinOp(left, sign)) if name == state:
                allowed.add(id(left))
                signs.add(type(sign))
            case ast.Name(name, ast.Load()) if name == state:
                reads.add(id(node))
    if not reads <= allowed:
        return None
    if signs == {ast.BitXor}:
        return ast.BitXor
    return ast.Add if signs and signs <= {ast.Add, ast.Sub} else None


def changes_of(apply: Callable[[Any, Any, int, int], Any], owner: Any, sign: Any) -> Changes | None:
    """What each move changes, found by making it in the state 0."""
    try:
        count: Sequence[Any] = owner.labels
        amounts = tuple(int(apply(owner, 0, 0, move)) for move in range(len(count)))
    except Exception:  # a move that can be made nowhere
        return None
    return Changes(amounts, sign is ast.BitXor)


MOVE = "searchkit_move"
NUMBER = "searchkit_number"
_ROW = f"{SELF}.tables.{BY_MOVE}[{OPERATOR}]"


def for_python(definition: ast.FunctionDef) -> ast.FunctionDef:
    """The function as Python runs it: it compares with bounds, and a row is looked up once."""
    found: ast.FunctionDef = ast.fix_missing_locations(_Compared().visit(copied(definition)))
    rows = [
        each
        for each in ast.walk(found)
        if isinstance(each, ast.Subscript) and ast.unparse(each) == _ROW
    ]
    if len(rows) > 1:
        row = copied(rows[0])
        for each in rows:
            each.__class__ = ast.Name  # type: ignore[assignment]
            each.__dict__ = {"id": MOVE, "ctx": ast.Load(), "lineno": row.lineno, "col_offset": 0}
        first = ast.Assign([ast.Name(MOVE, ast.Store())], row)
        found.body.insert(0, ast.fix_missing_locations(ast.copy_location(first, row)))
    return found


def with_asked(definition: ast.FunctionDef) -> ast.FunctionDef:
    """A copy that keeps the state that it is given, if errors show it."""
    found: ast.FunctionDef = copied(definition)
    marked = (each for each in ast.walk(found) if isinstance(each, ast.Call) and is_marked(each))
    ranges = [range_of(each) for each in marked]
    given = (isinstance(each, ast.Name) and each.id == ASKED for each in ast.walk(found))
    if any(given) or any(each is not None and each.state == ASKED for each in ranges):
        first = ast.parse(f"{ASKED} = {found.args.args[1].arg}").body[0]
        found.body.insert(0, moved_to(first, found.body[0]))
    return found


class _Compared(ast.NodeTransformer):
    """Numbers that are marked are compared with their bounds."""

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        """What an author's assertion says is shown."""
        said = getattr(node, SAID, None)
        self.generic_visit(node)
        node.msg = said if isinstance(said, ast.Constant) else None
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if not is_marked(node):
            return self.generic_visit(node)
        bounds = range_of(node)
        found: ast.expr = self.visit(node.args[0])
        if bounds is None:
            return found
        number = self.visit(node.args[2].args[0]) if hasattr(node, EITHER) else found  # type: ignore[attr-defined]
        name = number.id if isinstance(number, ast.Name) else NUMBER
        low, below = bounds.low, bounds.below
        error = f"self.out_of_range({name}, {low}, {below}, {node.lineno}, {bounds.state})"
        text = f"0 if {low} <= (x) < {below} else {error}"
        made: Any = moved_to(ast.parse(text, mode="eval").body, node)
        made.test.comparators[0] = number
        if name == NUMBER:
            made.test.comparators[0] = ast.NamedExpr(ast.Name(NUMBER, ast.Store()), number)
        made.body = found if hasattr(node, EITHER) else ast.Name(name, ast.Load())
        replaced: ast.expr = ast.copy_location(made, node)
        return replaced
