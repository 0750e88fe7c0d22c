"""What compiled engines rely on without looking is compared with the rules near the starts."""

from __future__ import annotations

import pytest

from searchkit import IDDFS, AStar, BreadthFirst, IDAStar, Limits, ProblemError, solve
from searchkit.compiled.specialise.plain import plainly
from searchkit.explore import explore
from searchkit.packed import CarriedHeuristic
from tests.support.honest import AlongTheRing, Walk


class WrongChange(AlongTheRing):
    def change(self, state, control, operator, child):
        there, here = self.tables.distances[child], self.tables.distances[state]
        return 1 if state == 2 else there - here


class WrongFollow(CarriedHeuristic):
    name = "follows"
    tables = Walk.tables

    def begin(self, memo, at, state):
        memo[at] = self.tables.distances[state]
        return memo[at]

    def follow(self, memo, at, after, step, most):
        state, _, _, child = step
        memo[after] = self.tables.distances[child] + (1 if state == 2 else 0)
        return memo[after]


class OtherEstimate(WrongFollow):
    """An estimate that is not what the words of a state say."""

    def estimate(self, state):
        return 0

    def follow(self, memo, at, after, step, most):
        _, _, _, child = step
        return self.begin(memo, after, child)


class WrongInverse(Walk):
    def inverse(self, control, operator):
        return operator if control == 2 else 12 - operator


class WrongRank(Walk):
    def rank(self, state):
        return 3 if state == 2 else state


@pytest.mark.parametrize(
    ("problem", "algorithm", "message"),
    [
        (Walk(), AStar(WrongChange()), "by change it is [56]"),
        (Walk(), IDAStar(WrongFollow()), "by follow it is [56]"),
        (Walk(), IDAStar(OtherEstimate()), "is 0, but by follow it is"),
        (WrongInverse(), IDDFS(), "the inverse of operator 1 is 1, which leads elsewhere"),
        (WrongRank(), BreadthFirst(), "its rank, is the state 3"),
    ],
    ids=["change", "follow", "estimate", "inverse", "rank"],
)
def test_what_machine_code_relies_on_is_compared_before_it_is_believed(problem, algorithm, message):
    with plainly(), pytest.raises(ProblemError, match=message):
        solve(problem, algorithm, engine="compiled")


def test_an_exploration_by_wrong_numbers_is_not_believed():
    with plainly(), pytest.raises(ProblemError, match="its rank, is the state 3"):
        explore(WrongRank(), engine="compiled", limits=Limits(expansions=3))
