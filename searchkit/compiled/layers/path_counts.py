"""Exact numbers of shortest paths, layer by layer, beside the bitmaps of `BitmapLayers`.

The paths to all states that one canonical state stands for are counted together: every one of
those states has equally many successors among those of another canonical state, so the sums pass
from canonical state to canonical state, one for each step. No number of symmetric states is needed.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import attrs
import numpy as np

from searchkit.compiled.layers.kernels.bitmaps import Info, Layer, PathSums
from searchkit.compiled.layers.workers import Workers, too_long
from searchkit.solutions.path_numbers import Paths

WORD_BITS = 64
LEAST_BUDGET = 1 << 12
"""How many states are done at once even where the budget is used up: they are not expansions."""


@attrs.define(eq=False, repr=False)
class PathCounts:
    """The counts so far, and those of each state of the last complete layer."""

    workers: Workers
    goals: list[tuple[int, int]] = attrs.field(factory=list)
    """The canonical goals, as side and number."""
    ways: Any = None
    """A row for each state of the last layer, in order: a number in words from the lowest up."""
    before: Any = None
    """For each word of that layer's bitmap, the states of the words before."""
    to_states: list[int] = attrs.field(factory=list)
    to_goals: list[int] = attrs.field(factory=list)
    to_ends: list[int] = attrs.field(factory=list)
    ends: list[int] = attrs.field(factory=list)

    def begin(self, bitmap: np.ndarray[Any, Any], roots: list[int]) -> None:
        """Count the empty path to each of the roots, which are the layer in `bitmap`."""
        space, module = self.workers.space, self.workers.module
        base: Any = space.base
        goals = {space.canonical(goal): None for goal in base.goal_states()}
        self.goals = [goal for goal in goals if goal is not None]
        self.before = np.zeros(space.words, dtype=np.int64)
        total = int(module.count_before(bitmap, self.before))
        self.ways = np.zeros((total, 1), dtype=np.int64)
        for root in roots:
            place = space.canonical(root)
            assert place is not None
            self.ways[self._row(bitmap, place[1]), 0] += 1

    def enter(self, layer: Layer) -> None:
        """Note the paths to the states and goals of the layer at hand."""
        self.to_states.append(_total(self.ways))
        found = 0
        for side, number in self.goals:
            if side == layer.side and layer.bitmap[number >> 6] >> (number & 63) & 1:
                found += _total(self.ways[self._row(layer.bitmap, number)][None])
        self.to_goals.append(found)

    def _row(self, bitmap: np.ndarray[Any, Any], number: int) -> int:
        """The row of a state of the layer at hand."""
        word = int(bitmap[number >> 6]) & ((1 << (number & 63)) - 1)
        return int(self.before[number >> 6]) + word.bit_count()

    def advance(
        self, layer: Layer, fresh: np.ndarray[Any, Any], found: int, held: int
    ) -> Generator[None, None, None]:
        """Pass the ways on from the layer at hand to the `found` states of `fresh`.

        `held` is how many bytes the bitmaps take.
        """
        task, first, module = self.workers.task, self.workers.threads[0], self.workers.module
        limbs = self.ways.shape[1]
        if self.to_states[-1] * max(1, self.workers.most_successors) >> (WORD_BITS * limbs):
            self.ways = np.hstack([self.ways, np.zeros((len(self.ways), 1), dtype=np.int64)])
            limbs += 1
        task.reserve(held + self.before.nbytes + self.ways.nbytes + 8 * limbs * found)
        sums = np.zeros((found, limbs), dtype=np.int64)
        module.count_before(fresh, self.before)
        ended = np.zeros(1 + 2 * limbs, dtype=np.int64)
        paths = PathSums(self.ways, fresh, self.before, sums, ended)
        info = np.zeros_like(first.info)
        info[Info.WORD] = -1
        end = len(fresh)
        while (done := int(info[Info.EXPANDED])) < len(self.ways):
            budget = max(task.budget, LEAST_BUDGET)
            if not module.add_paths(
                *self.workers.head, layer, paths, end, budget, info, first.room
            ):
                raise too_long(self.workers.space)
            task.budget -= int(info[Info.EXPANDED]) - done
            if task.budget <= 0:
                yield
        self.ways = sums
        self.ends.append(int(ended[0]))
        self.to_ends.append(sum(int(half) << (32 * i) for i, half in enumerate(ended[1:])))

    def result(self) -> Paths:
        """What was counted: a layer whose successors are not known yet has no ends."""
        return Paths(
            to_states=tuple(self.to_states),
            to_goals=tuple(self.to_goals),
            to_ends=tuple(self.to_ends),
            ends=tuple(self.ends),
        )


def _total(ways: np.ndarray[Any, Any]) -> int:
    """The sum of all rows, exactly."""
    halves = ways.view(np.uint32).astype(np.uint64).sum(axis=0, dtype=np.uint64)
    return sum(int(half) << (32 * place) for place, half in enumerate(halves))
