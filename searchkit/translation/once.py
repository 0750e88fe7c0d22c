"""Where a function uses a name once, so that an iterator may have it."""

from __future__ import annotations

import ast
from typing import Any

from searchkit.kernel_language import trees
from searchkit.translation.effects import may_change
from searchkit.translation.scopes import COMPREHENSIONS, stored_in


def used_soon(node: ast.Assign, definition: Any) -> ast.expr | None:
    """The expression that uses the name which an assignment gives a value, and nothing else does.

    None if it is used otherwise, or something may change between the two that the value reads.
    """
    target = node.targets[0]
    if len(node.targets) != 1 or not isinstance(target, ast.Name):
        return None
    uses = [e for e in trees.nodes(definition) if isinstance(e, ast.Name) and e.id == target.id]
    block = _block_of(node, definition)
    if len(uses) != 2 or block is None:
        return None
    use = next(each for each in uses if each is not target)
    read = {plain_name(e.id) for e in trees.nodes(node.value) if isinstance(e, ast.Name)}
    for each in block[block.index(node) + 1 :]:
        if any(inner is use for inner in trees.nodes(each)):
            part = _evaluated_once(each, read)
            return part if part is not None and _is_used_at_once(part, use) else None
        is_plain = isinstance(each, ast.Assign) and all(
            isinstance(inner, (ast.Name, ast.Tuple)) for inner in each.targets
        )
        if not is_plain or any(map(may_change, trees.nodes(each))):
            return None
        if {plain_name(name) for name in stored_in([each])} & read:
            return None
    return None


def plain_name(name: str) -> str:
    """A name as the author has written it."""
    return name.partition("~")[0]


def is_used_once_in_loop(definition: Any, name: str) -> bool:
    """Whether the loop that gives a name its values uses each of them once."""
    for each in trees.nodes(definition):
        loops: list[Any] = each.generators if isinstance(each, COMPREHENSIONS) else [each]
        for i, loop in enumerate(loops):
            target = getattr(loop, "target", None)
            names = [] if target is None else list(trees.nodes(target))
            if not any(isinstance(one, ast.Name) and one.id == name for one in names):
                continue
            if isinstance(each, COMPREHENSIONS):
                parts = [
                    getattr(each, part) for part in ("key", "value", "elt") if hasattr(each, part)
                ]
                if i + 1 < len(loops):
                    return False
                parts += loop.ifs
            else:
                parts = getattr(each, "body", [])
            uses = [
                e for p in parts for e in trees.nodes(p) if isinstance(e, ast.Name) and e.id == name
            ]
            return len(uses) == 1 and any(_is_in_no_loop(part, uses[0]) for part in parts)
    return False


def _is_in_no_loop(node: ast.AST, use: ast.Name) -> bool:
    if isinstance(node, ast.While):
        return False
    if isinstance(node, ast.For):
        return _is_in_no_loop(node.iter, use)
    if isinstance(node, ast.If):
        return any(_is_in_no_loop(each, use) for each in trees.children(node))
    if isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef):
        return any(_is_in_no_loop(each, use) for each in trees.children(node))
    return isinstance(node, ast.expr) and _is_used_at_once(node, use)


def _block_of(node: ast.stmt, definition: Any) -> list[ast.stmt] | None:
    """The statements that one of them stands among."""
    for each in trees.nodes(definition):
        for field in ("body", "orelse"):
            block = getattr(each, field, None)
            if isinstance(block, list) and any(one is node for one in block):
                return block
    return None


def _evaluated_once(statement: ast.stmt, read: set[str]) -> ast.expr | None:
    """What a statement evaluates once, unless it changes names of `read` meanwhile."""
    if isinstance(statement, ast.For):
        stored = stored_in([statement.target, *statement.body])
        return None if {plain_name(name) for name in stored} & read else statement.iter
    if isinstance(statement, ast.If):
        return statement.test
    is_plain = isinstance(statement, (ast.Assign, ast.Return, ast.Expr))
    return statement.value if is_plain else None  # type: ignore[attr-defined]


def _is_used_at_once(node: ast.AST, use: ast.Name) -> bool:
    """Whether a name is used in an expression, but in no part that is evaluated again or later."""
    if node is use:
        return True
    if isinstance(node, ast.Lambda):
        return False
    if isinstance(node, COMPREHENSIONS):
        return _is_used_at_once(node.generators[0].iter, use)
    return any(_is_used_at_once(each, use) for each in trees.children(node))
