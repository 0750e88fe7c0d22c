"""Depth-first search that makes all children of a state at once, in slices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from searchkit.compiled.depth_first.kernels.deepening import Info
from searchkit.compiled.depth_first.kernels.siblings import PLACE_BITS
from searchkit.compiled.depth_first.resumable import NONE_OVER, Slices
from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.operators import EndedLists

if TYPE_CHECKING:
    import numpy as np

FIRST_CAPACITY = 256
MOST_BOUND_IN_BURSTS = (1 << PLACE_BITS) - 1
"""What remains of the bound shares a word with the depth."""


@attrs.define(eq=False)
class Bursts(Slices):
    """Waiting states, and those on the current path; see the kernels. Used like a `Stack`."""

    lists: EndedLists = attrs.field(init=False)
    steps: np.ndarray[Any, Any] = attrs.field(init=False)
    """Operators, and above them the places that follow."""
    path_states: np.ndarray[Any, Any] = attrs.field(init=False)
    states: np.ndarray[Any, Any] = attrs.field(init=False)
    columns: list[np.ndarray[Any, Any]] = attrs.field(init=False)
    """Of the path: where lists begin, and places; of waiting states: lists, rests."""
    memo: np.ndarray[Any, Any] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        import numpy as np  # noqa: PLC0415

        self.lists = lists = EndedLists.of(self.spec.lists, backwards=True)
        self.steps = lists.operators.astype(np.int64) | lists.following << PLACE_BITS
        self.info = np.zeros(len(Info), dtype=np.int64)
        capacity = FIRST_CAPACITY + self.spec.lists.widest
        self.path_states = self.spec.empty(capacity)
        self.states = self.spec.empty(capacity)
        self.columns = [np.zeros(capacity, dtype=np.int64) for _ in range(4)]
        self.memo = np.zeros((capacity + 1) * self.spec.module.MEMORY, dtype=np.int64)
        self._reserve()

    def _reserve(self, factor: int = 1) -> None:
        arrays = (self.path_states, self.states, self.memo, *self.columns)
        self.task.reserve(factor * sum(array.nbytes for array in arrays))

    def begin(self, state: np.ndarray[Any, Any], node: int, rest: int, bound: int = 0) -> None:
        """Start anew with one state, whose children within `rest` are to be tried."""
        module, (_, _, lists, rests) = self.spec.module, self.columns
        self.states[0] = state
        lists[0], rests[0] = self.lists.begins[node], max(rest, 0)
        module.remember_below(self.spec.head[1], self.memo, self.states)
        self.info[:] = 0
        self.info[Info.OVER] = NONE_OVER
        self.info[Info.PENDING] = 1 if rest >= 0 else 0

    def search(self, budget: int) -> int:
        """Expand up to `budget` states; how it ended (`Ended`)."""
        module = self.spec.module
        result: int = module.search_in_bursts(
            *self.spec.head[:2], self.steps, self.lists.controls, self.lists.begins,
            self.path_states, *self.columns[:2], self.states, *self.columns[2:], self.memo,
            self.spec.lists.widest, self.info, budget,
        )  # fmt: skip
        return result

    def warm_up(self, start: Any) -> None:
        """Load or make the machine code: search nothing."""
        self.begin(start, 0, -1)
        self.advance(0)

    def grow(self) -> None:
        """Make twice as much room."""
        import numpy as np  # noqa: PLC0415

        self._reserve(factor=3)  # old and new at once
        self.path_states = np.concatenate([self.path_states, np.zeros_like(self.path_states)])
        self.states = np.concatenate([self.states, np.zeros_like(self.states)])
        self.memo = np.concatenate([self.memo, np.zeros_like(self.memo)])
        self.columns = [np.concatenate([each, np.zeros_like(each)]) for each in self.columns]

    def rejected(self) -> Any:
        """After WRONG_ESTIMATE: the row of the state whose estimate is none."""
        return self.path_states[0]

    @property
    def generated(self) -> int:
        """How many states were generated, as if one by one; the root not counted."""
        return int(self.info[Info.GENERATED] - self.info[Info.LATER])

    def path(self) -> tuple[list[Any], list[int]]:
        """After FOUND: the states to the goal, and their g."""
        count = int(self.info[Info.DEPTH]) + 1
        return [python_state(row) for row in self.path_states[:count]], list(range(count))
