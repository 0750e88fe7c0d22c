"""The slow rules tell of the same steps, in the same notation."""

from __future__ import annotations

from searchkit.authors.user_code import call
from searchkit.capabilities import HasParse, HasSlowRules
from searchkit.checks.ground import Breach, Ground, Visit
from searchkit.checks.law import Findings, Law
from searchkit.checks.multisets import missing
from searchkit.problem import Problem

STATES = 500


def needs(ground: Ground) -> str | None:
    """A method `slow_rules`."""
    return None if isinstance(ground.problem, HasSlowRules) else "no method slow_rules"


def check(ground: Ground) -> Findings:
    """Compare the texts of steps, state by state. O(steps)."""
    problem = ground.problem
    assert isinstance(problem, HasSlowRules)
    rules = call("slow_rules", problem.slow_rules)
    if not isinstance(rules, Problem) or not isinstance(rules, HasParse):
        yield Breach(
            expected="a problem that can parse states",
            found=f"slow_rules gives a {type(rules).__name__}",
            blame=("slow_rules",),
        )
        return None
    visits = [visit for visit in ground.visited if visit.failure is None]
    for visit in ground.watched(visits[:: -(-len(visits) // STATES)]):
        text = ground.text(visit.state)
        state = call("slow_rules", rules.parse, text)
        again = call("slow_rules", rules.format_state, state)
        if again != text:
            yield _breach(visit, f"the slow rules read and write {text}", f"they write {again}")
            continue
        if bool(call("slow_rules", rules.is_goal, state)) != visit.is_goal:
            yield _breach(
                visit,
                "a goal by the slow rules as well"
                if visit.is_goal
                else "no goal by the slow rules",
                "they say otherwise",
            )
        theirs = [
            (rules.format_action(action), rules.format_state(after), cost)
            for action, after, cost in call(
                "slow_rules", lambda s: list(rules.successors(s)), state
            )
        ]
        ours = [
            (ground.action_text(step.action), ground.text(step.state), step.cost)
            for step in visit.steps
        ]
        lost, extra = missing(ours, theirs), missing(theirs, ours)
        if lost is not None:
            told = f"{lost[0]} to {lost[1]} at cost {lost[2]}"
            yield _breach(visit, f"the slow rules have a step {told}", "they have none")
        elif extra is not None:
            told = f"{extra[0]} to {extra[1]} at cost {extra[2]}"
            yield _breach(visit, "the slow rules have no other step", f"they have {told}")
    return None


def _breach(visit: Visit, expected: str, found: str) -> Breach:
    return Breach(at=visit, expected=expected, found=found, blame=("slow_rules",))


LAW = Law("slow-rules", "the slow rules tell of the same steps", check, needs)
