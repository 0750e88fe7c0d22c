"""Names of a rule: those that may have no value where it uses them, and those of two things.

Python finds the first when the rule runs; machine code would take whatever is there. An argument
that is assigned to, and a name that a generator has for something of its own, get names of their
own, as kernels have one scope.
"""

from __future__ import annotations

import ast
from collections.abc import Collection

from searchkit.kernel_language.copies import Node, copied, substituted
from searchkit.translation.scopes import (
    NotSplit,
    Webs,
    arguments_of,
    stored_in,
    with_names_of_scopes,
)


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
    copies = {name: f"searchkit_own_{name}" for name in sorted(assigned)}
    others = {name: ast.Name(other, ast.Load()) for name, other in copies.items()}
    made = substituted(definition, others)
    firsts: list[ast.stmt] = [
        ast.Assign([ast.Name(other, ast.Store())], ast.Name(name, ast.Load()))
        for name, other in copies.items()
    ]
    for each in firsts:
        ast.fix_missing_locations(ast.copy_location(each, made.body[0]))
    made.body = [*firsts, *made.body]
    return made


def with_own_names(definition: ast.FunctionDef, taken: Collection[str]) -> ast.FunctionDef:
    """The function with other names for what generators bind, where it has these elsewhere, too.

    New names are none of `taken`. Linear in the length of the function.
    """
    unlike = {*taken, *names_of(definition)}
    used = {each.arg for each in arguments_of(definition)}

    def own_name(name: str, _: int) -> str:
        other = name
        while other in (used if other == name else unlike):
            other += "_"
        used.add(other)
        unlike.add(other)
        return other

    try:
        used |= {*names_of(with_names_of_scopes(definition, "{}.{}".format))}
        made: ast.FunctionDef = with_names_of_scopes(definition, own_name)
    except NotSplit:  # refused, with its line, by the checker of kernels
        return copied(definition)
    return made


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


class _Flow(Webs):
    """Follows assignments to their uses, also where a part of a rule can never run."""

    def _dead(self, node: ast.AST) -> None:
        pass
