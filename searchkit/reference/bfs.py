"""Breadth-first search (Moore, "The shortest path through a maze", 1959)."""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterable
from typing import Any

from searchkit.reference.symmetric_bfs import symmetric_breadth_first
from searchkit.running.task import Outcome, Task


def breadth_first(task: Task) -> Generator[None, None, Outcome]:
    """Breadth-first search, up to symmetry if the algorithm says so."""
    if task.algorithm.symmetry == "auto":
        return (yield from symmetric_breadth_first(task))
    return (yield from _breadth_first(task))


def _breadth_first(task: Task) -> Generator[None, None, Outcome]:
    """Expand layer after layer of states at equal distance from the start.

    Unit costs only, so that the goal can be tested on generation: the first goal met lies in
    the first layer that has one. Time and memory O(states within the solution's distance).
    """
    counters, every, is_goal = task.counters, task.every, task.problem.is_goal
    layer = {task.problem.key(start): start for start in task.starts}
    parents: dict[Hashable, Any] = dict.fromkeys(layer, ())
    goals = [key for key, start in layer.items() if is_goal(start)]
    counters.generated = len(layer)
    counters.note(len(layer), len(parents))
    counters.containers = (parents, layer)
    depth = 0
    while layer and not goals:
        if depth >= task.max_cost:
            return Outcome(cut=True)
        counters.prove(depth + 1)
        fresh: dict[Hashable, Any] = {}
        counters.containers = (parents, layer, fresh)
        waiting = len(layer)
        for parent, state in layer.items():
            yield
            waiting -= 1
            for key, child, _, _ in task.expand(state):
                if key not in parents:
                    parents[key] = [parent] if every else parent
                    fresh[key] = child
                    if is_goal(child):
                        goals.append(key)
                elif every and key in fresh and parents[key][-1] != parent:
                    parents[key].append(parent)
            counters.note(waiting + len(fresh), len(parents))
            if goals and not every:
                break
        layer = fresh
        depth += 1
    if not goals:
        return Outcome()
    return Outcome(cost=depth, remaining=_distances(goals, parents, depth, every))


def _distances(
    goals: list[Hashable], parents: dict[Hashable, Any], depth: int, every: bool
) -> dict[Hashable, int]:
    """Distances to the goal, walking back from `goals` a layer at a time."""
    remaining: dict[Hashable, int] = {}
    level: Iterable[Hashable] = goals if every else goals[:1]
    for distance in range(depth + 1):
        remaining.update(dict.fromkeys(level, distance))
        if distance == depth:
            break
        above = [parents[key] for key in level]
        level = dict.fromkeys(parent for group in above for parent in group) if every else above
    return remaining
