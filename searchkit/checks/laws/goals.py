"""`is_goal` always says the same of a state."""

from __future__ import annotations

from searchkit.checks.ground import Breach, Ground, Visit
from searchkit.checks.law import Findings, Law, Unchecked, at_states

GOAL = {True: "a goal", False: "no goal"}


def look(ground: Ground, visit: Visit) -> Breach | None:
    """Ask again, of the same state and of an equal one made again. O(siblings)."""
    for state in visit.state, ground.fresh(visit):
        again = bool(ground.ask("is_goal", state))
        if again != visit.is_goal:
            return Breach(f"{GOAL[visit.is_goal]}, as before", GOAL[again], "is_goal at_goal")
    return None


def check(ground: Ground) -> Findings:
    """Look at each state, and count the goals."""
    yield from at_states(look, "is_goal", "whether the state is a goal")(ground)
    goals = sum(visit.is_goal for visit in ground.visited)
    if not goals and not ground.is_whole:
        return Unchecked(f"there is no goal among {ground.scope()}")
    return f"{ground.scope()}, {goals:,} of them goals"


LAW = Law(__name__, __doc__, check)
