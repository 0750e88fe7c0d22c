"""One start of many, solved as a task of an executor."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import attrs

from searchkit.executors.parcels import Parcel
from searchkit.executors.stopping import StopFile
from searchkit.executors.worker import allow
from searchkit.running.free_memory import default_memory
from searchkit.running.making import telling_of_code
from searchkit.running.processors import processors
from searchkit.running.warned import warnings_passed
from searchkit.solving.allowed import LATE, LOADING_SECONDS, MAKING_SECONDS
from searchkit.solving.plan import Trials
from searchkit.solving.solver import Solver
from searchkit.texts.amounts import one_line

Item = TypeVar("Item")
Found = TypeVar("Found")


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
        series.limits = attrs.evolve(series.limits, memory=_memory(given), cancel=given.stop)
        more = None if allowed is None else allowed + MAKING_SECONDS
        with telling_of_code(lambda: allow(more, LATE)):
            return solver.solve(given.item), notes


def _memory(given: Given[Any]) -> int:
    if not given.is_share:
        return given.memory
    return min(given.memory, default_memory() // processors())
