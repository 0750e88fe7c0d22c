"""Solutions in stages with a beam: the best states at the end of each stage go on to the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.compiled.specialise.direct import direct
from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.stages.descents import Descents
from searchkit.compiled.stages.stage_tables import StageTable
from searchkit.stages import MOST_ENDS, MOST_SLACK, MOST_SPENT, first_of_each

if TYPE_CHECKING:
    import numpy as np

INFO = 8


@attrs.define(eq=False)
class Calls:
    """The machine code of the tables of one plan, called directly."""

    branch: list[Any]
    measure: list[Any]

    @classmethod
    def of(cls, tables: tuple[StageTable, ...]) -> Calls:
        """Load it, or make it."""
        calls = cls([], [])
        for table in tables:
            module, head = table.spec.module, (*table.spec.head, table.far)
            beam = Beam.of(tables, calls, 1, [])
            calls.branch.append(direct(module.branch, *head, *beam.room(table), 0))
            calls.measure.append(direct(module.measure, *head, beam.states, 0, beam.costs))
        return calls


@attrs.define(eq=False)
class Beam:
    """The best states at the end of a stage, each with its cost and its path from the start.

    In the end the best of all goes down the last table: `path` is then a solution, None if there
    is no way.
    """

    tables: tuple[StageTable, ...]
    calls: Calls
    most: int
    states: np.ndarray[Any, Any]
    costs: np.ndarray[Any, Any]
    paths: list[np.ndarray[Any, Any]]
    path: np.ndarray[Any, Any] | None = None
    done: bool = False
    generated: int = 0
    _stage: int = 0
    _room: tuple[Any, ...] | None = None
    _last: Descents | None = None

    @classmethod
    def of(
        cls, tables: tuple[StageTable, ...], calls: Calls, most: int, starts: Sequence[Any]
    ) -> Beam:
        """A beam of `most` states at most, of one start, or of none."""
        import numpy as np  # noqa: PLC0415

        states = tables[0].spec.states(list(starts))
        count = len(states)
        return cls(tables, calls, most, states, np.zeros(count, np.int64), [states] * count)

    def room(self, table: StageTable) -> tuple[Any, ...]:
        """The arguments of `branch` after the distances, but for the budget."""
        import numpy as np  # noqa: PLC0415

        spec, count = table.spec, len(self.states)
        width = table.worst + MOST_SLACK + 1
        ends = count * MOST_ENDS
        info = np.zeros(INFO, dtype=np.int64)
        info[spec.module.BRANCH_DEPTH] = -1
        return (
            self.states, count, MOST_SPENT, MOST_SLACK, MOST_ENDS, spec.empty(ends * width), width,
            np.zeros(ends, np.int64), np.zeros(ends, np.int64), spec.empty(width + 1),
            np.zeros(width + 1, np.int64), info,
        )  # fmt: skip

    def advance(self, budget: int) -> int:
        """Go on for up to `budget` expansions; what is left of it."""
        import numpy as np  # noqa: PLC0415

        if self._stage == 0 and self._room is None:
            self._keep()
        while self._stage < len(self.tables) - 1 and len(self.states):
            budget = self._branch(budget)
            if self._room is not None:
                return budget
        if len(self.states):
            if self._last is None:
                self._last = Descents.of(self.tables[-1:], [python_state(self.states[0])])
            budget = self._last.advance(budget)
            if not self._last.done:
                return budget
            self.generated += self._last.generated
            way = self._last.path(0)[1 : int(self._last.lengths[0]) + 1]
            self.path = np.concatenate([self.paths[0], way])
        self.done = True
        return budget

    def _branch(self, budget: int) -> int:
        """Go on with the stage at hand, to its end if the budget allows; what is left of it."""
        import numpy as np  # noqa: PLC0415

        table = self.tables[self._stage]
        module = table.spec.module
        self._room = self._room or self.room(table)
        ends, width, lengths, parents = self._room[5:9]
        info = self._room[-1]
        spent, seen = int(info[module.BRANCHED]), int(info[module.SEEN])
        result = self.calls.branch[self._stage](*table.spec.head, table.far, *self._room, budget)
        self.generated += int(info[module.SEEN]) - seen
        budget -= int(info[module.BRANCHED]) - spent
        if result == module.OUT_OF_BUDGET:
            return budget
        made = int(info[module.ENDS])
        lengths, parents = lengths[:made], parents[:made]
        self.states = ends[np.arange(made) * width + lengths]
        self.costs = self.costs[parents] + lengths
        self._stage += 1
        self._room = None
        self.paths = [
            np.concatenate(
                [self.paths[parents[i]], ends[i * width + 1 : i * width + lengths[i] + 1]]
            )
            for i in self._keep()
        ]
        return budget

    def _keep(self) -> list[int]:
        """Leave the states of least cost and distance, each once; their numbers until now."""
        import numpy as np  # noqa: PLC0415

        table = self.tables[self._stage]
        count = len(self.states)
        distances = np.zeros(count, dtype=np.int64)
        self.calls.measure[self._stage](
            *table.spec.head, table.far, self.states, count, distances
        )  # fmt: skip
        order = np.argsort(self.costs + distances, kind="stable")
        order = order[distances[order] >= 0]
        kept = first_of_each(order.tolist(), lambda i: python_state(self.states[i]), self.most)
        self.states = np.ascontiguousarray(self.states[kept])
        self.costs = self.costs[kept]
        return kept
