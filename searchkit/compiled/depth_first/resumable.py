"""Depth-first search in slices, which can leave subtrees to others: what its forms share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import attrs
import numpy as np

from searchkit.compiled.depth_first.kernels.deepening import Ended, Info, Roots
from searchkit.compiled.depth_first.kernels.pruning import NO_EXCESS
from searchkit.compiled.specialise.costs import wrong_estimate
from searchkit.compiled.specialise.entries import DirectCalls
from searchkit.compiled.specialise.growable import doubled
from searchkit.compiled.specialise.kernels.children import NO_ROOM, TRAPPED
from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.errors import ProblemError
from searchkit.running.task import Task

MOST_BOUND = 1 << 61
"""The largest bound on f of machine code; in a weighted search on f times the weight's denominator.
"""
NO_CUT = 1 << 62
"""A depth that no state has."""


@attrs.frozen
class Counted:
    """States expanded and generated, and by how much the smallest f above the bound is above."""

    expanded: int
    generated: int
    next_excess: int

    @classmethod
    def of(cls, info: Any) -> Counted:
        """The counts in the `info` of a kernel, whose first three these are in all of them."""
        return cls(int(info[Info.EXPANDED]), int(info[Info.GENERATED]), int(info[Info.NEXT_EXCESS]))

    def __add__(self, other: Counted) -> Counted:
        return Counted(
            self.expanded + other.expanded,
            self.generated + other.generated,
            min(self.next_excess, other.next_excess),
        )


Mark = tuple[np.ndarray[Any, Any], ...]
"""Where a search is: its `info`, and what of its arrays is in use."""


@attrs.frozen(eq=False, repr=False)
class Cut:
    """What a search leaves to others: subtrees with a slack up to `slack`, or from `depth` on.

    There is `room` for as many roots. They are cut into runs of about `run` states, by the sizes of
    subtrees of each slack.
    """

    slack: int
    depth: int
    room: int
    run: int
    sizes: np.ndarray[Any, Any]


NOTHING_LEFT = Cut(-1, NO_CUT, 0, 1, np.zeros(1, dtype=np.int64))


@attrs.define(eq=False, repr=False)
class Slices:
    """A search that goes on from where its arrays say; `info` has its counts, see the kernels.

    It can leave subtrees to others, and go back to where it was: `more` has room for their roots,
    and for where runs of these begin.
    """

    spec: Specialised
    task: Task
    lists: Any = attrs.field(init=False)
    """What the kernels take of operators."""
    records: tuple[Any, ...] = attrs.field(init=False)
    """What the kernels take of arrays that grow."""
    info: np.ndarray[Any, Any] = attrs.field(init=False)
    kernel: ClassVar[str]
    """The machine code that searches, and what else it takes: `more`."""
    more: Any = attrs.field(init=False)
    _calls: DirectCalls = attrs.field(factory=DirectCalls, init=False)

    def __attrs_post_init__(self) -> None:
        self.info = np.zeros(len(Info), dtype=np.int64)
        self.lists, self.records = self._first()
        self._reserve()

    def _first(self) -> tuple[Any, tuple[Any, ...]]:
        """The lists, and the records as they are at first."""
        raise NotImplementedError

    @property
    def fixed_bytes(self) -> int:
        """What it takes besides the records."""
        return 0

    def _reserve(self, factor: int = 1) -> None:
        growing = sum(array.nbytes for record in self.records for array in record)
        self.task.reserve(factor * growing + self.fixed_bytes)

    def advance(self, most: int | None = None) -> int:
        """Expand up to `most` states of the task's budget; how it ended (`Ended`)."""
        task = self.task
        most = task.budget if most is None else min(most, task.budget)
        before = int(self.info[Info.EXPANDED])
        result = self.search(most)
        task.budget -= int(self.info[Info.EXPANDED]) - before
        return result

    def search(self, most: int) -> int:
        """Expand up to `most` states, whatever the task's budget; how it ended (`Ended`)."""
        limit = int(self.info[Info.EXPANDED]) + most
        while True:
            result: int = self._calls(
                self.spec.module, self.kernel, *self.spec.head[:2], self.lists, *self._arrays,
                self.info, limit - int(self.info[Info.EXPANDED]),
            )  # fmt: skip
            if result == TRAPPED:
                self.spec.traps.deal_with(python_state(self.states[self.depth]))
                continue
            if result not in (Ended.STACK_FULL, NO_ROOM):
                return result
            self._grow()

    @property
    def _arrays(self) -> tuple[Any, ...]:
        """What the kernel takes besides the lists and the counts."""
        return *self.records, self.more

    def _grow(self) -> None:
        self._reserve(factor=3)  # old and new at once
        self.records = tuple(map(doubled, self.records))

    def wrong_estimate(self) -> ProblemError:
        """After WRONG_ESTIMATE: which state it was of."""
        return wrong_estimate(self.spec, self.states[self.depth + 1])

    def _reset(self, pending: int, bound: int) -> None:
        """Count from 0."""
        self.info[:] = 0
        self.info[Info.NEXT_EXCESS] = NO_EXCESS
        self.info[Info.PENDING] = pending
        self.info[Info.BOUND] = bound
        self.info[Info.CUT_SLACK], self.info[Info.CUT_DEPTH] = -1, NO_CUT
        self.info[Info.SOLVED] = -1

    @property
    def states(self) -> np.ndarray[Any, Any]:
        """The states on the current path, and what room there is."""
        states: np.ndarray[Any, Any] = self.records[0].states
        return states

    @property
    def depth(self) -> int:
        """The place of the last state that was expanded on the path; -1 when all is done."""
        return int(self.info[Info.DEPTH])

    def path(self) -> tuple[list[Any], list[int]]:
        """After FOUND: the states to the goal, and their g."""
        count = self.depth + 2
        unit = self.spec.module.UNIT_COSTS
        costs = list(range(count)) if unit else self.records[0].costs[:count].tolist()
        return [python_state(row) for row in self.states[:count]], costs

    def operators(self) -> Sequence[int]:
        """After FOUND: the operators along `path`, if it is known which they are."""
        return ()

    @property
    def counts(self) -> Counted:
        """What was done, as if children were made one by one; the root is not generated."""
        done = Counted.of(self.info)
        return attrs.evolve(done, generated=done.generated - int(self.info[Info.LATER]))

    @property
    def stored(self) -> int:
        """How many states are held besides those on the path."""
        return 0

    def forget(self) -> None:
        """Let no state count as met before."""

    @property
    def nearest(self) -> int:
        """The smallest estimate that was met, if it is noted."""
        return MOST_BOUND

    @property
    def longest(self) -> int:
        """Most states that were on the path at once."""
        return int(self.info[Info.LONGEST]) + 1

    def _no_roots(self) -> tuple[Roots, np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Room for nothing that is left to others."""
        nothing = np.zeros(1, dtype=np.int64)
        return Roots(self.spec.empty(0), *np.zeros((2, 0), dtype=np.int64)), nothing, nothing

    def _in_use(self) -> tuple[tuple[Any, int], ...]:
        """The arrays that say where the search is, and how many rows of each."""
        raise NotImplementedError

    def leave(self, cut: Cut) -> None:
        """From now on, leave subtrees to others."""
        if len(self.more.roots.nodes) < cut.room:
            roots = Roots(self.spec.empty(cut.room), *np.empty((2, cut.room), dtype=np.int64))
            begins = np.zeros(cut.room + 2, dtype=np.int64)
            self.more = self.more._replace(roots=roots, begins=begins)
        self.more = self.more._replace(sizes=cut.sizes)
        info = self.info
        info[Info.CUT_SLACK], info[Info.CUT_DEPTH] = cut.slack, cut.depth
        info[Info.ROOM], info[Info.RUN_SIZE] = cut.room, cut.run
        info[Info.ROOTS] = info[Info.RUNS] = info[Info.FILLED] = 0

    @property
    def roots(self) -> Roots:
        """What was left to others, in depth-first order."""
        return Roots(*(each[: int(self.info[Info.ROOTS])] for each in self.more.roots))

    @property
    def runs(self) -> np.ndarray[Any, Any]:
        """Where the runs of the roots begin, and their number."""
        runs, roots = int(self.info[Info.RUNS]), int(self.info[Info.ROOTS])
        begins: np.ndarray[Any, Any] = self.more.begins
        if begins[runs] < roots:
            runs += 1
            begins[runs] = roots
        return begins[: runs + 1]

    def mark(self) -> Mark:
        """Where the search is. O(rows in use)."""
        return self.info.copy(), *(array[:count].copy() for array, count in self._in_use())

    def back_to(self, mark: Mark) -> None:
        """Go on from there."""
        info, *kept = mark
        self.info[:] = info
        for (array, _), before in zip(self._in_use(), kept, strict=True):
            array[: len(before)] = before
