"""Sets of different sizes, joined, compared, put into one another: kernels do as Python does."""

import itertools

import pytest

from searchkit.errors import ProblemError
from tests.fields import rule_snippets
from tests.fields.rule_snippets import APPLY, ESTIMATE, made
from tests.fields.test_listed_steps import random_states
from tests.fields.test_rules import refusal

SIZES = {"few": 3, "many": 5, "wide": 70, "huge": 130}
PAIRS = list(itertools.permutations(SIZES, 2))
TESTS = ("{a} == {b}", "{a} != {b}", "{a} <= {b}", "{a} < {b}", "{a} >= {b}", "{a} > {b}",
         "{a}.isdisjoint({b})", "{a}.issubset({b})", "{a}.issuperset({b})")  # fmt: skip
JOINED = ("union", "intersection", "difference", "symmetric_difference")


@pytest.fixture(autouse=True)
def sizes(monkeypatch):
    sets = ", ".join(f"{name}=Set({size})" for name, size in SIZES.items())
    none = ", ".join(f"{name}=[]" for name in SIZES)
    head = rule_snippets.HEAD.replace("many=Set(5), wide=Set(70)", sets)
    monkeypatch.setattr(rule_snippets, "HEAD", head.replace("many=[], wide=[]", none))


def states_of(puzzle, one, other):
    """Random states, and some in which one of the sets is part of the other."""
    for state in random_states(puzzle, 12):
        s = puzzle.unpack(state)
        least = min(SIZES[one], SIZES[other])
        yield state
        setattr(s, one, [each for each in getattr(s, other) if each < least])
        yield puzzle.pack(**{name: getattr(s, name) for name in puzzle.layout.slots})
        setattr(s, other, list(getattr(s, one)))
        yield puzzle.pack(**{name: getattr(s, name) for name in puzzle.layout.slots})


def said(function, *arguments):
    """A value, or that there is none."""
    try:
        return function(*arguments)
    except ProblemError:
        return ProblemError


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_compared_and_joined_by_methods(one, other):
    names = {"a": f"s.{one}", "b": f"s.{other}"}
    lines = [f"t = 2 * t + int({each.format(**names)})" for each in TESTS]
    lines += [f"t = 150 * t + len(s.{one}.{each}(s.{other}))" for each in JOINED]
    puzzle = made("\n".join(["t = 0", *lines, "return t"]), ESTIMATE)
    assert refusal(puzzle.bound.estimate) is None
    for state in states_of(puzzle, one, other):
        expected = puzzle.author.estimate(puzzle.unpack(state))
        assert puzzle.bound.estimate(state) == expected, puzzle.format_state(state)


@pytest.mark.slow_variants("^", "&", "-")
@pytest.mark.parametrize("sign", ["", "|", "&", "-", "^"])
def test_joined_by_operators_and_put_into_a_field(sign):
    """One that has not room for all members is not filled with the bits of others."""
    for one, other in PAIRS:
        puzzle = made(f"s.{one} {sign}= s.{other}", APPLY)
        assert refusal(puzzle.apply) is None
        for state in states_of(puzzle, one, other):
            found = said(puzzle.apply, state, 0, 0)
            steps = said(puzzle.slow_rules().successors, state)
            expected = steps if steps is ProblemError else steps[0].state
            assert found == expected, (one, other, puzzle.format_state(state))
