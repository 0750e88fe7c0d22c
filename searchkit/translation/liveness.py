"""Which names lines of text use before they give them a value (A. Aho et al., Compilers, 9.2)."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from searchkit.kernel_language import trees


class Uses(NamedTuple):
    """Names that are used before they are given a value, and those that are given one for sure."""

    used: frozenset[str]
    given: frozenset[str]

    def then(self, other: Uses) -> Uses:
        """The same of these lines and others behind them."""
        return Uses(self.used | (other.used - self.given), self.given | other.given)


_NONE = Uses(frozenset(), frozenset())


def uses_of(lines: list[Any]) -> Uses:
    """The names of some lines, with the blocks in them."""
    found = _NONE
    i = 0
    while i < len(lines):
        each = lines[i]
        i += 1
        if isinstance(each, str):
            found = found.then(_of_line(each))
            continue
        head, body = each
        inner = uses_of(body)
        if head is None:
            found = found.then(inner)
        elif head.startswith("if "):
            found = found.then(_of_line(head[3:-1]))
            other = _NONE
            if i < len(lines) and not isinstance(lines[i], str) and lines[i][0] == "else:":
                other = uses_of(lines[i][1])
                i += 1
            found = found.then(Uses(inner.used | other.used, inner.given & other.given))
        else:  # a loop, which may have no round
            found = found.then(_of_line(_test_of(head)))
            if head.startswith("for "):
                inner = Uses(inner.used - {head.split(" ", 2)[1]}, inner.given)
            found = found.then(Uses(inner.used, frozenset()))
    return found


def assigned(lines: list[Any]) -> Counter[str]:
    """How often names are given a value in some lines."""
    return Counter(name for each in _lines_in(lines) for name in _of_line(each).given)


def truths(lines: list[Any]) -> set[str]:
    """The names that are given a truth value somewhere."""
    found: set[str] = set()
    size = -1
    while len(found) > size:
        size = len(found)
        found |= {e.split(" ", 1)[0] for e in _lines_in(lines) if _gives_truth(e, found)}
    return found


def _lines_in(lines: list[Any]) -> Iterator[str]:
    for each in lines:
        if isinstance(each, str):
            yield each
            continue
        head, body = each
        if head is not None and head.startswith("for "):
            yield f"{head.split(' ', 2)[1]} = 0"
        yield from _lines_in(body)


def _test_of(head: str) -> str:
    """The expression that a loop begins with."""
    if head.startswith("while "):
        return head[6:-1]
    return head[head.index(" in ") + 4 : -1] if head.startswith("for ") else "True"


@lru_cache(maxsize=1 << 14)
def _of_line(line: str) -> Uses:
    if line[:1] == "@":
        return _NONE
    tree = _parsed(line)
    names = [each for each in trees.nodes(tree) if isinstance(each, ast.Name)]
    given = {each.id for each in names if isinstance(each.ctx, ast.Store)}
    used = {each.id for each in names if isinstance(each.ctx, ast.Load)}
    if isinstance(tree, ast.AugAssign):
        used |= given
    return Uses(frozenset(used), frozenset(given))


def _gives_truth(line: str, known: set[str]) -> bool:
    if line[:1] == "@":
        return False
    node = _parsed(line)
    return isinstance(node, ast.Assign) and _is_truth(node.value, known)


@lru_cache(maxsize=1 << 14)
def _parsed(line: str) -> ast.stmt:
    (node,) = ast.parse(line).body
    return node


def _is_truth(node: ast.expr, known: set[str]) -> bool:
    if isinstance(node, ast.BoolOp):
        return all(_is_truth(each, known) for each in node.values)
    if isinstance(node, ast.IfExp):
        return _is_truth(node.body, known) and _is_truth(node.orelse, known)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    if isinstance(node, ast.Name):
        return node.id in known
    return isinstance(node, ast.Compare) or (
        isinstance(node, ast.Constant) and isinstance(node.value, bool)
    )
