"""Breadth-first search by bitmaps, up to symmetry: whole layers, then back from the goal."""

from __future__ import annotations

from collections.abc import Generator
from itertools import compress
from typing import Any

import attrs
import numpy as np

from searchkit.compiled.layers.bitmap_solutions import BitmapDistances, reached
from searchkit.compiled.layers.bitmaps import BitmapLayers
from searchkit.running.task import Outcome, Task


def bitmap_breadth_first(task: Task) -> Generator[None, None, Outcome]:
    """Expand layer after layer of `task.space`, up to the first with a goal.

    Four bitmaps, and 4 bytes for each state of all layers (8 where numbers have more than 32
    bits). If every solution is wanted, the layers are walked back through in bitmaps, too.
    """
    problem: Any = task.problem
    layers = BitmapLayers.prepare(task, task.space, keep=True)
    listed = list(problem.goal_states())
    yield
    layers.begin(list(task.starts))
    goals, whole = yield from layers.until_goals(
        task, lambda: compress(listed, layers.contains(listed, layers.depth))
    )
    if not goals:
        return Outcome(cut=not whole)
    task.partial = yield from layers.back_from(task, goals, every=False)
    if not task.every:
        return task.partial
    backward = layers.workers.turned(attrs.evolve(task.space, backward=True))
    before = layers.release()
    last = np.unique(
        layers.workers.canonical_numbers(layers.side, goals).astype(before.pop().dtype)
    )
    yield from reached(task, backward, before, layers.side, last)
    layers.workers.release()
    distances = BitmapDistances(layers.workers, layers.side_of(0), [*before, last])
    return Outcome(cost=layers.depth, remaining=distances)
