"""The states on ways to a goal up to a cost: see `searchkit.solutions.near_optimal`."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Hashable, Iterable, Sequence
from heapq import heappop, heappush
from typing import Any

from searchkit.engines.distances import nearest_first
from searchkit.premises.asking import truth
from searchkit.premises.estimates import is_above
from searchkit.result import Overestimate
from searchkit.running.task import Task
from searchkit.solutions.near_optimal import Around


def collecting(bound: float) -> Callable[[Task], Generator[None, None, Around]]:
    """An engine that finds the states on walks up to `bound`, those with g + h up to it.

    Dijkstra from the starts, and back from the goals. Time O(n log n) and memory O(n) for n states
    and the steps between them.
    """

    def collect(task: Task) -> Generator[None, None, Around]:
        problem, counters, key_of = task.problem, task.counters, task.problem.key
        is_goal, successors, listed = problem.is_goal, task.successors, task.lister()
        met: dict[Hashable, tuple[float, Any]] = {}  # the h of each, and itself
        best: dict[Hashable, int] = {}
        into: dict[Hashable, list[Any]] = {}  # parents and costs, one after the other
        open_list: list[tuple[int, int, Hashable]] = []
        counters.containers = (met, best, into, open_list)
        beyond = math.inf

        def reach(state: Any, key: Hashable, g: int) -> bool:
            """Whether a state may lie on a solution up to the bound, by its g and h."""
            nonlocal beyond
            if key not in met:
                met[key] = task.estimate(state), state
            f = g + met[key][0]
            if f > bound:
                beyond = min(beyond, f)
            elif g < best.get(key, math.inf):
                best[key] = g
                heappush(open_list, (g, -len(met), key))  # equal ones may have no order
            return f <= bound

        for start in task.starts:
            counters.generated += 1
            reach(start, key_of(start), 0)
        goals, closed = [], set()
        while open_list:
            g, _, key = heappop(open_list)
            if key in closed:
                continue
            closed.add(key)
            state = met[key][1]
            if truth(problem, state, is_goal(state)):
                goals.append(key)
                continue
            task.at_hand = state
            yield
            counters.expanded += 1
            for action, child, cost in listed(successors(state)):
                counters.generated += 1
                whole = task.legal_cost(action, cost)
                child_key = key_of(child)
                if reach(child, child_key, g + whole):
                    into.setdefault(child_key, []).extend((key, whole))
            counters.note(len(open_list), len(met))
        task.is_all_expanded = True
        remaining: dict[Hashable, int] = {}
        for distance, key in nearest_first(goals, lambda key: _pairs(into.get(key, ())), _itself):
            yield
            remaining[key] = distance
        wrong = (
            Overestimate(problem.format_state(met[key][1]), float(met[key][0]), distance)
            for key, distance in remaining.items()
            if is_above(met[key][0], distance)
        )
        return Around(remaining, frozenset(goals), beyond, next(wrong, None))

    return collect


def _pairs(flat: Sequence[Any]) -> Iterable[tuple[Any, Any]]:
    return zip(flat[::2], flat[1::2], strict=True)


def _itself(key: Hashable) -> Hashable:
    return key
