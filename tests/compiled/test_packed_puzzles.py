"""The kernels of the bundled puzzles, compiled, give what they give interpreted."""

import random

import numpy as np
import pytest

from searchkit.compiled.specialise.module import specialised, tables_for
from searchkit.packed import DEAD_END, ZeroHeuristic
from searchkit_peg import HOPPERS, PegsAboveGoal, hoppers
from searchkit_sliding import (
    Board,
    LinearConflict,
    Manhattan,
    Misplaced,
    SlidingPuzzle,
    eight_puzzle,
    fifteen_puzzle,
    six_puzzle,
    sliding,
)
from tests.support.kernel_checks import check_kernels, check_ranks
from tests.support.kernels import moved_all


def sliding_states(problem, rng):
    """Solved, nearly solved, and with all tiles anywhere."""
    tiles = list(range(problem.board.cells))
    states = [
        problem.goal,
        problem.start,
        *(step.state for step in problem.successors(problem.goal)),
    ]
    for _ in range(300):
        rng.shuffle(tiles)
        states.append(problem.packing.pack(tiles))
    return states


PUZZLES = {
    "6-puzzle": six_puzzle,
    "8-puzzle": eight_puzzle,
    "15-puzzle": fifteen_puzzle,
    "24-puzzle": lambda: sliding("5x5"),
    "35-puzzle": lambda: sliding("6x6"),
}


@pytest.mark.parametrize("name", PUZZLES)
def test_sliding_puzzles(name):
    problem = PUZZLES[name]()
    states = sliding_states(problem, random.Random(name))
    for bound in (Misplaced, Manhattan):
        check_kernels(problem, bound(problem), states)


@pytest.mark.parametrize("name", ["8-puzzle", "15-puzzle", "24-puzzle"])
def test_linear_conflicts(name):
    problem = PUZZLES[name]()
    states = sliding_states(problem, random.Random(name))
    check_kernels(problem, LinearConflict(problem), states)


@pytest.mark.parametrize("make", [PegsAboveGoal, lambda problem: ZeroHeuristic()])
def test_hoppers_by_jumps(make):
    problem = hoppers("jumps")
    rng = random.Random(4)
    states = [problem.start, *problem.goals, *(rng.randrange(1 << 13) for _ in range(400))]
    check_kernels(problem, make(problem), states)


def test_a_dead_end_of_hoppers():
    problem = hoppers("jumps")
    assert PegsAboveGoal(problem).estimate(1) == DEAD_END


def test_the_cells_of_a_jump():
    problem = hoppers("jumps")
    module = specialised(problem, None, (moved_all,))
    cells = np.zeros((len(HOPPERS.jumps), 2), dtype=np.int64)
    module.moved_all(tables_for(module, "ProblemTables", problem), cells)
    assert cells.tolist() == [[jump.start, jump.land] for jump in HOPPERS.jumps]
    for operator, jump in enumerate(HOPPERS.jumps):
        assert (problem.moved_from(0, operator), problem.moved_to(0, operator)) == (
            problem.piece_before(jump),
            problem.piece_after(jump),
        )


@pytest.mark.spread
@pytest.mark.parametrize("size", ["2x3", "3x2", "2x4", "3x3", "2x5", "3x4", "6x2"])
@pytest.mark.parametrize("blank", [0, 3, 5])
def test_ranks(size, blank):
    problem = sliding(size)
    tiles = list(range(1, problem.board.cells))
    tiles.insert(blank, 0)
    goal = problem.packing.pack(tiles)
    problem = SlidingPuzzle(problem.board, goal, goal)
    if problem.ranks <= 1 << 18:
        ranks = np.arange(problem.ranks)
    else:
        ranks = np.random.default_rng(blank).integers(0, problem.ranks, 100_000)
    for state in check_ranks(problem, ranks):
        assert problem.certificate(state) is None


def test_boards_without_ranks():
    five = sliding("5x5")
    for problem in (six_puzzle(), fifteen_puzzle(), five, sliding("2x2")):
        assert problem.ranks == 0
    assert sliding("3x4").ranks == 239_500_800
    board = Board.rectangle(3, 3)
    assert SlidingPuzzle.read(board, "123456780", "123456780").ranks == 181_440
