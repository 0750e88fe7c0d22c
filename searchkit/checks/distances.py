"""How far the visited states are from a goal, by the steps that were found."""

from __future__ import annotations

from searchkit.checks.cheapest import nearest_first
from searchkit.checks.ground import Ground, Visit
from searchkit.running.task import whole_cost


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
