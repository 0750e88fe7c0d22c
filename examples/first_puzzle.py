"""Pancake sorting: turn over the top of a stack until it is sorted.

The smallest pancake shall lie on top, the largest at the bottom.

    searchkit run examples/first_puzzle.py --draw
"""

from itertools import pairwise

from searchkit import Parameter, Problem, Step, hookimpl


class Pancakes(Problem[tuple[int, ...], int]):
    def __init__(self, stack):
        self.stack = tuple(int(size) for size in stack.split())
        if sorted(self.stack) != list(range(1, len(self.stack) + 1)):
            raise ValueError("give the sizes 1, 2, 3, ... in any order")

    def initial_states(self):
        return [self.stack]

    def successors(self, state):
        for n in range(2, len(state) + 1):
            yield Step(n, state[:n][::-1] + state[n:])

    def is_goal(self, state):
        return list(state) == sorted(state)

    def heuristic(self, state):
        return sum(abs(a - b) > 1 for a, b in pairwise((*state, len(state) + 1)))

    def render(self, state):
        return "\n".join(("██" * size).center(2 * len(state)).rstrip() for size in state)


@hookimpl
def searchkit_register_puzzles(register):
    stack = Parameter("stack", "4 2 6 1 5 3", "the sizes, from top to bottom")
    register("my-pancakes", Pancakes, summary="sort pancakes by turning", parameters=[stack])
