"""The slow rules tell of the same steps.

In the same notation.
"""

from __future__ import annotations

from typing import Any

from searchkit.authors.user_code import call
from searchkit.capabilities import HasParse, HasSlowRules, own_heuristic
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law
from searchkit.checks.multisets import missing
from searchkit.errors import CompilationError
from searchkit.packed import has_written_rules
from searchkit.problem import Problem, Step

STATES = 500


def check(ground: Ground) -> Findings:
    """Compare the texts of steps, state by state. O(steps)."""
    if has_written_rules(ground.problem):
        yield from _kernels(ground)
        return None
    rules = ground.ask("slow_rules")
    if not isinstance(rules, Problem) or not isinstance(rules, HasParse):
        found = f"slow_rules gives a {type(rules).__name__}"
        yield Breach("a problem that can parse states", found, "slow_rules")
        return None
    for visit in ground.watched(ground.sound(STATES)):
        text = ground.text(visit.state)
        state = call("slow_rules", rules.parse, text)
        again = call("slow_rules", rules.format_state, state)
        if again != text:
            expected = f"the slow rules read and write {text}"
            yield Breach(expected, f"they write {again}", "slow_rules")
            continue
        if bool(call("slow_rules", rules.is_goal, state)) != visit.is_goal:
            is_goal = "a goal by the slow rules as well"
            expected = is_goal if visit.is_goal else "no goal by the slow rules"
            yield Breach(expected, "they say otherwise", "slow_rules")
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
            step = f"{lost[0]} to {lost[1]} at cost {lost[2]}"
            yield Breach(f"the slow rules have a step {step}", "they have none", "slow_rules")
        elif extra is not None:
            step = f"{extra[0]} to {extra[1]} at cost {extra[2]}"
            yield Breach("the slow rules have no other step", f"they have {step}", "slow_rules")
    return None


def _kernels(ground: Ground) -> Findings:
    """Kernels that were made of rules, their estimates too: compared with these, as written."""
    problem: Any = ground.problem
    heuristic = call("default_heuristic", own_heuristic, problem)
    for visit in ground.watched(ground.sound(STATES)):
        steps = () if visit.is_goal else [Step(*step[:3]) for step in visit.steps]
        try:
            problem.check_written(visit.state, steps, heuristic)
        except CompilationError as error:
            rule = str(getattr(error, "rule", "apply"))
            yield Breach("what the rules say as they are written", str(error), rule)
    return None


LAW = Law(__name__, __doc__, check, (HasSlowRules,))
