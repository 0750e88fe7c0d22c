"""Breadth-first search up to symmetry: one state stands for all that are equal to it."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from searchkit.reference.layers import ReferenceLayers
from searchkit.running.task import Outcome, Task
from searchkit.solutions.walk_back import distances_back
from searchkit.symmetry import stabiliser


def symmetric_breadth_first(task: Task) -> Generator[None, None, Outcome]:
    """Expand the canonical states of layer after layer, up to the first layer with a goal.

    Symmetries keep goals and steps, so a canonical state is a goal if those it stands for are,
    and a solution is found by walking back through all of them. Expands the layers before the
    goal's in full.
    """
    problem, starts = task.problem, list(task.starts)
    symmetries = stabiliser(problem, starts)
    goals: list[Any] = []

    def is_enough() -> bool:
        goals.extend(state for state in layers.layer if problem.is_goal(state))
        return bool(goals)

    layers = ReferenceLayers(
        task, starts, problem.successors, symmetries, is_enough=is_enough, keep=True
    )
    everything = yield from layers.run(task.max_cost)
    if not goals:
        return Outcome(cut=not everything)
    depth = len(layers.sizes) - 1

    def contains(states: Sequence[Any], at: int) -> list[bool]:
        return [problem.key(state) in layers.kept[at] for state in states]

    images = [each.state_map for each in symmetries] or [lambda state: state]
    found = {problem.key(image(goal)): image(goal) for goal in goals for image in images}
    remaining = yield from distances_back(
        task, list(found.values()), depth, contains, every=task.every
    )
    return Outcome(cost=depth, remaining=remaining)
