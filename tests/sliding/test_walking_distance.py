"""Walking distance against a plain search, on every position of small boards."""

from __future__ import annotations

import csv
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import IDAStar, Limits, UnsuitableError, solve
from searchkit.packed import PackedStep
from searchkit.registry import Registry
from searchkit_sliding import (
    WHEEL,
    Board,
    Manhattan,
    SlidingPuzzle,
    WalkingDistance,
    eight_puzzle,
    sliding,
)
from searchkit_sliding.walking_distance import tables_of_lines
from tests.support.sliding_bfs import distances, solved
from tests.support.walking_bfs import slow_walking_distance, walks

with (Path(__file__).parents[1] / "benchmarks" / "data" / "korf100.csv").open() as file:
    KORF = list(csv.DictReader(file))


def korf(row):
    goal = " ".join(map(str, range(16)))
    return SlidingPuzzle.read(Board.rectangle(4, 4), row["start"], goal)


def follow_all(puzzle, heuristic, state, most=1 << 20):
    """The estimates of the successors, from the words of the state."""
    memo = [0] * 2 * heuristic.memory
    value = heuristic.begin(memo, 0, state)
    assert heuristic.recall(memo, 0) == value
    control = puzzle.control(state)
    for operator, step in zip(puzzle.operators(control), puzzle.successors(state), strict=True):
        memo[1] = -1
        way = PackedStep(state, control, operator, step.state)
        found = heuristic.follow(memo, 0, 1, way, most)
        fresh = [0]
        assert heuristic.begin(fresh, 0, step.state) == found == heuristic.recall(memo, 1)
        assert memo[1] == fresh[0]
        yield value, found


@pytest.mark.slow_variants("size4-5")
@pytest.mark.parametrize(
    ("size", "blank"), [((2, 2), 3), ((2, 3), 0), ((2, 3), 4), ((3, 2), 2), ((2, 4), 5)]
)
def test_every_position(size, blank):
    puzzle = solved(Board.rectangle(*size), blank)
    heuristic = WalkingDistance(puzzle)
    exact = distances(puzzle, puzzle.goal)
    for number, (state, distance) in enumerate(exact.items()):
        value = heuristic.estimate(state)
        assert value == slow_walking_distance(puzzle, state) <= distance
        assert (distance - value) % 2 == 0
        if number % 5 == 0:
            assert all(abs(own - after) == 1 for own, after in follow_all(puzzle, heuristic, state))


def check_states(puzzle, states, exact=None):
    """Against the plain search, the words after every move, and Manhattan distance."""
    heuristic, manhattan = WalkingDistance(puzzle), Manhattan(puzzle)
    above = 0
    for state in states:
        value = heuristic.estimate(state)
        assert value == slow_walking_distance(puzzle, state)
        # Tiles with one goal line are alike, so that each move takes one tile one line nearer.
        assert value >= manhattan.estimate(state)
        above += value > manhattan.estimate(state)
        if exact is not None:
            assert value <= exact[state]
            assert (exact[state] - value) % 2 == 0
        assert all(abs(own - after) == 1 for own, after in follow_all(puzzle, heuristic, state))
    return above


def test_positions_of_the_8_puzzle(eight_distances):
    puzzle = sliding("3x3")
    puzzle = SlidingPuzzle.read(puzzle.board, "123456780", "123456780")
    states = random.Random(1).sample(list(eight_distances), 4000)
    assert check_states(puzzle, states, eight_distances) > 1000
    middle = solved(Board.rectangle(3, 3), 4)
    rng = random.Random(2)
    assert check_states(middle, [middle.random_state(rng) for _ in range(1000)]) > 100


@settings(deadline=None, max_examples=12)
@given(st.sampled_from([(4, 4), (3, 4), (4, 2), (2, 5), (5, 2)]), st.integers(0, 2**32))
def test_random_positions_and_goals(size, seed):
    rng = random.Random(seed)
    board = Board.rectangle(*size)
    goal = list(range(board.cells))
    rng.shuffle(goal)
    # Few blanks, as each has tables of its own.
    where = goal.index(0)
    to = rng.choice([0, board.cells // 2 + 1])
    goal[where], goal[to] = goal[to], goal[where]
    text = " ".join(map(str, goal))
    puzzle = SlidingPuzzle.read(board, text, text)
    check_states(puzzle, [puzzle.random_state(rng) for _ in range(5)])


@pytest.mark.slow
@pytest.mark.parametrize("size", [(3, 5), (5, 3), (2, 6), (6, 2)])
def test_boards_with_large_tables(size):
    for blank in (0, 5):
        puzzle = solved(Board.rectangle(*size), blank)
        rng = random.Random(4)
        assert check_states(puzzle, [puzzle.random_state(rng) for _ in range(200)])


@pytest.mark.slow_variants("6-2", "5-3")
@pytest.mark.parametrize(("lines", "width"), [(4, 4), (5, 3), (6, 2), (2, 6), (3, 5), (2, 2)])
def test_how_many_entries(lines, width):
    """There and back: each move can be taken back, and distances differ by one."""
    tables = tables_of_lines(lines, width, 1)
    if max(lines, width) < 5:
        assert len(tables.keys) == len(walks(lines, width, 1))
    assert (np.diff(tables.keys) > 0).all()
    entries, slots = np.nonzero(tables.following >= 0)
    after = tables.following[entries, slots]
    assert (abs(tables.distance[after] - tables.distance[entries]) == 1).all()
    back = slots ^ 1  # the tile goes back, to the line on the other side
    assert (tables.following[after, back] == entries).all()
    assert (tables.distance == 0).sum() == 1
    farther = np.full(len(tables.keys), True)
    farther[entries[tables.distance[after] < tables.distance[entries]]] = False
    assert farther.sum() == 1  # from every entry but the goal's some move leads nearer


@pytest.mark.parametrize(
    ("size", "told"),
    [
        ((5, 5), "rectangles of at most 16 cells, not board '5x5'; use manhattan"),
        ((2, 7), "more than 2000000 entries for 7 lines of 2 cells; use linear-conflict"),
        ((7, 2), "more than 2000000 entries for 7 lines of 2 cells; use linear-conflict"),
        ((2, 8), "more than 2000000 entries for 8 lines of 2 cells; use linear-conflict"),
        (None, "rectangles of at most 16 cells, not board 'wheel'"),
    ],
)
def test_other_boards_are_refused(size, told):
    puzzle = solved(WHEEL if size is None else Board.rectangle(*size), 0)
    with pytest.raises(UnsuitableError, match=told) as caught:
        WalkingDistance(puzzle)
    assert "\n" not in str(caught.value)
    offered = {entry.name for entry in Registry.load().heuristics.suiting(puzzle)}
    assert "walking-distance" not in offered


@pytest.mark.parametrize("size", ["2x7", "2x8", "3x5", "5x3", "4x4", "3x6", "2x6"])
def test_the_best_heuristic_can_be_made(size):
    """On long boards of few cells, walking distance was the best, and was then refused."""
    puzzle = sliding(size)
    registry = Registry.load()
    names = {entry.name for entry in registry.heuristics.suiting(puzzle)}
    assert {each for each in puzzle.best_heuristics() if not each.startswith("pdb:")} <= names


def test_engines_agree(eight_distances):
    puzzle = eight_puzzle()
    heuristic = WalkingDistance(puzzle)
    for state in random.Random(3).sample(list(eight_distances), 10):
        reference, compiled = (
            solve(puzzle.with_start(state), IDAStar(heuristic), engine=engine, want="count")
            for engine in ("reference", "compiled")
        )
        assert (compiled.cost, compiled.count) == (reference.cost, reference.count)
        assert compiled.statistics.expanded == reference.statistics.expanded
        assert compiled.statistics.generated == reference.statistics.generated
        assert compiled.cost == eight_distances[state]


def check_korf(rows):
    for row in rows:
        puzzle = korf(row)
        walking = solve(puzzle, IDAStar(WalkingDistance(puzzle)), engine="compiled")
        assert walking.cost == int(row["optimal_length"])
        assert walking.statistics.generated < int(row["ida_md_nodes_generated"])


def test_easy_instances_of_korf():
    check_korf([row for row in KORF if int(row["ida_md_nodes_generated"]) < 3_000_000])


@pytest.mark.slow
def test_all_instances_of_korf():
    check_korf(KORF)


def test_a_limit_of_states_is_exact():
    puzzle = korf(KORF[2])
    result = solve(
        puzzle,
        IDAStar(WalkingDistance(puzzle)),
        engine="compiled",
        limits=Limits(expansions=12_345),
    )
    assert result.statistics.expanded == 12_345
