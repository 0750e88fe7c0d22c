"""The operator that `inverse` names leads back, and no other."""

from __future__ import annotations

from searchkit.checks.ground import Breach, Ground, Visit
from searchkit.checks.law import Law, at_states, by_operators
from searchkit.packed import PackedProblem, is_inherited


def needs(ground: Ground) -> str | None:
    """A method `inverse` of its own."""
    is_default = is_inherited(ground.problem, "inverse")
    return "no method inverse" if is_default else None


def look(ground: Ground, visit: Visit) -> Breach | None:
    """Try, after each step, all operators that can be legal there. O(steps x operators)."""
    state = visit.state
    for control, operator, child in ground.operations(state):
        inverse = ground.ask("inverse", control, operator)
        if inverse is None:
            continue
        back = [each for _, each, after in ground.operations(child) if after == state]
        if back != [inverse]:
            return Breach(
                f"operator {inverse} alone leads back, as inverse({control}, {operator}) says",
                f"operators that lead back: {', '.join(map(str, back)) or 'none'}",
                "inverse",
                then=ground.operator_text(state, operator),
            )
    return None


LAW = Law(__name__, __doc__, at_states(look), (PackedProblem, by_operators, needs))
