"""The solution that best-first search names, found from the g of each state alone.

Compiled engines keep no parents, so that all engines go by what they do keep: the g of every state
that was met, and which were expanded. A problem that can be searched backwards is walked back from
the goal, at each state by the first step that comes from an expanded state whose g is smaller by
just its cost. In others the solution is the first that a depth-first search from the starts along
such steps meets.
"""

from __future__ import annotations

from collections.abc import (
    Callable,
    Collection,
    Generator,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import suppress
from functools import partial
from itertools import compress
from typing import Any

from searchkit.capabilities import steps_into
from searchkit.problem import Problem
from searchkit.running.task import Outcome, Steps, Task, legal_cost
from searchkit.solutions.from_parents import ParentsOf, along, one_path, trace_back
from searchkit.solutions.optimal_graph import NotReplayedError, value_of

Known = Callable[[Sequence[Any]], Sequence[tuple[int, bool] | None]]
"""For each of some states its g, and whether it was expanded or is a goal; None if unknown."""


def parents_of(
    problem: Problem[Any, Any], known: Known, back: Steps, state: Any, g: int
) -> Iterator[tuple[Any, int]]:
    """The states that steps lead from to `state`, whose g is `g`, with their own.

    Those too that would give it a smaller g than it has, or that were not expanded, after the
    others: only an inadmissible heuristic, or a weight, leaves such.
    """
    found = [
        (before, g - (1 if cost.__class__ is int and cost == 1 else
                      legal_cost(problem, action, cost, state)))
        for action, before, cost in back(state)
    ]  # fmt: skip
    others: list[tuple[Any, int]] = []
    for parent, entry in zip(found, known([before for before, _ in found]), strict=True):
        if entry is None or entry[0] > parent[1]:
            continue
        if not (entry[1] and entry[0] == parent[1]):
            others.append(parent)
        elif not problem.is_goal(parent[0]):
            yield parent
    yield from (parent for parent in others if not problem.is_goal(parent[0]))


def first_path(
    problem: Problem[Any, Any],
    roots: Iterable[tuple[Any, int]],
    onward: Callable[[Any, int], Iterable[tuple[Any, int]]],
    is_end: Callable[[Hashable], bool],
) -> Generator[None, None, list[Any] | None]:
    """The states from a root to the first end that a depth-first search meets; pauses at each.

    `onward` gives what follows a state with its g; no state is entered twice, for zero-cost cycles
    can lead astray. `is_end` is asked with keys.
    """
    path: list[Any] = []
    seen: set[Hashable] = set()
    ways = [iter(roots)]
    while ways:
        yield
        for state, g in ways[-1]:
            key = problem.key(state)
            if key not in seen:
                seen.add(key)
                path.append(state)
                if is_end(key):
                    return path
                ways.append(iter(onward(state, g)))
                break
        else:
            ways.pop()
            del path[-1:]
    return None


def path_back(
    task: Task, known: Known, back: Steps, goal: Any, cost: int
) -> Generator[None, None, list[Any] | None]:
    """The states from a start to `goal`, whose g is `cost`; None if no steps lead back.

    Pauses after each. O(length x branching), unless zero-cost cycles lead astray.
    """
    problem = task.problem
    starts = {problem.key(start) for start in task.starts}

    onward = partial(parents_of, problem, known, back)
    path = yield from first_path(problem, [(goal, cost)], onward, starts.__contains__)
    return None if path is None else path[::-1]


def path_ahead(
    task: Task, known: Known, goal: Hashable, parents: ParentsOf
) -> Generator[None, None, list[Any] | None]:
    """The states from a start to that with the key `goal`, None if no expanded states lead there.

    `parents` gives the keys of the expanded states by which a state has its g: the search keeps to
    what they lead back to. O(states that lead to the goal).
    """
    problem = task.problem
    inside = trace_back([goal], parents, lambda _: 0)

    def onward(state: Any, g: int) -> Iterator[tuple[Any, int]]:
        found = [
            (step[1], g + legal_cost(problem, step[0], step[2]))
            for step in problem.successors(state)
            if problem.key(step[1]) in inside
        ]
        entries = known([child for child, _ in found])
        return compress(
            found, [entry == (g, True) for (_, g), entry in zip(found, entries, strict=True)]
        )

    roots = [(start, 0) for start in task.starts if problem.key(start) in inside]
    return (yield from first_path(problem, roots, onward, lambda key: key == goal))


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
    back, entry = steps_into(task.problem), known([goal])[0]
    assert entry is not None
    cost = entry[0]
    if back is None:
        path = value_of(path_ahead(task, known, key, parents))
    else:
        path = value_of(path_back(task, known, back, goal, cost))
    if path is not None:
        keys = [task.problem.key(state) for state in path]
        with suppress(NotReplayedError):
            return along(task, keys, cost)
    return one_path(task, key, cost, parents)
