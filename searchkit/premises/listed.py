"""Listed goals, asked before the answer that there is no solution."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable
from contextlib import suppress
from itertools import islice
from typing import Any

from searchkit.authors.user_code import short
from searchkit.capabilities import HasCertificate, HasGoalStates
from searchkit.premises.asking import MOST_GOALS, is_goal, key_of, states_of, taken
from searchkit.premises.kinds import broken
from searchkit.premises.patience import Patience
from searchkit.problem import Problem
from searchkit.running.reservoir import Lists

MOST_STATES = 100
"""Of how many goals, and states that lead to them, a certificate is asked, ..."""
SECONDS = 0.05
"""... for this much processor time."""


def check_certificates(problem: Problem[Any, Any]) -> None:
    """Raise if `certificate` calls a listed goal unsolvable, or a state with a way to one."""
    if not isinstance(problem, HasCertificate):
        return
    patience = Patience(SECONDS)
    waiting = deque(goal for goal in _listed(problem, MOST_STATES) if is_goal(problem, goal))
    far: dict[Hashable, int] = {key_of(problem, goal, "goal_states"): 0 for goal in waiting}
    while waiting and not patience.is_over():
        state = waiting.popleft()
        key = problem.key(state)
        if problem.certificate(state) is not None:
            what = f"a goal is {far[key]} steps away" if far[key] else "it is a goal"
            found = f"certificate says of {short(state)} that it is unsolvable, but {what}"
            raise broken(problem, "certificates", found, "certificate")
        if not problem.undirected or len(far) >= MOST_STATES:
            continue
        with suppress(Exception):  # no search need have been there
            for step in taken(problem, state, "successors", MOST_STATES):
                ways = taken(problem, step.state, "successors", MOST_STATES)
                if step.key not in far and any(way.key == key for way in ways):
                    far[step.key] = far[key] + 1
                    waiting.append(step.state)


def check_not_expanded(problem: Problem[Any, Any], lists: Iterable[Lists]) -> None:
    """Raise if a search without a solution has expanded a listed goal that is one now."""
    forward = [each for each in lists if not each.backward]
    for goal in _listed(problem, MOST_GOALS) if forward else ():
        key = key_of(problem, goal, "goal_states")
        if any(each.is_expanded(key) for each in forward) and is_goal(problem, goal):
            found = f"is_goal says once that {short(goal)} is a goal, and once that it is none"
            raise broken(problem, "goals", found, "is_goal", "at_goal")


def _listed(problem: Problem[Any, Any], most: int) -> list[Any]:
    """The first of the listed goals; none where they cannot be listed."""
    goals: list[Any] = []
    if isinstance(problem, HasGoalStates):
        with suppress(Exception):  # no search forwards needs the list
            goals.extend(islice(states_of(problem, "goal_states"), most))
    return goals
