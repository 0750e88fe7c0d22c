"""Asking a problem before an answer does not take long, however slow its answers are."""

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from searchkit import Bidirectional, BreadthFirst, Problem, Status, Step, solve
from searchkit.certificates import Certificate
from searchkit.premises import patience


class Clocks:
    """Stands in for the clocks of the module `time`; they move by what problems say."""

    def __init__(self) -> None:
        self.worked = 0.0
        self.waited = 0.0

    def as_module(self, processor_time: str = "thread_time") -> SimpleNamespace:
        clocks = {
            "monotonic": lambda: self.worked + self.waited,
            processor_time: lambda: self.worked,
        }
        return SimpleNamespace(**clocks)


class Waiting(Problem[int, str]):
    """Each state takes a second on the clock and no processor time; its certificate takes none."""

    def __init__(self, clocks: Clocks) -> None:
        self.clocks = clocks

    def initial_states(self) -> list[int]:
        return [0]

    def successors(self, state: int) -> Iterator[Step[int, str]]:
        self.clocks.waited += 1
        yield Step("on", state + 1)

    def is_goal(self, state: int) -> bool:
        return False

    def certificate(self, state: int) -> Certificate:
        return Certificate("none", "there is no goal", {})


class ManyGoals(Problem[int, str]):
    """Of 5,000 listed goals each takes a second of processor time to be told as one."""

    undirected = True

    def __init__(self, clocks: Clocks) -> None:
        self.clocks = clocks

    def initial_states(self) -> list[int]:
        return [0]

    def successors(self, state: int) -> list[Step[int, str]]:
        return [Step("up", state + 1), Step("down", state - 1)]

    def is_goal(self, state: int) -> bool:
        self.clocks.worked += 1
        return state >= 3

    def goal_states(self) -> range:
        return range(3, 5003)


@pytest.fixture(params=["thread_time", "process_time"])
def clocks(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Clocks:
    """Where Python has no threads, as in a browser, there is no time of one."""
    made = Clocks()
    monkeypatch.setattr(patience, "time", made.as_module(request.param))
    return made


def test_a_problem_that_waits_is_not_asked_for_long(clocks: Clocks) -> None:
    assert solve(Waiting(clocks), BreadthFirst()).status is Status.UNSOLVABLE
    assert clocks.waited < 20


def test_goals_are_not_asked_about_for_long(clocks: Clocks) -> None:
    assert solve(ManyGoals(clocks), Bidirectional()).cost == 3
    assert clocks.worked < 100
