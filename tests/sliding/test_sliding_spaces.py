"""Whole spaces by the compiled engine: layers of every rectangle, and the farthest states."""

import pytest

from searchkit import Limits
from searchkit.engine import Engine
from searchkit.explore import explore
from searchkit_sliding import Board
from tests.support.sliding_bfs import solved

SMALL = {"2x2": (2, 2), "2x3": (2, 3), "2x4": (2, 4), "3x3": (3, 3)}


@pytest.mark.parametrize(
    ("size", "blank"), [(size, cell) for size, (r, c) in SMALL.items() for cell in range(r * c)]
)
def test_small_rectangles_with_the_blank_anywhere(published, size, blank):
    found = explore(solved(Board.rectangle(*SMALL[size]), blank), engine="compiled")
    assert list(found.layers) == published["boards"][size][str(blank)]
    assert found.complete


@pytest.mark.parametrize("threads", [1, 2])
def test_two_by_five(published, threads):
    found = explore(solved(Board.rectangle(2, 5), 9), engine=Engine("compiled", threads=threads))
    assert list(found.layers) == published["large boards"]["2x5"]["9"]
    assert found.statistics.expanded == 1_814_400
    assert found.statistics.generated == 4_717_441


@pytest.mark.slow
def test_three_by_four(published):
    found = explore(solved(Board.rectangle(3, 4), 11), engine="compiled")
    assert list(found.layers) == published["large boards"]["3x4"]["11"]
    assert found.states == 239_500_800


@pytest.mark.slow
@pytest.mark.parametrize("blank", [0, 5, 7])
def test_two_by_six(blank):
    """The board has two mirrors: a corner, a middle cell and the one across from it."""
    found = explore(solved(Board.rectangle(2, 6), blank), engine="compiled")
    mirrored = explore(solved(Board.rectangle(2, 6), 11 - blank), engine="compiled")
    assert found.states == 239_500_800
    assert found.layers == mirrored.layers


@pytest.mark.slow
def test_first_layers_of_the_15_puzzle(published, tmp_path):
    """26 layers in memory, and in files while 600 MB of memory may be used."""
    puzzle = solved(Board.rectangle(4, 4), 0)
    expected = published["4x4 first layers, blank in a corner"][:27]
    for options in ({}, {"checkpoint": tmp_path, "limits": Limits(cost=26, memory=600_000_000)}):
        found = explore(puzzle, engine="compiled", **{"limits": Limits(cost=26)} | options)
        assert list(found.layers) == expected
