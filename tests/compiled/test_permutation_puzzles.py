"""The cube, pancakes and Top-Spin, compiled: kernels, whole spaces, and engines that agree."""

import math
import random
from contextlib import nullcontext

import numpy as np
import pytest

from searchkit import AStar, Bidirectional, BreadthFirst, IDAStar, Limits, solve
from searchkit.compiled.specialise.plain import plainly
from searchkit.explore import explore
from searchkit.verify import verify_solution
from searchkit_cube import Cube2, cube2
from searchkit_pancakes import Pancakes, stacks
from searchkit_topspin import TopSpin, ring
from tests.support.both_engines import assert_equal_answers
from tests.support.kernel_checks import check_kernels, check_ranks

HALF_TURNS = (1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644)
QUARTER_TURNS = (
    1, 6, 27, 120, 534, 2256, 8969, 33058, 114149, 360508, 930588, 1350852, 782536, 90280, 276,
)  # fmt: skip
"""The cubes at every distance, as published (J. Scherphuis, Mini Cube, and others)."""

CUBE = cube2().with_start(cube2().goal)
"""Solved."""
DIAMETERS = (0, 1, 3, 4, 5, 7, 8, 9, 10)
FARTHEST = (1, 1, 1, 3, 20, 2, 35, 455, 5804)
"""Of 1 to 9 pancakes (OEIS A058986, A067607)."""

BURNT_DIAMETERS = (1, 4, 6, 8, 10, 12, 14)
"""Of 1 to 7 pancakes (D. S. Cohen and M. Blum, On the problem of sorting burnt pancakes, 1995)."""


def drawn(problem, count, seed=1):
    rng = random.Random(seed)
    return [problem.random_state(rng) for _ in range(count)]


@pytest.mark.parametrize("metric", ["half", "quarter"])
def test_kernels_of_the_cube(metric):
    goal = drawn(CUBE, 1)[0]
    cube = cube2(metric).with_goal(goal)
    check_kernels(cube, cube.default_heuristic(), [CUBE.goal, goal, *drawn(cube, 100)])
    check_ranks(cube, np.random.default_rng(1).integers(0, cube.ranks, 20_000))


@pytest.mark.slow_variants("8-1")
@pytest.mark.parametrize(
    ("size", "burnt"), [(1, 0), (2, 0), (9, 0), (12, 0), (15, 0), (16, 0), (4, 1), (8, 1)]
)
def test_kernels_of_pancakes(size, burnt):
    puzzle = Pancakes.of(stacks(size, bool(burnt)))
    for state in (puzzle.goal, drawn(puzzle, 1)[0]):
        puzzle = puzzle.with_goal(state)
        check_kernels(puzzle, puzzle.default_heuristic(), [state, *drawn(puzzle, 30)])
    if puzzle.ranks:
        check_ranks(puzzle, np.random.default_rng(size).integers(0, puzzle.ranks, 1000))


@pytest.mark.parametrize(
    ("size", "burnt"),
    [(17, 0), (20, 0), (24, 0), (24, 1), pytest.param(60, 0, marks=pytest.mark.slow)],
)
def test_kernels_of_pancakes_in_several_words(size, burnt):
    puzzle = Pancakes.of(stacks(size, bool(burnt)))
    check_kernels(puzzle, puzzle.default_heuristic(), [puzzle.goal, *drawn(puzzle, 20)])


AS_MACHINE_CODE = ((7, 4), (15, 4), (16, 14))
"""Others do in plain Python what is not compiled for each of them."""


def test_kernels_of_rings():
    for size, turnstile in ((4, 2), (7, 4), (12, 4), (13, 6), (15, 4), (16, 4), (16, 14)):
        puzzle = TopSpin.of(ring(size, turnstile))
        puzzle = puzzle.with_goal(drawn(puzzle, 1)[0])
        with nullcontext() if (size, turnstile) in AS_MACHINE_CODE else plainly():
            check_kernels(puzzle, puzzle.default_heuristic(), [puzzle.goal, *drawn(puzzle, 30)])
            if puzzle.ranks:
                check_ranks(puzzle, np.random.default_rng(size).integers(0, puzzle.ranks, 1000))


@pytest.mark.parametrize(("metric", "layers"), [("half", HALF_TURNS), ("quarter", QUARTER_TURNS)])
def test_the_whole_cube(metric, layers):
    found = explore(cube2(metric), engine="compiled")
    assert found.complete
    assert found.layers == layers
    assert sum(layers) == found.states == CUBE.ranks
    # One bit for each state, and the largest two layers: a hash table would take more.
    assert found.statistics.bytes < 40_000_000


def test_a_cube_with_a_twisted_corner_has_as_many_forms():
    twisted = cube2("quarter").with_goal(CUBE.goal | 1 << 3)
    found = explore(twisted, engine="compiled", limits=Limits(cost=5))
    assert found.layers == QUARTER_TURNS[:6]


def test_whole_pancake_graphs():
    for size, (diameter, farthest) in enumerate(zip(DIAMETERS, FARTHEST, strict=True), start=1):
        puzzle = Pancakes.of(stacks(size))
        found = explore(puzzle, engine="compiled")
        assert (found.states, found.depth) == (max(1, puzzle.ranks), diameter)
        assert found.layers[-1] == len(found.farthest) == farthest


def test_whole_burnt_pancake_graphs():
    for size, diameter in enumerate(BURNT_DIAMETERS, start=1):
        puzzle = Pancakes.of(stacks(size, burnt=True))
        found = explore(puzzle, engine="compiled")
        assert (found.states, found.depth) == (puzzle.ranks, diameter)


@pytest.mark.slow
def test_ten_and_eleven_pancakes():
    for size, diameter, farthest in ((10, 11, 73232), (11, 13, 6)):
        found = explore(Pancakes.of(stacks(size)), engine="compiled")
        assert (found.depth, found.layers[-1]) == (diameter, farthest)


@pytest.mark.slow
def test_whole_rings():
    for size, turnstile in ((6, 4), (7, 4), (8, 4), (8, 6)):
        puzzle = TopSpin.of(ring(size, turnstile))
        with plainly() if size < 8 else nullcontext():
            found = explore(puzzle, engine="compiled")
        assert found.layers == explore(puzzle.slow_rules(), engine="reference").layers
    found = explore(TopSpin.of(ring(11, 4)), engine="compiled")
    assert found.states == math.factorial(10) // 2


def short_scrambles(problem, moves):
    rng = random.Random(moves)
    state = next(iter(problem.goal_states()))
    for _ in range(moves):
        state = rng.choice(problem.successors(state)).state
    return problem.with_start(state)


SPACES = {
    "cube": CUBE,
    "pancakes": Pancakes.of(stacks(6)),
    "several words": Pancakes.of(stacks(17)),
    "rings": TopSpin.of(ring(9, 4)),
}
ALGORITHMS = [BreadthFirst(), Bidirectional(), AStar(), IDAStar()]
QUICK = [
    ("cube", "idastar"),
    ("pancakes", "astar"),
    ("several words", "idastar"),
    ("rings", "idastar"),
]
"""Each takes seconds to compile; the others are tried by the slow tests."""


@pytest.mark.slow_variants("cube, idastar")
@pytest.mark.parametrize(
    ("name", "algorithm"),
    [
        pytest.param(
            name,
            algorithm,
            id=f"{name}, {algorithm.name}",
            marks=() if (name, algorithm.name) in QUICK else pytest.mark.slow,
        )
        for name in SPACES
        for algorithm in ALGORITHMS
    ],
)
def test_engines_agree(name, algorithm):
    problem = SPACES[name]
    for moves in (0, 3, 4):
        if moves == 4 and (problem.words > 1 and not algorithm.uses_heuristic):
            continue
        start = short_scrambles(problem, moves)
        for want in ("one", "all", "count"):
            result = assert_equal_answers(start, algorithm, want=want)
            assert result.cost <= moves
    assert_equal_answers(start, algorithm, limits=Limits(expansions=7))


@pytest.mark.parametrize("problem", [CUBE, Pancakes.of(stacks(9))], ids=["cube", "stack"])
def test_duplicate_sequences_are_learned(problem):
    """Two turns of one face are one turn or none; turns of pancakes have longer relations."""
    for moves in (5, 6):
        start = short_scrambles(problem, moves)
        whole = solve(start, IDAStar(), engine="compiled")
        pruned = solve(start, IDAStar(operator_pruning=4), engine="compiled")
        assert whole.cost == pruned.cost
        assert pruned.statistics.generated <= whole.statistics.generated
        if isinstance(problem, Cube2):
            assert pruned.statistics.generated < whole.statistics.generated
        verify_solution(start, pruned.solution)


def test_random_stacks_of_twenty_take_few_expansions():
    puzzle = Pancakes.of(stacks(20))
    for state in drawn(puzzle, 10):
        start = puzzle.with_start(state)
        result = solve(start, IDAStar(), engine="compiled")
        assert puzzle.heuristic(state) <= result.cost <= puzzle.heuristic(state) + 2
        assert result.statistics.expanded < 100_000
        verify_solution(start, result.solution)
