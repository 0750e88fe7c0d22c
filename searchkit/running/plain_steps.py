"""The successors of packed problems in plain Python, as reference engines ask for them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from types import CodeType
from typing import Any

from searchkit.authors.packed_rules import MOST_WORD, check_state, control_of, operators_of
from searchkit.errors import CompilationError
from searchkit.kernel_language.collector import KNOWN, Collector, kinds_of
from searchkit.kernel_language.inlining import inlined, python_dialect, tables_of
from searchkit.kernel_language.uses import TABLES
from searchkit.packed import PackedProblem
from searchkit.problem import Problem, Step

SUCCESSORS = f"""
def successors(state):
    try:
        control = problem_control({TABLES}, state)
        if control.__class__ is not int:
            control = control_of(problem, state)
        steps = []
        for operator in operators[control]:
            if problem_legal({TABLES}, state, control, operator):
                child = problem_apply({TABLES}, state, control, operator)
                if not IS_STATE:
                    check_state(problem, child)
                action = problem_action({TABLES}, state, operator)
                cost = problem_cost({TABLES}, state, control, operator)
                steps.append(new(Step, (action, child, cost)))
        return steps
    except Exception:
        return plainly(state)
"""
"""What `PackedProblem.successors` does; where that raises an error, it is asked to raise it."""

_made: dict[Any, tuple[list[Collector], CodeType, dict[str, tuple[str, ...]]]] = {}
"""The code of this process by the classes that it is for, and the tables that it looks up."""


def successors_of(problem: Problem[Any, Any]) -> Callable[[Any], Iterable[Any]]:
    """The method `successors`, or, for a packed problem that inherits it, a faster function.

    That is for one search: what the problem says of tables and operators must not change.
    """
    if not isinstance(problem, PackedProblem):
        return problem.successors
    if getattr(problem.successors, "__func__", None) is not PackedProblem.successors:
        return problem.successors
    try:
        key = problem.words, kinds_of(problem)
        known = _made.get(key)
        if known is None or not all(each.is_current() for each in known[0]):
            known = _made[key] = _code(problem)
        collectors, code, looked_up = known
    except CompilationError:
        return problem.successors
    names: dict[str, Any] = {each: function for function, each in KNOWN.items()}
    for collector in collectors:
        names |= collector.tuples
    tables = tables_of(problem)
    for name, fields in looked_up.items():
        value: Any = tables
        for field in fields:
            value = getattr(value, field)
        names[name] = value
    names |= {
        TABLES: tables, "problem": problem, "operators": _Operators(problem), "Step": Step,
        "new": tuple.__new__, "check_state": check_state, "control_of": control_of,
        "plainly": problem.successors, "action_of": problem.action,
    }  # fmt: skip
    exec(code, names)
    made: Callable[[Any], Iterable[Any]] = names["successors"]
    return made


def _code(
    problem: PackedProblem[Any],
) -> tuple[list[Collector], CodeType, dict[str, tuple[str, ...]]]:
    collectors = [Collector(python_dialect)]
    for name in ("control", "legal", "apply", "cost"):
        collectors[0].method(problem, "problem", name)
    kernels = dict(collectors[0].made)
    try:  # the label of an operator may be a kernel, but need not
        labels = Collector(python_dialect, reserved=tuple(kernels))
        labels.method(problem, "problem", "action")
        kernels |= labels.made
        collectors.append(labels)
    except CompilationError:
        text = f"def problem_action({TABLES}, state, operator): return action_of(state, operator)"
        kernels["problem_action"] = ast.parse(text).body[0]  # type: ignore[assignment]
    (template,) = ast.parse(SUCCESSORS.replace("IS_STATE", _is_state(problem.words))).body
    assert isinstance(template, ast.FunctionDef)
    made, looked_up = inlined(template, kernels)
    module = ast.Module([*kernels.values(), made], [])
    code = compile(
        ast.fix_missing_locations(module), f"<successors of {type(problem).__name__}>", "exec"
    )
    return collectors, code, looked_up


def _is_state(words: int) -> str:
    """Whether `child` is a state, as an expression."""
    places = ["child"] if words == 1 else [f"child[{place}]" for place in range(words)]
    each = [f"{place}.__class__ is int and 0 <= {place} <= {MOST_WORD}" for place in places]
    kind = [] if words == 1 else [f"child.__class__ is tuple and len(child) == {words}"]
    return f"({' and '.join([*kind, *each])})"


class _Operators(dict[int, list[int]]):
    """The operators of each control state, asked for once."""

    def __init__(self, problem: PackedProblem[Any]) -> None:
        super().__init__()
        self.problem = problem

    def __missing__(self, control: int) -> list[int]:
        if not 0 <= control < self.problem.controls:
            raise KeyError(control)
        listed = self[control] = operators_of(self.problem, control)
        return listed
