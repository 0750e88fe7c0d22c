"""Rules as kernels have them say what they say as they are written."""

import pytest

from searchkit import BreadthFirst, solve
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import CompilationError, ProblemError
from searchkit.fields import Array, Fields
from searchkit.kernel_language.definition import MADE_FROM
from tests.fields.rule_snippets import (
    APPLY,
    CHANGES,
    ESTIMATE,
    LEFT_TO_PYTHON,
    NAMED,
    VALUES,
    made,
)
from tests.fields.test_listed_steps import random_states

START = {"at": [0, 1, 2], "a": 0, "b": 0, "many": [], "wide": [], "more": [0] * 70}


def refusal(kernel):
    """Why there is no kernel; None where there is one."""
    found = getattr(kernel, MADE_FROM)
    return found if isinstance(found, CompilationError) else None


@pytest.mark.parametrize("body", VALUES)
def test_estimates(body):
    puzzle = made(body, ESTIMATE)
    assert refusal(puzzle.bound.estimate) is None
    for state in random_states(puzzle, 25):
        expected = puzzle.author.estimate(puzzle.unpack(state))
        assert puzzle.bound.estimate(state) == expected, puzzle.format_state(state)


def check_changes(puzzle):
    assert refusal(puzzle.apply) is None
    for state in random_states(puzzle, 25):
        steps = puzzle.slow_rules().successors(state)
        found = [puzzle.apply(state, 0, operator) for operator in range(3)]
        assert found == [step.state for step in steps], puzzle.format_state(state)


@pytest.mark.parametrize("body", [*CHANGES, *NAMED])
def test_changes(body):
    check_changes(made(body, APPLY))


@pytest.mark.parametrize("body", LEFT_TO_PYTHON)
def test_what_has_two_names_is_left_to_python_where_one_of_them_becomes_another(body):
    assert refusal(made(body, APPLY).apply) is not None


@pytest.mark.parametrize("name", ["operator", "move", "number", "value", "control", "row0_x"])
def test_arguments_of_any_name_may_be_assigned_to(name):
    body = (
        "x = self.rows[NAME]\nx = self.rows[(NAME + j) % 3]\nNAME = (NAME + s.a) % 3\n"
        "s.b = (NAME + x[1]) % 3\ns.a = sum(NAME * v + x[0] for v in s.at) % 3"
    )
    check_changes(made(body.replace("NAME", name), APPLY.replace("i, j", f"{name}, j")))


@pytest.mark.parametrize("name", ["min", "max"])
def test_the_least_of_nothing_is_an_error(name):
    puzzle = made(f"return {name}(x for x in self.ragged[s.a])", ESTIMATE)
    assert refusal(puzzle.bound.estimate) is None
    assert puzzle.bound.estimate(puzzle.pack(**{**START, "a": 1})) == 0
    with pytest.raises(AssertionError):
        puzzle.bound.estimate(puzzle.pack(**{**START, "a": 2}))


def test_an_index_beyond_is_named_where_a_class_has_no_file():
    puzzle = made("return self.rows[s.a + 1][0]", ESTIMATE)
    with pytest.raises(ProblemError, match=r"a number becomes 3 in `return self\.rows\[s\.a"):
        puzzle.bound.estimate(puzzle.pack(**{**START, "a": 2}))


class Switches(Fields):
    """Two of three switches are enough."""

    wanted = ((1, 1, 1), (1, 1, 0), (1, 1, 1))

    def __init__(self):
        self.declare(at=Array(3, 2))
        self.moves = range(3)
        self.start = self.pack(at=[0, 0, 0])

    def apply(self, s, i):
        s.at[i] = 1 - s.at[i]

    def at_goal(self, s):
        return any(all(row[i] == v for i, v in enumerate(s.at)) for row in self.wanted)


class FewerRows(Switches):
    """With fewer rows than switches."""

    wanted = ((1, 1, 0),)


@pytest.mark.parametrize("kind", [Switches, FewerRows])
@pytest.mark.parametrize("engine", ["reference", "compiled", "checked"])
def test_goals_in_rows_of_rows(kind, engine):
    with plainly():
        assert solve(kind(), BreadthFirst(), engine=engine).cost == 2
