"""A state space as arrays, and the exact distance of every state to a goal."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    import numpy as np


@attrs.frozen(eq=False, kw_only=True)
class StateGraph:
    """All states that can be reached, numbered, with their steps.

    The steps of state `i`, in the order of `successors`, are those from `first[i]` to
    `first[i + 1]`; a step leads to state `target` and adds `cost`. `rows` are the states as
    arrays of machine words, if they are packed.
    """

    states: Sequence[Any]
    first: np.ndarray[Any, Any]
    target: np.ndarray[Any, Any]
    cost: np.ndarray[Any, Any]
    goals: np.ndarray[Any, Any]
    rows: np.ndarray[Any, Any] | None = None

    def __len__(self) -> int:
        return len(self.states)

    @property
    def source(self) -> np.ndarray[Any, Any]:
        """The state that each step leaves."""
        import numpy as np  # noqa: PLC0415  (takes long to import)

        return np.repeat(np.arange(len(self)), np.diff(self.first))

    def distances(self) -> np.ndarray[Any, Any]:
        """The cost of a cheapest way from each state to a goal, infinity if there is none.

        Dijkstra's algorithm (1959) against the steps, a whole bucket of equal distances at once
        (R. Dial, Algorithm 360, 1969). O(states + steps + distinct distances) array operations.
        """
        import numpy as np  # noqa: PLC0415

        order = np.argsort(self.target, kind="stable")
        source, cost = self.source[order], self.cost[order].astype(np.int64)
        into = np.zeros(len(self) + 1, dtype=np.int64)
        np.cumsum(np.bincount(self.target, minlength=len(self)), out=into[1:])
        far = np.iinfo(np.int64).max
        best = np.where(self.goals, 0, far)
        settled = np.zeros(len(self), dtype=np.bool_)
        waiting: dict[int, list[Any]] = {0: [np.flatnonzero(self.goals)]}
        heap = [0]
        while heap:
            distance = heapq.heappop(heap)
            nodes = np.unique(np.concatenate(waiting.pop(distance)))
            nodes = nodes[(best[nodes] == distance) & ~settled[nodes]]
            settled[nodes] = True
            steps = _ranges(into[nodes], into[nodes + 1])
            before, total = source[steps], cost[steps] + distance
            closer = total < best[before]
            before, total = before[closer], total[closer]
            np.minimum.at(best, before, total)
            for value in map(int, np.unique(total)):  # this very distance again for cost 0
                if value not in waiting:
                    waiting[value] = []
                    heapq.heappush(heap, value)
                waiting[value].append(before[total == value])
        return np.where(best == far, np.inf, best)


def _ranges(begin: np.ndarray[Any, Any], end: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The numbers of all ranges from `begin` to `end`, one range after another."""
    import numpy as np  # noqa: PLC0415

    lengths = end - begin
    before = np.cumsum(lengths) - lengths
    found: np.ndarray[Any, Any] = np.arange(int(lengths.sum()))
    found += np.repeat(begin - before, lengths)
    return found
