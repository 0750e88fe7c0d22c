"""What can be solved: certificates and random positions against enumeration."""

import random
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import UsageError
from searchkit_sliding import WHEEL, Board, eight_puzzle, six_puzzle
from searchkit_sliding.reachability import has_theorem
from tests.support.sliding_bfs import (
    CYCLE,
    EVEN_CYCLE,
    LOLLIPOP,
    ODD_BOARDS,
    PATH,
    RECTANGLES,
    SQUARE_AND_PENTAGON,
    THETA,
    distances,
    puzzles,
    solved,
)

SMALL = [Board.rectangle(*size) for size in ((2, 2), (2, 3), (3, 2))]
BOWTIE = Board("bow tie", ((1, 2), (0, 2), (0, 1, 3, 4), (2, 4), (2, 3)))
SMALL_WHEEL = Board("small wheel", ((1, 3, 4), (0, 2, 4), (1, 3, 4), (2, 0, 4), (0, 1, 2, 3)))
TWO_CELLS = Board("two cells", ((1,), (0,)))


@pytest.mark.parametrize(
    "board",
    [*SMALL, WHEEL, *ODD_BOARDS, BOWTIE, SMALL_WHEEL, TWO_CELLS],
    ids=lambda board: board.name,
)
def test_certificates_are_exact(board):
    for blank in {0, 1, board.cells - 1}:
        puzzle = solved(board, blank)
        reached = distances(puzzle, puzzle.goal)
        for tiles in permutations(range(board.cells)):
            state = puzzle.packing.pack(tiles)
            assert (puzzle.certificate(state) is None) == (state in reached)


def test_sizes_of_what_is_in_reach():
    boards = [CYCLE, PATH, EVEN_CYCLE, LOLLIPOP, THETA, SQUARE_AND_PENTAGON, WHEEL, SMALL_WHEEL]
    sizes = {
        board.name: len(distances(puzzle, puzzle.goal))
        for board in boards
        for puzzle in [solved(board, 0)]
    }
    assert sizes == {
        "cycle": 5 * 4,
        "path": 4,
        "even cycle": 6 * 5,
        "lollipop": 10,
        "theta": 7 * 120,
        "square and pentagon": 5040,
        "wheel": 5040,
        "small wheel": 120,
    }


def test_boards_with_a_theorem():
    assert all(has_theorem(board) for board in [WHEEL, SMALL_WHEEL, *RECTANGLES[1:]])
    assert not any(has_theorem(board) for board in [*ODD_BOARDS, BOWTIE, Board.rectangle(2, 2)])


@given(puzzles())
def test_a_step_keeps_and_a_swap_of_tiles_turns_the_certificate(puzzle):
    state = puzzle.start
    certificate = puzzle.certificate(state)
    for step in puzzle.successors(state):
        after = puzzle.certificate(step.state)
        assert (after and after.text) == (certificate and certificate.text)
    if puzzle.board.columns is not None and puzzle.board.cells > 4:
        tiles = list(puzzle.packing.unpack(state))
        first, second = tiles.index(1), tiles.index(2)
        tiles[first], tiles[second] = 2, 1
        swapped = puzzle.certificate(puzzle.packing.pack(tiles))
        assert (certificate is None) != (swapped is None)


def test_text_of_certificates():
    puzzle = eight_puzzle()
    assert puzzle.certificate(puzzle.start) is None
    assert puzzle.certificate(puzzle.parse("123456870")).text == (
        "odd permutation: with the blank in its goal cell an odd number of swaps of two tiles is "
        "left, and the moves on board 3x3 make an even number"
    )
    cycle = solved(CYCLE, 0)
    assert cycle.certificate(cycle.parse("01324")).text == (
        "not in reach: the goal can be reached from 20 positions, and not this one"
    )


@given(puzzles(), st.integers(0, 2**32))
def test_random_states_can_be_solved(puzzle, seed):
    state = puzzle.random_state(random.Random(seed))
    assert puzzle.certificate(state) is None
    assert puzzle.with_start(state).start == state


@pytest.mark.parametrize(
    "puzzle",
    [
        solved(Board.rectangle(2, 2), 1),
        solved(Board.rectangle(2, 3), 4),
        solved(PATH, 1),
        solved(CYCLE, 2),
        solved(SMALL_WHEEL, 0),
    ],
    ids=lambda puzzle: puzzle.board.name,
)
def test_random_states_are_uniform(puzzle):
    reached = distances(puzzle, puzzle.goal)
    rng = random.Random(5)
    each = 60
    counts = Counter(puzzle.random_state(rng) for _ in range(each * len(reached)))
    assert counts.keys() == reached.keys()
    # Chi-square, with mean and variance of its limit: seven standard deviations of room.
    chi_square = sum((count - each) ** 2 / each for count in counts.values())
    assert chi_square < len(reached) + 7 * (2 * len(reached)) ** 0.5


def test_random_states_of_the_wheel_have_either_parity():
    puzzle = six_puzzle()
    rng = random.Random(1)
    assert len({puzzle.random_state(rng) for _ in range(20000)}) > 4500


def test_a_large_board_without_theorem_is_not_sampled():
    ladder = Board.rectangle(3, 4)
    tail = (*ladder.adjacency[:11], (*ladder.adjacency[11], 12), (11,))
    puzzle = solved(Board("with tail", tail), 12)
    with pytest.raises(UsageError, match="too many positions to draw"):
        puzzle.random_state(random.Random(0))
    assert puzzle.certificate(puzzle.goal) is None
