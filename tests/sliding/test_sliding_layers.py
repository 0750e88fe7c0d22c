"""Counts per distance, which pin the move generator (as perft does in chess)."""

from math import prod

import pytest

from searchkit_sliding import (
    WHEEL,
    Board,
    Manhattan,
    SlidingPuzzle,
    eight_puzzle,
    fifteen_puzzle,
    six_puzzle,
)
from tests.support.sliding_bfs import distances, layers, solved

SIZES = {"2x2": (2, 2), "2x3": (2, 3), "2x4": (2, 4), "3x3": (3, 3)}


@pytest.mark.slow_variants("3x3-0", "3x3-5", "3x3-4")
@pytest.mark.parametrize(
    ("size", "blank"),
    [(size, cell) for size in ("2x2", "2x3", "2x4") for cell in range(prod(SIZES[size]))]
    + [("3x3", cell) for cell in (0, 5, 4)],  # a corner, an edge and the middle
)
def test_layers_of_rectangles(published, size, blank):
    puzzle = solved(Board.rectangle(*SIZES[size]), blank)
    assert layers(distances(puzzle, puzzle.goal)) == published["boards"][size][str(blank)]


@pytest.mark.parametrize("size", ["2x3", "2x4"])
def test_layers_of_rectangles_on_their_side(published, size):
    rows, columns = SIZES[size]
    for cell in range(rows * columns):
        row, column = divmod(cell, columns)
        puzzle = solved(Board.rectangle(columns, rows), column * rows + row)
        found = layers(distances(puzzle, puzzle.goal))
        assert found == published["boards"][size][str(cell)]


@pytest.mark.slow_variants("12")
@pytest.mark.spread("0", "12")
@pytest.mark.parametrize("blank", [0, 3, 12, 15])
def test_first_layers_of_the_15_puzzle(published, blank):
    puzzle = solved(Board.rectangle(4, 4), blank)
    counts, layer, before = [], {puzzle.goal}, set()
    for _ in range(15):
        counts.append(len(layer))
        following = {step.state for state in layer for step in puzzle.successors(state)} - before
        before, layer = layer, following
    assert counts == published["4x4 first layers, blank in a corner"][:15]


def test_the_wheel(published):
    puzzle = six_puzzle()
    assert puzzle.board is WHEEL
    found = distances(puzzle, puzzle.goal)
    assert puzzle.format_state(puzzle.goal) == published["wheel"]["goal"]
    assert layers(found) == published["wheel"]["layers"]
    farthest = {puzzle.format_state(state) for state, distance in found.items() if distance == 15}
    assert farthest == set(published["wheel"]["antipodes"])
    assert puzzle.format_state(puzzle.start) == published["wheel"]["antipodes"][0]


def test_farthest_positions_of_the_8_puzzle(published, eight_distances):
    puzzle = eight_puzzle()
    farthest = {puzzle.format_state(each) for each, far in eight_distances.items() if far == 31}
    assert farthest == set(published["8-puzzle"]["farthest_states"])
    assert puzzle.format_state(puzzle.start) in farthest


def test_the_default_15_puzzle_is_korf_79_turned(published):
    korf = published["korf 79"]
    for turned, text in (("start", korf["start"]), ("goal", korf["goal"])):
        puzzle = fifteen_puzzle()
        tiles = [(16 - int(tile)) % 16 for tile in reversed(text.split())]
        assert puzzle.parse(" ".join(map(str, tiles))) == getattr(puzzle, turned)


@pytest.mark.slow
def test_nodes_of_korf_79_with_the_order_up_left_right_down(published):
    """Iterative deepening visits the published number of nodes only in the published order."""
    korf = published["korf 79"]
    puzzle = SlidingPuzzle.read(Board.rectangle(4, 4), korf["start"], korf["goal"])
    bound = Manhattan(puzzle)
    nodes = 1

    def found(state, before, h, left):
        nonlocal nodes
        if h == 0:
            return True
        for step in puzzle.successors(state):
            if step[1] != before:
                nodes += 1
                after = bound.after(h, state, step)
                if after < left and found(step[1], state, after, left - 1):
                    return True
        return False

    h = limit = bound(puzzle.start)
    while not found(puzzle.start, None, h, limit):
        limit += 2
    assert (limit, nodes) == (korf["length"], korf["nodes"])
