"""Breadth-first search by bitmaps, up to symmetry: whole layers, then back from the goal."""

from __future__ import annotations

from collections.abc import Generator
from itertools import compress
from typing import Any

import attrs

from searchkit.compiled.layers.bitmaps import BitmapLayers
from searchkit.running.task import Outcome, Task


def bitmap_breadth_first(task: Task) -> Generator[None, None, Outcome]:
    """Expand layer after layer of `task.space`, up to the first with a goal.

    Four bitmaps, and 4 bytes for each state of all layers (8 where numbers have more than 32
    bits). Solutions are counted exactly, however many there are; listed, they are walked back to.
    """
    problem: Any = task.problem
    starts = list(task.starts)
    layers = BitmapLayers.prepare(task, task.space, count_paths=task.only_count, keep=True)
    listed = list(problem.goal_states())
    yield
    layers.begin(starts)
    outcome = yield from layers.until_goals(
        task, lambda: compress(listed, layers.contains(listed, layers.depth)),
        every=task.every and not task.only_count,
    )  # fmt: skip
    paths = layers.paths()
    count = None if paths is None or outcome.cost is None else paths.optimal_solutions
    return attrs.evolve(outcome, count=count)
