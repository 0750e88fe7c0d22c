"""Iterations of the reference engine that workers share, by splitting its stack."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import (
    IDDFS,
    IDAStar,
    Limits,
    Problem,
    ProblemError,
    Status,
    Step,
    WeightedIDAStar,
    solve,
)
from searchkit.engine import Engine
from searchkit.engines import splitting
from searchkit.engines.splitting import levels
from searchkit.errors import UsageError
from searchkit.reference.splitting import Level
from searchkit_sliding import sliding
from tests.support.both_engines import outcome
from tests.support.graphs import Graph, graphs, graphs_with_estimates
from tests.support.scattered import GIVEN_UP, Scattered, agree_with_workers, rows, share_at_once

cycles = st.sampled_from(["path", "parent"])
wanted = st.sampled_from(["one", "all", "count", 1, 2])
workers = st.sampled_from([1, 2, 7])


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    share_at_once(monkeypatch)


@settings(max_examples=60)
@given(graphs(), cycles, wanted, workers, st.integers(0, 5))
def test_any_number_of_workers_says_what_one_process_says(
    graph: Graph, cycles: str, want: Any, workers: int, seed: int
) -> None:
    agree_with_workers(
        graph, IDDFS(cycles), engine="reference", workers=workers, seed=seed,
        want=want, limits=GIVEN_UP,
    )  # fmt: skip


@settings(max_examples=60)
@given(graphs_with_estimates(), cycles, wanted, st.sampled_from([1, "3/2"]))
def test_estimates_weights_and_wrong_estimates(
    graph: Graph, cycles: str, want: Any, weight: object
) -> None:
    algorithm = IDAStar(None, cycles) if weight == 1 else WeightedIDAStar(weight=weight)
    if weight != 1:
        want = "one"
    agree_with_workers(graph, algorithm, engine="reference", want=want, limits=GIVEN_UP)


@settings(max_examples=40)
@given(graphs(), st.integers(0, 30), st.integers(0, 5), wanted)
def test_limits_stop_workers_at_the_same_state(
    graph: Graph, nodes: int, depth: int, want: str
) -> None:
    limits = Limits(expansions=nodes, cost=depth)
    agree_with_workers(graph, IDDFS(), engine="reference", want=want, limits=limits)


@pytest.mark.spread("one")
@pytest.mark.parametrize("want", ["one", "all"])
def test_a_larger_search_is_shared_by_many_tasks(want: str) -> None:
    problem = sliding("3x3")
    problem = problem.with_start(problem.random_state(random.Random(5)))
    assert agree_with_workers(problem, IDAStar(), engine="reference", want=want) > 100


class DoneMeanwhile(Scattered):
    """One more task is done after each wait: whoever waited is told of it by the next one."""

    def wait(self, jobs, timeout):
        told = super().wait(jobs, timeout)
        waiting = [job for job in jobs if not job.is_done]
        if waiting:
            self._look(waiting, 0)
        return told


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_what_is_done_after_a_wait_has_left_something_to_do(engine: Any) -> None:
    """On a busy machine what its task had left was lost: a space was said to end that does not."""
    problem = sliding("3x3")
    problem = problem.with_start(problem.random_state(random.Random(3)))
    how: Any = {"engine": engine, "want": "all", "limits": Limits(cost=8)}
    alone = solve(problem, IDDFS(), **how)
    shared = solve(problem, IDDFS(), **how | {"engine": Engine(engine, workers=DoneMeanwhile(3))})
    assert outcome(shared) == outcome(alone)
    assert rows(shared) == rows(alone)


def test_processes_say_what_one_process_says(two_workers: object) -> None:
    problem = sliding("2x3")
    problem = problem.with_start(problem.random_state(random.Random(1)))
    alone = solve(problem, IDDFS(), engine="reference", limits=Limits(expansions=2000))
    shared = solve(
        problem,
        IDDFS(),
        engine=Engine("reference", workers=two_workers),
        limits=Limits(expansions=2000),
    )
    assert shared.statistics.expanded == alone.statistics.expanded
    assert shared.solution == alone.solution


class Steep(Problem[int, int]):
    """Numbers to reach by adding 1 to 3; some cannot be asked."""

    bad = -1

    def initial_states(self) -> list[int]:
        return [0]

    def successors(self, state: int) -> list[Step[int, int]]:
        if state == self.bad:
            raise ValueError("this one is bad")
        return [Step(step, state + step) for step in (1, 2, 3) if state + step <= 12]

    def is_goal(self, state: int) -> bool:
        return state == 12


class Failing(Steep):
    bad = 7


def test_what_the_rules_raise_in_a_worker_is_said_as_in_one_process() -> None:
    said = []
    for executor in (None, Scattered(2)):
        with pytest.raises(ProblemError) as raised:
            solve(Failing(), IDDFS(), engine=Engine("reference", workers=executor))
        said.append(str(raised.value))
    assert said[0] == said[1]
    assert re.fullmatch(
        r"Failing failed: ValueError: this one is bad at .*test_splitting.py:\d+ in successors",
        said[0],
    )


class FailingLater(Steep):
    bad = 5

    def is_goal(self, state: int) -> bool:
        return state == 4


def test_a_goal_before_an_error_is_found() -> None:
    """Another worker may have met the error before."""
    for seed in range(5):
        agree_with_workers(FailingLater(), IDDFS(), engine="reference", seed=seed)


def test_what_cannot_be_sent_is_refused_in_one_line() -> None:
    class Local(Steep):
        pass

    with pytest.raises(UsageError, match=r"cannot be sent to another process: .*Local.*top level"):
        solve(Local(), IDDFS(), engine=Engine("reference", workers=Scattered(2)))


class Endless(Steep):
    """More steps than are listed at once lead out of the start."""

    def successors(self, state: int) -> list[Step[int, int]]:  # type: ignore[override]
        return (Step(i, i) for i in range(1, 70_000)) if state == 0 else []  # type: ignore

    def is_goal(self, state: int) -> bool:
        return state == 66_000


def test_states_with_very_many_steps_are_not_split() -> None:
    assert agree_with_workers(Endless(), IDDFS(), engine="reference") < 5


def test_an_iteration_that_is_over_soon_is_not_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splitting, "ALONE_SECONDS", 1e9)
    assert agree_with_workers(Steep(), IDDFS(), engine="reference") == 0


def test_stacks_are_cut_by_levels_in_depth_first_order() -> None:
    rest = tuple(Level(i, i, 0, [Step(0, -i)] * (i % 3 > 0)) for i in range(20))
    parts = list(levels(rest))
    assert len(parts) == splitting.LEVELS
    tried = [row.state for part in parts for row in reversed(part) if row.is_open]
    assert tried == [row.state for row in reversed(rest) if row.is_open]
    for part in parts:
        assert [row.state for row in part] == list(range(len(part)))


def test_ctrl_c_ends_a_search_that_workers_share(ctrl_c: object) -> None:
    executor = Scattered(2)
    problem = sliding("3x3")
    problem = problem.with_start(problem.random_state(random.Random(5)))
    result = solve(problem, IDDFS(), engine=Engine("reference", workers=executor), progress=ctrl_c)  # type: ignore[arg-type]
    assert result.status is Status.INTERRUPTED
    assert not executor._calls


class Room:
    """A place that is equal to itself alone."""

    def __init__(self, name: int) -> None:
        self.name = name
        self.exits: list[Room] = []


class Rooms(Problem[Room, int]):
    """From room to room; the way ends in one of them."""

    def __init__(self) -> None:
        self.rooms = [Room(name) for name in range(9)]
        for name, room in enumerate(self.rooms):
            room.exits = [self.rooms[(name + more) % 9] for more in (1, 2)]

    def initial_states(self) -> list[Room]:
        return [self.rooms[0]]

    def successors(self, state: Room) -> list[Step[Room, int]]:
        return [Step(room.name, room) for room in state.exits]

    def is_goal(self, state: Room) -> bool:
        return state == self.rooms[7]


@pytest.mark.parametrize("cycles", ["path", "parent"])
def test_states_that_are_equal_by_identity_are_not_sent(cycles: str) -> None:
    agree_with_workers(Rooms(), IDDFS(cycles), engine="reference")
