"""Rules that never return are ended at a limit of time, wherever they are, and told of."""

import signal
import subprocess
import sys
import threading
import time
import warnings
from contextlib import suppress
from typing import ClassVar

import pytest

from searchkit import AStar, BreadthFirst, IDAStar, Limits, Problem, Step, solve
from searchkit.authors.user_code import call
from searchkit.checks import check_problem
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import LimitReachedError, SearchkitWarning, UnsuitableError
from searchkit.explore import explore
from searchkit.limits import LimitKind
from searchkit.result import Status
from searchkit.running import overdue
from searchkit.running.overdue import GivenUpError, NoAnswerError, Watched, giving_up, in_passing
from searchkit.running.task import Outcome
from searchkit.solving import engines

SOON = Limits(time=0.4)  # no call that has lasted less than half a second is ended


def for_ever() -> None:
    while True:
        pass


LINE = for_ever.__code__.co_firstlineno + 2


class Number(int):
    """A state that may never say what it equals."""

    endless = False

    def __eq__(self, other: object) -> bool:
        if self.endless:
            for_ever()
        return int(self) == other

    __hash__ = int.__hash__


class Walk(Problem[Number, str]):
    """A walk to 0, of which one method never returns from state 3 on."""

    undirected = True

    def __init__(self, where: str) -> None:
        self.where = where

    def stop(self, here: str, state: int = 3) -> None:
        if here == self.where and int(state) == 3:
            for_ever()

    def initial_states(self):
        self.stop("initial_states")
        return [Number(5)]

    def successors(self, state):
        self.stop("successors", state)
        Number.endless = int(state) == 3 and self.where == "__eq__"
        return [Step(f"to {each}", Number(each), 1) for each in (state - 1, state + 1) if each < 9]

    def is_goal(self, state):
        self.stop("is_goal", state)
        return int(state) == 0

    def key(self, state):
        self.stop("key", state)
        return state

    def heuristic(self, state):
        self.stop("heuristic", state)
        return int(state)


@pytest.fixture(autouse=True)
def _watched_closely(monkeypatch):
    """A call is looked at sooner, and as often before it is ended."""
    monkeypatch.setattr(overdue, "EVERY", 0.1)
    monkeypatch.setattr(overdue, "LEAST", 0.25)


@pytest.fixture(autouse=True)
def _comparable():
    yield
    Number.endless = False


@pytest.mark.slow_variants("is_goal", "key", "__eq__")
@pytest.mark.parametrize(
    "where", ["initial_states", "successors", "is_goal", "key", "heuristic", "__eq__"]
)
def test_it_is_ended_and_named(where: str) -> None:
    result = solve(Walk(where), AStar(), limits=SOON)
    assert (result.status, result.limit) == (Status.LIMIT, LimitKind.TIME)
    assert f"`{where}` has not answered for" in result.advice
    assert result.advice.endswith("; look at that line: more time helps only if it ends")
    assert f"test_overdue.py:{LINE - 1}" in result.advice or f"overdue.py:{LINE}" in result.advice


class Late(Problem[int, str]):
    """One rule never returns from a state that machine code meets first."""

    undirected = False

    def initial_states(self):
        return [0]

    def successors(self, state):
        turns = 0
        while turns < 5 or state == 5000:
            turns += 1
        yield Step("on", (state + 1) % 6000)

    def is_goal(self, state):
        return state == -1


def test_a_loop_that_machine_code_enters_is_ended_in_python() -> None:
    result = solve(Late(), BreadthFirst(), limits=Limits(time=1), engine="compiled")
    assert (result.limit, result.statistics.expanded) == (LimitKind.TIME, 5000)
    assert "`successors` has not answered for" in result.advice


def test_it_is_ended_in_any_thread() -> None:
    found = []
    threads = [
        threading.Thread(
            target=lambda: found.append(solve(Walk("is_goal"), BreadthFirst(), limits=SOON))
        )
        for _ in range(2)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join(60)
    assert [each.limit for each in found] == [LimitKind.TIME] * 2
    assert all("`is_goal` has not answered" in each.advice for each in found)


class Beyond(Problem[int, str]):
    """A goal one step away, and one method that never returns from a state beyond it."""

    def __init__(self, where: str) -> None:
        self.where = where

    def stop(self, here: str, state: int = 7) -> None:
        turns = 0
        while here == self.where and state == 7:
            turns += 1

    def initial_states(self):
        return [0]

    def goal_states(self):
        self.stop("goal_states")
        return [1]

    def successors(self, state):
        self.stop("successors", state)
        yield Step("on", state + 1)
        if state < 5:
            yield Step("up", state + 2)

    def is_goal(self, state):
        self.stop("is_goal", state)
        return state == 1

    def heuristic(self, state):
        self.stop("heuristic", state)
        return 0


@pytest.mark.spread
@pytest.mark.parametrize("where", ["successors", "is_goal", "heuristic", "goal_states"])
@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_what_only_a_sample_asks_needs_no_answer(
    where: str, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goals are listed for machine code alone, which is refused without them."""
    monkeypatch.setattr(overdue, "SPARED", 0.3)
    with plainly():
        if (where, engine) == ("goal_states", "compiled"):
            with pytest.raises(UnsuitableError, match="`goal_states` has not answered for"):
                solve(Beyond(where), AStar(), engine="compiled")
        else:
            assert solve(Beyond(where), AStar(), engine=engine).cost == 1


def test_a_question_in_passing_is_given_up_unless_the_time_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(overdue, "SPARED", 0.3)
    problem = Beyond("is_goal")
    for limit, error in ((None, GivenUpError), (0.1, NoAnswerError)):
        found = pytest.raises(error, match="`is_goal` has not answered for")
        with found, Watched(limit), in_passing(problem):
            call("is_goal", problem.is_goal, 7)


def test_an_exploration_and_a_check_are_ended() -> None:
    with pytest.raises(LimitReachedError, match="`successors` has not answered"):
        explore(Walk("successors"), limits=SOON)
    report = check_problem(Walk("heuristic"), max_time=1.5, states=20, laws=["heuristics"])
    assert report.out_of_time
    assert "`heuristic` has not answered" in str(report)
    with pytest.raises(LimitReachedError, match="`successors` has not answered"):
        check_problem(Walk("successors"), max_time=0.1)


class Stubborn(Walk):
    """Lets no exception pass the first time it is asked."""

    is_new = True

    def successors(self, state):
        if self.is_new:
            self.is_new = False
            with suppress(BaseException):
                for_ever()
        return super().successors(state)


def test_what_a_rule_makes_of_it_does_not_matter() -> None:
    result = solve(Stubborn(""), BreadthFirst(), limits=SOON)
    assert "`successors` has not answered" in result.advice
    with pytest.raises(NoAnswerError, match="`successors`"), Watched(0.1):
        call("successors", Stubborn("").successors, Number(9))


def test_ctrl_c_is_heard_though_a_rule_lets_it_not_pass() -> None:
    class Deaf(Walk):
        def successors(self, state):
            if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
                return super().successors(state)  # before the search
            try:
                while not any(each.said for each in overdue._threads.values()):
                    pass
                signal.raise_signal(signal.SIGINT)
            except KeyboardInterrupt:
                for_ever()

    result = solve(Deaf(""), BreadthFirst())
    assert result.status is Status.INTERRUPTED
    assert "`successors` has not answered" in result.advice


def test_without_a_limit_it_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overdue, "PATIENCE", 0.6)

    class Slow(Walk):
        def is_goal(self, state):
            until = time.monotonic() + 300
            while not told and time.monotonic() < until:
                pass
            return super().is_goal(state)

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert solve(Slow(""), BreadthFirst()).cost == 5
    (one,) = told
    assert issubclass(one.category, SearchkitWarning)
    assert str(one.message).startswith("`is_goal` has not answered for")
    assert one.filename == __file__


def test_an_engine_may_take_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overdue, "PATIENCE", 0.6)
    looked = []

    class Slowly(BreadthFirst):
        name = "slowly"
        engines: ClassVar = {}

    def engine(task):
        yield
        look = overdue._look
        monkeypatch.setattr(overdue, "_look", lambda: looked.append(1) or look())
        until = time.monotonic() + 300
        while len(looked) < 6 and time.monotonic() < until:
            pass
        return Outcome()

    monkeypatch.setattr(engines, "_REGISTERED", {})
    engines.register_engine(Slowly, "reference", engine)
    with giving_up(0.1):
        call("engine", list, engine(None))  # no NoAnswerError comes out
    assert len(looked) >= 6


def test_nothing_is_raised_once_a_rule_has_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overdue, "EVERY", 0.0005)
    monkeypatch.setattr(overdue, "LEAST", 0.0)
    switched = sys.getswitchinterval()
    sys.setswitchinterval(0.0001)
    failures = []

    def search() -> None:
        try:
            for number in range(60):
                limits = Limits(time=number / 20_000)
                with suppress(LimitReachedError):  # amid what is made before the search
                    result = solve(Walk(""), IDAStar(), limits=limits)
                    assert result.limit in (None, LimitKind.TIME)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=search) for _ in range(2)]
    try:
        for each in threads:
            each.start()
        search()
        for each in threads:
            each.join(60)
    finally:
        sys.setswitchinterval(switched)
    assert not failures


TRACED = """
import sys
from searchkit.authors.user_code import call
from searchkit.running import overdue

def endless(state):
    while True:
        pass

overdue.EVERY, overdue.LEAST = 0.02, 0.05
for _ in range(3):
    try:
        with overdue.Watched(0.1):
            call("successors", endless, 3)
    except overdue.NoAnswerError:
        pass
sys.settrace(lambda *given: None)
print(sum(int(each) for each in "12"))
"""


def test_what_is_traced_goes_on_after_a_rule_was_ended(tmp_path) -> None:
    """Taken back as no exception, it left a flag that 3.11 waits for, for ever, where it traces."""
    script = tmp_path / "traced.py"
    script.write_text(TRACED, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, timeout=120, check=True
    )
    assert ran.stdout == "3\n"
