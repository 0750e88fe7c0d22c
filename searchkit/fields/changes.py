"""Moves that change a state by the same amount wherever they are made: toggles and inverses."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import attrs

from searchkit.kernel_language.marks import unmarked


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
    for node in ast.walk(body):
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Name):
            allowed.add(id(node.value))
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            continue
        value = node.value
        if node.targets[0].id == state and isinstance(value, ast.BinOp):
            allowed.add(id(value.left))
            signs.add(type(value.op))
    reads = (
        node
        for node in ast.walk(body)
        if isinstance(node, ast.Name) and node.id == state and isinstance(node.ctx, ast.Load)
    )
    if any(id(node) not in allowed for node in reads):
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
