"""The compiled bidirectional search against the reference, state for state."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Bidirectional, LimitKind, Limits, Step, UnsuitableError, solve
from searchkit.compiled.states import state_set
from searchkit.symmetry import stabiliser
from searchkit_sliding import Board, SlidingPuzzle
from tests.support.both_engines import assert_equal_answers, check_all_ways
from tests.support.packed_spaces import Cube, Space, UndirectedSpace, WideUndirectedSpace, spaces
from tests.support.sliding_bfs import walk

pytestmark = pytest.mark.usefixtures("by_machine_code")

BOTH = Bidirectional()
SYMMETRIC = Bidirectional(symmetry="auto")


@settings(max_examples=50, deadline=None)
@given(spaces(undirected=True), st.integers(0, 6), st.integers(0, 12))
def test_undirected_spaces(space, depth, nodes):
    problem = UndirectedSpace(*space)
    for algorithm in (BOTH, SYMMETRIC) if any(True for _ in problem.goal_states()) else (BOTH,):
        check_all_ways(problem, algorithm, depth, nodes)


@settings(max_examples=15, deadline=None)
@given(spaces(undirected=True), st.integers(0, 6), st.integers(0, 12))
def test_states_of_200_bits(space, depth, nodes):
    check_all_ways(WideUndirectedSpace(*space), BOTH, depth, nodes)


@pytest.mark.slow_variants("one", "count")
@pytest.mark.parametrize("want", ["one", "all", "count"])
def test_3x3_puzzle(want):
    puzzle = SlidingPuzzle.read(Board.rectangle(3, 3), "867254301", "123456780")
    assert assert_equal_answers(puzzle, BOTH, want=want).cost == 31


@pytest.mark.slow_variants("all", "one")
@pytest.mark.parametrize("want", ["one", "all", "count"])
def test_a_start_that_no_symmetry_keeps_needs_none(want):
    puzzle = SlidingPuzzle.read(Board.rectangle(3, 3), "867254301", "123456780")
    assert len(list(puzzle.symmetries())) > len(stabiliser(puzzle, puzzle.initial_states())) == 1
    for depth in (31, 30, 9):
        limits = Limits(cost=depth)
        assert_equal_answers(puzzle, SYMMETRIC, want=want, limits=limits)
    kept = puzzle.with_start(puzzle.goal)
    assert len(stabiliser(kept, [puzzle.goal])) > 1
    assert solve(kept, SYMMETRIC).engine_reason is not None


@pytest.mark.slow_variants("board2", "board1")
@pytest.mark.parametrize("board", [(2, 2), (2, 3), (3, 3)])
def test_boards(board):
    rows, columns = board
    goal = "".join(map(str, [*range(1, rows * columns), 0]))
    puzzle = SlidingPuzzle.read(Board.rectangle(rows, columns), goal, goal)
    for start in [state for state, _ in zip(walk(puzzle), range(25), strict=False)]:
        assert_equal_answers(puzzle.with_start(start), BOTH, want="all")
        assert_equal_answers(puzzle.with_start(start), BOTH)


@pytest.mark.slow_variants("count")
@pytest.mark.parametrize("want", ["one", "count"])
def test_stores_that_grow(want, monkeypatch):
    monkeypatch.setattr(state_set, "FIRST_CAPACITY", 1)
    assert_equal_answers(Cube(14, 0x3FFF), BOTH, want=want)


def test_memory_limit_is_for_both_sides_together():
    limit = 10_000_000
    goal = (1 << 60) - 1
    result = solve(Cube(60, goal), BOTH, engine="compiled", limits=Limits(memory=limit))
    assert result.limit is LimitKind.MEMORY
    assert 0.8 * limit < result.statistics.bytes <= limit


class OneWay(Space):
    def predecessors(self, state):
        return [
            Step(operator, before)
            for before, row in enumerate(self.tables.following)
            for operator, after in enumerate(row)
            if after == state
        ]


@settings(max_examples=20, deadline=None)
@given(spaces(undirected=False))
def test_directed_problems_are_for_the_reference_engine(space):
    problem = OneWay(*space)
    assert solve(problem, BOTH).engine == "reference"
    with pytest.raises(
        UnsuitableError, match="predecessors of packed states are compiled for toggles alone"
    ):
        solve(problem, BOTH, engine="compiled")
