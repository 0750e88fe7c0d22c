"""Layers as bitmaps against the reference engine, and against what is known by counting."""

import random
from importlib import import_module
from math import comb, factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import LimitKind, Limits, ProblemError, UnsuitableError
from searchkit.compiled.layers.linear_tables import LinearSpace
from searchkit.engine import Engine
from searchkit.explore import explore
from tests.support.bitmap_checks import (
    both,
    check_all,
    check_limits,
    only_bitmaps,
    take_short_ranges,
)
from tests.support.toggle_spaces import (
    NEVER,
    OPERATORS,
    Toggles,
    UndirectedToggles,
    counter,
    cube,
    operators_on,
    rngs,
    spread,
    tables,
    toggle_spaces,
    total,
    undirected,
)


@pytest.fixture(autouse=True)
def bitmaps(monkeypatch, brief_looks):
    """Those that were made; no other compiled engine may run."""
    return only_bitmaps(monkeypatch)


@pytest.fixture
def short_ranges(monkeypatch):
    """Threads take turns even where there are few states."""
    take_short_ranges(monkeypatch)


@pytest.mark.slow_variants("10-1", "6-1", "8-1")
@pytest.mark.spread
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("bits", [0, 1, 4, 6, 8, 10])
def test_random_spaces(bits, threads, short_ranges):
    @settings(max_examples=15, deadline=None)
    @given(toggle_spaces(bits))
    def check(space):
        check_all(Toggles(*space), threads, paths=True)

    check()


@pytest.mark.slow_variants("1")
@pytest.mark.parametrize("threads", [1, 2])
def test_limits(threads, short_ranges):
    @settings(max_examples=40, deadline=None)
    @given(toggle_spaces(0, 2, 5, 8), st.integers(0, 5), st.integers(0, 40))
    def check(space, depth, nodes):
        check_limits(Toggles(*space), threads, depth, nodes, paths=True)

    check()


def test_threads_share_what_is_left_to_expand(short_ranges):
    problem = Toggles(tables(cube(12)), (1 << 63,))
    for nodes in (1, 2, 3, 100, 101, 1023, 2048, 2049, 3001):
        found = explore(
            problem, engine=Engine("compiled", threads=3), limits=Limits(expansions=nodes)
        )
        assert (found.limit, found.statistics.expanded) == (LimitKind.EXPANSIONS, nodes)


@settings(max_examples=40, deadline=None)
@given(toggle_spaces(0, 2, 5, 8).map(undirected), st.booleans())
def test_undirected_spaces(space, backward):
    problem = UndirectedToggles(*space)
    if not (backward and not problem.tables.goals):
        check_all(problem, 1, backward=backward, paths=True)


def test_undirected_spaces_are_explored_from_the_goals():
    problem = UndirectedToggles(tables(cube(6), goals=(1 << 63, 1 << 63 | 3)), (1 << 63 | 63,))
    found = check_all(problem, 1, paths=True)
    assert found.origin == "goal"
    assert found.layers[0] == found.paths.to_goals[0] == 2


def some_space(bits, seed):
    """Tables and a start of a space that uses about so many bits, of 3 parities less."""
    rng = random.Random(seed)
    flips = [total(1 << rng.randrange(bits) for _ in range(4)) for _ in range(OPERATORS)]
    masks = [1 << rng.randrange(bits) for _ in range(OPERATORS)]
    pairs = zip(flips, masks, strict=True)
    operators = [(each, mask, mask & rng.getrandbits(bits)) for each, mask in pairs]
    goals = [spread(rng.getrandbits(bits)) for _ in range(200)]
    return tables([tuple(map(spread, each)) for each in operators], dict.fromkeys(goals))


@pytest.mark.parametrize("threads", [1, 2])
def test_thousands_of_states(threads, short_ranges, bitmaps):
    problem = Toggles(some_space(13, 5), (spread(1), spread(11)))
    found = check_all(problem, threads, paths=True)
    assert found.states > 1000
    assert bitmaps[0].space.index.dimension in (11, 12, 13)
    assert sum(found.paths.to_goals) > 0


@st.composite
def sparse_spaces(draw):
    """Few states of at least 2**18 numbers: operators that are never legal add the others."""
    count, rng = draw(st.integers(0, 11)), draw(rngs)
    live = operators_on(5, count, rng)
    places = rng.sample(range(64), 5)
    idle = [(1 << place, *NEVER) for place in range(20, 41)]
    mixed = [(spread(flips, places), spread(mask, places), spread(value, places))
             for flips, mask, value in live] + idle  # fmt: skip
    rng.shuffle(mixed)
    return tables(mixed, [spread(rng.getrandbits(5), places)]), (1 << rng.randrange(64),)


@pytest.mark.slow_variants("1")
@pytest.mark.parametrize("threads", [1, 2])
def test_few_states_among_many_numbers(threads, bitmaps):
    @settings(max_examples=25, deadline=None)
    @given(sparse_spaces())
    def check(space):
        check_all(Toggles(*space), threads, paths=True)

    check()
    assert all(18 <= each.space.index.dimension <= 28 for each in bitmaps)
    assert any(each.canonical_sizes[1:] for each in bitmaps)


@pytest.mark.slow
def test_numbers_of_30_bits(bitmaps):
    idle = [(1 << place, *NEVER) for place in range(64 - 26, 64)]
    problem = Toggles(tables([*cube(4), *idle, (0, 0, 0)]), (1 << 50,))
    found = check_all(problem, 2, paths=True)
    assert found.layers == (1, 4, 6, 4, 1)
    (layers,) = bitmaps
    assert (layers.space.index.dimension, layers.space.chunks) == (30, 3)


def test_every_state_of_a_cube():
    places = range(50, 64)
    problem = Toggles(tables([(1 << place, 0, 0) for place in places]), (1 << 63,))
    found = explore(problem, engine="compiled", paths=True)
    assert found.layers == tuple(comb(14, k) for k in range(15))
    assert found.paths.to_states == tuple(comb(14, k) * factorial(k) for k in range(15))
    (farthest,) = found.farthest
    assert farthest == sum(1 << place for place in places) - (1 << 63)


def test_roots_alone():
    for starts in ((5,), (1 << 63,), (3, 1 << 63), (0, 1, 2)):
        found = check_all(Toggles(tables([], goals=(3, 7)), starts), 1, paths=True)
        assert found.layers == (len(starts),)
        assert found.paths.ends == (len(set(starts) - {3}),)


# What is chosen, and what is refused.


def test_toggles_are_chosen_after_a_trial(monkeypatch, bitmaps):
    problem = Toggles(tables(cube(8)), (0,))
    assert explore(problem, paths=True).engine == "reference"
    monkeypatch.setattr(import_module("searchkit.solving.plan"), "TRIAL_NODES", 40)
    found = explore(problem, paths=True)
    assert found.engine == "compiled"
    assert found.layers[4] == 70
    assert len(bitmaps) == 1


def test_too_many_bits_are_left_to_other_engines():
    rows = [(3 << place, 3 << place, 1 << place) for place in range(32)]
    problem = Toggles(tables(rows), (1,))
    assert LinearSpace.of(problem, [1], []).index.dimension == 31
    assert LinearSpace.of(problem, [1, 1 << 40, 1 << 41], []).index.dimension == 33
    wide = Toggles(tables(rows), (1, 1 << 40, 1 << 41, 1 << 42))
    assert LinearSpace.of(wide, wide.starts, []) is None
    assert explore(wide, paths=True).engine == "reference"
    with pytest.raises(UnsuitableError, match="compiled for toggles alone"):
        explore(wide, paths=True, engine="compiled")


def test_goals_must_be_listed_to_count_paths():
    class Goalless(Toggles):
        goal_states = None

    problem = Goalless(tables(cube(3)), (0,))
    assert check_all(problem, 1).layers == (1, 3, 3, 1)
    with pytest.raises(UnsuitableError, match="its goals cannot be listed"):
        explore(problem, engine="compiled", paths=True)


class Liar(Toggles):
    def apply(self, state, control, operator):
        return state ^ self.tables.flips[operator] ^ 4


def test_lies_about_toggles_are_found():
    with pytest.raises(ProblemError, match=r"operator 1 flips bits 0x6, but toggles\(\) says 0x2"):
        explore(Liar(tables([(1, 1, 1), (2, 0, 0)]), (0,)), engine="compiled")


@pytest.mark.parametrize("threads", [1, 2])
def test_time_limit_and_memory_limit(threads):
    problem = Toggles(tables(cube(25)), (0,))
    found = explore(
        problem, engine=Engine("compiled", threads=threads), limits=Limits(time=0.3), paths=True
    )
    assert found.limit is LimitKind.TIME
    assert found.statistics.seconds >= 0.3
    assert found.layers[:3] == (1, 25, 300)
    assert found.layers[:-2] == tuple(comb(25, n) for n in range(len(found.layers) - 2))
    found = explore(
        problem, engine=Engine("compiled", threads=threads), limits=Limits(memory=1000), paths=True
    )
    assert (found.limit, found.layers) == (LimitKind.MEMORY, (1,))
    bitmaps = 8 * 2**18 * (3 + threads)
    found = explore(
        problem, engine=Engine("compiled", threads=threads), limits=Limits(memory=bitmaps + 2**22),
        paths=True,
    )  # fmt: skip
    assert found.limit is LimitKind.MEMORY
    assert 4 < found.depth < 10
    assert found.statistics.bytes <= bitmaps + 2**22
    assert found.layers == tuple(comb(25, n) for n in range(len(found.layers)))


# Where the engines ought to agree in all.


def test_goals_with_bits_that_no_state_has():
    problem = Toggles(tables([(1, 1, 0), (2, 2, 0)], goals=(11, 2**63 | 1)), (0,))
    assert check_all(problem, 1, paths=True).paths.to_goals == (0, 0, 0)


def line_of(length):
    bits = length.bit_length() - 1
    return Toggles(tables(counter(bits, (1,) * bits), goals=(length - 2,)), (0,))


def test_paths_at_a_cost_limit():
    both(line_of(8), paths=True, limits=Limits(cost=3))


def test_paths_at_a_cost_limit_that_is_just_enough():
    expected = explore(line_of(8), engine="reference", paths=True, limits=Limits(cost=7))
    found = explore(line_of(8), engine="compiled", paths=True, limits=Limits(cost=7))
    assert found.complete
    assert found.paths == expected.paths


@pytest.mark.parametrize("nodes", [1, 5, 12])
def test_states_of_a_partial_layer(nodes):
    problem = Toggles(tables(cube(6)), (0,))
    found = explore(problem, engine="compiled", limits=Limits(expansions=nodes))
    assert len(found.farthest) == found.layers[-1]
    assert found.states == found.statistics.stored


@pytest.mark.parametrize("paths", [False, True])
def test_an_expansion_limit_that_is_just_enough(paths):
    both(line_of(8), paths=paths, limits=Limits(expansions=8))


@pytest.mark.parametrize("listed", [(1,), (0, 1, 1)])
def test_operators_are_those_that_are_listed(listed, monkeypatch):
    monkeypatch.setattr(Toggles, "operators", lambda self, control: listed)
    both(Toggles(tables([(1, 1, 0), (2, 2, 0)]), (0,)), paths=True)
