"""The tasks of `part_tasks` where a problem numbers its states: files hold the numbers.

Successors of many states are bits of a bitmap; those of few are sorted, as states are. (R. E. Korf
and P. Schultze, Large-Scale Parallel Breadth-First Search, 2005.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from searchkit.compiled.layers.kernels import rank_parts
from searchkit.compiled.layers.kernels.rank_parts import (
    BAD_RANK,
    NOT_GIVEN_BACK,
    WRONG_COST,
    Room,
)
from searchkit.compiled.layers.marked import Marked
from searchkit.compiled.layers.part_tasks import Expansion, Setting, Source, TableRules
from searchkit.compiled.layers.ranked import bad_rank, is_numbered, wrong_number
from searchkit.compiled.layers.row_reader import key_module
from searchkit.compiled.layers.runs import RunWriter
from searchkit.compiled.specialise.kernels import canonical
from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.prepare import specialise
from searchkit.errors import ProblemError
from searchkit.running.task import Run
from searchkit.tables.store import Files

if TYPE_CHECKING:
    from searchkit.tables.keys import Words

BATCH = 1024
CHUNK = 1 << 14
"""The most states that are expanded at once: their successors stay in the cache."""
FEW = 1 << 10
"""With fewer successors than one for so many numbers, to sort takes less than to go through bits.
"""
ROOMS = 4
"""How many times the room for successors at hand a bitmap may take: they need no copy."""


@attrs.frozen(eq=False, repr=False)
class RankRules(TableRules):
    """Rules by which numbers of states have successors."""

    _batch: Room

    @classmethod
    def of(cls, setting: Setting) -> RankRules:
        """Make or load the machine code of all tasks."""
        problem: Any = setting.problem
        images = int(setting.images.count)
        spec = specialise(
            problem, None, (rank_parts, canonical), IMAGES=images, BATCH=BATCH,
            SINGLE=problem.controls == 1,
            NUMBERED=lambda lists: images == 1 and is_numbered(problem, lists),
        )  # fmt: skip
        batch = Room(
            states=spec.empty(BATCH),
            controls=np.zeros(BATCH, np.int64),
            numbers=np.zeros(BATCH, np.int64),
            parents=spec.empty(BATCH),
            ends=np.zeros(problem.controls, np.int64),
            children=spec.empty(BATCH),
        )
        return cls(setting, spec, key_module(1), Run(problem=problem), batch)

    def rows(self, states: list[Any]) -> Words:
        """The numbers of the canonical states of some states."""
        rank = self.setting.problem.rank
        return np.array([rank(python_state(row)) for row in super().rows(states)], np.int64)

    def stand_for(self, found: Words) -> int:
        """How many states those of canonical numbers stand for."""
        return len(found) if self.spec.module.IMAGES == 1 else self.canonical(self._states(found))

    def expansion(
        self, files: Files, sources: Sequence[Source], of: int, room: int
    ) -> RankExpansion:
        """What makes runs of the successors of some of `of` states."""
        return RankExpansion(self, files, sources, of, room)

    def expand(self, numbers: Words, found: Words) -> int:
        """Put the numbers of all successors of some numbers into `found`; how many there are.

        Raises `ProblemError` where the kernels contradict each other.
        """
        spec, setting = self.spec, self.setting
        made = int(
            spec.module.numbers_of_children(
                spec.head[0], spec.lists, setting.images, setting.ranks, numbers, self._batch, found
            )
        )
        if made < 0:
            raise self._wrong(made, numbers)
        return made

    def _states(self, numbers: Words) -> Words:
        rows = self.spec.empty(len(numbers))
        self.spec.module.states_of_numbers(self.spec.head[0], numbers, rows)
        return rows

    def _wrong(self, what: int, numbers: Words) -> Exception:
        problem, listed = self.spec.problem, map(python_state, self._states(numbers))
        if what == WRONG_COST:
            return self.run.wrong_cost_among(listed)
        if what == BAD_RANK:
            return bad_rank(problem, numbered=bool(self.spec.module.NUMBERED))
        if what == NOT_GIVEN_BACK:
            name = type(problem).__name__
            return ProblemError(f"{name}: unrank does not give the state back whose rank it takes")
        return wrong_number(problem, listed)


@attrs.define(eq=False, repr=False)
class RankExpansion(Expansion):
    """Makes runs of the numbers of successors."""

    _listed: Words = attrs.field(init=False)
    _marked: Marked | None = attrs.field(init=False, default=None)
    """The successors so far, where there are going to be many."""

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        self._listed = np.empty(0, np.int64)
        ranks = self.rules.setting.ranks
        if self.left * self._widest * FEW >= ranks and ranks // 8 <= ROOMS * self.room:
            self._marked = Marked.below(ranks)

    @property
    def _most(self) -> int:
        return min(CHUNK, super()._most)

    @property
    def at_hand(self) -> Marked | None:
        """The successors, if they are bits and any is set."""
        return self._marked if self._marked is not None and self._marked.count else None

    def _expand(self, states: Words) -> None:
        wanted = len(states) * self._widest
        if len(self._listed) < wanted:
            self._listed = np.empty(wanted, np.int64)
        assert isinstance(self.rules, RankRules)
        count = self.rules.expand(states, self._listed)
        self.generated += count
        self._add(self._listed[:count])

    def _add(self, found: Words) -> None:
        if self._marked is None:
            super()._add(found)
        else:
            self._marked.mark(found)
            self.bytes = max(self.bytes, self._marked.bitmap.nbytes + self._listed.nbytes)

    def _flush(self) -> None:
        if self._marked is None:
            super()._flush()
        elif self._marked.count:
            with RunWriter(self.files, 1, self._marked.count) as writer:
                for found in self._marked.taken():
                    writer.write(found)
                self._runs.append(writer.finish())
