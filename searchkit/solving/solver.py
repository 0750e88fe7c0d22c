"""What solves one start after another, in this process or in others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from searchkit.errors import WorkerError
from searchkit.limits import ProgressListener
from searchkit.solving.series import Series

Item = TypeVar("Item")
Found = TypeVar("Found")


class Solver(ABC, Generic[Item, Found]):
    """Solves starts of one puzzle, as `items` describe them.

    It is made once in each process. Items and what is found of them travel between processes.
    """

    @property
    @abstractmethod
    def series(self) -> Series:
        """The searches, which share what is found out about the rules."""

    @abstractmethod
    def solve(self, item: Item, progress: ProgressListener | None = None) -> Found:
        """What is found for one item."""

    @abstractmethod
    def lost(self, item: Item, error: WorkerError) -> Found:
        """What is found where the process of an item ended, or was ended, in the middle of it."""

    @abstractmethod
    def is_short_of_memory(self, found: Found) -> bool:
        """Whether the search reached its limit of memory."""
