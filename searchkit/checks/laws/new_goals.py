"""`with_goal` makes a new problem with one goal and the same steps."""

from __future__ import annotations

from collections.abc import Hashable

from searchkit.authors.user_code import AuthorError, call, short
from searchkit.capabilities import HasGoal, HasGoalStates
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law
from searchkit.errors import UsageError
from searchkit.problem import Problem

STATES = 100


def needs(ground: Ground) -> str | None:
    """A method `with_goal`."""
    return None if isinstance(ground.problem, HasGoal) else "no method with_goal"


def check(ground: Ground) -> Findings:
    """Set some states as goals; each is asked of them all. O(states)."""
    problem = ground.problem
    assert isinstance(problem, HasGoal)
    visits = [visit for visit in ground.visited if visit.failure is None]
    visits = visits[:: max(1, len(visits) // STATES)][:STATES]
    for visit in ground.watched(visits):
        text = ground.text(visit.state)
        try:
            new = call("with_goal", problem.with_goal, visit.state)
        except AuthorError as error:
            if isinstance(error.__cause__, (UsageError, ValueError)):
                continue  # it may refuse a state
            raise
        if not isinstance(new, Problem):
            yield Breach(at=visit, expected="a problem", found=short(new), blame=("with_goal",))
            continue
        wrong = [
            other
            for other in visits
            if bool(call("is_goal", new.is_goal, other.state)) != (other is visit)
        ]
        if wrong:
            is_goal = "no goal" if wrong[0] is visit else "a goal"
            yield Breach(
                at=visit,
                expected=f"the one goal of with_goal({text}) is {text}",
                found=f"{ground.text(wrong[0].state)} is {is_goal}",
                blame=("with_goal",),
            )
        elif isinstance(new, HasGoalStates):
            keys: list[Hashable] = [
                ground.key(goal) for goal in call("goal_states", new.goal_states)
            ]
            if keys != [visit.key]:
                yield Breach(
                    at=visit,
                    expected=f"with_goal({text}) lists that goal alone",
                    found=f"it lists {len(keys)} goals",
                    blame=("with_goal", "goal_states"),
                )
        if bool(call("is_goal", problem.is_goal, visit.state)) != visit.is_goal:
            yield Breach(
                at=visit,
                expected="the old problem keeps its goals",
                found=f"with_goal({text}) has changed them",
                blame=("with_goal",),
            )
            return None
    return None


LAW = Law("new-goals", "with_goal makes a new problem with that one goal", check, needs)
