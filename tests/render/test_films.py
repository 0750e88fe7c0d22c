"""Pictures and films: pieces are followed, and what is drawn is the state."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import BreadthFirst, Problem, ProblemError, Solution, Step, solve
from searchkit.capabilities import HasMotion, HasPicture, HasRandomState
from searchkit.picture import Cell, Colour, Phase, Picture, Piece, Shape
from searchkit.registry import Registry
from searchkit.render import film, svg
from searchkit.render.films import Cast, Director
from searchkit.transforms import ChainMoves, MoverState
from searchkit_cube import cube2
from searchkit_pancakes import burnt_pancakes, pancakes
from searchkit_peg import HOPPERS, PegSolitaire, hoppers, peg
from searchkit_sliding import Board, SlidingPuzzle, eight_puzzle, six_puzzle, sliding
from searchkit_topspin import topspin

Names = st.permutations(range(5)).flatmap(
    lambda order: st.integers(0, 5).map(lambda size: tuple(order[:size]))
)


def walk(problem: Any, steps: int, seed: int) -> Solution[Any, Any]:
    """A walk at random, as if it were a solution."""
    rng = random.Random(seed)
    state = start = next(iter(problem.initial_states()))
    taken = []
    for _ in range(steps):
        possible = list(problem.successors(state))
        if not possible:
            break
        taken.append(rng.choice(possible))
        state = taken[-1].state
    return Solution(start, tuple(taken))


def row(names: tuple[int, ...]) -> Picture:
    pieces = [Piece(name, place + 0.5, 0.5, label=str(name)) for place, name in enumerate(names)]
    return Picture(5, 1, pieces)


@given(st.lists(Names, min_size=1))
def test_a_name_is_one_piece_as_long_as_it_is_there(rows):
    director = Director(Cast())
    before: dict[str, int] = {}
    for names in rows:
        frame = director.frame(row(names), "")
        now = {placed.label: placed.role for placed in frame.pieces}
        assert len(set(now.values())) == len(names)
        for name, role in now.items():
            assert before.get(name, role) == role
        assert [(placed.label, placed.x) for placed in frame.pieces] == [
            (str(name), place + 0.5) for place, name in enumerate(names)
        ]
        before = now


def test_a_piece_that_takes_the_name_of_another_remains_itself():
    director = Director(Cast())
    first = director.frame(row((1, 2, 3)), "")
    second = director.frame(row((3, 1)), "", {1: 3, 2: 1})
    roles = {placed.label: placed.role for placed in first.pieces}
    assert [placed.role for placed in second.pieces] == [roles["1"], roles["2"]]
    third = director.frame(row((3, 1, 2)), "")
    assert third.pieces[2].role not in {placed.role for placed in second.pieces}


def test_a_piece_that_comes_to_a_name_is_not_the_one_that_left_it():
    director = Director(Cast())
    (old,) = director.frame(row((1,)), "").pieces
    new, moved = director.frame(row((1, 2)), "", {1: 2}).pieces
    assert (moved.role, new.role == old.role) == (old.role, False)
    director = Director(Cast())
    (old,) = director.frame(row((1,)), "").pieces
    (new,) = director.frame(row((1,)), "", {5: 1}).pieces  # from where there was none
    assert new.role != old.role


def test_films_of_one_cast_share_its_roles():
    cast = Cast()
    for _ in range(2):
        Director(cast).frame(row((1, 2, 3)), "")
    assert len(cast.roles) == 3
    grown = Picture(1, 1, [Piece(1, 0.5, 0.5, width=2)])
    director = Director(cast)
    director.frame(row((1,)), "")
    assert director.frame(grown, "").pieces[0].role == 3  # it looks different


@given(st.integers(0, 12), st.integers(0, 99))
def test_a_chain_of_jumps_moves_one_peg_and_takes_one_a_jump(steps, seed):
    problem = hoppers()
    shown = film(problem, solution := walk(problem, steps, seed))
    pegs = {placed.role for placed in shown.start.pieces}
    before = shown.start
    for shot, step in zip(shown.shots, solution.steps, strict=True):
        assert len(shot.frames) == len(step.action)
        movers = set()
        for frame in shot.frames:
            old = {placed.role: (placed.x, placed.y) for placed in before.pieces}
            new = {placed.role: (placed.x, placed.y) for placed in frame.pieces}
            assert new.keys() < old.keys()
            assert len(old) - len(new) == 1
            (taken,) = old.keys() - new.keys()
            (mover,) = {role for role in new if new[role] != old[role]}
            movers.add(mover)
            middle = [(a + b) / 2 for a, b in zip(old[mover], new[mover], strict=True)]
            assert middle == pytest.approx(old[taken])
            before = frame
        assert len(movers) == 1
        assert movers < pegs


def words_of_pieces(picture: Picture) -> list[str]:
    """The labels row by row, from left to right."""
    order = sorted(picture.pieces, key=lambda piece: (round(piece.y, 3), piece.x))
    return [piece.label for piece in order]


@given(st.integers(0, 10**6))
def test_tiles_are_drawn_where_they_are(seed):
    for problem in (eight_puzzle(), sliding("3x5")):
        state = problem.random_state(random.Random(seed))
        tiles = problem.packing.unpack(state)
        picture = problem.picture(state)
        assert words_of_pieces(picture) == [str(tile) for tile in tiles if tile]
        goal = problem.packing.unpack(problem.goal)
        for piece in picture.pieces:
            home = tiles.index(piece.name) == goal.index(piece.name)
            assert piece.colour is (Colour.ACCENT if home else Colour.PLAIN)


@given(st.integers(0, 10**6))
def test_stickers_are_drawn_where_they_are(seed):
    cube = cube2()
    state = cube.random_state(random.Random(seed))
    up, right, front, down, left, back = cube.format_state(state).split()
    drawn = words_of_pieces(cube.picture(state))
    top = up
    middle = [face[row : row + 2] for row in (0, 2) for face in (left, front, right, back)]
    assert "".join(drawn) == top + "".join(middle) + down
    names = {Colour.WHITE: "U", Colour.RED: "R", Colour.GREEN: "F", Colour.YELLOW: "D",
             Colour.ORANGE: "L", Colour.BLUE: "B"}  # fmt: skip
    assert all(names[piece.colour] == piece.label for piece in cube.picture(state).pieces)


@given(st.integers(0, 10**6))
def test_pancakes_are_drawn_as_they_lie(seed):
    for problem in (pancakes(12), burnt_pancakes(7)):
        state = problem.random_state(random.Random(seed))
        picture = problem.picture(state)
        labels = [
            f"-{piece.label}" if piece.colour is Colour.DARK else piece.label
            for piece in sorted(picture.pieces, key=lambda piece: piece.y)
        ]
        assert " ".join(labels) == problem.format_state(state)
        by_size = sorted(picture.pieces, key=lambda piece: piece.width)
        assert [int(piece.label) for piece in by_size] == list(range(1, len(labels) + 1))


@given(st.integers(0, 10**6))
def test_a_turn_of_a_ring_moves_the_tokens_in_it_and_then_the_ring(seed):
    problem = topspin(9)
    start = problem.random_state(random.Random(seed))
    step = random.Random(seed).choice(problem.successors(start))
    lifted, turned, last = (phase.picture for phase in problem.motion(start, step.action))
    assert set(last.pieces) == set(problem.picture(step.state).pieces)

    def places(picture: Picture) -> dict[Any, tuple[float, float]]:
        return {piece.name: (round(piece.x, 6), round(piece.y, 6)) for piece in picture.pieces}

    assert places(lifted) == places(problem.picture(start))
    moved = {name for name, place in places(turned).items() if place != places(lifted)[name]}
    set_off = {piece.name for piece in lifted.pieces if piece.colour is Colour.ACCENT}
    assert moved == set_off
    assert len(set_off) == problem.turnstile


@pytest.mark.parametrize("board", ["hoppers", "english", "french", "diamond", "wiegleb",
                                   "triangle5"])  # fmt: skip
def test_boards_of_pegs_have_their_shape(board):
    problem = peg(board, model="jumps")
    picture = problem.picture(problem.start)
    places = [(cell.x, cell.y) for cell in picture.cells]
    nearest = min(math.dist(a, b) for i, a in enumerate(places) for b in places[:i])
    assert nearest == pytest.approx(1)
    for jump in problem.board.jumps:
        start, over, land = (places[cell] for cell in jump)
        assert over == pytest.approx([(a + b) / 2 for a, b in zip(start, land, strict=True)])
        if board == "triangle5":
            assert math.dist(start, over) == pytest.approx(1)  # all ways are equally long
    pegs = {(round(piece.x, 6), round(piece.y, 6)) for piece in picture.pieces}
    at_pegs = {(round(x, 6), round(y, 6)) for i, (x, y) in enumerate(places)
               if problem.start >> i & 1}  # fmt: skip
    assert pegs == at_pegs
    (goal,) = problem.goals
    assert [cell.marked for cell in picture.cells] == [
        bool(goal >> cell & 1) for cell in range(len(places))
    ]


def test_a_wheel_is_regular_and_a_ring_of_cells_is_round():
    wheel = six_puzzle()
    places = [(cell.x, cell.y) for cell in wheel.picture(wheel.start).cells]
    assert [math.dist(place, places[3]) for place in places if place != places[3]] == (
        pytest.approx([1.45] * 6))  # fmt: skip
    ring = SlidingPuzzle.read(
        Board("ring", ((1, 4), (0, 2), (1, 3), (2, 4), (3, 0))), "1 2 3 4 0", "1 2 3 4 0"
    )
    cells = ring.picture(ring.start).cells
    middle = [sum(getattr(cell, axis) for cell in cells) / 5 for axis in "xy"]
    assert len({round(math.dist(middle, (cell.x, cell.y)), 6) for cell in cells}) == 1


@pytest.mark.parametrize("entry", Registry.load().puzzles.entries, ids=lambda entry: entry.name)
def test_every_bundled_puzzle_draws_all_it_has(entry):
    problem = entry.create()
    assert isinstance(problem, HasPicture)
    shown = film(problem, walk(problem, 6, 1))
    for frame in (shown.start, *(frame for shot in shown.shots for frame in shot.frames)):
        assert frame.words
        assert frame.pieces is not None
    picture = problem.picture(next(iter(problem.initial_states())))
    for thing in (*picture.cells, *picture.pieces):
        assert thing.x - thing.width / 2 >= 0
        assert thing.x + thing.width / 2 <= picture.width + 1e-9
        assert thing.y - thing.height / 2 >= 0
        assert thing.y + thing.height / 2 <= picture.height + 1e-9
    if isinstance(problem, HasRandomState):
        assert problem.picture(problem.random_state(random.Random(0))).pieces


def test_transforms_draw_what_their_base_draws():
    base = PegSolitaire.single_vacancy(HOPPERS, 6)
    mover = MoverState(base)
    (moved,) = mover.initial_states()
    assert mover.picture(moved) == ChainMoves(base).picture(base.start) == base.picture(base.start)
    step = next(iter(mover.successors(moved)))
    (phase,) = mover.motion(moved, step.action)
    assert phase.renamed == {0: 6}
    assert set(phase.picture.pieces) == set(mover.picture(step.state).pieces)
    plain = Undrawn()
    assert not isinstance(ChainMoves(plain), HasPicture)
    assert not isinstance(MoverState(plain), HasMotion)


class Undrawn(Problem[int, int]):
    def initial_states(self):
        return [3]

    def successors(self, state):
        return [Step(state, state - 1)]

    def is_goal(self, state):
        return state == 0

    def piece_before(self, action):
        return action

    def piece_after(self, action):
        return action - 1

    def format_chain(self, actions):
        return str(actions)

    def render(self, state):
        return "#" * state


class Counting(Undrawn):
    def picture(self, state):
        return Picture(3, 1, [Piece(name, name + 0.5, 0.5) for name in range(state)])


def test_chains_of_a_base_without_motion_are_shown_action_by_action():
    problem = ChainMoves(Counting())
    solution = solve(problem, BreadthFirst()).solution
    (shot,) = film(problem, solution).shots
    assert [len(frame.pieces) for frame in shot.frames] == [2, 1, 0]


def test_what_has_no_picture_is_shown_as_text():
    problem = Undrawn()
    solution = solve(problem, BreadthFirst()).solution
    shown = film(problem, solution)
    frames = [shown.start, *(shot.frames[0] for shot in shown.shots)]
    assert [frame.text for frame in frames] == ["###", "##", "#", ""]
    assert [frame.words for frame in frames] == ["3", "2", "1", "0"]
    told = film(Counting(), solution, text=lambda state: f"at {state}")
    assert told.start.text == "at 3"


def broken(**methods: Any) -> Counting:
    problem = Counting()
    for name, method in methods.items():
        setattr(problem, name, method)
    return problem


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (broken(picture=lambda state: "###"), "picture returned '###'; it must be a Picture"),
        (broken(motion=lambda state, action: []), "must end with the picture of 2"),
        (broken(motion=lambda state, action: [Phase(row((0,)))]), "must end with the picture of 2"),
        (broken(motion=lambda state, action: [4]), "motion gave 4"),
    ],
)
def test_wrong_pictures_are_told(problem, said):
    solution = solve(Undrawn(), BreadthFirst()).solution
    with pytest.raises(ProblemError, match=said):
        film(problem, solution)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Piece("a", "0", 0), "x of a piece is '0'; it must be a number"),
        (lambda: Piece("a", 0, math.nan), "y of a piece is nan; it must be a number"),
        (lambda: Piece("a", 0, 0, width=0), "width of a piece is 0; it must be above 0"),
        (lambda: Piece("a", 0, 0, colour="red"), "colour of a piece is 'red'; it must be a Colour"),
        (lambda: Piece("a", 0, 0, label=3), "label of a piece is 3; it must be a str"),
        (lambda: Cell(True, 0), "x of a cell is True; it must be a number"),
        (lambda: Picture(1, 1, [Piece("a", 0, 0), Piece("a", 1, 0)]), "two pieces .* name 'a'"),
        (lambda: Picture(1, 1, [Cell(0, 0)]), "is among the pieces"),
        (lambda: Picture(-1, 1, []), "width of a picture is -1"),
    ],
)
def test_wrong_values_are_told_at_once(make, said):
    with pytest.raises(ProblemError, match=said):
        make()


def test_an_svg_holds_the_picture():
    picture = Picture(
        2, 1,
        [Piece("t", 1.5, 0.5, label="7", colour=Colour.RED)],
        [Cell(0.5, 0.5, marked=True), Cell(1.5, 0.5, shape=Shape.ROUND, label="x")],
        words="one <tile>",
    )  # fmt: skip
    drawn = svg(picture)
    assert 'viewBox="-0.15 -0.15 2.3 1.3"' in drawn
    assert 'class="piece red" data-role="0" transform="translate(1.5 0.5)"' in drawn
    assert 'aria-label="one &lt;tile&gt;"' in drawn
    assert drawn.count("<ellipse") == 1
    assert drawn.count('class="mark"') == 1
    assert ">7</text>" in drawn
