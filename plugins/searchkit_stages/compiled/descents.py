"""Paths that go down the tables of stages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from searchkit_stages.compiled.kernels.tables import LOOKED, OUT_OF_BUDGET, STEPS, Paths
from searchkit_stages.compiled.tables import Tables


@attrs.define(eq=False)
class Descents:
    """Paths with equal room, which go down the tables of one plan."""

    tables: Tables
    record: Paths
    info: np.ndarray[Any, Any]
    _stage: int = 0

    @classmethod
    def of(cls, tables: Tables, starts: Sequence[Any]) -> Descents:
        """Paths that begin at `starts`."""
        width = 1 + sum(table.worst for table in tables)
        spec = tables[0].spec
        states = spec.empty(len(starts) * width)
        states[::width] = spec.states(list(starts))
        lengths = np.zeros(len(starts), dtype=np.int64)
        return cls(tables, Paths(states, lengths, width), np.zeros(4, dtype=np.int64))

    @property
    def done(self) -> bool:
        """Whether all paths are at their ends."""
        return self._stage == len(self.tables)

    @property
    def generated(self) -> int:
        """How many neighbours were looked at."""
        return int(self.info[LOOKED])

    def advance(self, budget: int) -> int:
        """Go on for up to `budget` steps; what is left of it. Paths lose their loops when done."""
        while not self.done:
            table = self.tables[self._stage]
            spec = table.spec
            self.info[STEPS] = budget
            result = spec.module.descend(
                spec.head[0], spec.lists, table.record, self.record, self.info
            )
            budget = int(self.info[STEPS])
            if result == OUT_OF_BUDGET:
                return budget
            self._stage += 1
            if self.done:
                spec.module.remove_loops(self.record)
        return budget

    def paths(self) -> list[np.ndarray[Any, Any]]:
        """The states of each path, from its start; empty if there is no way."""
        states, lengths, width = self.record
        return [states[i * width : i * width + n + 1] for i, n in enumerate(lengths.tolist())]
