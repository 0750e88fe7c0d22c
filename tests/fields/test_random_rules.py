"""Random nested rules: kernels, and rules as written, say what plain Python says of them."""

import re
from contextlib import suppress
from functools import partial

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from searchkit import BreadthFirst, Costs, ProblemError, UniformCost, solve
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import CompilationError
from searchkit.explore import explore
from searchkit.packed import packed_steps
from tests.fields.random_rules import Oracle, packed_by, puzzle_of, random_text, told_of

STATES = 12
SPACE = 1000


def kernels_say(puzzle, state):
    """Steps, whether it is a goal, and the estimate, by the kernels."""
    steps = [
        (puzzle.labels[each.operator], told_of(puzzle, each.child), puzzle.cost(*each[:3]))
        for each in packed_steps(puzzle, state)
    ]
    return steps, bool(puzzle.at_goal(state)), puzzle.bound.estimate(state)


def rules_say(puzzle, state):
    """The same by the rules as they are written."""
    steps = [(each.action, told_of(puzzle, each.state), each.cost)
             for each in puzzle.successors(state)]  # fmt: skip
    return steps, puzzle.is_goal(state), puzzle.bound(state)


def compare(text, most, engines=()):
    """Compare all that is said of the first states; None where the rules raise an error.

    Where they look beyond a list, so must all others raise one, and the engines that explore.
    """
    oracle, said, wrong, is_step = Oracle(text), {}, None, False
    try:
        for state in oracle.near(most):
            wrong, is_step = state, True
            steps, is_step = oracle.steps(state), False
            said[state] = steps, oracle.is_goal(state), oracle.estimate(state)
            wrong = None
    except UnboundLocalError:  # a loop went over nothing
        return None
    except IndexError:
        pass
    puzzle = puzzle_of(text)
    for state, expected in said.items():
        packed = packed_by(puzzle, state)
        assert rules_say(puzzle, packed) == expected, (text, state)
        assert kernels_say(puzzle, packed) == expected, (text, state)
    if wrong is None:
        return oracle, puzzle
    asked = [partial(say, puzzle, packed_by(puzzle, wrong)) for say in (rules_say, kernels_say)]
    if is_step and puzzle.costs is Costs.UNIT:
        asked += [partial(explore, puzzle, engine=engine) for engine in engines]
    for ask in asked:
        with plainly(), pytest.raises((ProblemError, IndexError)) as found:
            ask()
        if isinstance(found.value, CompilationError):
            raise found.value
        names_line = re.search(r"<random rules \d+>:\d+", str(found.value))
        assert names_line or isinstance(found.value, IndexError), (found.value, text)
    return None


def searched(oracle, puzzle, most, engines):
    """Compare what searches find with the cheapest way; whether the space is small enough."""
    try:
        expected = oracle.cheapest(most)
    except (TimeoutError, UnboundLocalError):
        return False
    algorithm = BreadthFirst() if puzzle.costs is Costs.UNIT else UniformCost()
    for engine in engines:
        assert solve(puzzle, algorithm, engine=engine).cost == expected, engine
    return True


@given(st.integers(0, 1 << 40))
@example(2486)  # what is written in one line is made of several
@settings(max_examples=25, deadline=None)
def test_kernels_and_rules_say_what_python_says(seed):
    assume(compare(random_text(seed), STATES) is not None)


@pytest.mark.slow
@given(st.integers(0, 1 << 40))
@settings(max_examples=25, deadline=None)
def test_an_index_beyond_a_shorter_row_is_an_error_to_all(seed):
    with suppress(CompilationError):
        compare(random_text(seed, jagged=True), STATES, ("reference", "compiled", "checked"))


@pytest.mark.few
@given(st.integers(0, 1 << 40))
@settings(max_examples=6, deadline=None)
def test_searches_find_the_cheapest_way(seed):
    found = compare(random_text(seed), 2)
    assume(found is not None)
    assume(searched(*found, SPACE, ("reference", "auto")))
