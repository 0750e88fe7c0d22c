"""Breadth-first search (Moore, "The shortest path through a maze", 1959)."""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterable
from typing import Any

from searchkit.reference.symmetric_bfs import symmetric_breadth_first
from searchkit.running.task import LOOK_EVERY, Outcome, Task


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
    problem, counters, every = task.problem, task.counters, task.every
    successors, is_goal, key_of = problem.successors, problem.is_goal, problem.key
    layer = {key_of(start): start for start in task.starts}
    parents: dict[Hashable, Any] = dict.fromkeys(layer, ())
    goals = [key for key, start in layer.items() if is_goal(start)]
    counters.generated = len(layer)
    counters.waiting(len(layer))
    counters.holding(len(parents))
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
            counters.expanded += 1
            waiting -= 1
            for action, child, cost in successors(state):
                if cost != 1:
                    raise task.wrong_cost(action, cost)
                counters.generated += 1
                if counters.generated % LOOK_EVERY == 0:
                    counters.holding(len(parents))
                    yield
                key = key_of(child)
                if key not in parents:
                    parents[key] = [parent] if every else parent
                    fresh[key] = child
                    if is_goal(child):
                        goals.append(key)
                elif every and key in fresh and parents[key][-1] != parent:
                    parents[key].append(parent)
            counters.waiting(waiting + len(fresh))
            counters.holding(len(parents))
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
