"""The published boards: known figures of them, and that turning them changes nothing."""

from __future__ import annotations

import pytest

from searchkit import IDAStar, UnsuitableError, solve
from searchkit.capabilities import HasBoardSets
from searchkit_sliding import Board, SlidingPuzzle, eight_puzzle, fifteen_puzzle, twenty_four_puzzle
from searchkit_sliding.published import half_turn, published


def in_print(rows: int) -> SlidingPuzzle:
    """The puzzle whose goal has the blank first."""
    goal = " ".join(map(str, range(rows * rows)))
    return SlidingPuzzle.read(Board.rectangle(rows, rows), goal, goal)


@pytest.mark.parametrize(
    ("name", "count", "total", "shortest", "longest"),
    [("korf100", 100, 5305, 41, 66), ("korf24", 50, 5039, 81, 114)],
)
def test_there_are_all(name: str, count: int, total: int, shortest: int, longest: int) -> None:
    boards = published(name)
    costs = [cost for _, _, cost in boards]
    assert [number for number, _, _ in boards] == [*range(1, count + 1)]
    assert (sum(costs), min(costs), max(costs)) == (total, shortest, longest)
    for _, tiles, _ in boards:
        assert sorted(tiles) == [*range(len(tiles))]
    assert len({tiles for _, tiles, _ in boards}) == count


@pytest.mark.parametrize(
    ("turned", "rows", "name"),
    [(fifteen_puzzle(), 4, "korf100"), (twenty_four_puzzle(), 5, "korf24")],
)
def test_lengths_have_the_parity_of_the_board_and_respect_the_bound(
    turned: SlidingPuzzle, rows: int, name: str
) -> None:
    printed = in_print(rows)
    assert isinstance(turned, HasBoardSets)
    assert list(turned.board_sets()) == list(printed.board_sets()) == [name]
    for one, other in zip(turned.board_set(name), printed.board_set(name), strict=True):
        assert (one.name, one.cost) == (other.name, other.cost)
        assert one.cost is not None
        for puzzle, start in [(turned, one.start), (printed, other.start)]:
            assert puzzle.certificate(start) is None
            bound = puzzle.heuristic(start)
            assert bound <= one.cost
            assert (one.cost - bound) % 2 == 0
        assert turned.heuristic(one.start) == printed.heuristic(other.start)


def test_the_puzzles_start_from_published_boards() -> None:
    for puzzle, name, number in [
        (fifteen_puzzle(), "korf100", 79),
        (twenty_four_puzzle(), "korf24", 40),
    ]:
        assert puzzle.board_set(name)[number - 1].start == puzzle.start


def test_half_a_turn_twice_is_none() -> None:
    for _, tiles, _ in published("korf100"):
        assert half_turn(half_turn(tiles)) == list(tiles)


@pytest.mark.parametrize("number", [12, 42, 55, 79])
def test_the_easiest_have_the_lengths_of_print(number: int) -> None:
    turned, printed = fifteen_puzzle(), in_print(4)
    expected = published("korf100")[number - 1][2]
    for puzzle in (turned, printed):
        problem = puzzle.with_start(puzzle.board_set("korf100")[number - 1].start)
        assert solve(problem, IDAStar(), engine="compiled").cost == expected


def test_other_boards_and_goals_have_no_sets() -> None:
    for puzzle in [
        eight_puzzle(),
        fifteen_puzzle().with_goal(fifteen_puzzle().start),
        SlidingPuzzle.read(Board.rectangle(2, 8), *["1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0"] * 2),
    ]:
        assert puzzle.board_sets() == {}
    with pytest.raises(UnsuitableError, match="korf100"):
        eight_puzzle().board_set("korf100")
