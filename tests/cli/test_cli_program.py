"""`searchkit info --program`: what compilers are given of a puzzle."""

import pytest

from searchkit.cli.support.exit_codes import ExitCode


@pytest.mark.parametrize(
    ("puzzle", "lines"),
    [
        (
            "8-puzzle",
            ["problem SlidingPuzzle: words 1, costs unit", "def heuristic_estimate(tables"],
        ),
        ("examples/hanoi.py", ["problem Hanoi: words 1", "# Hanoi: kernel legal, hanoi.py"]),
        ("examples/farmer.py", ["problem Farmer: words 1", "yield (0, problem_packed(tables"]),
        ("hoppers", ["tables.base: PegSolitaire", "def problem_4base_legal(tables"]),
    ],
)
def test_programs_are_shown(call, puzzle, lines):
    outcome = call("info", puzzle, "--program")
    assert outcome.code == 0
    assert all(line in outcome.out for line in lines)


def test_rules_of_which_no_program_can_be_made_are_named(call):
    outcome = call("info", "examples/bridge.py", "--program")
    assert outcome.code == ExitCode.BAD_INPUT
    assert "there is no program: Bridge.successors, examples/bridge.py:44: compares" in outcome.err
