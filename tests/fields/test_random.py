"""Random puzzles on fields: rules made into kernels do what they do as they are written."""

from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import BreadthFirst, Limits, solve
from searchkit.errors import ProblemError
from tests.fields.random_puzzles import random_puzzle


def states_of(problem, most):
    """Some states, breadth-first, each with its steps."""
    (start,) = problem.initial_states()
    found, waiting = {start}, [start]
    while waiting and most:
        state, most = waiting.pop(0), most - 1
        try:
            steps = list(problem.successors(state))
        except ProblemError:  # a value beyond its bounds
            return
        yield state, steps
        new = {after: None for _, after, _ in steps if after not in found}
        found |= set(new)
        waiting += new


@given(st.integers(0, 1 << 40))
@settings(max_examples=25, deadline=None)
def test_kernels_do_what_the_rules_say(seed):
    puzzle, text = random_puzzle(seed)
    for state, steps in states_of(puzzle.slow_rules(), 15):
        assert list(puzzle.successors(state)) == steps, text
        assert puzzle.is_goal(state) == puzzle.slow_rules().is_goal(state), text


def test_machine_code_does_what_the_rules_say():
    puzzle, _ = random_puzzle(25)
    problems = {"reference": puzzle.slow_rules(), "compiled": puzzle, "checked": puzzle}
    found = [
        solve(problem, BreadthFirst(), engine=engine, limits=Limits(expansions=60))
        for engine, problem in problems.items()
    ]
    assert len({each.statistics.generated for each in found}) == 1
    assert found[0].statistics.generated > 300
