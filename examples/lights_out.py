"""Lights Out: a press switches a lamp of a square and its neighbours, until all are dark.

A press flips the same lamps in every state, so that the whole space takes one bit for each state.

    searchkit run --plugin examples/lights_out.py lights-out
    searchkit explore --plugin examples/lights_out.py lights-out --limit 0
"""

from searchkit import Parameter, hookimpl
from searchkit.fields import Fields, Set


class LightsOut(Fields):
    undirected = True  # a press takes itself back

    def __init__(self, size):
        if not 2 <= size <= 8:
            raise ValueError("the size must be from 2 to 8")
        self.size = size
        self.lamps = [(row, column) for row in range(size) for column in range(size)]
        self.crosses = [
            [i for i in range(size * size) if self.near(i, j)] for j in range(size * size)
        ]
        self.moves = {f"{'abcdefgh'[c]}{r + 1}": r * size + c for r, c in self.lamps}
        self.declare(lit=Set(size * size))
        self.start = self.pack(lit=range(size * size))
        self.goal = self.pack(lit=[])

    def near(self, one, other):
        (row, column), (row2, column2) = self.lamps[one], self.lamps[other]
        return abs(row - row2) + abs(column - column2) <= 1

    def apply(self, s, lamp):
        s.lit ^= self.crosses[lamp]

    def render(self, state):
        lit = self.unpack(state).lit
        marks = ["#" if lamp in lit else "." for lamp in range(self.size**2)]
        return "\n".join("".join(marks[i : i + self.size]) for i in range(0, len(marks), self.size))


@hookimpl
def searchkit_register_puzzles(register):
    size = Parameter("size", 5, "lamps in a row: 2 to 8")
    register("lights-out", LightsOut, summary="press lamps until all are dark", parameters=[size])
