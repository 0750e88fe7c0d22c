"""Problems written for other libraries: by another base class they are searched, and translated."""

from typing import ClassVar

import pytest

from searchkit import AStar, Costs, ProblemError, UniformCost, solve
from searchkit.compiled.specialise.plain import plainly
from searchkit.interop import aima, simpleai
from searchkit.translation import watch


class Roads(aima.Problem):
    """In the style of aima-python: a map by a dict, and a heuristic of nodes."""

    miles: ClassVar = {("a", "b"): 4, ("b", "c"): 3, ("a", "c"): 9, ("c", "d"): 2, ("b", "d"): 7}

    def actions(self, state):
        return [b for a, b in self.miles if a == state]

    def result(self, state, action):
        return action

    def path_cost(self, c, state1, action, state2):
        return c + self.miles[state1, state2]

    def h(self, node):
        return 0 if node.state == self.goal else 1


class Tiles(simpleai.SearchProblem):
    """In the style of simpleai: five tiles in a row, as a text; neighbours change places."""

    def actions(self, state):
        return state.split("-")[1:]

    def result(self, state, action):
        row = state.split("-")
        at = row.index(action)
        row[at - 1], row[at] = row[at], row[at - 1]
        return "-".join(row)

    def is_goal(self, state):
        return state == "1-2-3-4-5"

    def heuristic(self, state):
        row = state.split("-")
        return sum(piece != home for piece, home in zip(row, "12345", strict=True)) // 2


def test_problems_of_other_libraries():
    result = solve(Roads("a", "d"), AStar())
    assert (result.cost, result.actions) == (9, ("b", "c", "d"))
    assert solve(Roads("a", ["c", "x"]), UniformCost()).cost == 7
    assert Roads.costs is Costs.INTEGER
    assert Tiles.costs is Costs.UNIT
    assert solve(Tiles("5-4-3-2-1"), AStar()).cost == 10
    assert solve(Tiles(initial_state="1-2-3-4-5"), AStar()).cost == 0


@pytest.mark.parametrize("problem", [Roads("a", "d"), Tiles("5-3-4-1-2")])
def test_they_are_translated(problem, monkeypatch):
    monkeypatch.setattr(watch, "FIRST", 10)
    expected = solve(problem, AStar(), engine="reference")
    with plainly():
        found = solve(problem, AStar(), engine="compiled")
    assert found.engine == "compiled"
    assert (found.cost, found.actions) == (expected.cost, expected.actions)
    counts = [each.statistics.expanded for each in (expected, found)]
    assert counts[0] == counts[1]


def test_what_a_path_costs_must_be_promised():
    class Cheating(Roads):
        costs = Costs.UNIT

    with pytest.raises(ProblemError, match="unit costs"):
        solve(Cheating("a", "d"), AStar())
