"""Operators flip the bits that `toggles` names, and no other."""

from __future__ import annotations

from searchkit.capabilities import HasToggles
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law, by_operators
from searchkit.packed import PackedProblem


def check(ground: Ground) -> Findings:
    """Compare what each legal operator flips. O(steps)."""
    problem = ground.problem
    assert isinstance(problem, PackedProblem)
    if problem.words != 1 or problem.controls != 1:
        found = f"words is {problem.words}, controls is {problem.controls}"
        yield Breach("toggles are for one word and one control state", found, "toggles")
        return None
    toggles = list(ground.ask("toggles"))
    for visit in ground.visits():
        for _, operator, child in ground.operations(visit.state):
            flipped = child ^ visit.state
            given = toggles[operator] if 0 <= operator < len(toggles) else None
            if flipped != given:
                expected = "no toggles for it"
                if given is not None:
                    expected = f"the bits {given:#b} flip, as toggles()[{operator}] says"
                then = ground.operator_text(visit.state, operator)
                yield Breach(expected, f"apply flips {flipped:#b}", "toggles apply", then=then)
                break
    return None


LAW = Law(__name__, __doc__, check, (PackedProblem, by_operators, HasToggles))
