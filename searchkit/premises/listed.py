"""Listed goals, and states from which few steps lead to them."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

from searchkit.authors.user_code import short
from searchkit.capabilities import HasCertificate, HasGoalStates, is_certified
from searchkit.heuristic import Heuristic
from searchkit.premises.asking import (
    MOST_GOALS,
    is_goal,
    key_of,
    states_of,
    taken,
    wavers,
)
from searchkit.premises.estimates import first_above
from searchkit.premises.kinds import broken
from searchkit.premises.patience import Patience
from searchkit.problem import Problem
from searchkit.result import Overestimate
from searchkit.running.reservoir import Lists

MOST_STATES = 100
"""How many goals are looked at, and states that lead to them."""
SECONDS = 0.05
"""For how much processor time a certificate is asked of them."""


def check_certificates(problem: Problem[Any, Any]) -> None:
    """Raise if `certificate` calls a listed goal unsolvable, or a state with a way to one."""
    if not isinstance(problem, HasCertificate):
        return
    for state, cost in _near_goals(problem, Patience(SECONDS), None):
        if is_certified(problem, state):
            what = f"a way to a goal costs {cost}" if cost else "it is a goal"
            found = f"certificate says of {short(state)} that it is unsolvable, but {what}"
            raise broken(problem, "certificates", found, "certificate")


def overestimate_near_goals(
    problem: Problem[Any, Any],
    heuristic: Heuristic[Any, Any],
    patience: Patience,
    goals: Iterable[Any] | None = None,
) -> Overestimate | None:
    """The first state near goals, the listed ones or these, that costs less than its estimate."""
    return first_above(problem, heuristic, _near_goals(problem, patience, goals))


def _near_goals(
    problem: Problem[Any, Any], patience: Patience, goals: Iterable[Any] | None
) -> Iterator[tuple[Any, int]]:
    """Goals and, if steps can be followed back, states near them; the cost of a way."""
    if goals is None:
        goals = _listed(problem, MOST_STATES)
    waiting = deque(goal for goal in goals if is_goal(problem, goal))
    costs: dict[Hashable, int] = {key_of(problem, goal, "goal_states"): 0 for goal in waiting}
    back = "successors" if problem.undirected else "predecessors"
    while waiting and not patience.is_over():
        state = waiting.popleft()
        key = problem.key(state)
        yield state, costs[key]
        if len(costs) >= MOST_STATES or not (problem.undirected or hasattr(problem, back)):
            continue
        with suppress(Exception):  # no search need have been there
            for step in taken(problem, state, back, MOST_STATES):
                ways = taken(problem, step.state, "successors", MOST_STATES)
                least = min((way.cost for way in ways if way.key == key), default=None)
                if step.key not in costs and least is not None:
                    costs[step.key] = costs[key] + int(least)
                    waiting.append(step.state)


def check_not_expanded(problem: Problem[Any, Any], lists: Iterable[Lists]) -> None:
    """Raise if a search without a solution has expanded a listed goal that is one now."""
    forward = [each for each in lists if not each.backward]
    for goal in _listed(problem, MOST_GOALS) if forward else ():
        key = key_of(problem, goal, "goal_states")
        if any(each.is_expanded(key) for each in forward) and is_goal(problem, goal):
            raise wavers(problem, goal)


def _listed(problem: Problem[Any, Any], most: int) -> list[Any]:
    """The first of the listed goals; none where they cannot be listed."""
    goals: list[Any] = []
    if isinstance(problem, HasGoalStates):
        with suppress(Exception):  # no search forwards needs the list
            goals.extend(islice(states_of(problem, "goal_states"), most))
    return goals
