"""Paths that go down the tables of stages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.compiled.stages.stage_tables import StageTable

if TYPE_CHECKING:
    import numpy as np


@attrs.define(eq=False)
class Descents:
    """Paths of equally many states of room each, which go down the tables of one plan.

    Path `i` is `paths[i * width:]` and has `lengths[i]` steps, -1 if there is no way.
    """

    tables: tuple[StageTable, ...]
    width: int
    paths: np.ndarray[Any, Any]
    lengths: np.ndarray[Any, Any]
    info: np.ndarray[Any, Any]
    _stage: int = 0

    @classmethod
    def of(cls, tables: tuple[StageTable, ...], starts: Sequence[Any]) -> Descents:
        """Paths that begin at `starts`."""
        import numpy as np  # noqa: PLC0415

        width = 1 + sum(table.worst for table in tables)
        spec = tables[0].spec
        paths = spec.empty(len(starts) * width)
        paths[::width] = spec.states(list(starts))
        lengths = np.zeros(len(starts), dtype=np.int64)
        return cls(tables, width, paths, lengths, np.zeros(4, dtype=np.int64))

    @property
    def done(self) -> bool:
        """Whether all paths are at their ends."""
        return self._stage == len(self.tables)

    @property
    def bytes(self) -> int:
        """The memory of paths and tables."""
        return self.paths.nbytes + sum(table.entries.nbytes for table in self.tables)

    def advance(self, budget: int) -> int:
        """Go on for up to `budget` steps; what is left of it, and of loops nothing when done."""
        count = len(self.lengths)
        while not self.done:
            table = self.tables[self._stage]
            module = table.spec.module
            self.info[module.STEPS] = budget
            result = module.descend(
                *table.spec.head, table.entries, table.stage.ranks,
                self.paths, self.width, 0, count, self.lengths, self.info,
            )  # fmt: skip
            budget = int(self.info[module.STEPS])
            if result == module.OUT_OF_BUDGET:
                return budget
            self._stage += 1
            if self.done:
                module.remove_loops(self.paths, self.width, 0, count, self.lengths)
        return budget

    @property
    def generated(self) -> int:
        """How many neighbours were looked at."""
        return int(self.info[self.tables[0].spec.module.LOOKED])

    def path(self, i: int) -> np.ndarray[Any, Any]:
        """The states of a path, and room beyond its end."""
        found: np.ndarray[Any, Any] = self.paths[i * self.width : (i + 1) * self.width]
        return found
