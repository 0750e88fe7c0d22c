"""Breadth-first search up to symmetry over packed states, from one end or from both.

Layers hold canonical states, in hash tables. Solutions are found by walking back through all
states that these stand for.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from typing import Any

import numpy as np

from searchkit.capabilities import Symmetry
from searchkit.compiled.breadth_first.bidirectional import begin_both
from searchkit.compiled.breadth_first.expansion import HashedLayers, common
from searchkit.compiled.breadth_first.kernels.expansion import Goals
from searchkit.compiled.specialise.images import check_images
from searchkit.engines.both_ends import BothEnds
from searchkit.packed import PackedProblem
from searchkit.running.task import Outcome, Task
from searchkit.solutions.by_layers import by_steps, distances_back


def _layers(task: Task, goals: Goals, symmetries: Sequence[Symmetry[Any, Any]]) -> HashedLayers:
    """The layers of the problem of `task` up to some symmetries that keep the first layer."""
    problem = task.problem
    assert isinstance(problem, PackedProblem)
    check_images(type(problem).__name__, task.starts, problem.words, symmetries)
    return HashedLayers.prepare(task, goals, symmetries=symmetries)


def _orbits(layers: HashedLayers, indexes: Iterable[int]) -> list[Any]:
    """All states that some of the stored ones stand for, each once."""
    states = map(layers.store.state, indexes)
    maps = [each.state_map for each in layers.symmetries] or [lambda state: state]
    return list(dict.fromkeys(image(state) for state in states for image in maps))


def breadth_first(
    task: Task, symmetries: Sequence[Symmetry[Any, Any]]
) -> Generator[None, None, Outcome]:
    """Expand the canonical states of layer after layer, up to the first layer with a goal.

    With the counts of the reference engine. A canonical state takes what a state takes in search
    without symmetry.
    """
    layers = _layers(task, Goals.ALL, symmetries)
    yield
    layers.begin(list(task.starts))
    goals, whole = yield from layers.until_goals(
        task,
        lambda: _orbits(layers, layers.goals() if layers.goals_found or not layers.depth else ()),
    )
    if not goals:
        return Outcome(cut=not whole)
    return (yield from layers.back_from(task, goals, every=task.every))


def bidirectional(
    task: Task, symmetries: Sequence[Symmetry[Any, Any]]
) -> Generator[None, None, Outcome]:
    """Grow layers of canonical states from the start and from the goals until they meet."""
    forward, backward = (_layers(task, Goals.NONE, symmetries) for _ in range(2))
    yield from begin_both(task, forward, backward)
    return (yield from _SymmetricSearch(task, forward, backward).meet())


class _SymmetricSearch(BothEnds[HashedLayers]):
    def meeting(self) -> np.ndarray[Any, Any]:
        """The indexes on the forward side, rising, of the states in both last layers."""
        return np.sort(common(self.forward, self.backward)[0])

    def join(self, meeting: np.ndarray[Any, Any]) -> Generator[None, None, Outcome]:
        """The solutions through the states that those of `meeting` stand for."""
        task, forward, backward = self.task, self.forward, self.backward
        level = _orbits(forward, meeting.tolist() if task.every else meeting[:1].tolist())
        level = level if task.every else level[:1]
        back, ahead = (
            by_steps(task, side.contains, every=task.every) for side in (forward, backward)
        )
        remaining = yield from distances_back(
            task, level, forward.depth, back, nearest=backward.depth
        )
        steps = yield from distances_back(task, level, backward.depth, ahead)
        remaining |= {state: backward.depth - far for state, far in steps.items()}
        return Outcome(cost=forward.depth + backward.depth, remaining=remaining)
