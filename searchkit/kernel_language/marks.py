"""Marks in trees that were made for authors: which numbers must be within bounds."""

from __future__ import annotations

import ast
from typing import Any, NamedTuple, TypeVar

from searchkit.kernel_language.trees import Transformer, copied, nodes

Node = TypeVar("Node", bound=ast.AST)

RANGE = "searchkit_range"
"""Marks a call `int(x)` that stands for x: a `Range`."""
EITHER = "searchkit_either"
"""Marks a call `min(fast, full)` of two expressions that are equal where all is in range; or
`min(fast, full, number)`, where that is so if the number, which is marked by RANGE, is."""
SAID = "searchkit_said"
"""What an `assert` of an author's says, of which machine code knows nothing."""
OUT_OF_RANGE = "a number is out of its range"
"""The first argument of the `IndexError` that machine code raises for a number that is marked."""

TRAPPED_IN_KERNEL = "a kernel is trapped"
"""The first argument of the `IndexError` for `raise Trapped` in another kernel than `expand`."""


class Range(NamedTuple):
    """What a number must be: from `low` to below `below`."""

    what: str
    low: int
    below: int
    state: str = ""
    """The name of the state that errors show; where there is none, only checked kernels look."""


def ranged(node: ast.expr, bounds: Range) -> ast.expr:
    """The number, which is compared with bounds."""
    call = ast.Call(ast.Name("int", ast.Load()), [node], [])
    setattr(call, RANGE, bounds)
    return ast.copy_location(call, node)


def either(fast: ast.expr, full: ast.expr, number: ast.expr) -> ast.expr:
    """The first expression; in the checked engine the second, where the number has bounds."""
    if not hasattr(number, RANGE):
        return fast
    call = ast.Call(ast.Name("min", ast.Load()), [fast, full, number], [])
    setattr(call, EITHER, True)
    return ast.copy_location(call, fast)


def range_of(node: ast.Call) -> Range | None:
    """What a call that is marked says of the number in it, or of the one beside its two forms."""
    found: Range | None = getattr(node.args[-1] if hasattr(node, EITHER) else node, RANGE, None)
    return found if found is not None and found.state else None


def has_ranges(tree: ast.AST) -> bool:
    """Whether there are numbers that engines must compare with bounds."""
    return any(hasattr(each, RANGE) for each in nodes(tree))


def is_marked(node: ast.Call) -> bool:
    """Whether a call stands for its first argument."""
    return hasattr(node, RANGE) or hasattr(node, EITHER)


class _Unmarked(Transformer):
    def visit_Call(self, node: ast.Call) -> Any:
        return self.visit(node.args[0]) if is_marked(node) else self.generic_visit(node)


def unmarked(node: Node) -> Node:
    """A copy without what is marked."""
    found: Node = _Unmarked().visit(copied(node))
    return found


OUTLINED = "searchkit_outlined_"
"""What the names of kernels begin with that are called: all others are compiled into what calls."""


def is_outlined(name: str) -> bool:
    """Whether a kernel of that name, with a prefix or without one, is called."""
    return OUTLINED in name
