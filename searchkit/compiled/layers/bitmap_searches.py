"""Breadth-first search by bitmaps, from one end or from both, up to symmetry.

Whole layers, then back from the goal; from both ends, with true predecessors.
"""

from __future__ import annotations

from collections.abc import Generator
from itertools import compress
from typing import Any

import attrs
import numpy as np

from searchkit.compiled.layers.bitmap_solutions import BitmapDistances, reached
from searchkit.compiled.layers.bitmaps import BitmapLayers
from searchkit.compiled.specialise.module import unsigned
from searchkit.engines.both_ends import BothEnds
from searchkit.premises.toggle_proofs import toggle_certificate
from searchkit.running.task import Outcome, Task
from searchkit.solutions.by_layers import by_steps, distances_back


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
    return (yield from _BitmapSearch(task, forward, backward).meet())


class _BitmapSearch(BothEnds[BitmapLayers]):
    def meeting(self) -> np.ndarray[Any, Any]:
        """The canonical states that both last layers hold, as a bitmap; empty if there are none."""
        forward, backward = self.forward, self.backward
        common = forward.workers.module.count_common
        if forward.side != backward.side or not common(forward.bitmap, backward.bitmap):
            return forward.bitmap[:0]
        found: np.ndarray[Any, Any] = forward.bitmap & backward.bitmap
        return found

    def join(self, meeting: np.ndarray[Any, Any]) -> Generator[None, None, Outcome]:
        """The solutions through the states of `meeting`."""
        task, forward, backward = self.task, self.forward, self.backward
        task.is_all_expanded = True
        task.partial = yield from self._one(unsigned(forward.states_of(forward.side, meeting)[0]))
        if not task.every:
            return task.partial
        side, level = forward.side, forward.list_numbers(meeting)
        before, after = forward.release()[:-1], backward.release()[:-1]
        held = 8 * task.threads * len(meeting) + sum(layer.nbytes for layer in after)
        del meeting
        yield from reached(task, backward.workers, before, side, level, held=held)
        held = sum(layer.nbytes for layer in before)
        yield from reached(task, forward.workers, after, side, level, held=held)
        layers = [*before, level, *reversed(after)]
        distances = BitmapDistances(forward.workers, forward.side_of(0), layers)
        return Outcome(cost=len(layers) - 1, remaining=distances)

    def _one(self, state: int) -> Generator[None, None, Outcome]:
        """One solution through a state."""
        task, depth, rest = self.task, self.forward.depth, self.backward.depth
        before = by_steps(task, self.forward.contains, every=False)
        remaining = yield from distances_back(task, [state], depth, before, nearest=rest)
        after = by_steps(task, self.backward.contains, every=False, steps=task.problem.successors)
        ahead = yield from distances_back(task, [state], rest, after)
        remaining |= {key: rest - far for key, far in ahead.items()}
        return Outcome(cost=depth + rest, remaining=remaining)
