"""Which states of layers as bitmaps lie on optimal solutions, and how many solutions there are.

All that is kept are the numbers of the canonical states of each layer. Symmetries keep the starts,
the goals and the steps, so that all states that one stands for lie on solutions, or none.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

import attrs
import numpy as np

from searchkit.compiled.layers.kernels.bitmaps import Layer
from searchkit.compiled.layers.path_counts import LEAST_BUDGET, PathCounts
from searchkit.compiled.layers.workers import Workers, are_among
from searchkit.running.task import Counters, Run, Task
from searchkit.solutions.optimal_graph import Distances

Numbers = np.ndarray[Any, Any]


def reached(
    task: Task, workers: Workers, layers: list[Numbers], side: int, level: Numbers, *, held: int = 0
) -> Generator[None, None, None]:
    """Keep of `layers` the states that steps lead to from `level`, and from layer to layer on.

    The last of `layers` comes first. Steps are those of `workers`, `side` is that of the level.
    Gives up the bitmaps of `workers`; `held` is how many bytes everything else takes. O(words) for
    each layer, and one expansion of each state that is kept.
    """
    own = workers.task = attrs.evolve(task, counters=Counters())
    sides, words, module = len(workers.space.index.origins), workers.space.words, workers.module
    held += 8 * words * (1 + task.threads) + sum(layer.nbytes for layer in layers)
    bitmap, every = np.zeros(words, dtype=np.int64), workers.every_block()
    for place in reversed(range(len(layers))):
        task.reserve(held + 2 * layers[place].nbytes)
        module.mark_numbers(bitmap, level)
        for _ in workers.expand(Layer(side, bitmap, every), len(level)):
            task.budget = own.budget
            yield
            own.budget = max(task.budget, LEAST_BUDGET)
        kept = np.empty_like(layers[place])
        count = module.select(workers.fresh, layers[place], kept)
        layers[place] = level = kept[:count].copy()
        side = (side + 1) % sides
        bitmap[:] = workers.fresh[:] = 0
        yield
    workers.release()


@attrs.define(eq=False, repr=False)
class BitmapDistances(Distances):
    """The states on optimal solutions, layer by layer from the starts to the goals.

    4 bytes for each canonical state, or 8 where numbers have more than 32 bits. Counting takes
    three words for each word of a bitmap, and the numbers of the ways to two layers.
    """

    workers: Workers
    """For steps in their direction."""
    first_side: int
    layers: list[Numbers]
    """The rising numbers of the canonical states of each."""

    def _side(self, depth: int) -> int:
        return (self.first_side + depth) % len(self.workers.space.index.origins)

    def are_at(self, states: Sequence[int], distances: Sequence[int]) -> list[bool]:
        """For each of some states, whether it lies on an optimal solution at this distance."""
        found = np.zeros(len(states), dtype=bool)
        far = np.array(distances, dtype=np.int64)
        for distance in set(distances):
            depth = len(self.layers) - 1 - distance
            if 0 <= depth < len(self.layers):
                at = np.flatnonzero(far == distance).tolist()
                side = self._side(depth)
                rows = self.workers.canonical_numbers(side, [states[place] for place in at])
                found[at] = are_among(rows, self.layers[depth])
        return list(map(bool, found))

    def counting(self, run: Run, starts: Sequence[int]) -> Generator[None, None, int]:
        """Count the ways to each state, layer by layer; see `PathCounts`."""
        workers, words = self.workers, self.workers.space.words
        workers.task = run
        held = 16 * words + sum(layer.nbytes for layer in self.layers)
        run.reserve(held + 8 * words)
        bitmap, fresh = (np.zeros(words, dtype=np.int64) for _ in range(2))
        counts, every = PathCounts(workers), workers.every_block()
        yield
        workers.module.mark_numbers(bitmap, self.layers[0])
        counts.begin(bitmap, list(starts))
        for depth, following in enumerate(self.layers[1:]):
            layer = Layer(self._side(depth), bitmap, every)
            counts.enter(layer)
            workers.module.mark_numbers(fresh, following)
            yield from counts.advance(layer, fresh, len(following), held)
            bitmap, fresh = fresh, bitmap
            fresh[:] = 0
        counts.enter(Layer(self._side(len(self.layers) - 1), bitmap, every))
        return counts.to_states[-1]
