"""Pancake sorting with declared fields: the same puzzle, compiled.

The smallest pancake shall lie on top.

    searchkit run --plugin examples/fast_pancakes.py fast-pancakes --random --seed 1
"""

from searchkit import Parameter, hookimpl
from searchkit.fields import Array, Fields


class FastPancakes(Fields):
    undirected = True

    def __init__(self, stack):
        sizes = [int(size) for size in stack.split()]
        if sorted(sizes) != list(range(1, len(sizes) + 1)):
            raise ValueError("give the sizes 1, 2, 3, ... in any order")
        self.plate = len(sizes)
        self.sorted = sorted(sizes)
        self.moves = range(2, len(sizes) + 1)
        self.declare(stack=Array(len(sizes), 1, len(sizes) + 1))
        self.start = self.pack(stack=sizes)
        self.goal = self.pack(stack=self.sorted)

    def apply(self, s, n):
        for i in range(n // 2):
            s.stack[i], s.stack[n - 1 - i] = s.stack[n - 1 - i], s.stack[i]

    def estimate(self, s):
        """Neighbours that do not belong together: a turn parts one pair only."""
        gaps = s.stack[self.plate - 1] != self.plate
        for i in range(self.plate - 1):
            gaps += abs(s.stack[i] - s.stack[i + 1]) > 1
        return gaps

    def random_state(self, rng):
        return self.pack(stack=rng.sample(self.sorted, self.plate))


@hookimpl
def searchkit_register_puzzles(register):
    stack = Parameter("stack", "7 13 8 2 6 9 1 3 11 5 4 14 10 12", "the sizes, from top to bottom")
    register("fast-pancakes", FastPancakes, summary="sort pancakes, compiled", parameters=[stack])
