"""Solutions in stages with a beam: the best states at the end of each stage go on to the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from searchkit.compiled.specialise.direct import direct
from searchkit.compiled.specialise.module import python_state
from searchkit_stages.beam import MOST_ENDS, MOST_SLACK
from searchkit_stages.compiled.descents import Descents
from searchkit_stages.compiled.kernels.beams import BRANCH_DEPTH, BRANCHED, ENDS, SEEN, Stack, Ways
from searchkit_stages.compiled.kernels.tables import OUT_OF_BUDGET
from searchkit_stages.compiled.tables import StageTable, Tables

INFO = 8
Room = tuple[np.ndarray[Any, Any], Ways, Stack, np.ndarray[Any, Any]]


@attrs.define(eq=False)
class Calls:
    """The machine code of the tables of one plan, called directly."""

    branch: list[Any]
    measure: list[Any]

    @classmethod
    def of(cls, tables: Tables) -> Calls:
        """Load it, or make it."""
        calls = cls([], [])
        for table in tables:
            module, tables_of_stage = table.spec.module, table.spec.head[0]
            beam = Beam.of(tables, calls, 1, [])
            head = (tables_of_stage, table.spec.lists, table.record.far)
            calls.branch.append(direct(module.branch, *head, *beam.room(table), 0))
            measured = (tables_of_stage, table.record.far, beam.states, beam.costs)
            calls.measure.append(direct(module.measure, *measured))
        return calls


@attrs.define(eq=False)
class Beam:
    """The best states at the end of a stage, each with its cost and its path from the start.

    In the end the best of all goes down the last table.
    """

    tables: Tables
    calls: Calls
    most: int
    states: np.ndarray[Any, Any]
    costs: np.ndarray[Any, Any]
    ways: list[np.ndarray[Any, Any]]
    done: bool = False
    generated: int = 0
    _stage: int = 0
    _room: Room | None = None
    _last: Descents | None = None

    @classmethod
    def of(cls, tables: Tables, calls: Calls, most: int, starts: Sequence[Any]) -> Beam:
        """A beam of `most` states at most, of one start, or of none."""
        states = tables[0].spec.states(list(starts))
        count = len(states)
        return cls(tables, calls, most, states, np.zeros(count, np.int64), [states] * count)

    def room(self, table: StageTable) -> Room:
        """The arguments of `branch` after the distances, but for the budget."""
        empty = table.spec.empty
        width = table.worst + MOST_SLACK + 1
        ends = len(self.states) * MOST_ENDS
        lengths, parents = np.zeros((2, ends), np.int64)
        info = np.zeros(INFO, dtype=np.int64)
        info[BRANCH_DEPTH] = -1
        stack = Stack(empty(width + 1), np.zeros(width + 1, np.int64))
        return self.states, Ways(empty(ends * width), lengths, parents, width), stack, info

    def advance(self, budget: int) -> int:
        """Go on for up to `budget` expansions; what is left of it."""
        if self._stage == 0 and self._room is None:
            self.ways = [self.ways[i] for i in self._keep()]
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
            (way,) = self._last.paths()
            self.ways = [np.concatenate([self.ways[0], way[1:]])]
        self.done = True
        return budget

    def paths(self) -> list[np.ndarray[Any, Any]]:
        """The states of the only path; empty if there is no way."""
        return self.ways[:1] or [self.states]

    def _branch(self, budget: int) -> int:
        """Go on with the stage at hand, to its end if the budget allows; what is left of it."""
        table = self.tables[self._stage]
        self._room = self._room or self.room(table)
        _, ways, _, info = self._room
        spent, seen = int(info[BRANCHED]), int(info[SEEN])
        result = self.calls.branch[self._stage](
            table.spec.head[0], table.spec.lists, table.record.far, *self._room, budget
        )
        self.generated += int(info[SEEN]) - seen
        budget -= int(info[BRANCHED]) - spent
        if result == OUT_OF_BUDGET:
            return budget
        ends, width, made = ways.states, ways.width, int(info[ENDS])
        lengths, parents = ways.lengths[:made], ways.parents[:made]
        self.states = ends[np.arange(made) * width + lengths]
        self.costs = self.costs[parents] + lengths
        self._stage += 1
        self._room = None
        self.ways = [
            np.concatenate(
                [self.ways[parents[i]], ends[i * width + 1 : i * width + lengths[i] + 1]]
            )
            for i in self._keep()
        ]
        return budget

    def _keep(self) -> list[int]:
        """Leave the states of least cost and distance, each once; their numbers until now."""
        table = self.tables[self._stage]
        distances = np.zeros(len(self.states), dtype=np.int64)
        measure = self.calls.measure[self._stage]
        measure(table.spec.head[0], table.record.far, self.states, distances)
        order = np.argsort(self.costs + distances, kind="stable")
        first: dict[Any, int] = {}
        for i in order[distances[order] >= 0].tolist():
            first.setdefault(python_state(self.states[i]), i)
            if len(first) == self.most:
                break
        kept = list(first.values())
        self.states = np.ascontiguousarray(self.states[kept])
        self.costs = self.costs[kept]
        return kept
