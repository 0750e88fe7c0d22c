"""Breadth-first search (Moore, "The shortest path through a maze", 1959)."""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterable, Mapping
from functools import partial
from itertools import chain
from typing import Any

from searchkit.packed import bare_successors_of, successors_of
from searchkit.premises.asking import truth
from searchkit.reference.layers import ReferenceLayers
from searchkit.reference.textbook import textbook
from searchkit.running.reservoir import Lists
from searchkit.running.task import ONE, Outcome, Task
from searchkit.solutions.by_layers import distances_back
from searchkit.symmetry import stabiliser


def breadth_first(task: Task) -> Generator[None, None, Outcome]:
    """Breadth-first search, up to symmetry if the algorithm says so."""
    if task.algorithm.is_textbook:
        return textbook(task)
    return (_up_to_symmetry if task.algorithm.symmetry == "auto" else _breadth_first)(task)


def _breadth_first(task: Task) -> Generator[None, None, Outcome]:
    """Expand layer after layer of states at equal distance from the start.

    Unit costs only, so that the goal can be tested on generation: the first goal met lies in
    the first layer that has one. Time and memory O(states within the solution's distance).
    """
    counters, every, is_goal, key_of = task.counters, task.every, task.problem.is_goal, task.key_of
    successors, listed = bare_successors_of(task.problem), task.lister()
    layer = {task.problem.key(start): start for start in task.starts}
    keys, states = list(layer), list(layer.values())
    # Of one parent its key; of all of them a list, whose first item is their layer's number.
    parents: dict[Hashable, Any] = {key: [-1] for key in keys}
    goals = [key for key, start in layer.items() if is_goal(start)]
    counters.generated = len(states)
    counters.note(len(states), len(parents))
    counters.containers = (parents, states)
    depth, most = 0, counters.max_frontier
    while states and not goals:
        if depth >= task.max_cost:
            return Outcome(cut=True)
        counters.prove(depth + 1)
        fresh: list[Any] = []
        fresh_keys: list[Hashable] = fresh if key_of is None else []
        counters.containers = (parents, states, fresh)
        waiting = len(states)
        for parent, state in zip(keys, states, strict=True):
            if counters.expanded >= task.pause_at:
                task.at_hand = state
                yield
            counters.expanded += 1
            steps = successors(state)
            if steps.__class__ is not list:
                steps = listed(steps)
            counters.generated += len(steps)
            for action, child, cost in steps:
                if cost is not ONE:
                    task.legal_cost(action, cost)
                key = child if key_of is None else key_of(child)
                if key not in parents:
                    parents[key] = [depth, parent] if every else parent
                    fresh.append(child)
                    if key_of is not None:
                        fresh_keys.append(key)
                    is_end = is_goal(child)
                    if is_end is not False and truth(task.problem, child, is_end):
                        goals.append(key)
                elif every and parents[key][0] == depth and parents[key][-1] != parent:
                    parents[key].append(parent)
            waiting -= 1
            frontier = counters.frontier = waiting + len(fresh)
            if frontier > most:
                most = counters.max_frontier = frontier
            counters.stored = counters.peak_stored = len(parents)
            if goals and not every:
                break
        keys, states = fresh_keys, fresh
        depth += 1

    def before(level: Iterable[Hashable], depth: int) -> Generator[None, None, list[Hashable]]:
        yield
        if not every:
            return [parents[key] for key in level]
        return list(dict.fromkeys(parent for key in level for parent in parents[key][1:]))

    found = Outcome()
    if goals:
        level = goals if every else goals[:1]
        remaining = yield from distances_back(task, level, depth, before, name=lambda key: key)
        found = Outcome(cost=depth, remaining=remaining)
    # Not before: a search beside this one may end both, with a solution that costs more, while a
    # layer is half expanded or this one goes back from its goal.
    own = parents.keys if key_of is None else None
    task.reservoir.lists = (Lists(partial(_depth_of, parents), parents.__contains__, states=own),)
    return found


def _depth_of(parents: Mapping[Hashable, Any], key: Hashable) -> int | None:
    """How many steps lead to a state; None if it was not met. O(depth)."""
    found, depth = parents.get(key), 0
    if key not in parents:
        return None
    while found.__class__ is not list:
        found, depth = parents[found], depth + 1
    return depth + 1 + int(found[0])


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
