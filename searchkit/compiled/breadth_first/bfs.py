"""Breadth-first search over packed states (Moore, "The shortest path through a maze", 1959)."""

from __future__ import annotations

from collections.abc import Generator

from searchkit.compiled.breadth_first.expansion import Layers, prepare
from searchkit.compiled.breadth_first.kernels.expansion import Goals
from searchkit.compiled.breadth_first.state_set import Store
from searchkit.compiled.breadth_first.walk_back import before_in
from searchkit.running.task import Outcome, Task
from searchkit.solutions.by_layers import distances_back


def breadth_first(task: Task) -> Generator[None, None, Outcome]:
    """Expand the layers in the order of the reference engine, with the same counts.

    A state takes 8 bytes per word and 6 for its entry in a hash table when there is no room
    left, up to half as much again after the room has grown. There are no parent pointers: the
    way back is found by expanding states once more.
    """
    spec = prepare(task.problem, task.starts, Goals.ALL if task.every else Goals.FIRST)
    layers = Layers(Store(spec, task))
    yield
    return (yield from _run(task, layers))


def _run(task: Task, layers: Layers) -> Generator[None, None, Outcome]:
    counters, store = task.counters, layers.store
    layers.begin(list(task.starts))
    counters.generated = layers.size
    counters.waiting(layers.size)
    counters.holding(layers.size)
    goals = layers.goals(0, store.count)

    def note() -> None:
        counters.waiting(layers.most_waiting)
        counters.frontier = layers.left + layers.fresh
        counters.holding(store.count)

    while layers.size and not goals:
        if layers.depth >= task.max_cost:
            return Outcome(cut=True)
        counters.prove(layers.depth + 1)
        yield from layers.grow(note)
        layers.next_layer()
        if layers.goals_found:
            goals = layers.goals(*layers.starts[-2:])
    if not goals:
        return Outcome()
    import numpy as np  # noqa: PLC0415

    level = np.array(goals if task.every else goals[:1], dtype=np.int64)
    before = before_in(layers, every=task.every)
    remaining = yield from distances_back(task, level, layers.depth, before, name=store.state)
    return Outcome(cost=layers.depth, remaining=remaining)
