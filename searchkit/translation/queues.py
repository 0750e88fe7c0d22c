"""Where a deque is used as a list may be: what only one of the two can do is refused."""

from __future__ import annotations

import ast
from typing import Any

from searchkit.kernel_language import trees

_COUNTS = {"append": 1, "appendleft": 1, "popleft": 0, "pop": 0, "extend": 1, "clear": 0,
           "remove": 1, "count": 1, "rotate": 1}  # fmt: skip
"""The methods that are translated, each with how many arguments it has."""
_CHANGING = frozenset(_COUNTS) - {"count"}
_READ_BY = frozenset(
    {
        "len",
        "tuple",
        "list",
        "sorted",
        "sum",
        "any",
        "all",
        "min",
        "max",
        "set",
        "frozenset",
        "bool",
    }
)


def refusal_of_queue(definition: Any, call: ast.Call) -> str | None:
    """Why the deque that a call makes is no list; None if it can be one.

    It must have a name, which is used as a queue is. A loop over it must not change it.
    """
    parents = {
        id(child): node for node in trees.nodes(definition) for child in trees.children(node)
    }
    name = _name_of(call, parents)
    if name is None or len(call.args) > 1 or call.keywords:
        return "in one place with something else"
    for node in trees.nodes(definition):
        if isinstance(node, ast.Name) and node.id == name:
            parent = parents[id(node)]
            if not isinstance(node.ctx, ast.Load):
                made = [
                    each
                    for each in trees.nodes(definition)
                    if isinstance(each, ast.Call)
                    and ast.dump(each.func) == ast.dump(call.func)
                    and _name_of(each, parents) == name
                ]
                if not any(_target_of(each, parents) is node for each in made):
                    return "and something else by one name"
            elif not _is_use(node, parent, parents):
                return f"in `{ast.unparse(parent):.40}`"
    return None


def _target_of(call: ast.Call, parents: dict[int, Any]) -> ast.Name | None:
    """The name that a call alone is assigned to."""
    node: Any = parents.get(id(call))
    place: int | None = None
    if isinstance(node, ast.Tuple) and not any(isinstance(e, ast.Starred) for e in node.elts):
        place = node.elts.index(call)
        node = parents.get(id(node))
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    if not isinstance(node, (ast.Assign, ast.AnnAssign)) or len(targets) != 1:
        return None
    (target,) = targets
    if place is not None:
        if not isinstance(target, ast.Tuple) or any(
            isinstance(each, ast.Starred) for each in target.elts
        ):
            return None
        target = target.elts[place] if place < len(target.elts) else None
    return target if isinstance(target, ast.Name) else None


def _name_of(call: ast.Call, parents: dict[int, Any]) -> str | None:
    target = _target_of(call, parents)
    return None if target is None else target.id


def _is_use(node: Any, parent: Any, parents: dict[int, Any]) -> bool:
    name = node.id
    above: Any = parents.get(id(parent))
    if isinstance(parent, ast.Attribute):
        is_call = isinstance(above, ast.Call) and above.func is parent and not above.keywords
        return is_call and _COUNTS.get(parent.attr) == len(above.args)
    if isinstance(parent, ast.Call):
        is_read = isinstance(parent.func, ast.Name) and parent.func.id in _READ_BY
        return is_read and parent.args == [node]
    if isinstance(parent, ast.Subscript):
        return parent.value is node and not isinstance(parent.slice, ast.Slice)
    if isinstance(parent, ast.Compare):
        return len(parent.ops) == 1 and isinstance(parent.ops[0], (ast.In, ast.NotIn)) and (
            parent.left is not node
        )  # fmt: skip
    if isinstance(parent, (ast.For, ast.comprehension)):
        whole = parent if isinstance(parent, ast.For) else above
        return parent.iter is node and not any(
            isinstance(each, ast.Attribute)
            and each.attr in _CHANGING
            and getattr(each.value, "id", None) == name
            for each in trees.nodes(whole)
        )
    while isinstance(parent, (ast.BoolOp, ast.UnaryOp)):
        if isinstance(parent, ast.UnaryOp):
            return isinstance(parent.op, ast.Not)
        node, parent = parent, parents.get(id(parent))
    return isinstance(parent, (ast.While, ast.If, ast.IfExp)) and parent.test is node
