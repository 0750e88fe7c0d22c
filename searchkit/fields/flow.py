"""Names of a rule: those that may have no value where it uses them, and those of two things.

Python finds the first when the rule runs; machine code would take whatever is there. An argument
that is assigned to, and a name that a generator has for something of its own, get names of their
own, as kernels have one scope.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection

from searchkit.kernel_language.copies import Node, copied
from searchkit.translation.scopes import COMPREHENSIONS, NotSplit, Webs, stored_in


def without_value(definition: ast.FunctionDef) -> ast.Name | None:
    """The first use of a local name that some way through a function has given no value.

    None as well of a function whose names cannot be followed, for what no kernel may say.
    """
    try:
        unsure = _Flow(definition).unsure.values()
    except NotSplit as refused:
        return refused.node if isinstance(refused.node, ast.Name) else None
    return min(unsure, key=lambda each: (each.lineno, each.col_offset), default=None)


def with_own_copies(definition: ast.FunctionDef, names: Collection[str]) -> ast.FunctionDef:
    """The function with a copy, by another name, of each of its arguments to which it assigns.

    Only those that `names` has; a move is looked up wherever its arguments stand.
    """
    assigned = stored_in(definition.body) & set(names)
    if not assigned:
        return definition
    made = copied(definition)
    firsts: list[ast.stmt] = []
    for name in sorted(assigned):
        copy = f"searchkit_own_{name}"
        _Renamed(name, copy).visit(ast.Module(made.body, []))
        first = ast.Assign([ast.Name(copy, ast.Store())], ast.Name(name, ast.Load()))
        firsts.append(ast.fix_missing_locations(ast.copy_location(first, made.body[0])))
    made.body = [*firsts, *made.body]
    return made


def with_own_names(definition: ast.FunctionDef, taken: Collection[str]) -> ast.FunctionDef:
    """The function with other names for what generators bind, where it has these elsewhere, too.

    The first iterable of a generator is asked outside it. New names are none of `taken`. O(length
    of the function x generators).
    """
    made = copied(definition)
    _OwnNames({*taken, *_names_in(made)}).visit(made)
    return made


class _OwnNames(ast.NodeVisitor):
    """Renames what generators bind, the outermost first."""

    def __init__(self, taken: set[str]) -> None:
        self.taken = taken

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.names = Counter(_names_in(node))
        self.generic_visit(node)

    def generic_visit(self, node: ast.AST) -> None:
        if isinstance(node, COMPREHENSIONS):
            self._scope(node)
        super().generic_visit(node)

    def _scope(self, node: ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp) -> None:
        outside = node.generators[0].iter
        within = Counter(_names_in(node))
        within.subtract(_names_in(outside))
        for name in sorted(stored_in([each.target for each in node.generators])):
            if self.names[name] == within[name]:
                continue
            other = f"{name}_"
            while other in self.taken:
                other += "_"
            self.taken.add(other)
            node.generators[0].iter = ast.Constant(None)
            _Renamed(name, other).visit(node)
            node.generators[0].iter = outside
            self.names[other] = within[name]
            self.names[name] -= within[name]


def moved_to(tree: Node, node: ast.AST) -> Node:
    """The tree, in which all nodes now have the place in the text that `node` has."""
    for each in ast.walk(tree):
        if "lineno" in each._attributes:
            ast.copy_location(each, node)
    return tree


def names_of(node: ast.AST, *, stored: bool = False) -> list[str]:
    """The names that a node uses, or only those that it assigns to, each as often as it does."""
    names = (each for each in ast.walk(node) if isinstance(each, ast.Name))
    return [each.id for each in names if not stored or isinstance(each.ctx, ast.Store)]


def _names_in(node: ast.AST) -> list[str]:
    """The names that are used, each as often as it is."""
    return [
        each.id if isinstance(each, ast.Name) else each.arg
        for each in ast.walk(node)
        if isinstance(each, (ast.Name, ast.arg))
    ]


class _Renamed(ast.NodeTransformer):
    def __init__(self, name: str, other: str) -> None:
        self.name, self.other = name, other

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if node.id == self.name:
            node.id = self.other
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        if node.arg == self.name:
            node.arg = self.other
        return node


class _Flow(Webs):
    """Follows assignments to their uses, also where a part of a rule can never run."""

    def _dead(self, node: ast.AST) -> None:
        pass
