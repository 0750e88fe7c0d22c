"""The blocks world: towers of blocks are rebuilt, one block at a time.

A tower is written from the table up: `ac b` is a with c on it, and b.

    searchkit run --plugin examples/blocks.py blocks
    searchkit run --plugin examples/blocks.py blocks -p start="ac b" -p goal=cba
"""

from itertools import pairwise

from searchkit import Parameter, hookimpl
from searchkit.fields import Array, Fields


class Blocks(Fields):
    undirected = True  # a block goes back

    def __init__(self, start, goal):
        self.names = sorted(start.replace(" ", ""))
        if sorted(goal.replace(" ", "")) != self.names or len(set(self.names)) < len(self.names):
            raise ValueError("start and goal must have the same blocks, each once")
        self.table = len(self.names)
        places = [*self.names, "table"]
        pairs = [(i, j) for i in range(self.table) for j in range(self.table + 1) if i != j]
        self.moves = {f"{places[block]} on {places[to]}": (block, to) for block, to in pairs}
        self.declare(below=Array(self.table, self.table + 1))
        self.wanted = self.towers(goal)
        self.start, self.goal = self.pack(below=self.towers(start)), self.pack(below=self.wanted)

    def towers(self, text):
        """What each block stands on."""
        pairs = [pair for tower in text.split() for pair in pairwise(tower)]
        below = {upper: self.names.index(lower) for lower, upper in pairs}
        return [below.get(name, self.table) for name in self.names]

    def legal(self, s, block, to):
        """Nothing stands on either."""
        if s.below[block] == to or block in s.below:
            return False
        return to == self.table or to not in s.below

    def apply(self, s, block, to):
        s.below[block] = to

    def estimate(self, s):
        """Whatever stands on the wrong block, or on one that must move, must move."""
        total = 0
        for block in range(self.table):
            each = block
            while each != self.table and s.below[each] == self.wanted[each]:
                each = s.below[each]
            total += each != self.table
        return total


@hookimpl
def searchkit_register_puzzles(register):
    start = Parameter("start", "dbe ca", "towers, from the table up")
    goal = Parameter("goal", "abcde", "towers, from the table up")
    register("blocks", Blocks, summary="rebuild towers of blocks", parameters=[start, goal])
