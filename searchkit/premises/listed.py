"""Goals before it is said that there is none: listed ones, states near them, and lost texts."""

from __future__ import annotations

import copy
import sys
from collections import deque
from collections.abc import Hashable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from numbers import Number
from typing import Any

from searchkit.authors.blame import is_ours
from searchkit.authors.user_code import short
from searchkit.capabilities import HasCertificate, HasGoalStates, is_certified
from searchkit.heuristic import Heuristic
from searchkit.premises.asking import (
    MOST_GOALS,
    Met,
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
"""How many goals are looked at, states that lead to them, and states that a text is tried on."""
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
    known: dict[Hashable, list[Met]] = {}
    """Steps out of states that were asked for; of an undirected problem they lead back as well."""

    def steps_from(state: Any, key: Hashable) -> list[Met]:
        if key not in known:
            known[key] = taken(problem, state, "successors", MOST_STATES)
        return known[key]

    while waiting and not patience.is_over():
        state = waiting.popleft()
        key = problem.key(state)
        yield state, costs[key]
        if len(costs) >= MOST_STATES or not (problem.undirected or hasattr(problem, back)):
            continue
        with suppress(Exception):  # no search need have been there
            give = None if problem.undirected else taken(problem, state, back, MOST_STATES)
            for step in steps_from(state, key) if give is None else give:
                ways = steps_from(step.state, step.key)
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


class _Text(str):
    """A text that notes what it is compared with."""

    __slots__ = ("numbers", "place", "texts")

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Number):
            self.numbers = other
            frame = sys._getframe(1)
            if not is_ours(frame.f_code.co_filename):
                code = frame.f_code
                self.place = f"{code.co_filename}:{frame.f_lineno} in {code.co_name}"
        else:
            self.texts = True
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def check_alike(problem: Problem[Any, Any], states: Iterable[Any]) -> None:
    """Raise if `is_goal` compares a text, which is an attribute, with numbers and nothing else.

    It is asked of some states, on a copy of the problem.
    """
    noted = {
        name: _Text(value) for name, value in getattr(problem, "__dict__", {}).items()
        if value.__class__ is str
    }  # fmt: skip
    if not noted:
        return
    with suppress(Exception):  # the author's code may not take it
        other = copy.copy(problem)
        for name, text in noted.items():
            object.__setattr__(other, name, text)
        for state in islice(states, MOST_STATES):
            other.is_goal(state)
    for name, text in noted.items():
        number = getattr(text, "numbers", None)
        if number is not None and not hasattr(text, "texts"):
            found = (
                f"is_goal compares {name} = {short(str(text))}, a text, with {short(number)}, a "
                "number: they are never equal; make it a number (a parameter: by its default)"
            )
            raise broken(problem, "goals", found, "is_goal", place=getattr(text, "place", None))
