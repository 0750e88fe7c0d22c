"""Parts of a problem that are of another kind, and lists that do not end: told before a search."""

from __future__ import annotations

import pytest

from searchkit import (
    AStar,
    Bidirectional,
    BreadthFirst,
    Costs,
    Problem,
    ProblemError,
    Step,
    UniformCost,
    solve,
)
from searchkit.errors import LawError
from searchkit.explore import explore
from searchkit.premises import kinds


class Walk(Problem):
    def initial_states(self):
        return [0]

    def successors(self, state):
        return [Step("on", state + 1)] if state < 3 else []

    def is_goal(self, state):
        return state == 3


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("successors", [Step("on", 1)], "successors: successors is .*; it must be a method"),
        ("is_goal", False, "goals: is_goal is False; it must be a method"),
        ("key", 3, "keys: key is 3; it must be a method"),
        ("undirected", lambda self: False, "undirected: undirected is a method, which counts as"),
        ("costs", "unit", r"costs: costs is 'unit'; write costs = one of Costs\.UNIT, "),
    ],
)
@pytest.mark.parametrize("run", [lambda it: solve(it, BreadthFirst()), explore])
def test_other_kinds_of_things(name, value, message, run):
    problem = type("Mine", (Walk,), {name: value, "__module__": __name__})()
    with pytest.raises(LawError, match=message) as caught:
        run(problem)
    assert __file__ in str(caught.value)


def endless(self):
    while True:
        yield 0


@pytest.mark.parametrize("name", ["initial_states", "goal_states"])
def test_lists_that_do_not_end(name, monkeypatch):
    monkeypatch.setattr(kinds, "MOST_STATES", 1000)
    members = {"undirected": True, "goal_states": lambda self: [3]} | {name: endless}
    problem = type("Mine", (Walk,), members)()
    with pytest.raises(LawError, match=f"{name} lists more than 1,000 states; does it end?"):
        solve(problem, Bidirectional())


def test_as_many_states_as_may_be(monkeypatch):
    monkeypatch.setattr(kinds, "MOST_STATES", 3)
    problem = type("Mine", (Walk,), {"initial_states": lambda self: [0, 1, 2]})()
    assert solve(problem, BreadthFirst()).cost == 1


@pytest.mark.parametrize("cost", [2**53 + 1, 10**400])
def test_costs_beyond_what_bounds_hold(cost):
    class Dear(Walk):
        costs = Costs.INTEGER

        def successors(self, state):
            return [Step("on", state + 1, cost)] if state < 3 else []

    with pytest.raises(ProblemError, match=r"costs more than 2\*\*53, which is the most"):
        solve(Dear(), UniformCost())


def test_estimates_beyond_what_a_float_holds():
    class Far(Walk):
        def heuristic(self, state):
            return 10**400

    with pytest.raises(ProblemError, match="it must give a number from 0 upwards"):
        solve(Far(), AStar())
