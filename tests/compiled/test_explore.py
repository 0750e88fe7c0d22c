"""Compiled exploration in its three ways, against the reference."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import searchkit
from searchkit import LimitKind, Limits, ProblemError, UnsuitableError, UsageError
from searchkit.compiled.layers.ranked import RankedLayers
from searchkit.compiled.specialise.plain import plainly
from searchkit.engine import Engine
from searchkit.explore import explore
from searchkit_sliding import Board, SlidingPuzzle
from tests.support.both_engines import counts
from tests.support.packed_spaces import (
    Counter,
    Cube,
    RankedSpace,
    Space,
    UndirectedSpace,
    WideRankedSpace,
    WideSpace,
    WideUndirectedSpace,
    line,
    spaces,
)

HASHED = [(Space, False), (UndirectedSpace, True), (WideSpace, False), (WideUndirectedSpace, True)]


def answer(found):
    return found.origin, found.layers, found.complete, found.limit


def both(problem, **options):
    expected = explore(problem, engine="reference", **options)
    found = explore(problem, engine="compiled", **options)
    assert (expected.engine, found.engine) == ("reference", "compiled")
    assert answer(found) == answer(expected)
    return expected, found


@pytest.mark.spread("Space-False", "WideUndirectedSpace-True")
@pytest.mark.parametrize(("kind", "undirected"), HASHED)
def test_hashed_spaces(kind, undirected):
    @settings(max_examples=20, deadline=None)
    @given(spaces(undirected=undirected), st.booleans(), st.integers(0, 5), st.integers(0, 12))
    def check(space, backward, depth, nodes):
        problem = kind(*space)
        backward = backward and undirected and bool(problem.goal_states())
        for limits in (Limits(), Limits(cost=depth), Limits(expansions=nodes)):
            expected, found = both(problem, backward=backward, limits=limits)
            assert found.farthest == expected.farthest
            assert counts(found.statistics) == counts(expected.statistics)

    check()


@pytest.mark.parametrize(
    ("kind", "threads"),
    [
        (RankedSpace, 1),
        (WideRankedSpace, 2),
        pytest.param(RankedSpace, 2, marks=pytest.mark.slow),
        pytest.param(WideRankedSpace, 1, marks=pytest.mark.slow),
    ],
)
def test_ranked_spaces(kind, threads):
    @settings(max_examples=30, deadline=None)
    @given(spaces(undirected=False), st.integers(0, 5))
    def check(space, depth):
        problem = kind(*space)
        for limits in (Limits(), Limits(cost=depth)):
            expected = explore(problem, engine="reference", limits=limits)
            found = explore(problem, engine=Engine("compiled", threads=threads), limits=limits)
            assert answer(found) == answer(expected)
            assert sorted(found.farthest) == sorted(expected.farthest)
            if found.limit is None:
                assert found.statistics.expanded == expected.statistics.expanded
                assert found.statistics.generated == expected.statistics.generated
            for each in (found, expected):
                assert expanded_to_the_last(each) or each.limit is None

    check()


def expanded_to_the_last(found):
    """Whether all layers but the last were expanded, and that one if there is no other.

    Else, one of its states has been seen to have a new successor, and does not count.
    """
    expanded = found.statistics.expanded
    return sum(found.layers[:-1]) <= expanded <= found.states - (not found.complete)


@pytest.fixture
def threads_from_the_start(monkeypatch):
    monkeypatch.setattr("searchkit.compiled.layers.ranked.STATES_PER_THREAD", 8)


def puzzle(rows, columns, goal=None):
    tiles = goal or " ".join(map(str, [*range(1, rows * columns), 0]))
    return SlidingPuzzle.read(Board.rectangle(rows, columns), tiles, tiles)


@cache
def by_reference(problem, depth=None):
    """What the reference engine says, which takes a second of each of the larger spaces."""
    return explore(problem, engine="reference", limits=Limits(cost=depth))


@pytest.mark.slow_variants("board4-1")
@pytest.mark.spread
@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("board", [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3)])
def test_boards(board, threads, threads_from_the_start):
    problem = puzzle(*board)
    expected = by_reference(problem)
    found = explore(problem, engine=Engine("compiled", threads=threads))
    assert answer(found) == answer(expected)
    assert sorted(found.farthest) == sorted(expected.farthest)
    assert found.statistics.expanded == expected.statistics.expanded
    assert found.statistics.generated == expected.statistics.generated


@pytest.mark.slow_variants("1-32", "1-31", "1-30", "2-30", "2-32")
@pytest.mark.parametrize("depth", [0, 1, 17, 30, 31, 32])
@pytest.mark.parametrize("threads", [1, 2])
def test_cost_limit(depth, threads, threads_from_the_start):
    problem = puzzle(3, 3)
    expected = by_reference(problem, depth)
    found = explore(problem, engine=Engine("compiled", threads=threads), limits=Limits(cost=depth))
    assert answer(found) == answer(expected)
    assert set(found.farthest) == set(expected.farthest)
    assert len(found.farthest) == found.layers[-1]
    assert expanded_to_the_last(found)
    assert expanded_to_the_last(expected)


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize("name", ["cube2", "toggles"])
def test_states_that_were_only_looked_at_do_not_count_as_expanded(name, engine):
    """By ranks, in batches, and by a hash table; each state has as many successors."""
    problem, each = (searchkit.puzzle("cube2"), 9) if name == "cube2" else (Cube(6, 0), 6)
    found = explore(problem, engine=engine, limits=Limits(cost=4))
    assert found.limit is LimitKind.COST
    assert found.statistics.expanded == sum(found.layers[:-1])
    assert found.statistics.generated == found.layers[0] + each * found.statistics.expanded
    assert found.branching == each


@pytest.mark.parametrize("nodes", [1, 100, 5000, 100_000])
@pytest.mark.parametrize("threads", [1, 2])
def test_expansion_limit(nodes, threads, threads_from_the_start):
    found = explore(
        puzzle(3, 3), engine=Engine("compiled", threads=threads), limits=Limits(expansions=nodes)
    )
    whole = explore(puzzle(3, 3), engine="compiled")
    assert found.limit is LimitKind.EXPANSIONS
    assert found.statistics.expanded == nodes
    assert found.layers[:-2] == whole.layers[: len(found.layers) - 2]
    assert len(set(found.farthest)) == len(found.farthest) == found.layers[-1]
    assert found.states == found.statistics.stored


def test_8_puzzle_by_default():
    found = explore(puzzle(3, 3))
    assert found.engine == "compiled"
    assert (found.states, found.depth) == (181_440, 31)
    assert len(found.farthest) == 2
    assert found.statistics.bytes < 1_000_000


def test_6_puzzle_by_default():
    found = explore(puzzle(2, 3))
    assert found.engine == "reference"
    assert (found.states, found.depth) == (360, 21)


def without_numbers(problem):
    """The same puzzle, whose states have none."""
    object.__setattr__(problem, "ranks", 0)
    return problem


@pytest.mark.slow
def test_two_layers_are_enough_for_undirected_problems():
    problem = without_numbers(puzzle(3, 3))
    expected, found = both(problem)
    assert counts(found.statistics) == counts(expected.statistics)
    assert found.farthest == expected.farthest
    cube, hashed = both(Cube(16, 1 << 40), backward=False)
    assert counts(hashed.statistics) == counts(cube.statistics)
    statistics = explore(Cube(20, 1 << 40), engine="compiled", backward=False).statistics
    assert statistics.stored < 1 << 19
    assert statistics.bytes < 14 * (1 << 20)


def test_directed_space_of_some_size():
    expected, found = both(Counter(16, 1 << 40))
    assert counts(found.statistics) == counts(expected.statistics)
    assert found.layers[8] == 12_870


def test_long_layers_are_listed_lazily():
    found = explore(puzzle(3, 3), engine="compiled", limits=Limits(cost=24))
    assert not isinstance(found.farthest, tuple)
    assert len(found.farthest) == found.layers[24]
    listed = list(found.farthest)
    assert len(set(listed)) == len(listed) == len(found.farthest)
    assert found.farthest[0] == listed[0]
    assert found.farthest[-1] == listed[-1]
    assert found.farthest[5000] == listed[5000]
    assert found.farthest[3:7] == listed[3:7]
    with pytest.raises(IndexError):
        found.farthest[len(listed)]


@pytest.mark.spread("10-1")
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("memory", [10, 40_000_000])
def test_memory_limit(memory, threads):
    problem = puzzle(3, 4)
    found = explore(
        problem, engine=Engine("compiled", threads=threads), limits=Limits(memory=memory)
    )
    assert found.limit is LimitKind.MEMORY
    assert found.statistics.bytes <= memory
    if memory > 10:
        assert found.statistics.bytes > 0.9 * memory
        assert found.depth > 20
    hashed = explore(Cube(60, 1 << 61), engine="compiled", limits=Limits(memory=memory))
    assert hashed.limit is LimitKind.MEMORY
    assert hashed.statistics.bytes <= memory


@pytest.mark.parametrize("threads", [1, 2])
def test_time_limit_and_progress(threads):
    seen = []
    explore(puzzle(3, 4), engine=Engine("compiled", threads=threads), limits=Limits(expansions=1))
    found = explore(
        puzzle(3, 4), engine=Engine("compiled", threads=threads), limits=Limits(time=0.3),
        progress=seen.append,
    )  # fmt: skip
    assert found.limit is LimitKind.TIME
    assert found.statistics.seconds >= 0.3
    assert seen


@pytest.mark.parametrize("threads", [1, 2])
def test_interrupt(threads, ctrl_c):
    found = explore(puzzle(3, 4), engine=Engine("compiled", threads=threads), progress=ctrl_c)
    assert found.limit is None
    assert not found.complete
    assert found.statistics.expanded == ctrl_c.pressed.expanded


class WronglyRanked(RankedSpace):
    ranks = 3

    def rank(self, state):
        return state * state


def test_ranks_are_checked():
    with plainly(), pytest.raises(ProblemError, match="from 0 to 2"):
        explore(WronglyRanked(line(5), (0,)), engine="compiled")


class DearRanked(RankedSpace):
    ranks = 14

    def cost(self, state, control, operator):
        return 1 + (state == 12)


class DearHashed(Space):
    def cost(self, state, control, operator):
        return 1 + (state == 12)


@pytest.mark.parametrize("kind", [DearRanked, DearHashed])
@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_costs_are_checked(kind, engine):
    with plainly(), pytest.raises(ProblemError, match="costs 2"):
        explore(kind(line(14), (0,)), engine=engine)
    with plainly():
        explore(kind(line(14), (0,)), engine=engine, limits=Limits(cost=1))


def test_options_are_checked():
    with pytest.raises(UsageError, match="engine"):
        explore(Cube(3, 0), engine="fast")
    with pytest.raises(UsageError, match="threads"):
        explore(Cube(3, 0), engine=Engine(threads=0))


class OneWay(Space):
    def predecessors(self, state):
        return []


def test_directed_problems_are_explored_backwards_by_the_reference_engine():
    assert explore(OneWay(line(5), (0,)), backward=True).engine == "reference"
    with pytest.raises(UnsuitableError, match="predecessors of packed states are not compiled"):
        explore(OneWay(line(5), (0,)), backward=True, engine="compiled")


@pytest.fixture
def ranked(monkeypatch):
    """The explorers by ranks that have begun."""
    used, begin = [], RankedLayers.begin

    def note(self, roots):
        used.append(self)
        return begin(self, roots)

    monkeypatch.setattr(RankedLayers, "begin", note)
    return used


def test_the_way_is_chosen(ranked):
    explore(puzzle(2, 3), engine="compiled")
    assert len(ranked) == 1


def test_one_piece_of_machine_code_serves_boards_of_any_size(ranked):
    for board in ((2, 3), (3, 3), (3, 4)):
        explore(puzzle(*board), engine="compiled", limits=Limits(cost=3))
    assert len(ranked) == 3
    assert len({layers.spec.module for layers in ranked}) == 1
