"""Depth-first search that can leave subtrees to others, and go back to where it was."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from searchkit.compiled.depth_first.kernels.deepening import Info, Roots
from searchkit.compiled.depth_first.resumable import NO_CUT, Slices

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


class Leaving(Slices):
    """A search whose kernel lists roots: `more` has room for these, and for where runs begin."""

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
