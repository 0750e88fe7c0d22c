"""Depth-first search by words of operators, in slices."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from searchkit.compiled.depth_first.kernels.deepening import Info
from searchkit.compiled.depth_first.kernels.masked import MaskedLists, MaskedPath
from searchkit.compiled.depth_first.resumable import MOST_BOUND, Counted, Slices
from searchkit.compiled.specialise.operators import OperatorLists
from searchkit.packed import MOST_CANDIDATES

FIRST_CAPACITY = 256
ROW = 64


def fits_masks(lists: OperatorLists) -> bool:
    """Whether the operators of each list are bits of a word, in ascending order."""
    operators = lists.operators
    if len(operators) == 0 or operators.min() < 0 or operators.max() >= MOST_CANDIDATES:
        return False
    ascends, begins = np.diff(operators) > 0, lists.first[1:-1]
    ascends[begins[(begins > 0) & (begins < len(operators))] - 1] = True
    return bool(ascends.all())


class Masked(Slices):
    """The states on the current path, and what is left to try at each; see the kernels."""

    kernel = "search_masked"

    def _first(self) -> tuple[MaskedLists, tuple[MaskedPath]]:
        self.more = 0
        lists = self.spec.lists
        nodes = np.repeat(np.arange(len(lists.controls)), np.diff(lists.first))
        masks = np.zeros(len(lists.controls), dtype=np.int64)
        np.bitwise_or.at(masks, nodes, np.int64(1) << lists.operators)
        following = np.full((len(masks), ROW), -1, dtype=np.int32)
        following[nodes, lists.operators] = lists.following
        columns = np.zeros((4, FIRST_CAPACITY), dtype=np.int64)
        path = MaskedPath(self.spec.empty(FIRST_CAPACITY), *columns)
        return MaskedLists(masks, lists.controls.astype(np.uint32), following), (path,)

    def begin(
        self, state: np.ndarray[Any, Any], node: int, slack: int, bound: int = MOST_BOUND
    ) -> None:
        """Start with one state, whose children within `slack` are to be tried."""
        (path,) = self.records
        path.states[0] = state
        path.nodes[0], path.slacks[0], path.left[0], path.tried[0] = node, slack, 0, 0
        self._reset(pending=1, bound=bound)

    def operators(self) -> list[int]:
        """After FOUND: the operators along `path`."""
        tried: list[int] = self.records[0].tried[: self.depth + 1].tolist()
        return tried

    @property
    def counts(self) -> Counted:
        """What was done, as if operators were tried one by one; the root is not generated."""
        done = super().counts
        return attrs.evolve(done, generated=done.generated - int(self.info[Info.LATER]))
