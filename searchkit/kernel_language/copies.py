"""Copies of syntax trees, at a twentieth of what `copy.deepcopy` takes for them."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from typing import Any, TypeVar

from searchkit.kernel_language.trees import PARTS, Transformer

Node = TypeVar("Node", bound=ast.AST)


def copied(node: Node) -> Node:
    """A tree that may be changed without changing `node`; contexts and operators are shared.

    Every search in a new process copies the kernels that it uses before it changes them.
    """
    twin = node.__class__.__new__(node.__class__)
    fields: dict[str, Any] = twin.__dict__
    fields.update(node.__dict__)
    for name in PARTS[node.__class__]:
        value = fields.get(name)
        if value.__class__ is list:
            fields[name] = [each if each is None else copied(each) for each in value]
        elif value is not None:
            fields[name] = copied(value)
    if "ops" in fields:
        fields["ops"] = list(fields["ops"])
    return twin


def substituted(node: Node, parts: Mapping[str, ast.expr], bound: Collection[str] = ()) -> Node:
    """A copy with expressions in the places of names, but for those that are `bound`."""
    return put_for_names(copied(node), parts, bound)


def put_for_names(node: Node, parts: Mapping[str, ast.expr], bound: Collection[str] = ()) -> Node:
    """The same in the tree itself; what is a name alone gives another."""
    found: Node = _Substituted(parts, bound).visit(node)
    return found


class _Substituted(Transformer):
    def __init__(self, parts: Mapping[str, ast.expr], bound: Collection[str]) -> None:
        self.parts, self.bound = parts, bound

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.parts or node.id in self.bound:
            return node
        found = copied(self.parts[node.id])
        if isinstance(found, ast.Name):
            found.ctx = node.ctx
        return found
