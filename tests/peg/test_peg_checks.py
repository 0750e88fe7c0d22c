"""Every bound of peg solitaire is checked on every position that can be reached."""

import pytest

from searchkit.checks import HeuristicChecker
from searchkit.registry import Registry
from searchkit_peg import hoppers, peg

PROBLEMS = {
    "hoppers by moves": hoppers,
    "hoppers by jumps": lambda: hoppers("jumps"),
    "hoppers, peg kept": lambda: hoppers("mover"),
    "triangle4": lambda: peg("triangle4", vacant="1", target="any"),
    "triangle5 by jumps": lambda: peg("triangle5", model="jumps"),
    "triangle5 to any cell, by jumps": lambda: peg(
        "triangle5", vacant="4", target="any", model="jumps"
    ),
}


@pytest.mark.slow_variants("hoppers, peg kept")
@pytest.mark.parametrize("name", PROBLEMS)
def test_every_bound_on_every_position(name):
    problem = PROBLEMS[name]()
    checker = HeuristicChecker(problem)
    entries = Registry.load().heuristics.suiting(problem)
    assert entries
    for heuristic in (None, *(entry.factory(problem) for entry in entries)):
        report = checker.check(heuristic)
        assert report.method == "exhaustive"
        assert report.ok, str(report)
        assert report.consistent, str(report)
        assert report.false_dead_ends == 0
        assert report.dead_ends > 0
        assert report.goals > 0
