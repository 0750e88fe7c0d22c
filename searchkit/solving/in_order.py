"""Many starts, in their order: the first ones here, the others side by side once it pays."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import chain
from typing import Any, Generic

import attrs

from searchkit.errors import SearchkitError
from searchkit.executors.executor import Executor
from searchkit.executors.parcels import Parcel
from searchkit.limits import Progress, ProgressListener
from searchkit.running.free_memory import default_memory
from searchkit.solving.plan import Trials
from searchkit.solving.solver import Found, Item, Solver
from searchkit.solving.team import Team


class _EnoughError(SearchkitError):
    """Several processes are worth their start: the item at hand is begun again in one."""


@attrs.frozen(kw_only=True)
class InOrder(Generic[Item, Found]):
    """Solves items by `solver`, in this process, and from some time on by an executor.

    Not before the engine is known: what it depends on, the work that all starts before have taken,
    would else depend on which process solves which.
    """

    solver: Solver[Item, Found]
    parcel: Callable[[], Parcel[Solver[Item, Found]]]
    """Makes the same solver for workers."""
    start: Callable[[], Executor] | None = None
    """Starts the executor; None where this process is to solve all."""
    patience: float = 0.0
    """Seconds of work after which it is worth its start; so is making machine code."""
    has_shares: bool = True
    """Whether all workers share the memory of this machine."""
    has_gaps: bool = False
    """Whether what is found behind an item that is not done is of use, after Ctrl-C."""
    listening: Callable[[Item], AbstractContextManager[ProgressListener]] = lambda item: (
        nullcontext(lambda progress: None)
    )
    """Who hears of the progress of a search in this process."""
    show: Callable[[int, int], None] = lambda done, busy: None

    def solve(self, items: Iterator[Item]) -> Iterator[Found]:
        """What is found for each item; see `Team.solve` for what is raised."""
        solver, series = self.solver, self.solver.series
        began = time.monotonic()

        def is_enough() -> bool:
            is_late = time.monotonic() - began >= self.patience
            return self.start is not None and series.is_settled and is_late

        for item in items:
            before = attrs.asdict(series.trials or Trials())
            try:
                with self.listening(item) as listener:

                    def listen(progress: Progress, hear: ProgressListener = listener) -> None:
                        if (self.start is not None and progress.preparing) or is_enough():
                            raise _EnoughError
                        hear(progress)

                    if is_enough():
                        raise _EnoughError
                    found = solver.solve(item, listen)
            except _EnoughError:
                assert self.start is not None
                yield from self._team(self.start(), before).solve(chain([item], items))
                return
            yield found

    def _team(self, executor: Executor, before: dict[str, Any]) -> Team[Item, Found]:
        """Who solves what is left.

        The first of it was begun here, and is begun again as if it had not been, with the trials
        `before`.
        """
        series = self.solver.series
        most = default_memory()
        memory = most if series.limits.memory is None else series.limits.memory
        # They share the memory. A search for which its share is too little gets all in the end.
        return Team(
            executor=executor,
            solver=self.solver,
            parcel=self.parcel(),
            trials=(before, attrs.asdict(series.trials or Trials())),
            share=min(memory, most // executor.workers) if self.has_shares else None,
            memory=memory,
            has_gaps=self.has_gaps,
            show=self.show,
        )
