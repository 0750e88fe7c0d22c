"""Breadth-first search by bitmaps, up to symmetry: whole layers, then back from the goal."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from searchkit.compiled.layers.bitmaps import BitmapLayers
from searchkit.compiled.layers.linear_tables import linear_space
from searchkit.running.task import Outcome, Task
from searchkit.solutions.walk_back import distances_back
from searchkit.symmetry import stabiliser


def bitmap_breadth_first(task: Task) -> Generator[None, None, Outcome]:
    """Expand layer after layer, up to the first with a goal; needs `linear_space`.

    Four bitmaps, and 4 bytes for each state of all layers (8 where numbers have more than 32
    bits). Solutions are counted exactly, however many there are; listed, they are walked back to.
    """
    problem: Any = task.problem
    starts = list(task.starts)
    symmetries = stabiliser(problem, starts) if task.algorithm.symmetry == "auto" else []
    space = linear_space(problem, starts, symmetries)
    assert space is not None
    layers = BitmapLayers.prepare(
        task, space, starts=starts, count_paths=task.only_count, keep=True
    )
    listed = list(problem.goal_states())
    goals: list[Any] = []

    def is_enough() -> bool:
        goals.extend(goal for goal in listed if layers.holds(goal))
        return bool(goals)

    layers.is_enough = is_enough
    yield
    layers.begin(starts)
    everything = yield from layers.run(task.max_cost)
    if not goals:
        return Outcome(cut=not everything)
    depth = len(layers.sizes) - 1
    every = task.every and not task.only_count
    remaining = yield from distances_back(task, goals, depth, layers.contains, every=every)
    paths = layers.paths()
    count = None if paths is None else paths.optimal_solutions
    return Outcome(cost=depth, remaining=remaining, count=count)
