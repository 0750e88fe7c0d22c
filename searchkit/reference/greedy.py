"""Greedy best-first search (Doran & Michie, "Experiments with the graph traverser", 1966)."""

from __future__ import annotations

from collections.abc import Generator, Hashable
from heapq import heappop, heappush
from typing import Any

from searchkit.limits import LimitKind
from searchkit.reference.astar import FINITE, one_path
from searchkit.running.task import LOOK_EVERY, Outcome, Task


def greedy(task: Task) -> Generator[None, None, Outcome]:
    """Expand the open state of smallest h, the one generated last among equals, until it is a goal.

    A state that has been met is never put on the open list again, so each is expanded once at
    most, and the search ends in every finite space. Nothing is proved of the cost but that it
    is at least the smallest h of a start. Time O(n log n) and memory O(n) for n states.
    """
    problem, counters, h = task.problem, task.counters, task.heuristic
    successors, is_goal, key_of = problem.successors, problem.is_goal, problem.key
    after, legal_costs = h.after, task.legal_costs
    most = min(task.max_cost, FINITE)
    open_list: list[tuple[float, int, int, Hashable, Any]] = []
    parents: dict[Hashable, Any] = {}
    counters.containers = (open_list, parents)
    cut = False
    least = FINITE
    for start in task.starts:
        counters.generated += 1
        key, estimate = key_of(start), task.estimate(start)
        parents[key] = []
        least = min(least, estimate)
        if estimate <= most:
            heappush(open_list, (estimate, -counters.generated, 0, key, start))
        else:
            cut = task.is_cut(estimate) or cut
    counters.prove(least if least < FINITE else 0)
    counters.waiting(len(open_list))
    counters.holding(len(parents))
    while open_list:
        estimate, _, g, parent, state = heappop(open_list)
        if is_goal(state):
            return one_path(task, parent, parents)
        yield
        counters.expanded += 1
        for step in successors(state):
            action, child, cost = step
            if cost.__class__ is not int or cost not in legal_costs:
                cost = task.legal_cost(action, cost)
            counters.generated += 1
            if counters.generated % LOOK_EVERY == 0:
                counters.holding(len(parents))
                yield
            key = key_of(child)
            if key in parents:
                continue
            child_h = after(estimate, state, step)
            if child_h.__class__ is not int or child_h < 0:
                child_h = task.plain_estimate(child_h, child)
            f = g + cost + child_h
            if not f <= most:
                cut = task.is_cut(f) or cut
                continue
            parents[key] = parent
            heappush(open_list, (child_h, -counters.generated, g + cost, key, child))
        counters.waiting(len(open_list))
        counters.holding(len(parents))
    return Outcome(gave_up=LimitKind.DEPTH if cut else None)
