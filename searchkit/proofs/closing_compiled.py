"""The same pass by machine code: best-first search that finds no goal, and its table."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

import numpy as np

from searchkit.compiled.best_first.astar import NO_LIMIT, BestFirst
from searchkit.compiled.states.state_set import StoredStates
from searchkit.running.task import Outcome, Task


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
    yield from task.algorithm.sink(task, _closed(engine, goals))
    return Outcome(cut=True)


def _closed(engine: BestFirst, goals: set[Any]) -> Iterator[tuple[Any, int]]:
    """What was expanded, as states of the author's where machine code was made of rules."""
    value = getattr(engine.task.problem, "value", None)
    for states, marks in engine.closed.slices():
        put = (marks & 1) > 0
        costs = ((marks[put].astype(np.int64) >> 1) - 1).tolist()
        for state, cost in zip(StoredStates(states[put]), costs, strict=True):
            if state not in goals:
                yield (state if value is None else value(state)), cost
