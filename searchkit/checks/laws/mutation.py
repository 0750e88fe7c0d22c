"""No method changes the state that it is asked about, nor a state that it has given."""

from __future__ import annotations

import copy
from typing import Any

from searchkit.checks.author import call, is_by_identity
from searchkit.checks.ground import Ground, Visit
from searchkit.checks.law import Breach, Findings, Law

CANNOT_CHANGE = (int, str, bytes, float, complex, frozenset, bool)


def check(ground: Ground) -> Findings:
    """Compare keys and copies before and after. O(steps)."""
    problem = ground.problem
    for visit in ground.visits():
        if ground.key(visit.state) != visit.key and not is_by_identity(visit.key):
            yield _changed(ground, visit, "after its steps were listed", ("successors", "is_goal"))
            continue
        before = _copy(visit.state)
        for method in ("is_goal", "heuristic", "successors"):
            if method == "successors":
                ground.take(visit.state)
            else:
                call(method, getattr(problem, method), visit.state)
            if ground.key(visit.state) != visit.key or (
                before is not None and _differs(before, visit.state)
            ):
                yield _changed(ground, visit, f"by {method}", (method,))
                break
        for step in visit.steps:
            if not is_by_identity(step.key) and ground.key(step.state) != step.key:
                yield Breach(
                    at=visit,
                    then=(ground.action_text(step.action),),
                    expected="the state of a step stays as it was when the step was given",
                    found=f"it has become {ground.text(step.state)} when the next step was made",
                    blame=("successors",),
                )
                break
    return None


def _changed(ground: Ground, visit: Visit, when: str, blame: tuple[str, ...]) -> Breach:
    return Breach(
        at=visit,
        expected="the state stays as it is",
        found=f"it was changed {when}; it is {ground.text(visit.state)} now",
        blame=blame,
    )


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
