"""Whole spaces of which only the numbers of states are kept: a cube of ten dimensions."""

from __future__ import annotations

import math

import pytest

from searchkit import LimitKind, Limits, PackedProblem, ProblemError
from searchkit.compiled.specialise.plain import plainly
from searchkit.explore import explore

DIMENSIONS = 10
CORNERS = 1 << DIMENSIONS
LAYERS = tuple(math.comb(DIMENSIONS, ones) for ones in range(DIMENSIONS + 1))


class Corners(PackedProblem[int]):
    """An operator flips a bit; numbers are states read backwards, so that both are told apart."""

    ranks = CORNERS
    undirected = True

    def initial_states(self):
        return [0]

    def goal_states(self):
        return [0]

    def operators(self, control):
        return range(DIMENSIONS)

    def inverse(self, control, operator):
        return operator

    def action(self, state, operator):
        return operator

    def at_goal(self, state):
        return state == 0

    def apply(self, state, control, operator):
        return state ^ 1 << operator

    def rank(self, state):
        return 1023 - state

    def unrank(self, index):
        return 1023 - index

    def rank_after(self, index, control, operator):
        return index ^ 1 << operator


class Plain(Corners):
    """The same by states."""

    rank_after = PackedProblem.rank_after


class WrongFarAway(Corners):
    """Wrong where no promise is looked at before machine code runs."""

    def rank_after(self, index, control, operator):
        return index ^ 1 << (operator if index > 700 else 0)


class OutOfRange(Corners):
    """Wrong where numbers are not compared any more."""

    def rank_after(self, index, control, operator):
        return (index ^ 1 << operator) - (2000 if index == 0 else 0)


@pytest.mark.parametrize("problem", [Corners(), Plain()], ids=["numbers", "states"])
def test_layers_and_counts(problem):
    found = explore(problem, engine="compiled")
    assert found.layers == LAYERS
    assert found.statistics.expanded == CORNERS
    assert found.statistics.generated == CORNERS * DIMENSIONS + 1
    assert found.farthest == (CORNERS - 1,)


def test_without_a_compiler():
    with plainly():
        test_layers_and_counts(Corners())


def test_limits_in_every_layer():
    problem = Corners()
    for expansions in range(1, CORNERS, 23):
        found = explore(problem, engine="compiled", limits=Limits(expansions=expansions))
        assert (found.limit, found.statistics.expanded) == (LimitKind.EXPANSIONS, expansions)
        *whole, last = found.layers
        assert tuple(whole) == LAYERS[: len(whole)]
        assert last <= LAYERS[len(whole)]
    for cost in range(DIMENSIONS + 1):
        found = explore(problem, engine="compiled", limits=Limits(cost=cost))
        assert found.layers == LAYERS[: cost + 1]
        assert found.complete == (cost == DIMENSIONS)


def test_wrong_numbers_are_named():
    with plainly(), pytest.raises(ProblemError, match=r"rank_after\(\d+, 0, \d\) is \d+, "):
        explore(WrongFarAway(), engine="compiled")
    with (
        plainly(),
        pytest.raises(ProblemError, match="rank_after gives a number that is not from 0 to 1023"),
    ):
        explore(OutOfRange(), engine="compiled")
