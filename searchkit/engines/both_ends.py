"""Bidirectional breadth-first search: the loop that grows layers from both ends until they meet.

Pohl, "Bi-directional search" (1971).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Generator
from typing import Any, Generic, TypeVar

import attrs

from searchkit.engines.explored import Explorer
from searchkit.running.task import Outcome, Task

S = TypeVar("S", bound=Explorer)


@attrs.define(eq=False, repr=False, slots=False)
class BothEnds(ABC, Generic[S]):
    """A search from both ends, whose first layers are there."""

    task: Task
    forward: S
    backward: S

    @abstractmethod
    def meeting(self) -> Collection[Any]:
        """The states, in whatever form, that both last layers hold."""

    def grown(self, side: S) -> Generator[None, None, int]:
        """Make the next layer of a side; how many states it has."""
        return side.grow()

    @abstractmethod
    def join(self, meeting: Any) -> Generator[None, None, Outcome]:
        """The solutions through these states."""

    def meet(self) -> Generator[None, None, Outcome]:
        """Grow layers from the start and from the goals, the smaller one first, until they meet.

        Layers are finished before the meeting is looked for, so the first meeting is at the
        optimal cost and every optimal solution passes through a state of it. If either side runs
        out of states there is no solution.
        """
        forward, backward, counters = self.forward, self.backward, self.task.counters
        while True:
            counters.waiting(forward.size + backward.size)
            counters.holding(forward.stored + backward.stored)
            depth = forward.depth + backward.depth
            counters.prove(depth)
            meeting = self.meeting()
            if len(meeting):
                return (yield from self.join(meeting))
            if depth >= self.task.max_cost:
                return Outcome(cut=True)
            counters.prove(depth + 1)
            smaller = backward if backward.size < forward.size else forward
            if not (yield from self.grown(smaller)):
                return Outcome()
