"""What every exploration of a space can say, however it keeps its states."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from typing import Any

from searchkit.solutions.path_numbers import Paths


class Explored(ABC):
    """What was reached, layer by layer."""

    @property
    @abstractmethod
    def sizes(self) -> list[int]:
        """The states of each complete layer."""

    @property
    def canonical_sizes(self) -> list[int]:
        """Those that stand for all that symmetries make equal; `sizes` without symmetries."""
        return self.sizes

    @property
    def partial(self) -> int:
        """How many states of the layer after the last complete one were reached, if it is known."""
        return 0

    @abstractmethod
    def farthest(self) -> Sequence[Any]:
        """The states of the last layer reached."""

    def paths(self) -> Paths | None:
        """The shortest paths, if they were to be counted."""
        return None


class Explorer(Explored):
    """An exploration that is set up: its machine code is loaded."""

    @abstractmethod
    def begin(self, roots: list[Any]) -> None:
        """Make the first layer."""

    @abstractmethod
    def run(self, deepest: float) -> Generator[None, None, bool]:
        """Reach states up to distance `deepest`; whether these are all."""
