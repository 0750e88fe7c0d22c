"""What solves one start after another, in this process or as tasks of an executor, for how long."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic, Protocol, TypeVar

import attrs

from searchkit.errors import WorkerError
from searchkit.executors.parcels import Parcel
from searchkit.executors.stopping import StopFile
from searchkit.executors.worker import allow
from searchkit.limits import LimitKind, ProgressListener
from searchkit.running.free_memory import default_memory
from searchkit.running.making import telling_of_code
from searchkit.running.processors import processors
from searchkit.running.warned import warnings_passed
from searchkit.solving.plan import Trials
from searchkit.solving.series import Series
from searchkit.texts.amounts import one_line

LOADING_SECONDS = 1800.0
"""How long a task may take to load: pattern databases may have to be built."""
GRACE_SECONDS = 5.0
GRACE_SHARE = 0.25
"""How much longer than its time limit a search is given to end by itself before it is killed."""
MAKING_SECONDS = 300.0
"""So long one function may take to be made into machine code in the middle of a search."""
LATE = "it did not stop by itself at the time limit, and was killed"


def seconds_allowed(limit: float | None) -> float | None:
    """How long a search with that limit of time may take before it is killed; None for ever."""
    return None if limit is None else limit * (1 + GRACE_SHARE) + GRACE_SECONDS


class Limited(Protocol):
    """What is found for a start, and which limit the search for it has reached, if any."""

    @property
    def limit(self) -> LimitKind | None:
        """None as well where it was interrupted."""


Item = TypeVar("Item")
Found = TypeVar("Found", bound=Limited)


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


@attrs.frozen
class Given(Generic[Item]):
    """What a worker is given for one start."""

    item: Item
    trials: dict[str, Any]
    memory: int
    is_share: bool
    """Whether other starts share the memory of this machine."""
    allowed: float | None
    """How many seconds the search may take before it is killed."""
    stop: StopFile | None = None
    """Tells the search to end with its best so far, where it can be told."""


def solve(
    parcel: Parcel[Solver[Item, Found]], given: Given[Item]
) -> tuple[Found | None, list[str]]:
    """What is found for a start, and what was warned of. What ends the whole is raised.

    Nothing is found for a start that was not begun before all were to end.
    """
    notes: list[str] = []
    if given.stop is not None and given.stop.is_set():
        return None, notes
    allowed = given.allowed
    with warnings_passed(lambda text: notes.append(one_line(text))):
        allow(None if allowed is None else LOADING_SECONDS, LATE)
        solver = parcel.open()
        allow(allowed, LATE)
        series = solver.series
        series.trials = Trials(**given.trials)
        memory = given.memory
        if given.is_share:
            memory = min(memory, default_memory() // processors())
        series.limits = attrs.evolve(series.limits, memory=memory, cancel=given.stop)
        more = None if allowed is None else allowed + MAKING_SECONDS
        with telling_of_code(lambda: allow(more, LATE)):
            return solver.solve(given.item), notes
