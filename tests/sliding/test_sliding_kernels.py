"""The kernels, interpreted, against the faster methods that plain Python searches use."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import Limits, UsageError
from searchkit.explore import explore
from searchkit.packed import PackedProblem
from searchkit_sliding import (
    WHEEL,
    Board,
    LinearConflict,
    Manhattan,
    Misplaced,
    SlidingPuzzle,
    WideSlidingPuzzle,
    eight_puzzle,
    packing_of,
    sliding,
)
from searchkit_sliding.packing import Packing
from searchkit_sliding.puzzles import board_of_edges
from tests.support.sliding_bfs import ODD_BOARDS, RECTANGLES, distances, puzzles, solved

LARGE = [Board.rectangle(6, 6), Board.rectangle(9, 8), Board.rectangle(10, 10)]
EVERY_BOARD = [WHEEL, *RECTANGLES, *ODD_BOARDS, *LARGE]


@given(puzzles(EVERY_BOARD))
def test_kernels_give_the_successors(puzzle):
    state = puzzle.start
    steps = list(PackedProblem.successors(puzzle, state))
    assert steps == puzzle.successors(state)
    control = puzzle.control(state)
    assert puzzle.packing.unpack(state).index(0) == control
    assert puzzle.at_goal(state) == puzzle.is_goal(state)
    assert puzzle.at_goal(puzzle.goal)
    for operator, step in zip(puzzle.operators(control), steps, strict=True):
        after = puzzle.next_control(control, operator)
        assert puzzle.control(step.state) == after
        assert puzzle.apply(step.state, after, puzzle.inverse(control, operator)) == state


@pytest.mark.parametrize("bound", [Misplaced, Manhattan, LinearConflict])
@given(puzzle=puzzles([*RECTANGLES, *LARGE]))
def test_kernels_give_the_estimates(bound, puzzle):
    heuristic = bound(puzzle)
    state = puzzle.start
    value = heuristic.estimate(state)
    assert value == heuristic(state)
    control = puzzle.control(state)
    for operator, step in zip(puzzle.operators(control), puzzle.successors(state), strict=True):
        change = heuristic.change(state, control, operator, step.state)
        assert value + change == heuristic.estimate(step.state)
        assert value + change == heuristic.after(value, state, step)


@pytest.mark.slow_variants("size2")
@pytest.mark.parametrize("size", [(2, 3), (3, 2), (2, 4)])
def test_ranks_number_the_positions_in_reach(size):
    board = Board.rectangle(*size)
    for blank in range(board.cells) if board.cells < 8 else (0, 5):
        puzzle = solved(board, blank)
        reached = distances(puzzle, puzzle.goal)
        assert sorted(map(puzzle.rank, reached)) == list(range(puzzle.ranks))
        assert all(puzzle.unrank(puzzle.rank(state)) == state for state in reached)


@given(puzzles([Board.rectangle(3, 3), Board.rectangle(3, 4), Board.rectangle(2, 5)]), st.data())
def test_ranks_and_positions_that_can_be_solved(puzzle, data):
    rank = data.draw(st.integers(0, puzzle.ranks - 1))
    state = puzzle.unrank(rank)
    assert puzzle.certificate(state) is None
    assert puzzle.rank(state) == rank
    drawn = puzzle.random_state(random.Random(rank))
    assert puzzle.unrank(puzzle.rank(drawn)) == drawn


FAR = board_of_edges("0-1 1-2 2-3 3-4 4-5 5-6 6-7 7-0 0-3")
"""Cells 0 and 7 are neighbours: a tile passes six others."""
FARTHER = board_of_edges("0-11 11-2 2-3 3-4 4-5 5-6 6-7 7-8 8-9 9-10 10-1 1-0 0-5")
NUMBERED = [Board.rectangle(rows, 12 // rows) for rows in (2, 3, 4, 6)]
NUMBERED += [*(Board.rectangle(*size) for size in ((2, 3), (3, 3), (5, 2))), FAR, FARTHER]


@given(st.sampled_from(NUMBERED), st.integers(0), st.integers(0, 11))
def test_numbers_after_moves(board, number, blank):
    puzzle = solved(board, blank % board.cells)
    number %= puzzle.ranks
    state = puzzle.unrank(number)
    control = puzzle.control(state)
    for operator in puzzle.operators(control):
        child = puzzle.apply(state, control, operator)
        assert puzzle.rank_after(number, control, operator) == puzzle.rank(child)


def test_numbers_after_moves_by_machine_code():
    """Of rectangles, they are compared in the tests of whole spaces."""
    puzzle = solved(FAR, 0)
    assert puzzle.tables.near == 0
    limits = Limits(cost=12)
    found = explore(puzzle, engine="compiled", limits=limits)
    assert found.layers == explore(puzzle, engine="reference", limits=limits).layers


def test_which_boards_have_ranks():
    assert sliding("3x3").ranks == 181_440
    assert sliding("3x4").ranks == 239_500_800
    for board in (WHEEL, Board.rectangle(2, 2), Board.rectangle(4, 4), *ODD_BOARDS, *LARGE):
        assert solved(board, 0).ranks == 0


def test_where_certificates_are_complete():
    for board in EVERY_BOARD:
        assert solved(board, 0).complete_certificates
    path = Board("long path", ((1,), *((i - 1, i + 1) for i in range(1, 10)), (9,)))
    assert not solved(path, 0).complete_certificates


def test_positions_of_several_words():
    narrow = eight_puzzle()
    packing = Packing(narrow.board, wide=True)
    start, goal = (
        packing.pack(narrow.packing.unpack(each)) for each in (narrow.start, narrow.goal)
    )
    wide = WideSlidingPuzzle(narrow.board, start, goal)
    assert wide.ranks == 0
    assert wide.format_state(wide.start) == narrow.format_state(narrow.start)
    operators = wide.operators(wide.control(start))
    assert [wide.action(start, operator) for operator in operators] == [
        step.action for step in narrow.successors(narrow.start)
    ]
    assert Manhattan(wide)(start) == Manhattan(narrow)(narrow.start)
    assert [packing_of(board).words for board in LARGE] == [4, 8, 12]


def test_classes_for_other_sizes_are_refused():
    large = solved(Board.rectangle(5, 5), 0)
    with pytest.raises(UsageError, match="one word holds at most 16, so use Sliding"):
        SlidingPuzzle(large.board, large.start, large.goal)
    with pytest.raises(UsageError, match="has 25 cells"):
        Packing(large.board, wide=False)
