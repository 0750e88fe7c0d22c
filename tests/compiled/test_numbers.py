"""Numbers at the edges of what engines can hold: the right answer or an error, never a proof."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import (
    AStar,
    GreedyBestFirst,
    IDAStar,
    Limits,
    ProblemError,
    Status,
    UniformCost,
    WeightedAStar,
    WeightedIDAStar,
    solve,
)
from searchkit.algorithms.weights import MOST_PART
from searchkit.compiled.depth_first import deepening
from searchkit.compiled.depth_first import siblings as bursts
from searchkit.compiled.depth_first.kernels.pruning import NO_EXCESS
from searchkit.compiled.depth_first.resumable import MOST_BOUND
from searchkit.compiled.specialise.costs import MOST_COST
from searchkit.compiled.specialise.plain import plainly
from searchkit.packed import DEAD_END, PackedProblem
from tests.support.carried import CarriedTables, Words
from tests.support.packed_graphs import (
    CarriedEstimate,
    Graph,
    GraphTables,
    TableEstimate,
    distances,
    graphs,
)
from tests.support.rooms import ROOMS, Rooms, RoomTables

HEAVY = f"{MOST_PART - 1}/{MOST_PART - 2}"
"""A weight of the largest parts but one: those of 10**6 share a factor with most costs."""


def line(price: int, steps: int) -> Graph:
    """One way of so many steps of one price, and no way on from the goal."""
    following = (*((state + 1, -1, -1, -1) for state in range(steps)), (-1,) * 4)
    goals = (0,) * steps + (1,)
    return Graph(GraphTables(following, ((price,) * 4,) * (steps + 1), goals), (0,))


def answer(problem, algorithm, engine, **options):
    """What is answered, or that it is an error."""
    try:
        result = solve(problem, algorithm, engine=engine, **options)
    except ProblemError:
        return "error"
    return result.status, result.cost, result.lower_bound, result.solution


def test_no_sum_of_machine_code_overflows():
    most_estimate = MOST_PART * DEAD_END
    assert MOST_BOUND + MOST_PART * MOST_COST + most_estimate < NO_EXCESS


@pytest.mark.parametrize("price", [134, 135, 1343, 13423, 134218, MOST_COST])
def test_what_is_pruned_far_above_the_bound_is_no_dead_end(price):
    problem = line(price, 2)
    nothing = TableEstimate((0, 0, 0))
    result = solve(problem, WeightedIDAStar(nothing, weight=HEAVY), engine="compiled")
    assert (result.status, result.cost) == (Status.SOLVED, 2 * price)


def test_an_estimate_that_is_far_too_low_at_the_start_is_no_proof():
    problem = line(MOST_COST, 10)
    values = (0, *((10 - state) * MOST_COST for state in range(1, 11)))
    for algorithm in (IDAStar(TableEstimate(values)), IDAStar(CarriedEstimate(values))):
        assert solve(problem, algorithm, engine="compiled").cost == 10 * MOST_COST


def test_a_true_estimate_of_any_path_is_no_dead_end():
    for steps in (17, 200):
        problem = line(MOST_COST, steps)
        exact = TableEstimate(tuple(distances(problem.tables)))
        for engine in ("reference", "compiled"):
            result = solve(problem, IDAStar(exact), engine=engine)
            assert (result.status, result.cost) == (Status.SOLVED, steps * MOST_COST)
    problem = line(MOST_COST, 17)
    exact = TableEstimate(tuple(distances(problem.tables)))
    assert solve(problem, AStar(exact), engine="compiled").cost == 17 * MOST_COST


def test_more_than_the_queue_in_buckets_holds_is_an_error():
    problem = line(MOST_COST, 200)
    exact = TableEstimate(tuple(distances(problem.tables)))
    for algorithm in (AStar(exact), UniformCost()):
        with pytest.raises(ProblemError, match="too much for the compiled engine"):
            solve(problem, algorithm, engine="compiled")
        assert solve(problem, algorithm, engine="reference").cost == 200 * MOST_COST


def test_a_bound_that_machine_words_do_not_hold_is_an_error(monkeypatch):
    monkeypatch.setattr(deepening, "MOST_BOUND", 1000)
    problem = line(300, 5)
    with pytest.raises(ProblemError, match="the next bound on g \\+ h is 1200"):
        solve(problem, IDAStar(TableEstimate((0,) * 6)), engine="compiled")


@st.composite
def priced(draw):
    """A graph whose steps cost very little or very much."""
    tables, starts = draw(graphs())
    scale = draw(st.sampled_from([1, 1 << 10, MOST_COST // 3]))
    costs = tuple(tuple(cost * draw(st.sampled_from([1, scale])) for cost in row)
                  for row in tables.costs)  # fmt: skip
    return Graph(tables._replace(costs=costs), starts)


def some_estimates(draw, problem):
    """Of each state some share of its distance, or nothing that is known of a dead end."""
    return tuple(
        draw(st.sampled_from([0, DEAD_END]))
        if distance == DEAD_END
        else draw(st.sampled_from([0, distance // 2, distance]))
        for distance in distances(problem.tables)
    )


@settings(max_examples=30, deadline=None)
@given(data=st.data(), problem=priced())
def test_engines_agree_on_large_numbers(data, problem):
    heuristic = TableEstimate(some_estimates(data.draw, problem))
    limits = Limits(expansions=300)
    for algorithm in (
        IDAStar(heuristic, "path"),
        WeightedIDAStar(heuristic, "path", weight=HEAVY),
        AStar(heuristic),
    ):
        expected = answer(problem, algorithm, "reference", limits=limits)
        assert answer(problem, algorithm, "compiled", limits=limits) == expected


class Corridor(PackedProblem[int]):
    """Places in a row, from the first to the last."""

    undirected = True

    def __init__(self, tables: CarriedTables) -> None:
        self.tables = tables

    def initial_states(self):
        return [0]

    def operators(self, control):
        return (0, 1)

    def action(self, state, operator):
        return operator

    def inverse(self, control, operator):
        return 1 - operator

    def legal(self, state, control, operator):
        return state > 0 if operator else state < len(self.tables.values) - 1

    def apply(self, state, control, operator):
        return state + 1 - 2 * operator

    def at_goal(self, state):
        return state == len(self.tables.values) - 1


@pytest.mark.parametrize("steps", [4200, 4400])
def test_what_remains_of_the_bound_does_not_run_into_the_depth(steps):
    """From a bound of 2**32 on, what remains of it and the depth do not fit into one word."""
    values = (steps, *(0,) * steps)
    words = Words(values, values)
    result = solve(
        Corridor(words.tables), WeightedIDAStar(words, "parent", weight=HEAVY),
        engine="compiled", limits=Limits(expansions=100_000),
    )  # fmt: skip
    assert (steps * (MOST_PART - 1) > bursts.MOST_BOUND_IN_BURSTS) == (steps == 4400)
    assert (result.status, result.cost) == (Status.SOLVED, steps)


WRONG = st.sampled_from([-1, -(1 << 40), DEAD_END + 100, 1 << 62])


@settings(max_examples=40, deadline=None)
@given(data=st.data(), graph=graphs(), value=WRONG)
def test_what_is_no_estimate_is_an_error_in_every_engine(data, graph, value):
    problem = Graph(*graph)
    values = list(some_estimates(data.draw, problem))
    values[data.draw(st.integers(0, len(values) - 1))] = value
    early = data.draw(st.lists(st.sampled_from([0, 1, 5]), min_size=9, max_size=9))
    limits = Limits(expansions=300)
    for heuristic in (TableEstimate(tuple(values)), Words(tuple(values), tuple(early))):
        for algorithm in (IDAStar(heuristic, "path"), AStar(heuristic)):
            expected = answer(problem, algorithm, "reference", limits=limits)
            assert answer(problem, algorithm, "compiled", limits=limits) == expected
    heuristic = TableEstimate(tuple(values))
    for algorithm in (WeightedAStar(heuristic), GreedyBestFirst(heuristic)):
        expected = answer(problem, algorithm, "reference", limits=limits)
        with plainly():
            found = answer(problem, algorithm, "compiled", limits=limits)
        assert (found == "error") == (expected == "error")


@pytest.mark.parametrize("kind", [TableEstimate, CarriedEstimate])
@pytest.mark.parametrize("algorithm", [IDAStar, AStar])
def test_the_error_names_heuristic_value_and_state(kind, algorithm):
    problem = line(1, 4)
    for engine in ("reference", "compiled"):
        with pytest.raises(ProblemError, match="heuristic table gives -3 for state 2; a kernel"):
            solve(problem, algorithm(kind((4, 3, -3, 1, 0))), engine=engine)


@settings(max_examples=60)
@given(data=st.data(), value=WRONG)
def test_what_is_no_estimate_is_an_error_in_bursts(data, value):
    doors = tuple(
        tuple(int(abs(a - b) in data.draw(st.sampled_from([(1,), (1, 2)]))) for b in range(ROOMS))
        for a in range(ROOMS)
    )
    values = [0] * ROOMS
    values[data.draw(st.integers(0, ROOMS - 1))] = value
    problem = Rooms(RoomTables(doors, (0,) * (ROOMS - 1) + (1,)), (0,))
    algorithm = IDAStar(Words(tuple(values), (0,) * ROOMS), "parent")
    expected = answer(problem, algorithm, "reference", limits=Limits(expansions=300))
    assert answer(problem, algorithm, "compiled", limits=Limits(expansions=300)) == expected
