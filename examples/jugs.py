"""Water jugs without marks: pour one into another until that is full, or this one empty.

The first jug is full at the start. The puzzle with three of them is Tartaglia's (1556).

    searchkit run --plugin examples/jugs.py jugs
    searchkit run --plugin examples/jugs.py jugs -p capacities="12 7 5" -p goal="6 6 0" --all
"""

from searchkit import Parameter, hookimpl
from searchkit.fields import Array, Fields


class Jugs(Fields):
    def __init__(self, capacities, goal):
        self.capacities = [int(word) for word in capacities.split()]
        pairs = [(i, j) for i in range(len(self.capacities)) for j in range(len(self.capacities))]
        names = [f"{capacity}" for capacity in self.capacities]
        self.moves = {f"{names[i]}→{names[j]}": (i, j) for i, j in pairs if i != j}
        self.declare(amount=Array(len(names), max(self.capacities) + 1))
        self.start = self.pack(amount=[self.capacities[0]] + [0] * (len(names) - 1))
        self.goal = self.pack(amount=[int(word) for word in goal.split()])

    def poured(self, s, i, j):
        return min(s.amount[i], self.capacities[j] - s.amount[j])

    def legal(self, s, i, j):
        return self.poured(s, i, j) > 0

    def apply(self, s, i, j):
        poured = self.poured(s, i, j)
        s.amount[i] -= poured
        s.amount[j] += poured


@hookimpl
def searchkit_register_puzzles(register):
    parameters = [
        Parameter("capacities", "8 5 3", "what each jug holds when full"),
        Parameter("goal", "4 4 0", "the amount in each jug at the end"),
    ]
    register("jugs", Jugs, summary="measure water with unmarked jugs", parameters=parameters)
