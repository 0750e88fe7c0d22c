"""Iterations of machine code that workers share, by splitting its stack."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import IDDFS, IDAStar, Limits, Problem, Step, WeightedIDAStar, solve
from searchkit.compiled.specialise.plain import plainly
from searchkit.engine import Engine
from searchkit.engines import splitting
from searchkit.translation import sampling
from searchkit.translation.search import Making
from searchkit_peg import hoppers, peg
from searchkit_sliding import Manhattan, sliding
from tests.support.carried import Words
from tests.support.packed_graphs import (
    CarriedEstimate,
    ExpandedGraph,
    Graph,
    StepEstimate,
    TableEstimate,
    WideEstimate,
    WideGraph,
    estimates,
    graphs,
)
from tests.support.plain_puzzles import Jugs
from tests.support.scattered import GIVEN_UP, agree_with_workers, rows, share_at_once

cycles = st.sampled_from(["path", "parent"])
wanted = st.sampled_from(["one", "all", "count", 1, 2])


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    share_at_once(monkeypatch)


@settings(deadline=None, max_examples=40)
@given(st.data(), graphs(), cycles, wanted)
def test_steps_of_any_cost(data, graph, cycles, want):
    tables, _ = graph
    kind = data.draw(st.sampled_from([TableEstimate, CarriedEstimate]))
    values = data.draw(estimates(tables, dead_ends=kind is TableEstimate))
    agree_with_workers(
        Graph(*graph), IDAStar(kind(values), cycles), engine="compiled",
        want=want, limits=GIVEN_UP,
    )  # fmt: skip


@settings(deadline=None, max_examples=20)
@given(st.data(), graphs(), cycles, wanted)
def test_words_that_are_carried_along(data, graph, cycles, want):
    tables, _ = graph
    heuristic = Words(data.draw(estimates(tables)), (0,) * len(tables.goals))
    agree_with_workers(
        Graph(*graph), IDAStar(heuristic, cycles), engine="compiled", want=want, limits=GIVEN_UP
    )


@settings(deadline=None, max_examples=20)
@given(st.data(), graphs(), cycles, wanted)
def test_states_of_200_bits(data, graph, cycles, want):
    heuristic = WideEstimate(data.draw(estimates(graph[0])))
    agree_with_workers(
        WideGraph(*graph), IDAStar(heuristic, cycles), engine="compiled", want=want,
        limits=GIVEN_UP,
    )  # fmt: skip


@settings(deadline=None, max_examples=40)
@given(st.data(), graphs(), cycles, wanted)
def test_steps_that_expand_lists(data, graph, cycles, want):
    heuristic = TableEstimate(data.draw(estimates(graph[0])))
    if data.draw(st.booleans()):
        heuristic = StepEstimate(data.draw(estimates(graph[0], dead_ends=False)), graph[0])
    agree_with_workers(
        ExpandedGraph(*graph), IDAStar(heuristic, cycles), engine="compiled",
        want=want, limits=GIVEN_UP,
    )  # fmt: skip


@settings(deadline=None, max_examples=30)
@given(graphs(), st.integers(0, 30), st.integers(0, 6))
def test_limits_stop_workers_at_the_same_state(graph, nodes, depth):
    limits = Limits(expansions=nodes, cost=depth)
    for kind in (Graph, ExpandedGraph):
        agree_with_workers(kind(*graph), IDDFS(), engine="compiled", want="all", limits=limits)


@pytest.mark.spread("all")
@pytest.mark.parametrize("want", ["one", "all", "count"])
def test_chains_of_jumps(want):
    limits = Limits(expansions=400)
    for problem in (hoppers(), peg("english")):
        for cycles in ("path", "parent"):
            assert agree_with_workers(
                problem, IDDFS(cycles), engine="compiled", want=want, limits=limits
            )


def test_a_weighted_search_and_its_last_round():
    problem = sliding("3x3")
    problem = problem.with_start(problem.random_state(random.Random(3)))
    for limits in (Limits(), Limits(cost=20)):
        assert agree_with_workers(
            problem, WeightedIDAStar(Manhattan(problem), weight="3/2"), engine="compiled",
            limits=limits,
        )  # fmt: skip


@pytest.mark.parametrize("want", ["one", "all", "count"])
def test_a_plain_problem_that_is_translated(want):
    problem, limits = Jugs((8, 5, 3), (4, 4, 0)), Limits(expansions=600)
    assert agree_with_workers(problem, IDDFS(), engine="compiled", want=want, limits=limits)


class Halves(Jugs):
    """Estimates that are no whole numbers."""

    def heuristic(self, state):
        return abs(state[0] - self.goal[0]) / 4


def test_estimates_that_are_no_whole_numbers():
    problem, limits = Halves((8, 5, 3), (4, 4, 0)), Limits(expansions=300)
    with plainly():
        for engine in ("reference", "compiled"):
            assert agree_with_workers(problem, IDAStar(), engine=engine, want="all", limits=limits)


def test_processes_say_what_one_process_says(two_workers, monkeypatch):
    """Chains, and a plain problem, which each worker translates for itself."""
    monkeypatch.setattr(splitting, "TASK_SECONDS", 0.002)
    for problem in (hoppers(), Jugs((8, 5, 3), (4, 4, 0))):
        alone = solve(problem, IDDFS(), engine="compiled", want="all")
        shared = solve(problem, IDDFS(), engine=Engine("compiled", workers=two_workers), want="all")
        assert rows(shared) == rows(alone)
        assert list(shared.solutions) == list(alone.solutions)


def test_a_worker_begins_again_where_states_do_not_fit(monkeypatch):
    """With a wider layout of its own; whoever has sent the task finds out when it comes to it."""
    again = []
    can = Making.can_begin_again
    monkeypatch.setattr(
        Making, "can_begin_again",
        lambda self, error: (can(self, error), again.append(error))[0],
    )  # fmt: skip
    monkeypatch.setattr(splitting, "TASK_SECONDS", 1.0)
    monkeypatch.setattr(sampling, "CHILDREN", 8)
    monkeypatch.setattr(sampling, "NEAR", 3)
    with plainly():
        agree_with_workers(Growing(), IDDFS(), engine="compiled")
    assert again


class Growing(Problem):
    """Numbers that become larger than any that is sampled, behind one of many first steps."""

    def initial_states(self):
        return [(1, 1, 0)]

    def successors(self, state):
        left, right, number = state
        if number == 0:
            for other in range(1000, 1040):
                yield Step("dead end", (1, 1, other))
        if number < 12:
            yield Step("on", (left * 20, right * 20, number + 1))

    def is_goal(self, state):
        return state[2] == 9
