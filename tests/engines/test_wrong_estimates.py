"""What is not an estimate is an error that names the heuristic, the value and the state."""

from __future__ import annotations

import pytest

from searchkit import (
    Anytime,
    AStar,
    BeamSearch,
    GreedyBestFirst,
    Heuristic,
    IDAStar,
    Problem,
    ProblemError,
    Status,
    Step,
    WeightedAStar,
    WeightedIDAStar,
    solve,
)
from searchkit.heuristics.maximum import maximum
from searchkit.packed import ZeroHeuristic

ALGORITHMS = [
    AStar, IDAStar, WeightedAStar, WeightedIDAStar, GreedyBestFirst, BeamSearch, Anytime
]  # fmt: skip
WRONG = [float("nan"), -1, -0.5, None, "two", [1], 1j]


class Row(Problem[int, int]):
    """From place to place, up to the last, which is not a goal."""

    def initial_states(self):
        return [0]

    def successors(self, state):
        return [Step(1, state + 1)] if state < 4 else []

    def is_goal(self, state):
        return False


class At(Heuristic[int, int]):
    """Wrong at one place."""

    name = "at"

    def __init__(self, place, value):
        self.place, self.value = place, value

    def __call__(self, state):
        return self.value if state == self.place else 0


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("place", [0, 2])
@pytest.mark.parametrize("value", WRONG, ids=repr)
def test_what_is_no_estimate_is_an_error(algorithm, place, value):
    with pytest.raises(ProblemError) as error:
        solve(Row(), algorithm(At(place, value)))
    shown = repr(value).replace("(", "").replace(")", "")
    told = str(error.value).replace("(", "").replace(")", "")
    assert f"heuristic at gives {shown} for state {place}; it must give a number" in told


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("value", [0, 0.5, True, float("inf"), 10**30])
def test_other_numbers_are_estimates(algorithm, value):
    assert solve(Row(), algorithm(At(2, value))).status is Status.UNSOLVABLE


@pytest.mark.parametrize("value", [float("nan"), None])
def test_a_maximum_hides_nothing(value):
    for both in (maximum(ZeroHeuristic(), At(2, value)), maximum(At(2, value), ZeroHeuristic())):
        with pytest.raises(ProblemError, match="heuristic at gives"):
            solve(Row(), AStar(both))


def test_the_heuristic_of_a_problem_is_named_by_the_problem():
    class Odd(Row):
        def heuristic(self, state):
            return None

    with pytest.raises(ProblemError, match="heuristic problem gives None for state 0"):
        solve(Odd(), AStar())
