"""Paths that go down the tables of stages."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from itertools import pairwise
from typing import Any

import attrs
import numpy as np

from searchkit.running.task import Task
from searchkit_stages.compiled.kernels.tables import LOOKED, OUT_OF_BUDGET, STEPS, Joined, Paths
from searchkit_stages.compiled.tables import Tables

States = np.ndarray[Any, Any]


def spend(task: Task, expanded: int, generated: int) -> None:
    """Take what was done from the budget, and count it."""
    task.budget -= expanded
    task.counters.expanded += expanded
    task.counters.generated += generated


@attrs.frozen(eq=False)
class JoinedPaths:
    """Paths one after the other: path `i` is `states[begins[i]:begins[i + 1]]`.

    That of a start without a way is empty.
    """

    states: States
    begins: np.ndarray[Any, Any]

    @classmethod
    def of(cls, paths: Sequence[States]) -> JoinedPaths:
        """Put them one after the other."""
        return cls(np.concatenate(paths), np.cumsum([0, *map(len, paths)]))

    def each(self) -> list[States]:
        """The paths one by one."""
        begins = self.begins.tolist()
        return [self.states[begin:end] for begin, end in pairwise(begins)]

    def ends(self) -> States:
        """The last states of all paths that are not empty."""
        last: States = self.states[self.begins[1:][np.diff(self.begins) > 0] - 1]
        return last


def descents(
    task: Task, tables: Tables, starts: Sequence[Any]
) -> Generator[None, None, JoinedPaths]:
    """The states of a path from each start down the tables of one plan.

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
    joined = Joined(
        spec.empty(int(paths.lengths.sum()) + len(starts)),
        np.zeros(len(starts) + 1, dtype=np.int64),
        np.full(1 << (8 * width).bit_length(), -1, dtype=np.int64),
    )
    spec.module.join(paths, joined)
    return JoinedPaths(joined.states[: joined.begins[-1]], joined.begins)
