"""Copies of problems and heuristics whose kernels are checked, operation by operation."""

from __future__ import annotations

import ast
import types
from collections.abc import Callable
from typing import Any

import attrs

from searchkit.checked.dialect import CHECK, WORDS, checked_dialect
from searchkit.checked.words import Operations
from searchkit.errors import ProblemError, Trapped
from searchkit.kernel_language.collector import KNOWN, Collector
from searchkit.kernel_language.program import MORE_KERNELS, Program
from searchkit.kernel_language.uses import TRAP
from searchkit.packed import (
    CarriedHeuristic,
    PackedHeuristic,
    has_candidates,
    has_expand,
    is_inherited,
)

_OF_PROBLEMS = ("at_goal", "control", "legal", "apply", "cost")
_OF_RANKS = ("rank", "unrank")


@attrs.frozen
class Tables:
    """What a checked kernel has in the place of `self`: tables, and those of parts."""

    owner: Any

    def __getattr__(self, name: str) -> Any:
        if name in getattr(self.owner, "parts", ()):
            return Tables(getattr(self.owner, name))
        return getattr(self.owner.tables, name)


def kernel_names(owner: Any) -> tuple[str, ...]:
    """The kernels that an object has, and that engines call."""
    if isinstance(owner, CarriedHeuristic):
        return ("begin", "recall", "follow")
    if isinstance(owner, PackedHeuristic):
        if has_candidates(owner):
            return ("estimate", "change", "candidates")
        is_changed = type(owner).change is not PackedHeuristic.change
        return ("estimate", "change") if is_changed else ("estimate",)
    if has_expand(owner):
        return ("at_goal", "expand")
    ranked = bool(owner.ranks) and not is_inherited(owner, "unrank")
    more = [name for name in MORE_KERNELS if isinstance(getattr(type(owner), name, None), _PLAIN)]
    if ranked and not is_inherited(owner, "rank_after"):
        more.append("rank_after")
    return (*_OF_PROBLEMS, *(_OF_RANKS if ranked else ()), *more)


_PLAIN = types.FunctionType


def checked_kernels(owner: Any, words: int) -> dict[str, Callable[..., Any]]:
    """The kernels of an object as methods that check each operation.

    Raises `CompilationError` where they hold what kernels may not hold.
    """
    collector, program = Collector(checked_dialect), Program.of(owner)
    made = {name: collector.add(program, "kernel", name) for name in kernel_names(owner)}
    names: dict[str, Any] = {WORDS: words, **collector.tuples}
    names |= {known: function for function, known in KNOWN.items()} | {TRAP: Trapped}
    for name, definition in collector.made.items():
        site = collector.functions[name].site
        names[f"{CHECK}_{name}"] = Operations(site)
        module = ast.fix_missing_locations(ast.Module([definition], []))
        exec(compile(module, site.file, "exec"), names)
    kinds = {name: _generator if name == "expand" else _method for name in made}
    return {name: kinds[name](names[function]) for name, function in made.items()}


def _method(function: Callable[..., Any]) -> Callable[..., Any]:
    """A method that runs a checked function, and tells the state that it failed for."""

    def method(self: Any, *arguments: Any) -> Any:
        try:
            return function(Tables(self), *arguments)
        except ProblemError as error:
            raise _placed(error, self, arguments) from None

    return method


def _generator(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same for a function that yields."""

    def method(self: Any, *arguments: Any) -> Any:
        try:
            yield from function(Tables(self), *arguments)
        except ProblemError as error:
            raise _placed(error, self, arguments) from None

    return method


def _placed(error: ProblemError, owner: Any, arguments: tuple[Any, ...]) -> ProblemError:
    """An error that says what a kernel was called with."""
    if getattr(error, "is_placed", False):
        return error
    placed = ProblemError(f"{error} (called with {_shown(owner, arguments)})")
    placed.is_placed = True  # type: ignore[attr-defined]
    return placed


def _shown(owner: Any, arguments: tuple[Any, ...]) -> str:
    own = getattr(owner, "shown_call", None)
    if own is not None:
        return str(own(arguments))
    return ", ".join(
        f"{each:#x}" if type(each) is int and each >= 1 << 16 else f"{each!r:.80}"
        for each in arguments
    )
