"""What a definition says of the names and nodes in it."""

from __future__ import annotations

import ast
from collections import Counter
from typing import Any

from searchkit.kernel_language import trees
from searchkit.translation.scopes import COMPREHENSIONS, arguments_of

_GOING_THROUGH = {
    "map",
    "filter",
    "sorted",
    "sum",
    "any",
    "all",
    "min",
    "max",
    "list",
    "tuple",
    "set",
}
"""Functions of Python that may call others, or ask generators."""


def is_used_once(definition: Any, name: str) -> bool:
    """Whether a function uses a name in one place, which is in no loop."""
    count = 0

    def look(node: ast.AST, *, again: bool) -> None:
        nonlocal count
        if isinstance(node, ast.Name) and node.id == name:
            count += 2 if again else 1
        if isinstance(node, (ast.For, *COMPREHENSIONS)):
            first = node.iter if isinstance(node, ast.For) else node.generators[0].iter
            look(first, again=again)
            inside = {id(each) for each in trees.nodes(first)}
            for each in trees.nodes(node):
                if isinstance(each, ast.Name) and each.id == name and id(each) not in inside:
                    count += 2
            return
        inner = isinstance(node, (ast.While, ast.Lambda, ast.FunctionDef))
        for each in trees.children(node):
            look(each, again=again or inner)

    body = definition.body if isinstance(definition.body, list) else [definition.body]
    for each in body:
        look(each, again=False)
    return count <= 1


def own_nodes(definition: Any) -> list[ast.AST]:
    """The nodes of a function without those of functions within it."""
    found: list[ast.AST] = []
    todo: list[ast.AST] = list(definition.body)
    while todo:
        node = todo.pop()
        found.append(node)
        if not isinstance(node, (ast.FunctionDef, ast.Lambda, ast.GeneratorExp)):
            todo += trees.children(node)
    return found


def defined_in(definition: Any) -> dict[str, int]:
    """How often each name is assigned to."""
    names = [each.arg for each in arguments_of(definition)]
    body = definition.body if isinstance(definition.body, list) else [definition.body]
    todo: list[ast.AST] = list(body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            names.append(node.id)
        if isinstance(node, ast.FunctionDef):
            names.append(node.name)
        if not isinstance(node, (ast.FunctionDef, ast.Lambda)):
            todo += trees.children(node)
    return dict(Counter(names))


def frames_of(definition: Any) -> int:
    """How many frames Python has at most while a function calls another, generators included."""

    def depth(node: ast.AST) -> int:
        most = max(map(depth, trees.children(node)), default=0)
        return most + isinstance(node, (*COMPREHENSIONS, ast.Lambda))

    if definition is None:
        return 0
    nodes = own_nodes(definition)
    is_generator = any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in nodes)
    names = {each.id for each in nodes if isinstance(each, ast.Name)}
    return 1 + is_generator + bool(names & _GOING_THROUGH) + 2 * max(map(depth, definition.body))
