"""The gap heuristic (M. Helmert, Landmark Heuristics for the Pancake Problem, 2010).

A gap is between two neighbours, of which the last pancake and the plate are two, that are none
in the goal. One turn parts one pair of neighbours and joins another, so it closes one gap at
most. The bound is consistent, and carried along a step by looking at those two pairs.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from searchkit.packed import PackedHeuristic

if TYPE_CHECKING:
    from searchkit_pancakes.puzzle import Pancakes


class GapTables(NamedTuple):
    """What the kernels of `Gap` look up: `gap[a][b]` is 1 if `a` must not lie on `b`."""

    size: int
    plate: int
    burnt: int
    gap: tuple[tuple[int, ...], ...]


class Gap(PackedHeuristic):
    """How many neighbours must be parted.

    >>> from searchkit_pancakes import Pancakes
    >>> puzzle = Pancakes.read("1 3 2 5 4")
    >>> Gap(puzzle)(puzzle.start)
    3
    """

    name = "gap"
    parts = ("problem",)

    def __init__(self, problem: Pancakes) -> None:
        self.problem = problem
        stacks = problem.stacks
        plate = stacks.values
        turned = int(stacks.burnt)
        goal = stacks.unpack(problem.goal)
        joined = {(goal[-1], plate)}
        for one, other in pairwise(goal):
            joined |= {(one, other), (other ^ turned, one ^ turned)}
        self.tables = GapTables(
            size=stacks.size,
            plate=plate,
            burnt=turned,
            gap=tuple(
                tuple(int((one, other) not in joined) for other in range(plate + 1))
                for one in range(plate)
            ),
        )

    def below(self, state: Any, place: int) -> int:
        """Kernel: what is at a place, which may be that of the plate."""
        is_plate = place == self.tables.size
        return int(self.tables.plate if is_plate else self.problem.pancake(state, place))

    def estimate(self, state: Any) -> int:
        """Kernel: the number of gaps. O(pancakes)."""
        found = 0
        pancake = self.problem.pancake(state, 0)
        for place in range(1, self.tables.size):
            below = self.problem.pancake(state, place)
            found += self.tables.gap[pancake][below]
            pancake = below
        return int(found + self.tables.gap[pancake][self.tables.plate])

    def change(self, state: Any, control: int, operator: int, child: Any) -> int:
        """Kernel: the gap that is made, less the gap that is closed. O(1)."""
        below = self.below(state, operator)
        top = self.problem.pancake(state, 0) ^ self.tables.burnt
        last = self.problem.pancake(state, operator - 1)
        return int(self.tables.gap[top][below]) - int(self.tables.gap[last][below])
