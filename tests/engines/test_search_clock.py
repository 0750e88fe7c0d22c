"""Time limits count the search alone, and more time never proves less. By a clock that is set."""

from __future__ import annotations

import itertools
from typing import Any

import attrs
import pytest

from searchkit import (
    AStar,
    Bidirectional,
    BreadthFirst,
    IDAStar,
    LimitKind,
    Limits,
    Problem,
    Status,
    Step,
    solve,
)
from searchkit.authors.kin import forget_kin
from searchkit.explore import explore
from searchkit.packed import ZeroHeuristic
from searchkit.running.driver import Driver
from searchkit.running.making import making_code, search_clock
from searchkit.running.task import Task
from searchkit.solving.engines import engine_of
from searchkit.solving.plan import TRIAL_NODES, end_of_trial, trial_limits
from searchkit_sliding import eight_puzzle

HARD = 40.0
"""Seconds of making machine code, where no search takes one."""


class Line(Problem[int, str]):
    def initial_states(self):
        return [0]

    def successors(self, state):
        return [Step("on", state + 1)]

    def is_goal(self, state):
        return False


def run(clock, engine, *, sliced, time, progress=None):
    task = Task(problem=Line(), algorithm=None, heuristic=ZeroHeuristic(), starts=(0,))
    ended = Driver(task, Limits(time=time), progress, sliced=sliced).run(engine)
    return task, ended


def endless(clock, making):
    """An engine that makes machine code before it begins, and again after 5 slices."""

    def engine(task):
        with making_code():
            clock.now += making
        yield
        for slices in itertools.count():
            clock.now += 0.0005
            if slices == 5:
                with making_code():
                    clock.now += making
            task.counters.expanded += max(1, task.budget)
            task.budget = 0
            yield

    return engine


@pytest.mark.parametrize("sliced", [True, False])
def test_making_machine_code_takes_no_time_of_the_search(clock, sliced):
    found = []
    for making in (0.0, HARD):
        task, ended = run(clock, endless(clock, making), sliced=sliced, time=0.5)
        assert ended.limit is LimitKind.TIME
        assert 0.5 <= ended.statistics.seconds < 0.6
        assert ended.statistics.setup_seconds == pytest.approx(2 * making, abs=0.1)
        found.append(task.counters.expanded)
    assert found[0] == found[1] > 50


def test_pauses_of_no_time_do_not_put_off_the_limit(clock):
    """A table that grew in many short steps: the states then granted took hours."""

    def engine(task):
        yield
        while True:
            yield  # the first one, and those while the table grows, spend nothing
            for _ in range(30):
                yield
            for _ in range(30):
                done, task.budget = task.budget, 0
                task.counters.expanded += done
                clock.pass_by(done * 1e-5)
                yield

    task, ended = run(clock, engine, sliced=True, time=10.0)
    assert ended.limit is LimitKind.TIME
    assert 10 <= ended.statistics.seconds < 10.1
    assert task.counters.expanded > 500_000  # and slices do become longer


@pytest.mark.parametrize("most", [0, 1, 1000, 5000])
def test_nothing_is_granted_beyond_the_limit_while_an_engine_expands_nothing(most):
    granted = []

    def engine(task):
        yield
        while True:
            done = task.budget
            task.counters.expanded, task.budget = task.counters.expanded + done, 0
            if task.counters.expanded == most:
                task.is_all_expanded = True
                yield
                granted.append(task.budget)
                task.is_all_expanded = False
            yield

    task = Task(problem=Line(), algorithm=None, heuristic=ZeroHeuristic(), starts=(0,))
    ended = Driver(task, Limits(expansions=most), sliced=True).run(engine)
    assert (ended.limit, task.counters.expanded, granted) == (LimitKind.EXPANSIONS, most, [0])


def test_that_it_is_made_is_told(clock):
    told = []
    run(clock, endless(clock, HARD), sliced=True, time=0.5, progress=told.append)
    assert [each.preparing for each in told[:2]] == [True, True]
    assert not any(each.preparing for each in told[2:])
    assert told[-1].seconds < 1


def test_the_search_clock_stands_still(clock):
    clock.tick = 0
    began = search_clock()
    with making_code():
        clock.now += HARD
        with making_code():
            clock.now += HARD
            assert search_clock() == pytest.approx(began)
        assert search_clock() == pytest.approx(began)
    clock.now += 1
    assert search_clock() == pytest.approx(began + 1)


@pytest.mark.slow_variants("bfs", "bidirectional", "idastar")
@pytest.mark.parametrize(
    "algorithm", [BreadthFirst(), Bidirectional(), AStar(), IDAStar()], ids=lambda a: a.name
)
def test_more_time_never_proves_less(clock, algorithm, monkeypatch):
    """The trial's bound stays while the compiled engine catches up with it."""
    monkeypatch.setattr("searchkit.running.driver.FIRST_BUDGET", 1)
    before = 0.0
    for seconds in (*(ticks / 1000 for ticks in range(20, 70, 8)), 1000):
        forget_kin()  # who knows that machine code is at hand has no trial
        result = solve(eight_puzzle(), algorithm, limits=Limits(time=seconds))
        assert before <= result.lower_bound <= 31, seconds
        if result.status is Status.LIMIT:
            assert result.limit is LimitKind.TIME
        before = result.lower_bound
    assert (result.cost, result.optimal) == (31, True)


def test_more_time_never_reaches_fewer_states(clock):
    """Where the trial ends, and the compiled engine begins from the start."""
    before, reached, engines = 0, set(), set()
    for ticks in (*range(14, 74, 3), 10**6):
        found = explore(eight_puzzle(), limits=Limits(time=ticks / 1000))
        assert found.states >= before, ticks
        before = found.states
        reached.add(found.states)
        engines.add(found.engine)
    assert found.complete
    assert len(reached) > 3
    assert engines == {"reference", "compiled"}


@pytest.fixture(scope="module")
def near():
    """A puzzle whose solution is 14 moves long."""
    hard = eight_puzzle()
    return hard.with_start(solve(hard, AStar()).solution.states[31 - 14])


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize("algorithm", [BreadthFirst(), Bidirectional()], ids=lambda a: a.name)
def test_what_was_proved_before_changes_no_result(monkeypatch, near, algorithm, engine):
    """Neither the bound of the layers, nor where the search is cut off at a cost limit."""
    init = Task.__attrs_post_init__
    for depth in (13, 14):
        results: list[Any] = []
        for known in (0, 10):

            def knowing(task: Task, known: int = known) -> None:
                init(task)
                task.counters.prove(known)

            monkeypatch.setattr(Task, "__attrs_post_init__", knowing)
            for nodes in (10, 100, None):
                limits = Limits(cost=depth, expansions=nodes)
                result = solve(near, algorithm, engine=engine, limits=limits)
                assert known <= result.lower_bound <= 14
            results.append((result.status, result.cost, result.lower_bound))
        assert results[0] == results[1]


@pytest.mark.parametrize(
    ("limit", "nodes", "time", "expected"),
    [
        (LimitKind.EXPANSIONS, None, 1.0, (True, LimitKind.TIME)),
        (LimitKind.EXPANSIONS, TRIAL_NODES, 1.0, (True, LimitKind.EXPANSIONS)),
        (LimitKind.EXPANSIONS, TRIAL_NODES + 1, None, (False, LimitKind.EXPANSIONS)),
        (LimitKind.EXPANSIONS, None, 1.1, (False, LimitKind.EXPANSIONS)),
        (LimitKind.EXPANSIONS, None, None, (False, LimitKind.EXPANSIONS)),
        (LimitKind.TIME, None, 1.0, (True, LimitKind.TIME)),
        (LimitKind.TIME, None, 1.1, (False, LimitKind.TIME)),
        (None, None, 1.0, (True, None)),
    ],
)
def test_no_machine_code_is_made_where_no_time_is_left(limit, nodes, time, expected):
    assert end_of_trial(limit, 1.05, Limits(expansions=nodes, time=time)) == expected


def test_a_trial_ends_by_what_it_generates():
    """By a clock alone, a busy machine would choose another engine."""
    limits = trial_limits(Limits())
    task = Task(
        problem=Line(), algorithm=BreadthFirst(), heuristic=ZeroHeuristic(), starts=(0,)
    )  # fmt: skip
    few = attrs.evolve(limits, generated=50, expansions=None, time=None)
    ended = Driver(task, few).run(engine_of(BreadthFirst, "reference"))
    assert ended.limit is LimitKind.TIME
    assert task.counters.generated >= 50
    assert trial_limits(Limits(time=0.5)).time == 0.5
    assert trial_limits(Limits(expansions=7)).expansions == 7
