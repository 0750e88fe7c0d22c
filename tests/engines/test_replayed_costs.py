"""The cost of a solution that is replayed is that which its engine claims."""

import pytest

from searchkit import (
    Algorithm,
    Anytime,
    AStar,
    BeamSearch,
    Bidirectional,
    Costs,
    Problem,
    ProblemError,
    Step,
    UniformCost,
    WeightedAStar,
    solve,
)
from searchkit.running.task import Outcome
from searchkit.solving.engines import register_engine

BACK_FROM_GOAL = [UniformCost(), AStar(), WeightedAStar(), Anytime()]


def corner(wrong, costs=Costs.INTEGER, size=5):
    """A square to be crossed; steps back from the goal have a cost that none may have."""
    last = size - 1

    class Corner(Problem):
        undirected = True

        def initial_states(self):
            return [(0, 0)]

        def goal_states(self):
            return [(last, last)]

        def is_goal(self, state):
            return state == (last, last)

        def successors(self, state):
            x, y = state
            for name, dx, dy in (("R", 1, 0), ("L", -1, 0), ("D", 0, 1), ("U", 0, -1)):
                if 0 <= x + dx < size and 0 <= y + dy < size:
                    yield Step(name, (x + dx, y + dy), wrong if self.is_goal(state) else 1)

    Corner.costs = costs
    return Corner()


@pytest.mark.parametrize("wrong", [-3, -100, 0.5, "1", None])
@pytest.mark.parametrize("algorithm", BACK_FROM_GOAL, ids=lambda each: each.name)
def test_costs_are_checked_on_the_way_back_from_the_goal(algorithm, wrong):
    told = rf"action '[LU]' at \(4, 4\) costs {wrong!r}, but the problem promises non-negative"
    with pytest.raises(ProblemError, match=told):
        solve(corner(wrong), algorithm, engine="reference")


@pytest.mark.parametrize("engine", ["auto", "compiled"])
def test_by_machine_code_too(engine):
    with pytest.raises(ProblemError, match=r"at \(4, 4\) costs -3"):
        solve(corner(-3), UniformCost(), engine=engine)


@pytest.mark.parametrize("wrong", [-3, 2])
def test_from_both_ends(wrong):
    with pytest.raises(ProblemError, match=f"costs {wrong}, but the problem promises unit"):
        solve(corner(wrong, Costs.UNIT), Bidirectional(), engine="reference")


class Dearer(Problem):
    """A walk whose steps cost more when they are asked for again, far from the start."""

    costs = Costs.INTEGER

    def __init__(self):
        self.asked = set()

    def initial_states(self):
        return [0]

    def successors(self, state):
        cost = 2 if state > 150 and state in self.asked else 1
        self.asked.add(state)
        return [Step("on", state + 1, cost)]

    def is_goal(self, state):
        return state == 200


@pytest.mark.parametrize(
    "algorithm", [UniformCost(), AStar(), BeamSearch(width=3)], ids=lambda each: each.name
)
def test_a_solution_that_costs_more_when_it_is_replayed(algorithm):
    with pytest.raises(ProblemError, match="costs 249 when it is replayed, and 200 when it was"):
        solve(Dearer(), algorithm)


class Line(Problem):
    """A walk of four steps; the third step may be had for less from elsewhere."""

    costs = Costs.INTEGER

    def initial_states(self):
        return [0]

    def successors(self, state):
        return [Step("on", state + 1, 2)]

    def is_goal(self, state):
        return state == 4


@pytest.mark.parametrize("claimed", [4, 6, 10])
def test_an_engine_of_a_plugin_that_claims_another_cost(claimed):
    class Boastful(Algorithm):
        name = f"boastful-{claimed}"

    def engine(task):
        yield
        left = {state: claimed - 2 * state for state in range(4)}
        return Outcome(cost=claimed, remaining=left | {4: claimed - 8})

    register_engine(Boastful, "reference", engine)
    with pytest.raises(ProblemError, match=f"costs 8 when it is replayed, and {claimed} when"):
        solve(Line(), Boastful())
