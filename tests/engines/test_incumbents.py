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
    UniformCost,
    UnsuitableError,
    UsageError,
    WeightedAStar,
    WeightedIDAStar,
    puzzle,
    solve,
    solve_many,
)
from searchkit.compiled.breadth_first import beam
from searchkit.compiled.specialise.plain import plainly
from searchkit.compiled.states import state_set
from searchkit.engine import Engine
from searchkit.engines import incumbents
from searchkit.engines.incumbents import Share
from searchkit.limits import Within
from searchkit.result import Iteration
from searchkit.running.task import Counters
from searchkit.verify import verify_solution
from searchkit_sliding.heuristics import LinearConflict
from tests.engines.test_within_bounds import check_claims
from tests.support.graphs import Graph as PlainGraph
from tests.support.graphs import best_cost, graphs_with_estimates
from tests.support.packed_graphs import (
    Graph,
    GraphTables,
    TableEstimate,
    UnitGraph,
    WideEstimate,
    WideGraph,
    distances,
    estimates,
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


def check_same_beams(problem, algorithm, **limits):
    """Both engines have the same beams; the result of one."""
    found = [
        solve(problem, algorithm, engine=each, limits=Limits(**limits))
        for each in ("reference", "compiled")
    ]
    assert found[0].improvements == _timeless(found)
    assert len({(each.status, each.cost, each.lower_bound) for each in found}) == 1
    assert found[0].solution == found[1].solution
    counts = [each.statistics for each in found]
    figures = {(each.expanded, each.generated, each.stored, each.max_frontier) for each in counts}
    assert len(figures) == 1
    return found[1]


@settings(max_examples=30, deadline=None)
@given(graphs(unit=True), widths, st.booleans())
def test_machine_code_has_the_same_beams(graph, width, knows):
    problem = UnitGraph(*graph)
    estimates = tuple(distances(graph[0]) if knows else [0] * len(graph[0].goals))
    with plainly():
        check_same_beams(problem, CompleteBeam(heuristic=TableEstimate(estimates), width=width))


@settings(max_examples=60, deadline=None)
@given(
    st.data(), graphs(), widths, st.booleans(), st.sampled_from([None, 0, 3, 9]),
    st.sampled_from([None, 0, 4]),
)  # fmt: skip
def test_machine_code_has_the_same_beams_by_any_costs(data, graph, width, knows, most, cost):
    """Also by estimates that are too large: then a solution may be cheaper than its goal's g."""
    values = tuple(distances(graph[0])) if knows else data.draw(estimates(graph[0]))
    with plainly():
        for kind, table in (Graph, TableEstimate), (WideGraph, WideEstimate):
            algorithm = CompleteBeam(heuristic=table(values), width=width)
            found = check_same_beams(kind(*graph), algorithm, expansions=most, cost=cost)
            if knows and most is cost is None:
                best = solve(kind(*graph), AStar(), engine="reference")
                assert (found.cost, found.status) == (best.cost, best.status)


def wide_graph(seed):
    """One in which beams take states again, and where sets of states grow meanwhile."""
    rng, size = random.Random(seed), 300
    rows = tuple(
        tuple(
            min(size - 1, state + rng.randrange(1, 12)) if rng.random() < 0.8
            else rng.randrange(size)
            for _ in range(4)
        )
        for state in range(size)
    )  # fmt: skip
    costs = tuple(tuple(rng.randrange(1, 60) for _ in range(4)) for _ in range(size))
    return Graph(
        GraphTables(rows, costs, tuple(int(each == size - 1) for each in range(size))), (0,)
    )


@pytest.mark.parametrize(("seed", "width"), [(2, 3), (6, 2), (7, 3)])
def test_states_that_are_taken_again_are_found_by_their_last_row(monkeypatch, seed, width):
    problem = wide_graph(seed)
    monkeypatch.setattr(state_set, "FIRST_CAPACITY", 8)
    for module in (beam, state_set):
        monkeypatch.setattr(module, "CHILDREN_AT_ONCE", 4)
    with plainly():
        found = check_same_beams(problem, CompleteBeam(width=width))
        check_same_beams(problem, CompleteBeam(width=width), within="any")
    assert found.cost == solve(problem, UniformCost()).cost


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_machine_code_takes_states_again(seed):
    check_same_beams(wide_graph(seed), CompleteBeam(width=1 + seed % 3))


def _timeless(found):
    seconds = [each.seconds for each in found[0].improvements]
    return tuple(
        attrs.evolve(each, seconds=took)
        for each, took in zip(found[1].improvements, seconds, strict=True)
    )


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


@pytest.mark.parametrize(("seed", "within"), [(None, "1.4"), (2, "any"), (2, "1.4")])
def test_a_way_that_is_good_enough_may_meet_states_that_were_reached_more_cheaply(
    monkeypatch, seed, within
):
    beside_at_once(monkeypatch, Share(start=1_000, burst=3_000, rate=1))
    problem = puzzle("8-puzzle")
    if seed is not None:
        problem = problem.with_start(problem.random_state(random.Random(seed)))
    limits = Limits(within=within)
    result = solve(problem, AStar(incumbents="beam"), engine="reference", limits=limits)
    assert result.status is Status.SOLVED
    assert limits.within.holds(result.cost, result.lower_bound)
    assert result.lower_bound <= solve(problem, AStar()).cost <= result.cost


def test_a_search_that_is_stopped_has_a_solution():
    problem = puzzle("15-puzzle")
    limits = Limits(expansions=10_000)
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
    algorithm, nodes = AStar(incumbents="beam"), 10_000
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
     (WeightedAStar(weight=3), "one", 2), (AStar(), "all", "any"),
     (BreadthFirst(), "count", "any")],
)  # fmt: skip
def test_searches_that_cannot_tell(algorithm, want, within):
    with pytest.raises((UnsuitableError, UsageError), match="within"):
        solve(puzzle("8-puzzle"), algorithm, want=want, limits=Limits(within=within))


@pytest.mark.parametrize(
    ("algorithm", "within"),
    [(GreedyBestFirst(), "any"), (BeamSearch(), "any"), (WeightedAStar(weight=2), "any"),
     (WeightedAStar(weight=2), 2), (WeightedIDAStar(weight="1.5"), 2)],
)  # fmt: skip
def test_what_a_search_promises_anyway(algorithm, within):
    problem = puzzle("8-puzzle")
    result, alone = (
        solve(problem, algorithm, limits=Limits(within=within)),
        solve(problem, algorithm),
    )
    assert (result.status, result.cost) == (Status.SOLVED, alone.cost)
    assert result.lower_bound == alone.lower_bound
    if within == 2:
        assert result.cost <= 2 * result.lower_bound


@pytest.mark.slow_variants("astar-reference")
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
        solve_many(problem, [problem.start], AStar(), limits=limits, engine=Engine(workers=2))


@pytest.mark.slow_variants("2", "3")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_solutions_beside_machine_code_are_made_shorter(monkeypatch, seed):
    beside_at_once(monkeypatch, Share(start=1_000, burst=20_000, rate=1))
    problem = puzzle("24-puzzle")
    problem = problem.with_start(problem.random_state(random.Random(seed)))
    limits = Limits(expansions=300_000)
    for shortening in (0, 2):
        monkeypatch.setattr(incumbents, "SHORTENING", shortening)
        result = solve(problem, AStar(incumbents="beam"), engine="compiled", limits=limits)
        assert result.statistics.expanded <= limits.expansions
        assert result.lower_bound <= result.cost == result.improvements[-1].cost
        found = [each.cost for each in result.improvements]
        assert found == sorted(set(found), reverse=True)
        widths = [each.width for each in result.improvements]
        assert widths == sorted(widths)
        assert (len(set(widths)) < len(widths)) == bool(shortening)
        verify_solution(problem, result.solution)


def test_iterations_beside_what_makes_solutions_shorter_take_no_longer_than_the_search(monkeypatch):
    beside_at_once(monkeypatch, Share(start=1_000, burst=20_000, rate=1))
    problem = puzzle("24-puzzle")
    problem = problem.with_start(problem.random_state(random.Random(1)))
    limits = Limits(expansions=300_000)
    result = solve(problem, IDAStar(incumbents="beam"), engine="compiled", limits=limits)
    assert len({each.width for each in result.improvements}) < len(result.improvements)
    spent = result.statistics
    assert sum(each.seconds for each in spent.iterations) <= spent.seconds + 1e-6


def test_beams_have_more_while_the_end_is_not_in_sight(monkeypatch):
    problem = puzzle("24-puzzle")
    problem = problem.with_start(problem.random_state(random.Random(5)))
    costs = []
    for far in (0, 2):
        beside_at_once(monkeypatch, Share(start=10_000, burst=20_000, rate=100, far=far))
        limits = Limits(expansions=400_000)
        result = solve(problem, IDAStar(incumbents="beam"), engine="compiled", limits=limits)
        assert result.lower_bound <= result.cost == result.improvements[-1].cost
        costs.append(result.cost)
    assert costs[1] < costs[0]


def test_an_end_in_sight_is_one_that_growing_iterations_reach():
    far = incumbents.FAR
    rows = [Iteration(bound=10, expanded=10, generated=0, seconds=0.0)]
    counters = Counters(iterations=rows)
    assert not incumbents._is_far(counters, 10**9)
    rows.append(attrs.evolve(rows[0], bound=12, expanded=100))
    assert not incumbents._is_far(counters, INFINITY)
    assert [incumbents._is_far(counters, cost) for cost in (22, 24, 26, 10**9)] == [
        100 * 10**steps > far for steps in (5, 6, 7, 20)
    ]
    share = Share(start=100, burst=7, rate=100, far=10)
    for is_far, due in ((False, 7 + 3), (True, 7 + 30)):
        assert share.due(400, is_found=True, is_far=is_far) == due
    assert share.due(far + 10**9, is_found=True, is_far=True) == 7 + far // 10


@pytest.mark.slow_variants("15-puzzle")
@pytest.mark.parametrize("name", ["8-puzzle", "15-puzzle"])
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_optimal_beside_what_makes_solutions_shorter(name, seed):
    problem = puzzle(name)
    start, moves = problem.start, random.Random(seed)
    for _ in range(30):
        start = moves.choice(list(problem.successors(start))).state
    problem = problem.with_start(start)
    with pytest.MonkeyPatch.context() as patches:
        beside_at_once(patches, Share(start=0, burst=3, rate=1))
        results = [
            solve(problem, algorithm, engine="compiled")
            for algorithm in (AStar(incumbents="beam"), AStar())
        ]
    assert len({(each.status, each.cost, each.optimal) for each in results}) == 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_some_solution_within_a_trial(seed):
    problem = puzzle("24-puzzle")
    problem = problem.with_start(problem.random_state(random.Random(seed)))
    algorithm = AStar(heuristic=LinearConflict(problem), incumbents="beam")
    result = solve(problem, algorithm, engine="reference", limits=Limits(expansions=30_000))
    assert result.cost is not None
