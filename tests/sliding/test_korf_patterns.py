"""Korf's hundred 15-puzzles with pattern databases: the states that are generated, exactly."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from searchkit import IDAStar, solve
from searchkit.heuristics.patterns import PatternHeuristic
from searchkit.heuristics.patterns.compiled_build import build, halve
from searchkit_sliding import Board, SlidingPuzzle

with (Path(__file__).parents[1] / "benchmarks" / "data" / "korf100.csv").open() as file:
    KORF = list(csv.DictReader(file))

GOAL = " ".join(map(str, range(16)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "entries", "generated", "halved"),
    [("6-6-3", 5_765_760, 61_908_892, True), ("5-5-5", 524_160, 372_631_508, False)],
)
def test_states_generated(name, entries, generated, halved):
    """Roots are counted too. A database of half bytes gives the same values."""
    puzzle = SlidingPuzzle.read(Board.rectangle(4, 4), GOAL, GOAL)
    space = puzzle.pattern_space(puzzle.patterns_named(name))
    groups = range(len(space.groups))
    databases = [build(space, group) for group in groups]
    assert databases[0].entries == entries == sum(databases[0].counts)
    if halved:
        databases[0] = halve(space, 0, databases[0])
    heuristic = PatternHeuristic(space, databases)
    total = 0
    for row in KORF:
        start = SlidingPuzzle.read(puzzle.board, row["start"], GOAL).start
        result = solve(puzzle.with_start(start), IDAStar(heuristic), engine="compiled")
        assert result.cost == int(row["optimal_length"])
        total += result.statistics.generated
    assert total == generated
