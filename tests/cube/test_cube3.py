"""The 3x3x3 cube: its file against 54 stickers in space that share no code with it."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Limits, ParseError, solve
from searchkit.explore import explore
from searchkit.verify import verify_certificate
from searchkit_cube import cube3
from tests.support import cube_stickers

TURNS = ["", "2", "'"]
WORDS = st.lists(
    st.tuples(st.sampled_from(sorted(cube_stickers.LAYERS)), st.sampled_from(TURNS)).map("".join),
    max_size=12,
).map(" ".join)
FACE_TURNS = st.lists(
    st.tuples(st.sampled_from("URFDLB"), st.sampled_from(TURNS)).map("".join), max_size=30
).map(" ".join)
CUBE = cube3()


def stickers(state):
    return CUBE.format_state(state).replace(" ", "")


@given(WORDS)
@settings(max_examples=30)
def test_moves_do_what_they_do_to_stickers(moves):
    shown = cube_stickers.play(moves)
    state = CUBE.parse(moves or "U4")
    assert stickers(state) == cube_stickers.held(shown)


@given(FACE_TURNS, st.permutations("WYORGB123456abcdef").map(lambda each: each[:6]))
@settings(max_examples=40)
def test_stickers_are_read_by_any_names_of_the_colours(moves, names):
    shown = cube_stickers.play(moves)
    state = CUBE.parse(shown)
    assert stickers(state) == shown
    assert CUBE.parse(CUBE.format_state(state)) == state
    assert CUBE.parse(shown.translate(str.maketrans("URFDLB", "".join(names)))) == state


@given(st.permutations("URFDLB"))
@settings(max_examples=10)
def test_centres_name_the_faces(faces):
    renamed = str.maketrans("URFDLB", "".join(faces))
    moved = cube_stickers.play("R U F'")
    assert CUBE.parse(moved.translate(renamed)) == CUBE.parse("R U F'")


@pytest.mark.parametrize("metric", ["half", "quarter"])
def test_the_steps_are_the_turns_of_the_metric(metric):
    cube = cube3(metric)
    turns = TURNS if metric == "half" else ["", "'"]
    assert {step.action: cube.format_state(step.state) for step in cube.successors(cube.start)} == {
        face + turn: cube.format_state(cube.parse(f"U D' R L' F B' U D' {face}{turn}"))
        for face in "URFDLB"
        for turn in turns
    }


@given(st.integers(0, 2**32))
@settings(max_examples=5)
def test_solutions_solve_the_stickers(seed):
    rng = random.Random(seed)
    start = CUBE.parse(" ".join(rng.choice("URFDLB") + rng.choice(TURNS) for _ in range(5)))
    result = solve(CUBE.with_start(start), engine="reference")
    assert cube_stickers.play(" ".join(result.actions), stickers(start)) == cube_stickers.SOLVED
    assert result.optimal
    assert result.cost <= 5


def exchanged(*spots):
    """The solved cube with some stickers passed on from one spot to the one before."""
    shown = list(cube_stickers.SOLVED)
    for spot, other in zip(spots, spots[1:] + spots[:1], strict=True):
        shown[spot] = cube_stickers.SOLVED[other]
    return "".join(shown)


@pytest.mark.parametrize(
    ("shown", "message"),
    [
        (cube_stickers.SOLVED[:-1], "has 53 stickers; 3x3x3 has 54: 9 of U"),
        (cube_stickers.SOLVED[:-1] + "U", "10 stickers of U; there are 9"),
        (cube_stickers.SOLVED[:-1] + "x", "no face is called x; faces are U R F D L B"),
        ("1" * 9 + cube_stickers.SOLVED[9:53] + "1", "10 stickers of 1; there are 9"),
        (cube_stickers.SOLVED.replace("B", "F"), "in the middle of F and of B are both F"),
        (exchanged(8, 9, 26), "corners: URF shows R F F, and no piece has these colours"),
        (exchanged(8, 9), "corners: URF shows R U F, which are the colours of a piece in a mirror"),
        (
            exchanged(8, 9, 26).translate(str.maketrans("URF", "123")),
            "corners: URF shows 2 3 3, and",
        ),
        (exchanged(10, 25), "edges: UR and UF show the piece UF, and no place shows UR"),
    ],
)
def test_what_is_no_cube_is_told(shown, message):
    with pytest.raises(ParseError) as error:
        CUBE.parse(shown)
    assert message in str(error.value)


HALF = (1, 18, 243, 3240, 43239, 574908, 7618438, 100803036, 1332343288)
QUARTER = (1, 12, 114, 1068, 10011, 93840, 878880, 8221632, 76843595)


@pytest.mark.parametrize(("metric", "layers"), [("half", HALF[:6]), ("quarter", QUARTER[:7])])
def test_first_layers(metric, layers):
    """T. Rokicki, H. Kociemba, M. Davidson and J. Dethridge, 2010."""
    limits = Limits(cost=len(layers) - 1)
    assert explore(cube3(metric), engine="compiled", limits=limits).layers == layers


@pytest.mark.slow
@pytest.mark.parametrize(
    ("metric", "layers", "symmetry"),
    [("half", HALF, "auto"), ("half", HALF[:8], "none"), ("quarter", QUARTER, "none")],
)
def test_more_layers(metric, layers, symmetry):
    """In 3 GB."""
    limits = Limits(cost=len(layers) - 1)
    found = explore(cube3(metric), engine="compiled", symmetry=symmetry, limits=limits)
    assert found.layers == layers


@pytest.mark.parametrize(
    ("shown", "sum_of", "guilty"),
    [
        (exchanged(8, 9, 20), "turns of corners", "the piece at URF is turned"),
        (exchanged(5, 10), "turns of edges", "the piece at UR is turned"),
        (exchanged(10, 19), "parity of corners and parity of edges", "two pieces are exchanged"),
    ],
)
def test_what_no_moves_reach_is_proved(shown, sum_of, guilty):
    state = CUBE.parse(shown)
    certificate = CUBE.certificate(state)
    assert certificate.text.startswith(f"{sum_of} add up to ")
    assert certificate.text.endswith(f"every move adds 0; perhaps {guilty}")
    assert verify_certificate(CUBE.with_start(state), certificate).finished


def test_random_cubes_are_solvable_and_differ():
    rng = random.Random(1)
    states = {CUBE.random_state(rng) for _ in range(20)}
    assert len(states) == 20
    assert all(CUBE.certificate(state) is None for state in states)
