"""The 2x2x2 cube: packed rules against 24 stickers, texts, symmetries, the bound, certificates."""

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
    Status,
    UsageError,
    VerificationError,
    solve,
)
from searchkit.verify import replay_texts, verify_certificate, verify_solution
from searchkit_cube import Coordinates, Cube2, cube2
from searchkit_cube.corners import ACTIONS, BITS, FIELD, PIECES, SOLVED, pack, unpack
from searchkit_cube.notation import STICKERS, paint
from searchkit_cube.puzzle import twist_of

SOLVED_TEXT = "UUUU RRRR FFFF DDDD LLLL BBBB"
ONE_TWISTED = pack([(0, 1), *((piece, 0) for piece in range(1, 7))])

cubes = st.builds(
    lambda order, twists: pack(list(zip(order, twists, strict=True))),
    st.permutations(range(PIECES)),
    st.lists(st.integers(0, 2), min_size=PIECES, max_size=PIECES),
)
metrics = st.sampled_from(["half", "quarter"])


@given(cubes, cubes, metrics)
def test_turns_are_those_of_stickers(state, goal, metric):
    cube = Cube2(state, goal, metric)
    slow = cube.slow_rules()
    here = slow.parse(cube.format_state(state))
    steps = cube.successors(state)
    assert [(step.action, cube.format_state(step.state)) for step in steps] == [
        (step.action, slow.format_state(step.state)) for step in slow.successors(here)
    ]
    for operator, step in zip(cube.operators(0), steps, strict=True):
        assert cube.action(state, operator) == step.action
        assert cube.apply(step.state, 0, cube.inverse(0, operator)) == state
        assert cube.inverse(0, operator) in cube.operators(0)
    assert cube.is_goal(state) == slow.is_goal(here) == (state == goal)


@given(cubes)
def test_each_corner_moves_by_itself(state):
    cube = Cube2(state)
    for operator in cube.operators(0):
        corners, after = (
            [each >> BITS * piece & FIELD for piece in range(PIECES)]
            for each in (state, cube.apply(state, 0, operator))
        )
        assert [cube.corner_after(corner, operator) for corner in corners] == after


@given(cubes)
def test_texts_are_read_back(state):
    cube = Cube2(SOLVED)
    assert cube.parse(cube.format_state(state)) == state
    assert cube.parse(cube.format_state(state).replace(" ", "").lower()) == state
    assert sorted(cube.render(state)) == sorted(cube.render(SOLVED))


@given(st.lists(st.sampled_from(ACTIONS), min_size=1, max_size=8))
def test_turns_are_read(actions):
    state = SOLVED
    for action in actions:
        state = next(s.state for s in Cube2(state).successors(state) if s.action == action)
    assert Cube2.read(" ".join(actions)).start == state


@pytest.mark.parametrize(
    ("one", "other"), [("L", "R"), ("D", "U"), ("B'", "F'"), ("L' R", "U U'"), ("L R'", "F2 F2")]
)
def test_a_cube_turned_as_a_whole_is_the_same(one, other):
    assert Cube2.read(one).start == Cube2.read(other).start


def test_all_24_ways_to_hold_a_cube_are_read_as_one():
    text = "RRRR DDDD FFFF LLLL UUUU BBBB"  # turned about the front face
    assert Cube2.read(text).start == SOLVED


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the cube is empty; write it like 'UUUU RRRR"),
        ("R U X", "neither 24 stickers nor turns of the faces U, R, F, D, L, B"),
        ("R U3", "neither 24 stickers"),
        ("UUUU RRRR FFFF DDDD LLLL BBBU", "has 5 stickers of colour U; each has 4"),
        ("UUUR URRR FFFF DDDD LLLL BBBB", "has the corner RUF at URF: no cube has it"),
        ("UUUU RRRR FFFF DDDD BBBB LLLL", "has the corner UFB at UFL: no cube has it"),
        ("x" * 200, "xxx..."),
    ],
)
def test_texts_that_are_no_cube(text, message):
    with pytest.raises(ParseError) as caught:
        Cube2.read(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_corner_cannot_be_there_twice():
    """Four corners, each twice, have every colour four times, too."""
    shown = {}
    for place, corner in zip(
        ("URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DRB", "DBL"),
        ("URF", "URF", "ULB", "ULB", "DLF", "DLF", "DRB", "DRB"),
        strict=True,
    ):
        shown |= {(place, face): colour for face, colour in zip(place, corner, strict=True)}
    text = " ".join("".join(shown[place, face] for place in STICKERS[face]) for face in STICKERS)
    with pytest.raises(ParseError, match="has one corner twice and UFL never"):
        Cube2.read(text)


@given(cubes, cubes)
def test_ranks_number_what_can_be_solved(state, goal):
    cube = Cube2(state, goal)
    rank = cube.rank(state)
    assert 0 <= rank < cube.ranks == 3_674_160
    assert (cube.unrank(rank) == state) == (cube.certificate(state) is None)
    assert cube.rank(cube.unrank(rank)) == rank


@given(cubes, cubes)
def test_a_twisted_corner_is_certified_and_checked(state, goal):
    cube = Cube2(state, goal)
    certificate = cube.certificate(state)
    if twist_of(state) == twist_of(goal):
        assert certificate is None
        return
    assert verify_certificate(cube, certificate).finished
    for name in ("start", "goal"):
        data = dict(certificate.data)
        data[name] = (data[name] + 1) % 3
        with pytest.raises(VerificationError):
            verify_certificate(cube, Certificate("twist", "altered", data))
    with pytest.raises(VerificationError):
        verify_certificate(cube.with_start(goal), certificate)


def test_certificates_of_other_kinds_are_refused():
    cube = Cube2(ONE_TWISTED)
    result = solve(cube, AStar())
    assert result.status is Status.UNSOLVABLE
    assert result.certificate.data == {"start": 1, "goal": 0}
    with pytest.raises(VerificationError, match="known: twist"):
        verify_certificate(cube, Certificate("parity", "wrong", {}))
    same = Certificate("twist", "true, but proves nothing", {"start": 0, "goal": 0})
    with pytest.raises(VerificationError, match="agree"):
        verify_certificate(Cube2(SOLVED), same)


@given(cubes)
def test_symmetries_take_turns_to_turns(state):
    cube = Cube2(state)
    symmetries = cube.symmetries()
    assert len(symmetries) == 6
    assert symmetries[0].state_map(state) == state
    steps = {(step.action, step.state) for step in cube.successors(state)}
    for symmetry in symmetries:
        image = symmetry.state_map(state)
        assert {(symmetry.action_map(a), symmetry.state_map(s)) for a, s in steps} == {
            (step.action, step.state) for step in cube.successors(image)
        }
    assert len({symmetry.state_map(Cube2.read("U R'").start) for symmetry in symmetries}) == 6


def test_symmetries_keep_the_goal():
    goal = Cube2.read("U2").start
    kept = Cube2(SOLVED, goal).symmetries()
    assert [symmetry.name for symmetry in kept] == ["identity", "mirror URF to UFR"]
    assert all(symmetry.state_map(goal) == goal for symmetry in kept)


@pytest.mark.parametrize("metric", ["half", "quarter"])
@pytest.mark.parametrize("goal", [SOLVED, ONE_TWISTED, cube2().start])
@given(rank=st.integers(0, Cube2.ranks - 1))
def test_the_bound_is_consistent_and_0_at_the_goal(goal, metric, rank):
    cube = Cube2(SOLVED, goal, metric)
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
            state = rng.choice(Cube2(state, metric=metric).successors(state)).state
        cube = Cube2(state, metric=metric)
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
    cube = Cube2(SOLVED, ONE_TWISTED)
    drawn = {cube.random_state(random.Random(seed)) for seed in range(50)}
    assert len(drawn) == 50
    assert all(cube.certificate(state) is None for state in drawn)
    assert {unpack(state)[0] for state in drawn} >= {(0, 1), (3, 2), (6, 0)}


def test_pictures():
    assert paint(unpack(Cube2.read("R").start)).splitlines()[0] == "    ⬜🟩"
    assert cube2().format_state(cube2("quarter").start) == cube2().format_state(cube2().start)


def test_other_metrics_are_refused():
    with pytest.raises(UsageError, match="metric 'slice' is unknown; use half or quarter"):
        cube2("slice")
