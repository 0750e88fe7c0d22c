"""Some states of an ordinary problem: what its types and layouts are made of."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable
from itertools import islice
from typing import Any

import attrs

from searchkit.authors.user_code import short
from searchkit.problem import Problem
from searchkit.translation.types import MOST_CELLS, Atoms, Unfit, type_of

NEAR = 500
"""How many states next to the starts are expanded, ..."""
WALKS, STEPS = 10, 100
"""... and on how many walks away from them, of how many steps."""
LOOK = 5
"""At every fifth step a walk ends if no layout has room for its state: what doubles at each step
would fill the memory."""
MOST_STATES, LEAST_STATES = 4000, 50
MOST_TEXT = 1_200_000
"""How many states are kept: fewer where they are large, by the length of their texts."""
MOST_STEPS = 10_000
SECONDS = 1.0
"""For so long at most: rules may be slow."""


@attrs.frozen
class States:
    """Some states of a problem, each once.

    `expanded` are those whose successors were asked, in the order of the walk. `are_all` says that
    there are no others.
    """

    states: list[Any]
    expanded: list[Any]
    are_all: bool


def sampled(problem: Problem[Any, Any], starts: Iterable[Any]) -> States:
    """States next to the starts, and on some walks at random, the same in every run.

    Goals are expanded, too, but not those of which the rules raise an error. Raises `Unfit` for
    very many steps.
    """
    began = time.monotonic()
    met = dict.fromkeys(starts)
    todo = list(met)
    length = max((len(short(each, MOST_TEXT)) for each in todo[:1]), default=1)
    most = min(MOST_STATES, max(LEAST_STATES, MOST_TEXT // length))
    expanded: dict[Any, None] = {}

    def children(state: Any) -> list[Any]:
        try:
            found = [step[1] for step in islice(problem.successors(state), MOST_STEPS)]
        except Exception:  # where the search may never come; if it does, it says so itself
            return []
        if len(found) == MOST_STEPS:
            raise Unfit(f"from {short(state, 60)} lead more than {MOST_STEPS} steps")
        expanded[state] = None
        if len(met) < most:
            for each in found:
                if each not in met:
                    met[each] = None
                    todo.append(each)
        return found

    def is_late() -> bool:
        return time.monotonic() - began > SECONDS

    for state in todo:  # grows as it goes
        if len(expanded) >= NEAR or is_late():
            break
        children(state)
    else:
        return States(list(met), list(expanded), are_all=len(met) < most)
    choose = random.Random(1)
    for walk in range(WALKS):
        state = todo[choose.randrange(len(todo))] if walk else todo[len(expanded) - 1]
        for step in range(STEPS):
            found = children(state) if step % LOOK or _has_room(state) else []
            if not found or is_late():
                break
            state = choose.choice(found)
    return States(list(met), list(expanded), are_all=False)


def _has_room(state: Any) -> bool:
    try:
        return type_of([state], Atoms(), words=False).cells <= MOST_CELLS
    except Unfit:
        return False
