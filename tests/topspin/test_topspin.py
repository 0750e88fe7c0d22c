"""Top-Spin: packed rules against tuples, texts, numbers, what can be reached, the bound."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import AStar, Bidirectional, IDAStar, ParseError, UsageError, solve
from searchkit.certificates import Certificate
from searchkit.errors import VerificationError
from searchkit.explore import explore
from searchkit.verify import replay_texts, verify_certificate, verify_solution
from searchkit_topspin import RingGap, TopSpin, ring, topspin


def made(size, turnstile):
    """The puzzle with all tokens in order."""
    return TopSpin.of(ring(size, turnstile))


def turned(text, place, turnstile):
    """The ring after a turn that begins at a place, counted from 1, as plainly as can be."""
    tokens = text.split()
    cells = [(place - 1 + i) % len(tokens) for i in range(turnstile)]
    after = list(tokens)
    for cell, other in zip(cells, reversed(cells), strict=True):
        after[cell] = tokens[other]
    first = after.index("1")
    return " ".join(after[first:] + after[:first])


@st.composite
def puzzles(draw):
    size = draw(st.integers(4, 16))
    turnstile = 2 * draw(st.integers(1, (size - 2) // 2))
    rings = (draw(st.permutations(range(1, size + 1))) for _ in range(2))
    puzzle = made(size, turnstile)
    start, goal = (puzzle.parse(" ".join(map(str, each))) for each in rings)
    return puzzle.with_start(start).with_goal(goal)


@given(puzzles())
def test_turns_are_those_of_texts(puzzle):
    slow = puzzle.slow_rules()
    text = puzzle.format_state(puzzle.start)
    steps = puzzle.successors(puzzle.start)
    plain = [(place, turned(text, place, puzzle.turnstile)) for place in range(1, puzzle.size + 1)]
    assert [(step.action, puzzle.format_state(step.state)) for step in steps] == plain
    here = slow.parse(text)
    assert [(step.action, slow.format_state(step.state)) for step in slow.successors(here)] == plain
    assert len({step.state for step in steps}) == puzzle.size
    for operator, step in zip(puzzle.operators(0), steps, strict=True):
        assert puzzle.apply(step.state, 0, puzzle.inverse(0, operator)) == puzzle.start
    assert puzzle.is_goal(puzzle.start) == slow.is_goal(here)


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
    if puzzle.size > 14:
        assert puzzle.ranks == 0
        return
    rank = puzzle.rank(puzzle.start)
    assert 0 <= rank < puzzle.ranks
    assert puzzle.unrank(rank) == puzzle.start


@pytest.mark.slow_variants("4-7")
@pytest.mark.parametrize("size", [4, 5, 6, 7])
@pytest.mark.parametrize("turnstile", [2, 4])
def test_whole_spaces(size, turnstile):
    """Every ring is reached but for those of the other parity, which are certified."""
    if turnstile > size - 2:
        return
    puzzle = made(size, turnstile)
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


def test_other_certificates_are_refused():
    puzzle = made(7, 4)
    odd = puzzle.certificate(puzzle.parse("2 1 3 4 5 6 7"))
    assert odd is not None
    for each in (odd, Certificate("twist", "by hand", {})):
        with pytest.raises(VerificationError):
            verify_certificate(puzzle, each)
    even = made(7, 2)
    with pytest.raises(VerificationError):
        verify_certificate(even.with_start(even.parse("2 1 3 4 5 6 7")), odd)


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
    puzzle = made(puzzle.size, puzzle.turnstile).with_start(puzzle.start)
    symmetries = puzzle.symmetries()
    assert len(symmetries) == 2
    assert symmetries[0].name == "identity"
    steps = {(step.action, step.state) for step in puzzle.successors(puzzle.start)}
    for symmetry in symmetries:
        image = symmetry.state_map(puzzle.start)
        assert {(symmetry.action_map(a), symmetry.state_map(s)) for a, s in steps} == {
            (step.action, step.state) for step in puzzle.successors(image)
        }


def test_symmetries_keep_the_goal():
    puzzle = made(8, 4)
    goal = puzzle.parse("1 3 2 4 5 6 7 8")
    assert [each.name for each in puzzle.with_goal(goal).symmetries()] == ["identity"]


def test_every_algorithm_finds_the_same_length():
    rng = random.Random(7)
    for size, turnstile in ((7, 4), (8, 4), (8, 6)):
        puzzle = made(size, turnstile)
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
        made(6, 4).parse(text)
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
