"""What `searchkit.testing` gives to authors: strategies, and a class whose tests are the laws."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import find as hypothesis_find
from hypothesis import strategies as st

import searchkit
from searchkit import Problem, Step, UnsuitableError
from searchkit.checks import LAWS
from searchkit.testing import PuzzleTests, solvable_boards, states_of, walks

SHRINKING = Phase.generate, Phase.target, Phase.shrink
"""Without the phase that explains: that traces each line of what is tried."""
find = partial(
    hypothesis_find, settings=settings(max_examples=2000, database=None, phases=SHRINKING)
)
"""Not among what an earlier run, or one that was stopped, has found."""


class Stairs(Problem):
    """Up by one or two steps, to the 20th; there is no way back."""

    def initial_states(self):
        return [0, 1]

    def successors(self, state):
        return [Step(f"up {n}", state + n, 1) for n in (1, 2) if state + n <= 20]

    def is_goal(self, state):
        return state == 20

    def format_state(self, state):
        return str(state)

    def parse(self, text):
        return int(text)


class Backwards(Stairs):
    def goal_states(self):
        return [20]

    def predecessors(self, state):
        return [Step(f"up {n}", state - n, 1) for n in (1, 2) if state >= n]


@given(walks(Stairs(), 12))
def test_walks_are_made_of_legal_steps(walk):
    assert walk.start in (0, 1)
    assert len(walk.states) == len(walk.steps) + 1 <= 13
    for before, step in zip(walk.states, walk.steps, strict=False):
        assert step in Stairs().successors(before)
    assert walk.cost == len(walk.steps)
    assert walk.end == walk.states[-1]


def test_walks_shrink():
    walk = find(walks(Stairs()), lambda walk: walk.end >= 5)
    assert walk.end == 5 or len(walk.steps) <= 3
    assert find(states_of(Stairs()), lambda state: True) == 0


def test_every_state_is_drawn():
    for wanted in (0, 6, 20):
        assert find(states_of(Stairs()), lambda state, wanted=wanted: state == wanted) == wanted


@given(solvable_boards(Backwards(), 5))
def test_solvable_boards_are_near_a_goal(state):
    assert 10 <= state <= 20


def test_solvable_boards_shrink_to_a_goal():
    assert find(solvable_boards(Backwards()), lambda state: True) == 20


def test_solvable_boards_may_be_drawn_by_the_problem():
    class Drawn(Stairs):
        def random_state(self, rng):
            return rng.randint(3, 4)

    @given(solvable_boards(Drawn()))
    @settings(max_examples=10)
    def is_drawn(state):
        assert state in (3, 4)

    is_drawn()
    with pytest.raises(UnsuitableError, match="Stairs has no way back from goals"):
        solvable_boards(Stairs())


class TestBackwards(PuzzleTests):
    problem = Backwards()


class TestMadeByACall(PuzzleTests):
    problem = Stairs
    engine = "reference"
    states = 7


class TestRegistered(PuzzleTests):
    puzzle = "pancakes"
    parameters = {"size": "3"}  # noqa: RUF012  (as an author writes it)
    engine = "reference"


def test_the_states_are_explored_once():
    assert TestBackwards.ground() is TestBackwards.ground()
    assert len(TestMadeByACall.ground().visited) == 7
    assert TestRegistered.ground().registered.entry.name == "pancakes"
    assert len(TestRegistered.ground().visited) == 6


def test_every_law_is_a_test():
    names = {f"test_{law.name.replace('-', '_')}" for law in LAWS}
    assert {name for name in dir(PuzzleTests) if name.startswith("test_")} == names


def outcome_of(cls, law):
    try:
        getattr(cls, f"test_{law}")(cls())
    except BaseException as error:  # pytest's outcomes are no Exception
        return type(error).__name__, str(error)
    return "passed", ""


def test_what_is_broken_fails_and_what_does_not_apply_is_skipped():
    class Lying(Backwards):
        def predecessors(self, state):
            return [Step("up 1", state - 1, 1)] if state else []

    class Tests(PuzzleTests):
        problem = Lying()

    kind, told = outcome_of(Tests, "predecessors")
    assert kind == "Failed"
    assert f"{__file__}:" in told
    assert "expected  after up 2" in told
    assert outcome_of(Tests, "grade") == ("Skipped", "does not apply: no method grade")
    assert outcome_of(Tests, "costs") == ("passed", "")


def test_a_class_that_does_not_say_what_it_tests():
    class Tests(PuzzleTests):
        pass

    kind, told = outcome_of(Tests, "costs")
    assert kind == "Failed"
    assert "must say what it tests" in told

    class Nothing(PuzzleTests):
        plugin = st  # a module without hooks

    kind, told = outcome_of(Nothing, "costs")
    assert kind == "Failed"
    assert "registers nothing" in told


def test_nothing_else_imports_pytest_or_hypothesis():
    folder = Path(searchkit.__file__).parent
    names = [
        ".".join(path.relative_to(folder.parent).with_suffix("").parts)
        for path in folder.rglob("*.py")
        if not {"testing", "templates", "kernels", "__main__.py"} & set(path.parts)
    ]
    assert len(names) > 100
    code = "\n".join(f"import {name}" for name in names)
    code += "\nimport sys\nprint({'pytest', 'hypothesis'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
