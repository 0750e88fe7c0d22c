"""`with_goal` makes a new problem with that one goal.

Its steps are the same.
"""

from __future__ import annotations

from searchkit.authors.user_code import AuthorError, call, short
from searchkit.capabilities import HasGoal, HasGoalStates
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law
from searchkit.errors import UsageError
from searchkit.problem import Problem

STATES = 100


def check(ground: Ground) -> Findings:
    """Set some states as goals; each is asked of them all. O(states)."""
    visits = ground.sound(STATES)
    for visit in ground.watched(visits):
        text = ground.text(visit.state)
        try:
            new = ground.ask("with_goal", visit.state)
        except AuthorError as error:
            if isinstance(error.__cause__, (UsageError, ValueError)):
                continue  # it may refuse a state
            raise
        if not isinstance(new, Problem):
            yield Breach("a problem", short(new), "with_goal")
            continue
        for other in visits:
            if bool(call("is_goal", new.is_goal, other.state)) != (other is visit):
                is_goal = "no goal" if other is visit else "a goal"
                expected = f"the one goal of with_goal({text}) is {text}"
                yield Breach(expected, f"{ground.text(other.state)} is {is_goal}", "with_goal")
                break
        else:
            if isinstance(new, HasGoalStates):
                goals = list(call("goal_states", new.goal_states))
                if [ground.key(goal) for goal in goals] != [visit.key]:
                    expected = f"with_goal({text}) lists that goal alone"
                    yield Breach(expected, f"it lists {len(goals)} goals", "with_goal goal_states")
        if bool(ground.ask("is_goal", visit.state)) != visit.is_goal:
            found = f"with_goal({text}) has changed them"
            yield Breach("the old problem keeps its goals", found, "with_goal")
            return None
    return None


LAW = Law(__name__, __doc__, check, (HasGoal,))
