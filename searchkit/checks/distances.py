"""How far states are: those of a ground from a goal, by the steps that were found."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

from searchkit.checks.ground import Ground, Visit
from searchkit.running.task import whole_cost

T = TypeVar("T")


def nearest_first(
    roots: Iterable[T], steps: Callable[[T], Iterable[tuple[T, int]]], key: Callable[[T], Hashable]
) -> Iterator[tuple[int, T]]:
    """Each state that can be reached from `roots`, and at what cost, the nearest first.

    Dijkstra's algorithm (1959); `steps` gives neighbours and what the steps to them cost. They are
    asked for when the next state is. O(steps x log(steps)).

    >>> list(nearest_first([3], lambda n: [(n - 1, 2)] if n else [], lambda n: n))
    [(0, 3), (2, 2), (4, 1), (6, 0)]
    """
    order = itertools.count()
    waiting = [(0, next(order), root) for root in roots]
    settled: set[Hashable] = set()
    while waiting:
        distance, _, state = heapq.heappop(waiting)
        name = key(state)
        if name not in settled:
            settled.add(name)
            yield distance, state
            for after, cost in steps(state):
                heapq.heappush(waiting, (distance + cost, next(order), after))


def distances(ground: Ground) -> dict[Visit, int]:
    """The cost of a way to a goal for each state that has one among the visited states.

    It is the cheapest if these are the whole space. O(steps x log(steps)).
    """
    if "distances" not in ground.shared:
        into: dict[Visit, list[tuple[Visit, int]]] = {visit: [] for visit in ground.visited}
        for visit in ground.visited:
            for step in visit.steps:
                after, cost = ground.number.get(step.key), whole_cost(step.cost)
                if after is not None and cost is not None:
                    into[after].append((visit, cost))
        goals = [visit for visit in ground.visited if visit.is_goal]
        nearest = nearest_first(goals, into.__getitem__, lambda visit: visit)
        ground.shared["distances"] = {visit: distance for distance, visit in nearest}
    found: dict[Visit, int] = ground.shared["distances"]
    return found
