"""The kernels of a packed problem, and the plain methods, tell of the same steps."""

from __future__ import annotations

from typing import Any

from searchkit.authors.user_code import call
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law
from searchkit.checks.laws import words
from searchkit.packed import PackedProblem

Row = tuple[Any, Any, Any]


def steps_by_kernels(problem: PackedProblem[Any], state: Any) -> list[Row]:
    """Action, state and cost of each step, as the kernels tell."""
    control = call("control", problem.control, state)
    return [
        (
            call("action", problem.action, state, operator),
            call("apply", problem.apply, state, control, operator),
            call("cost", problem.cost, state, control, operator),
        )
        for operator in call("operators", problem.operators, control)
        if call("legal", problem.legal, state, control, operator)
    ]


def check(ground: Ground) -> Findings:
    """Make the steps of each state from the kernels, and compare. O(steps)."""
    problem = ground.problem
    assert isinstance(problem, PackedProblem)
    for visit in ground.visits():
        if visit.key != visit.state:
            yield Breach(
                at=visit,
                expected="the key of a packed state is the state",
                found=f"key gives {visit.key!r}",
                blame=("key",),
            )
        if bool(call("at_goal", problem.at_goal, visit.state)) != visit.is_goal:
            yield Breach(
                at=visit,
                expected=f"at_goal says {visit.is_goal}, as is_goal does",
                found=f"at_goal says {not visit.is_goal}",
                blame=("is_goal", "at_goal"),
            )
        packed = steps_by_kernels(problem, visit.state)
        plain = [(step.action, step.state, step.cost) for step in visit.steps]
        if packed != plain:
            place = next(
                (
                    i
                    for i, pair in enumerate(zip(packed, plain, strict=False))
                    if pair[0] != pair[1]
                ),
                min(len(packed), len(plain)),
            )
            yield Breach(
                at=visit,
                expected=f"step {place + 1} is {_told(ground, packed, place)}, as the kernels say",
                found=f"successors gives {_told(ground, plain, place)}",
                blame=("successors", "apply", "legal", "operators", "cost"),
            )
    return None


def _told(ground: Ground, rows: list[Row], place: int) -> str:
    if place >= len(rows):
        return "no more"
    action, state, cost = rows[place]
    return f"{ground.action_text(action)} to {ground.text(state)} at cost {cost}"


LAW = Law("kernels", "kernels and plain methods tell of the same steps", check, words.needs)
