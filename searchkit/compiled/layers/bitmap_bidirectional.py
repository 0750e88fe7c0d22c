"""Bidirectional breadth-first search by bitmaps, with true predecessors, up to symmetry."""

from __future__ import annotations

from collections.abc import Generator, Hashable
from typing import Any

import attrs

from searchkit.compiled.layers.bitmaps import BitmapLayers
from searchkit.compiled.layers.linear_tables import LinearSpace, linear_space
from searchkit.compiled.specialise.module import unsigned
from searchkit.linear_index import moved_bits
from searchkit.premises.toggle_proofs import toggle_certificate
from searchkit.running.task import Outcome, Task
from searchkit.solutions.walk_back import distances_back
from searchkit.symmetry import stabiliser


def bitmap_bidirectional(task: Task) -> Generator[None, None, Outcome]:
    """Grow whole layers from the starts and from the goals, the smaller one first.

    Needs `linear_space`; goals that no sum of toggles leads to are left out, and if that is all
    of them, it is a proof. Twice the memory of breadth-first search by bitmaps.
    """
    goals = _goals(task.problem)
    space = _space(task)
    if not any(space.canonical(goal) for goal in goals):
        yield
        return Outcome(certificate=toggle_certificate(task.starts, goals, space.toggles))
    search = _Search.prepare(task)
    yield
    return (yield from search.run())


@attrs.define(eq=False)
class _Search:
    task: Task
    space: LinearSpace
    forward: BitmapLayers
    backward: BitmapLayers

    @classmethod
    def prepare(cls, task: Task) -> _Search:
        problem, starts, space = task.problem, list(task.starts), _space(task)
        sides = {place[0] for goal in _goals(problem) if (place := space.canonical(goal))}
        if len(sides) > 1:  # layers from the goals would lie on both sides
            space = space.on_one_side(starts)
        back = attrs.evolve(space, backward=True)
        layers = [
            BitmapLayers.prepare(task, each, starts=starts, keep=True) for each in (space, back)
        ]
        return cls(task, space, *layers)

    def run(self) -> Generator[None, None, Outcome]:
        task, counters = self.task, self.task.counters
        forward, backward = self.forward, self.backward
        goals = [goal for goal in _goals(task.problem) if self.space.canonical(goal)]
        forward.elsewhere = backward.elsewhere = forward.bytes
        forward.begin(list(task.starts))
        backward.begin(goals)
        while True:
            forward.elsewhere, backward.elsewhere = backward.bytes, forward.bytes
            sizes = [layers.canonical_sizes for layers in (forward, backward)]
            depths = [len(each) - 1 for each in sizes]
            counters.waiting(sizes[0][-1] + sizes[1][-1])
            counters.holding(sum(map(sum, sizes)))
            counters.prove(sum(depths))
            if self._have_met():
                return (yield from self._join(*depths))
            if sum(depths) >= task.max_cost:
                return Outcome(cut=True)
            counters.prove(sum(depths) + 1)
            side = forward if sizes[0][-1] <= sizes[1][-1] else backward
            if not (yield from side.grow()):
                return Outcome()

    def _have_met(self) -> bool:
        forward, backward = self.forward, self.backward
        return forward.side == backward.side and bool(
            forward.module.count_common(forward.layer, backward.layer)
        )

    def _join(self, depth: int, rest: int) -> Generator[None, None, Outcome]:
        """The solutions through the states in which both sides meet, `rest` steps from goals."""
        task, every = self.task, self.task.every
        meeting = self._meeting() if every else self._meeting()[:1]
        to_meeting = yield from distances_back(
            task, meeting, depth, self.forward.contains, every=every
        )
        from_meeting = yield from distances_back(
            task, meeting, rest, self.backward.contains, every=every, steps=task.problem.successors
        )
        remaining: dict[Hashable, int] = {key: rest - far for key, far in from_meeting.items()}
        remaining |= {key: rest + far for key, far in to_meeting.items()}
        return Outcome(cost=depth + rest, remaining=remaining)

    def _meeting(self) -> list[int]:
        """The states that both last layers hold, with those that symmetries make equal."""
        import numpy as np  # noqa: PLC0415

        forward, module = self.forward, self.forward.module
        common = forward.layer & self.backward.layer
        rows = np.zeros(module.count_common(common, common), dtype=np.int64)
        module.list_states(forward.head[1], forward.side, common, 0, len(common), rows)
        images = {moved_bits(unsigned(row), bits): None for row in rows for bits in self.space.maps}
        return list(images)


def _space(task: Task) -> LinearSpace:
    starts = list(task.starts)
    symmetries = stabiliser(task.problem, starts) if task.algorithm.symmetry == "auto" else []
    space = linear_space(task.problem, starts, symmetries)
    assert space is not None
    return space


def _goals(problem: Any) -> list[int]:
    return list(dict.fromkeys(problem.goal_states()))
