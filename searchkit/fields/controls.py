"""Control states: where one number that is read off a state decides which moves are legal."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import attrs

from searchkit.fields.declared import Int
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
        names = [each.id for each in ast.walk(rest) if isinstance(each, ast.Name)]
        if state not in names:
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
        if not isinstance(node, ast.BinOp):
            continue
        if isinstance(node.op, ast.FloorDiv) and _is_search(node.left):
            yield node, max(slot.field.length for slot in layout.slots.values())
        elif isinstance(node.op, ast.BitAnd) and ast.unparse(node) in fields:
            yield node, fields[ast.unparse(node)]


def _is_search(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "first_field"
    )


def replaced(tree: Any, control: Control, name: str) -> Any:
    """A copy in which a name stands for the number."""
    return _Replaced(control.text, name).visit(copied(tree))


def with_control(apply: ast.FunctionDef, control: Control, name: str) -> None:
    """Let the kernel `apply` take the number from its argument, until it changes the state."""
    state = apply.args.args[1].arg
    for i, statement in enumerate(apply.body):
        if any(
            isinstance(each, ast.Name) and each.id == state and isinstance(each.ctx, ast.Store)
            for each in ast.walk(statement)
        ):
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
