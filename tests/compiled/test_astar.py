"""Compiled A* and uniform-cost search do what the reference engine does, state by state."""

from __future__ import annotations

import math
import random
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from searchkit import (
    AStar,
    Costs,
    GreedyBestFirst,
    LimitKind,
    Limits,
    Problem,
    ProblemError,
    Status,
    Step,
    UniformCost,
    WeightedAStar,
    solve,
)
from searchkit.compiled.best_first import astar, open_list, retrace
from searchkit.compiled.best_first import closed_list as closed
from searchkit.compiled.specialise.growable import GrowableArray
from searchkit.compiled.specialise.plain import plainly
from searchkit.heuristics.maximum import maximum
from searchkit.packed import DEAD_END, PackedProblem, ZeroHeuristic
from searchkit.running import task as running
from searchkit.scramble import scramble
from searchkit.verify import verify_solution
from searchkit_sliding import Manhattan, sliding
from tests.support.carried import CountedWords, WideWords, Words
from tests.support.packed_graphs import (
    OPERATORS,
    CarriedEstimate,
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

NAMES = ("status", "cost", "limit", "lower_bound", "count", "complete", "optimal")
COUNTS = ("expanded", "generated", "reopened", "max_frontier", "stored")

SLOW_SEEDS = [pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3)]


class Undirected(Graph):
    """A graph whose steps can be taken back; see `both_ways`."""

    undirected = True


class WideUndirected(WideGraph):
    undirected = True

    def apply(self, state, control, operator):
        after = self.tables.following[state[2] >> 40][operator]
        return (state[0], state[1], after << 40, 5 + after)


class Backward(Graph):
    """A directed graph that can be searched backwards."""

    def predecessors(self, state):
        return [
            Step(operator, source, self.tables.costs[source][operator])
            for source, row in enumerate(self.tables.following)
            for operator, after in enumerate(row)
            if after == state
        ]


@pytest.fixture(params=[pytest.param("as it is", marks=pytest.mark.slow), "small"])
def sizes(request, monkeypatch):
    """With "small", everything looks ahead, and grows at every opportunity: of fewer states, too.

    Tests without this fixture run as it is.
    """
    if request.param == "small":
        monkeypatch.setattr(astar, "AHEAD_LINES", 0)
        monkeypatch.setattr(astar, "AHEAD_SECONDS", math.inf)
        monkeypatch.setattr(closed, "MOST_LOAD", 0.9)
        monkeypatch.setattr(closed, "_factor", lambda _: 1.2)
        monkeypatch.setattr(closed, "STEPS", 3)
        monkeypatch.setattr(closed, "LATE", 8)
        monkeypatch.setattr(closed, "FILLS", 32)
        monkeypatch.setattr(running, "PAUSE_AFTER", 0)
        monkeypatch.setattr(open_list, "FIRST_CHUNKS", 1)
        monkeypatch.setattr(open_list, "FIRST_BUCKETS", 1)
        monkeypatch.setattr(closed, "FIRST_LINES", 1)
    return request.param


def agree(problem, algorithm, **options):
    """Solve with both engines; the results must be equal in all that can be."""
    reference = solve(problem, algorithm, engine="reference", **options)
    compiled = solve(problem, algorithm, engine="compiled", **options)
    assert compiled.engine == "compiled"
    for name in NAMES:
        assert getattr(compiled, name) == getattr(reference, name), name
    for name in COUNTS:
        assert getattr(compiled.statistics, name) == getattr(reference.statistics, name), name
    assert compiled.solution == reference.solution
    if compiled.solution is not None:
        verify_solution(problem, compiled.solution)
    if options.get("want") == "all":
        listed = [
            [(each.start, each.actions) for each in result.solutions or ()]
            for result in (compiled, reference)
        ]
        assert listed[0] == listed[1]
    return compiled


def agree_in_all(problem, algorithm, **options):
    for want in ("one", "all"):
        agree(problem, algorithm, want=want, **options)


def symmetric(tables: GraphTables) -> GraphTables:
    """Of the edges, those that cost something and have room to be taken back, both ways."""
    count, width = len(tables.goals), len(tables.following[0])
    rows = [[-1] * width for _ in range(count)]
    costs = [[1] * width for _ in range(count)]
    for state in range(count):
        for after, cost in zip(tables.following[state], tables.costs[state], strict=True):
            if after >= 0 and cost and -1 in rows[state] and -1 in rows[after] and after != state:
                for here, there in ((state, after), (after, state)):
                    place = rows[here].index(-1)
                    rows[here][place], costs[here][place] = there, cost
    return GraphTables(tuple(map(tuple, rows)), tuple(map(tuple, costs)), tables.goals)


@pytest.mark.parametrize("make", [Graph, pytest.param(UnitGraph, marks=pytest.mark.slow), Backward])
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_directed_graphs(make, data):
    tables, starts = data.draw(graphs(unit=make is UnitGraph))
    values = data.draw(estimates(tables))
    limits = Limits(
        cost=data.draw(st.none() | st.integers(0, 8)),
        expansions=data.draw(st.none() | st.integers(0, 9)),
    )
    problem = make(tables, starts)
    agree_in_all(problem, AStar(heuristic=TableEstimate(values)), limits=limits)
    agree_in_all(problem, UniformCost(), limits=limits)


def test_a_start_that_was_not_expanded_is_on_no_solution():
    following = tuple((after, -1, -1, -1) for after in (1, -1, 0, 0))
    problem = Graph(GraphTables(following, ((1,) * 4,) * 4, (0, 1, 0, 0)), (3, 2))
    found = agree(problem, AStar(heuristic=TableEstimate((0, 0, 0, 2))))
    assert found.solution.start == 2


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_estimates_carried_along(data):
    tables, starts = data.draw(graphs())
    values = data.draw(estimates(tables, dead_ends=False))
    agree_in_all(Graph(tables, starts), AStar(heuristic=CarriedEstimate(values)))


@pytest.mark.few
@pytest.mark.parametrize("sizes", ["small"], indirect=True)
@pytest.mark.usefixtures("sizes")
@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_words_carried_to_children(data):
    tables, starts = data.draw(graphs())
    values = data.draw(estimates(tables))
    words = Words(values, (0,) * len(values))
    with plainly():
        for heuristic in words, maximum(words, ZeroHeuristic()):
            for algorithm in (
                AStar(heuristic=heuristic),
                WeightedAStar(heuristic=heuristic),
                GreedyBestFirst(heuristic=heuristic),
            ):
                agree(Graph(tables, starts), algorithm)
        agree(WideGraph(tables, starts), AStar(heuristic=WideWords(values, words.tables.early)))


def test_children_are_not_looked_up_from_scratch():
    count = 1_000
    rows = tuple(
        tuple(after if after < count else -1 for after in range(4 * n + 1, 4 * n + 5))
        for n in range(count)
    )
    tables = GraphTables(rows, ((1,) * OPERATORS,) * count, (0,) * count)
    heuristic = CountedWords((0,) * count)
    with plainly():
        found = solve(
            UnitGraph(tables, (0,)), AStar(heuristic=heuristic), engine="compiled",
            limits=Limits(expansions=200),
        )  # fmt: skip
    assert found.statistics.stored > 700
    assert heuristic.tables.followed[0] >= found.statistics.stored - 1


@pytest.mark.slow
@pytest.mark.parametrize("make", [WideGraph, pytest.param(WideUndirected, marks=pytest.mark.slow)])
@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_states_of_200_bits(make, data):
    tables, starts = data.draw(graphs())
    if make.undirected:
        tables = symmetric(tables)
    values = data.draw(estimates(tables))
    agree_in_all(make(tables, starts), AStar(heuristic=WideEstimate(values)))


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_undirected_graphs(data):
    tables, starts = data.draw(graphs())
    tables = symmetric(tables)
    values = data.draw(estimates(tables))
    agree_in_all(Undirected(tables, starts), AStar(heuristic=TableEstimate(values)))


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_inadmissible_heuristics_still_give_real_solutions(data):
    tables, starts = data.draw(graphs())
    values = tuple(data.draw(st.integers(0, 9)) for _ in tables.goals)
    heuristic = TableEstimate(values)
    for make, given_tables in (
        (Graph, tables),
        (Backward, tables),
        (Undirected, symmetric(tables)),
    ):
        problem = make(given_tables, starts)
        for want in ("one", "all"):
            reference = solve(problem, AStar(heuristic=heuristic), engine="reference", want=want)
            result = solve(problem, AStar(heuristic=heuristic), engine="compiled", want=want)
            assert result.status == reference.status
            for name in COUNTS:
                assert getattr(result.statistics, name) == getattr(reference.statistics, name)
            assert (result.solution is None) == (reference.solution is None)
            if result.solution is not None:
                verify_solution(problem, result.solution)


def large(seed: int, states: int, most_cost: int) -> GraphTables:
    """A random graph with a few goals."""
    rng = random.Random(seed)
    following = [tuple(rng.randrange(states) for _ in range(4)) for _ in range(states)]
    costs = [
        tuple(rng.randint(0 if after > state else 1, most_cost) for after in row)
        for state, row in enumerate(following)
    ]
    goals = (*(int(rng.random() < 3 / states) for _ in range(states - 1)), 1)
    return GraphTables(tuple(following), tuple(costs), goals)


def shares(seed: int, tables: GraphTables) -> tuple[int, ...]:
    """Estimates that are a random share of the true distance."""
    rng = random.Random(seed)
    return tuple(d if d == DEAD_END else rng.choice((0, d // 3, d)) for d in distances(tables))


@pytest.mark.parametrize("most_cost", [1, pytest.param(3, marks=pytest.mark.slow), 200])
@pytest.mark.parametrize("seed", [0, *SLOW_SEEDS])
def test_large_graphs(seed, most_cost, sizes):
    tables = large(seed, 1000 if sizes == "small" else 3000, most_cost)
    both_ways = symmetric(tables)
    for make, given_tables in ((Graph, tables), (Undirected, both_ways)):
        problem = make(given_tables, (0, 5))
        agree_in_all(problem, UniformCost())
        agree_in_all(problem, AStar(heuristic=TableEstimate(shares(seed, given_tables))))
    agree_in_all(WideGraph(tables, (0, 5)), AStar(heuristic=WideEstimate(shares(seed, tables))))


def test_inconsistent_heuristic_reopens():
    # Martelli's point: the direct edge looks better until the detour has been expanded.
    rows = ((1, 2, -1, -1), (3, -1, -1, -1), (1, -1, -1, -1), (4, -1, -1, -1), (-1,) * 4)
    costs = ((4, 1, 1, 1), (3, 1, 1, 1), (1, 1, 1, 1), (3, 1, 1, 1), (1,) * 4)
    problem = Graph(GraphTables(rows, costs, (0, 0, 0, 0, 1)), (0,))
    result = agree(problem, AStar(heuristic=TableEstimate((0, 0, 7, 0, 0))))
    assert result.cost == 8
    assert result.statistics.reopened == 2


@pytest.mark.parametrize(
    ("seed", "steps"),
    [(0, 14), *(pytest.param(seed, 24, marks=pytest.mark.slow) for seed in range(4))],
)
@pytest.mark.usefixtures("sizes")
def test_sliding_boards(seed, steps):
    puzzle = sliding("3x3")
    puzzle = puzzle.with_start(scramble(puzzle, steps, random.Random(seed)))
    for algorithm in (AStar(), AStar(heuristic=Manhattan(puzzle)), UniformCost()):
        agree_in_all(puzzle, algorithm)


class Chain(PackedProblem[int]):
    """One way of `length` steps, and a longer one back: g grows out of small marks."""

    def __init__(self, length):
        self.length = length

    def initial_states(self):
        return [1]

    def operators(self, control):
        return range(2)

    def action(self, state, operator):
        return operator

    def legal(self, state, control, operator):
        return operator == 0 or state > 1

    def apply(self, state, control, operator):
        return state + 1 - 2 * operator

    def at_goal(self, state):
        return state == 40_001


@pytest.mark.slow
@pytest.mark.parametrize("undirected", [pytest.param(False, marks=pytest.mark.slow), True])
def test_more_steps_than_small_marks_hold(undirected):
    problem = Chain(0)
    problem.undirected = undirected
    result = agree(problem, UniformCost())
    assert result.cost == 40_000


class ShortChain(Chain):
    """More steps than the smallest marks hold."""

    def at_goal(self, state):
        return state == 201


def test_more_steps_than_the_smallest_marks_hold():
    with plainly():
        assert agree(ShortChain(0), UniformCost()).cost == 200


class Lattice(PackedProblem[int]):
    """Walks on an endless grid towards a goal that is far away."""

    undirected = True

    def initial_states(self):
        return [(1 << 40) + (1 << 20)]

    def operators(self, control):
        return range(4)

    def action(self, state, operator):
        return operator

    def at_goal(self, state):
        return state == 0

    def apply(self, state, control, operator):
        if operator == 0:
            return state + 1
        if operator == 1:
            return state - 1
        return state + (1 << 20) if operator == 2 else state - (1 << 20)


def test_memory_limit_is_kept():
    for megabytes in (1, 5, 20):
        limits = Limits(memory=megabytes * 10**6, time=60)
        result = solve(Lattice(), UniformCost(), engine="compiled", limits=limits)
        assert result.limit is LimitKind.MEMORY
        assert result.statistics.bytes <= megabytes * 10**6
        assert result.statistics.bytes > megabytes * 10**6 // 5
        assert result.statistics.stored > megabytes * 10**6 // 60
    assert result.statistics.bytes / result.statistics.stored < 25


def test_limits_and_interruption(ctrl_c):
    seen = []
    result = solve(
        Lattice(), UniformCost(), engine="compiled", limits=Limits(time=0.5), progress=seen.append
    )
    assert result.limit is LimitKind.TIME
    assert result.statistics.seconds >= 0.5
    assert seen
    result = solve(Lattice(), UniformCost(), engine="compiled", progress=ctrl_c)
    assert result.status is Status.INTERRUPTED
    assert result.statistics.expanded == ctrl_c.pressed.expanded > 0
    assert result.lower_bound > 0


@pytest.mark.parametrize("want", ["one", "all"])
def test_expansion_limit_is_exact(want):
    tables = large(1, 3000, 3)
    values = shares(1, tables)
    for nodes in (0, 1, 7, 100, 500):
        agree(
            Graph(tables, (0,)), AStar(heuristic=TableEstimate(values)), want=want,
            limits=Limits(expansions=nodes),
        )  # fmt: skip


def test_costs_that_break_the_promise_are_refused():
    tables = GraphTables(((1, -1, -1, -1), (0, -1, -1, -1)), ((-1, 1, 1, 1), (1,) * 4), (0, 1))
    with pytest.raises(ProblemError, match="costs -1"):
        solve(Graph(tables, (0,)), UniformCost(), engine="compiled")
    tables = GraphTables(tables.following, ((1 << 30, 1, 1, 1), (1,) * 4), (0, 1))
    with pytest.raises(ProblemError, match="engine='reference'"):
        solve(Graph(tables, (0,)), UniformCost(), engine="compiled")


class ZeroOne(Graph):
    costs = Costs.ZERO_ONE


def test_zero_cost_cycle_is_not_followed_and_not_counted():
    tables = GraphTables(
        ((1, -1, -1, -1), (0, 2, -1, -1), (-1,) * 4), ((0,) * 4, (0, 1, 0, 0), (0,) * 4), (0, 0, 1)
    )
    with plainly():
        result = solve(ZeroOne(tables, (0,)), UniformCost(), engine="compiled")
    assert result.solution.actions == (0, 1)
    with plainly(), pytest.raises(ProblemError, match="zero-cost"):
        solve(ZeroOne(tables, (0,)), UniformCost(), engine="compiled", want="count")


@pytest.mark.parametrize("reserved", [True, False])
def test_an_array_that_grows_keeps_its_items(reserved, monkeypatch):
    if not reserved:
        monkeypatch.setattr("searchkit.compiled.specialise.growable._reserve", lambda: None)
    growable = GrowableArray("u2", 10)
    growable.array[:] = 7
    for count in (11, 1000, 5_000_000):
        assert growable.bytes_to_grow(count) >= 2 * count
        growable.grow(count)
        assert growable.bytes == 2 * count
        assert growable.array[:10].tolist() == [7] * 10
        assert not growable.array[10:].any()


def test_a_pause_in_walking_back_is_no_expansion_limit(monkeypatch):
    """A search that ended at its expansion limit gave up in the middle of walking back."""
    monkeypatch.setattr(running, "PAUSE_AFTER", -1.0)
    rows = tuple((min(i + 1, 5), -1, -1, -1) for i in range(6))
    problem = UnitGraph(GraphTables(rows, ((1,) * 4,) * 6, (0, 0, 0, 0, 0, 1)), (0,))
    with plainly():
        needed = solve(problem, UniformCost(), engine="compiled").statistics.expanded
    for want in ("one", "all"):
        limits = Limits(expansions=needed)
        with plainly():
            result = solve(problem, UniformCost(), engine="compiled", want=want, limits=limits)
        assert result.status is Status.SOLVED


def test_a_path_back_pauses_by_the_clock(monkeypatch):
    """Pauses that take no time would have the driver give states away without looking at limits."""

    class Row(Problem):
        undirected = True

        def initial_states(self):
            return [0]

        def successors(self, state):
            return [Step(way, state + way) for way in (-1, 1)]

        def is_goal(self, state):
            return state == 500

    class Closed:
        def known(self, states):
            return [(abs(state), True) for state in states]

        def cost_of(self, state):
            return abs(state)

    monkeypatch.setattr(running, "PAUSE_AFTER", float("inf"))
    monkeypatch.setattr(retrace, "along", lambda _task, path, _claimed, _steps: path)
    row = Row()
    task = SimpleNamespace(problem=row, starts=[0])
    walking = retrace.one_path(task, SimpleNamespace(problem=row, module=None), Closed(), 500)
    with pytest.raises(StopIteration) as done:
        next(walking)
    assert done.value.value == list(range(501))
