"""Bidirectional breadth-first search by bitmaps, with true predecessors, up to symmetry."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import attrs
import numpy as np

from searchkit.compiled.layers.bitmaps import BitmapLayers
from searchkit.compiled.layers.linear_tables import LinearSpace
from searchkit.compiled.specialise.module import unsigned
from searchkit.engines.both_ends import BothEnds
from searchkit.linear_index import moved_bits
from searchkit.premises.toggle_proofs import toggle_certificate
from searchkit.running.task import Outcome, Task
from searchkit.solutions.by_layers import by_steps, distances_back


def bitmap_bidirectional(task: Task) -> Generator[None, None, Outcome]:
    """Grow whole layers of `task.space` from the starts and the goals, the smaller one first.

    Goals that no sum of toggles leads to are left out, and if that is all
    of them, it is a proof. Twice the memory of breadth-first search by bitmaps.
    """
    goals = _goals(task.problem)
    space = task.space
    if not any(space.canonical(goal) for goal in goals):
        yield
        return Outcome(certificate=toggle_certificate(task.starts, goals, space.toggles))
    search = _Search.prepare(task, space, goals)
    yield
    search.begin()
    return (yield from search.meet())


class _Search(BothEnds[BitmapLayers]):
    space: LinearSpace
    goals: list[int]

    @classmethod
    def prepare(cls, task: Task, space: LinearSpace, goals: list[int]) -> _Search:
        starts = list(task.starts)
        sides = {place[0] for goal in goals if (place := space.canonical(goal))}
        if len(sides) > 1:  # layers from the goals would lie on both sides
            space = space.on_one_side(starts)
        back = attrs.evolve(space, backward=True)
        layers = [
            BitmapLayers.prepare(task, each, starts=starts, keep=True) for each in (space, back)
        ]
        self = cls(task, *layers)
        self.space, self.goals = space, [goal for goal in goals if space.canonical(goal)]
        return self

    def begin(self) -> None:
        """Make both first layers."""
        self.forward.elsewhere = self.backward.elsewhere = self.forward.bytes
        self.forward.begin(list(self.task.starts))
        self.backward.begin(self.goals)

    def grow(self, side: BitmapLayers, other: BitmapLayers) -> Generator[None, None, object]:
        side.elsewhere = other.bytes
        return (yield from side.grow())

    def meeting(self) -> list[int]:
        """The states that both last layers hold, with those that symmetries make equal."""
        forward, backward, module = self.forward, self.backward, self.forward.module
        if forward.side != backward.side:
            return []
        count = module.count_common(forward.layer, backward.layer)
        if not count:
            return []
        rows = np.zeros(count, dtype=np.int64)
        common = forward.layer & backward.layer
        module.list_states(forward.head[1], forward.side, common, 0, len(common), rows)
        images = {moved_bits(unsigned(row), bits): None for row in rows for bits in self.space.maps}
        return list(images)

    def join(self, meeting: list[int]) -> Generator[None, None, Outcome]:
        """The solutions through the states of `meeting`."""
        task, every = self.task, self.task.every
        depth, rest = self.forward.depth, self.backward.depth
        level = meeting if every else meeting[:1]
        before = by_steps(task, self.forward.contains, every=every)
        remaining = yield from distances_back(task, level, depth, before, nearest=rest)
        after = by_steps(task, self.backward.contains, every=every, steps=task.problem.successors)
        ahead = yield from distances_back(task, level, rest, after)
        remaining |= {key: rest - far for key, far in ahead.items()}
        return Outcome(cost=depth + rest, remaining=remaining)


def _goals(problem: Any) -> list[int]:
    return list(dict.fromkeys(problem.goal_states()))
