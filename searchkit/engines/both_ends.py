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

        For each cost c up to a + b, if a and b are the last complete layers, two complete layers
        i and c - i were compared. A shortest solution of cost c has a state that is i steps from
        the start and c - i from a goal, and so lies in both: as they were disjoint, no solution
        costs less than a + b + 1. A new state of the side that grows is a + 1 steps from the start
        (or b + 1 from a goal), also while its layer is not complete. If the last layer of the
        other side holds it, there is a solution of cost a + b + 1 through it, and that is optimal:
        where one solution is wanted, a side may stop at the first such state. All solutions pass
        through the states that two complete layers have in common. If either side runs out of
        states there is no solution.
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
