"""The compiled breadth-first search against the reference, state for state."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import (
    BreadthFirst,
    Costs,
    LimitKind,
    Limits,
    ProblemError,
    Status,
    UnsuitableError,
    solve,
)
from searchkit.compiled.specialise.plain import plainly
from searchkit.compiled.states import state_set
from searchkit_sliding import Board, SlidingPuzzle
from tests.support.both_engines import assert_equal_answers, check_all_ways
from tests.support.packed_spaces import (
    Counter,
    Cube,
    Space,
    UndirectedSpace,
    WideSpace,
    line,
    spaces,
)
from tests.support.sliding_bfs import walk

pytestmark = pytest.mark.usefixtures("by_machine_code")

BFS = BreadthFirst()


@settings(max_examples=30, deadline=None)
@given(spaces(undirected=False), st.integers(0, 6), st.integers(0, 12))
def test_directed_spaces(space, depth, nodes):
    check_all_ways(Space(*space), BFS, depth, nodes)


@settings(max_examples=30, deadline=None)
@given(spaces(undirected=True), st.integers(0, 6), st.integers(0, 12))
def test_undirected_spaces(space, depth, nodes):
    check_all_ways(UndirectedSpace(*space), BFS, depth, nodes)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(spaces(undirected=False), st.integers(0, 6), st.integers(0, 12))
def test_states_of_200_bits(space, depth, nodes):
    check_all_ways(WideSpace(*space), BFS, depth, nodes)


def test_a_long_way():
    result = assert_equal_answers(Space(line(3000), (0,)), BFS)
    assert result.cost == 2999


@pytest.mark.slow_variants("867254301-one", "867254301-count", "867254301-all")
@pytest.mark.parametrize(
    ("start", "want"),
    [
        *(("867254301", want) for want in ("one", "all", "count")),
        ("123456708", "one"),
        ("012345678", "one"),
    ],
)
def test_3x3_puzzle(start, want):
    puzzle = SlidingPuzzle.read(Board.rectangle(3, 3), start, "012345678")
    if start == "867254301":
        puzzle = SlidingPuzzle.read(Board.rectangle(3, 3), start, "123456780")
    assert_equal_answers(puzzle, BFS, want=want)


@pytest.mark.slow_variants("board2", "board1")
@pytest.mark.parametrize("board", [(2, 2), (2, 3), (3, 2)])
def test_small_boards(board):
    rows, columns = board
    goal = "".join(map(str, [*range(1, rows * columns), 0]))
    puzzle = SlidingPuzzle.read(Board.rectangle(rows, columns), goal, goal)
    for start in [state for state, _ in zip(walk(puzzle), range(40), strict=False)]:
        assert_equal_answers(puzzle.with_start(start), BFS, want="all")


@pytest.mark.slow_variants("Counter-count")
@pytest.mark.parametrize(
    ("kind", "want"),
    [
        (Cube, "one"),
        (Counter, "count"),
        pytest.param(Cube, "count", marks=pytest.mark.slow),
        pytest.param(Counter, "one", marks=pytest.mark.slow),
    ],
)
def test_a_store_that_grows(kind, want, monkeypatch):
    monkeypatch.setattr(state_set, "FIRST_CAPACITY", 1)
    assert_equal_answers(kind(14, 0x3FFF), BFS, want=want)
    assert_equal_answers(kind(14, 1 << 40), BFS, want=want)


def test_words_with_their_highest_bit():
    result = assert_equal_answers(Cube(64, 1 << 63), BFS)
    assert result.solution.actions == (63,)


def test_bytes_per_state():
    statistics = solve(Cube(18, 1 << 40), BFS, engine="compiled").statistics
    assert statistics.stored == 1 << 18
    assert 14 * statistics.stored <= statistics.bytes <= 21.1 * statistics.stored


def test_memory_limit_is_kept_and_used():
    limit = 10_000_000
    result = solve(Cube(60, 1 << 61), BFS, engine="compiled", limits=Limits(memory=limit))
    assert (result.status, result.limit) == (Status.LIMIT, LimitKind.MEMORY)
    assert 0.9 * limit < result.statistics.bytes <= limit
    assert result.statistics.stored * 14 > 0.8 * limit
    assert result.lower_bound > 1


def test_memory_limit_of_nothing():
    result = solve(Cube(60, 1 << 61), BFS, engine="compiled", limits=Limits(memory=10))
    assert result.limit is LimitKind.MEMORY


def test_time_limit_and_progress():
    seen = []
    limits = Limits(time=0.6, memory=2_000_000_000)
    result = solve(Cube(60, 1 << 61), BFS, engine="compiled", limits=limits, progress=seen.append)
    assert result.limit is LimitKind.TIME
    assert len(seen) >= 2
    assert [each.expanded for each in seen] == sorted(each.expanded for each in seen)
    assert seen[-1].frontier > 0


def test_interrupt(ctrl_c):
    limits = Limits(memory=3_000_000_000)
    result = solve(Cube(60, 1 << 61), BFS, engine="compiled", limits=limits, progress=ctrl_c)
    assert result.status is Status.INTERRUPTED
    assert result.statistics.expanded == ctrl_c.pressed.expanded > 0


class Dear(Space):
    """A step out of state 2 breaks the promise of unit costs."""

    def cost(self, state, control, operator):
        return 1 + (state == 2)


class Weighted(Space):
    costs = Costs.INTEGER


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_costs_are_checked(engine):
    with plainly(), pytest.raises(ProblemError, match="action 0 costs 2"):
        solve(Dear(line(5), (0,)), BFS, engine=engine)
    with plainly():
        assert solve(Dear(line(3), (0,)), BFS, engine=engine).cost == 2
    with pytest.raises(UnsuitableError, match="unit costs"):
        solve(Weighted(line(5), (0,)), BFS, engine=engine)


def test_auto_uses_it_for_long_searches():
    assert solve(Cube(17, 1 << 40), BFS).engine == "compiled"
    assert solve(Cube(10, 1 << 40), BFS).engine == "reference"
