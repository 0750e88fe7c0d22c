"""The 2x2x2 cube: packed rules against 24 stickers, texts, symmetries, the bound, certificates."""

import random

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import AStar, Bidirectional, IDAStar, ParseError, Status, UsageError, solve
from searchkit.certificates import Certificate
from searchkit.errors import VerificationError
from searchkit.pieces import Pieces
from searchkit.pieces.pictures import in_colours
from searchkit.verify import replay_texts, verify_certificate, verify_solution
from searchkit_cube import Coordinates, cube2
from tests.support import cube_stickers

CUBE = cube2()
SOLVED = CUBE.goal
SOLVED_TEXT = "UUUU RRRR FFFF DDDD LLLL BBBB"
ONE_TWISTED = CUBE.parse("UUUF URRR FRFF DDDD LLLL BBBB")
TURNS = {"half": ["", "2", "'"], "quarter": ["", "'"]}
METRICS = {metric: cube2(metric) for metric in TURNS}
MOVING = 7
"""How many corners move; the last one is held."""

cubes = st.builds(
    lambda order, twists: CUBE.pack((((*zip(order, twists, strict=True), (MOVING, 0))),)),
    st.permutations(range(MOVING)),
    st.lists(st.integers(0, 2), min_size=MOVING, max_size=MOVING),
)
metrics = st.sampled_from(["half", "quarter"])


def cube_between(start, goal=SOLVED, metric="half"):
    return METRICS[metric].with_start(start).with_goal(goal)


def twist_of(state):
    return sum(turned for _, turned in CUBE.unpack(state)[0]) % 3


def corners_of(shown):
    """The stickers of the corners of a 3x3x3 cube."""
    return " ".join("".join(shown[9 * face + i] for i in (0, 2, 6, 8)) for face in range(6))


def with_corners(text):
    """The 3x3x3 cube that has these corners, and is solved elsewhere."""
    shown = list(cube_stickers.SOLVED)
    for face, stickers in enumerate(text.split()):
        for i, letter in zip((0, 2, 6, 8), stickers, strict=True):
            shown[9 * face + i] = letter
    return "".join(shown)


@given(cubes, cubes, metrics)
def test_turns_are_those_of_stickers(state, goal, metric):
    cube = cube_between(state, goal, metric)
    slow = cube.slow_rules()
    here = slow.parse(cube.format_state(state))
    steps = cube.successors(state)
    shown = with_corners(cube.format_state(state))
    turns = [face + turn for face in "URF" for turn in TURNS[metric]]
    found = [(step.action, cube.format_state(step.state)) for step in steps]
    assert found == [(turn, corners_of(cube_stickers.play(turn, shown))) for turn in turns]
    assert found == [(step.action, slow.format_state(step.state)) for step in slow.successors(here)]
    for operator, step in zip(cube.operators(0), steps, strict=True):
        assert cube.action(state, operator) == step.action
        assert cube.apply(step.state, 0, cube.inverse(0, operator)) == state
        assert cube.inverse(0, operator) in cube.operators(0)
    assert cube.is_goal(state) == slow.is_goal(here) == (state == goal)


@given(cubes)
def test_texts_are_read_back(state):
    assert CUBE.parse(CUBE.format_state(state)) == state
    assert CUBE.parse(CUBE.format_state(state).replace(" ", "").lower()) == state
    assert sorted(CUBE.render(state)) == sorted(CUBE.render(SOLVED))


@given(st.lists(st.sampled_from(CUBE.layout.labels), min_size=1, max_size=8))
def test_turns_are_read(actions):
    state = SOLVED
    for action in actions:
        state = next(s.state for s in CUBE.successors(state) if s.action == action)
    assert CUBE.parse(" ".join(actions)) == CUBE.parse(" ".join(actions).lower()) == state


@pytest.mark.parametrize(
    ("one", "other"), [("L", "R"), ("D", "U"), ("B'", "F'"), ("L' R", "U U'"), ("L R'", "F2 F2")]
)
def test_a_cube_turned_as_a_whole_is_the_same(one, other):
    assert CUBE.parse(one) == CUBE.parse(other)


def test_all_24_ways_to_hold_a_cube_are_read_as_one():
    text = "RRRR DDDD FFFF LLLL UUUU BBBB"  # turned about the front face
    assert CUBE.parse(text) == SOLVED


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the state is empty; write stickers"),
        ("R U X", "'X' is not a move of 2x2x2; moves are U R F"),
        ("R U.3", "'U.3' is not a move"),
        ("UUUU RRRR FFFF DDDD LLLL BBBU", "5 stickers of U; there are 4"),
        ("UUUR URRR FFFF DDDD LLLL BBBB", "URF shows R U F, which are the colours of a piece in"),
        ("UUUU RRRR FFFF DDDD BBBB LLLL", "UFL shows U F B, and no piece has these colours"),
        ("UUUU RRRR FFFF DDDD LLBL BBBL", "DBL shows D L B, which are the colours of a piece in a"),
        ("x" * 200, "xxx..."),
    ],
)
def test_texts_that_are_no_cube(text, message):
    with pytest.raises(ParseError) as caught:
        CUBE.parse(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_corner_cannot_be_there_twice():
    """Four corners, each twice, have every colour four times, too."""
    with pytest.raises(ParseError, match="URF and UFL show the piece URF, and no place shows UFL"):
        CUBE.parse("UUUU RBFR RFFL DDDD LFBL LBBR")


def test_the_corner_that_is_held_must_come_home():
    """Without rotations it cannot, and the cube is not the one that it seems to be."""
    bare = Pieces.of(attrs.evolve(CUBE.definition, rotations=(), words={}))
    assert bare.parse(SOLVED_TEXT) == SOLVED
    with pytest.raises(ParseError, match="the piece of DBL, which never moves, is elsewhere"):
        bare.parse("RRRR DDDD FFFF LLLL UUUU BBBB")


@given(cubes, cubes)
def test_ranks_number_what_can_be_solved(state, goal):
    cube = cube_between(state, goal)
    rank = cube.rank(state)
    assert 0 <= rank < cube.ranks == 3_674_160
    assert (cube.unrank(rank) == state) == (cube.certificate(state) is None)
    assert cube.rank(cube.unrank(rank)) == rank


@given(cubes, cubes)
def test_a_twisted_corner_is_certified_and_checked(state, goal):
    cube = cube_between(state, goal)
    certificate = cube.certificate(state)
    if twist_of(state) == twist_of(goal):
        assert certificate is None
        return
    assert verify_certificate(cube, certificate).finished
    for name, value in (("modulus", 2), ("sum", 0), ("sum", 3 - certificate.data["sum"])):
        data = {**certificate.data, name: value}
        with pytest.raises(VerificationError):
            verify_certificate(cube, Certificate(certificate.kind, "altered", data))
    with pytest.raises(VerificationError):
        verify_certificate(cube.with_start(goal), certificate)


def test_certificates_of_other_kinds_are_refused():
    cube = cube_between(ONE_TWISTED)
    result = solve(cube, AStar())
    assert result.status is Status.UNSOLVABLE
    assert result.certificate.text.endswith("perhaps the piece at URF is turned")
    with pytest.raises(VerificationError, match="known: pieces of other places, sum of"):
        verify_certificate(cube, Certificate("parity", "wrong", {}))


@given(cubes)
def test_symmetries_take_turns_to_turns(state):
    cube = cube_between(state)
    symmetries = cube.symmetries()
    assert len(symmetries) == 6
    assert symmetries[0].state_map(state) == state
    steps = {(step.action, step.state) for step in cube.successors(state)}
    for symmetry in symmetries:
        image = symmetry.state_map(state)
        assert {(symmetry.action_map(a), symmetry.state_map(s)) for a, s in steps} == {
            (step.action, step.state) for step in cube.successors(image)
        }
    assert len({symmetry.state_map(CUBE.parse("U R'")) for symmetry in symmetries}) == 6


def test_symmetries_keep_the_goal():
    goal = CUBE.parse("U2")
    kept = cube_between(SOLVED, goal).symmetries()
    assert [symmetry.name for symmetry in kept] == ["identity", "mirror U to U', R to F', F to R'"]
    assert all(symmetry.state_map(goal) == goal for symmetry in kept)


@pytest.mark.parametrize("metric", ["half", "quarter"])
@pytest.mark.parametrize("goal", [SOLVED, ONE_TWISTED, CUBE.start])
@given(rank=st.integers(0, CUBE.ranks - 1))
def test_the_bound_is_consistent_and_0_at_the_goal(goal, metric, rank):
    cube = cube_between(SOLVED, goal, metric)
    bound = Coordinates(cube)
    state = cube.unrank(rank)
    assert bound(goal) == 0
    assert bound(state) == cube.heuristic(state)
    for step in cube.successors(state):
        assert abs(bound(step.state) - bound(state)) <= 1


@pytest.mark.parametrize("metric", ["half", "quarter"])
def test_every_algorithm_finds_the_same_length(metric):
    rng = random.Random(metric)
    for moves in (0, 3, 5, 6):
        state = SOLVED
        for _ in range(moves):
            state = rng.choice(METRICS[metric].successors(state)).state
        cube = cube_between(state, metric=metric)
        results = [solve(cube, each) for each in (Bidirectional(), AStar(), IDAStar())]
        assert len({result.cost for result in results}) == 1
        assert cube.heuristic(state) <= results[0].cost <= moves
        for result in results:
            verify_solution(cube, result.solution)
            replay_texts(
                cube,
                cube.format_state(state),
                result.solution.actions,
                [cube.format_state(each) for each in result.solution.states],
            )


def test_drawn_states_can_be_solved():
    cube = cube_between(SOLVED, ONE_TWISTED)
    drawn = {cube.random_state(random.Random(seed)) for seed in range(50)}
    assert len(drawn) == 50
    assert all(cube.certificate(state) is None for state in drawn)
    assert {(state & 7, state >> 3 & 3) for state in drawn} >= {(0, 1), (3, 2), (6, 0)}


def test_pictures():
    assert in_colours(CUBE, CUBE.parse("R")).splitlines()[0] == "    ⬜🟩"
    assert CUBE.format_state(cube2("quarter").start) == CUBE.format_state(CUBE.start)


def test_other_metrics_are_refused():
    with pytest.raises(UsageError, match="metric 'slice' is not known; known: half, quarter"):
        cube2("slice")
