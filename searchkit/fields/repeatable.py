"""Rules must give the same answer whenever they are asked: what can never do so is refused."""

from __future__ import annotations

import ast
import random
import types
from collections.abc import Callable
from typing import Any

from searchkit.errors import ProblemError
from searchkit.kernel_language.site import Site

_CHANCE = ("random", "secrets", "numpy.random")
"""Modules whose functions give another number each time."""


def check_repeatable(
    definition: ast.FunctionDef,
    function: types.FunctionType,
    site: Site,
    author: Any,
    *,
    may_yield: bool = False,
) -> Callable[[Any], bool]:
    """Raise `ProblemError` where a rule draws random numbers, or yields, or asks none above it.

    Linear in the length of the rule. Returns whether it draws random numbers for another object.
    """
    own = definition.args.args[0].arg if definition.args.args else ""
    names, called = function.__globals__, set()
    for node in ast.walk(definition):
        message = None
        match node:
            case ast.Yield() | ast.YieldFrom() if not may_yield:
                message = "yields; a rule returns its answer"
            case ast.Call(ast.Attribute(ast.Call(ast.Name("super"), []), attr) as func) if (
                not _is_above(function, author, attr)
            ):
                message = f"calls {ast.unparse(func)}, which no class above defines; leave it out"
            case ast.Call(func):
                called.add(_dotted(func))
                if _is_chance(_value(_dotted(func), names, own, author)):
                    message = (
                        f"calls {ast.unparse(func)}; a rule must give the same answer each time: "
                        "draw in __init__, and keep what was drawn"
                    )
        if message is not None:
            raise ProblemError(str(site.error(node, message)))
    return lambda other: any(_is_chance(_value(name, names, own, other)) for name in called)


def _dotted(node: ast.expr) -> tuple[str, ...]:
    """The parts of a dotted name; none for other expressions."""
    if isinstance(node, ast.Name):
        return (node.id,)
    if isinstance(node, ast.Attribute) and (first := _dotted(node.value)):
        return *first, node.attr
    return ()


def _value(name: tuple[str, ...], names: dict[str, Any], own: str, author: Any) -> Any:
    """What a dotted name stands for when the puzzle is made; None where nobody knows."""
    if not name:
        return None
    first, *rest = name
    found = author if first == own else names.get(first)
    for each in rest:
        found = getattr(found, each, None)
    return found


def _is_chance(value: Any) -> bool:
    owner = getattr(value, "__self__", None)
    if isinstance(owner, random.Random) or type(owner).__module__.startswith("numpy.random"):
        return True
    module = str(getattr(value, "__module__", ""))
    return callable(value) and any(f"{module}.".startswith(f"{each}.") for each in _CHANCE)


def _is_above(function: types.FunctionType, author: Any, name: str) -> bool:
    """Whether an author's class above the one with a function defines a method."""
    kinds = list(type(author).__mro__)
    place = next((i for i, each in enumerate(kinds) if function in vars(each).values()), 0)
    return any(
        name in vars(each) and not each.__module__.startswith("searchkit.")
        for each in kinds[place + 1 :]
    )
