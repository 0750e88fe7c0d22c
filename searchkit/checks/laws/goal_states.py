"""`goal_states` lists the goals, all of them, each once."""

from __future__ import annotations

from collections.abc import Hashable

from searchkit.capabilities import HasGoalStates
from searchkit.checks.ground import GOALS, START, Breach, Ground, Visit
from searchkit.checks.law import Findings, Law, Unchecked
from searchkit.texts.amounts import plural


def check(ground: Ground) -> Findings:
    """Ask whether listed states are goals, and look for others. O(states + steps)."""
    listed = ground.listed("goal_states")
    keys: set[Hashable] = set()
    for goal in listed:
        key = ground.key(goal)
        text = ground.text(goal)
        if not ground.ask("is_goal", goal):
            expected = f"is_goal is true of {text}, which goal_states lists"
            yield Breach(expected, "it is false", "goal_states is_goal")
        if key in keys:
            yield Breach("each goal is listed once", f"{text} is listed twice", "goal_states")
        keys.add(key)
    if len(listed) < GOALS:
        for visit in _first_goals(ground):
            if visit.key not in keys:
                yield Breach(
                    "goal_states lists every goal that can be reached",
                    "it does not list this one",
                    "goal_states is_goal at_goal",
                    at=visit,
                )
    if not listed and not ground.is_whole and not any(visit.is_goal for visit in ground.visited):
        return Unchecked(f"no goal is listed, and there is none among {ground.scope()}")
    return f"{plural(len(listed), 'listed goal')} and {ground.scope()}"


def _first_goals(ground: Ground) -> list[Visit]:
    """The goals that can be reached by a way that passes no other goal: only they matter."""
    ends: list[Visit] = []
    queue = [visit for visit in ground.visited if visit.parent is None and visit.origin == START]
    reached = set(queue)
    for visit in queue:  # grows as it goes
        ground.watch()
        ground.looked_at += 1
        if visit.is_goal:
            ends.append(visit)
            continue
        for step in visit.steps:
            after = ground.number.get(step.key)
            if after is not None and after not in reached:
                reached.add(after)
                queue.append(after)
    return ends


LAW = Law(__name__, __doc__, check, (HasGoalStates,))
