"""No method changes the state that it is asked about, nor a state that it has given."""

from __future__ import annotations

import copy
from typing import Any

from searchkit.authors.user_code import call, is_by_identity
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law

CANNOT_CHANGE = (int, str, bytes, float, complex, frozenset, bool)


def check(ground: Ground) -> Findings:
    """Compare keys and copies before and after. O(steps)."""
    problem = ground.problem
    for visit in ground.visits():
        for method in ("is_goal", "heuristic", "successors"):
            state = ground.fresh(visit)
            before = _copy(state)
            key = ground.key(state)
            if method == "successors":
                ground.take(state)
            else:
                call(method, getattr(problem, method), state)
            has_other_key = not is_by_identity(visit.key) and ground.key(state) != key
            if has_other_key or (before is not None and _differs(before, state)):
                visit.state = ground.fresh(visit)  # it was changed when it was expanded
                yield Breach(
                    at=visit,
                    expected=f"{method} leaves the state as it is",
                    found=f"it has become {ground.text(state)}",
                    blame=(method, "at_goal"),
                )
                break
        if visit.changed is not None:
            step, became = visit.changed
            yield Breach(
                at=visit,
                then=(ground.action_text(step.action),),
                expected="the state of a step stays as it was when the step was given",
                found=f"it has become {became} when the next step was made",
                blame=("successors",),
            )
    return None


def _copy(state: Any) -> Any:
    """A deep copy that equals the state; None if there is none, or no need of one."""
    if isinstance(state, CANNOT_CHANGE):
        return None
    try:
        made = copy.deepcopy(state)
        return made if made == state else None
    except Exception:  # states need not be copied by anyone but us
        return None


def _differs(before: Any, state: Any) -> bool:
    try:
        return bool(before != state)
    except Exception:
        return False


LAW = Law("mutation", "no method changes a state, be it given to the method or by it", check)
