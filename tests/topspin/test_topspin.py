"""Top-Spin: packed rules against tuples, texts, numbers, what can be reached, the bound."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import (
    AStar,
    Bidirectional,
    Certificate,
    IDAStar,
    ParseError,
    UsageError,
    VerificationError,
    solve,
)
from searchkit.explore import explore
from searchkit.verify import replay_texts, verify_certificate, verify_solution
from searchkit_topspin import RingGap, TopSpin, rings, topspin


@st.composite
def puzzles(draw):
    size = draw(st.integers(4, 16))
    turnstile = 2 * draw(st.integers(1, (size - 2) // 2))
    start, goal = (rings.pack(draw(st.permutations(range(size)))) for _ in range(2))
    return TopSpin(size, turnstile, start, goal)


@given(puzzles())
def test_turns_are_those_of_tuples(puzzle):
    slow = puzzle.slow_rules()
    state = puzzle.start
    here = slow.parse(puzzle.format_state(state))
    steps = puzzle.successors(state)
    assert [(step.action, puzzle.format_state(step.state)) for step in steps] == [
        (step.action, slow.format_state(step.state)) for step in slow.successors(here)
    ]
    assert len({step.state for step in steps}) == puzzle.size
    for operator, step in zip(puzzle.operators(0), steps, strict=True):
        assert puzzle.apply(step.state, 0, puzzle.inverse(0, operator)) == state
    assert puzzle.is_goal(state) == slow.is_goal(here)


@given(puzzles())
def test_each_token_moves_by_itself(puzzle):
    before = rings.unpack(puzzle.start, puzzle.size)
    for operator in puzzle.operators(0):
        after = rings.unpack(puzzle.apply(puzzle.start, 0, operator), puzzle.size)
        for place, token in enumerate(before):
            assert after[puzzle.place_after(place, operator)] == token


@given(puzzles(), st.integers(0, 15))
def test_texts_are_read_from_any_token_on(puzzle, turn):
    text = puzzle.format_state(puzzle.start).split()
    turned = text[turn % puzzle.size :] + text[: turn % puzzle.size]
    assert puzzle.parse(", ".join(turned)) == puzzle.start
    upper, lower = puzzle.render(puzzle.start).splitlines()
    assert len(upper) == len(lower)
    labels = [*upper.strip("╭─╮").split("─"), *lower.strip("╰─╯").split("─")[::-1]]
    assert [label.strip() for label in labels if label.strip()] == text


@given(puzzles())
def test_ranks_number_the_rings(puzzle):
    if puzzle.size > 13:
        assert puzzle.ranks == 0
        return
    rank = puzzle.rank(puzzle.start)
    assert 0 <= rank < puzzle.ranks
    assert puzzle.unrank(rank) == puzzle.start


@pytest.mark.parametrize("size", [4, 5, 6, 7])
@pytest.mark.parametrize("turnstile", [2, 4])
def test_whole_spaces(size, turnstile):
    """Every ring is reached but for those of the other parity, which are certified."""
    if turnstile > size - 2:
        return
    puzzle = TopSpin(size, turnstile)
    found = explore(puzzle)
    assert found.layers == explore(puzzle.slow_rules()).layers
    certified = 0
    for rank in range(puzzle.ranks):
        state = puzzle.unrank(rank)
        assert puzzle.rank(state) == rank
        certificate = puzzle.certificate(state)
        if certificate is not None:
            certified += 1
            assert verify_certificate(puzzle.with_start(state), certificate).finished
    assert found.states == puzzle.ranks - certified
    assert certified == (puzzle.ranks // 2 if (size, turnstile) == (7, 4) else 0)


@given(puzzles())
def test_altered_certificates_are_refused(puzzle):
    goal = Certificate("parity", "by hand", {"start": 0, "goal": 1})
    reason = puzzle.certificate(puzzle.start)
    if reason is None or reason.data != goal.data:
        with pytest.raises(VerificationError):
            verify_certificate(puzzle, goal)
    with pytest.raises(VerificationError, match="known: parity"):
        verify_certificate(puzzle, Certificate("twist", "by hand", {}))


@given(puzzles(), st.randoms(use_true_random=False))
def test_drawn_rings_can_be_solved(puzzle, rng):
    assert puzzle.certificate(puzzle.random_state(rng)) is None


@given(puzzles())
def test_the_bound_is_consistent(puzzle):
    bound = RingGap(puzzle)
    assert bound(puzzle.goal) == 0
    value = bound(puzzle.start)
    assert value == puzzle.heuristic(puzzle.start)
    for step in puzzle.successors(puzzle.start):
        assert abs(bound(step.state) - value) <= 1


@given(puzzles())
def test_symmetries_take_turns_to_turns(puzzle):
    puzzle = TopSpin(puzzle.size, puzzle.turnstile, puzzle.start)
    symmetries = puzzle.symmetries()
    assert [symmetry.name for symmetry in symmetries] == ["identity", "mirror"]
    steps = {(step.action, step.state) for step in puzzle.successors(puzzle.start)}
    for symmetry in symmetries:
        image = symmetry.state_map(puzzle.start)
        assert {(symmetry.action_map(a), symmetry.state_map(s)) for a, s in steps} == {
            (step.action, step.state) for step in puzzle.successors(image)
        }


def test_symmetries_keep_the_goal():
    puzzle = TopSpin(8, 4)
    goal = puzzle.parse("1 3 2 4 5 6 7 8")
    assert [each.name for each in puzzle.with_goal(goal).symmetries()] == ["identity"]


def test_every_algorithm_finds_the_same_length():
    rng = random.Random(7)
    for size, turnstile in ((7, 4), (8, 4), (8, 6)):
        puzzle = TopSpin(size, turnstile)
        for _ in range(3):
            start = puzzle.with_start(puzzle.random_state(rng))
            results = [solve(start, each) for each in (Bidirectional(), AStar(), IDAStar())]
            assert len({result.cost for result in results}) == 1
            for result in results:
                verify_solution(start, result.solution)
                replay_texts(
                    start,
                    start.format_state(start.start),
                    [str(action) for action in result.solution.actions],
                )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 2 3 4 5 7", "'7' is not a token; tokens are 1 to 6, like '1 2 3 4 5 6'"),
        ("1 2 3 4 5 5", "token 5 occurs 2 times; each of 1 to 6 must occur once"),
        ("1 2 3 4 5", "token 6 occurs never"),
        ("", "token 1 occurs never"),
    ],
)
def test_texts_that_are_no_ring(text, message):
    with pytest.raises(ParseError) as caught:
        TopSpin(6, 4).parse(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("size", "turnstile", "message"),
    [
        (3, 2, "use 4 to 16"),
        (17, 4, "use 4 to 16"),
        (8, 3, "use an even number from 2 to 6"),
        (8, 8, "use an even number from 2 to 6"),
        (8, 0, "use an even number from 2 to 6"),
        (8, -2, "use an even number from 2 to 6"),
    ],
)
def test_other_parameters_are_refused(size, turnstile, message):
    with pytest.raises(UsageError, match=message):
        topspin(size, turnstile)
