"""Complete beams, and beams beside A* and IDA*: what is said to be proved is true."""

from __future__ import annotations

import random
import threading
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
    BreadthFirst,
    CompleteBeam,
    Costs,
    GreedyBestFirst,
    IDAStar,
    LimitKind,
    Limits,
    Status,
    UnsuitableError,
    UsageError,
    WeightedAStar,
    puzzle,
    solve,
    solve_many,
)
from searchkit.compiled.specialise.plain import plainly
from searchkit.engines import incumbents
from searchkit.engines.incumbents import Share
from searchkit.limits import Within
from tests.engines.test_within_bounds import check_claims
from tests.support.graphs import Graph as PlainGraph
from tests.support.graphs import best_cost, graphs_with_estimates
from tests.support.packed_graphs import (
    Graph,
    GraphTables,
    TableEstimate,
    UnitGraph,
    distances,
    graphs,
)

AT_ONCE = Share(start=0, burst=3, rate=1)
TWO_ENDS = (AStar(incumbents="beam"), IDAStar(incumbents="beam"))
widths = st.integers(1, 4)


def beside_at_once(patches, share=AT_ONCE):
    patches.setattr(incumbents, "SHARES", dict.fromkeys(incumbents.SHARES, share))


@settings(max_examples=200, deadline=None)
@given(graphs_with_estimates(), widths)
def test_complete_beams_end_with_an_optimal_solution(graph, width):
    result = solve(graph, CompleteBeam(width=width))
    check_claims(graph, result)
    best = best_cost(graph)
    if best == INFINITY:
        assert result.status is Status.UNSOLVABLE
        return
    assert (result.status, result.cost, result.optimal) == (Status.SOLVED, best, True)
    costs = [each.cost for each in result.improvements]
    assert costs == sorted(set(costs), reverse=True)
    assert costs[-1] == best
    assert all(each.lower_bound <= best and each.width >= width for each in result.improvements)


@settings(max_examples=200, deadline=None)
@given(graphs_with_estimates(), widths, st.integers(0, 12), st.integers(0, 6))
def test_complete_beams_at_limits(graph, width, expansions, cost):
    check_claims(graph, solve(graph, CompleteBeam(width=width), limits=Limits(cost=cost)))
    stopped = solve(graph, CompleteBeam(width=width), limits=Limits(expansions=expansions))
    check_claims(graph, stopped)
    assert stopped.statistics.expanded <= expansions


@settings(max_examples=30, deadline=None)
@given(graphs(unit=True), widths, st.booleans())
def test_machine_code_has_the_same_beams(graph, width, knows):
    problem = UnitGraph(*graph)
    estimates = tuple(distances(graph[0]) if knows else [0] * len(graph[0].goals))
    algorithm = CompleteBeam(heuristic=TableEstimate(estimates), width=width)
    with plainly():
        found = [solve(problem, algorithm, engine=each) for each in ("reference", "compiled")]
    assert found[0].improvements == _timeless(found)
    assert len({(each.status, each.cost, each.lower_bound) for each in found}) == 1
    counts = [each.statistics for each in found]
    assert len({(each.expanded, each.generated, each.stored) for each in counts}) == 1


def _timeless(found):
    seconds = [each.seconds for each in found[0].improvements]
    return tuple(
        attrs.evolve(each, seconds=took)
        for each, took in zip(found[1].improvements, seconds, strict=True)
    )


def test_costs_are_for_the_reference_engine():
    graph = Graph(GraphTables(((-1,) * 4,), ((2,) * 4,), (1,)), (0,))
    with pytest.raises(UnsuitableError, match="machine code for unit costs only"):
        solve(graph, CompleteBeam(), engine="compiled")


@pytest.mark.parametrize("algorithm", TWO_ENDS, ids=lambda each: each.name)
@settings(max_examples=200, deadline=None)
@given(graphs_with_estimates(), st.integers(0, 30), st.integers(0, 4))
def test_beside_a_search_for_optimal_solutions(algorithm, graph, expansions, start):
    best = best_cost(graph)
    with pytest.MonkeyPatch.context() as patches:
        beside_at_once(patches, Share(start=start, burst=2, rate=2))
        result = solve(graph, algorithm)
        stopped = solve(graph, algorithm, limits=Limits(expansions=expansions))
        near = solve(graph, algorithm, limits=Limits(cost=start))
    for each in (result, stopped, near):
        check_claims(graph, each)
    assert stopped.statistics.expanded <= expansions
    if best == INFINITY:
        assert result.status is Status.UNSOLVABLE
    else:
        assert (result.status, result.cost, result.optimal) == (Status.SOLVED, best, True)
    assert (near.status is Status.SOLVED) == (best <= start)


@settings(max_examples=200, deadline=None)
@given(graphs_with_estimates(), st.integers(0, 4))
def test_beside_a_search_that_need_not_be_optimal(graph, start):
    best = best_cost(graph)
    with pytest.MonkeyPatch.context() as patches:
        beside_at_once(patches, Share(start=start, burst=2, rate=2))
        result = solve(graph, AStar(goal_test="early", incumbents="beam"))
    check_claims(graph, result)
    assert (result.status is Status.SOLVED) == (best < INFINITY)


def test_the_first_goal_that_is_generated_is_not_proved_optimal():
    edges = ((0, "dear", 3, 9), (0, "on", 1, 1), (1, "cheap", 3, 1))
    graph = PlainGraph(4, edges, (0,), frozenset({3}), Costs.INTEGER)
    result = solve(graph, AStar(goal_test="early", incumbents="beam"))
    assert (result.cost, result.optimal, result.lower_bound) == (9, False, 0)


@settings(max_examples=200, deadline=None)
@given(graphs_with_estimates(), st.lists(st.integers(0, 9), min_size=8, max_size=8))
def test_estimates_that_the_beams_refute(graph, estimates):
    graph = attrs.evolve(graph, estimates=tuple(estimates))
    for algorithm in TWO_ENDS:
        with pytest.MonkeyPatch.context() as patches:
            beside_at_once(patches)
            result = solve(graph, algorithm)
        found = [each.cost for each in result.improvements]
        assert (result.status is Status.SOLVED) == (best_cost(graph) < INFINITY)
        assert result.solution is None or result.cost <= min(found, default=INFINITY)
        assert not (result.cost and result.optimal and result.overestimate)


@settings(max_examples=30, deadline=None)
@given(graphs(unit=True), st.integers(0, 3))
def test_beside_machine_code(graph, start):
    problem = UnitGraph(*graph)
    with pytest.MonkeyPatch.context() as patches, plainly():
        beside_at_once(patches, Share(start=start, burst=2, rate=2))
        results = [
            solve(problem, algorithm, engine=engine)
            for algorithm in (AStar(heuristic=TableEstimate((0,) * 99), incumbents="beam"), AStar())
            for engine in ("compiled", "reference")
        ]
    assert len({(each.status, each.cost, each.lower_bound) for each in results}) == 1


ENOUGH = st.sampled_from(["1.1", 1.5, Fraction(3, 2), 2, "+1", "+3", Within(slack=2)])


@settings(max_examples=200, deadline=None)
@given(
    graphs_with_estimates(),
    st.sampled_from([*TWO_ENDS, Anytime(), CompleteBeam(width=1), AStar(), IDAStar()]),
    ENOUGH,
)
def test_good_enough(graph, algorithm, within):
    limits = Limits(within=within)
    with pytest.MonkeyPatch.context() as patches:
        beside_at_once(patches)
        result = solve(graph, algorithm, limits=limits)
    check_claims(graph, result)
    assert (result.status is Status.SOLVED) == (best_cost(graph) < INFINITY)
    if result.solution is not None:
        assert limits.within.holds(result.cost, best_cost(graph))
        assert limits.within.holds(result.cost, result.lower_bound)


def test_a_search_that_is_stopped_has_a_solution():
    problem = puzzle("15-puzzle")
    limits = Limits(expansions=60_000)
    result = solve(problem, AStar(incumbents="beam"), engine="reference", limits=limits)
    assert (result.status, result.limit) == (Status.LIMIT, LimitKind.EXPANSIONS)
    assert result.cost is not None
    assert 0 < result.lower_bound < result.cost
    assert not result.optimal
    assert "within" in result.quality
    assert solve(problem, AStar(), engine="reference", limits=limits).cost is None


def test_what_the_trial_has_found_stays_among_the_improvements(monkeypatch):
    beside_at_once(monkeypatch, Share(start=1_000, burst=3_000, rate=1))
    problem = puzzle("15-puzzle")
    problem = problem.with_start(problem.random_state(random.Random(3)))
    algorithm, nodes = AStar(incumbents="beam"), 30_000
    tried = solve(problem, algorithm, engine="reference", limits=Limits(expansions=nodes))
    result = solve(problem, algorithm, limits=Limits(expansions=20 * nodes))
    assert result.engine == "compiled"
    first, costs = ([each.cost for each in found.improvements] for found in (tried, result))
    assert first
    assert len(costs) > len(first)
    assert costs[: len(first)] == first
    assert costs == sorted(set(costs), reverse=True)


def test_beams_do_not_end_a_search_that_takes_next_to_no_memory(monkeypatch):
    beside_at_once(monkeypatch, Share(start=1_000, burst=3_000, rate=4))
    problem = puzzle("15-puzzle")
    problem = problem.with_start(problem.random_state(random.Random(3)))
    limits = Limits(expansions=60_000, memory=500_000)
    result = solve(problem, IDAStar(incumbents="beam"), engine="reference", limits=limits)
    assert (result.limit, result.statistics.expanded) == (LimitKind.EXPANSIONS, 60_000)
    assert result.statistics.bytes < limits.memory / 2


def test_both_take_no_more_than_the_limit_of_memory(monkeypatch):
    beside_at_once(monkeypatch, Share(start=2_000, burst=2_000, rate=4))
    problem = puzzle("24-puzzle")
    problem = problem.with_start(problem.random_state(random.Random(1)))
    limits = Limits(memory=40_000_000)
    result = solve(problem, AStar(incumbents="beam"), engine="compiled", limits=limits)
    assert (result.limit, result.cost is None) == (LimitKind.MEMORY, False)
    assert result.statistics.bytes <= limits.memory


@pytest.mark.parametrize(
    "within", ["0.9", 0, "+", "+1.5", "-1", "1.1x", True, "nan", "1/0", b"1", ()]
)
def test_what_is_no_such_limit(within):
    with pytest.raises(UsageError, match=r"within is .*; it must be a ratio from 1 upwards"):
        Limits(within=within)


@pytest.mark.parametrize(
    ("algorithm", "want", "within"),
    [(AStar(goal_test="early"), "one", 2), (GreedyBestFirst(), "one", 2), (BeamSearch(), "one", 2),
     (WeightedAStar(), "one", 2), (AStar(), "all", "any"), (BreadthFirst(), "count", "any")],
)  # fmt: skip
def test_searches_that_cannot_tell(algorithm, want, within):
    with pytest.raises((UnsuitableError, UsageError), match="within"):
        solve(puzzle("8-puzzle"), algorithm, want=want, limits=Limits(within=within))


@pytest.mark.spread
@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize(
    "algorithm",
    [AStar(incumbents="beam"), CompleteBeam(), BreadthFirst()],
    ids=lambda each: each.name,
)
def test_cancelled_by_another_thread(algorithm, engine):
    cancel, seen = threading.Event(), []

    def listen(progress):
        seen.append(progress)
        if progress.expanded >= 2_000:
            threading.Thread(target=cancel.set).start()

    problem = puzzle("24-puzzle")
    problem = problem.with_start(problem.random_state(random.Random(1)))
    limits = Limits(cancel=cancel, memory=2 * 10**9)
    result = solve(problem, algorithm, engine=engine, limits=limits, progress=listen)
    assert result.status is Status.INTERRUPTED
    assert seen
    assert result.lower_bound > 0
    again = solve(problem, algorithm, engine=engine, limits=limits)
    assert (again.status, again.statistics.expanded) == (Status.INTERRUPTED, 0)


def test_a_limit_that_is_no_event():
    with pytest.raises(UsageError, match=r"cancel is True; it must be a threading\.Event"):
        Limits(cancel=True)


def test_other_processes_are_not_cancelled():
    problem, limits = puzzle("8-puzzle"), Limits(cancel=threading.Event())
    assert len(list(solve_many(problem, [problem.start] * 2, AStar(), limits=limits))) == 2
    with pytest.raises(UsageError, match="cancel ends searches of this process"):
        solve_many(problem, [problem.start], AStar(), limits=limits, workers=2)
