"""The largest of several heuristics of an ordinary problem is machine code, like each of them."""

from __future__ import annotations

from itertools import pairwise

import pytest

from searchkit import (
    INFINITY,
    Anytime,
    AStar,
    BeamSearch,
    CompleteBeam,
    GreedyBestFirst,
    Heuristic,
    IDAStar,
    Problem,
    ProblemError,
    Step,
    UnsuitableError,
    WeightedAStar,
    WeightedIDAStar,
    solve,
)
from searchkit.heuristic import ProblemHeuristic
from searchkit.heuristics.maximum import maximum
from searchkit.packed import ZeroHeuristic

ALGORITHMS = [
    AStar, IDAStar, WeightedAStar, WeightedIDAStar, GreedyBestFirst, BeamSearch, CompleteBeam,
    Anytime,
]  # fmt: skip
ROW = (3, 6, 1, 7, 0, 5, 2, 4)


class Flips(Problem):
    """The first few of a row are turned over, until it is sorted."""

    def __init__(self, row=ROW):
        self.row = tuple(row)

    def initial_states(self):
        return [self.row]

    def is_goal(self, state):
        return state == tuple(range(len(state)))

    def successors(self, state):
        for end in range(2, len(state) + 1):
            yield Step(end, state[:end][::-1] + state[end:])

    def heuristic(self, state):
        return sum(abs(a - b) != 1 for a, b in pairwise(state))


class Gaps(Heuristic):
    name = "gaps"

    def __init__(self, weight):
        self.weight = weight

    def __call__(self, state):
        return sum(self.weight for a, b in pairwise(state) if abs(a - b) != 1)


class First(Heuristic):
    name = "first"

    def __call__(self, state):
        return 1 if state[0] != 0 else 0


class Never(Heuristic):
    """Says of some states that no goal can be reached: no lower bound, but it says so alike."""

    name = "never"

    def __call__(self, state):
        return INFINITY if state[0] == 7 and state[1] == 6 and state[2] == 3 else 0


class Wrong(Heuristic):
    name = "wrong"

    def __call__(self, state):
        return -2 if state[0] == 4 else 0


class Carried(First):
    def after(self, h, state, step):
        return self(step[1])


PUZZLE = Flips()
PAIRS = {
    "two": lambda: maximum(Gaps(1), First()),
    "with the problem's own": lambda: maximum(First(), ProblemHeuristic(PUZZLE)),
    "three": lambda: maximum(First(), ZeroHeuristic(), Gaps(1)),
    "of floats": lambda: maximum(Gaps(0.75), First()),
    "of other weights": lambda: maximum(Gaps(0.5), First()),
    "dead ends": lambda: maximum(Never(), Gaps(1)),
}


def told(heuristic, algorithm, engine):
    result = solve(PUZZLE, algorithm(heuristic=heuristic), engine=engine)
    counts = result.statistics
    return result.cost, counts.expanded, counts.generated, result.actions


@pytest.mark.slow_variants("dead ends-BeamSearch", "of other weights-GreedyBestFirst")
@pytest.mark.spread
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("pair", PAIRS)
def test_engines_expand_the_same(pair, algorithm):
    heuristic = PAIRS[pair]()
    expected = told(heuristic, algorithm, "reference")
    assert told(heuristic, algorithm, "compiled") == expected
    assert expected[0] >= 8


@pytest.mark.parametrize("pair", [(First, Wrong), (Wrong, First)])
def test_what_is_no_estimate_is_told_alike(pair):
    errors = []
    for engine in ("reference", "compiled"):
        with pytest.raises(ProblemError) as error:
            solve(PUZZLE, AStar(maximum(*(each() for each in pair))), engine=engine)
        errors.append(str(error.value))
    assert errors[0] == errors[1]
    assert "wrong gives -2 for state" in errors[0]


@pytest.mark.parametrize(
    ("heuristic", "told"),
    [
        (maximum(First(), Carried()), "first defines after"),
        (maximum(Carried(), Gaps(1)), "first defines after"),
        (maximum(First(), ProblemHeuristic(Flips())), "the method of another problem"),
    ],
)
def test_a_part_that_cannot_be_translated_is_named(heuristic, told):
    with pytest.raises(UnsuitableError, match=told):
        solve(PUZZLE, AStar(heuristic), engine="compiled")


class ByTable(Problem):
    """Its rules call an object of the author's."""

    class Reach:
        def __init__(self, most):
            self.most = most

        def __call__(self, number):
            return number + 3 if number + 3 <= self.most else 0

    def __init__(self):
        self.reach = self.Reach(40)

    def initial_states(self):
        return [1]

    def is_goal(self, state):
        return state == 40

    def successors(self, state):
        yield Step("on", self.reach(state))
        yield Step("one", state + 1 if state < 40 else 0)


def test_objects_that_are_called_are_translated():
    results = [solve(ByTable(), AStar(), engine=engine) for engine in ("reference", "compiled")]
    assert [each.cost for each in results] == [13, 13]
    assert results[0].statistics.expanded == results[1].statistics.expanded
