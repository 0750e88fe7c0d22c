"""Certificates of unsolvable positions: checked by other code, and refused once altered."""

import copy

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from searchkit import AStar, Status, solve
from searchkit.certificates import Certificate
from searchkit.errors import VerificationError
from searchkit.verify import Recheck, verify_certificate
from searchkit_sliding import WHEEL, eight_puzzle
from searchkit_sliding.reachability import is_odd
from tests.support.sliding_bfs import (
    CYCLE,
    EVEN_CYCLE,
    LOLLIPOP,
    PATH,
    RECTANGLES,
    THETA,
    distances,
    puzzles,
    solved,
)

KINDS = ["parity", "closed set", "pagoda"]
SWAPPED = eight_puzzle().with_start(eight_puzzle().parse("123456870"))


def holds(puzzle, certificate):
    try:
        verify_certificate(puzzle, certificate)
    except VerificationError as error:
        return "\n" in str(error)  # it must be one line
    return True


@given(puzzles())
def test_parity_is_certified_and_checked(puzzle):
    certificate = puzzle.certificate(puzzle.start)
    tiles, goal = (puzzle.packing.unpack(state) for state in (puzzle.start, puzzle.goal))
    if is_odd(puzzle.board, tiles, goal):
        assert certificate.kind == "parity"
        assert verify_certificate(puzzle, certificate) == Recheck()
    elif puzzle.board.cells > 4:
        assert certificate is None


def test_data_of_a_parity():
    certificate = SWAPPED.certificate(SWAPPED.start)
    assert certificate.data == {
        "cycles": [[6, 7]],
        "swaps": 1,
        "blank_distance": 0,
        "colours": [0, 1, 0, 1, 0, 1, 0, 1, 0],
    }
    result = solve(SWAPPED, AStar())
    assert (result.status, result.certificate) == (Status.UNSOLVABLE, certificate)


@given(puzzles([CYCLE, PATH, EVEN_CYCLE, LOLLIPOP, THETA, RECTANGLES[0]]))
def test_boards_without_a_theorem(puzzle):
    """Parity where it is enough, else a closed set around the goal, explored again."""
    certificate = puzzle.certificate(puzzle.start)
    reached = distances(puzzle, puzzle.goal)
    assert (certificate is None) == (puzzle.start in reached)
    if certificate is not None and certificate.kind == "closed set":
        data = {"from": "goal", "expanded": len(reached), "algorithm": "bfs", "symmetry": "none"}
        assert certificate.data == data
        assert verify_certificate(puzzle, certificate) == Recheck(len(reached))
        unfinished = verify_certificate(puzzle, certificate, max_expansions=len(reached) - 1)
        assert not unfinished.finished
    elif certificate is not None:
        assert verify_certificate(puzzle, certificate) == Recheck()


def test_the_exceptional_board_has_a_closed_set():
    puzzle = solved(THETA, 0)
    start = puzzle.parse("0132456")
    certificate = puzzle.with_start(start).certificate(start)
    assert certificate.kind == "closed set"
    assert certificate.text == (
        "not in reach: the goal can be reached from 840 positions, and not this one"
    )
    assert verify_certificate(puzzle.with_start(start), certificate) == Recheck(840)
    for changed in ({"expanded": 839}, {"from": "start", "expanded": 841}, {"algorithm": 7}):
        forged = Certificate("closed set", "no", {**certificate.data, **changed})
        assert not holds(puzzle.with_start(start), forged)
    assert not holds(puzzle, certificate)  # solved
    assert not holds(solved(WHEEL, 0).with_start(start), certificate)


# Forgeries


@st.composite
def altered(draw, certificate, cells):
    if draw(st.integers(0, 4)) == 0:
        kind = draw(st.sampled_from([kind for kind in KINDS if kind != certificate.kind]))
        return Certificate(kind, certificate.text, certificate.data)
    data = copy.deepcopy(certificate.data)
    name = draw(st.sampled_from(sorted(data)))
    number = st.integers(-2, cells + 1) | st.integers()
    if name == "cycles":
        cycle = draw(st.lists(number, max_size=3))
        change = draw(st.sampled_from(["more", "less", "turn", "swap", "null"]))
        if change == "more":
            data[name].append(cycle)
        elif change == "less":
            data[name].pop(draw(st.integers(0, len(data[name]) - 1)))
        elif change == "null":
            data[name] = draw(st.sampled_from([None, [None], [["0", 1]], [[0.0, 1]], {}]))
        else:
            one = draw(st.sampled_from(data[name]))
            assume(len(one) > 2)
            if change == "turn":
                one.reverse()
            else:
                one[0], one[1] = one[1], one[0]
    elif name == "colours":
        change = draw(st.sampled_from(["one", "more", "null"]))
        if change == "one":
            cell = draw(st.integers(0, cells - 1))
            data[name][cell] = draw(number)
        else:
            data[name] = None if change == "null" else [*data[name], 0]
    else:
        data[name] = draw(number | st.none() | st.booleans() | st.text())
    if draw(st.integers(0, 9)) == 0:
        data["more"] = 1
    assume(repr(data) != repr(certificate.data))
    return Certificate(certificate.kind, certificate.text, data)


@settings(max_examples=60)
@given(st.data(), puzzles(RECTANGLES))
def test_altered_parities_are_refused(data, puzzle):
    certificate = puzzle.certificate(puzzle.start)
    assume(certificate is not None and certificate.kind == "parity")
    assert not holds(puzzle, data.draw(altered(certificate, puzzle.board.cells)))


@settings(max_examples=80, deadline=None)
@given(st.data(), puzzles(RECTANGLES))
def test_no_parity_holds_where_there_is_a_solution(data, puzzle):
    certificate = puzzle.certificate(puzzle.start)
    assume(certificate is not None and certificate.kind == "parity")
    state = puzzle.start
    for _ in range(data.draw(st.integers(0, 3))):
        state = data.draw(st.sampled_from([step.state for step in puzzle.successors(state)]))
    assert not holds(puzzle.with_goal(state), certificate)
    assert not holds(puzzle.with_goal(state), data.draw(altered(certificate, puzzle.board.cells)))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"cycles": [[6, 7], []], "swaps": 0}, "its cycles do not make the goal of the start"),
        ({"cycles": [[6, 7], [3]]}, "its cycles do not make the goal"),
        ({"cycles": [[6, 7], [7, 6]]}, "its cycles do not make the goal"),
        ({"cycles": [[6, 9]]}, "its cycles do not make the goal"),
        ({"cycles": [[5, 7]]}, "its cycles do not make the goal"),
        ({"swaps": 3}, "its cycles are not made of 3 swaps"),
        ({"blank_distance": 2}, "the blank is 0 cells from its goal cell"),
        ({"colours": [0, 1]}, "it does not give each cell a colour, 0 or 1"),
        ({"colours": [2, 1, 0, 1, 0, 1, 0, 1, 0]}, "it does not give each cell a colour, 0 or 1"),
        ({"colours": [0, 1, 0, 1, 0, 1, 0, 1, 1]}, "the cells 5 and 8 are neighbours of one"),
        ({"colours": None}, "entry 'colours' of its data must be a list of whole numbers"),
    ],
)  # fmt: skip
def test_why_a_forgery_is_refused(changed, message):
    certificate = SWAPPED.certificate(SWAPPED.start)
    forged = Certificate("parity", "no", {**certificate.data, **changed})
    with pytest.raises(VerificationError, match=message):
        verify_certificate(SWAPPED, forged)


def test_an_even_permutation_is_no_reason():
    puzzle = SWAPPED.with_start(SWAPPED.parse("231456780"))
    assert puzzle.certificate(puzzle.start) is None
    data = {**SWAPPED.certificate(SWAPPED.start).data, "cycles": [[0, 1, 2]], "swaps": 2}
    backwards = {**data, "cycles": [[2, 1, 0]]}
    errors = []
    for each in (data, backwards):
        with pytest.raises(VerificationError) as caught:
            verify_certificate(puzzle, Certificate("parity", "no", each))
        errors.append(str(caught.value))
    assert sorted(errors) == [
        "2 swaps agree with the way of the blank to its goal cell",
        "its cycles do not make the goal of the start",
    ]


def test_another_kind_is_refused():
    with pytest.raises(
        VerificationError, match="'pagoda' is not a kind of certificate here; known: "
    ):
        verify_certificate(SWAPPED, Certificate("pagoda", "no"))
