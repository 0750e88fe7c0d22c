"""At a limit of memory or time a result says what may help."""

import pytest

from searchkit import AStar, BreadthFirst, IDAStar, LimitKind, Limits, Problem, Step, solve
from searchkit.heuristic import Heuristic
from searchkit.solving import helps
from searchkit_sliding import fifteen_puzzle

LITTLE = Limits(memory=1_000_000)


class Doubling(Problem[int, str]):
    """No heuristic, and more and more states."""

    def initial_states(self):
        return [1]

    def successors(self, state):
        return [Step("double", 2 * state), Step("more", 2 * state + 1)]

    def is_goal(self, state):
        return False


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_search_with_a_heuristic_is_sent_to_idastar(engine):
    result = solve(fifteen_puzzle(), AStar(), limits=LITTLE, engine=engine)
    assert result.limit is LimitKind.MEMORY
    assert result.hint == "idastar has only one path in memory, and cabs has some solution soon"
    assert result.hint in result.advice
    helped = solve(fifteen_puzzle(), IDAStar(), limits=Limits(memory=20_000_000))
    assert helped.cost == 42


def test_a_blind_search_is_sent_to_iddfs():
    result = solve(Doubling(), BreadthFirst(), limits=LITTLE, engine="reference")
    assert result.limit is LimitKind.MEMORY
    assert result.hint.startswith("iddfs has only one path in memory")


def test_other_limits_have_no_such_hint():
    result = solve(fifteen_puzzle(), AStar(), limits=Limits(expansions=100))
    assert result.hint is None


class Told(Heuristic):
    """Knows nothing, by some name."""

    def __init__(self, name):
        self.name = name

    def __call__(self, state):
        return 0


def test_a_search_that_lasts_is_told_of_databases(monkeypatch):
    monkeypatch.setattr(helps, "LASTING", 0)
    for name in ("other", "pdb:5-5-5"):
        algorithm = AStar(heuristic=Told(name))
        result = solve(fifteen_puzzle(), algorithm, limits=Limits(time=0.1), engine="reference")
        assert result.limit is LimitKind.TIME
        expected = None
        if name == "other":
            expected = "pattern databases may help: --table-memory 12MB builds some, "
            expected += "the first in about 3 s"
        assert result.hint == expected
