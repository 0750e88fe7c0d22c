"""Depth-first search with an explicit stack, in slices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from searchkit.compiled.depth_first.kernels.deepening import FILTER, Info
from searchkit.compiled.depth_first.resumable import MOST_BOUND, NONE_OVER, Slices
from searchkit.compiled.specialise.costs import wrong_cost
from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.operators import EndedLists
from searchkit.errors import ProblemError

if TYPE_CHECKING:
    import numpy as np

FIRST_CAPACITY = 256


@attrs.define(eq=False)
class Stack(Slices):
    """The states on the current path, and what is left to try at each.

    The columns are places of the ended lists, rests, and, unless all costs are 1, costs. `info`
    holds the counts of the search so far; see the kernels.
    """

    lists: EndedLists = attrs.field(init=False)
    states: np.ndarray[Any, Any] = attrs.field(init=False)
    columns: list[np.ndarray[Any, Any]] = attrs.field(init=False)
    filtered: np.ndarray[Any, Any] = attrs.field(init=False)
    memo: np.ndarray[Any, Any] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        import numpy as np  # noqa: PLC0415

        self.lists = EndedLists.of(self.spec.lists)
        self.filtered = np.zeros(FILTER, dtype=np.int32)
        self.info = np.zeros(len(Info), dtype=np.int64)
        self.states = self.spec.empty(FIRST_CAPACITY)
        self.columns = [np.zeros(FIRST_CAPACITY, dtype=np.int64) for _ in range(3)]
        self.memo = np.zeros(FIRST_CAPACITY * self.spec.module.MEMORY, dtype=np.int64)
        self._reserve()

    def _reserve(self, factor: int = 1) -> None:
        columns = (self.states, self.memo, *self.columns)
        entries = sum(column.nbytes for column in columns)
        self.task.reserve(entries * factor + self.filtered.nbytes)

    def begin(
        self, state: np.ndarray[Any, Any], node: int, rest: int, bound: int = MOST_BOUND
    ) -> None:
        """Start anew with one state, whose children within `rest` are to be tried.

        Where estimates are carried along as a part of `rest`, `bound` tells those below 0.
        """
        module, (places, rests, costs) = self.spec.module, self.columns
        self.states[0] = state
        places[0], rests[0], costs[0] = self.lists.begins[node], rest, 0
        if module.MEMORY:
            module.remember(self.spec.head[1], self.memo, self.states)
        self.filtered[:] = 0
        if module.CYCLES == 2:
            module.mark(self.states, self.filtered, 0)
        self.info[:] = 0
        self.info[Info.OVER] = NONE_OVER
        self.info[Info.PENDING] = 1
        self.info[Info.BOUND] = bound

    def search(self, budget: int) -> int:
        """Expand up to `budget` states; how it ended (`Ended`)."""
        module = self.spec.module
        result: int = module.search(
            *self.spec.head[:2], *self.lists.arrays, self.states, *self.columns, self.filtered,
            self.memo, self.info, budget,
        )  # fmt: skip
        return result

    def warm_up(self, start: Any) -> None:
        """Load or make the machine code: search nothing."""
        self.begin(start, 0, -1)
        self.advance(0)  # without a budget the start itself is not expanded

    def grow(self) -> None:
        """Make twice as much room."""
        import numpy as np  # noqa: PLC0415

        self._reserve(factor=3)  # old and new at once
        self.states = np.concatenate([self.states, np.zeros_like(self.states)])
        self.memo = np.concatenate([self.memo, np.zeros_like(self.memo)])
        self.columns = [np.concatenate([each, np.zeros_like(each)]) for each in self.columns]

    @property
    def depth(self) -> int:
        """The place of the last state on the path; -1 when all is done."""
        return int(self.info[Info.DEPTH])

    def left(self) -> tuple[np.ndarray[Any, Any], ...]:
        """From the top of the stack to its bottom: states, nodes, rests, and places to go on from.

        These are places of the lists without ends.
        """
        arrays = (self.states, *self.columns)
        states, places, rests, _ = (array[: self.depth + 1][::-1].copy() for array in arrays)
        nodes = self.lists.nodes[places]
        return states, nodes, rests, places - nodes

    def wrong_cost(self) -> ProblemError:
        """After WRONG_COST: which step it was."""
        depth = self.depth
        operator = int(self.lists.operators[self.columns[0][depth]])
        return wrong_cost(self.task, self.spec, self.states[depth], operator)

    def rejected(self) -> Any:
        """After WRONG_ESTIMATE: the row of the state whose estimate is none."""
        return self.states[self.depth + 1]

    def path(self) -> tuple[list[Any], list[int]]:
        """After FOUND: the states to the goal, and their g."""
        count = self.depth + 2
        unit = self.spec.module.UNIT_COSTS
        costs = list(range(count)) if unit else self.columns[2][:count].tolist()
        return [python_state(row) for row in self.states[:count]], costs
