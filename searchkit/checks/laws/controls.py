"""`control`, `operators` and `next_control` agree."""

from __future__ import annotations

from typing import Any

from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law, by_operators
from searchkit.packed import PackedProblem


def check(ground: Ground) -> Findings:
    """Read the control states of both ends of each step. O(steps)."""
    problem: Any = ground.problem
    lists: dict[int, list[int]] = {}
    for visit in ground.watched(ground.visited):
        control = ground.ask("control", visit.state)
        if not isinstance(control, int) or not 0 <= control < problem.controls:
            expected = f"a control state from 0 to {problem.controls - 1}, as controls says"
            yield Breach(expected, f"control gives {control!r}", "control controls")
            continue
        if visit.failure is not None:
            continue
        operators = list(ground.ask("operators", control))
        if lists.setdefault(control, operators) != operators:
            expected = f"operators({control}) is {lists[control]} again"
            yield Breach(expected, f"{operators}", "operators")
        for _, operator, child in ground.operations(visit.state):
            following = ground.ask("next_control", control, operator)
            given = ground.ask("control", child)
            if following is not None and following != given:
                yield Breach(
                    f"control is {following} there, as next_control({control}, {operator}) says",
                    f"control({ground.text(child)}) is {given}",
                    "next_control control",
                    then=ground.operator_text(visit.state, operator),
                )
                break
    return f"{ground.scope()} in {len(lists)} of {problem.controls} control states"


LAW = Law(__name__, __doc__, check, (PackedProblem, by_operators))
