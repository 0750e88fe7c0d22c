"""Problems written for other libraries: by another base class they are searched, and translated."""

from typing import ClassVar

import pytest

from searchkit import AStar, BreadthFirst, Costs, ProblemError, UniformCost, solve
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


class Ferry(aima.Problem):
    """In the style of aima's fourth edition: a town by keyword, costs of single actions."""

    def __init__(self, initial=None, goal=None, **kwds):
        super().__init__(initial=initial, goal=goal, **kwds)

    def actions(self, state):
        return [place for place in self.fares[state] if place not in self.closed]

    def result(self, state, action):
        return action

    def is_goal(self, state):
        return state == self.goal or state in self.harbours

    def action_cost(self, s, a, s1):
        return self.fares[s][s1]

    def h(self, node):
        return 0 if self.is_goal(node.state) else 1


FARES = {"a": {"b": 4, "c": 9}, "b": {"c": 3, "d": 7}, "c": {"d": 2}, "d": {}}


def ferry(**changed):
    return Ferry(
        **{"initial": "a", "goal": "d", "fares": FARES, "closed": "", "harbours": ()} | changed
    )


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


def test_the_fourth_edition_of_aima():
    assert Ferry.costs is Costs.INTEGER
    result = solve(ferry(), AStar())
    assert (result.cost, result.actions, result.optimal) == (9, ("b", "c", "d"), True)
    assert solve(ferry(closed="c"), UniformCost()).cost == 11
    assert solve(ferry(harbours=("c",)), UniformCost()).cost == 7


def test_what_neither_edition_has_is_a_step_of_cost_1():
    class Ring(aima.Problem):
        def actions(self, state):
            return [1, -1]

        def result(self, state, action):
            return (state + action) % self.size

    assert Ring.costs is Costs.UNIT
    assert solve(Ring(0, 5, size=12), BreadthFirst()).cost == 5
    assert Ring().initial is Ring().goal is None


def test_costs_of_floats_are_refused():
    fares = FARES | {"a": {"b": 1.4, "c": 9}}
    with pytest.raises(ProblemError, match=r"b.*1\.4"):
        solve(ferry(fares=fares), AStar())


@pytest.mark.parametrize(
    ("base", "both"), [(Roads, "action_cost"), (Ferry, "path_cost"), (Ferry, "goal_test")]
)
def test_two_methods_for_one_question_are_refused(base, both):
    with pytest.raises(ProblemError, match=f"Mixed has .*{both}.*; leave out one of them"):
        type("Mixed", (base,), {both: lambda self, *others: 1})


@pytest.mark.parametrize("problem", [Roads("a", "d"), Tiles("5-3-4-1-2"), ferry()])
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
