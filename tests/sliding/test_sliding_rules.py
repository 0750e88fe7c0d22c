"""The packed rules against the plain ones, and the other things a puzzle can do."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import Step, UsageError
from searchkit_sliding import WHEEL, Board, SlidingPuzzle, eight_puzzle, packing_of, six_puzzle
from tests.support.sliding_bfs import CYCLE, ODD_BOARDS, RECTANGLES, puzzles, solved

EVERY_BOARD = [WHEEL, *RECTANGLES, *ODD_BOARDS]


@given(puzzles(EVERY_BOARD))
def test_packed_successors_are_those_of_the_plain_rules(puzzle):
    plain = puzzle.slow_rules()
    (tiles,) = plain.initial_states()
    steps = puzzle.successors(puzzle.start)
    assert all(type(step) is Step and step.cost == 1 for step in steps)
    assert {(step.action, puzzle.packing.unpack(step.state)) for step in steps} == {
        (step.action, step.state) for step in plain.successors(tiles)
    }
    assert len({puzzle.format_action(step.action) for step in steps}) == len(steps)
    for step in steps:
        assert puzzle.packing.pack(puzzle.packing.unpack(step.state)) == step.state
        assert puzzle.start in {back.state for back in puzzle.successors(step.state)}


@given(puzzles(EVERY_BOARD))
def test_plain_rules_speak_the_same_notation(puzzle):
    plain = puzzle.slow_rules()
    text = puzzle.format_state(puzzle.start)
    assert plain.format_state(plain.parse(text)) == text
    assert puzzle.parse(text) == puzzle.start
    assert plain.is_goal(plain.parse(puzzle.format_state(puzzle.goal)))
    assert plain.is_goal(plain.start) == puzzle.is_goal(puzzle.start)


def test_the_blank_moves_up_left_right_down():
    puzzle = solved(Board.rectangle(3, 3), 4)
    assert [step.action for step in puzzle.successors(puzzle.goal)] == [2, 4, 5, 7]
    ends = [puzzle.packing.unpack(step.state).index(0) for step in puzzle.successors(puzzle.goal)]
    assert ends == [1, 3, 5, 7]


@given(puzzles(EVERY_BOARD), st.data())
def test_symmetries_keep_goal_and_steps(puzzle, data):
    symmetries = puzzle.symmetries()
    assert symmetries[0].name == "identity"
    assert len({each.name for each in symmetries}) == len(symmetries)
    state = data.draw(st.sampled_from([puzzle.start, puzzle.goal]))
    for symmetry in symmetries:
        assert symmetry.state_map(puzzle.goal) == puzzle.goal
        image = symmetry.state_map(state)
        assert {
            (symmetry.action_map(step.action), symmetry.state_map(step.state))
            for step in puzzle.successors(state)
        } == {(step.action, step.state) for step in puzzle.successors(image)}
    assert symmetries[0].state_map(state) == state


@pytest.mark.parametrize(
    ("board", "blank", "names"),
    [
        (Board.rectangle(3, 3), 8, {"identity", "main diagonal"}),
        (Board.rectangle(4, 4), 0, {"identity", "main diagonal"}),
        (Board.rectangle(4, 4), 3, {"identity", "other diagonal"}),
        (Board.rectangle(2, 2), 3, {"identity", "main diagonal"}),
        (Board.rectangle(2, 3), 1, {"identity", "left-right"}),
        (Board.rectangle(3, 4), 4, {"identity", "up-down"}),
        (Board.rectangle(2, 3), 0, {"identity"}),
        (
            Board.rectangle(3, 5),
            7,
            {"identity", "left-right", "up-down", "half turn"},
        ),
        (
            Board.rectangle(3, 3),
            4,
            {
                "identity",
                "main diagonal",
                "other diagonal",
                "left-right",
                "up-down",
                "half turn",
                "quarter turn left",
                "quarter turn right",
            },
        ),
        (WHEEL, 6, {"identity", "cells 0,2,1,3,5,4,6"}),
    ],
)
def test_names_of_symmetries(board, blank, names):
    symmetries = solved(board, blank).symmetries()
    assert {each.name for each in symmetries} == names


def test_the_hub_of_the_wheel_has_twelve_symmetries():
    assert len(solved(WHEEL, 3).symmetries()) == 12


def test_a_complete_board_has_too_many_symmetries_to_list():
    everything = Board("complete", tuple(tuple(j for j in range(9) if j != i) for i in range(9)))
    assert [each.name for each in solved(everything, 8).symmetries()] == ["identity"]


def test_start_and_goal_can_be_replaced():
    puzzle = eight_puzzle()
    other = puzzle.parse("123 456 078".replace(" ", "/"))
    assert puzzle.with_start(other).initial_states() == (other,)
    moved = puzzle.with_goal(other)
    assert moved.is_goal(other)
    assert not moved.is_goal(puzzle.goal)
    assert moved.goal_states() == (other,)
    assert moved.start == puzzle.start
    assert moved.heuristic(other) == 0


def test_puzzles_are_values():
    assert eight_puzzle() == eight_puzzle()
    assert hash(six_puzzle()) == hash(six_puzzle())
    assert pickle.loads(pickle.dumps(eight_puzzle())) == eight_puzzle()


@pytest.mark.parametrize("bad", [-1, 0, 17, 1 << 200])
def test_start_must_be_a_packed_position(bad):
    with pytest.raises(UsageError, match=rf"^start {bad} is not a packed position of board '3x3'"):
        eight_puzzle().with_start(bad)
    with pytest.raises(UsageError, match=r"^goal "):
        eight_puzzle().with_goal(bad)


def test_bits_above_the_cells_are_no_packed_position():
    puzzle = eight_puzzle()
    with pytest.raises(UsageError, match="is not a packed position"):
        puzzle.with_start(puzzle.start | 1 << 36)
    wide = solved(Board.rectangle(5, 5), 0)
    first, second, third = wide.start
    for bad in (0, [*wide.start], (first, second), (first, second, third | 1 << 5), (-1, 0, 0)):
        with pytest.raises(UsageError, match="is not a packed position"):
            wide.with_start(bad)


@pytest.mark.parametrize(
    ("adjacency", "columns", "message"),
    [
        (((),), None, "has 1 cells"),
        (((1,), (0,), ()), None, "no way from cell 0 to cell 2"),
        (((1,), ()), None, "has neighbour 1"),
        (((2,), (0,)), None, "has neighbour 2"),
        (((1, 1), (0,)), None, "at most once"),
        (((0, 1), (0,)), None, "at most once"),
        (((1, 2), (0, 2), (0, 1)), 2, "is not a rectangle"),
        (((2, 1), (0, 3), (0, 3), (1, 2)), 2, "is not a rectangle"),
    ],
)
def test_bad_boards(adjacency, columns, message):
    with pytest.raises(UsageError, match=message) as caught:
        Board("bad", adjacency, columns)
    assert "\n" not in str(caught.value)


def test_packing_grows_with_the_board():
    assert packing_of(Board.rectangle(4, 4)).bits == 4
    assert packing_of(Board.rectangle(4, 5)).bits == 5
    assert packing_of(Board.rectangle(10, 10)).bits == 7


@given(puzzles([Board.rectangle(10, 10), Board.rectangle(2, 9)]))
def test_large_boards(puzzle):
    assert puzzle.parse(puzzle.format_state(puzzle.start)) == puzzle.start
    for step in puzzle.successors(puzzle.start):
        assert sorted(puzzle.packing.unpack(step.state)) == list(range(puzzle.board.cells))


def test_pictures():
    puzzle = SlidingPuzzle.read(CYCLE, "12340", "12340")
    assert puzzle.render(puzzle.start) == "0: 1\n1: 2\n2: 3\n3: 4\n4:"
    wide = solved(Board.rectangle(3, 4), 0)
    assert wide.render(wide.goal) == (
        "┌────┬────┬────┬────┐\n"
        "│    │  1 │  2 │  3 │\n"
        "├────┼────┼────┼────┤\n"
        "│  4 │  5 │  6 │  7 │\n"
        "├────┼────┼────┼────┤\n"
        "│  8 │  9 │ 10 │ 11 │\n"
        "└────┴────┴────┴────┘"
    )


def test_the_picture_of_the_wheel_joins_neighbours():
    # A bar or slash next to a cell leads to its neighbour: follow each line of the picture.
    rows = six_puzzle().render(six_puzzle().parse("1234560")).split("\n")
    grid = {(r, c): mark for r, row in enumerate(rows) for c, mark in enumerate(row)}
    where = {place: int(mark) - 1 for place, mark in grid.items() if mark.isdigit()}
    where[(8, 8)] = 6
    joined = set()
    for place, cell in where.items():
        for mark, right in (("/", -1), ("│", 0), ("\\", 1)):
            for first in (1, 2):
                row, column = place[0] + 1, place[1] + first * right
                if grid.get((row, column)) != mark:
                    continue
                while grid.get((row, column)) == mark:
                    row, column = row + 1, column + right
                near = [(row, column + shift) for shift in (0, 1, -1, 2, -2)]
                joined.update(
                    frozenset((cell, where[each])) for each in near[:1] + near if each in where
                )
                break
    assert joined == {
        frozenset((cell, other)) for cell, others in enumerate(WHEEL.adjacency) for other in others
    }
