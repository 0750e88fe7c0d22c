"""A heuristic that says more than a solution costs proves nothing, in any engine, and is told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import (
    Anytime,
    AStar,
    BeamSearch,
    Costs,
    GreedyBestFirst,
    Heuristic,
    IDAStar,
    Limits,
    PackedHeuristic,
    PackedProblem,
    Problem,
    Status,
    Step,
    UniformCost,
    WeightedAStar,
    WeightedIDAStar,
    solve,
)

ALL = [
    AStar, IDAStar, GreedyBestFirst, BeamSearch, Anytime,
    lambda h: WeightedAStar(weight=2, heuristic=h),
    lambda h: WeightedIDAStar(weight=2, heuristic=h),
]  # fmt: skip
by_name = pytest.mark.parametrize("algorithm", ALL)
TOLD = "the heuristic overestimates: 12 at 4, 4 from a goal"


class Row(Problem[int, str]):
    """From 4 down to 0."""

    costs = Costs.INTEGER

    def initial_states(self):
        return [4]

    def successors(self, state):
        return [Step("left", state - 1), Step("right", state + 1)] if state < 9 else []

    def is_goal(self, state):
        return state == 0


class Times(Heuristic[int, str]):
    name = "times"

    def __init__(self, factor):
        self.factor = factor

    def __call__(self, state):
        return self.factor * state


@by_name
@pytest.mark.parametrize("want", ["one", "all", "count"])
def test_nothing_is_proved(algorithm, want):
    kind = algorithm(Times(3))
    if want != "one" and not kind.finds_all:
        pytest.skip("finds one solution")
    result = solve(Row(), kind, want=want)
    assert result.status is Status.SOLVED
    assert str(result.overestimate) == TOLD
    assert (result.optimal, result.lower_bound, result.within) == (False, 0, None)
    assert not result.complete
    assert TOLD in result.advice
    assert all(each.lower_bound == 0 for each in result.improvements)


@by_name
@pytest.mark.parametrize("factor", [0, 0.5, 1, 1 + 1e-12])
def test_lower_bounds_are_believed(algorithm, factor):
    result = solve(Row(), algorithm(Times(factor)))
    assert result.overestimate is None
    assert result.optimal or not type(result.algorithm).optimal


def test_goals_are_no_steps_away_from_one():
    class Late(Heuristic[int, str]):
        def __call__(self, state):
            return 2 if state == 0 else 0

    result = solve(Row(), AStar(Late()))
    assert str(result.overestimate) == "the heuristic overestimates: 2 at 0, a goal"


def test_what_was_found_before_a_limit_is_no_bound():
    result = solve(Row(), Anytime(Times(3), weights=(5, 1)), limits=Limits(expansions=4))
    if result.solution is not None:
        assert result.lower_bound == 0


def test_algorithms_without_a_heuristic_believe_none():
    class Boasting(Row):
        def heuristic(self, state):
            return 3 * state

    assert solve(Boasting(), UniformCost()).optimal
    assert str(solve(Boasting(), AStar()).overestimate) == TOLD


class PackedRow(PackedProblem[str]):
    def initial_states(self):
        return [4]

    def operators(self, control):
        return range(2)

    def action(self, state, operator):
        return "left" if operator else "right"

    def legal(self, state, control, operator):
        return state < 9

    def apply(self, state, control, operator):
        return state - 1 if operator else state + 1

    def at_goal(self, state):
        return state == 0


class Thrice(PackedHeuristic):
    def estimate(self, state):
        return 3 * state


def test_machine_code_is_believed_no_more():
    result = solve(PackedRow(), IDAStar(Thrice()), engine="compiled")
    assert (result.engine, result.optimal, result.lower_bound) == ("compiled", False, 0)
    assert str(result.overestimate) == TOLD


@given(st.lists(st.integers(0, 6), min_size=10, max_size=10))
def test_it_is_told_where_it_is_so(estimates):
    class Table(Heuristic[int, str]):
        def __call__(self, state):
            return estimates[state]

    result = solve(Row(), AStar(Table()))
    above = [state for state in result.solution.states if estimates[state] > state]
    assert (result.overestimate is not None) == bool(above)
    assert result.overestimate is None or result.overestimate.state == str(above[0])
