"""Pictures of puzzles: unfolded where a definition has facelets, else orbits as rows of pieces."""

from importlib.resources import files

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit.errors import ParseError
from searchkit.picture import Colour
from searchkit.pieces import Face, Facelets, Pieces, Sticker, read_definition
from searchkit.pieces.pictures import in_colours
from tests.support import cube_stickers
from tests.support.piece_puzzles import pyraminx

CUBE2 = Pieces.of(read_definition((files("searchkit_cube") / "cube2.tws").read_text()))
CUBE3 = Pieces.of(read_definition((files("searchkit_cube") / "cube3.tws").read_text()))


def test_a_cube_is_unfolded():
    state = CUBE2.parse("R U' F2 L")
    assert CUBE2.format_state(state) == "FFBL BLRD DULB UUDR URLF DRFB"
    assert CUBE2.render(state).splitlines() == [
        "      ┌─────┐",
        "      │ F F │",
        "      │ B L │",
        "┌─────┼─────┼─────┬─────┐",
        "│ U R │ D U │ B L │ D R │",
        "│ L F │ L B │ R D │ F B │",
        "└─────┼─────┼─────┴─────┘",
        "      │ U U │",
        "      │ D R │",
        "      └─────┘",
    ]
    assert in_colours(CUBE2, state).splitlines() == [
        "    🟩🟩",
        "    🟦🟧",
        "⬜🟥🟨⬜🟦🟧🟨🟥",
        "🟧🟩🟧🟦🟥🟨🟩🟦",
        "    ⬜⬜",
        "    🟨🟥",
    ]


@given(st.permutations("URFDLB").map("".join), st.sampled_from(["", "y", "y2", "y'"]))
@settings(max_examples=20)
def test_a_cube_without_centres_may_be_held_in_any_way(faces, spin):
    """Stickers of corners alone, as the independent model has them, give one state."""
    tilt = {"U": "", "R": "z'", "F": "x", "D": "x2", "L": "z", "B": "x'"}[faces[0]]
    moved = cube_stickers.play("R U2 F'")
    shown = cube_stickers.play(f"{tilt} {spin}", moved)
    corners = "".join(shown[9 * face + i] for face in range(6) for i in (0, 2, 6, 8))
    assert CUBE2.parse(corners) == CUBE2.parse("R U2 F'")


@given(st.lists(st.sampled_from("URFDLB"), max_size=8).map(" ".join))
@settings(max_examples=10)
def test_a_drawing_shows_the_stickers_and_follows_them(moves):
    state = CUBE3.parse(moves or "U4")
    before, after = CUBE3.picture(state), CUBE3.picture(CUBE3.apply(state, 0, 0))
    assert "".join(piece.label for piece in before.pieces) == cube_stickers.play(moves)
    paint = {piece.name: (piece.label, piece.colour) for piece in before.pieces}
    assert {piece.name: (piece.label, piece.colour) for piece in after.pieces} == paint
    where = {piece.name: (piece.x, piece.y) for piece in before.pieces}
    moved = [p.name for p in after.pieces if where[p.name] != (p.x, p.y)]
    assert len(moved) == 8 + 12  # U: the face but its centre, and a row of each of four others
    assert before.words.startswith(f"up {cube_stickers.play(moves)[:9]}, right ")


def test_what_does_not_matter_is_blank():
    cross = Pieces.of(CUBE3.definition.only({"edges": [4, 5, 6, 7]}))
    state = cross.parse("R U F")
    text = cross.format_state(state)
    assert text == "....U.... ....R.... ...FF..D. .R.DD..D. ....LD.L. ....B..B."
    assert cross.parse(text) == cross.parse(cube_stickers.play("R U F")) == state
    assert {p.colour for p in cross.picture(state).pieces if not p.label} == {Colour.PLAIN}


def test_a_puzzle_without_facelets_is_drawn_as_rows():
    puzzle = Pieces.of(pyraminx())
    state = puzzle.parse("a")
    first, second = puzzle.render(state).splitlines()
    assert (first.split(), second.split()) == (
        [puzzle.definition.orbits[0].name, "0+1", "1", "2", "3"],
        [puzzle.definition.orbits[1].name, *puzzle.format_state(state).split()[7:]],
    )
    picture = puzzle.picture(state)
    assert picture.words == puzzle.format_state(state)
    solved = [piece.label for piece in picture.pieces if piece.colour is Colour.ACCENT]
    assert solved == ["1", "2", "3", *[p for i, p in enumerate(second.split()[1:]) if p == f"{i}"]]


def test_pieces_that_look_alike_are_written_where_stickers_do_not_tell():
    """Stickers of one colour on different pieces."""
    orbit = CUBE2.definition.orbits[0].name
    one = Facelets([Face("a")], {orbit: [[Sticker("a", place, 0)] for place in range(8)]})
    puzzle = Pieces.of(attrs.evolve(CUBE2.definition, facelets=one))
    assert puzzle.format_state(puzzle.start) == "0 1 2 3 4 5 6 7"
    with pytest.raises(ParseError, match="corners: a shows a, which several pieces do"):
        puzzle.parse("aaaaaaaa")
