"""The cheapest paths to a goal, found by a search that shares nothing with the engines.

Uniform-cost search by the slow rules of the problem, written to be plain: it knows no heuristic, no
symmetry and no packed states, and counts the optimal solutions along the cheapest steps.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from heapq import heappop, heappush
from itertools import count
from operator import index
from typing import Any

import attrs

from searchkit.errors import ProblemError
from searchkit.problem import Problem

TELL_EVERY = 1000

Steps = dict[Hashable, list[tuple[Any, Hashable]]]
"""Actions and the keys that they lead to, by the key of a state."""


@attrs.frozen
class CheapestPaths:
    """What the search has found out: all of it, or that it was ended before.

    `cost` is None if no solution costs at most what was asked for. `steps` are those on cheapest
    paths, and `ways` says how many of these lead on from a state.
    """

    rules: Problem[Any, Any]
    starts: Mapping[Hashable, Any]
    expanded: int
    finished: bool
    cost: int | None = None
    steps: Steps = attrs.field(factory=dict)
    ways: Counter[Hashable] = attrs.field(factory=Counter)

    def first_actions(self) -> Counter[str]:
        """How many of the paths begin with an action, by its text; "" where a start is a goal."""
        numbers: Counter[str] = Counter()
        for start in self.starts:
            leaving = self.steps.get(start)
            if leaving is None:
                numbers[""] += self.ways[start]
            else:
                for action, to in leaving:
                    numbers[self.rules.format_action(action)] += self.ways[to]
        return numbers

    def __iter__(self) -> Iterator[tuple[Any, list[Any]]]:
        """The start and the actions of each of the paths."""
        for key, start in self.starts.items():
            stack: list[tuple[Hashable, list[Any]]] = [(key, [])] if self.ways[key] else []
            while stack:
                at, actions = stack.pop()
                if at not in self.steps:
                    yield start, actions
                stack += [(to, [*actions, action]) for action, to in self.steps.get(at, ())]


def cheapest_paths(
    rules: Problem[Any, Any],
    most: float,
    *,
    within: Collection[Hashable] | None = None,
    max_expansions: float = math.inf,
    listener: Callable[[int], object] | None = None,
) -> CheapestPaths:
    """The least cost of a solution, if it is at most `most`, and all the solutions of that cost.

    Expands every state that is nearer than that, and those as far that steps of no cost lead
    on from: O(states x branching), in plain Python. With `within`, only states of these keys are
    looked at, and goals beside them. `listener` is called now and then; a True ends the search.
    Raises `ProblemError` for a cycle of zero cost.
    """
    key, tie = rules.key, count()
    starts = {key(each): each for each in rules.initial_states()}
    if within is not None:
        starts = {here: each for here, each in starts.items() if here in within}
    distance: dict[Hashable, int] = {}
    before: dict[Hashable, list[tuple[Hashable, Any, int]]] = {}
    goals: list[Hashable] = []
    queue = [(0, next(tie), start) for start in starts.values()]
    while queue:
        cost, _, state = heappop(queue)
        here = key(state)
        if cost > most:
            break
        if here in distance:
            continue
        distance[here] = cost
        if rules.is_goal(state):
            goals.append(here)
            most = cost
            continue
        if cost == most and rules.costs.value == "unit":
            continue
        if len(distance) > max_expansions:
            return CheapestPaths(rules, starts, len(distance), finished=False)
        is_told = listener is not None and len(distance) % TELL_EVERY == 0
        if is_told and listener(len(distance)):  # type: ignore[misc]
            return CheapestPaths(rules, starts, len(distance), finished=False)
        for action, child, price in map(tuple, rules.successors(state)):
            total, to = cost + index(price), key(child)
            if total <= most and (within is None or to in within or rules.is_goal(child)):
                before.setdefault(to, []).append((here, action, total))
                heappush(queue, (total, next(tie), child))
    if not goals:
        return CheapestPaths(rules, starts, len(distance), finished=True)
    steps: Steps = {}
    stack = [*goals]
    while stack:
        to = stack.pop()
        for at, action, total in before.get(to, ()):
            if total == distance[to]:
                if at not in steps:
                    stack.append(at)
                steps.setdefault(at, []).append((action, to))
    ways = Counter(dict.fromkeys(goals, 1))
    children = {at: {to for _, to in leaving} for at, leaving in steps.items()}
    try:
        for at in TopologicalSorter(children).static_order():
            ways[at] += sum(ways[to] for _, to in steps.get(at, ()))
    except CycleError as error:
        raise ProblemError(f"{type(rules).__name__} has a cycle of zero-cost steps") from error
    return CheapestPaths(rules, starts, len(distance), True, int(most), steps, ways)
