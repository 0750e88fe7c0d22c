"""How far the visited states are from a goal, by the steps that were found."""

from __future__ import annotations

import heapq
import itertools

from searchkit.checks.ground import Ground, Visit
from searchkit.running.task import whole_cost


def distances(ground: Ground) -> dict[Visit, int]:
    """The cost of a way to a goal for each state that has one among the visited states.

    It is the cheapest if these are the whole space. Dijkstra's algorithm (1959) against the steps.
    O(steps x log(states)).
    """
    known = ground.shared.get("distances")
    if known is not None:
        found: dict[Visit, int] = known
        return found
    into: dict[Visit, list[tuple[Visit, int]]] = {}
    for visit in ground.visited:
        for step in visit.steps:
            after, cost = ground.number.get(step.key), whole_cost(step.cost)
            if after is not None and cost is not None:
                into.setdefault(after, []).append((visit, cost))
    order = itertools.count()
    waiting = [(0, next(order), visit) for visit in ground.visited if visit.is_goal]
    settled: dict[Visit, int] = {}
    while waiting:
        distance, _, visit = heapq.heappop(waiting)
        if visit in settled:
            continue
        settled[visit] = distance
        for before, cost in into.get(visit, ()):
            if before not in settled:
                heapq.heappush(waiting, (distance + cost, next(order), before))
    ground.shared["distances"] = settled
    return settled
