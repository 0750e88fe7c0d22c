"""`with_start` makes a new problem and leaves the old one."""

from __future__ import annotations

from searchkit.authors.user_code import call, short
from searchkit.capabilities import HasStart
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law
from searchkit.problem import Problem

STATES = 200


def check(ground: Ground) -> Findings:
    """Start again from some states. O(states)."""
    before = [ground.key(start) for start in ground.starts]
    for visit in ground.watched(ground.sound(STATES)):
        text = ground.text(visit.state)
        new = ground.ask("with_start", visit.state)
        if not isinstance(new, Problem):
            yield Breach("a problem", short(new), "with_start")
            continue
        starts = list(call("with_start", new.initial_states))
        if [ground.key(start) for start in starts] != [visit.key]:
            found = ", ".join(map(ground.text, starts)) or "no start"
            yield Breach(f"with_start({text}) has the start {text} alone", found, "with_start")
            continue
        theirs = [
            (a, ground.key(s), c) for a, s, c in call("successors", new.successors, starts[0])
        ]
        ours = [(step.action, step.key, step.cost) for step in visit.steps]
        if theirs != ours or bool(call("is_goal", new.is_goal, starts[0])) != visit.is_goal:
            expected = "the steps and goals of the new problem are those of the old one"
            yield Breach(expected, "they differ at the new start", "with_start")
        now = [ground.key(start) for start in ground.ask("initial_states")]
        if now != before:
            found = f"with_start({text}) has changed it"
            yield Breach("the old problem keeps its start", found, "with_start")
            return None
    return None


LAW = Law(__name__, __doc__, check, (HasStart,))
