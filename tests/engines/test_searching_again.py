"""`search_again` agrees with distances found independently, and believes no promise."""

from __future__ import annotations

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import (
    INFINITY,
    AStar,
    BreadthFirst,
    Costs,
    Limits,
    Problem,
    Step,
    UniformCost,
    solve,
)
from searchkit.documents.searching_again import search_again
from searchkit.errors import VerificationError
from searchkit.limits import LimitKind
from searchkit.result import SearchResult, Status
from tests.support.graphs import Graph, best_cost, graphs
from tests.support.honest import Doomed


def claim(algorithm, bound):
    status = Status.UNSOLVABLE if bound == INFINITY else Status.LIMIT
    return SearchResult(
        status=status, algorithm=algorithm, engine="reference", lower_bound=bound,
        limit=LimitKind.COST if status is Status.LIMIT else None,
    )  # fmt: skip


@settings(max_examples=300)
@given(
    graphs(),
    st.integers(0, 12) | st.just(INFINITY),
    st.sampled_from([AStar(), UniformCost()]),
)
def test_it_refutes_just_the_bounds_that_are_too_high(graph: Graph, bound, algorithm):
    least = best_cost(graph)
    if bound <= least:
        assert search_again(graph, claim(algorithm, bound)).holds
    else:
        with pytest.raises(VerificationError, match=rf"but one costs {least}\b"):
            search_again(graph, claim(algorithm, bound))


@settings(max_examples=100)
@given(graphs(costs=Costs.UNIT))
def test_it_proves_what_engines_have_found(graph):
    for algorithm in (BreadthFirst(), AStar()):
        found = solve(graph, algorithm)
        again = search_again(graph, found)
        assert again.holds
        assert again.proved == found.lower_bound


@settings(max_examples=100)
@given(graphs(), st.integers(1, 6))
def test_what_a_limit_has_left_is_true(graph, expansions):
    least = best_cost(graph)
    again = search_again(graph, claim(AStar(), least), limits=Limits(expansions=expansions))
    assert again.proved <= least
    assert again.holds or (again.limit is LimitKind.EXPANSIONS and "nothing" in again.text)


@attrs.frozen
class Lying(Problem):
    """Says that all costs are 1, that steps can be taken back, and that nothing is far away."""

    undirected = True
    complete_certificates = True

    def initial_states(self):
        return [0]

    def successors(self, state):
        if state == 0:
            return [Step("dear", 9, 9), Step("cheap", 1, 1)]
        return [Step("on", state + 1, 1)] if state < 9 else []

    def is_goal(self, state):
        return state in (3, 9)

    def heuristic(self, state):
        return 0 if state == 9 else 50


@pytest.mark.parametrize("algorithm", [AStar(), BreadthFirst()])
def test_no_promise_is_believed(algorithm):
    with pytest.raises(VerificationError, match="but one costs 3: cheap on on"):
        search_again(Lying(), claim(algorithm, 9))
    assert search_again(Lying(), claim(algorithm, 3)).holds


def test_certificates_are_not_believed():
    """The rules are asked, and have a way."""
    doomed = Doomed()
    result = solve(doomed)
    assert result.status is Status.UNSOLVABLE
    again = search_again(doomed, result)
    assert again.holds
    assert again.expanded


def test_nothing_is_searched_where_nothing_is_claimed():
    again = search_again(Lying(), claim(AStar(), 0))
    assert again.holds
    assert not again.expanded
    assert "nothing was searched" in again.text
