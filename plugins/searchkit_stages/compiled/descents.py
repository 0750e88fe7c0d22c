"""Paths that go down the tables of stages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from searchkit_stages.compiled.tables import Tables


@attrs.define(eq=False)
class Descents:
    """Paths with equal room, which go down the tables of one plan.

    Path `i` is `states[i * width:]` and has `lengths[i]` steps, -1 if there is no way.
    """

    tables: Tables
    width: int
    states: np.ndarray[Any, Any]
    lengths: np.ndarray[Any, Any]
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
        return cls(tables, width, states, lengths, np.zeros(4, dtype=np.int64))

    @property
    def done(self) -> bool:
        """Whether all paths are at their ends."""
        return self._stage == len(self.tables)

    @property
    def generated(self) -> int:
        """How many neighbours were looked at."""
        return int(self.info[self.tables[0].spec.module.LOOKED])

    def advance(self, budget: int) -> int:
        """Go on for up to `budget` steps; what is left of it. Paths lose their loops when done."""
        count = len(self.lengths)
        while not self.done:
            table = self.tables[self._stage]
            module = table.spec.module
            self.info[module.STEPS] = budget
            result = module.descend(
                *table.spec.head, table.entries, table.stage.ranks,
                self.states, self.width, 0, count, self.lengths, self.info,
            )  # fmt: skip
            budget = int(self.info[module.STEPS])
            if result == module.OUT_OF_BUDGET:
                return budget
            self._stage += 1
            if self.done:
                module.remove_loops(self.states, self.width, 0, count, self.lengths)
        return budget

    def paths(self) -> list[np.ndarray[Any, Any]]:
        """The states of each path, from its start; empty if there is no way."""
        return [
            self.states[i * self.width : i * self.width + length + 1]
            for i, length in enumerate(self.lengths.tolist())
        ]
