"""Steps listed by `expand`: machine code has the children of the rules as they are written."""

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit.errors import CompilationError, ProblemError, Trapped
from searchkit.fields.declared import Array, Set
from searchkit.fields.listed import listed_steps
from tests.fields.listed_snippets import REFUSED, TRANSLATED, WRONG, made
from tests.fields.random_puzzles import random_listing


def machine_steps(puzzle):
    """What gives the children and costs of a state by the kernel; None where it is trapped."""
    listed = listed_steps(puzzle.author)
    if listed.constants is None:
        raise CompilationError(listed.text)

    def steps(state):
        try:
            found = list(listed.translated(puzzle, state))
        except Trapped:
            return None
        return [(step[1], step[2] if len(step) == 3 else 1) for step in found]

    return steps


def rules_steps(puzzle, state):
    """The same by the rules as they are written; None where they raise an error."""
    try:
        return [(step.state, step.cost) for step in puzzle.successors(state)]
    except Exception:
        return None


def random_states(puzzle, count):
    rng = random.Random(1)
    for _ in range(count):
        values = {}
        for name, slot in puzzle.layout.slots.items():
            field = slot.field
            if isinstance(field, Set):
                values[name] = [i for i in range(field.length) if rng.random() < 0.3]
            else:
                numbers = [rng.randrange(field.low, field.below) for _ in range(field.length)]
                values[name] = numbers if isinstance(field, Array) else numbers[0]
        yield puzzle.pack(**values)


@pytest.mark.parametrize("body", TRANSLATED)
def test_what_expand_may_hold(body):
    puzzle = made(body)
    steps = machine_steps(puzzle)
    for state in random_states(puzzle, 25):
        assert steps(state) == rules_steps(puzzle, state), puzzle.format_state(state)


@pytest.mark.parametrize(("body", "message"), REFUSED)
def test_what_is_left_to_python_is_said_with_its_line(body, message):
    puzzle = made(body)
    with pytest.raises(CompilationError, match=rf"<listed \d+>:\d+: {re.escape(message)}"):
        machine_steps(puzzle)


@pytest.mark.parametrize(("body", "message"), WRONG)
def test_what_no_engine_can_do_is_an_error_when_the_puzzle_is_made(body, message):
    with pytest.raises(ProblemError, match=rf"expand, <listed \d+>:\d+: {re.escape(message)}"):
        made(body)


@given(st.integers(0, 1 << 40))
@settings(max_examples=12, deadline=None)
def test_random_rules_have_the_same_children(seed):
    puzzle, text = random_listing(seed)
    try:
        steps = machine_steps(puzzle)
    except CompilationError:
        return  # it says which line; there are few
    found, waiting = {puzzle.start}, [puzzle.start]
    for state in waiting[:10]:
        children = steps(state)
        assert children == rules_steps(puzzle, state), text
        new = [child for child, _ in children or () if child not in found]
        found.update(new)
        waiting += new


@pytest.mark.slow
def test_most_random_rules_are_translated():
    listings = [listed_steps(random_listing(seed)[0].author) for seed in range(20)]
    assert sum(each.constants is not None for each in listings) >= 17
