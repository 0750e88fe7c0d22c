"""Functions that are not given the state look up lists of their module, as rules do."""

import pytest

from searchkit import BreadthFirst, solve
from searchkit.fields import Fields, Int

ROWS = [[1, 2], [0, 3], [4]]


def best_row(number, more):
    best = 0
    for row in range(len(ROWS)):
        if number in ROWS[row]:
            best = max(best, row + more)
    return best


class Walk(Fields):
    def __init__(self):
        self.moves = [1, 2]
        self.declare(n=Int(50), k=Int(9))
        self.start = self.pack(n=0, k=0)

    def apply(self, s, d):
        s.n = (s.n + d) % 50
        s.k = best_row(s.n, more=d)

    def at_goal(self, s):
        return s.n == 4 and s.k == 3


@pytest.mark.parametrize("engine", ["reference", "checked", "compiled"])
def test_they_look_up_lists_of_lists(engine):
    result = solve(Walk(), BreadthFirst(), engine=engine)
    assert result.cost == 3
    assert result.actions[-1] == 1
