"""Dijkstra's algorithm in a few lines, sharing nothing with the engines it checks."""

from __future__ import annotations

import heapq
from typing import Any

from searchkit import Problem


def optimal_cost_and_count(problem: Problem[Any, Any]) -> tuple[int | None, int]:
    """The optimal cost (None if unsolvable) and how many solutions have it.

    Positive costs only. Solutions are sequences of steps and end at the first goal.
    """
    cost: dict[Any, int] = {}
    paths: dict[Any, int] = {}
    queue: list[tuple[int, int, Any]] = []
    for start in problem.initial_states():
        cost[start], paths[start] = 0, 1
        queue.append((0, len(queue), start))
    pushed = len(queue)
    done: set[Any] = set()
    best, count = None, 0
    while queue:
        g, _, state = heapq.heappop(queue)
        if state in done:
            continue
        done.add(state)
        if best is not None and g > best:
            break
        if problem.is_goal(state):
            best, count = g, count + paths[state]
            continue
        for _, child, step_cost in problem.successors(state):
            assert step_cost > 0
            new = g + step_cost
            if child not in cost or new < cost[child]:
                cost[child], paths[child] = new, paths[state]
                pushed += 1
                heapq.heappush(queue, (new, pushed, child))
            elif new == cost[child]:
                paths[child] += paths[state]
    return best, count
