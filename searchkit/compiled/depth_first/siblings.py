"""Depth-first search that makes all children of a state at once, in slices."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from searchkit.compiled.depth_first.kernels.deepening import Info
from searchkit.compiled.depth_first.kernels.siblings import PLACE_BITS, Branch, Waiting
from searchkit.compiled.depth_first.resumable import MOST_BOUND, Counted, Slices
from searchkit.compiled.specialise.operators import EndedLists

FIRST_CAPACITY = 256
MOST_BOUND_IN_BURSTS = (1 << PLACE_BITS) - 1
"""What remains of the bound shares a word with the depth."""


class Bursts(Slices):
    """Waiting states, and those on the current path; see the kernels. Used like a `Stack`."""

    kernel = "search_in_bursts"

    def _first(self) -> tuple[EndedLists, tuple[Branch, Waiting]]:
        self.more = self.spec.lists.widest
        spec, memory = self.spec, self.spec.module.MEMORY
        lists = EndedLists.of(spec.lists, backwards=True)
        capacity = FIRST_CAPACITY + spec.lists.widest
        branch = Branch(spec.empty(capacity), *np.zeros((2, capacity), dtype=np.int64))
        words = np.zeros((capacity + 1) * memory, dtype=np.int64)
        places, slacks = np.zeros((2, capacity), dtype=np.int64)
        waiting = Waiting(spec.empty(capacity), places, slacks, words)
        steps = lists.operators.astype(np.int64) | lists.following << PLACE_BITS
        return lists._replace(operators=steps), (branch, waiting)

    def begin(
        self, state: np.ndarray[Any, Any], node: int, slack: int, bound: int = MOST_BOUND
    ) -> None:
        """Start with one state, whose children within `slack` are to be tried."""
        _, waiting = self.records
        waiting.states[0] = state
        waiting.places[0], waiting.slacks[0] = self.lists.begins[node], max(slack, 0)
        self.spec.module.remember(self.spec.head[1], waiting.memo, 1, waiting.states)
        self._reset(pending=1 if slack >= 0 else 0, bound=bound)

    @property
    def counts(self) -> Counted:
        """What was done, as if children were made one by one; the root is not generated."""
        done = super().counts
        return attrs.evolve(done, generated=done.generated - int(self.info[Info.LATER]))
