"""Gaps in a ring, as in stacks of pancakes (M. Helmert, Landmark Heuristics, 2010).

A gap is between two neighbours that are none in the goal. A turn parts two pairs of neighbours
and joins two, so it closes two gaps at most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from searchkit.packed import PackedHeuristic
from searchkit_topspin import rings

if TYPE_CHECKING:
    from searchkit_topspin.puzzle import TopSpin


class GapTables(NamedTuple):
    """What the kernels of `RingGap` look up: `gap[a][b]` is 1 if `a` and `b` are to be parted."""

    size: int
    gap: tuple[tuple[int, ...], ...]


class RingGap(PackedHeuristic):
    """Half the number of neighbours that must be parted, rounded up.

    It is consistent.

    >>> from searchkit_topspin import TopSpin
    >>> puzzle = TopSpin(8, 4)
    >>> RingGap(puzzle)(puzzle.parse("1 2 7 4 5 6 3 8"))
    2
    """

    name = "ring-gap"

    def __init__(self, problem: TopSpin) -> None:
        goal = rings.unpack(problem.goal, problem.size)
        joined = {frozenset((goal[i - 1], token)) for i, token in enumerate(goal)}
        tokens = range(problem.size)
        self.tables = GapTables(
            size=problem.size,
            gap=tuple(
                tuple(int(frozenset((one, other)) not in joined) for other in tokens)
                for one in tokens
            ),
        )

    def estimate(self, state: int) -> int:
        """Kernel: half the gaps. O(tokens)."""
        found = 0
        before = state >> 4 * (self.tables.size - 1) & 15
        for place in range(self.tables.size):
            token = state >> 4 * place & 15
            found += self.tables.gap[before][token]
            before = token
        return found + 1 >> 1
