"""Methods that fail, or give what they must not, break a law: never an end of the whole check."""

from __future__ import annotations

from searchkit import PackedHeuristic, PackedProblem, ParseError, Problem, Step
from searchkit.checks import check_problem
from searchkit.checks.verdicts import Status


class Textless(Problem[int, str]):
    """A line whose states are written as objects."""

    def initial_states(self):
        return [0]

    def successors(self, state):
        return [Step("on", state + 1)] if state < 3 else []

    def is_goal(self, state):
        return state == 3

    def format_state(self, state):
        return object()

    def parse(self, text):
        raise ParseError("no")


class Fails(PackedHeuristic):
    name = "fails"

    def estimate(self, state):
        return (state & 15) - ()


class Packed(PackedProblem[int]):
    """A line with a heuristic that fails."""

    def initial_states(self):
        return [0]

    def operators(self, control):
        return (1,)

    def action(self, state, operator):
        return operator

    def at_goal(self, state):
        return state == 3

    def legal(self, state, control, operator):
        return state < 3

    def apply(self, state, control, operator):
        return state + 1

    def default_heuristic(self):
        return Fails()


def verdict_of(problem, law):
    report = check_problem(problem, laws=[law])
    return next(each for each in report.verdicts if each.law == law)


def test_states_that_have_no_text():
    verdict = verdict_of(Textless(), "texts")
    assert verdict.status is Status.FAILS
    assert verdict.counterexample.expected == "a text of one line"
    assert verdict.breaches == 4


def test_a_kernel_that_fails_while_machine_code_is_prepared():
    verdict = verdict_of(Packed(), "machine-code")
    assert verdict.status is Status.FAILS
    assert "unsupported operand type" in verdict.counterexample.found
    (place,) = verdict.counterexample.places
    assert "test_failures.py" in place
    assert place.endswith("in estimate")


class Forgetful(Problem[int, str]):
    def initial_states(self):
        return [0]

    def successors(self, state):
        return [Step("up", state + 1)] if state < 5 else []

    def is_goal(self, state):
        return False if state < 3 else None


def test_a_goal_test_without_a_return_breaks_the_law_of_goals():
    verdict = verdict_of(Forgetful(), "goals")
    assert verdict.status is Status.FAILS
    assert "does it lack a return?" in verdict.counterexample.found
