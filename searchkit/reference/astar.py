"""A* and uniform-cost search.

Hart, Nilsson & Raphael, "A formal basis for the heuristic determination of minimum cost
paths" (1968); Dijkstra, "A note on two problems in connexion with graphs" (1959): A* with
h = 0.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Hashable, Sequence
from heapq import heappop, heappush
from typing import Any

from searchkit.errors import ProblemError
from searchkit.problem import Problem
from searchkit.running.task import LOOK_EVERY, Outcome, Task
from searchkit.solutions.best_path import Known, path_ahead, path_back, steps_into
from searchkit.solutions.optimal_graph import along, not_replayed, trace_back

FINITE = sys.float_info.max


def a_star(task: Task) -> Generator[None, None, Outcome]:
    """Expand the open state of smallest f = g + h until that is a goal.

    Ties go to the smaller h, then to the state generated last. The goal is tested on
    expansion. A closed state reached at a smaller g is re-opened, so admissibility is enough
    for optimality. Time O(n log n) and memory O(n) for n states with f up to the optimal
    cost; an inconsistent heuristic can make re-openings exponential (Martelli 1977).
    """
    problem, counters, every, h = task.problem, task.counters, task.every, task.heuristic
    successors, is_goal, key_of = problem.successors, problem.is_goal, problem.key
    after, legal_costs = h.after, task.legal_costs
    most = min(task.max_cost, FINITE)  # a dead end is beyond it, whatever the limit
    open_list: list[tuple[float, float, int, int, Hashable, Any]] = []
    best_g: dict[Hashable, int] = {}
    parents: dict[Hashable, Any] = {}  # a list of keys if every solution is wanted, else one
    closed: set[Hashable] = set()
    counters.containers = (open_list, best_g, parents, closed)
    every_parent = every or steps_into(problem) is None
    cut = False
    for start in task.starts:
        counters.generated += 1
        key, estimate = key_of(start), task.estimate(start)
        best_g[key] = 0
        parents[key] = []
        if estimate <= most:
            heappush(open_list, (estimate, estimate, -counters.generated, 0, key, start))
        else:
            cut = task.is_cut(estimate) or cut
    counters.waiting(len(open_list))
    counters.holding(len(best_g))
    known_of = known_by(problem, best_g, closed)
    goals: list[Hashable] = []
    first: Any = None  # the state of the first of them
    bound = -1  # the g of the goals found
    while open_list:
        f, estimate, _, g, parent, state = heappop(open_list)
        if goals and f > bound:
            break
        if g > best_g[parent] or parent in closed:
            continue  # a cheaper or equal entry for this state has been expanded
        counters.lower_bound = max(counters.lower_bound, f)
        if is_goal(state):
            closed.add(parent)
            if not goals or g < bound:  # cheaper only if the heuristic was inadmissible
                bound, goals, first = g, [], state
            goals.append(parent)
            if not every:
                break
            if task.partial is None:
                task.partial = best_path(task, first, known_of, parents)
            continue
        yield
        closed.add(parent)
        counters.expanded += 1
        for step in successors(state):
            action, child, cost = step
            if cost.__class__ is not int or cost not in legal_costs:
                cost = task.legal_cost(action, cost)
            counters.generated += 1
            if counters.generated % LOOK_EVERY == 0:
                counters.holding(len(best_g))
                yield
            key = key_of(child)
            child_g = g + cost
            known = best_g.get(key)
            if known is not None and child_g >= known:
                if every_parent and child_g == known and parent not in parents[key]:
                    parents[key].append(parent)
                continue
            child_h = after(estimate, state, step)
            if child_h.__class__ is not int or child_h < 0:
                child_h = task.plain_estimate(child_h, child)
            child_f = child_g + child_h
            if not child_f <= most:
                cut = task.is_cut(child_f) or cut
                continue
            best_g[key] = child_g
            parents[key] = [parent] if every_parent else parent
            if key in closed:
                closed.discard(key)
                counters.reopened += 1
            heappush(open_list, (child_f, child_h, -counters.generated, child_g, key, child))
        counters.waiting(len(open_list))
        counters.holding(len(best_g))
    if not goals:
        return Outcome(cut=cut)
    if not every:
        return best_path(task, first, known_of, parents)
    remaining = trace_back(goals, parents.__getitem__, lambda key: bound - best_g[key])
    return Outcome(cost=bound, remaining=remaining)


def known_by(
    problem: Problem[Any, Any], best_g: dict[Hashable, int], closed: set[Hashable]
) -> Known:
    """What is known of states, as `searchkit.solutions.best_path` asks for it."""

    def known(states: Sequence[Any]) -> list[tuple[int, bool] | None]:
        keys = [problem.key(state) for state in states]
        return [(best_g[key], key in closed) if key in best_g else None for key in keys]

    return known


def best_path(task: Task, goal: Any, known: Known, parents: dict[Hashable, Any]) -> Outcome:
    """The solution to `goal` that every engine finds; see `searchkit.solutions.best_path`.

    Where the promise to be undirected is broken, or no steps between expanded states lead to the
    goal (only with a weight, or an inadmissible heuristic), it is the one along first parents.
    """
    key = task.problem.key(goal)
    back = steps_into(task.problem)
    path: list[Hashable] | None
    try:
        if back is None:
            path = path_ahead(task, known, key, parents.__getitem__)
        else:
            entry = known([goal])[0]
            assert entry is not None
            path = _keys_back(task, path_back(task, known, back, goal, entry[0]))
        if path is not None:
            cost, remaining = along(task.problem, task.starts, path)
            return Outcome(cost=cost, remaining=remaining)
    except ProblemError:
        pass
    return one_path(task, key, parents)


def _keys_back(task: Task, walking: Generator[None, None, list[Any]]) -> list[Hashable]:
    """The keys of the path that `walking` returns."""
    while True:
        try:
            next(walking)
        except StopIteration as stopped:
            return [task.problem.key(state) for state in stopped.value]


def one_path(task: Task, goal: Hashable, parents: dict[Hashable, Any]) -> Outcome:
    """The solution to `goal` along first parents.

    Its cost is summed anew: under an inadmissible heuristic a state on it may have become
    cheaper since, without having been expanded again.
    """
    roots = {task.problem.key(start) for start in task.starts}
    path = [goal]
    while path[-1] not in roots:
        found = parents[path[-1]]
        if isinstance(found, list):
            if not found:
                raise not_replayed(task.problem, task.starts)
            found = found[0]
        path.append(found)
    cost, remaining = along(task.problem, task.starts, path[::-1])
    return Outcome(cost=cost, remaining=remaining)
