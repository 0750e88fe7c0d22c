"""Pancake sorting on one machine word: the same puzzle at the speed of C.

The smallest pancake shall lie on top.

    searchkit run --plugin examples/fast_pancakes.py fast-pancakes --random --seed 1
"""

from typing import NamedTuple

from searchkit import PackedHeuristic, PackedProblem, Parameter, hookimpl
from searchkit.bits import shift_right


class Stack(NamedTuple):
    size: int
    sorted: int
    tops: tuple[int, ...]


def reverse(word):
    """The sixteen groups of four bits in the opposite order."""
    word = (word & 0x0F0F0F0F0F0F0F0F) << 4 | word >> 4 & 0x0F0F0F0F0F0F0F0F
    word = (word & 0x00FF00FF00FF00FF) << 8 | word >> 8 & 0x00FF00FF00FF00FF
    word = (word & 0x0000FFFF0000FFFF) << 16 | word >> 16 & 0x0000FFFF0000FFFF
    return (word & 0x00000000FFFFFFFF) << 32 | word >> 32 & 0x00000000FFFFFFFF


class FastPancakes(PackedProblem[int]):
    """The top pancake is in the lowest four bits; above the stack lies the plate."""

    undirected = True

    def __init__(self, stack):
        sizes = [int(size) for size in stack.split()]
        if sorted(sizes) != list(range(1, len(sizes) + 1)) or len(sizes) > 14:
            raise ValueError("give the sizes 1, 2, 3, ... up to 14 in any order")
        self.start = self.pack(sizes)
        tops = tuple((1 << 4 * n) - 1 for n in range(len(sizes) + 1))
        self.tables = Stack(len(sizes), self.pack(sorted(sizes)), tops)

    def pack(self, sizes):
        return sum(size << 4 * i for i, size in enumerate([*sizes, len(sizes) + 1]))

    def initial_states(self):
        return [self.start]

    def goal_states(self):
        return [self.tables.sorted]

    def operators(self, control):
        return range(2, self.tables.size + 1)

    def inverse(self, control, operator):
        return operator

    def action(self, state, operator):
        return operator

    def at_goal(self, state):
        return state == self.tables.sorted

    def apply(self, state, control, operator):
        top = self.tables.tops[operator]
        return state & ~top | shift_right(reverse(state), 64 - 4 * operator)

    def default_heuristic(self):
        return Gaps(self)

    def random_state(self, rng):
        sizes = list(range(1, self.tables.size + 1))
        rng.shuffle(sizes)
        return self.pack(sizes)

    def with_start(self, state):
        return FastPancakes(self.format_state(state))

    def format_state(self, state):
        return " ".join(str(state >> 4 * i & 15) for i in range(self.tables.size))


class Gaps(PackedHeuristic):
    """Neighbours that do not belong together: a turn parts one pair only."""

    name = "gaps"

    def __init__(self, problem):
        self.tables = problem.tables

    def gap(self, one, other):
        return 1 if abs((one & 15) - (other & 15)) > 1 else 0

    def estimate(self, state):
        found = 0
        for i in range(self.tables.size):
            found += self.gap(state >> 4 * i, state >> 4 * (i + 1))
        return found

    def change(self, state, control, operator, child):
        below = state >> 4 * operator
        return self.gap(state, below) - self.gap(state >> 4 * (operator - 1), below)


@hookimpl
def searchkit_register_puzzles(register):
    stack = Parameter("stack", "7 13 8 2 6 9 1 3 11 5 4 14 10 12", "the sizes, from top to bottom")
    register("fast-pancakes", FastPancakes, summary="sort pancakes, compiled", parameters=[stack])
