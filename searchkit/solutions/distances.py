"""Which states lie on optimal solutions, kept in arrays by an engine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from typing import Any

from searchkit.running.task import Run


class Distances(ABC):
    """The distance to the goal of each state on an optimal solution."""

    @abstractmethod
    def are_at(self, states: Sequence[Any], distances: Sequence[int]) -> Sequence[bool]:
        """For each of some states, whether it lies on an optimal solution at this distance."""

    @abstractmethod
    def counting(self, run: Run, starts: Sequence[Any]) -> Generator[None, None, int]:
        """Count the solutions from `starts`, which lie on some, as a sliced engine.

        `run` is that of the counting; the number is exact.
        """
