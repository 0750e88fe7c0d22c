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
    """What the kernels of `Gap` look up: `gap[a][b]` is 1 if `a` must not lie on `b`.

    Both are fields of a state; the plate is `plate`, and `burnt` the bit that turning changes.
    `beside[a]` are the one or two that `a` may lie on, each in all bytes of a word. Operator 0
    turns over `least` pancakes.
    """

    size: int
    least: int
    plate: int
    burnt: int
    gap: tuple[tuple[int, ...], ...]
    beside: tuple[tuple[int, int], ...]


BYTES = 0x0101010101010101
HIGHEST_BITS = 0x8080808080808080
GATHERED = 0x0102040810204080
"""A word with the lowest bit of each byte, times this, has them together in the highest byte."""
ALL = (1 << 63) - 1
NONE = 127
"""What is no pancake, and not the plate."""


class Gap(PackedHeuristic):
    """How many neighbours must be parted.

    >>> from searchkit_pancakes import Pancakes
    >>> puzzle = Pancakes.read("1 3 2 5 4")
    >>> Gap(puzzle)(puzzle.start)
    3
    """

    name = "gap"
    constants = ("least", "burnt")
    parts = ("problem",)

    def __init__(self, problem: Pancakes) -> None:
        self.problem = problem
        low = (problem.size - 1).bit_length()
        turned = int(problem.burnt) << low
        plate = turned + problem.size
        goal = [look | side << low for look, side in problem.unpack(problem.goal)[0]]
        joined = {(goal[-1], plate)}
        for one, other in pairwise(goal):
            joined |= {(one, other), (other ^ turned, one ^ turned)}
        below: list[list[int]] = [[] for _ in range(plate)]
        gap = [[1] * (plate + 1) for _ in below]
        for one, other in joined:
            below[one].append(other)
            gap[one][other] = 0
        self.tables = GapTables(
            size=problem.size,
            least=1 if problem.burnt else 2,
            plate=plate,
            burnt=turned,
            gap=tuple(map(tuple, gap)),
            beside=tuple(
                (min(others, default=NONE) * BYTES, max(others, default=NONE) * BYTES)
                for others in below
            ),
        )

    def below(self, state: Any, place: int) -> int:
        """Kernel: what is at a place, which may be that of the plate."""
        is_plate = place == self.tables.size
        return int(self.tables.plate if is_plate else self.problem.field(state, place))

    def estimate(self, state: Any) -> int:
        """Kernel: the number of gaps. O(pancakes)."""
        found = 0
        pancake = self.problem.field(state, 0)
        for place in range(1, self.tables.size):
            below = self.problem.field(state, place)
            found += self.tables.gap[pancake][below]
            pancake = below
        return int(found + self.tables.gap[pancake][self.tables.plate])

    def change(self, state: Any, control: int, operator: int, child: Any) -> int:
        """Kernel: the gap that is made, less the gap that is closed. O(1)."""
        turned = operator + self.tables.least
        below = self.below(state, turned)
        top = self.problem.field(state, 0) ^ self.tables.burnt
        last = self.problem.field(state, turned - 1)
        return int(self.tables.gap[top][below]) - int(self.tables.gap[last][below])


class WideGap(Gap):
    """The same for stacks with eight bits to a pancake, in several words."""

    def candidates(self, state: Any, control: int, most: int) -> int:
        """Kernel: those that lay the top on a pancake it belongs on, if gaps must be closed.

        O(words): all bytes of a word are compared at once.
        """
        if most >= 0:
            return ALL
        top = self.problem.field(state, 0) ^ self.tables.burnt
        one = self.tables.beside[top][0]
        other = self.tables.beside[top][1]
        found = 0
        for word in range(len(state)):
            # The highest bit of each byte that is neither; pancakes are numbers of seven bits.
            differs = (state[word] ^ one) + (HIGHEST_BITS - BYTES)
            differs &= (state[word] ^ other) + (HIGHEST_BITS - BYTES)
            equal = (differs & HIGHEST_BITS ^ HIGHEST_BITS) >> 7 & BYTES
            found |= (equal * GATHERED >> 56 & 255) << 8 * word
        is_last = 1 - self.tables.gap[top][self.tables.plate]
        return int(((found | is_last << self.tables.size) & ALL) >> self.tables.least)


def gap(problem: Pancakes) -> Gap:
    """The gap heuristic for stacks of any size."""
    return (WideGap if problem.words > 1 else Gap)(problem)
