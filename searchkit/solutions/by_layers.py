"""From a goal back to the start, where all that is known is which states each layer holds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Hashable, Iterable, Sequence
from typing import Any

from searchkit.capabilities import steps_into
from searchkit.running.task import ONE, Steps, Task

Contains = Callable[[Sequence[Any], int], Iterable[bool]]
"""For each of some states, whether the layer at a depth holds it."""

Before = Callable[[Collection[Any], int], Generator[None, None, Collection[Any]]]
"""Of the layer at a depth, the states from which steps lead to given ones of the layer after it."""


def distances_back(
    task: Task,
    level: Collection[Any],
    depth: int,
    before: Before,
    *,
    nearest: int = 0,
    name: Callable[[Any], Hashable] | None = None,
) -> Generator[None, None, dict[Hashable, int]]:
    """The distance to the goal of each state on a shortest path to `level`, by its key.

    The states of `level` lie at `depth`, and `nearest` steps from the goal. States are whatever
    `before` takes and gives; `name` gives their keys.
    """
    task.is_all_expanded = True
    key_of = name or task.problem.key
    remaining: dict[Hashable, int] = {}
    for steps in range(depth + 1):
        remaining.update((key_of(state), nearest + steps) for state in level)
        if steps < depth:
            level = yield from before(level, depth - steps - 1)
    return remaining


def by_steps(task: Task, contains: Contains, *, every: bool, steps: Steps | None = None) -> Before:
    """All states before, or unless `every` the first, among those from which steps lead.

    One list of predecessors for each state, or of what `steps` gives instead.
    """
    key_of, back = task.problem.key, steps or steps_into(task.problem)
    assert back is not None

    def before(level: Collection[Any], depth: int) -> Generator[None, None, Collection[Any]]:
        found: dict[Hashable, Any] = {}
        for state in level:
            yield
            states = []
            for action, each, cost in back(state):
                if cost is not ONE:
                    task.legal_cost(action, cost)
                states.append(each)
            for each, is_inside in zip(states, contains(states, depth), strict=True):
                if is_inside:
                    found.setdefault(key_of(each), each)
                    if not every:
                        return list(found.values())
        return list(found.values())

    return before
