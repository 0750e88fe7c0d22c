"""Kernels that were made of rules on fields, compared with these as they are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from searchkit.errors import CompilationError, ProblemError
from searchkit.fields.plain import plain_rules
from searchkit.packed import DEAD_END, has_expand, packed_steps
from searchkit.problem import INFINITY, Step


def check_kernels(
    puzzle: Any, state: Any, steps: Sequence[Step[Any, Any]], heuristic: Any = None
) -> None:
    """Compare all kernels at a state, the steps out of which are known. O(moves).

    Raises `CompilationError` for the first that says something else than its rule, whose line it
    names. Of `expand`, machine code alone is made: `searchkit.translation.watch` compares it.
    """
    rules = plain_rules(puzzle)
    said, expected = _said(lambda: bool(puzzle.at_goal(state))), rules.is_goal(state)
    if said != expected:
        raise _differing(puzzle, "at_goal", state, said, expected)
    if steps and not has_expand(puzzle):
        _check_steps(puzzle, state, steps)
    if heuristic is not None and type(getattr(heuristic, "author", 0)) is type(puzzle.author):
        said, estimate = _said(lambda: heuristic.estimate(state)), heuristic(state)
        if said != (DEAD_END if estimate == INFINITY else estimate):
            raise _differing(puzzle, "estimate", state, said, estimate)


def _check_steps(puzzle: Any, state: Any, steps: Sequence[Step[Any, Any]]) -> None:
    """Compare the legal moves, in their order, what each leads to, and what it costs."""
    found = _said(lambda: list(packed_steps(puzzle, state)))
    if isinstance(found, str):
        raise _differing(puzzle, "apply", state, found, f"{len(steps)} steps")
    labels = [puzzle.action(state, step.operator) for step in found]
    expected = [step.action for step in steps]
    if labels != expected:
        rule = "legal" if set(labels) != set(expected) else "apply"
        shown = [", ".join(map(puzzle.format_action, each)) for each in (labels, expected)]
        raise _differing(puzzle, rule, state, f"the moves {shown[0]}", f"the moves {shown[1]}")
    for kernel, step in zip(found, steps, strict=True):
        move = f" by the move {puzzle.format_action(step.action)}"
        if kernel.child != step.state:
            made, written = map(puzzle.format_state, (kernel.child, step.state))
            raise _differing(puzzle, "apply", state, made, written, move)
        cost = puzzle.cost(state, kernel.control, kernel.operator)
        if cost != step.cost:
            raise _differing(puzzle, "cost", state, cost, step.cost, move)


def _said(ask: Any) -> Any:
    """What a kernel says, or a text of the error that it raises.

    That a number is out of its range, as a negative index is for kernels alone, is said as it is.
    """
    try:
        return ask()
    except ProblemError:
        raise
    except Exception as error:
        return f"the error {type(error).__name__}: {error}"


def _differing(
    puzzle: Any, rule: str, state: Any, found: Any, expected: Any, move: str = ""
) -> CompilationError:
    kind = type(puzzle.author)
    code = getattr(getattr(kind, rule), "__code__", None)
    place = "" if code is None else f", {code.co_filename}:{code.co_firstlineno}"
    error = CompilationError(
        f"{kind.__name__}.{rule}{place}: the kernel made of it gives {found!s:.200} in the state "
        f"{puzzle.format_state(state):.200}{move}, and the rule as it is written "
        f"{expected!s:.200}; searchkit is at fault, not the rule: engine='reference' runs it as it "
        "is written"
    )
    error.rule = rule  # type: ignore[attr-defined]
    return error
