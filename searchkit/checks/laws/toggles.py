"""Operators flip the bits that `toggles` names, and no other."""

from __future__ import annotations

from searchkit.authors.user_code import call
from searchkit.capabilities import HasToggles
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law
from searchkit.packed import PackedProblem


def needs(ground: Ground) -> str | None:
    """A packed problem with a method `toggles`."""
    if not isinstance(ground.problem, PackedProblem):
        return "the problem is not packed"
    return None if isinstance(ground.problem, HasToggles) else "no method toggles"


def check(ground: Ground) -> Findings:
    """Compare what each legal operator flips. O(steps)."""
    problem = ground.problem
    assert isinstance(problem, PackedProblem) and isinstance(problem, HasToggles)  # noqa: PT018
    if problem.words != 1 or problem.controls != 1:
        yield Breach(
            expected="toggles are for one word and one control state",
            found=f"words is {problem.words}, controls is {problem.controls}",
            blame=("toggles",),
        )
        return None
    toggles = list(call("toggles", problem.toggles))
    for visit in ground.visits():
        for operator in call("operators", problem.operators, 0):
            if not call("legal", problem.legal, visit.state, 0, operator):
                continue
            flipped = call("apply", problem.apply, visit.state, 0, operator) ^ visit.state
            told = toggles[operator] if 0 <= operator < len(toggles) else None
            if flipped != told:
                action = call("action", problem.action, visit.state, operator)
                yield Breach(
                    at=visit,
                    then=(ground.action_text(action),),
                    expected="no toggles for it"
                    if told is None
                    else f"the bits {told:#b} flip, as toggles()[{operator}] says",
                    found=f"apply flips {flipped:#b}",
                    blame=("toggles", "apply"),
                )
                break
    return None


LAW = Law("toggles", "operators flip the bits that toggles names, and no other", check, needs)
