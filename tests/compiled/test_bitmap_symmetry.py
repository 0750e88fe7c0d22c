"""Layers as bitmaps up to symmetry, against orbits that are simply listed."""

from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Limits, UnsuitableError
from searchkit.engine import Engine
from searchkit.explore import explore
from tests.support.bitmap_checks import (
    answer,
    assert_begin_of,
    both,
    only_bitmaps,
    take_short_ranges,
)
from tests.support.interrupting import look_often, stopped_ever_later
from tests.support.toggle_spaces import (
    SymmetricToggles,
    image_of,
    operators_on,
    rngs,
    spread,
    tables,
)


@pytest.fixture(autouse=True)
def bitmaps(monkeypatch, brief_looks):
    """Those that were made; no other compiled engine may run."""
    return only_bitmaps(monkeypatch)


@pytest.fixture
def short_ranges(monkeypatch):
    """Threads take turns even where there are few states."""
    take_short_ranges(monkeypatch)


RING = 5
RING_PLACES = (*range(RING), *range(64 - RING, 64))
"""Two bits for each cell of a ring."""
UNMOVED = tuple(range(64))


def ring_map(turn, mirrored):
    """Where the bits go when the ring is turned and mirrored."""
    bits = list(UNMOVED)
    for cell in range(RING):
        target = (turn - cell if mirrored else turn + cell) % RING
        bits[cell] = target
        bits[64 - RING + cell] = 64 - RING + target
    return tuple(bits)


RING_MAPS = tuple(ring_map(turn, mirrored) for mirrored in (False, True) for turn in range(RING))
NEVER_ON_RING = (0, 1 << 30)
MIRROR = tuple(range(20)), tuple(reversed(range(20)))
"""Numbers of 20 bits and more; what is above the 20 stays."""


def closed_under(group, operators):
    """The operators, each followed by its images."""
    return [
        tuple(image_of(word, bits) for word in operator) for operator in operators for bits in group
    ]


def on_ring(number):
    return spread(number, RING_PLACES)


@st.composite
def rings(draw):
    """Three operators and their images, and starts that all maps keep, or a mirror, or none."""
    kind = draw(st.sampled_from(["all", "mirrored", "one"]))
    count, rng = draw(st.integers(0, 3)), draw(rngs)
    live = [tuple(map(on_ring, each)) for each in operators_on(2 * RING, count, rng)]
    # With these, numbers have 8 to 10 bits.
    idle = [(7, *NEVER_ON_RING), (1 | 3 << 64 - RING, *NEVER_ON_RING)]
    operators = closed_under(RING_MAPS, [*live, *[idle[0]] * (3 - count), *idle])
    start = on_ring(rng.getrandbits(2 * RING))
    if kind == "mirrored":
        start |= image_of(start, RING_MAPS[-1])
    starts = {image_of(start, bits) for bits in RING_MAPS} if kind == "all" else {start}
    some = [(on_ring(rng.getrandbits(2 * RING)),) for _ in range(draw(st.integers(0, 3)))]
    goals = dict.fromkeys(goal for (goal,) in closed_under(RING_MAPS, some))
    return SymmetricToggles(
        tables(operators, goals, len(operators)), tuple(sorted(starts)), RING_MAPS
    )


def plain_layers(problem):
    """The states by distance, by the simplest search."""
    layers = [set(problem.initial_states())]
    seen = set(layers[0])
    while layers[-1]:
        after = {step.state for state in layers[-1] for step in problem.successors(state)}
        layers.append(after - seen)
        seen |= after
    return layers[:-1]


def check_symmetric(problem, threads=1, **options):
    """All that symmetries leave as it is, and what they make of it."""
    whole = explore(problem, engine=Engine("compiled", threads=threads), paths=True, **options)
    expected, found = both(problem, threads, symmetry="auto", paths=True, **options)
    assert found.paths == whole.paths
    assert found.layers == whole.layers
    starts = set(problem.initial_states())
    group = [bits for bits in problem.group if {image_of(each, bits) for each in starts} == starts]
    layers = plain_layers(problem)
    orbits = [{min(image_of(each, bits) for bits in group) for each in layer} for layer in layers]
    assert found.layers == tuple(map(len, layers))
    assert found.canonical_layers == tuple(map(len, orbits))
    assert found.statistics.expanded == sum(map(len, orbits))

    def classes(states):
        return sorted(min(image_of(each, bits) for bits in group) for each in states)

    assert classes(found.farthest) == classes(expected.farthest) == sorted(orbits[-1])
    return group, found


@pytest.mark.slow
@pytest.mark.parametrize("threads", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_rings(threads, short_ranges, bitmaps):
    orders = set()

    @settings(max_examples=40, deadline=None)
    @given(rings())
    def check(problem):
        group, _ = check_symmetric(problem, threads)
        orders.add(len(group))

    check()
    assert orders == {1, 2, 10}
    assert {each.space.chunks for each in bitmaps} == {1}
    assert {len(each.space.index.origins) for each in bitmaps} == {1, 2}


@settings(max_examples=20, deadline=None)
@given(rings(), st.integers(0, 4), st.integers(0, 40))
def test_limits_up_to_symmetry(problem, depth, nodes):
    whole = explore(problem, engine="reference", symmetry="auto", paths=True)
    found = explore(problem, engine="compiled", symmetry="auto", limits=Limits(cost=depth))
    assert found.layers == whole.layers[: depth + 1]
    assert found.canonical_layers == whole.canonical_layers[: depth + 1]
    assert found.complete == (len(whole.layers) <= depth + 1)
    found = explore(
        problem, engine="compiled", symmetry="auto", limits=Limits(expansions=nodes), paths=True
    )
    assert found.statistics.expanded == min(nodes, whole.statistics.expanded)
    assert found.layers[:-1] == whole.layers[: len(found.layers) - 1]
    assert found.canonical_layers[:-1] == whole.canonical_layers[: len(found.layers) - 1]
    assert_begin_of(found.paths, whole.paths)


def test_symmetric_actions_are_those_of_symmetric_states():
    problem = SymmetricToggles(
        tables(closed_under(RING_MAPS, [(3, 1, 0), (1 << 63, 2, 2)]), count=20), (0,), RING_MAPS
    )
    for state in (0, 5, 1 << 63 | 9):
        for symmetry in problem.symmetries():
            image = symmetry.state_map(state)
            assert {
                (symmetry.action_map(step.action), symmetry.state_map(step.state))
                for step in problem.successors(state)
            } == {(step.action, step.state) for step in problem.successors(image)}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("starts", [(1 | 1 << 19,), (1 << 3 | 1 << 5, 1 << 14 | 1 << 16)])
def test_symmetric_numbers_of_many_bits(starts, threads, bitmaps):
    """Pieces walk along a line. The maps name 20 bits only; the highest bit is always set."""
    walks = [(3 << place, 3 << place, 1 << place) for place in range(19)]
    idle = [(1 << place, *NEVER_ON_RING) for place in range(10)]
    rows = closed_under(MIRROR, [*walks, (3, 3, 3), *idle])
    starts = tuple(1 << 63 | start for start in starts)
    _, found = check_symmetric(SymmetricToggles(tables(rows, count=60), starts, MIRROR), threads)
    assert found.states == 20 * 19 // 2 + 1
    assert {each.space.chunks for each in bitmaps} == {2}
    assert {len(each.space.maps) for each in bitmaps} == {1, 2}


def test_symmetries_must_say_where_bits_go():
    class Silent(SymmetricToggles):
        def symmetries(self):
            return [each.__class__(each.name, each.state_map, each.action_map)
                    for each in super().symmetries()]  # fmt: skip

    problem = Silent(tables(closed_under(MIRROR, [(1, 1, 0)]), count=2), (0,), MIRROR)
    assert explore(problem, symmetry="auto").canonical_layers == (1, 1, 1)
    with pytest.raises(UnsuitableError, match="does not say where it moves bits"):
        explore(problem, symmetry="auto", engine="compiled")


def test_bits_that_no_state_has_change_nothing():
    """The tenth bit is never set: to say that it stays is to say nothing."""
    group = tuple(range(10)), (*reversed(range(9)), 9)
    rows = closed_under(group, [(1 << place, 1 << place, 0) for place in range(9)])
    _, found = check_symmetric(SymmetricToggles(tables(rows, count=50), (0,), group))
    assert found.layers == tuple(comb(9, n) for n in range(10))
    assert found.canonical_layers[:3] == (1, 5, 20)


@pytest.mark.parametrize("options", [{}, {"paths": True}, {"paths": True, "symmetry": "auto"}])
def test_ctrl_c_at_any_place(options, monkeypatch, short_ranges):
    """What was found until then is right."""
    look_often(monkeypatch)
    rows = [(3, 3, 1), (1 << 63, 1, 1), (1 << 63, 2, 0), (1 << 59, 1 << 63, 0), (7, 4, 0)]
    problem = SymmetricToggles(tables(closed_under(RING_MAPS, rows), count=50), (0, 31), RING_MAPS)
    whole = explore(problem, engine="reference", **options)

    def run(stop):
        return explore(problem, engine="compiled", progress=stop, **options)

    *parts, found = stopped_ever_later(run)
    assert len(parts) > 10
    for part in parts:
        assert (part.complete, part.limit) == (False, None)
        assert part.layers[:-1] == whole.layers[: len(part.layers) - 1]
        assert part.layers[-1] <= whole.layers[len(part.layers) - 1]
        assert_begin_of(part.paths, whole.paths)
    assert answer(found) == answer(whole)
    assert found.paths == whole.paths
