"""Texts of positions: what is read, and what every wrong one is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import ParseError
from searchkit_sliding import (
    WHEEL,
    Board,
    eight_puzzle,
    fifteen_puzzle,
    rectangle_of_size,
    six_puzzle,
    sliding,
)
from tests.support.sliding_bfs import puzzles


@pytest.mark.parametrize(
    "text",
    [
        "867254301",
        " 867254301\n",
        "8 6 7 2 5 4 3 0 1",
        "8,6,7,2,5,4,3,0,1",
        "8, 6, 7, 2, 5, 4, 3, _, 1",
        "8 6 7\n2 5 4\n3 . 1\n",
        "867/254/301",
        "867 / 254 / 3_1",
        "8 6 7 / 2 5 4 / 3 0 1",
        "\n867\n\n254\n3.1",
    ],
)
def test_notations_of_the_8_puzzle(text):
    puzzle = eight_puzzle()
    assert puzzle.parse(text) == puzzle.start


@pytest.mark.parametrize(
    "text",
    [
        "0123456789ABCDEF",
        "_123456789abcdef",
        "0123/4567/89ab/cdef",
        "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15",
        "0 1 2 3 / 4 5 6 7 / 8 9 10 11 / 12 13 14 15",
    ],
)
def test_notations_of_the_15_puzzle(text):
    puzzle = fifteen_puzzle()
    assert puzzle.packing.unpack(puzzle.parse(text)) == tuple(range(16))


def test_the_wheel_has_no_rows():
    assert six_puzzle().parse("1/23/4/56/0") == six_puzzle().goal
    assert six_puzzle().parse("1 2 3 4 5 6 .") == six_puzzle().goal


@given(puzzles())
def test_states_are_read_back_in_every_notation(puzzle):
    board = puzzle.board
    tiles = puzzle.packing.unpack(puzzle.start)
    assert puzzle.parse(", ".join(map(str, tiles))) == puzzle.start
    if board.cells <= 16:
        assert puzzle.parse("".join("_123456789abcdef"[tile] for tile in tiles)) == puzzle.start
    if board.columns is not None:
        rows = [tiles[at : at + board.columns] for at in range(0, board.cells, board.columns)]
        assert puzzle.parse("/".join(" ".join(map(str, row)) for row in rows)) == puzzle.start


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the position is empty; write it like '123456780'"),
        (" /\n ", "the position is empty; write it like '123456780'"),
        (
            "86725430x",
            (
                "'x' in '86725430x' is not a tile; tiles are 1 to 8, and 0, _ or . is the blank, "
                "like '123456780'"
            ),
        ),
        (
            "867254309",
            (
                "'9' in '867254309' is not a tile; tiles are 1 to 8, and 0, _ or . is the blank, "
                "like '123456780'"
            ),
        ),
        (
            "8 6 7 2 5 4 -3 0 1",
            (
                "'-3' in '8 6 7 2 5 4 -3 0 1' is not a tile; tiles are 1 to 8, and 0, _ "
                "or . is the "
                "blank, like '123456780'"
            ),
        ),
        (
            "8 6 7 2 5 4 0_ 3 1",
            (
                "'0_' in '8 6 7 2 5 4 0_ 3 1' is not a tile; tiles are 1 to 8, and 0, _ "
                "or . is the "
                "blank, like '123456780'"
            ),
        ),
        (
            "86725430１",
            (
                "'１' in '86725430１' is not a tile; tiles are 1 to 8, and 0, _ or . is the blank, "
                "like '123456780'"
            ),
        ),
        (
            "8672543",
            "'8672543' fills 7 cells; board 3x3 has 9, like '123456780'",
        ),
        (
            "8672543011",
            "'8672543011' fills 10 cells; board 3x3 has 9, like '123456780'",
        ),
        ("5", "'5' fills 1 cells; board 3x3 has 9, like '123456780'"),
        (
            "867254381",
            (
                "tile 8 occurs twice in '867254381' and the blank never; each must occur once, "
                "like '123456780'"
            ),
        ),
        (
            "867250_01",
            (
                "the blank occurs 3 times in '867250_01' and tile 3 never; each must occur once, "
                "like '123456780'"
            ),
        ),
        (
            "8672/54301",
            (
                "the rows of '8672/54301' do not fit board 3x3, which has 3 rows of 3; put / "
                "between them, or leave / out"
            ),
        ),
        (
            "86/725/4301",
            (
                "the rows of '86/725/4301' do not fit board 3x3, which has 3 rows of 3; put / "
                "between them, or leave / out"
            ),
        ),
    ],
)
def test_wrong_positions_of_the_8_puzzle(text, message):
    with pytest.raises(ParseError) as caught:
        eight_puzzle().parse(text)
    assert str(caught.value) == message


def test_large_boards_need_separators():
    with pytest.raises(ParseError) as caught:
        sliding("5x5").parse("0123456789ABCDEFGHIJKLMNO")
    assert str(caught.value) == (
        "'0123456789ABCDEFGHIJKLMNO' is one word, but board 5x5 has 25 cells; separate the tiles "
        "by spaces, like '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 ...'"
    )


@given(st.text(alphabet="0123456789abfx_./, \n-²", max_size=40) | st.text(max_size=20))
def test_any_text_is_read_or_refused_in_one_line(text):
    for puzzle in (eight_puzzle(), fifteen_puzzle(), six_puzzle(), sliding("2x2")):
        try:
            state = puzzle.parse(text)
        except ParseError as error:
            message = str(error)
        else:
            message = ""
            assert puzzle.parse(puzzle.format_state(state)) == state
        assert "\n" not in message
        assert len(message) < 400


@pytest.mark.parametrize("text", ["7" * 5000, "7 " * 5000, "7" * 5000 + " 1"])
def test_very_long_texts_are_cut_in_messages(text):
    for puzzle in (eight_puzzle(), fifteen_puzzle(), sliding("5x5")):
        with pytest.raises(ParseError) as caught:
            puzzle.parse(text)
        assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("size", "message"),
    [
        ("", "size '' is not ROWSxCOLUMNS; write it like '3x4'"),
        ("3", "size '3' is not ROWSxCOLUMNS; write it like '3x4'"),
        ("3x", "size '3x' is not ROWSxCOLUMNS; write it like '3x4'"),
        ("3x4x5", "size '3x4x5' is not ROWSxCOLUMNS; write it like '3x4'"),
        ("-3x3", "size '-3x3' is not ROWSxCOLUMNS; write it like '3x4'"),
        (
            "1x5",
            (
                "size '1x5' is too narrow: on a single line no tile can pass another; "
                "use at least '2x2'"
            ),
        ),
        (
            "4x0",
            (
                "size '4x0' is too narrow: on a single line no tile can pass another; "
                "use at least '2x2'"
            ),
        ),
        ("99x99", "size '99x99' is too large; use at most '10x10'"),
    ],
)
def test_wrong_sizes(size, message):
    with pytest.raises(ParseError) as caught:
        sliding(size)
    assert str(caught.value) == message


@pytest.mark.parametrize("size", ["2x5", "2X5", "2×5", " 2 x 5 "])
def test_sizes(size):
    assert rectangle_of_size(size) == Board.rectangle(2, 5)
    assert (Board.rectangle(2, 5).rows, WHEEL.rows) == (2, None)
