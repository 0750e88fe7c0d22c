"""Solutions from parents, or from a path that is known."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence

from searchkit.packed import bare_successors_of
from searchkit.running.task import Outcome, Steps, Task, legal_cost
from searchkit.solutions.optimal_graph import not_replayed

ParentsOf = Callable[[Hashable], Iterable[Hashable]]
"""The keys of the states from which the state with a key was reached."""


def trace_back(
    goals: Iterable[Hashable],
    parents: ParentsOf,
    remaining: Callable[[Hashable], int],
) -> dict[Hashable, int]:
    """The distance to the goal of every state from which `goals` were reached via `parents`."""
    result: dict[Hashable, int] = {}
    stack = list(goals)
    while stack:
        key = stack.pop()
        if key not in result:
            result[key] = remaining(key)
            stack.extend(parents(key))
    return result


def one_path(task: Task, goal: Hashable, claimed: int, parents: ParentsOf) -> Outcome:
    """The solution to `goal`, whose g is `claimed`, along first parents."""
    roots = {task.problem.key(start) for start in task.starts}
    path = [goal]
    while path[-1] not in roots:
        found = list(parents(path[-1]))
        if not found:
            raise not_replayed(task.problem, task.starts)
        path.append(found[0])
    return along(task, path[::-1], claimed)


def along(
    task: Task, path: Sequence[Hashable], claimed: int | None = None, steps: Steps | None = None
) -> Outcome:
    """The solution through the states with the keys `path`, to a goal whose g is `claimed`.

    Between two states the cheapest step counts, and the cost is summed again: a state may be
    cheaper since, by an inadmissible heuristic. O(length x branching) calls, or of `steps`.
    """
    problem, key_of = task.problem, task.problem.key
    state = next((start for start in task.starts if key_of(start) == path[0]), None)
    costs, successors = [0], steps or bare_successors_of(problem)
    for key in path[1:]:
        step = min(
            (step for step in successors(state) if key_of(step[1]) == key),
            key=lambda found: found[2],
            default=None,
        )
        if step is None:
            raise not_replayed(problem, task.starts)
        state = step[1]
        costs.append(costs[-1] + legal_cost(problem, step[0], step[2]))
    remaining = {key: costs[-1] - g for key, g in zip(path, costs, strict=True)}
    return Outcome(cost=costs[-1], claimed=claimed, remaining=remaining)


def without_loops(path: Sequence[Hashable]) -> list[int]:
    """Where on a path the states are that are left if what lies between two visits of one goes.

    >>> without_loops("abac")
    [0, 3]
    """
    last = {key: i for i, key in enumerate(path)}
    kept, at = [], 0
    while at < len(path):
        kept.append(at)
        at = last[path[at]] + 1
    return kept
