"""Exact path counts beside bitmaps, and chains of one piece."""

from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import UnsuitableError
from searchkit.explore import explore
from searchkit.transforms import ChainMoves
from tests.support.bitmap_checks import check_all, check_limits, only_bitmaps
from tests.support.toggle_spaces import (
    Pieces,
    Toggles,
    counter,
    pegs,
    piece_tables,
    tables,
    wandering_pieces,
)


@pytest.fixture(autouse=True)
def bitmaps(monkeypatch, brief_looks):
    """Those that were made; no other compiled engine may run."""
    return only_bitmaps(monkeypatch)


@settings(max_examples=10, deadline=None)
@given(st.lists(st.integers(1, 6), min_size=7, max_size=8).filter(lambda each: sum(each) <= 32))
def test_exact_numbers_of_any_size(parallel):
    """A counter of n bits takes 2**n - 1 steps, all of one multiplicity or another."""
    bits = len(parallel)
    problem = Toggles(tables(counter(bits, parallel), goals=(100,)), (0,))
    found = check_all(problem, 1, paths=True)
    number, numbers = 1, []
    for state in range(2**bits):
        numbers.append(number)
        if state + 1 < 2**bits:
            number *= parallel[(state ^ state + 1).bit_length() - 1]
    assert found.paths.to_states == tuple(numbers)
    assert found.paths.to_goals == tuple(n * (i == 100) for i, n in enumerate(numbers))
    assert (found.paths.shortest_solution, found.paths.optimal_solutions) == (100, numbers[100])
    assert found.paths.to_ends[-1] == numbers[-1]
    assert sum(found.paths.ends) == 1


TRACK = 1 << 63


def two_tracks():
    """A counter of 8 bits on two tracks: twice along the upper one, once along the lower one.

    Once from the lower to the upper one: after n steps, 2**n - 1 ways lead to the upper one.
    """
    steps = [((2 << bit) - 1, (2 << bit) - 1, (1 << bit) - 1) for bit in range(8)]
    return [
        row
        for flips, mask, value in steps
        for row in (
            (flips, mask | TRACK, value),
            (flips | TRACK, mask | TRACK, value),
            (flips, mask | TRACK, value | TRACK),
            (flips, mask | TRACK, value | TRACK),
        )
    ]


@pytest.mark.parametrize("step", [1, 63, 64, 65, 128, 129, 193, 254])
def test_carries_ripple_through_all_words(step):
    problem = Toggles(tables(two_tracks(), goals=(step | TRACK,)), (0,))
    found = check_all(problem, 1, paths=True)
    assert found.paths.to_states == tuple(2**n for n in range(256))
    assert found.paths.to_goals[step] == 2**step - 1
    assert found.paths.to_ends[-1] == 2**255
    assert found.paths.ends[-1] == 2


def test_many_states_with_long_numbers():
    """Two counters that run by turns in any order: binomials times powers."""
    low = counter(4, (4, 4, 4, 4))
    high = [tuple(word << 60 for word in row) for row in low]
    found = check_all(Toggles(tables(low + high), (0,)), 2, paths=True)
    expected = [
        sum(comb(n, k) for k in range(n + 1) if k <= 15 and n - k <= 15) * 4**n for n in range(31)
    ]
    assert list(found.paths.to_states) == expected
    assert expected[-1] > 2**64


@pytest.mark.slow
@pytest.mark.parametrize("threads", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_chains_of_jumps(threads):
    @settings(max_examples=60, deadline=None)
    @given(pegs(), st.integers(0, 3), st.integers(0, 10))
    def check(space, depth, nodes):
        problem = ChainMoves(Pieces(*space))
        check_all(problem, threads, paths=True)
        check_limits(problem, threads, depth, nodes, paths=True)

    check()


@settings(max_examples=40, deadline=None)
@given(wandering_pieces())
def test_chains_in_circles(space):
    check_all(ChainMoves(Pieces(*space)), 1, paths=True)


def test_a_chain_may_be_too_long():
    rows = [(*row, 0, 0) for row in counter(9, (1,) * 9)]
    problem = ChainMoves(Pieces(piece_tables(rows), (0,)))
    with pytest.raises(UnsuitableError, match="chains of more than 256 actions"):
        explore(problem, engine="compiled")
    rows = [(*row, 0, 0) for row in counter(7, (1,) * 7)]
    found = check_all(ChainMoves(Pieces(piece_tables(rows), (0,))), 1, paths=True)
    assert found.layers == (1, 127)
    rows = [(*row, 0, 0) for row in counter(4, (4, 4, 4, 4))]
    with pytest.raises(UnsuitableError, match="more than 65536 of them"):
        explore(ChainMoves(Pieces(piece_tables(rows), (0,))), engine="compiled")


def test_chains_need_kernels_that_tell_pieces():
    class Mute(Pieces):
        moved_from = None

    problem = ChainMoves(Mute(piece_tables([(1, 0, 0, 0, 0)]), (0,)))
    assert explore(problem).layers == (1, 1)
    with pytest.raises(UnsuitableError, match="no compiled engine for this problem"):
        explore(problem, engine="compiled")
