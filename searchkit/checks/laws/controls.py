"""Control states are what the problem says: their number, their operators, what follows."""

from __future__ import annotations

from searchkit.authors.user_code import call
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law
from searchkit.checks.laws import words
from searchkit.packed import PackedProblem


def check(ground: Ground) -> Findings:
    """Read the control states of both ends of each step. O(steps)."""
    problem = ground.problem
    assert isinstance(problem, PackedProblem)
    lists: dict[int, list[int]] = {}
    for visit in ground.watched(ground.visited):
        control = call("control", problem.control, visit.state)
        if not isinstance(control, int) or not 0 <= control < problem.controls:
            yield Breach(
                at=visit,
                expected=f"a control state from 0 to {problem.controls - 1}, as controls says",
                found=f"control gives {control!r}",
                blame=("control", "controls"),
            )
            continue
        if visit.failure is not None:
            continue
        operators = list(call("operators", problem.operators, control))
        if lists.setdefault(control, operators) != operators:
            yield Breach(
                at=visit,
                expected=f"operators({control}) is {lists[control]} again",
                found=f"{operators}",
                blame=("operators",),
            )
        for operator in operators:
            if not call("legal", problem.legal, visit.state, control, operator):
                continue
            told = call("next_control", problem.next_control, control, operator)
            child = call("apply", problem.apply, visit.state, control, operator)
            given = call("control", problem.control, child)
            if told is not None and told != given:
                action = call("action", problem.action, visit.state, operator)
                name = f"next_control({control}, {operator})"
                yield Breach(
                    at=visit,
                    then=(ground.action_text(action),),
                    expected=f"control is {told} there, as {name} says",
                    found=f"control({ground.text(child)}) is {given}",
                    blame=("next_control", "control"),
                )
                break
    return f"{ground.scope()} in {len(lists)} of {problem.controls} control states"


LAW = Law("controls", "control, operators and next_control agree", check, words.needs)
