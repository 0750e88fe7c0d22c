"""Large pattern databases are looked up in another order: the same values, the same searches."""

import math
import pickle
import random
from collections import Counter

import numpy as np
import pytest

from searchkit import BreadthFirst, IDAStar, Limits, solve
from searchkit.compiled.depth_first import ordering
from searchkit.compiled.depth_first.batch_plan import MOST_SLACK
from searchkit.compiled.depth_first.kernels.deepening import Roots
from searchkit.compiled.depth_first.tables import BESIDE_BEAM
from searchkit.compiled.specialise.plain import plainly
from searchkit.engine import Engine
from searchkit.fields import Fields, Set
from searchkit.heuristics.patterns import far
from searchkit.heuristics.patterns.choose import pattern_heuristic
from searchkit.heuristics.patterns.far import FarPatternHeuristic
from searchkit.limits import Iteration
from searchkit.packed import PackedStep
from searchkit.verify import verify_solution
from searchkit_sliding import Board, SlidingPuzzle, WideSlidingPuzzle, fifteen_puzzle
from searchkit_sliding.packing import packing_of

KORF = (
    "14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15",
    "4 5 7 2 9 14 12 13 0 3 6 11 8 1 15 10",
    "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15",
)
"""Numbers 12, 42 and 79 of his hundred."""


def sliding(rows, columns, goal=None, kind=SlidingPuzzle):
    board = Board.rectangle(rows, columns)
    goal = goal or (*range(1, board.cells), 0)
    packed = packing_of(board, wide=kind is WideSlidingPuzzle).pack(goal)
    return kind(board, packed, packed)


CASES_OF_ORDER = (
    ("as they come", math.inf, ordering.MOST_ROOTS),
    ("too many", 66_000, 10),
    ("in order", 66_000, ordering.MOST_ROOTS),
)
CASES = {
    "entries are carried": (fifteen_puzzle, "3-3-3-3-3"),
    "places are carried": (lambda: sliding(4, 4, kind=WideSlidingPuzzle), "3-3-3-3-3"),
    "some tiles are in no group": (fifteen_puzzle, "1.2.5/3.4.8"),
    "no other image": (lambda: sliding(2, 4), "3-4"),
}


@pytest.fixture(autouse=True)
def library(tmp_path, monkeypatch):
    monkeypatch.setenv("SEARCHKIT_DATA_DIR", str(tmp_path))


def both(puzzle, name, monkeypatch):
    near = pattern_heuristic(puzzle, name)
    monkeypatch.setattr(far, "LEAST_FAR", 0)
    away = pattern_heuristic(puzzle, name)
    assert isinstance(away, FarPatternHeuristic)
    assert not isinstance(near, FarPatternHeuristic)
    return near, away


@pytest.mark.slow_variants("entries are carried")
@pytest.mark.parametrize("case", CASES)
def test_what_is_told_and_settled_is_the_estimate(case, monkeypatch):
    make, name = CASES[case]
    puzzle, rng = make(), random.Random(1)
    near, away = both(puzzle, name, monkeypatch)
    state = puzzle.random_state(rng)
    memo = [0] * away.memory
    away.begin(memo, 0, state)
    pruned = 0
    for _ in range(400):
        control = puzzle.control(state)
        operator = rng.choice([*puzzle.operators(control)])
        child = puzzle.apply(state, control, operator)
        most = memo[0] + rng.choice((-2, -1, 0, 1, 30))
        step, kept = PackedStep(state, control, operator, state), [0] * away.memory
        entry = away.ask(memo, 0, step, most)
        value = away.told(memo, 0, kept, 0, step, most, entry)
        assert value <= near(child)
        if value > most:
            pruned += 1
            continue
        assert kept[0] == value
        assert away.settle(kept, 0) == near(child) == away(child)
        memo, state = kept, child
    assert 20 < pruned < 380


@pytest.mark.slow_variants("places are carried")
@pytest.mark.parametrize("case", CASES)
def test_searches_are_the_same(case, monkeypatch):
    make, name = CASES[case]
    puzzle, rng = make(), random.Random(2)
    near, away = both(puzzle, name, monkeypatch)
    for _ in range(3):
        state = puzzle.goal
        for _ in range(60):
            control = puzzle.control(state)
            state = puzzle.apply(state, control, rng.choice([*puzzle.operators(control)]))
        start = puzzle.with_start(state)
        found = [solve(start, IDAStar(heuristic=h), engine="compiled") for h in (near, away)]
        told = [(each.cost, each.statistics.expanded, each.statistics.generated) for each in found]
        assert told[0] == told[1]


@pytest.mark.slow_variants("100kB-1", "20MB-2")
@pytest.mark.parametrize(("table", "threads"), [(64, 1), ("100kB", 1), ("20MB", 2)])
def test_a_table_leaves_out_states_and_no_solution(table, threads, monkeypatch):
    """Of any size: it forgets states, and never that there is a cheaper way to them."""
    puzzle = sliding(4, 4, tuple(range(16)))
    near, away = both(puzzle, "3-3-3-3-3", monkeypatch)
    engine = Engine("compiled", threads=threads)
    for text in KORF:
        start = puzzle.with_start(puzzle.parse(text))
        plain = solve(start, IDAStar(heuristic=near), engine="compiled")
        found = solve(start, IDAStar(heuristic=away, table=table), engine=engine)
        assert found.optimal
        assert found.cost == plain.cost
        verify_solution(start, found.solution)
        below = solve(
            start, IDAStar(heuristic=away, table=table), engine=engine,
            limits=Limits(cost=plain.cost - 1),
        )  # fmt: skip
        assert below.lower_bound == plain.cost
    assert found.statistics.expanded < plain.statistics.expanded * (1 if table == 64 else 0.9)
    assert found.statistics.stored > (1000 if table == 64 else 4000)


def test_beside_a_beam_there_is_a_table_unless_counts_or_memory_forbid(monkeypatch):
    puzzle = sliding(4, 4, tuple(range(16)))
    _, away = both(puzzle, "3-3-3-3-3", monkeypatch)
    start = puzzle.with_start(puzzle.parse(KORF[2]))

    def bytes_of(memory=None, want="one", **options):
        algorithm = IDAStar(heuristic=away, **options)
        limits = Limits(memory=memory)
        found = solve(start, algorithm, engine="compiled", limits=limits, want=want)
        assert found.cost == 42
        return found.statistics.bytes

    assert bytes_of() < BESIDE_BEAM < bytes_of(incumbents="beam") < 1.1 * BESIDE_BEAM
    assert bytes_of(80_000_000, incumbents="beam") < 11e6
    assert bytes_of(incumbents="beam", operator_pruning=2) < BESIDE_BEAM
    assert bytes_of(incumbents="beam", want="all") < BESIDE_BEAM


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    "costs", [(46, 50), pytest.param((46, 50, None, None, 54, None, 52), marks=pytest.mark.slow)]
)
def test_subtrees_that_were_near_a_goal_come_first(threads, costs, monkeypatch):
    puzzle = sliding(4, 4, tuple(range(16)))
    _, away = both(puzzle, "3-3-3-3-3", monkeypatch)
    monkeypatch.setattr(ordering, "FOR_ONE_ABOVE", 100)
    algorithm, engine = IDAStar(heuristic=away, table="1MB"), Engine("compiled", threads=threads)
    rng, last = random.Random(5), Counter()
    for cost in costs:
        start = puzzle.with_start(puzzle.random_state(rng))
        for name, least, most in CASES_OF_ORDER if cost else ():
            monkeypatch.setattr(ordering, "ORDERED_FROM", least)
            monkeypatch.setattr(ordering, "MOST_ROOTS", most)
            found = solve(start, algorithm, engine=engine)
            assert found.optimal
            assert found.cost == cost
            verify_solution(start, found.solution)
            last[name] += found.statistics.iterations[-1].expanded
        if cost:
            below = solve(start, algorithm, engine=engine, limits=Limits(cost=cost - 1))
            assert below.lower_bound == cost
    assert last["in order"] < last["as they come"] / 2
    if threads == 1:
        assert last["too many"] == last["as they come"]


def test_what_an_order_keeps_is_of_the_same_subtrees():
    order = ordering.Order()

    def cut(*iteration):
        order.begin(*iteration)
        return order.cut

    assert cut([], 10**9, 8) is None
    rows = [
        Iteration(bound=bound, expanded=10**bound, generated=0, seconds=0) for bound in (2, 4, 6)
    ]
    assert cut(rows, 10**7, 8) is None
    assert (cut(rows, 10**8, 8).slack, order.above) == (3, 4)
    slacks = np.array([3, 1, 2])
    roots = Roots(np.zeros((3, 1)), np.zeros(3), slacks)
    assert order.of(roots).tolist() == [0, 2, 1]
    order.learn(order.of(roots), np.array([7, 5, 9]))  # of the roots 0, 2 and 1
    assert cut(rows, 10**9, 10).slack == 5
    later = Roots(np.zeros((4, 1)), np.zeros(4), np.array([5, 1, 3, 4]))
    assert order.of(later).tolist() == [3, 0, 2, 1]
    other = Roots(np.zeros((2, 1)), np.zeros(2), np.array([1, 4]))
    assert order.of(other).tolist() == [1, 0]
    assert cut(rows, 10**9, 4 + MOST_SLACK + 1).slack == MOST_SLACK
    assert cut(rows, 10**9, 4 + MOST_SLACK + 2) is None


def test_copies_do_not_carry_the_tables_twice(monkeypatch):
    puzzle = fifteen_puzzle()
    near, away = both(puzzle, "3-3-3-3-3", monkeypatch)
    assert len(pickle.dumps(away)) < 1.1 * len(pickle.dumps(near))
    state = puzzle.random_state(random.Random(3))
    assert pickle.loads(pickle.dumps(away))(state) == near(state)


def test_which_are_looked_up_so(monkeypatch):
    puzzle = fifteen_puzzle()
    assert not isinstance(pattern_heuristic(puzzle, "3-3-3-3-3"), FarPatternHeuristic)
    monkeypatch.setattr(far, "LEAST_FAR", 5 * 16 * 15 * 14)
    assert not isinstance(pattern_heuristic(puzzle, "1.2.3"), FarPatternHeuristic)
    centre = sliding(3, 3, (1, 2, 3, 4, 0, 5, 6, 7, 8))
    monkeypatch.setattr(far, "LEAST_FAR", 0)
    assert not isinstance(pattern_heuristic(centre, "4-4"), FarPatternHeuristic)


class Lamps(Fields):
    """A lamp is switched if one of two others is on; which group that touches, nobody says."""

    undirected = True

    def __init__(self):
        self.declare(on=Set(10))
        self.moves = [(i,) for i in range(10)]
        self.start = self.pack(on=[0, 4, 8])

    def legal(self, s, i):
        return (i + 1) % 10 in s.on or (i + 5) % 10 in s.on

    def apply(self, s, i):
        s.on ^= {i}

    def at_goal(self, s):
        return s.on == {0}


def test_where_nobody_says_which_group_a_step_touches(monkeypatch):
    """Nothing is looked up ahead then, and nothing beyond the words of the groups."""
    monkeypatch.setattr(far, "LEAST_FAR", 0)
    lamps = Lamps()
    bound = pattern_heuristic(lamps, "on=0-4/on=5-9")
    assert bound.space.additive
    assert not isinstance(bound, FarPatternHeuristic)
    with plainly():
        found = solve(lamps, IDAStar(bound, cycles="parent"), engine="compiled")
    assert found.cost == solve(lamps, BreadthFirst()).cost > bound(lamps.start)
