"""What authors' code does in the middle of a search: the same by machine code as without."""

import attrs
import pytest

from searchkit import (
    IDDFS,
    AStar,
    BeamSearch,
    BreadthFirst,
    Limits,
    Problem,
    ProblemError,
    Step,
    UniformCost,
    UnsuitableError,
    solve,
)
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import CompilationError
from searchkit.heuristic import Heuristic
from searchkit.problem import INFINITY, Costs
from searchkit.solving import plan
from searchkit.translation import sampling, watch
from searchkit.translation.search import Making
from tests.translation.test_searches import told

LIMITS = Limits(expansions=1300)


class Grid(Problem):
    """Two numbers that go up, and what somebody may do wrong on the way."""

    size = 30

    def initial_states(self):
        return [(0, 0)]

    def successors(self, state):
        x, y = state
        if x < self.size:
            yield Step("right", (x + 1, y))
        if y < self.size:
            yield Step("down", (x, y + 1))

    def is_goal(self, state):
        return state == (self.size, self.size)

    def heuristic(self, state):
        return 2 * self.size - state[0] - state[1]


class GoalFails(Grid):
    def is_goal(self, state):
        return 10 // (25 - state[0]) == 99


class HeuristicFails(Grid):
    def heuristic(self, state):
        return 60 - state[0] if state[0] < 25 else (1, 2)[state[0]]


class BelowZero(Grid):
    def heuristic(self, state):
        return 60 - state[0] if state[0] < 25 else -1


class StepsFail(Grid):
    def successors(self, state):
        x, y = state
        if x < self.size:
            yield Step("right", (x + 1, y))
        if y < self.size:
            yield Step("down", (x, y + (1, 2)[x // 25 * 9]))


class TooCheap(Grid):
    costs = Costs.INTEGER

    def successors(self, state):
        x, y = state
        if x < self.size:
            yield Step("right", (x + 1, y), 3)
        if y < self.size:
            yield Step("down", (x, y + 1), 20 - x)


class KeyIsTheState(Grid):
    def key(self, state):
        """The state."""
        return state


class HalfAKey(Grid):
    def key(self, state):
        return state[0]


class FailsOffTheWay(Grid):
    """Its heuristic fails where no search comes: beyond dead ends."""

    def is_goal(self, state):
        return state == (20, 20)

    def heuristic(self, state):
        x, y = state
        return 40 - x - y if max(x, y) <= 20 else INFINITY if max(x, y) <= 23 else 1 // 0


class FailsBesideTheGoal(Grid):
    """Fails in the last layer but one, behind a state that leads to the goal."""

    def is_goal(self, state):
        return state == (20, 3)

    def successors(self, state):
        x, y = state
        if x < self.size:
            yield Step("right", (x + 1, y))
        if y < self.size:
            yield Step("down", (x, y + 1))
        if state == (19, 3):
            raise ValueError("not here")


@attrs.frozen
class Far(Heuristic):
    name = "far"
    size: int
    weights: tuple[int, ...] = (1, 1)

    def __call__(self, state):
        return sum(w * (self.size - n) for w, n in zip(self.weights, state, strict=True))


class NotFar(Far):
    def __call__(self, state):
        return (3, 2)[state[0] - state[1]]


class Carried(Far):
    def after(self, h, state, step):
        return self(step[1])


def outcome(problem, algorithm, engine):
    try:
        return told(solve(problem, algorithm, engine=engine, limits=LIMITS))
    except ProblemError as error:
        return str(error)


@pytest.mark.parametrize(
    "kind",
    [GoalFails, HeuristicFails, BelowZero, StepsFail, TooCheap, KeyIsTheState, FailsOffTheWay],
)
def test_errors_are_the_authors_own(kind, monkeypatch):
    monkeypatch.setattr(watch, "FIRST", 10)
    expected = outcome(kind(), AStar(), "reference")
    with plainly():
        assert outcome(kind(), AStar(), "compiled") == expected
    assert "machine code" not in str(expected)


def test_errors_of_machine_code_know_the_state():
    expected = outcome(GoalFails(), BreadthFirst(), "reference")
    assert "ZeroDivisionError: integer division or modulo by zero at" in expected
    assert outcome(GoalFails(), BreadthFirst(), "compiled") == expected


@pytest.fixture
def translated(monkeypatch):
    """Searches that machine code does after a trial of some states."""
    monkeypatch.setattr(watch, "FIRST", 10)
    monkeypatch.setattr(plan, "TRIAL_NODES", 10)


def test_the_reference_engine_knows_whether_an_error_is_met(translated):
    problem = FailsBesideTheGoal()
    expected = solve(problem, BreadthFirst(), engine="reference")
    with plainly():
        found = solve(problem, BreadthFirst())
    assert told(found) == told(expected)
    assert found.engine == "reference"
    assert "ValueError: not here at" in found.engine_reason


@pytest.mark.parametrize("heuristic", [Far(12), Far(12, (1, 0)), NotFar(12)])
def test_heuristics_that_are_objects(heuristic, monkeypatch):
    monkeypatch.setattr(watch, "FIRST", 10)
    monkeypatch.setattr(Grid, "size", 12)
    for algorithm in (AStar(heuristic=heuristic), BeamSearch(heuristic=heuristic, width=5)):
        expected = outcome(Grid(), algorithm, "reference")
        with plainly():
            assert outcome(Grid(), algorithm, "compiled") == expected


@pytest.mark.parametrize(
    ("problem", "algorithm", "reason"),
    [
        (
            HalfAKey(),
            BreadthFirst(),
            r"its key is not the state \(at .*test_authors.py:\d+ in key\)",
        ),
        (Grid(), AStar(heuristic=Carried(30)), r"heuristic far defines after \(at .*:\d+ in after"),
    ],
)
def test_what_is_not_translated_is_said(problem, algorithm, reason):
    with pytest.raises(UnsuitableError, match=reason):
        solve(problem, algorithm, engine="compiled")


class Sly(Grid):
    """Its rules change where no sample comes."""

    size = 60
    stride = 1

    def successors(self, state):
        x, y = state
        if x < self.size:
            yield Step("right", (x + (self.stride if x > 3 else 1), y))
        if y < self.size:
            yield Step("down", (x, y + 1))


@pytest.mark.slow_variants("algorithm3")
@pytest.mark.parametrize(
    "algorithm", [BreadthFirst(), UniformCost(), IDDFS(), BeamSearch(width=50)]
)
def test_states_that_engines_have_met_are_compared(algorithm, monkeypatch):
    monkeypatch.setattr(watch, "FIRST", 60)
    monkeypatch.setattr(watch, "SECONDS", float("inf"))
    monkeypatch.setattr(watch, "EVERY", 10)
    monkeypatch.setattr(sampling, "NEAR", 10)
    monkeypatch.setattr(sampling, "WALKS", 0)
    problem = Sly()
    honest = Making.made

    def made(self):
        found = honest(self)
        problem.stride = 2
        return found

    monkeypatch.setattr(Making, "made", made)
    with plainly(), pytest.raises(CompilationError, match=r"successors, .*: machine code gives"):
        solve(problem, algorithm, engine="compiled", limits=LIMITS)
