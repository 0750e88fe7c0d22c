"""Rules must give the same answer whenever they are asked: what can never do so is refused."""

from __future__ import annotations

import ast
import random
import types
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
) -> None:
    """Raise `ProblemError` where a rule draws random numbers, or yields, or asks none above it.

    Linear in the length of the rule.
    """
    own = definition.args.args[0].arg if definition.args.args else ""
    names = {**function.__globals__, own: author}
    for node in ast.walk(definition):
        message = None
        if isinstance(node, (ast.Yield, ast.YieldFrom)) and not may_yield:
            message = "yields; a rule returns its answer"
        elif isinstance(node, ast.Call):
            if _is_chance(_value(node.func, names)):
                message = (
                    f"calls {ast.unparse(node.func)}; a rule must give the same answer each time: "
                    "draw in __init__, and keep what was drawn"
                )
            elif _asks_above(node.func) and not _is_above(function, author, node.func.attr):  # type: ignore[attr-defined]
                message = (
                    f"calls {ast.unparse(node.func)}, which no class above defines; leave it out"
                )
        if message is not None:
            raise ProblemError(str(site.error(node, message)))


def _value(node: ast.expr, names: dict[str, Any]) -> Any:
    """What a dotted name stands for when the puzzle is made; None where nobody knows."""
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute):
        return getattr(_value(node.value, names), node.attr, None)
    return None


def _is_chance(value: Any) -> bool:
    owner = getattr(value, "__self__", None)
    if isinstance(owner, random.Random) or type(owner).__module__.startswith("numpy.random"):
        return True
    module = str(getattr(value, "__module__", ""))
    return callable(value) and any(f"{module}.".startswith(f"{each}.") for each in _CHANCE)


def _asks_above(node: ast.expr) -> bool:
    """Whether it is `super().name`."""
    if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Call)):
        return False
    function = node.value.func
    return isinstance(function, ast.Name) and function.id == "super" and not node.value.args


def _is_above(function: types.FunctionType, author: Any, name: str) -> bool:
    """Whether an author's class above the one with a function defines a method."""
    kinds = list(type(author).__mro__)
    place = next((i for i, each in enumerate(kinds) if function in vars(each).values()), 0)
    return any(
        name in vars(each) and not each.__module__.startswith("searchkit.")
        for each in kinds[place + 1 :]
    )
