"""Missionaries and cannibals: a boat carries all across a river.

Nowhere, in the boat or on a bank, may cannibals outnumber missionaries who are there.

    searchkit run --plugin examples/missionaries.py missionaries
    searchkit run --plugin examples/missionaries.py missionaries -p pairs=5 -p boat=3
"""

from searchkit import Parameter, hookimpl
from searchkit.fields import Fields, Int


class Missionaries(Fields):
    undirected = True  # whoever has crossed can cross back

    def __init__(self, pairs, boat):
        if pairs < 1 or boat < 1:
            raise ValueError("there must be one pair at least, and one seat in the boat")
        self.pairs = pairs
        crews = [(m, c) for m in range(boat + 1) for c in range(boat + 1 - m) if m + c]
        self.moves = {"M" * m + "C" * c: (m, c) for m, c in crews if m == 0 or m >= c}
        self.declare(m=Int(pairs + 1), c=Int(pairs + 1), boat=Int(bool))  # on the left bank
        self.start = self.pack(m=pairs, c=pairs, boat=True)
        self.goal = self.pack(m=0, c=0, boat=False)

    def legal(self, s, m, c):
        """A bank is safe where all missionaries are, or none, or as many as cannibals."""
        left_m = s.m - m if s.boat else s.m + m
        left_c = s.c - c if s.boat else s.c + c
        if min(left_m, left_c) < 0 or max(left_m, left_c) > self.pairs:
            return False
        return left_m in (0, self.pairs, left_c)

    def apply(self, s, m, c):
        s.m += -m if s.boat else m
        s.c += -c if s.boat else c
        s.boat = not s.boat


@hookimpl
def searchkit_register_puzzles(register):
    parameters = [
        Parameter("pairs", 3, "how many missionaries, and how many cannibals"),
        Parameter("boat", 2, "how many people the boat carries"),
    ]
    register("missionaries", Missionaries, summary="cross the river", parameters=parameters)
