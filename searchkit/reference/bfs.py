"""Breadth-first search (Moore, "The shortest path through a maze", 1959)."""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterable
from itertools import chain
from typing import Any

from searchkit.packed import successors_of
from searchkit.reference.layers import ReferenceLayers
from searchkit.running.task import Outcome, Task
from searchkit.solutions.by_layers import distances_back
from searchkit.symmetry import stabiliser


def breadth_first(task: Task) -> Generator[None, None, Outcome]:
    """Breadth-first search, up to symmetry if the algorithm says so."""
    return (_up_to_symmetry if task.algorithm.symmetry == "auto" else _breadth_first)(task)


def _breadth_first(task: Task) -> Generator[None, None, Outcome]:
    """Expand layer after layer of states at equal distance from the start.

    Unit costs only, so that the goal can be tested on generation: the first goal met lies in
    the first layer that has one. Time and memory O(states within the solution's distance).
    """
    counters, every, is_goal, key_of = task.counters, task.every, task.problem.is_goal, task.key_of
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
            for _, child, _ in task.expand(state):
                key = child if key_of is None else key_of(child)
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

    def before(level: Iterable[Hashable], depth: int) -> Generator[None, None, list[Hashable]]:
        yield
        above = [parents[key] for key in level]
        return list(dict.fromkeys(chain.from_iterable(above))) if every else above

    level = goals if every else goals[:1]
    remaining = yield from distances_back(task, level, depth, before, name=lambda key: key)
    return Outcome(cost=depth, remaining=remaining)


def _up_to_symmetry(task: Task) -> Generator[None, None, Outcome]:
    """Expand the canonical states of layer after layer, up to the first layer with a goal.

    Symmetries keep goals and steps, so a canonical state is a goal if those it stands for are,
    and a solution is found by walking back through all of them. Expands the layers before the
    goal's in full.
    """
    problem, starts = task.problem, list(task.starts)
    symmetries = stabiliser(problem, starts)
    layers = ReferenceLayers(task, successors_of(problem), symmetries, keep=True)
    layers.begin(starts)

    def goals_at_hand() -> Iterable[Any]:
        goals = [layers.orbit(state) for state in layers.layer if problem.is_goal(state)]
        return dict(chain.from_iterable(orbit.items() for orbit in goals)).values()

    goals, whole = yield from layers.until_goals(task, goals_at_hand)
    if not goals:
        return Outcome(cut=not whole)
    return (yield from layers.back_from(task, goals, every=task.every))
