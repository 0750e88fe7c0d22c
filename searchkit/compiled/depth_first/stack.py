"""Depth-first search with an explicit stack, in slices."""

from __future__ import annotations

from typing import Any

import numpy as np

from searchkit.compiled.depth_first.kernels.deepening import FILTER, Aside, Path, Roots
from searchkit.compiled.depth_first.leaving import Leaving
from searchkit.compiled.depth_first.resumable import MOST_BOUND
from searchkit.compiled.specialise.costs import wrong_cost
from searchkit.compiled.specialise.operators import EndedLists
from searchkit.errors import ProblemError

FIRST_CAPACITY = 256


class Stack(Leaving):
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
            module.remember(self.spec.head[1], path.memo, 0, path.states, 1)
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

    def _in_use(self) -> tuple[tuple[Any, int], ...]:
        return tuple((column, self.depth + 1) for column in self.records[0][:3])

    def wrong_cost(self) -> ProblemError:
        """After WRONG_COST: which step it was."""
        depth = self.depth
        operator = int(self.lists.operators[self.records[0].places[depth]])
        return wrong_cost(self.task, self.spec, self.states[depth], operator)
