"""Bidirectional breadth-first search by bitmaps, with true predecessors, up to symmetry."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import attrs

from searchkit.compiled.layers.bitmaps import BitmapLayers
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
    problem: Any = task.problem
    goals, space = list(dict.fromkeys(problem.goal_states())), task.space
    places = {goal: place for goal in goals if (place := space.canonical(goal))}
    if not places:
        yield
        return Outcome(certificate=toggle_certificate(task.starts, goals, space.toggles))
    starts = list(task.starts)
    if len({side for side, _ in places.values()}) > 1:  # layers from them would lie on both sides
        space = space.on_one_side(starts)
    forward, backward = (
        BitmapLayers.prepare(task, attrs.evolve(space, backward=back), keep=True)
        for back in (False, True)
    )
    forward.other, backward.other = backward, forward
    yield
    forward.begin(starts)
    backward.begin(list(places))
    return (yield from _Search(task, forward, backward).meet())


class _Search(BothEnds[BitmapLayers]):
    def meeting(self) -> list[int]:
        """The states that both last layers hold, with those that symmetries make equal."""
        forward, backward = self.forward, self.backward
        if forward.side != backward.side:
            return []
        rows = forward.states_of(forward.side, forward.bitmap & backward.bitmap)
        maps = forward.space.maps
        return list({moved_bits(unsigned(row), bits): None for row in rows for bits in maps})

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
