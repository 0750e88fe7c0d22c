"""The kernels of the bundled puzzles, compiled, give what they give interpreted."""

import random
from functools import cache
from types import ModuleType

import numpy as np
import pytest

from searchkit.compiled.module import (
    PROBLEM_KERNELS,
    TEMPLATES,
    overrides,
    python_state,
    state_array,
    tables_for,
)
from searchkit.compiled.source import Collector
from searchkit.packed import DEAD_END, PackedHeuristic, ZeroEstimate
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

CALL_ALL = """
@njit(error_model="numpy")
def call_all(problem, heuristic, states, operators, numbers, children):
    for i in range(len(operators)):
        state = load(states, i)
        control = problem_control(problem, state)
        operator = operators[i]
        numbers[i, 0] = control
        numbers[i, 1] = problem_at_goal(problem, state)
        numbers[i, 2] = problem_legal(problem, state, control, operator)
        numbers[i, 3] = problem_cost(problem, state, control, operator)
        numbers[i, 4] = heuristic_estimate(heuristic, state)
        child = problem_apply(problem, state, control, operator)
        store(children, i, child)
        if INCREMENTAL:
            numbers[i, 5] = heuristic_change(heuristic, state, control, operator, child)
"""
RANK_ALL = """
@njit(error_model="numpy")
def rank_all(problem, states, ranks):
    for i in range(len(ranks)):
        ranks[i] = problem_rank(problem, states[i])


@njit(error_model="numpy")
def unrank_all(problem, ranks, states):
    for i in range(len(ranks)):
        states[i] = problem_unrank(problem, ranks[i])
"""
MOVED_ALL = """
@njit(error_model="numpy")
def moved_all(problem, cells):
    for operator in range(len(cells)):
        cells[operator, 0] = problem_moved_from(problem, 0, operator)
        cells[operator, 1] = problem_moved_to(problem, 0, operator)
"""


def module_with(problem, heuristic, kernels, extra):
    """A module with the kernels of a problem and a heuristic, and the text `extra`."""
    collector = Collector()
    for name in (*kernels, "control"):
        collector.method(problem, "problem", name)
    incremental = overrides(heuristic, PackedHeuristic, "change")
    for name in ("estimate", "change") if incremental else ("estimate",):
        collector.method(heuristic, "heuristic", name)
    fields = getattr(heuristic.tables, "_fields", ())
    names = [f"word if index == {i} else state[{i}]" for i in range(problem.words)]
    words = "words_one" if problem.words == 1 else "words_many"
    return compiled(
        template("prelude"),
        f"from collections import namedtuple\nWORDS = {problem.words}",
        f"ProblemTables = namedtuple('ProblemTables', {problem.tables._fields})",
        f"HeuristicTables = namedtuple('HeuristicTables', {fields})",
        f"INCREMENTAL = {incremental}",
        template(words).replace("REPLACED", ", ".join(names)),
        collector.text(),
        extra,
    )


def template(name):
    return (TEMPLATES / f"{name}.py").read_text(encoding="utf-8")


@cache
def compiled(*texts):
    """Puzzles whose kernels have the same text share the machine code."""
    module = ModuleType("kernels")
    exec("\n\n".join(texts), module.__dict__)
    return module


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


def check_kernels(problem, heuristic, states):
    pairs = [
        (state, operator)
        for state in states
        for operator in problem.operators(problem.control(state))
    ]
    module = module_with(problem, heuristic, PROBLEM_KERNELS, CALL_ALL)
    before = state_array([state for state, _ in pairs], problem.words)
    after = np.zeros_like(before)
    numbers = np.zeros((len(pairs), 6), dtype=np.int64)
    module.call_all(
        tables_for(module, "ProblemTables", problem),
        tables_for(module, "HeuristicTables", heuristic),
        before,
        np.array([operator for _, operator in pairs], dtype=np.int64),
        numbers,
        after,
    )
    for row, result, (state, operator) in zip(numbers.tolist(), after, pairs, strict=True):
        control = problem.control(state)
        child = problem.apply(state, control, operator)
        assert row[:5] == [
            control,
            problem.at_goal(state),
            problem.legal(state, control, operator),
            problem.cost(state, control, operator),
            heuristic.estimate(state),
        ]
        assert python_state(result) == child
        if module.INCREMENTAL:
            assert row[5] == heuristic.change(state, control, operator, child)


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
        check_kernels(problem, bound.of(problem), states)


@pytest.mark.parametrize("name", ["8-puzzle", "15-puzzle", "24-puzzle"])
def test_linear_conflicts(name):
    problem = PUZZLES[name]()
    states = sliding_states(problem, random.Random(name))
    check_kernels(problem, LinearConflict.of(problem), states)


@pytest.mark.parametrize("make", [PegsAboveGoal, lambda problem: ZeroEstimate()])
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
    module = module_with(problem, ZeroEstimate(), ["moved_from", "moved_to"], MOVED_ALL)
    cells = np.zeros((len(HOPPERS.jumps), 2), dtype=np.int64)
    module.moved_all(tables_for(module, "ProblemTables", problem), cells)
    assert cells.tolist() == [[jump.start, jump.land] for jump in HOPPERS.jumps]
    for operator, jump in enumerate(HOPPERS.jumps):
        assert (problem.moved_from(0, operator), problem.moved_to(0, operator)) == (
            problem.piece_before(jump),
            problem.piece_after(jump),
        )


@pytest.mark.parametrize("size", ["2x3", "3x2", "2x4", "3x3", "2x5", "3x4", "6x2"])
@pytest.mark.parametrize("blank", [0, 3, 5])
def test_ranks(size, blank):
    problem = sliding(size)
    tiles = list(range(1, problem.board.cells))
    tiles.insert(blank, 0)
    goal = problem.packing.pack(tiles)
    problem = SlidingPuzzle(problem.board, goal, goal)
    module = module_with(problem, ZeroEstimate(), ["rank", "unrank"], RANK_ALL)
    tables = tables_for(module, "ProblemTables", problem)
    if problem.ranks <= 1 << 18:
        ranks = np.arange(problem.ranks)
    else:
        ranks = np.random.default_rng(blank).integers(0, problem.ranks, 100_000)
    states = np.zeros_like(ranks)
    module.unrank_all(tables, ranks, states)
    again = np.zeros_like(ranks)
    module.rank_all(tables, states, again)
    assert (again == ranks).all()
    for rank, state in zip(ranks[::97].tolist(), states[::97].tolist(), strict=True):
        assert problem.unrank(rank) == state
        assert problem.rank(state) == rank
        assert problem.certificate(state) is None


def test_boards_without_ranks():
    five = sliding("5x5")
    for problem in (six_puzzle(), fifteen_puzzle(), five, sliding("2x2")):
        assert problem.ranks == 0
    assert sliding("3x4").ranks == 239_500_800
    board = Board.rectangle(3, 3)
    assert SlidingPuzzle.read(board, "123456780", "123456780").ranks == 181_440
