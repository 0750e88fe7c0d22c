"""Syntax trees gone through, copied and rewritten, in a quarter of the time that `ast` takes.

Every search in a new process reads the kernels that it uses. Neither contexts nor operators are met
here, which are half of all nodes, and of which each tree has the same few objects.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from typing import Any, ClassVar, TypeVar

Tree = TypeVar("Tree", bound=ast.AST)

_NO_NODES = frozenset({
    "arg", "asname", "attr", "conversion", "ctx", "id", "is_async", "kind", "kwd_attrs", "level",
    "module", "name", "op", "ops", "rest", "simple", "str", "type_comment",
})  # fmt: skip
"""The fields that hold no nodes but contexts, operators, texts and numbers."""
_LEAVES = frozenset({"Constant", "Global", "MatchSingleton", "Nonlocal"})


class _Parts(dict[type, tuple[str, ...]]):
    def __missing__(self, kind: Any) -> tuple[str, ...]:
        left_out = _NO_NODES - {"name"} if kind.__name__ == "TypeAlias" else _NO_NODES
        fields = () if kind.__name__ in _LEAVES else kind._fields
        found = self[kind] = tuple(name for name in fields if name not in left_out)
        return found


PARTS = _Parts()
"""For each class of nodes, the names of the fields that hold a node, None, or a list of these."""


def nodes(tree: Any) -> list[Any]:
    """A node and all below it, in the order of `ast.walk`; those that are there at the call."""
    found = [tree]
    for node in found:  # grows as it goes
        found += children(node)
    return found


def children(node: Any) -> list[Any]:
    """The nodes right below a node."""
    found: list[Any] = []
    for name in PARTS[node.__class__]:
        value = getattr(node, name, None)
        if value.__class__ is list:
            found.extend(filter(None, value))
        elif value is not None:
            found.append(value)
    return found


class Visitor:
    """As `ast.NodeVisitor`: `visit_Name`, say, is called with each name."""

    _visitors: ClassVar[dict[type, Any]]

    def __init_subclass__(cls) -> None:
        cls._visitors = {}

    def visit(self, node: Any) -> Any:
        """What the method for nodes of its class gives."""
        kind = node.__class__
        visitor: Any = self._visitors.get(kind)
        if visitor is None:
            own = self.__class__
            visitor = getattr(own, f"visit_{kind.__name__}", own.generic_visit)
            self._visitors[kind] = visitor
        return visitor(self, node)

    def generic_visit(self, node: Any) -> Any:
        """Visit what a node is made of."""
        for each in children(node):
            self.visit(each)


class Transformer(Visitor):
    """As `ast.NodeTransformer`: `visit_Name`, say, gives what takes the place of each name.

    That is a node, a list of statements, or None for nothing.
    """

    def generic_visit(self, node: Any) -> Any:
        """Visit what a node is made of; the node."""
        for name in PARTS[node.__class__]:
            value = getattr(node, name, None)
            if value.__class__ is list:
                value[:] = self._visited(value)
            elif value is not None:
                made = self.visit(value)
                if made is None:
                    delattr(node, name)
                elif made is not value:
                    setattr(node, name, made)
        return node

    def _visited(self, values: list[Any]) -> list[Any]:
        found: list[Any] = []
        for each in values:
            made = each if each is None else self.visit(each)
            if made.__class__ is list:
                found += made
            elif made is not None or each is None:
                found.append(made)
        return found


class StatementTransformer(Transformer):
    """The same for statements; what is within these but statements is not met."""

    def generic_visit(self, node: Any) -> Any:
        """Visit the statements of a node; the node."""
        for name in ("body", "handlers", "cases", "orelse", "finalbody"):
            value = getattr(node, name, None)
            if value.__class__ is list:
                value[:] = self._visited(value)
        return node


def located(tree: Tree) -> Tree:
    """The tree, in which nodes without a place in the text now have that of the node above them."""
    _locate(tree, (1, 0, 1, 0))
    return tree


_PLACE = ("lineno", "col_offset", "end_lineno", "end_col_offset")


def _locate(node: Any, above: tuple[int, ...]) -> None:
    fields = node.__dict__
    place = above
    if "lineno" in node._attributes:
        known = tuple(map(fields.get, _PLACE))
        if None in known:
            known = tuple(b if a is None else a for a, b in zip(known, above, strict=True))
            fields.update(zip(_PLACE, known, strict=True))
        place = known
    for name in PARTS[node.__class__]:
        value = fields.get(name)
        if value.__class__ is list:
            for each in value:
                if each is not None:
                    _locate(each, place)
        elif value is not None:
            _locate(value, place)


def copied(node: Tree) -> Tree:
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


def substituted(node: Tree, parts: Mapping[str, ast.expr], bound: Collection[str] = ()) -> Tree:
    """A copy with expressions in the places of names, but for those that are `bound`."""
    return put_for_names(copied(node), parts, bound)


def put_for_names(node: Tree, parts: Mapping[str, ast.expr], bound: Collection[str] = ()) -> Tree:
    """The same in the tree itself; what is a name alone gives another."""
    found: Tree = _Substituted(parts, bound).visit(node)
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
