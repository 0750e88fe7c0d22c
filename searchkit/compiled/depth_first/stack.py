"""Depth-first search with an explicit stack, in slices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs
import numpy as np

from searchkit.compiled.depth_first.kernels.deepening import FILTER, Aside, Info, Path, Roots
from searchkit.compiled.depth_first.leaving import Leaving
from searchkit.compiled.depth_first.resumable import MOST_BOUND
from searchkit.compiled.specialise.costs import wrong_cost
from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.operators import EndedLists, stop_of
from searchkit.errors import ProblemError

FIRST_CAPACITY = 256


@attrs.frozen
class Level:
    """A state of the path; what is left to try there is from `place` to `end`, unless closed."""

    state: Any
    g: int
    slack: int
    place: int
    end: int
    memo: list[int]
    is_expanded: bool = True
    is_closed: bool = False

    @property
    def is_open(self) -> bool:
        """Whether there is anything left to try."""
        return not self.is_expanded or (self.place < self.end and not self.is_closed)

    def closed(self) -> Level:
        """The same state with nothing left to try; its place says what was tried."""
        return attrs.evolve(self, is_closed=True)

    def with_states(self, name: Callable[[Any], Any]) -> Level:
        """The same; packed states need no other names."""
        return self


class Stack(Leaving):
    """The states on the current path, and what is left to try at each; see the kernels."""

    kernel = "search"
    _closed: Sequence[int] = ()
    """Where the first states of the path would be gone on from, if others had not done so."""

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
        module, (path,), self._closed = self.spec.module, self.records, ()
        path.states[0] = state
        path.places[0], path.slacks[0], path.costs[0] = self.lists.begins[node], slack, 0
        if module.MEMORY:
            module.remember(self.spec.head[1], path.memo, 0, path.states, 1)
        self.more.filtered[:] = 0
        if module.CYCLES == 2:
            module.mark(path.states, self.more.filtered, 0)
        self._reset(pending=1, bound=bound)

    def rest(self) -> tuple[Level, ...]:
        """What is left of the search."""
        (path,), memory = self.records, self.spec.module.MEMORY
        count = self.depth + 1
        ends = self._ends(path.places[:count])
        memo = path.memo[: count * memory].reshape(count, memory).tolist()
        columns = path.costs[:count], path.slacks[:count], self._places(), ends
        numbers = np.stack(columns, axis=1).tolist()
        rows = [
            Level(python_state(state), g, slack, place, end, words)
            for state, (g, slack, place, end), words in zip(
                path.states[:count], numbers, memo, strict=True
            )
        ]
        rows[: len(self._closed)] = [row.closed() for row in rows[: len(self._closed)]]
        if self.info[Info.PENDING]:
            rows[-1] = attrs.evolve(rows[-1], is_expanded=False)
        return tuple(rows)

    def _places(self) -> np.ndarray[Any, Any]:
        """Behind what was tried of each state of the path."""
        places: np.ndarray[Any, Any] = self.records[0].places[: self.depth + 1].copy()
        places[: len(self._closed)] = self._closed
        return places

    def _ends(self, places: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Where the lists end that places are in."""
        stops = np.flatnonzero(self.lists.operators == stop_of(self.spec.lists))
        found: np.ndarray[Any, Any] = stops[np.searchsorted(stops, places)]
        return found

    def resume(self, rest: Sequence[Level], bound: int) -> None:
        """Go on with what was left of a search."""
        while len(self.records[0].places) < len(rest) + 2:
            self._grow()
        module, (path,), memory = self.spec.module, self.records, self.spec.module.MEMORY
        self.more.filtered[:] = 0
        self._reset(pending=not rest[-1].is_expanded, bound=bound)
        self.info[Info.DEPTH] = len(rest) - 1
        path.states[: len(rest)] = self.spec.states([row.state for row in rest])
        self._closed = [row.place for row in rest if row.is_closed]  # which come first
        for i, row in enumerate(rest):
            path.places[i] = row.end if row.is_closed else row.place
            path.slacks[i], path.costs[i] = row.slack, row.g
            path.memo[i * memory : (i + 1) * memory] = row.memo
            if module.CYCLES == 2:
                module.mark(path.states, self.more.filtered, i)

    def operators(self) -> list[int]:
        """After FOUND: the operators along `path`; behind each is the place to go on from."""
        return [int(operator) for operator in self.lists.operators[self._places() - 1]]

    def _in_use(self) -> tuple[tuple[Any, int], ...]:
        return tuple((column, self.depth + 1) for column in self.records[0][:3])

    def wrong_cost(self) -> ProblemError:
        """After WRONG_COST: which step it was."""
        depth = self.depth
        operator = int(self.lists.operators[self.records[0].places[depth]])
        return wrong_cost(self.task, self.spec, self.states[depth], operator)
