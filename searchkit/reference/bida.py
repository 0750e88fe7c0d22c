"""BIDA* (Manzini, "BIDA*: an improved perimeter search algorithm", 1995)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from searchkit.capabilities import steps_into
from searchkit.engines.perimeter import Perimeter
from searchkit.heuristic import Heuristic
from searchkit.problem import INFINITY
from searchkit.reference.idastar import ida_star
from searchkit.reference.layers import ReferenceLayers
from searchkit.running.task import Outcome, Task

STATE_BYTES = 160
"""About how many bytes Python takes for a state of the perimeter."""


def bida_star(task: Task) -> Generator[None, None, Outcome]:
    """IDA* with the larger of two estimates: that of the task, and what the perimeter says.

    Memory O(states of the perimeter); time O(number of paths that end a layer before it).
    """
    perimeter, own = _ReferencePerimeter(task), task.heuristic
    task.heuristic = _Nearer(perimeter, own)
    try:
        return (yield from ida_star(task, perimeter.grow))
    finally:
        task.heuristic = own


class _ReferencePerimeter(Perimeter):
    """One whose states are kept with their distances."""

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        problem: Any = task.problem  # has goal_states, and steps back: checked before
        back: Any = steps_into(problem)
        self.layers = ReferenceLayers(task, back, keep=True)
        self.layers.begin(list(problem.goal_states()))
        self.depth = self.layers.depth
        self.most = task.algorithm.perimeter // STATE_BYTES

    @property
    def sizes(self) -> list[int]:
        """The states of each layer."""
        return self.layers.sizes

    @property
    def next_expansions(self) -> float:
        """The states of the last layer, if there is room for those of the next."""
        if self.depth < 0 or self.layers.stored + self.growth * self.layers.size > self.most:
            return INFINITY
        return self.layers.size

    def deepen(self) -> Generator[None, None, None]:
        """Make another layer."""
        self.is_whole = not (yield from self.layers.grow())
        self.depth = self.layers.depth


class _Nearer(Heuristic[Any, Any]):
    """The larger of another estimate and of what a perimeter says."""

    def __init__(self, perimeter: _ReferencePerimeter, own: Heuristic[Any, Any]) -> None:
        self.perimeter, self.own, self.name = perimeter, own, own.name
        self.key_of = perimeter.task.problem.key

    def __call__(self, state: Any) -> float:
        """The larger bound."""
        estimate = self.perimeter.task.plain_estimate(self.own(state), state)
        distance = self.perimeter.layers.distances.get(self.key_of(state))
        return max(estimate, self.perimeter.bound(distance))
