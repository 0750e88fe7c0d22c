"""Boards of any graph of cells, given by their edges."""

import pytest

from searchkit import BreadthFirst, ParseError, UsageError, solve
from searchkit.explore import explore
from searchkit_sliding import sliding
from searchkit_sliding.puzzles import WHEEL, board_of_edges


def test_the_wheel_by_its_edges():
    edges = {frozenset((a, b)) for a, around in enumerate(WHEEL.adjacency) for b in around}
    board = board_of_edges(" ".join("-".join(map(str, sorted(edge))) for edge in edges))
    assert list(map(set, board.adjacency)) == list(map(set, WHEEL.adjacency))
    puzzle = sliding(edges=", ".join("-".join(map(str, sorted(edge))) for edge in edges))
    assert explore(puzzle).states == 5040
    assert solve(puzzle, BreadthFirst()).solution is not None


def test_a_board_with_a_dead_end():
    assert solve(sliding(edges="0-1 1-2 2-0 0-3"), BreadthFirst()).solution is not None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("0-1 1-x", "edge '1-x' is not CELL-CELL"),
        ("0-1 1-3", "but not cell 2; number cells from 0 on"),
        ("0-1 1-0", "name each other cell at most once"),
        ("0-0", "has 1 cells; use at least 2"),
        ("0-1 2-3", "has no way from cell 0 to cell 2"),
    ],
)
def test_edges_that_make_no_board(text, told):
    with pytest.raises((ParseError, UsageError), match=told):
        board_of_edges(text)
