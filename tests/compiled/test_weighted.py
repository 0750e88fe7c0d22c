"""Compiled weighted, anytime and greedy search do what the reference engines do, state by state."""

from __future__ import annotations

import math
import random
import signal

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import (
    Anytime,
    GreedyBestFirst,
    LimitKind,
    Limits,
    ProblemError,
    Status,
    WeightedAStar,
    WeightedIDAStar,
    solve,
)
from searchkit.compiled.best_first import astar, open_list
from searchkit.compiled.best_first import closed_list as closed
from searchkit.packed import DEAD_END
from searchkit.running import task as running
from searchkit.verify import verify_solution
from searchkit_sliding import (
    Board,
    Manhattan,
    SlidingPuzzle,
    WalkingDistance,
    fifteen_puzzle,
    sliding,
)
from tests.support.packed_graphs import (
    Graph,
    GraphTables,
    TableEstimate,
    WideEstimate,
    WideGraph,
    distances,
    estimates,
    graphs,
)

COUNTS = ("expanded", "generated", "reopened", "max_frontier", "stored")
weights = st.sampled_from([1, "1.1", "3/2", 3])
schedules = st.sampled_from(["3,1", "5,3,2,1.5,1", "1.1,1"])


def agree(problem, algorithm, **options):
    """Solve with both engines; the results must be equal."""
    reference = solve(problem, algorithm, engine="reference", **options)
    result = solve(problem, algorithm, engine="compiled", **options)
    assert result.engine == "compiled"
    for name in COUNTS:
        assert getattr(result.statistics, name) == getattr(reference.statistics, name), name
    for ours, theirs in zip(result.improvements, reference.improvements, strict=True):
        assert attrs.evolve(ours, seconds=0) == attrs.evolve(theirs, seconds=0)
    assert result.solution == reference.solution
    if result.solution is not None:
        verify_solution(problem, result.solution)
    for name in ("status", "limit", "lower_bound", "count", "complete"):
        assert getattr(result, name) == getattr(reference, name), name
    assert (result.cost, result.optimal) == (reference.cost, reference.optimal)
    return result


@pytest.fixture(autouse=True, scope="module")
def _looking_ahead():
    """All look ahead, so that boards of all sizes share machine code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(astar, "AHEAD_LINES", 0)
        patch.setattr(astar, "AHEAD_SECONDS", math.inf)
        yield


@pytest.fixture
def _small(monkeypatch):
    """Everything grows at every opportunity."""
    monkeypatch.setattr(closed, "MOST_LOAD", 0.9)
    monkeypatch.setattr(closed, "_factor", lambda _: 1.2)
    monkeypatch.setattr(closed, "STEPS", 3)
    monkeypatch.setattr(closed, "LATE", 8)
    monkeypatch.setattr(running, "PAUSE_AFTER", 0)
    monkeypatch.setattr(open_list, "FIRST_CHUNKS", 1)
    monkeypatch.setattr(open_list, "FIRST_BUCKETS", 1)
    monkeypatch.setattr(closed, "FIRST_LINES", 1)


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_random_graphs(data):
    tables, starts = data.draw(graphs())
    heuristic = TableEstimate(data.draw(estimates(tables)))
    best = min(distances(tables)[start] for start in starts)
    algorithm = data.draw(
        st.one_of(
            st.builds(WeightedAStar, weight=weights, heuristic=st.just(heuristic)),
            st.builds(Anytime, weights=schedules, heuristic=st.just(heuristic)),
            st.builds(GreedyBestFirst, heuristic=st.just(heuristic)),
            st.just(WeightedIDAStar(heuristic=heuristic, weight="3/2", cycles="path")),
        )
    )
    limits = Limits(
        cost=data.draw(st.none() | st.integers(0, 8)),
        expansions=data.draw(st.none() | st.integers(0, 9)),
    )
    result = agree(Graph(tables, starts), algorithm, limits=limits)
    assert result.lower_bound <= best or best == DEAD_END
    if result.within is not None:
        assert result.cost <= result.within * best


def test_what_is_left_from_before_a_state_was_reached_more_cheaply_does_not_count():
    rows = ((1, 2, -1, -1), (3, -1, -1, -1), (1, -1, -1, -1), (-1,) * 4)
    graph = Graph(
        GraphTables(rows, ((4, 1, 1, 1), (9,) * 4, (0,) * 4, (1,) * 4), (0, 0, 0, 1)), (0,)
    )
    result = agree(graph, WeightedAStar(weight=2, heuristic=TableEstimate((0, 4, 0, 0))))
    assert (result.cost, result.lower_bound) == (10, 10)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_states_of_200_bits(data):
    tables, starts = data.draw(graphs())
    heuristic = WideEstimate(data.draw(estimates(tables)))
    agree(WideGraph(tables, starts), Anytime(weights=data.draw(schedules), heuristic=heuristic))


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))]
)
@pytest.mark.usefixtures("_small")
def test_boards_while_all_grows(seed):
    puzzle = sliding("3x3")
    puzzle = puzzle.with_start(puzzle.random_state(random.Random(seed)))
    for algorithm in (WeightedAStar(weight="1.5"), Anytime()):
        agree(puzzle, attrs.evolve(algorithm, heuristic=Manhattan(puzzle)))


@pytest.mark.slow_variants("20000", "1000")
@pytest.mark.parametrize("nodes", [0, 1, 30, 1000, 20_000])
def test_what_is_known_at_a_limit(nodes):
    agree(fifteen_puzzle(), Anytime(), limits=Limits(expansions=nodes))


def hard():
    """The hardest of Korf's hundred (65 moves), and an anytime search."""
    start, goal = "15 2 12 11 14 13 9 5 1 3 8 7 0 10 6 4", " ".join(map(str, range(16)))
    puzzle = SlidingPuzzle.read(Board.rectangle(4, 4), start, goal)
    return puzzle, Anytime(heuristic=Manhattan(puzzle))


def test_interruption_keeps_the_best_solution():
    puzzle, algorithm = hard()
    told = []

    def listener(progress):
        told.append(progress)
        if progress.cost is not None:
            signal.raise_signal(signal.SIGINT)

    result = solve(puzzle, algorithm, engine="compiled", progress=listener)
    assert result.status is Status.INTERRUPTED
    assert result.cost == result.improvements[-1].cost == told[-1].cost
    assert 1 < result.within <= 5
    assert result.lower_bound <= 65 <= result.cost
    verify_solution(puzzle, result.solution)


def test_the_memory_limit_keeps_the_best_solution():
    puzzle, algorithm = hard()
    limits = Limits(memory=20 * 10**6, time=60)
    result = solve(puzzle, algorithm, engine="compiled", limits=limits)
    assert result.limit is LimitKind.MEMORY
    assert result.statistics.bytes <= 20 * 10**6
    assert result.solution is not None
    assert result.lower_bound >= result.improvements[-1].lower_bound


def test_the_trial_keeps_its_solution():
    puzzle, algorithm = hard()
    tried = solve(puzzle, algorithm, engine="reference", limits=Limits(expansions=30_000))
    assert tried.solution is not None
    result = solve(puzzle, algorithm, limits=Limits(expansions=30_001))
    assert result.engine == "compiled"
    assert result.cost == tried.cost
    assert [each.cost for each in result.improvements] == [each.cost for each in tried.improvements]


def test_weights_of_large_parts():
    puzzle = sliding("3x3")
    puzzle = puzzle.with_start(puzzle.random_state(random.Random(5)))
    heavy = WeightedAStar(weight="999999/999998", heuristic=Manhattan(puzzle))
    result = agree(puzzle, heavy)
    assert result.optimal
    rows = ((1, -1, -1, -1), (2, -1, -1, -1), (-1,) * 4)
    graph = Graph(GraphTables(rows, ((2000,) * 4,) * 3, (0, 0, 1)), (0,))
    for values in ((4000, 2000, 0), (0, 4000, 0)):  # too much at the start, and later
        heavy = attrs.evolve(heavy, heuristic=TableEstimate(values))
        assert solve(graph, heavy, engine="reference").cost == 4000
        with pytest.raises(ProblemError, match="engine='reference'"):
            solve(graph, heavy, engine="compiled")


@pytest.mark.parametrize("seed", range(3))
def test_words_carried_along_the_path(seed):
    puzzle = sliding("3x3")
    puzzle = puzzle.with_start(puzzle.random_state(random.Random(seed)))
    algorithm = WeightedIDAStar(heuristic=WalkingDistance(puzzle), weight="3/2")
    result = agree(puzzle, algorithm)
    assert result.within <= algorithm.weight
