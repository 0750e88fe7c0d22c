"""What a definition says of the names and nodes in it."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from searchkit.kernel_language import trees
from searchkit.kernel_language.copies import copied
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


@lru_cache(maxsize=1 << 10)
def own_nodes(definition: Any) -> tuple[ast.AST, ...]:
    """The nodes of a function without those of functions within it."""
    found: list[ast.AST] = []
    todo: list[ast.AST] = list(definition.body)
    while todo:
        node = todo.pop()
        found.append(node)
        if not isinstance(node, (ast.FunctionDef, ast.Lambda, ast.GeneratorExp)):
            todo += trees.children(node)
    return tuple(found)


@lru_cache(maxsize=1 << 10)
def defined_in(definition: Any) -> Mapping[str, int]:
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
    return MappingProxyType(Counter(names))


@lru_cache(maxsize=1 << 10)
def assigned_within(definition: Any) -> frozenset[str]:
    """The names that := assigns to."""
    every = (each for each in trees.nodes(definition) if isinstance(each, ast.NamedExpr))
    return frozenset(each.target.id for each in every)


@lru_cache(maxsize=1 << 10)
def returned_name(definition: Any) -> str | None:
    """The name that a function returns, or a call, perhaps of itself; None if it is another."""
    returns = [each.value for each in own_nodes(definition) if isinstance(each, ast.Return)]
    names = {each.id for each in returns if isinstance(each, ast.Name)}
    if len(names) != 1 or not all(isinstance(each, (ast.Name, ast.Call)) for each in returns):
        return None
    return names.pop()


@lru_cache(maxsize=1 << 10)
def calls_its_own_name(definition: Any) -> bool:
    """Whether a function calls one of its own name, which most often is itself."""
    calls = (each.func for each in trees.nodes(definition) if isinstance(each, ast.Call))
    names = {getattr(each, "attr", getattr(each, "id", None)) for each in calls}
    return getattr(definition, "name", None) in names


def with_plain_defaults(definition: ast.FunctionDef) -> ast.FunctionDef:
    """The function where `if x is None: x = y` is said as `x = y if x is None else x`.

    So an argument and what takes its place are told apart.
    """
    if not any(map(_replaces_none, trees.nodes(definition))):
        return definition
    made = _Defaults().visit(copied(definition))
    assert isinstance(made, ast.FunctionDef)
    return trees.located(made)


def _replaces_none(node: Any) -> bool:
    if not isinstance(node, ast.If) or node.orelse or len(node.body) != 1:
        return False
    test, then = node.test, node.body[0]
    return (
        isinstance(then, ast.Assign)
        and len(then.targets) == 1
        and isinstance(then.targets[0], ast.Name)
        and isinstance(test, ast.Compare)
        and isinstance(test.left, ast.Name)
        and test.left.id == then.targets[0].id
        and isinstance(test.ops[0], ast.Is)
        and len(test.ops) == 1
        and isinstance(test.comparators[0], ast.Constant)
        and test.comparators[0].value is None
    )


class _Defaults(trees.Transformer):
    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        names = {each.arg for each in arguments_of(node)}
        for i, each in enumerate(node.body):
            if _replaces_none(each) and each.test.left.id in names:  # type: ignore[attr-defined]
                test, then = each.test, each.body[0]  # type: ignore[attr-defined]
                other = ast.Name(test.left.id, ast.Load())
                value = ast.copy_location(ast.IfExp(test, then.value, other), then)
                node.body[i] = ast.copy_location(ast.Assign(then.targets, value), then)
        self.generic_visit(node)
        return node


@lru_cache(maxsize=1 << 10)
def frames_of(definition: Any) -> int:
    """How many frames Python has at most while a function calls another, generators included."""

    def depth(node: ast.AST) -> int:
        most = max(map(depth, trees.children(node)), default=0)
        return most + isinstance(node, (*COMPREHENSIONS, ast.Lambda))

    if definition is None or isinstance(definition, ast.Lambda):
        return 0 if definition is None else 1 + 2 * depth(definition.body)
    nodes = own_nodes(definition)
    is_generator = any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in nodes)
    names = {each.id for each in nodes if isinstance(each, ast.Name)}
    return 1 + is_generator + bool(names & _GOING_THROUGH) + 2 * max(map(depth, definition.body))
