"""Definitions in files: what is read is what was written, and what is wrong is named."""

import json
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import searchkit
from searchkit.errors import ParseError, UsageError
from searchkit.interop.gymnasium import puzzle_env
from searchkit.pieces import (
    Change,
    Definition,
    Move,
    Orbit,
    format_pattern,
    parse_pattern,
    read,
    read_definition,
    read_sequence,
    read_states,
    write_kpuzzle,
    write_tws,
)
from searchkit.pieces.notation import read_state
from searchkit.pieces.patterns import after, solved
from tests.support.piece_puzzles import cube2, cube3, cubes, m24, pyraminx, skewb

WORDS = st.text(string.ascii_letters + string.digits + "_-", min_size=1, max_size=5).filter(
    lambda word: (
        not word.endswith("v") and word not in ("x", "y", "z", "End") and not word.isdecimal()
    )
)


LIKE_PIECES = st.sampled_from(["0", "1", "2", "3", "12", "1+1", "2?", "R", "R2", "S"])


@st.composite
def definitions(draw, *, whole=False, words=WORDS):
    names = draw(st.lists(words, min_size=1, max_size=3, unique=True))
    orbits = []
    for name in names:
        places, orientations = draw(st.integers(1, 5)), draw(st.sampled_from((1, 2, 3, 4)))
        moduli = [m for m in range(1, 5) if orientations % m == 0]
        if whole:
            moduli = [1, orientations]
        listed = {"min_size": places, "max_size": places}
        orbits.append(
            Orbit(
                name,
                places,
                orientations,
                draw(st.lists(st.integers(0, 6), **listed)),
                draw(st.lists(st.integers(0, orientations - 1), **listed)),
                draw(st.lists(st.sampled_from(moduli), **listed)),
            )
        )

    def changes():
        return {
            orbit.name: Change(
                draw(st.permutations(range(orbit.places))),
                [draw(st.integers(0, orbit.orientations - 1)) for _ in range(orbit.places)],
                orbit.orientations,
            )
            for orbit in orbits
            if draw(st.booleans())
        }

    moves = draw(st.lists(words, min_size=1, max_size=3, unique=True))
    rotations = draw(st.lists(st.sampled_from(["x", "y", "z", "Uv", "tv"]), unique=True))
    return Definition(
        draw(WORDS),
        orbits,
        [Move(name, changes()) for name in moves],
        [Move(name, changes()) for name in rotations],
    )


@given(definitions(whole=True))
def test_texts_come_back(definition):
    assert read_definition(write_tws(definition)) == definition


@given(definitions())
def test_json_comes_back(definition):
    assert read_definition(write_kpuzzle(definition)) == definition
    assert (
        read_definition(json.dumps(json.loads(write_kpuzzle(definition)), indent=1)) == definition
    )


@given(definitions(), st.data())
def test_patterns_come_back(definition, data):
    pattern = solved(definition)
    for move in data.draw(st.lists(st.sampled_from(definition.moves), max_size=3)):
        pattern = after(definition, pattern, definition.motion(move))
    assert parse_pattern(definition, format_pattern(definition, pattern)) == pattern


@given(definitions(words=LIKE_PIECES), st.data())
def test_states_and_actions_come_back_whatever_their_names(definition, data):
    pattern = solved(definition)
    for move in data.draw(st.lists(st.sampled_from(definition.moves), max_size=3)):
        pattern = after(definition, pattern, definition.motion(move))
    assert read_state(definition, format_pattern(definition, pattern)) == pattern
    steps = {step.name: step.motion for step in definition.steps}
    assert len(steps) == len(definition.steps)
    for name, motion in steps.items():
        assert definition.seen(read_sequence(definition, name)) == motion


@pytest.mark.parametrize(
    ("orbit", "text", "same"),
    [
        ("A", "0 2 1", "A 0 2 1"),  # pieces, though these are moves as well
        ("A", "(0 1 2)", "2 0 1"),
        ("A", "0 2", "1 0 2"),  # not as many as there are places
        ("0", "0 0 2 1", "0 2 1"),
        ("0", "0", "1 2 0"),
    ],
)
def test_what_could_be_pieces_or_moves_is_pieces(orbit, text, same):
    turns = [("0", (1, 2, 0)), ("1", (1, 0, 2)), ("2", (0, 2, 1))]
    moves = [Move(name, {orbit: Change(sources)}) for name, sources in turns]
    named = Definition("p", [Orbit(orbit, 3)], moves)
    assert format_pattern(named, read_state(named, text)) == same.removeprefix("A ")


def test_pieces_are_not_taken_for_moves_because_one_is_there_twice():
    named = Definition("p", [Orbit("A", 3)], [Move(name, {}) for name in "012"])
    with pytest.raises(ParseError, match="piece 2 2 times"):
        read_state(named, "0 2 2")


def test_the_largest_number_of_a_piece_in_a_file_comes_back():
    orbit = Orbit("A", 2, pieces=(0, (1 << 30) - 1))
    named = Definition("p", [orbit], [Move("R", {"A": Change((1, 0))})])
    assert read_definition(write_kpuzzle(named)) == named
    assert read_state(named, format_pattern(named, solved(named))) == solved(named)


def test_a_move_may_be_called_like_an_orbit():
    changes = {"R": Change((1, 2, 0))}
    named = Definition("p", [Orbit("R", 3), Orbit("S", 2)], [Move("R", changes), Move("S", {})])
    turned = read_state(named, "R")
    assert format_pattern(named, turned) == "R 1 2 0 / S 0 1"
    assert read_state(named, "R 1 2 0/S 0 1") == read_state(named, "S R") == turned


@pytest.mark.parametrize("make", [cube2, pyraminx, skewb, m24, lambda: cubes(4)])
def test_known_puzzles_come_back(make, tmp_path):
    definition = make()
    for name, write in (("a.tws", write_tws), ("b.json", write_kpuzzle)):
        file = tmp_path / name
        file.write_text(write(definition))
        assert read(file) == definition


SMALL = """# Two rings of three with a place in common; a twist goes round.
Name Rings
Set SPOT 5 3   # places, orientations
Set LID 2
Solved
LID
2 2
End
Move A
SPOT
2 3 1
4 5
1 0 2 0 0
End
Move B
LID
2 1
SPOT
1 2 4 5 3
End
Move y
SPOT
5 4 3 2 1
End
MoveSequence C A y A'
"""


def test_a_text():
    rings = read_definition(SMALL)
    assert rings.name == "Rings"
    assert rings.orbits == (Orbit("SPOT", 5, 3), Orbit("LID", 2, 1, (1, 1)))
    assert [move.name for move in rings.moves] == ["A", "B", "C"]
    assert [move.name for move in rings.rotations] == ["y"]
    # The piece of the first place is turned by 1, and arrives in the third.
    change = rings.moves[0].changes["SPOT"]
    assert change.arrived()[:3] == ((2, 1), (0, 0), (1, 2))
    assert change.turns == (0, 2, 1, 0, 0)
    assert rings.motion(rings.moves[2]) == read_sequence(rings, "A y A'")
    assert format_pattern(rings, after(rings, solved(rings), read_sequence(rings, "A"))) == (
        "SPOT 1 2+2 0+1 3 4 / LID 1 1"
    )


LATER = """Name Later
Set A 3 2
StartState
A
0 1 2
0 ? 1
End
MoveTransformation R
A
1 2 0
0 1 0
End
"""


def test_a_text_of_later_programs():
    found = read_definition(LATER)
    assert found.orbits[0] == Orbit("A", 3, 2, (0, 1, 2), (0, 0, 1), (2, 1, 2))
    assert found.moves[0].changes["A"] == Change((1, 2, 0), (0, 1, 0), 2)


KPUZZLE = """{
  "name": "small",
  "orbits": [{"orbitName": "E", "numPieces": 3, "numOrientations": 2}],
  "defaultPattern": {
    "E": {"pieces": [0, 1, 1], "orientation": [0, 0, 1], "orientationMod": [0, 1, 1]}
  },
  "moves": {
    "U": {"E": {"permutation": [1, 2, 0], "orientationDelta": [0, 1, 0]}},
    "x": {"E": {"permutation": [0, 2, 1]}}
  },
  "derivedMoves": {"D": "[x: L]", "L": "U2", "Uv": "x"},
  "experimentalPuzzleDescription": {}
}
"""


def test_json():
    small = read_definition(KPUZZLE)
    assert small.orbits[0] == Orbit("E", 3, 2, (0, 1, 1), (0, 0, 0), (2, 1, 1))
    assert [move.name for move in small.moves] == ["U", "L", "D"]
    assert [move.name for move in small.rotations] == ["x", "Uv"]
    assert small.motion(small.moves[2]) == read_sequence(small, "x U2 x'")


def test_json_whose_solved_state_is_left_out():
    whole = json.loads(KPUZZLE)
    del whole["defaultPattern"]
    assert read_definition(json.dumps(whole)).orbits == (Orbit("E", 3, 2),)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Set SPOT 5 3", "Set SPOT", "line 3: write a name, the number of places and that of"),
        ("Set SPOT 5 3", "Set SPOT five 3", "line 3: write a name"),
        ("Set SPOT 5 3", "Set SPOT 0 3", "line 3: orbit SPOT has 0 places"),
        ("Set SPOT 5 3", "Set SPOT 5 99", "line 3: orbit SPOT has 99 orientations"),
        (
            "Set SPOT 5 3",
            "\n".join(f"Set S{i} 1 1" for i in range(2000)),
            "line 1003: there are more than 1,000 sets",
        ),
        ("Set SPOT 5 3", "Set SPOT 99999 3", "line 3: the sets have more than 20,000 places"),
        ("Set LID 2", "Set SPOT 2", "line 4: set SPOT is there twice"),
        (
            "Set LID 2\n",
            "",
            "line 5: 'LID' is neither the name of a set nor numbers; known sets: SP",
        ),
        ("2 2\nEnd", "2 2 2\nEnd", "line 6: set LID has 2 places; write 2 numbers for the pieces"),
        ("2 2\nEnd", "2 0\nEnd", "line 7: piece 0 must be a number from 1"),
        ("2 2\nEnd", "2 ?\nEnd", "line 7: '?' stands for a piece; it may stand for orientations"),
        ("2 2\nEnd", "2 2\n0 1\nEnd", "line 8: orientation 1 must be a number from 0 to 0"),
        ("2 2\nEnd", "2 2", "line 8: 'Move A' is neither the name of a set nor numbers"),
        ("2 3 1\n4 5", "2 3 1\n4 6", "line 12: place 6 must be a number from 1 to 5"),
        ("2 3 1\n4 5", "2 3 1\n4 4", "line 12: the piece of place 4 goes to two places"),
        ("1 0 2 0 0", "1 0 3 0 0", "line 13: turn 3 must be a number from 0 to 2"),
        ("1 0 2 0 0", "1 0 ? 0 0", "line 13: '?' stands for a turn"),
        ("1 0 2 0 0", "1 0 2 0", "line 10: set SPOT has 5 places"),
        ("Move B", "Move A", "line 15: move A is also in line 9; keep one"),
        ("Move B", "Move", "line 15: write one name after 'Move', like 'Move R'"),
        ("Move B", "Move B'", 'line 15: the name of a move "B\'" must be one word'),
        (
            "Move B\nLID\n",
            "Move B\nLID\n2 1\nLID\n",
            "line 18: set LID is there twice, first in li",
        ),
        ("Move B", "Moves B", "line 15: 'Moves' is not known here; known: Name, Set, Solved,"),
        ("Move B", "Illegal SPOT 3 4\nMove B", "line 15: puzzle Rings has illegal states and the"),
        (
            "Move y\nSPOT\n5 4 3 2 1\nEnd",
            "Move y\nSPOT\n",
            'line 24: "MoveSequence C A y A\'" is neither',
        ),
        ("C A y A'", "C A Q", "line 25: 'Q' is not a move of Rings; moves are A B y, each with"),
        ("C A y A'", "C", "line 25: write a name and moves after 'MoveSequence'"),
        ("Solved", "Solved\nEnd\nSolved", "line 7: the solved state is also in line 5; keep one"),
        ("MoveSequence C A y A'", "Move C", "line 25: 'Move C' has no line 'End' after it"),
    ],
)
def test_mistakes_in_texts(old, new, message):
    assert old in SMALL
    with pytest.raises(ParseError) as error:
        read_definition(SMALL.replace(old, new, 1), "rings.tws")
    assert f"rings.tws, {message}" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "p is empty; it must hold a definition"),
        ("Name x\n", "p has no line like 'Set CORNER 8 3'; is it a definition?"),
        ("Set A 3\n", "p has no line like 'Move R'; add the moves"),
        ("Set A 3\nMove x\nA\n2 3 1\nEnd\n", "p has rotations only"),
        ("Set A 3\nMoveSequence R U\n", "p has moves made of others only"),
        ("[]", "p, line 1, all: this must be an object"),
        ("{", "p, line 1: this is not JSON: Expecting property name"),
        ('{"a": 1,\n"a": 2}', "p: 'a' stands twice in one object; keep one"),
        ("[" * 100_000, "p is not JSON that can be read"),
    ],
)
def test_texts_that_are_no_definition(text, message):
    with pytest.raises(ParseError) as error:
        read_definition(text, "p")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"numPieces": 3, ', "", "line 3, orbits[0]: 'numPieces' is missing; write 12"),
        ('"numPieces": 3', '"numPieces": "3"', "line 3, orbits[0].numPieces: this must be a whole"),
        ('"numPieces": 3', '"numPieces": true', "line 3, orbits[0].numPieces: this must be a whol"),
        ('"orbitName": "E"', '"orbitName": "a b"', "line 3, orbits[0]: the name of an orbit"),
        (
            '"pieces": [0, 1, 1]',
            '"pieces": [0, 1]',
            "line 5, defaultPattern.E.pieces: 2 numbers fo",
        ),
        ('"pieces": [0, 1, 1]', '"pieces": [0, 1, "a"]', "line 5, defaultPattern.E.pieces[2]: 'a'"),
        (
            '"pieces": [0, 1, 1], ',
            "",
            "line 5, defaultPattern.E: 'pieces' is missing; write [0, 1,",
        ),
        (
            '"orientation": [0, 0, 1]',
            '"orientation": [0, 2, 1]',
            "line 5, defaultPattern.E.orientat",
        ),
        (
            "[0, 1, 1]}",
            "[0, 3, 1]}",
            "line 5, defaultPattern.E.orientationMod[1]: 3 must be 0 or a",
        ),
        (
            '    "E": {"pieces',
            '    "F": {"pieces',
            "line 5, defaultPattern.F: there is no orbit 'F'",
        ),
        ('"U": {"E"', '"U": {"F"', "line 8, moves.U.F: there is no orbit 'F'; known: E"),
        ("[1, 2, 0]", "[1, 2, 2]", "line 8, moves.U.E: two places get the piece of place 2"),
        (
            "[1, 2, 0]",
            "[1, 2, 3]",
            "line 8, moves.U.E: there is no place 3; places are from 0 to 2",
        ),
        ('"permutation": [1, 2, 0], ', "", "line 8, moves.U.E: 'permutation' is missing"),
        ("[0, 1, 0]", "[0, 2, 0]", "line 8, moves.U.E: the turn 2 at place 1 must be a number"),
        ('"U": {"E"', '"U\'": {"E"', "line 8, moves.U': the name of a move"),
        (
            '"x": {"E": {"permutation": [0, 2, 1]}}',
            '"x": []',
            "line 9, moves.x: this must be an obj",
        ),
        ('"L": "U2"', '"L": "Q2"', "line 11, derivedMoves.L: 'Q2' is not a move of small"),
        (
            '"L": "U2"',
            '"L": "D"',
            "line 11, derivedMoves.D: this is made of itself: 'D' of 'L' of 'D'",
        ),
        ('"L": "U2"', '"U": "x"', "line 11, derivedMoves.U: there is a move of that name; keep"),
        ('"L": "U2"', '"L": 2', "line 11, derivedMoves.L: this must be a text"),
        ('"moves": {', '"motions": {', "line 1, all: 'moves' is missing"),
    ],
)
def test_mistakes_in_json(old, new, message):
    assert old in KPUZZLE
    with pytest.raises(ParseError) as error:
        read_definition(KPUZZLE.replace(old, new, 1), "p.json")
    assert f"p.json, {message}" in str(error.value)
    assert "\n" not in str(error.value)


@settings(max_examples=200)
@given(st.sampled_from([SMALL, LATER, KPUZZLE]), st.data())
def test_damaged_files_are_refused_or_read(text, data):
    """One edit anywhere: an error of one line that names the file, or another definition."""
    begin = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(begin, min(len(text), begin + 8)))
    put = data.draw(
        st.sampled_from(["", "0", " 7 ", "{", "End\n", "\n", "?", '"', "Move R\n", "-1"])
    )
    try:
        read_definition(text[:begin] + put + text[end:], "p")
    except ParseError as error:
        assert str(error).startswith("p")  # noqa: PT017
        assert "\n" not in str(error)  # noqa: PT017


def test_states_in_files(tmp_path):
    cube = cube3()
    file = tmp_path / "one.scr"
    file.write_text(
        "# two states\nScramble flipped\nedges\n1 2 3 4 5 6 7 8 9 10 11 12\n"
        "1 1 1 1 1 1 1 1 1 1 1 1\nEnd\nR U2 F'  # as moves\nScrambleState zero\ncorners\n"
        "1 0 2 3 4 5 6 7\nEnd\n"
    )
    flipped, moves, zero = read_states(cube, file)
    assert flipped[0] == "flipped"
    assert flipped[1][1] == tuple((piece, 1) for piece in range(12))
    assert flipped[1][0] == solved(cube)[0]
    assert moves == ("R U2 F'", after(cube, solved(cube), read_sequence(cube, "R U2 F'")))
    assert [look for look, _ in zero[1][0]][:3] == [1, 0, 2]
    file = tmp_path / "state.json"
    file.write_text(
        json.dumps({"edges": {"pieces": [*range(12)], "orientation": [1] * 12}, "$schema": "x"})
    )
    assert read_states(cube, file) == [("state", flipped[1])]
    for text, message in {
        "Scramble a\nedges\n1 2\nEnd": "line 2: set edges has 12 places",
        "R Q": "line 1: 'Q' is not a move",
        "Scramble a\ncorners\n1 1 3 4 5 6 7 8\nEnd": "line 1: orbit corners has piece 0 2 times",
        '{"edge": {}}': "line 1, edge: there is no orbit 'edge'; known: corners, edges",
        '{"edges": {"pieces": [0,0,2,3,4,5,6,7,8,9,10,11]}}': "edges: orbit edges has piece 0 2",
    }.items():
        file = tmp_path / "bad"
        file.write_text(text)
        with pytest.raises(ParseError) as error:
            read_states(cube, file)
        assert message in str(error.value)
        assert "bad, line" in str(error.value)


def test_states_as_texts():
    cube = cube3()
    text = format_pattern(cube, after(cube, solved(cube), read_sequence(cube, "R")))
    assert text == "corners 4+1 0+2 2 3 7+2 5 6 1+1 / edges 0 8 2 3 4 10 6 7 5 9 1 11"
    swapped = " / ".join(reversed(text.split(" / ")))
    assert parse_pattern(cube, swapped) == parse_pattern(cube, text)
    masked = Definition(
        "p",
        [Orbit("a", 3, 2, (5, 5, 5), counted=(2, 1, 1))],
        [Move("R", {"a": Change((1, 2, 0), (), 2)})],
    )
    assert format_pattern(masked, solved(masked)) == "5? 5? 5%2"[6:] + " 5? 5?"
    for bad, message in {
        "corners 0": "orbit corners has 8 places; here are 1 pieces",
        "sides 0": "'sides 0' must begin with an orbit: corners, edges",
        "corners 0 1 2 3 4 5 6 7": "orbit edges is missing",
        "corners 0 1 2 3 4 5 6 x": "'x' is not a piece; write its number",
        "corners 0 1 2 3 4 5 6 9": "orbit corners has no piece 9; pieces are 0 to 7",
        "corners 0 1 2 3 4 5 6 7+3": "orientation 3 of piece 7 must be from 0 to 2",
        "corners 0 1 2 3 4 5 6 6": "orbit corners has piece 6 2 times, which the puzzle has 1 time",
    }.items():
        with pytest.raises(ParseError) as error:
            parse_pattern(cube, bad)
        assert message in str(error.value)
    with pytest.raises(ParseError) as error:
        parse_pattern(masked, "5 5 5")
    assert "write 5? for one whose orientation does not" in str(error.value)


def test_what_cannot_be_written():
    with pytest.raises(UsageError, match="powers=False cannot be written"):
        write_tws(cube3(powers=False))
    odd = Definition("p", [Orbit("a", 2)], [Move("x", {})])
    with pytest.raises(UsageError, match="move x would be read as a rotation"):
        write_kpuzzle(odd)
    quarter = Definition("p", [Orbit("a", 2, 4, counted=(2, 4))], [Move("R", {})])
    with pytest.raises(UsageError, match="write JSON"):
        write_tws(quarter)


def _derived(sequences):
    orbits = [{"orbitName": "A", "numPieces": 3, "numOrientations": 1}]
    moves = {"R": {"A": {"permutation": [1, 2, 0]}}}
    return json.dumps(
        {
            "name": "a",
            "defaultPattern": {},
            "orbits": orbits,
            "moves": moves,
            "derivedMoves": sequences,
        }
    )


def test_derived_moves_are_each_read_once(monkeypatch):
    read_texts = []

    def counted(base, text, motions):
        read_texts.append(text)
        return read_sequence(base, text, motions)

    monkeypatch.setattr("searchkit.pieces.kpuzzle.read_sequence", counted)
    chain = {f"p{i}": f"[p{i + 1}, R] p{i + 1}" for i in range(59)} | {"p59": "R2"}
    moves = read_definition(_derived(chain)).moves
    assert [move.name for move in moves] == ["R", *reversed(chain)]
    assert {move.changes["A"].sources for move in moves[1:]} == {(2, 0, 1)}
    assert sorted(read_texts) == sorted(chain.values())


@pytest.mark.parametrize(
    ("sequences", "named", "ring"),
    [
        ({"Q": "R P", "P": "Q2"}, "[PQ]", "('Q' of 'P' of 'Q'|'P' of 'Q' of 'P')"),
        ({"P": "(P' R)"}, "P", "'P' of 'P'"),
        (
            {f"m{i:02}": f"m{(i + 1) % 30:02}" for i in range(30)},
            r"m\d\d",
            r"('m\d\d' of ){5}.*\.\.\.",
        ),
    ],
)
def test_derived_moves_made_of_one_another_are_refused(sequences, named, ring):
    with pytest.raises(
        ParseError, match=rf"derivedMoves\.{named}: this is made of itself: {ring};"
    ):
        read_definition(_derived(sequences))


def test_what_a_derived_move_lacks_is_named():
    with pytest.raises(ParseError, match=r"derivedMoves\.P: 'Z' is not a move of a"):
        read_definition(_derived({"P": "Z"}))
    with pytest.raises(ParseError, match=r"line 1, derivedMoves\.P: the power .* has more than"):
        read_definition(_derived({"P": "R" + "9" * 30}))


def test_turns_below_zero_and_an_old_form():
    """What other programs have written."""
    text = json.loads(write_kpuzzle(cube2("R")))
    turns = text["moves"]["R"]["corners"]["orientationDelta"]
    expected = read_definition(json.dumps(text)).moves[0]
    text["moves"]["R"]["corners"]["orientationDelta"] = [turn - 3 if turn else 0 for turn in turns]
    assert read_definition(json.dumps(text)).moves[0] == expected
    text["moves"]["R"]["corners"]["orientationDelta"][1] = -3
    with pytest.raises(ParseError, match=r"\[1\]: '-3' must be a whole number from -2"):
        read_definition(json.dumps(text))
    old = {"name": "a", "orbits": {"A": {"numPieces": 2, "orientations": 1}}, "startPieces": {}}
    with pytest.raises(ParseError, match="orbits: this is of the old form, with startPieces"):
        read_definition(json.dumps(old))


def test_large_files_and_other_users_of_names(tmp_path):
    """A file is a puzzle for environments, too, and may be longer than a board."""
    file = tmp_path / "large.tws"
    file.write_text(write_tws(cube2("URF")) + "# long\n" * 20_000)
    assert searchkit.puzzle(str(file)).ranks == 3_674_160
    env = puzzle_env(str(file), shuffles=2)
    assert env.action_space.n == 9
