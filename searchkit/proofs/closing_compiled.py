"""The same pass by machine code: best-first search that finds no goal, and its table."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

import attrs
import numpy as np

from searchkit.compiled.best_first.astar import NO_LIMIT, BestFirst
from searchkit.compiled.best_first.kernels.open_list import Info
from searchkit.compiled.specialise.costs import cost_range
from searchkit.compiled.specialise.prepare import specialise
from searchkit.compiled.states.state_set import StoredStates
from searchkit.proofs.kernels import closed
from searchkit.running.task import Outcome, Task

Array = np.ndarray[Any, Any]


def closing(task: Task) -> Generator[None, None, Outcome]:
    """Close all states whose f is within the limit of cost; see `closing.closing`."""
    engine = BestFirst.prepare(task)
    engine.begin()
    yield
    while (yield from engine.until_goal(engine.spec.word_of(NO_LIMIT))):
        task.algorithm.goal_at(engine.closed.cost_of(engine.goal()))
    task.is_all_expanded = True
    yield from task.algorithm.sink(task, ClosedRows(engine, task.max_cost))
    return Outcome(cut=True)


def kept(task: Task) -> Generator[None, None, Outcome]:
    """The same of the states that A* has closed before it ended: these are all that it takes."""
    yield
    engine, task.is_all_expanded = task.algorithm.engine, True
    task.reserve(engine.task.counters.bytes)
    yield from task.algorithm.sink(task, ClosedRows(engine, task.max_cost))
    return Outcome(cut=True)


@attrs.frozen(eq=False)
class ClosedRows:
    """What was expanded with f up to `most` and is no goal; states of the author's, if compiled."""

    engine: BestFirst
    most: float

    def __iter__(self) -> Iterator[tuple[Any, int]]:
        for rows, costs in self.slices():
            yield from zip(self.states(rows), costs.tolist(), strict=True)

    @property
    def most_states(self) -> int:
        """No fewer than there are."""
        return int(self.engine.open.info[Info.EXPANDED])

    def slices(self) -> Iterator[tuple[Array, Array]]:
        """States as rows of words, and their costs; each time the same."""
        spec, task = self.engine.spec, self.engine.task
        own = specialise(
            spec.problem, spec.heuristic, (closed,), skip_inverses=True, kept=task.kept,
            **cost_range(task),
        )  # fmt: skip
        most = spec.word_of(min(self.most, NO_LIMIT))
        for states, marks in self.engine.closed.slices():
            rows, costs = spec.empty(len(marks)), np.empty(len(marks), np.int64)
            put = marks.astype(np.int64)
            count = own.module.take_closed(*own.head[:2], states, put, most, rows, costs)
            yield rows[:count].reshape(count, spec.problem.words).copy(), costs[:count].copy()

    def states(self, rows: Array) -> Iterator[Any]:
        """The states of rows."""
        value = getattr(self.engine.task.problem, "value", None)
        states = StoredStates(rows[:, 0] if rows.shape[1] == 1 else rows)
        return iter(states) if value is None else map(value, states)
