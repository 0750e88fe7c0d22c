"""Gaps in a ring, as in stacks of pancakes (M. Helmert, Landmark Heuristics, 2010).

A gap is between two neighbours that are none in the goal. A turn parts two pairs of neighbours
and joins two, so it closes two gaps at most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from searchkit.packed import PackedHeuristic

if TYPE_CHECKING:
    from searchkit_topspin.puzzle import TopSpin


class GapTables(NamedTuple):
    """What the kernels of `RingGap` look up: `gap[a][b]` is 1 if `a` and `b` are to be parted.

    There are `others` tokens beside the first.
    """

    others: int
    gap: tuple[tuple[int, ...], ...]


class RingGap(PackedHeuristic):
    """Half the number of neighbours that must be parted, rounded up.

    It is consistent.

    >>> from searchkit_topspin import TopSpin, ring
    >>> puzzle = TopSpin.of(ring(8, 4))
    >>> RingGap(puzzle)(puzzle.parse("1 2 7 4 5 6 3 8"))
    2
    """

    name = "ring-gap"

    def __init__(self, problem: TopSpin) -> None:
        goal = problem.tokens(problem.goal)
        joined = {frozenset((goal[i - 1], token)) for i, token in enumerate(goal)}
        tokens = range(problem.size)
        self.tables = GapTables(
            others=problem.size - 1,
            gap=tuple(
                tuple(int(frozenset((one, other)) not in joined) for other in tokens)
                for one in tokens
            ),
        )

    def estimate(self, state: int) -> int:
        """Kernel: half the gaps. O(tokens)."""
        found = 0
        before = 0
        for place in range(self.tables.others):
            token = state >> 4 * place & 15
            found += self.tables.gap[before][token]
            before = token
        found += self.tables.gap[before][0]
        return int(found + 1 >> 1)
