"""Every registered heuristic of every puzzle: proved on small ones, sampled on the others."""

from __future__ import annotations

import pytest

from searchkit.checks import HeuristicChecker
from searchkit.registry import Registry

REGISTRY = Registry.load()
SMALL = [
    ("pancakes", {"size": "6"}),
    ("burnt-pancakes", {"size": "4"}),
    ("topspin", {"size": "7"}),
]


def reports(problem, **options):
    checker = HeuristicChecker(problem, **options)
    entries = REGISTRY.heuristics.suiting(problem)
    return [checker.check(), *(checker.check(entry.factory(problem)) for entry in entries)]


@pytest.mark.parametrize(("name", "parameters"), SMALL)
def test_proved_on_small_puzzles(name, parameters):
    problem = REGISTRY.puzzles.get(name).create(**parameters)
    for report in reports(problem):
        assert report.method == "exhaustive"
        assert report.ok, str(report)
        assert report.consistent, str(report)


@pytest.mark.slow_variants("24-puzzle", "peg")
@pytest.mark.parametrize("name", [entry.name for entry in REGISTRY.puzzles.entries])
def test_no_counterexample_near_goals_and_on_walks(name):
    problem = REGISTRY.puzzles.get(name).create()
    for report in reports(problem, max_states=0, samples=1000, engine="reference"):
        assert report.method == "sampled"
        assert report.ok, str(report)
        assert report.steps >= 900
        assert report.compared >= 50
