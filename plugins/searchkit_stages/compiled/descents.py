"""Paths that go down the tables of stages."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

import numpy as np

from searchkit.running.task import Task
from searchkit_stages.compiled.kernels.tables import LOOKED, OUT_OF_BUDGET, STEPS, Paths
from searchkit_stages.compiled.tables import Tables

States = np.ndarray[Any, Any]


def spend(task: Task, expanded: int, generated: int) -> None:
    """Take what was done from the budget, and count it."""
    task.budget -= expanded
    task.counters.expanded += expanded
    task.counters.generated += generated


def descents(
    task: Task, tables: Tables, starts: Sequence[Any]
) -> Generator[None, None, list[States]]:
    """The states of a path from each start down the tables of one plan; empty if there is no way.

    Yields where the budget is spent. The paths have no loops.
    """
    width = 1 + sum(table.worst for table in tables)
    spec = tables[0].spec
    states = spec.empty(len(starts) * width)
    states[::width] = spec.states(list(starts))
    paths = Paths(states, np.zeros(len(starts), dtype=np.int64), width)
    info = np.zeros(4, dtype=np.int64)
    for table in tables:
        spec = table.spec
        result = OUT_OF_BUDGET
        while result == OUT_OF_BUDGET:
            info[STEPS], info[LOOKED] = task.budget, 0
            result = spec.module.descend(spec.head[0], spec.lists, table.record, paths, info)
            spend(task, task.budget - int(info[STEPS]), int(info[LOOKED]))
            if result == OUT_OF_BUDGET:
                yield
    spec.module.remove_loops(paths)
    return [states[i * width : i * width + n + 1] for i, n in enumerate(paths.lengths.tolist())]
