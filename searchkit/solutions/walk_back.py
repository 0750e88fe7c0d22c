"""From a goal back to the start, where all that is known is which states each layer holds."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable, Sequence
from typing import Any

from searchkit.capabilities import HasPredecessors
from searchkit.problem import Problem, Step
from searchkit.running.task import Task

Contains = Callable[[Sequence[Any], int], Iterable[bool]]
"""For each of some states, whether the layer at a depth holds it."""


def steps_back(problem: Problem[Any, Any]) -> Callable[[Any], Iterable[Step[Any, Any]]]:
    """The steps into a state of a problem that is undirected or has predecessors."""
    if problem.undirected:
        return problem.successors
    assert isinstance(problem, HasPredecessors)
    return problem.predecessors


def distances_back(
    task: Task,
    goals: Sequence[Any],
    depth: int,
    contains: Contains,
    *,
    every: bool,
    steps: Callable[[Any], Iterable[Step[Any, Any]]] | None = None,
) -> Generator[None, None, dict[Hashable, int]]:
    """The distance to the goal of each state on a shortest path to `goals`, which lie at `depth`.

    Of one path to the first goal unless `every`. One list of predecessors for each such state,
    or of what `steps` gives instead.
    """
    key_of, back = task.problem.key, steps or steps_back(task.problem)
    remaining: dict[Hashable, int] = {}
    level = list(goals) if every else list(goals[:1])
    for distance in range(depth + 1):
        remaining.update((key_of(state), distance) for state in level)
        before: dict[Hashable, Any] = {}
        for state in level if distance < depth else ():
            yield
            found = [step.state for step in back(state)]
            inside = contains(found, depth - distance - 1)
            for parent, is_inside in zip(found, inside, strict=True):
                if is_inside:
                    before.setdefault(key_of(parent), parent)
                    if not every:
                        break
        level = list(before.values())
    return remaining
