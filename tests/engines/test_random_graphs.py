"""Every engine on random graphs, against an independent Dijkstra and a counter of paths."""

from collections import deque

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import (
    IDDFS,
    INFINITY,
    AStar,
    BIDAStar,
    Bidirectional,
    BreadthFirst,
    Costs,
    IDAStar,
    LimitKind,
    Limits,
    ProblemError,
    Status,
    UniformCost,
    solve,
)
from searchkit.verify import verify_certificate, verify_solution
from tests.support.graphs import (
    Graph,
    best_cost,
    count_optimal_paths,
    distances_to_goal,
    graphs,
    graphs_with_estimates,
    optimal_paths,
)

ANY_COSTS = [AStar(), UniformCost(), IDDFS(), IDAStar()]
UNIT_COSTS = [BreadthFirst(), Bidirectional(), BIDAStar()]


def suitable(graph: Graph):
    return ANY_COSTS + (UNIT_COSTS if graph.costs is Costs.UNIT else [])


@settings(max_examples=100, deadline=None)
@given(graphs_with_estimates())
def test_cost_of_one_solution(graph):
    best = best_cost(graph)
    for algorithm in suitable(graph):
        result = solve(graph, algorithm)
        if best == INFINITY:
            assert result.status is Status.UNSOLVABLE
            assert result.solution is None
            assert result.lower_bound == INFINITY
            assert result.certificate.kind == "closed set"
            assert verify_certificate(graph, result.certificate).finished
        else:
            assert result.status is Status.SOLVED
            assert result.optimal
            assert result.cost == result.lower_bound == best
            verify_solution(graph, result.solution)


@settings(max_examples=100, deadline=None)
@given(graphs_with_estimates())
def test_all_solutions_in_one_order(graph):
    expected = optimal_paths(graph)
    assert len(expected) == count_optimal_paths(graph)
    for algorithm in suitable(graph):
        result = solve(graph, algorithm, want="all")
        listed = [(each.start, each.actions) for each in result.solutions or ()]
        assert listed == expected, algorithm
        assert listed == [(each.start, each.actions) for each in result.solutions or ()]
        assert result.count == len(expected)
        assert result.complete
        counted = solve(graph, algorithm, want="count")
        assert counted.count == len(expected)


@settings(max_examples=80, deadline=None)
@given(graphs_with_estimates(), st.integers(1, 3))
def test_a_number_of_solutions_takes_the_first_ones(graph, most):
    expected = optimal_paths(graph)
    for algorithm in suitable(graph):
        result = solve(graph, algorithm, want=most)
        listed = [(each.start, each.actions) for each in result.solutions or ()]
        assert listed == expected[:most], algorithm
        assert result.count == len(listed)
        assert result.complete == (len(expected) < most)


@settings(max_examples=60, deadline=None)
@given(graphs_with_estimates(), st.integers(0, 6))
def test_cost_limit(graph, depth):
    best = best_cost(graph)
    for algorithm in suitable(graph):
        result = solve(graph, algorithm, limits=Limits(cost=depth))
        if best <= depth:
            assert result.cost == best
        elif result.status is Status.LIMIT:
            assert result.limit is LimitKind.COST
            assert depth < result.lower_bound <= best
        else:
            assert result.status is Status.UNSOLVABLE
            assert best == INFINITY


@settings(max_examples=50, deadline=None)
@given(graphs_with_estimates(), st.integers(0, 6))
def test_expansion_limit_is_exact(graph, nodes):
    best = best_cost(graph)
    for algorithm in suitable(graph):
        whole = solve(graph, algorithm)
        result = solve(graph, algorithm, limits=Limits(expansions=nodes))
        assert result.statistics.expanded == min(nodes, whole.statistics.expanded)
        if whole.statistics.expanded <= nodes:
            assert attrs.evolve(result, statistics=whole.statistics, solutions=None) == (
                attrs.evolve(whole, solutions=None)
            )
        else:
            assert result.status is Status.LIMIT
            assert result.limit is LimitKind.EXPANSIONS
            assert result.lower_bound <= best


@settings(max_examples=60, deadline=None)
@given(graphs_with_estimates())
def test_statistics_are_plausible(graph):
    for algorithm in suitable(graph):
        statistics = solve(graph, algorithm, want="all").statistics
        assert statistics.seconds >= 0
        assert statistics.reopened <= statistics.generated
        assert (statistics.iterations != ()) <= isinstance(algorithm, (IDDFS, IDAStar))
        rows = statistics.iterations
        done, has_layers = sum(row.expanded for row in rows), algorithm.uses_goal_states
        assert done in (0, statistics.expanded) or (has_layers and done < statistics.expanded)
        assert [row.bound for row in rows] == sorted({row.bound for row in rows})


@settings(max_examples=60, deadline=None)
@given(graphs(), st.lists(st.integers(0, 9), min_size=8, max_size=8))
def test_inadmissible_heuristic_still_gives_real_solutions(graph, estimates):
    graph = attrs.evolve(graph, estimates=tuple(estimates))
    best = best_cost(graph)
    for algorithm in (AStar(), IDAStar()):
        for want in ("one", "all"):
            result = solve(graph, algorithm, want=want)
            assert (result.status is Status.SOLVED) == (best < INFINITY)
            if result.solution is not None:
                verify_solution(graph, result.solution)
                assert result.cost >= best


@pytest.mark.parametrize("algorithm", ANY_COSTS, ids=lambda algorithm: algorithm.name)
def test_inconsistent_heuristic_reopens(algorithm):
    # Martelli's point: the direct edge looks better until the detour has been expanded.
    edges = (
        (0, "direct", 1, 4),
        (0, "detour", 2, 1),
        (2, "join", 1, 1),
        (1, "out", 3, 3),
        (3, "goal", 4, 3),
    )
    graph = Graph(5, edges, (0,), frozenset({4}), Costs.INTEGER, (0, 0, 7, 0, 0))
    assert all(h <= d for h, d in zip(graph.estimates, distances_to_goal(graph), strict=True))
    result = solve(graph, algorithm)
    assert result.solution.actions == ("detour", "join", "out", "goal")
    assert result.cost == 8
    if isinstance(algorithm, AStar):
        assert result.statistics.reopened == 2


@pytest.mark.parametrize("algorithm", ANY_COSTS, ids=lambda algorithm: algorithm.name)
def test_zero_cost_cycle_is_not_followed_and_not_counted(algorithm):
    edges = ((0, "on", 1, 0), (1, "back", 0, 0), (1, "goal", 2, 1))
    graph = Graph(3, edges, (0,), frozenset({2}), Costs.ZERO_ONE)
    assert solve(graph, algorithm).solution.actions == ("on", "goal")
    with pytest.raises(ProblemError, match="zero-cost"):
        solve(graph, algorithm, want="count")


def test_zero_cost_cycles_do_not_make_a_listing_endless():
    """From each state of twelve, free steps lead to all others: the ways through them are 12!."""
    among = range(1, 13)
    free = [(one, "free", other, 0) for one in among for other in among if one != other]
    edges = ((0, "in", 1, 0), *free, (0, "goal", 13, 1), *((one, "out", 13, 1) for one in among))
    graph = Graph(14, edges, (0,), frozenset({13}), Costs.ZERO_ONE)
    with pytest.raises(ProblemError, match="a cycle of zero-cost steps goes through state"):
        deque(solve(graph, UniformCost(), want="all").solutions, maxlen=0)
