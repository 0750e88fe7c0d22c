"""Breadth-first search over packed states (Moore, "The shortest path through a maze", 1959)."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from searchkit.compiled.breadth_first.expansion import HashedLayers
from searchkit.compiled.breadth_first.kernels.expansion import Goals
from searchkit.compiled.breadth_first.walk_back import before_in, levels_back
from searchkit.compiled.states.solutions import StoredDistances
from searchkit.running.task import Outcome, Task
from searchkit.solutions.by_layers import distances_back


def breadth_first(task: Task) -> Generator[None, None, Outcome]:
    """Expand the layers in the order of the reference engine, with the same counts.

    A state takes 8 bytes per word and 6 for its entry in a hash table when there is no room
    left, up to half as much again after the room has grown. There are no parent pointers: the
    way back is found by expanding states once more.
    """
    every = task.every
    layers = HashedLayers.prepare(task, Goals.ALL if every else Goals.FIRST)
    yield
    layers.begin(list(task.starts))
    task.counters.waiting(layers.size)
    goals = layers.goals()
    while not goals:
        if layers.depth >= task.max_cost:
            return Outcome(cut=True)
        task.counters.prove(layers.depth + 1)
        if not (yield from layers.grow()):
            return Outcome()
        if layers.goals_found:
            goals = layers.goals()
    if every:
        level = np.array(goals, dtype=np.int64)
        rows, distances = yield from levels_back(layers, level, layers.depth)
        return Outcome(cost=layers.depth, remaining=StoredDistances.of(task, rows, distances))
    before, name = before_in(layers, every=False), layers.store.state
    level = np.array(goals[:1], dtype=np.int64)
    remaining = yield from distances_back(task, level, layers.depth, before, name=name)
    return Outcome(cost=layers.depth, remaining=remaining)
