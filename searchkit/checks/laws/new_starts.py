"""`with_start` makes a new problem that starts at one state and is the same otherwise."""

from __future__ import annotations

from searchkit.authors.user_code import call, short
from searchkit.capabilities import HasStart
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law
from searchkit.problem import Problem

STATES = 200


def needs(ground: Ground) -> str | None:
    """A method `with_start`."""
    return None if isinstance(ground.problem, HasStart) else "no method with_start"


def check(ground: Ground) -> Findings:
    """Start again from some states. O(states)."""
    problem = ground.problem
    assert isinstance(problem, HasStart)
    before = [ground.key(start) for start in ground.starts]
    visits = [visit for visit in ground.visited if visit.failure is None]
    for visit in ground.watched(visits[:: max(1, len(visits) // STATES)]):
        text = ground.text(visit.state)
        new = call("with_start", problem.with_start, visit.state)
        if not isinstance(new, Problem):
            yield Breach(at=visit, expected="a problem", found=short(new), blame=("with_start",))
            continue
        starts = list(call("with_start", new.initial_states))
        if [ground.key(start) for start in starts] != [visit.key]:
            yield Breach(
                at=visit,
                expected=f"with_start({text}) has the start {text} alone",
                found=", ".join(map(ground.text, starts)) or "no start",
                blame=("with_start",),
            )
            continue
        theirs = [
            (a, ground.key(s), c) for a, s, c in call("successors", new.successors, starts[0])
        ]
        ours = [(step.action, step.key, step.cost) for step in visit.steps]
        if theirs != ours or bool(call("is_goal", new.is_goal, starts[0])) != visit.is_goal:
            yield Breach(
                at=visit,
                expected="the steps and goals of the new problem are those of the old one",
                found="they differ at the new start",
                blame=("with_start",),
            )
        now = [ground.key(start) for start in call("initial_states", problem.initial_states)]
        if now != before:
            yield Breach(
                at=visit,
                expected="the old problem keeps its start",
                found=f"with_start({text}) has changed it",
                blame=("with_start",),
            )
            return None
    return None


LAW = Law("new-starts", "with_start makes a new problem and leaves the old one", check, needs)
