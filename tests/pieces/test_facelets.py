"""What files say of stickers and words: what is read is what was written, mistakes are named."""

import json
from importlib.resources import files

import attrs
import pytest

from searchkit.errors import ParseError, UsageError
from searchkit.picture import Colour
from searchkit.pieces import (
    Change,
    Definition,
    Face,
    Facelets,
    Move,
    Orbit,
    Pieces,
    Sticker,
    read_definition,
    read_sequence,
    write_kpuzzle,
    write_tws,
)

STRIP = """Name strip
Set coins 3 2
Set rim 1
#: Face H yellow heads
#: Face T blue
#: Stickers coins    # where they lie
#:   H 0,0  T 0,2
#:   H 1,0  T 1,2
#:   H 2,0  T 2,2
#: Stickers rim
#:   H 3.5,0
Solved
coins
7 7 7
End
Move F
coins
1 2 3
1 0 0
End
Move G
coins
2 3 1
End
#: Word N F G'
#: Word NN N2
#nor is this told of: Word
"""


def test_lines_of_a_text():
    strip = read_definition(STRIP)
    assert strip.facelets == Facelets(
        [Face("H", Colour.YELLOW, "heads"), Face("T", Colour.BLUE)],
        {
            "coins": [[Sticker("H", x, 0), Sticker("T", x, 2)] for x in range(3)],
            "rim": [[Sticker("H", 3.5, 0)]],
        },
    )
    assert strip.words == {"N": "F G'", "NN": "N2"}
    assert read_sequence(strip, "NN") == read_sequence(strip, "F G' F G'")
    puzzle = Pieces.of(strip)
    assert puzzle.format_state(puzzle.parse("F")) == "THHH HTT"
    assert puzzle.parse("THHH HTT") == puzzle.parse("THHHHTT") == puzzle.parse("F")
    assert letters(puzzle.render(puzzle.parse("F"))) == "THHHHTT"


def letters(net):
    return "".join(letter for letter in net if letter.isalnum() or letter == ".")


@pytest.mark.parametrize("write", [write_tws, write_kpuzzle])
@pytest.mark.parametrize("name", ["cube2.tws", "cube3.tws"])
def test_cubes_come_back(write, name):
    cube = read_definition((files("searchkit_cube") / name).read_text())
    assert cube.facelets
    assert cube.words
    assert read_definition(write(cube)) == cube


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("#: Face H", "#: Fice H", "line 4: 'Fice' is not known after '#:'; known: Face, Stickers"),
        ("H yellow", "HH yellow", "line 4: a face is called by one letter or digit, not 'HH'"),
        ("H yellow", "H gold", "line 4: 'gold' is not a colour here; known: board, frame"),
        ("heads", "heads or tails", "line 4: write a letter, a colour and a name: '#: Face U"),
        ("Face T", "Face H", "line 6: two faces are called H; give each a letter of its own"),
        ("H 1,0", "H 1;0", "line 8: write faces and where they are on the net: 'U 6,2  R 8,4'"),
        ("H 1,0", "H", "line 8: write faces and where they are"),
        ("H 1,0", "X 1,0", "line 6: orbit coins, place 1: there is no face 'X'; faces are H T"),
        ("H 1,0", "H 0,0", "line 6: orbit coins, place 1: another sticker is at 0,0 as well"),
        ("H 3.5,0", "H 0,0", "orbit rim, place 0: another sticker is at 0,0 as well"),
        ("#:   H 2,0  T 2,2\n", "", "line 6: orbit coins has 3 places, but stickers for 2"),
        ("  T 2,2", "", "line 6: orbit coins, place 2 has 1 sticker; give each place as many"),
        ("coins 3 2", "coins 3 4", "line 6: orbit coins, place 0 has 2 stickers, but pieces"),
        ("Stickers rim", "Stickers rims", "line 10: stickers name orbit 'rims'; known: coins, rim"),
        ("Stickers rim", "Stickers coins", "line 10: write the name of another set"),
        ("N F G'", "N F Q", "line 25: 'Q' is not a move of strip; moves are F G"),
        ("N F G'", "F G", "line 25: 2 moves are called F; give each a name of its own"),
        ("N F G'", "N", "line 25: write another name and its moves: '#: Word Rw L x'"),
        ("NN N2", "N N2", "line 26: write another name and its moves"),
        (
            "1 2 3\n1",
            "1 2 3\n#: Word A F\n1",
            "line 19: '#: Word A F' is neither the name of a set",
        ),
    ],
)
def test_mistakes_in_lines(old, new, message):
    assert old in STRIP
    with pytest.raises(ParseError) as error:
        read_definition(STRIP.replace(old, new, 1), "strip.tws")
    assert message in str(error.value)
    assert str(error.value).startswith("strip.tws, line ")


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["faces"], 3, "searchkit.faces: this must be a list"),
        (["faces", 0], ["H", 3], "searchkit.faces[0]: write a letter, a colour and a name"),
        (["faces", 0, 1], "gold", "searchkit.faces[0]: 'gold' is not a colour here"),
        (["stickers", "coins", 1, 0], ["H", "1", 0], "coins[1][0]: write a face and where it is"),
        (["stickers", "coins", 1, 0], 7, "coins[1][0]: write a face and where it is"),
        (["stickers", "coins", 1, 0], ["H", 1e999, 0], "coins[1][0]: write a face and where"),
        (
            ["stickers", "coins", 1, 0],
            ["X", 1, 0],
            "searchkit.stickers.coins: orbit coins, place 1",
        ),
        (["stickers", "rim", 0, 0], ["H", 0, 0], "searchkit.stickers: orbit rim, place 0: another"),
        (["stickers", "rim"], [], "searchkit.stickers.rim: orbit rim has 1 place, but stickers"),
        (["words", "N"], "F Q", "searchkit.words.N: 'Q' is not a move of strip"),
        (["words", "F"], "G", "searchkit.words.F: 2 moves are called F"),
        ([], [], "searchkit: this must be an object"),
    ],
)
def test_mistakes_in_keys(path, value, message):
    whole = json.loads(write_kpuzzle(read_definition(STRIP)))
    part, key = whole, "searchkit"
    for each in path:
        part, key = part[key], each
    part[key] = value
    with pytest.raises(ParseError) as error:
        read_definition(json.dumps(whole), "strip.json")
    assert message in str(error.value)
    assert str(error.value).startswith("strip.json, line 1, ")


def test_a_definition_in_python_is_checked():
    flip = Move("F", {"coins": Change((0,), (1,), 2)})
    looks = Facelets([Face("H"), Face("T")], {"coins": [[Sticker("H", 0, 0), Sticker("T", 1, 0)]]})
    coin = Definition("coin", [Orbit("coins", 1, 2)], [flip], facelets=looks)
    assert letters(Pieces.of(coin).render(Pieces.of(coin).parse("F"))) == "TH"
    with pytest.raises(UsageError, match="stickers name orbit 'coins'; known: other"):
        attrs.evolve(coin, orbits=[Orbit("other", 1, 2)], moves=[Move("F", {})])


def test_stickers_need_not_show_all():
    """Of coins that are not told apart when turned, a sticker is blank; without any, all is."""
    coins = Orbit("coins", 3, 2, counted=(2, 1, 1))
    strip = read_definition(STRIP)
    puzzle = Pieces.of(attrs.evolve(strip, orbits=[coins, *strip.orbits[1:]]))
    assert puzzle.format_state(puzzle.start) == "coins 0 1 2 / rim 0"
    assert letters(puzzle.render(puzzle.start)) == "H..HT.."
