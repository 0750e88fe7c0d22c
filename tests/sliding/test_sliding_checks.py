"""Every bound of sliding puzzles is checked, and planted defects are found."""

from __future__ import annotations

from itertools import islice
from typing import Any, NamedTuple

import attrs
import pytest

from searchkit.checks import HeuristicChecker, check_heuristic
from searchkit.heuristics.patterns import PatternHeuristic
from searchkit.heuristics.patterns.compiled_build import build
from searchkit.packed import PackedHeuristic
from searchkit.registry import Registry
from searchkit_sliding import WalkingDistance, eight_puzzle, fifteen_puzzle, six_puzzle, sliding
from searchkit_sliding.heuristics import distances_to_goal
from tests.support.sliding_bfs import distances

STATES = 181_440
STEPS = 483_840


@pytest.fixture(scope="module")
def eight():
    """The checker of the 8-puzzle: its space is explored once."""
    return HeuristicChecker(eight_puzzle())


def patterns(problem, name):
    space = problem.pattern_space(problem.patterns_named(name))
    return space, [build(space, group) for group in range(len(space.groups))]


@pytest.mark.slow_variants("problem0")
@pytest.mark.parametrize(
    "problem", [six_puzzle(), *(sliding(size) for size in ("2x2", "2x3", "3x2"))]
)
def test_every_registered_bound_of_small_boards(problem):
    checker = HeuristicChecker(problem)
    entries = Registry.load().heuristics.suiting(problem)
    assert len(entries) >= 2
    for entry in entries:
        report = checker.check(entry.factory(problem))
        assert report.method == "exhaustive"
        assert report.ok, str(report)
        assert report.consistent, str(report)
        assert report.dead_ends == 0
    assert checker.check().ok


class BlankTables(NamedTuple):
    cells: int
    values: Any


class ManhattanOfAll(PackedHeuristic):
    """The best known bug: the sum of the distances counts that of the blank, too."""

    name = "manhattan of all"

    def __init__(self, problem):
        goal = problem.packing.unpack(problem.goal)
        blank = goal.index(0)
        rows = distances_to_goal(problem.board, goal)
        self.tables = BlankTables(
            len(goal),
            tuple(
                (problem.board.distances[cell][blank], *row[1:]) for cell, row in enumerate(rows)
            ),
        )

    def estimate(self, state):
        total = 0
        for cell in range(self.tables.cells):
            total += self.tables.values[cell][state >> 4 * cell & 15]
        return total


def test_manhattan_that_counts_the_blank(eight, published):
    report = eight.check(ManhattanOfAll(eight.problem))
    assert (report.states, report.steps) == (STATES, STEPS)
    assert report.overestimated == 4650
    assert report.worst.estimate - report.worst.distance == 4
    assert report.overestimates[0].distance == 1
    assert {each.state for each in report.overestimates[:2]} == {"123450786", "123456708"}
    assert report.consistent is False
    assert not report.ok
    told = str(report)
    assert "NOT admissible: too large in 4,650 of 181,440 states, by up to 4" in told


def test_manhattan_that_counts_the_blank_in_a_sample(eight):
    bound = ManhattanOfAll(eight.problem)
    report = check_heuristic(eight.problem, bound, max_states=1000, samples=20_000)
    assert report.method == "sampled"
    assert report.overestimated > 100
    assert report.inconsistent > 1000
    large = fifteen_puzzle()
    report = check_heuristic(large, ManhattanOfAll(large), max_states=0, samples=5000)
    assert report.overestimated > 100
    assert report.overestimates[0].exact


def test_walking_distance(eight):
    report = eight.check(WalkingDistance(eight.problem))
    assert report.engine == "compiled"
    assert (report.states, report.steps) == (STATES, STEPS)
    assert report.ok
    assert report.consistent
    assert report.forms == ("follow",)
    assert 15 < report.quality.mean_estimate < report.quality.mean_distance < 22
    problem = sliding("2x4")
    report = check_heuristic(problem, WalkingDistance(problem))
    assert report.states == 20160
    assert report.ok
    assert report.consistent


def test_pattern_databases_without_the_blank_are_not_consistent(eight):
    space, databases = patterns(eight.problem, "4-4")
    report = eight.check(PatternHeuristic(space, databases))
    assert report.admissible is True
    assert report.consistent is False
    assert report.ok
    assert "not consistent: 16,418 of 483,840 steps" in str(report)
    assert sum(report.quality.histogram.values()) == STATES


def planted(databases, group, entry):
    """The databases with one entry too large by one."""
    values = databases[group].values.copy()
    values[entry] += 1
    changed = list(databases)
    changed[group] = attrs.evolve(databases[group], values=values)
    return changed


@pytest.mark.slow
def test_one_entry_of_a_pattern_database_too_large_by_one(eight, eight_distances):
    problem = eight.problem
    space, databases = patterns(problem, "4-4")
    state = problem.parse("120453786")  # two moves away: 3 and 6 have moved
    entries = [space.rank(space.locate(state, 0, group), group) for group in range(2)]
    group = 0 if databases[0].values[entries[0]] else 1
    heuristic = PatternHeuristic(space, planted(databases, group, entries[group]), "planted")
    report = eight.check(heuristic)
    assert report.admissible is False
    assert not report.ok
    assert 0 < report.overestimated < 2000
    assert "120453786" in {each.state for each in report.overestimates}
    for each in report.overestimates:
        wrong = problem.parse(each.state)
        assert heuristic.estimate(wrong) > eight_distances[wrong]
    near = islice(eight_distances, 2000)  # those nearest to the goal
    found = sum(heuristic.estimate(each) > eight_distances[each] for each in near)
    assert 0 < found <= report.overestimated
    assert report.worst.estimate == report.worst.distance + 1
    sampled = check_heuristic(problem, heuristic, max_states=1000, samples=5000)
    assert sampled.method == "sampled"
    assert "120453786" in {each.state for each in sampled.overestimates}


@pytest.mark.spread("0", "49", "98")
@pytest.mark.parametrize("entry", range(0, 120, 7))
def test_entries_of_a_small_pattern_database(entry):
    """Whatever entry is too large, the check says what comparing all states says."""
    problem = sliding("2x3")
    space, databases = patterns(problem, "3-2")
    exact = distances(problem, problem.goal)
    heuristic = PatternHeuristic(space, planted(databases, 0, entry))
    wrong = sum(heuristic.estimate(state) > exact[state] for state in exact)
    assert check_heuristic(problem, heuristic).overestimated == wrong


@pytest.mark.slow
@pytest.mark.parametrize("name", ["manhattan", "linear-conflict", "misplaced"])
def test_every_other_bound_of_the_8_puzzle(eight, name):
    entry = Registry.load().heuristics.get(name, eight.problem)
    report = eight.check(entry.factory(eight.problem))
    assert (report.states, report.steps) == (STATES, STEPS)
    assert report.ok
    assert report.consistent
