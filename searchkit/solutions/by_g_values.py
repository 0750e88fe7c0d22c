"""The solution that best-first search names, found from the g of each state alone.

Compiled engines keep no parents, so that all engines go by what they do keep: the g of every state
that was met, and which were expanded. A problem that can be searched backwards is walked back from
the goal, at each state by the first step that comes from an expanded state whose g is smaller by
just its cost. In others the solution is the first that a depth-first search from the starts along
such steps meets.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Hashable, Iterator, Mapping, Sequence
from operator import index
from typing import Any

from searchkit.capabilities import steps_into
from searchkit.errors import ProblemError
from searchkit.problem import Problem
from searchkit.running.task import Outcome, Steps, Task
from searchkit.solutions.from_parents import ParentsOf, along, one_path
from searchkit.solutions.optimal_graph import not_replayed, value_of

Known = Callable[[Sequence[Any]], Sequence[tuple[int, bool] | None]]
"""For each of some states its g, and whether it was expanded or is a goal; None if unknown."""


def parents_of(
    problem: Problem[Any, Any],
    known: Known,
    back: Steps,
    batch: Sequence[tuple[Any, int]],
    *,
    tight: bool,
) -> list[tuple[Any, int]]:
    """The states that steps lead from to those of `batch`, with their g.

    If not `tight`, those too that would give a state of `batch` a smaller g than it has, or that
    were not expanded, after the others: only an inadmissible heuristic, or a weight, leaves such.
    """
    found = [(step[1], g - index(step[2])) for state, g in batch for step in back(state)]
    parents = [
        (state, g, entry[1] and entry[0] == g)
        for (state, g), entry in zip(found, known([state for state, _ in found]), strict=True)
        if entry is not None and entry[0] <= g and not problem.is_goal(state)
    ]
    if tight:
        return [(state, g) for state, g, is_tight in parents if is_tight]
    parents.sort(key=lambda parent: not parent[2])
    return [(state, g) for state, g, _ in parents]


def path_back(
    task: Task, known: Known, back: Steps, goal: Any, cost: int
) -> Generator[None, None, list[Any]]:
    """The states from a start to `goal`, whose g is `cost`; pauses after each.

    Depth first, for zero-cost cycles can lead astray. O(length x branching) otherwise.
    """
    problem = task.problem
    key_of = problem.key
    starts = {key_of(start) for start in task.starts}
    path = [goal]
    seen = {key_of(goal)}

    def ways_into(state: Any, g: int) -> Iterator[tuple[Any, int]]:
        return iter(parents_of(problem, known, back, [(state, g)], tight=False))

    ways = [] if key_of(goal) in starts else [ways_into(goal, cost)]
    while key_of(path[-1]) not in starts:
        for state, g in ways[-1]:
            if key_of(state) not in seen:
                seen.add(key_of(state))
                path.append(state)
                ways.append(ways_into(state, g))
                break
        else:
            path.pop()
            ways.pop()
            if not path:
                raise not_replayed(problem, task.starts)
        yield
    return path[::-1]


def path_ahead(
    task: Task, known: Known, goal: Hashable, parents: ParentsOf
) -> list[Hashable] | None:
    """The keys from a start to that of `goal`, None if no expanded states lead there.

    `parents` gives the keys of the expanded states by which a state has its g: the search keeps to
    what they lead back to. O(states that lead to the goal).
    """
    problem = task.problem
    key_of = problem.key
    inside = {goal}
    pending = [goal]
    while pending:
        fresh = [key for key in parents(pending.pop()) if key not in inside]
        inside.update(fresh)
        pending += fresh

    def steps_from(state: Any, g: int) -> Iterator[tuple[Any, int]]:
        found = [
            (step[1], g + index(step[2]))
            for step in problem.successors(state)
            if key_of(step[1]) in inside
        ]
        entries = known([child for child, _ in found])
        return iter(
            [each for each, entry in zip(found, entries, strict=True) if entry == (each[1], True)]
        )

    seen: set[Hashable] = set()
    for start in task.starts:
        if key_of(start) not in inside or key_of(start) in seen:
            continue
        if key_of(start) == goal:
            return [goal]
        path = [key_of(start)]
        seen.add(key_of(start))
        ways = [steps_from(start, 0)]
        while ways:
            for child, g in ways[-1]:
                key = key_of(child)
                if key == goal:
                    return [*path, goal]
                if key not in seen:
                    seen.add(key)
                    path.append(key)
                    ways.append(steps_from(child, g))
                    break
            else:
                path.pop()
                ways.pop()
    return None


def known_by(
    problem: Problem[Any, Any], best_g: Mapping[Hashable, int], closed: Collection[Hashable]
) -> Known:
    """What a closed list knows of states."""

    def known(states: Sequence[Any]) -> list[tuple[int, bool] | None]:
        keys = [problem.key(state) for state in states]
        return [(best_g[key], key in closed) if key in best_g else None for key in keys]

    return known


def best_path(task: Task, goal: Any, known: Known, parents: ParentsOf) -> Outcome:
    """The solution to `goal`.

    Where the promise to be undirected is broken, or no steps between expanded states lead to the
    goal (only with a weight, or an inadmissible heuristic), it is the one along first parents.
    """
    key = task.problem.key(goal)
    back = steps_into(task.problem)
    path: list[Hashable] | None
    try:
        if back is None:
            path = path_ahead(task, known, key, parents)
        else:
            entry = known([goal])[0]
            assert entry is not None
            walking = path_back(task, known, back, goal, entry[0])
            path = [task.problem.key(state) for state in value_of(walking)]
        if path is not None:
            return along(task, path)
    except ProblemError:
        pass
    return one_path(task, key, parents)
