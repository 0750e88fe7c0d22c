"""Words that a heuristic carries along the path change nothing but the time."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import AStar, IDAStar, LimitKind, Limits, ProblemError, Status, solve
from searchkit.packed import DEAD_END
from searchkit.running import driver
from tests.support.both_engines import agree
from tests.support.carried import OneWord, WideWords, Words
from tests.support.packed_graphs import Graph, GraphTables, UnitGraph, WideGraph, estimates, graphs

GIVEN_UP = Limits(expansions=3000, cost=25)

cycles = st.sampled_from(["path", "parent"])
wanted = st.sampled_from(["one", "all", "count", 1, 2])


def early_stops(tables):
    """Where `follow` stops early, and by how much."""
    count = len(tables.goals)
    return st.lists(st.sampled_from([0, 0, 1, 2, 5, DEAD_END]), min_size=count, max_size=count).map(
        tuple
    )


@settings(deadline=None, max_examples=30)
@given(st.data(), graphs(), cycles, wanted)
def test_three_words(data, graph, cycles, want):
    tables, _ = graph
    heuristic = Words(data.draw(estimates(tables)), data.draw(early_stops(tables)))
    agree(
        Graph(*graph), IDAStar(heuristic, cycles),
        want=want, limits=GIVEN_UP,
    )  # fmt: skip


@settings(deadline=None, max_examples=50)
@given(st.data(), graphs(unit=True), wanted)
def test_one_word_and_unit_costs(data, graph, want):
    tables, _ = graph
    heuristic = OneWord(data.draw(estimates(tables)), (0,) * len(tables.goals))
    agree(UnitGraph(*graph), IDAStar(heuristic, "path"), want=want, limits=GIVEN_UP)


@settings(deadline=None, max_examples=30)
@given(st.data(), graphs(), wanted)
def test_states_of_200_bits(data, graph, want):
    tables, _ = graph
    heuristic = WideWords(data.draw(estimates(tables)), data.draw(early_stops(tables)))
    agree(WideGraph(*graph), IDAStar(heuristic, "path"), want=want, limits=GIVEN_UP)


@settings(deadline=None, max_examples=30)
@given(st.data(), graphs(), cycles, st.integers(0, 40), st.integers(0, 6))
def test_limits_stop_both_at_the_same_state(data, graph, cycles, nodes, depth):
    tables, _ = graph
    heuristic = Words(data.draw(estimates(tables)), data.draw(early_stops(tables)))
    limits = Limits(expansions=nodes, cost=depth)
    agree(Graph(*graph), IDAStar(heuristic, cycles), want="all", limits=limits)


@settings(deadline=None, max_examples=20)
@given(st.data(), graphs(), wanted)
def test_best_first_search_has_no_path_to_carry_along(data, graph, want):
    tables, _ = graph
    heuristic = Words(data.draw(estimates(tables)), data.draw(early_stops(tables)))
    theirs, ours = (
        solve(
            Graph(*graph),
            AStar(heuristic),
            engine=engine,
            want=want,
            limits=Limits(expansions=3000),
        )
        for engine in ("reference", "compiled")
    )
    for name in ("status", "cost", "limit", "count", "complete", "optimal"):
        assert getattr(ours, name) == getattr(theirs, name), name
    # Of several optimal solutions the engines may give different ones, if one is wanted.
    if want == "all" and ours.solutions is not None:
        assert list(ours.solutions) == list(theirs.solutions)


def line(count, goal=True):
    """States in a row; each leads to the next by three operators, and back by the last."""
    rows = tuple((min(i + 1, count - 1), -1, -1, max(i - 1, 0)) for i in range(count))
    goals = tuple(int(goal and i == count - 1) for i in range(count))
    return Graph(GraphTables(rows, ((1, 1, 1, 1),) * count, goals), (0,))


@pytest.mark.parametrize("exact", [True, False])
def test_paths_longer_than_the_first_stack(exact):
    count = 700  # the stack begins with 256
    exactly = tuple(count - 1 - i for i in range(count))
    values = (
        exactly if exact else tuple(max(0, value - 2 * (i % 2)) for i, value in enumerate(exactly))
    )
    result = agree(line(count), IDAStar(Words(values, (3,) * count), "path"))
    assert result.cost == count - 1
    assert result.statistics.stored > 2 * 256


@settings(deadline=None, max_examples=30)
@given(st.data(), graphs(), wanted, st.integers(1, 3))
def test_slices_of_any_size(data, graph, want, size):
    tables, _ = graph
    heuristic = Words(data.draw(estimates(tables)), data.draw(early_stops(tables)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(driver, "FIRST_BUDGET", size)
        patch.setattr(driver, "MOST_BUDGET", size)
        agree(Graph(*graph), IDAStar(heuristic, "path"), want=want, limits=GIVEN_UP)


def test_a_deep_path_in_small_slices(monkeypatch):
    monkeypatch.setattr(driver, "FIRST_BUDGET", 7)
    monkeypatch.setattr(driver, "MOST_BUDGET", 7)
    values = tuple(max(0, 599 - i - 2 * (i % 3 == 0)) for i in range(600))
    assert agree(line(600), IDAStar(Words(values, (1,) * 600), "path")).cost == 599


def test_a_start_that_is_a_dead_end():
    heuristic = Words((DEAD_END, DEAD_END), (0, 0))
    assert agree(line(2, goal=False), IDAStar(heuristic, "path")).status is Status.UNSOLVABLE


def test_memory_that_the_words_take_counts():
    problem = line(3000, goal=False)
    result = solve(
        problem, IDAStar(Words((0,) * 3000, (0,) * 3000), "path"),
        engine="compiled", limits=Limits(memory=60_000),
    )  # fmt: skip
    assert result.limit is LimitKind.MEMORY
    assert result.statistics.bytes <= 60_000


@pytest.mark.parametrize("memory", [0, -1, "two", 1.5, None])
def test_words_that_are_no_number(memory):
    heuristic = Words((0, 0), (0, 0))
    heuristic.memory = memory
    for algorithm in (IDAStar(heuristic), AStar(heuristic)):
        with pytest.raises(ProblemError, match=r"^Words: memory is .*; use 1 or more") as told:
            solve(line(2), algorithm, engine="compiled")
        assert "\n" not in str(told.value)
