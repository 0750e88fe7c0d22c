"""What is read off kernels that were made of rules: control states, toggles and inverses.

Of a control state, one number that is read off a state decides which moves are legal. Other moves
change a state by the same amount wherever they are made.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import attrs

from searchkit.fields.declared import Int
from searchkit.fields.flow import names_of
from searchkit.fields.layout import Layout
from searchkit.kernel_language.copies import copied
from searchkit.kernel_language.marks import unmarked

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
    for node, values in _numbers(plain, state, layout):
        control = Control(ast.dump(node), copied(node), values)
        rest = replaced(plain, control, "searchkit_value")
        if state not in names_of(rest):
            return control
    return None


def _numbers(tree: ast.AST, state: str, layout: Layout) -> Iterator[tuple[ast.expr, int]]:
    """The expressions of a kernel that read one number of few values."""
    fields = {}
    for slot in layout.slots.values():
        if isinstance(slot.field, Int) and slot.field.low == 0:
            word = f"{state}[{slot.word}]" if layout.words > 1 else state
            text = (
                f"{word} >> {slot.shift} & {slot.mask}" if slot.shift else f"{word} & {slot.mask}"
            )
            fields[text] = slot.field.below
    for node in ast.walk(tree):
        match node:
            case ast.BinOp(ast.Call(ast.Attribute(attr="first_field")), ast.FloorDiv()):
                yield node, max(slot.field.length for slot in layout.slots.values())
            case ast.BinOp(op=ast.BitAnd()) if ast.unparse(node) in fields:
                yield node, fields[ast.unparse(node)]


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
