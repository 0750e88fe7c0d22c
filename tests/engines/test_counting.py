"""Counting keeps to the limits, and what was known before is kept."""

import signal

import pytest

from searchkit import (
    IDDFS,
    AStar,
    Bidirectional,
    BreadthFirst,
    IDAStar,
    LimitKind,
    Limits,
    Problem,
    Status,
    Step,
    UniformCost,
    solve,
)
from searchkit.premises import reasons

ALL = [BreadthFirst(), Bidirectional(), AStar(), UniformCost(), IDDFS(), IDAStar()]


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """As many states are asked again in each search, however busy the machine is."""
    monkeypatch.setattr(reasons, "LEAST_SECONDS", 20.0)


by_name = pytest.mark.parametrize("algorithm", ALL, ids=lambda algorithm: algorithm.name)


class Ladder(Problem):
    """Two steps up each of many rungs; `pause` from the `patience`-th call of successors on."""

    undirected = False

    def __init__(self, rungs, patience=10**9, pause=lambda: None):
        self.rungs, self.patience, self.pause, self.calls = rungs, patience, pause, 0

    def initial_states(self):
        return [0]

    def goal_states(self):
        return [self.rungs]

    def is_goal(self, state):
        return state == self.rungs

    def successors(self, state):
        self.calls += 1
        if self.calls > self.patience:
            self.pause()
        return [Step("left", state + 1), Step("right", state + 1)] if state < self.rungs else []

    def predecessors(self, state):
        return [Step("left", state - 1), Step("right", state - 1)]


def patience_of(algorithm, rungs):
    """How many calls of successors there are before counting begins."""
    problem = Ladder(rungs)
    solve(problem, algorithm, want="count")
    return problem.calls - rungs


def test_counts_are_exact_however_large():
    result = solve(Ladder(20_000), BreadthFirst(), want="count")
    assert result.count == 2**20_000


@pytest.mark.parametrize("algorithm", ALL[:4], ids=lambda algorithm: algorithm.name)
def test_the_time_limit_holds_for_counting(algorithm, clock):
    clock.tick = 0
    problem = Ladder(300, patience_of(algorithm, 300), lambda: clock.pass_by(0.02))
    result = solve(problem, algorithm, want="count", limits=Limits(time=1))
    assert result.status is Status.LIMIT
    assert result.limit is LimitKind.TIME
    assert (result.cost, result.lower_bound, result.count) == (300, 300, None)
    assert result.optimal
    assert not result.complete
    assert 1 <= result.statistics.seconds < 1.5


def test_ctrl_c_while_counting_keeps_the_cost():
    patience = patience_of(BreadthFirst(), 300) + 100
    problem = Ladder(300, patience, lambda: signal.raise_signal(signal.SIGINT))
    result = solve(problem, BreadthFirst(), want="count")
    assert result.status is Status.INTERRUPTED
    assert (result.cost, result.lower_bound, result.count) == (300, 300, None)


def test_the_memory_limit_holds_for_counting():
    result = solve(Ladder(20_000), UniformCost(), want="count", limits=Limits(memory=10**7))
    assert result.limit is LimitKind.MEMORY
    assert (result.cost, result.count) == (20_000, None)


def test_seconds_include_counting(clock):
    problem = Ladder(20, patience_of(BreadthFirst(), 20), lambda: clock.pass_by(10))
    assert 200 < solve(problem, BreadthFirst(), want="count").statistics.seconds < 201


def test_what_a_stopped_search_has_found_is_counted():
    result = solve(Ladder(14), IDDFS(), want="all", limits=Limits(expansions=2**15 + 1000))
    assert result.limit is LimitKind.EXPANSIONS
    assert result.cost == 14
    assert result.count > 0
    assert not result.complete
