"""At the limit of memory a result says which algorithm needs less."""

import pytest

from searchkit import AStar, BreadthFirst, IDAStar, LimitKind, Limits, Problem, Step, solve
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
