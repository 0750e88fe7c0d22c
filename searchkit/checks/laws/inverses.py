"""The operator that `inverse` names takes a step back, and no other does."""

from __future__ import annotations

from searchkit.authors.user_code import call
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law
from searchkit.packed import PackedProblem


def needs(ground: Ground) -> str | None:
    """A packed problem with a method `inverse` of its own."""
    if not isinstance(ground.problem, PackedProblem):
        return "the problem is not packed"
    if type(ground.problem).inverse is PackedProblem.inverse:
        return "no method inverse"
    return None


def check(ground: Ground) -> Findings:
    """Try, after each step, all operators that can be legal there. O(steps x operators)."""
    problem = ground.problem
    assert isinstance(problem, PackedProblem)
    for visit in ground.visits():
        state = visit.state
        control = call("control", problem.control, state)
        for operator in call("operators", problem.operators, control):
            if not call("legal", problem.legal, state, control, operator):
                continue
            inverse = call("inverse", problem.inverse, control, operator)
            if inverse is None:
                continue
            child = call("apply", problem.apply, state, control, operator)
            there = call("control", problem.control, child)
            back = [
                each
                for each in call("operators", problem.operators, there)
                if call("legal", problem.legal, child, there, each)
                and call("apply", problem.apply, child, there, each) == state
            ]
            if back != [inverse]:
                action = call("action", problem.action, state, operator)
                yield Breach(
                    at=visit,
                    then=(ground.action_text(action),),
                    expected=f"operator {inverse} alone leads back, as inverse({control}, "
                    f"{operator}) says",
                    found=f"operators that lead back: {', '.join(map(str, back)) or 'none'}",
                    blame=("inverse",),
                )
                break
    return None


LAW = Law("inverses", "the operator that inverse names leads back, and no other", check, needs)
