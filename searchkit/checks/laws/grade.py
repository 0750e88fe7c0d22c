"""Every step lowers the grade."""

from __future__ import annotations

from searchkit.capabilities import HasGrade
from searchkit.checks.ground import Breach, Ground, Visit
from searchkit.checks.law import Law, at_states


def look(ground: Ground, visit: Visit) -> Breach | None:
    """Compare the grades of both ends of every step. O(steps)."""
    own = ground.ask("grade", visit.state)
    if not isinstance(own, int):
        return Breach("an integer", f"{own!r}", "grade")
    for step in visit.steps:
        after = ground.ask("grade", step.state)
        if not after < own:
            expected = f"a grade less than {own}, as the step begins at"
            found = f"{ground.text(step.state)} has {after!r}"
            return Breach(expected, found, "grade", then=ground.action_text(step.action))
    return None


LAW = Law(__name__, __doc__, at_states(look), (HasGrade,))
