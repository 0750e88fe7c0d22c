"""The same pass by machine code: best-first search that finds no goal, and its table."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator
from typing import Any

import attrs
import numpy as np

from searchkit.compiled.best_first.astar import NO_LIMIT, BestFirst
from searchkit.compiled.states.state_set import StoredStates
from searchkit.running.task import Outcome, Task

Array = np.ndarray[Any, Any]


def closing(task: Task) -> Generator[None, None, Outcome]:
    """Close all states whose f is within the limit of cost; see `closing.closing`."""
    engine = BestFirst.prepare(task)
    engine.begin()
    yield
    goals: set[Any] = set()
    while (yield from engine.until_goal(engine.spec.word_of(NO_LIMIT))):
        goal = engine.goal()
        task.algorithm.goal_at((engine.closed.marks_of([goal])[0] >> 1) - 1)
        goals.add(goal)
    task.is_all_expanded = True
    yield from task.algorithm.sink(task, ClosedRows(engine, goals))
    return Outcome(cut=True)


@attrs.frozen(eq=False)
class ClosedRows:
    """What was expanded and is no goal; states of the author's where rules were compiled."""

    engine: BestFirst
    goals: Collection[Any]

    def __iter__(self) -> Iterator[tuple[Any, int]]:
        for rows, costs in self.slices():
            yield from zip(self.states(rows), costs.tolist(), strict=True)

    def slices(self) -> Iterator[tuple[Array, Array]]:
        """States as rows of words, and their costs; each time the same."""
        spec = self.engine.spec
        goals = spec.states([*self.goals]).reshape(-1, spec.problem.words)
        known = set(map(bytes, goals))
        for states, marks in self.engine.closed.slices():
            put = (marks & 1) > 0
            rows = states[put].reshape(-1, spec.problem.words)
            costs = (marks[put].astype(np.int64) >> 1) - 1
            is_kept = ~np.isin(rows.sum(axis=1), goals.sum(axis=1))
            for place in np.flatnonzero(~is_kept).tolist():
                is_kept[place] = bytes(rows[place]) not in known
            yield (rows[is_kept], costs[is_kept]) if known else (rows, costs)

    def states(self, rows: Array) -> Iterator[Any]:
        """The states of rows."""
        value = getattr(self.engine.task.problem, "value", None)
        states = StoredStates(rows[:, 0] if rows.shape[1] == 1 else rows)
        return iter(states) if value is None else map(value, states)
