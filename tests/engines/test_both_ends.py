"""Search from both ends stops at the first meeting where one solution is wanted."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import INFINITY, Bidirectional, Costs, Status, solve
from searchkit.verify import verify_solution
from searchkit_peg import hoppers
from searchkit_sliding import eight_puzzle
from tests.support.graphs import Graph, best_cost, graphs

EXPANDED_BY_ONE_QUEUE = 10_202
"""By the article's search, which takes states of both ends in turns and stops at once."""
WHOLE_LAYERS = 12_452


@st.composite
def larger_graphs(draw):
    """Graphs of some twenty states, sparse enough for long solutions, with parallel edges."""
    size = draw(st.integers(10, 24))
    state = st.integers(0, size - 1)
    near = st.tuples(state, st.integers(-2, 2)).map(lambda pair: (pair[0], sum(pair) % size))
    pairs = draw(st.lists(near, min_size=size, max_size=3 * size))
    edges = tuple((source, f"e{number}", to, 1) for number, (source, to) in enumerate(pairs))
    starts = tuple(draw(st.lists(state, min_size=1, max_size=3)))
    goals = frozenset(draw(st.sets(state, min_size=1, max_size=3)))
    return Graph(size, edges, starts, goals, Costs.UNIT)


@settings(max_examples=100, deadline=None)
@given(graphs(Costs.UNIT) | larger_graphs())
def test_the_first_meeting_is_optimal(graph):
    best = best_cost(graph)
    one, every = (solve(graph, Bidirectional(), want=want) for want in ("one", "all"))
    assert one.statistics.expanded <= every.statistics.expanded
    assert one.statistics.stored <= every.statistics.stored
    if best == INFINITY:
        assert one.status is every.status is Status.UNSOLVABLE
        assert one.statistics.expanded == every.statistics.expanded
    else:
        assert one.cost == every.cost == one.lower_bound == best
        verify_solution(graph, one.solution)
        assert one.solution.actions in {each.actions for each in every.solutions}


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_no_more_is_expanded_than_by_a_search_that_ends_at_the_first_meeting(engine):
    one, every = (
        solve(eight_puzzle(), Bidirectional(), engine=engine, want=want) for want in ("one", "all")
    )
    assert one.cost == every.cost == 31
    assert one.statistics.expanded == 10_068 <= EXPANDED_BY_ONE_QUEUE
    assert (every.statistics.expanded, every.count) == (WHOLE_LAYERS, 40)


def test_chains_of_moves_stop_within_a_layer_too():
    one, every = (
        solve(hoppers(), Bidirectional(), engine="reference", want=want) for want in ("one", "all")
    )
    assert one.cost == every.cost == 7
    assert one.statistics.expanded < every.statistics.expanded
    verify_solution(hoppers(), one.solution)
