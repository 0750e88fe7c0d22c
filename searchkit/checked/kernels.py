"""Copies of problems and heuristics whose kernels are checked, operation by operation."""

from __future__ import annotations

import ast
import types
from collections.abc import Callable
from typing import Any

import attrs

from searchkit.checked.words import Operations
from searchkit.errors import ProblemError, Trapped
from searchkit.kernel_language.collector import KNOWN, TUPLES, Collected, Collector
from searchkit.kernel_language.constants import SIGNS
from searchkit.kernel_language.marks import EITHER, RANGE
from searchkit.kernel_language.program import MORE_KERNELS, Program
from searchkit.kernel_language.syntax import BUILTINS, ITERATORS
from searchkit.kernel_language.trees import copied
from searchkit.kernel_language.uses import TABLES, TRAP
from searchkit.packed import (
    CarriedHeuristic,
    PackedHeuristic,
    has_candidates,
    has_expand,
    is_inherited,
)

_OF_PROBLEMS = ("at_goal", "control", "legal", "apply", "cost")
_OF_RANKS = ("rank", "unrank")
CHECK = "searchkit_check"
"""What the operations of a function are called in it, with its name behind."""
WORDS = "searchkit_words"


def checked_dialect(name: str, collected: Collected) -> ast.FunctionDef:
    """The function with its operations as calls."""
    definition = _Checked(name, collected).visit(copied(collected.definition))
    assert isinstance(definition, ast.FunctionDef)
    return definition


@attrs.frozen
class _Checked(ast.NodeTransformer):
    name: str
    collected: Collected

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return self._call("binary", node, _text(SIGNS[type(node.op)]), node.left, node.right)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        return self._call("unary", node, _text(SIGNS[type(node.op)]), node.operand)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        sides = [node.left, *node.comparators]
        calls = [
            self._call("compare", node, _text(SIGNS[type(op)]), left, right)
            for op, left, right in zip(node.ops, sides, sides[1:], strict=False)
        ]
        return calls[0] if len(calls) == 1 else ast.BoolOp(ast.And(), calls)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        what = ast.unparse(node.value).replace(f"{TABLES}.", "table ").removeprefix(TUPLES)
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Store):
            return node
        return self._call("item", node, node.value, node.slice, _text(what))

    def visit_Assign(self, node: ast.Assign) -> Any:
        self.generic_visit(node)
        (target, *more) = node.targets
        if more or not isinstance(target, ast.Subscript):
            return node
        return ast.Expr(self._call("put", node, target.value, target.slice, node.value))

    def visit_Yield(self, node: ast.Yield) -> ast.AST:
        self.generic_visit(node)
        step: Any = node.value
        gives, words = ast.Constant("state"), ast.Name(WORDS, ast.Load())
        operator, child, *costs = step.elts
        step.elts = [
            self._call("number", node, operator),
            self._call("result", node, child, gives, words),
            *(self._call("number", node, cost) for cost in costs),
        ]
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        if self.collected.gives == "steps":
            return node
        self.generic_visit(node)
        assert node.value is not None
        gives = ast.Constant(self.collected.gives)
        words = ast.Name(WORDS, ast.Load())
        node.value = self._call("result", node, node.value, gives, words)
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        if hasattr(node, EITHER):
            return self.visit(node.args[1])
        self.generic_visit(node)
        if hasattr(node, RANGE):
            bounds = map(ast.Constant, getattr(node, RANGE)[:3])
            return self._call("within", node, node.args[0], *bounds)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        line = ast.Constant(node.lineno)
        if name == "range":
            return ast.Call(self._method("range"), [line, *node.args], node.keywords)
        if (name in BUILTINS and name not in ITERATORS) or name in KNOWN.values():
            return ast.Call(self._method("called"), [_text(name), line, *node.args], node.keywords)
        return node

    def _call(self, method: str, node: Any, *arguments: ast.expr) -> ast.expr:
        return ast.Call(self._method(method), [*arguments, ast.Constant(node.lineno)], [])

    def _method(self, name: str) -> ast.expr:
        check = ast.Name(f"{CHECK}_{self.name}", ast.Load())
        return ast.Attribute(check, name, ast.Load())


def _text(value: str) -> ast.expr:
    return ast.Constant(value)


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
