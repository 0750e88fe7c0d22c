"""Searches that need not be optimal: what they say they have proved is true of random graphs."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import (
    INFINITY,
    Anytime,
    AStar,
    BeamSearch,
    Costs,
    GreedyBestFirst,
    LimitKind,
    Limits,
    Status,
    UnsuitableError,
    UsageError,
    WeightedAStar,
    WeightedIDAStar,
    solve,
)
from searchkit.algorithms.weights import ratio, rounded_up
from searchkit.verify import verify_certificate, verify_solution
from tests.support.graphs import Graph, best_cost, graphs, graphs_with_estimates

weights = st.sampled_from([1, "1.1", "3/2", 2, 5, 100])
schedules = st.sampled_from([(1,), "3,1", (5, 3, 2, 1.5, 1), ("1.1", 1)])
SINGLE = [GreedyBestFirst(), BeamSearch(width=1), BeamSearch(width=2), BeamSearch(width=99)]


@st.composite
def weighted(draw: st.DrawFn):
    make = draw(st.sampled_from([WeightedAStar, WeightedIDAStar]))
    return make(weight=draw(weights))


any_of_them = st.one_of(weighted(), st.builds(Anytime, weights=schedules), st.sampled_from(SINGLE))


def check_claims(graph, result):
    """Everything that is said to be proved is true, and the solution is one."""
    best = best_cost(graph)
    assert result.lower_bound <= best
    if result.status is Status.UNSOLVABLE:
        assert best == INFINITY
        assert verify_certificate(graph, result.certificate).finished
    if result.solution is None:
        assert result.within is None
        assert result.status is not Status.SOLVED
        return
    verify_solution(graph, result.solution)
    assert result.cost >= best
    assert result.optimal == (result.cost == result.lower_bound)
    if result.within is not None:
        assert result.cost <= result.within * best
        assert (result.within == 1) == result.optimal
    else:
        assert result.lower_bound == 0


@settings(max_examples=150, deadline=None)
@given(graphs_with_estimates(), weighted())
def test_the_cost_is_within_the_weight(graph, algorithm):
    result = solve(graph, algorithm)
    check_claims(graph, result)
    best = best_cost(graph)
    if best == INFINITY:
        assert result.status is Status.UNSOLVABLE
    else:
        assert result.status is Status.SOLVED
        assert result.cost <= algorithm.weight * best
        assert result.within <= algorithm.weight


@settings(max_examples=150, deadline=None)
@given(graphs_with_estimates(), schedules)
def test_anytime_search_ends_with_an_optimal_solution(graph, schedule):
    algorithm = Anytime(weights=schedule)
    result = solve(graph, algorithm)
    check_claims(graph, result)
    best = best_cost(graph)
    if best == INFINITY:
        assert result.status is Status.UNSOLVABLE
        assert result.improvements == ()
        return
    assert result.cost == best
    assert result.optimal
    if len(algorithm.weights) == 1:
        return
    costs = [each.cost for each in result.improvements]
    assert costs == sorted(set(costs), reverse=True)
    assert costs[-1] == best
    for each in result.improvements:
        assert each.lower_bound <= best
        assert each.cost <= each.weight * best
        assert each.within is not None
        assert each.within <= each.weight
    assert [each.expanded for each in result.improvements] == sorted(
        each.expanded for each in result.improvements
    )


@settings(max_examples=150, deadline=None)
@given(graphs_with_estimates(), st.sampled_from(SINGLE))
def test_greedy_and_beam_claim_little(graph, algorithm):
    result = solve(graph, algorithm)
    check_claims(graph, result)
    best = best_cost(graph)
    if result.status is Status.LIMIT:
        assert isinstance(algorithm, BeamSearch)
        assert algorithm.width < graph.size
        assert result.limit is LimitKind.WIDTH
    else:
        assert (result.status is Status.UNSOLVABLE) == (best == INFINITY)
    assert result.statistics.expanded <= graph.size  # each state once


@settings(max_examples=150, deadline=None)
@given(graphs_with_estimates(), any_of_them, st.integers(0, 6))
def test_cost_limit(graph, algorithm, depth):
    best = best_cost(graph)
    result = solve(graph, algorithm, limits=Limits(cost=depth))
    check_claims(graph, result)
    if result.solution is not None:
        assert result.cost <= depth
    if isinstance(algorithm, (GreedyBestFirst, BeamSearch)):
        return
    assert (result.status is Status.SOLVED) == (best <= depth)
    if best <= depth and hasattr(algorithm, "weight"):
        assert result.within <= algorithm.weight
    if result.status is Status.LIMIT:
        assert result.limit is LimitKind.COST
        assert depth < result.lower_bound <= best


@settings(max_examples=150, deadline=None)
@given(graphs_with_estimates(), st.sampled_from([2, 5, 100]), st.integers(-1, 1))
def test_a_cost_limit_that_is_tight(graph, weight, more):
    """The order of a state on every solution may be beyond that of any goal within the limit."""
    best = best_cost(graph)
    if best + more < 0 or best == INFINITY:
        return
    for make in (WeightedIDAStar, WeightedAStar):
        result = solve(graph, make(weight=weight), limits=Limits(cost=int(best) + more))
        assert (result.status is Status.SOLVED) == (more >= 0)
        check_claims(graph, result)
        assert result.solution is None or result.cost <= best + more


def test_a_greedy_search_proves_nothing_at_a_cost_limit():
    # The cheap way to 1 is met too late, and the goal is cut off behind the dear one.
    edges = ((0, "dear", 1, 3), (0, "on", 2, 1), (2, "cheap", 1, 1), (1, "goal", 3, 1))
    graph = Graph(4, edges, (0,), frozenset({3}), Costs.INTEGER, (1, 0, 2, 0))
    result = solve(graph, GreedyBestFirst(), limits=Limits(cost=3))
    assert (result.status, result.limit) == (Status.LIMIT, LimitKind.COST)
    assert result.lower_bound == 1
    assert best_cost(graph) == 3


@settings(max_examples=100, deadline=None)
@given(graphs_with_estimates(), any_of_them, st.integers(0, 9))
def test_expansion_limit_is_exact_and_what_is_known_is_kept(graph, algorithm, nodes):
    whole = solve(graph, algorithm)
    result = solve(graph, algorithm, limits=Limits(expansions=nodes))
    check_claims(graph, result)
    assert result.statistics.expanded == min(nodes, whole.statistics.expanded)
    if whole.statistics.expanded <= nodes:
        assert (result.status, result.cost) == (whole.status, whole.cost)
        return
    assert result.status is Status.LIMIT
    assert result.limit is LimitKind.EXPANSIONS
    until = [each for each in whole.improvements if each.expanded <= nodes]
    assert [each.cost for each in result.improvements] == [each.cost for each in until]
    if until:
        assert result.cost == until[-1].cost
        assert result.lower_bound >= until[-1].lower_bound


class Interrupted(Graph):
    """A graph whose successors are interrupted after some time."""

    def successors(self, state):
        for step in super().successors(state):
            self.left[0] -= 1
            if self.left[0] < 0:
                raise KeyboardInterrupt
            yield step


@settings(max_examples=100, deadline=None)
@given(graphs_with_estimates(), any_of_them, st.integers(0, 20))
def test_interruption_anywhere(graph, algorithm, steps):
    interrupted = Interrupted(**attrs.asdict(graph, recurse=False))
    object.__setattr__(interrupted, "left", [steps])
    try:
        result = solve(interrupted, algorithm)
    except KeyboardInterrupt:
        return  # after the search, while its solution was replayed
    object.__setattr__(interrupted, "left", [10**9])
    check_claims(graph, result)


@settings(max_examples=80, deadline=None)
@given(graphs(), st.lists(st.integers(0, 9), min_size=8, max_size=8), any_of_them)
def test_inadmissible_heuristics_still_give_real_solutions(graph, estimates, algorithm):
    graph = attrs.evolve(graph, estimates=tuple(estimates))
    result = solve(graph, algorithm)
    best = best_cost(graph)
    if not isinstance(algorithm, BeamSearch):
        assert (result.status is Status.SOLVED) == (best < INFINITY)
    if result.solution is not None:
        verify_solution(graph, result.solution)
        assert result.lower_bound <= result.cost
        assert result.optimal == (result.lower_bound == result.cost)


@settings(max_examples=100, deadline=None)
@given(graphs_with_estimates(), st.sampled_from([1, 1.0, "1", Fraction(1)]))
def test_weight_1_is_no_weight(graph, one):
    plain = solve(graph, AStar())
    result = solve(graph, WeightedAStar(weight=one))
    for name in ("status", "cost", "optimal", "lower_bound"):
        assert getattr(result, name) == getattr(plain, name)
    for name in ("expanded", "generated", "reopened", "max_frontier", "stored"):
        assert getattr(result.statistics, name) == getattr(plain.statistics, name)


@settings(max_examples=100, deadline=None)
@given(graphs_with_estimates(), weights)
def test_estimates_that_are_no_integers(graph, weight):
    graph = attrs.evolve(graph, estimates=tuple(each * 0.9 for each in graph.estimates))
    for algorithm in (WeightedAStar(weight=weight), WeightedIDAStar(weight=weight), Anytime()):
        result = solve(graph, algorithm)
        check_claims(graph, result)
        if best_cost(graph) < INFINITY and hasattr(algorithm, "weight"):
            assert result.cost <= algorithm.weight * best_cost(graph)


# The goal is found by the dear edge first; the open state of the cheap way says how good that is.
DETOUR = Graph(
    4,
    ((0, "dear", 3, 6), (0, "on", 1, 1), (1, "on", 2, 2), (2, "cheap", 3, 2)),
    (0,),
    frozenset({3}),
    Costs.INTEGER,
    (2, 4, 2, 0),
)


def test_the_ratio_is_that_of_the_open_list():
    result = solve(DETOUR, WeightedAStar(weight=3))
    assert (result.cost, result.lower_bound) == (6, 5)
    assert result.within == Fraction(6, 5)
    assert result.quality == "within 1.2 of optimal"
    assert result.advice == "solved with cost 6 (within 1.2 of optimal)"
    assert not result.optimal
    assert solve(DETOUR, WeightedAStar(weight="1.2")).cost == 5
    assert solve(DETOUR, WeightedIDAStar(weight=3)).within <= 3


def test_what_is_left_from_before_a_state_was_reached_more_cheaply_does_not_count():
    edges = ((0, "dear", 1, 4), (0, "on", 2, 1), (2, "cheap", 1, 0), (1, "goal", 3, 9))
    graph = Graph(4, edges, (0,), frozenset({3}), Costs.INTEGER, (0, 4, 0, 0))
    result = solve(graph, WeightedAStar(weight=2))  # state 1 is still open with f = 4 + 4
    assert (result.cost, result.lower_bound) == (10, 10)


def test_anytime_search_tells_of_its_solutions():
    result = solve(DETOUR, Anytime(weights=(3, 1)))
    assert [(each.weight, each.cost, each.lower_bound) for each in result.improvements] == [
        (3, 6, 5),
        (1, 5, 5),
    ]
    stopped = solve(DETOUR, Anytime(weights=(3, 1)), limits=Limits(expansions=1))
    assert (stopped.status, stopped.cost, stopped.within) == (Status.LIMIT, 6, Fraction(6, 5))
    assert stopped.advice == (
        "gave up at the expansion limit; no solution costs less than 5; raise the limit to go on"
    )


def test_a_weight_that_cannot_improve_is_left_out():
    result = solve(DETOUR, Anytime(weights=(3, 2, "1.2", 1)))
    assert [each.weight for each in result.improvements] == [3, 1]


def test_a_closed_state_is_opened_again():
    # Martelli's point: the direct edge looks better until the detour has been expanded.
    edges = (
        (0, "direct", 1, 4), (0, "detour", 2, 1), (2, "join", 1, 1), (1, "out", 3, 3),
        (3, "goal", 4, 3),
    )  # fmt: skip
    graph = Graph(5, edges, (0,), frozenset({4}), Costs.INTEGER, (0, 0, 7, 0, 0))
    result = solve(graph, WeightedAStar(weight="1.1"))
    assert result.cost == 8
    assert result.statistics.reopened == 2


def test_a_narrow_beam_gives_up_and_a_wide_one_does_not():
    # The state of smaller h leads nowhere.
    edges = ((0, "in", 1, 1), (0, "out", 2, 1), (2, "goal", 3, 1))
    graph = Graph(4, edges, (0,), frozenset({3}), Costs.UNIT, (1, 0, 1, 0))
    result = solve(graph, BeamSearch(width=1))
    assert (result.status, result.limit) == (Status.LIMIT, LimitKind.WIDTH)
    assert result.advice == (
        "gave up at the width limit; no solution costs less than 1; raise the limit to go on"
    )
    assert solve(graph, BeamSearch(width=2)).cost == 2
    hopeless = attrs.evolve(graph, goals=frozenset())
    assert solve(hopeless, BeamSearch(width=1)).status is Status.LIMIT
    assert solve(hopeless, BeamSearch(width=2)).status is Status.UNSOLVABLE


@pytest.mark.parametrize("want", ["all", "count"])
@pytest.mark.parametrize(
    "algorithm", [WeightedAStar(), WeightedIDAStar(), Anytime(), *SINGLE[:2]], ids=lambda a: a.name
)
def test_all_solutions_are_refused(algorithm, want):
    with pytest.raises(UnsuitableError, match=f"{algorithm.name} finds one solution and cannot"):
        solve(DETOUR, algorithm, want=want)


@pytest.mark.parametrize(
    ("given_weight", "exact"),
    [
        (2, Fraction(2)),
        (1.1, Fraction(11, 10)),
        ("1.1", Fraction(11, 10)),
        (Decimal("1.25"), Fraction(5, 4)),
        (" 3/2 ", Fraction(3, 2)),
        ("4.5/1.5", None),
        ("1/0", None),
        (0.99, None),
        ("2/3", None),
        (-2, None),
        (True, None),
        (float("nan"), None),
        (float("inf"), None),
        ("1e999999999", None),
        ("1.0000001", None),
        (10**7, None),
        ("much", None),
        (None, None),
        ((1, 2), None),
    ],
)
def test_weights_are_exact(given_weight, exact):
    if exact is None:
        with pytest.raises(UsageError, match="weight is "):
            WeightedAStar(weight=given_weight)
        return
    assert WeightedAStar(weight=given_weight).weight == exact
    assert isinstance(WeightedIDAStar(weight=given_weight).weight, Fraction)


@pytest.mark.parametrize("wrong", [(), "", (2,), "1,2", (2, 2, 1), (3, 1, 2), 2, (2, 0)])
def test_weights_fall_to_1(wrong):
    with pytest.raises(UsageError, match="weight"):
        Anytime(weights=wrong)


@pytest.mark.parametrize("width", [0, -1, 1.5, "wide"])
def test_widths_are_numbers(width):
    with pytest.raises(UsageError, match="width is "):
        BeamSearch(width=width)


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_ratios_are_not_rounded_down(cost, bound):
    exact = ratio(cost, bound)
    if exact is None:
        assert bound == 0 < cost
        return
    assert exact == (1 if cost <= bound else Fraction(cost, bound))
    shown = Fraction(rounded_up(exact))
    assert exact <= shown < exact + Fraction(1, 10_000)
    assert (shown == 1) == (cost <= bound)
