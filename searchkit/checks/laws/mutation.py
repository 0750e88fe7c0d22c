"""No method changes a state, be it given to the method or by it."""

from __future__ import annotations

import copy
from typing import Any

from searchkit.authors.user_code import is_by_identity
from searchkit.checks.ground import Breach, Ground, Visit
from searchkit.checks.law import Law, at_states
from searchkit.premises.asking import are_equal

CANNOT_CHANGE = (int, str, bytes, float, complex, frozenset, bool)


def look(ground: Ground, visit: Visit) -> Breach | None:
    """Compare keys and copies before and after. O(steps)."""
    for method in ("is_goal", "heuristic", "successors"):
        state = ground.fresh(visit)
        before, key = _copy(state), ground.key(state)
        if method == "successors":
            ground.take(state)
        else:
            ground.ask(method, state)
        has_other_key = not is_by_identity(visit.key) and ground.key(state) != key
        if has_other_key or (before is not None and not are_equal(before, state)):
            visit.state = ground.fresh(visit)  # it was changed when it was expanded
            found = f"it has become {ground.text(state)}"
            return Breach(f"{method} leaves the state as it is", found, f"{method} at_goal")
    if visit.changed is not None:
        step, became = visit.changed
        return Breach(
            "the state of a step stays as it was when the step was given",
            f"it has become {became} when the next step was made",
            "successors",
            then=ground.action_text(step.action),
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


LAW = Law(__name__, __doc__, at_states(look))
