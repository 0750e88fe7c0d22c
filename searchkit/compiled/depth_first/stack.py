"""Depth-first search with an explicit stack, in slices."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from searchkit.compiled.depth_first.kernels.deepening import FILTER, Aside, Info, Path, Roots
from searchkit.compiled.depth_first.resumable import MOST_BOUND, NO_CUT, Slices
from searchkit.compiled.specialise.costs import wrong_cost
from searchkit.compiled.specialise.operators import EndedLists
from searchkit.errors import ProblemError

FIRST_CAPACITY = 256

Mark = tuple[np.ndarray[Any, Any], ...]
"""Where a search is: its `info`, and the columns of its path."""


@attrs.frozen(eq=False)
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


class Stack(Slices):
    """The states on the current path, and what is left to try at each; see the kernels."""

    kernel = "search"

    def _first(self) -> tuple[EndedLists, tuple[Path]]:
        no_roots = Roots(self.spec.empty(0), *np.zeros((2, 0), dtype=np.int64))
        nothing = np.zeros(1, dtype=np.int64)
        self.more = Aside(np.zeros(FILTER, dtype=np.int32), no_roots, nothing, nothing)
        memo = np.zeros(FIRST_CAPACITY * self.spec.module.MEMORY, dtype=np.int64)
        columns = np.zeros((3, FIRST_CAPACITY), dtype=np.int64)
        path = Path(*(self.spec.empty(FIRST_CAPACITY), *columns, memo))
        return EndedLists.of(self.spec.lists), (path,)

    @property
    def fixed_bytes(self) -> int:
        """What the filter takes."""
        return 4 * FILTER

    def begin(
        self, state: np.ndarray[Any, Any], node: int, slack: int, bound: int = MOST_BOUND
    ) -> None:
        """Start with one state, whose children within `slack` are to be tried.

        Where estimates are carried along as a part of `slack`, `bound` shows those below 0.
        """
        module, (path,) = self.spec.module, self.records
        path.states[0] = state
        path.places[0], path.slacks[0], path.costs[0] = self.lists.begins[node], slack, 0
        if module.MEMORY:
            module.remember(self.spec.head[1], path.memo, 0, path.states)
        self.more.filtered[:] = 0
        if module.CYCLES == 2:
            module.mark(path.states, self.more.filtered, 0)
        self._reset(pending=1, bound=bound)

    def operators(self) -> list[int]:
        """After FOUND: the operators along `path`; behind each is the place to go on from."""
        tried: np.ndarray[Any, Any] = self.lists.operators[
            self.records[0].places[: self.depth + 1] - 1
        ]
        return [int(operator) for operator in tried]

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
        """Where the search is. O(depth)."""
        columns = (column[: self.depth + 1].copy() for column in self.records[0][:3])
        return self.info.copy(), *columns

    def back_to(self, mark: Mark) -> None:
        """Go on from there."""
        info, *columns = mark
        self.info[:] = info
        for column, before in zip(self.records[0][:3], columns, strict=True):
            column[: len(before)] = before

    def wrong_cost(self) -> ProblemError:
        """After WRONG_COST: which step it was."""
        depth = self.depth
        operator = int(self.lists.operators[self.records[0].places[depth]])
        return wrong_cost(self.task, self.spec, self.states[depth], operator)
