"""Whether a state is a goal is always the same."""

from __future__ import annotations

from searchkit.authors.user_code import call
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law, Unchecked


def check(ground: Ground) -> Findings:
    """Ask again, of the same state and of an equal one made again. O(states + steps)."""
    for visit in ground.watched(ground.visited):
        if visit.failure is not None:
            if visit.failure.method == "is_goal":
                yield ground.breach(visit.failure, "whether the state is a goal")
            continue
        for state in visit.state, ground.fresh(visit):
            again = bool(call("is_goal", ground.problem.is_goal, state))
            if again != visit.is_goal:
                yield Breach(
                    at=visit,
                    expected=f"{_told(visit.is_goal)}, as before",
                    found=_told(again),
                    blame=("is_goal", "at_goal"),
                )
                break
    goals = sum(visit.is_goal for visit in ground.visited)
    if not goals and not ground.is_whole:
        return Unchecked(f"there is no goal among {ground.scope()}")
    return f"{ground.scope()}, {goals:,} of them goals"


def _told(is_goal: bool) -> str:
    return "a goal" if is_goal else "no goal"


LAW = Law("goals", "is_goal always says the same of a state", check)
