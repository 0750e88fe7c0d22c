"""The nodes: what kinds there are, how they are printed, and what holds of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from searchkit.translation.types import MOST_NUMBER, Bool, Int, Type

FRAME, CONSTANTS = "frame", "constants"
SMALL = MOST_NUMBER
BEYOND = 1 << 62
INT, BOOL = Int(), Bool()

EXPRESSIONS = {
    "number": 0, "name": 0, "load": 1, "binary": 2, "compare": 2, "not": 1, "both": None,
    "choose": 3, "call": None,
}  # fmt: skip
"""Kinds of values, and how many they are made of: None where any number."""
STATEMENTS = {
    "set": 1, "store": 2, "if": 1, "loop": 0, "count": 3, "block": 0, "leave": 0, "trap": 0,
    "yield": None, "return": 1, "do": 1,
}  # fmt: skip
"""Kinds of what is done. Bodies are lists of nodes in `bodies`."""


class Node:
    """A value of one cell, or something done.

    `what` is its operator, name or number; a value has a `type` and an interval, and `line` is the
    author's. A value that is not a `call` changes nothing and is evaluated where it stands, so that
    one which looks into memory is set to a name before anything else is done.
    """

    __slots__ = ("args", "bodies", "high", "kind", "line", "low", "type", "what")

    def __init__(
        self, kind: str, what: Any, args: Sequence[Node] = (), type: Type | None = None,
        low: int = -SMALL, high: int = SMALL, bodies: Sequence[list[Node]] = (), line: int = 0,
    ) -> None:  # fmt: skip
        self.kind, self.what, self.args, self.type = kind, what, args, type
        self.low, self.high, self.bodies, self.line = low, high, bodies, line

    def __repr__(self) -> str:
        return "\n".join(printed(self))


def number(value: int, type: Type = INT) -> Node:
    """A number that is known."""
    return Node("number", int(value), (), type, int(value), int(value))


def name(text: str, type: Type, low: int = -SMALL, high: int = SMALL) -> Node:
    """What a name holds."""
    return Node("name", text, (), type, low, high)


def printed(node: Node, depth: int = 0) -> Iterator[str]:
    """The lines of a node, each with kind, type and interval."""
    bounds = "" if node.type is None else f" : {node.type} {node.low}..{node.high}"
    yield f"{'  ' * depth}{node.kind} {node.what!r}{bounds}  # {node.line}"
    for each in node.args:
        yield from printed(each, depth + 2)
    for body in node.bodies:
        yield f"{'  ' * depth} body:"
        for each in body:
            yield from printed(each, depth + 1)


def verify(body: Sequence[Node], labels: frozenset[int] = frozenset()) -> None:
    """Raise an `AssertionError` where nodes do not hold together."""
    for node in body:
        assert node.kind in STATEMENTS, f"{node.kind} is nothing done"
        _verify_parts(node, STATEMENTS[node.kind])
        if node.kind == "leave":
            assert node.what in labels, "leaves what it is not in"
        inner = labels | {node.what} if node.kind == "block" else labels
        for each in node.bodies:
            verify(each, inner)


def _verify_parts(node: Node, count: int | None) -> None:
    assert count is None or len(node.args) == count, f"{node.kind} of {len(node.args)}"
    for each in node.args:
        assert each.kind in EXPRESSIONS, f"{each.kind} is no value"
        assert each.type is not None, f"{each.kind} {each.what} has no type"
        assert each.low <= each.high, f"{each.kind} {each.what} has no number"
        _verify_parts(each, EXPRESSIONS[each.kind])
    if node.kind == "if":
        assert node.args[0].type == BOOL, "asks of what is no truth value"
