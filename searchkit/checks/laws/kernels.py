"""Kernels and plain methods tell of the same steps."""

from __future__ import annotations

from itertools import zip_longest

from searchkit.checks.ground import Breach, Ground, Visit
from searchkit.checks.law import Law, at_states
from searchkit.packed import PackedProblem


def look(ground: Ground, visit: Visit) -> Breach | None:
    """Make the steps of the state from the kernels, and compare. O(steps)."""
    state = visit.state
    if visit.key != state:
        return Breach("the key of a packed state is the state", f"key gives {visit.key!r}", "key")
    if bool(ground.ask("at_goal", state)) != visit.is_goal:
        expected = f"at_goal says {visit.is_goal}, as is_goal does"
        return Breach(expected, f"at_goal says {not visit.is_goal}", "is_goal at_goal")
    packed = [
        (ground.ask("action", state, operator), child, cost)
        for operator, child, cost in ground.priced(state)
    ]
    plain = [(step.action, step.state, step.cost) for step in visit.steps]
    for number, (by_kernels, given) in enumerate(zip_longest(packed, plain), start=1):
        if by_kernels != given:
            return Breach(
                f"step {number} is {ground.step_text(by_kernels)}, as the kernels say",
                f"successors gives {ground.step_text(given)}",
                "successors apply legal operators cost expand",
            )
    return None


LAW = Law(__name__, __doc__, at_states(look), (PackedProblem,))
