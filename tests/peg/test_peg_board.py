import pytest

from searchkit import UsageError
from searchkit_peg import HOPPERS, PegSolitaire
from searchkit_peg.board import PegBoard, bits_of, cell_maps, cells_of, map_pegs, null_space
from tests.support.peg_naive import (
    DIAMOND,
    ENGLISH,
    FRENCH,
    TRIANGLE,
    layers,
    position_class,
)

ALL_BOARDS = [HOPPERS, ENGLISH, FRENCH, DIAMOND, TRIANGLE]


def test_the_jumps_of_hoppers_follow_from_its_geometry_in_the_published_order(facts):
    table = facts["jump_table_del_to"]
    assert len(HOPPERS.jumps) == sum(map(len, table))
    for cell, jumps in enumerate(table):
        ours = [[jump.over, jump.land] for jump in HOPPERS.jumps if jump.start == cell]
        assert ours == jumps


def test_pictures():
    assert HOPPERS.picture(HOPPERS.full & ~(1 << 6), {0: "x"}) == "\n".join(
        ["x   ●   ●", "  ●   ●", "●   ○   ●", "  ●   ●", "●   ●   ●"]
    )
    assert HOPPERS.numbers().splitlines()[0] == " 0     1     2"
    assert TRIANGLE.picture(1) == "●\n○ ○\n○ ○ ○\n○ ○ ○ ○\n○ ○ ○ ○ ○"


@pytest.mark.parametrize(
    ("board", "cells", "jumps", "symmetries", "invariants"),
    [
        (HOPPERS, 13, 32, 8, 0),
        (ENGLISH, 33, 76, 8, 4),
        (FRENCH, 37, 92, 8, 4),
        (DIAMOND, 41, 100, 8, 4),
        (TRIANGLE, 15, 36, 6, 2),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_a_board_is_data(board, cells, jumps, symmetries, invariants):
    assert len(board.cells) == cells
    assert len(board.jumps) == jumps
    assert len(board.invariants) == invariants
    maps = list(cell_maps(board))
    assert maps[0] == ("identity", tuple(range(cells)))
    assert len(maps) == len({name for name, _ in maps}) == symmetries
    permutations = {permutation for _, permutation in maps}
    for one in permutations:  # they are a group
        assert sorted(one) == list(range(cells))
        for other in permutations:
            assert tuple(one[cell] for cell in other) in permutations


def test_english_layers_and_symmetric_layers(board_facts):
    problem = PegSolitaire.single_vacancy(ENGLISH, 16)
    expected = board_facts["english33_boards_after_n_jumps"]
    assert expected[:7] == [1, 4, 12, 60, 296, 1338, 5648]
    assert layers(problem, 7) == expected[:7]
    maps = [permutation for _, permutation in cell_maps(ENGLISH)]
    layer = {problem.start}
    for size in board_facts["english33_canonical_boards_after_n_jumps"][:6]:
        assert len(layer) == size
        layer = {
            min(map_pegs(step.state, permutation) for permutation in maps)
            for pegs in layer
            for step in problem.successors(pegs)
        }


@pytest.mark.parametrize("board", [ENGLISH, FRENCH, DIAMOND], ids=lambda board: board.name)
def test_the_rule_of_three_leaves_the_known_number_of_problems(board, board_facts):
    maps = [permutation for _, permutation in cell_maps(board)]
    open_problems = set()
    for vacant in range(len(board.cells)):
        for survivor in range(len(board.cells)):
            problem = PegSolitaire.single_vacancy(board, vacant, survivor)
            (goal,) = problem.goals
            if position_class(problem.board, problem.start) == position_class(problem.board, goal):
                open_problems.add(min((each[vacant], each[survivor]) for each in maps))
    expected = {f"{name}": n for name, n in board_facts["rule_of_three_problems"].items()}
    size = f"{board.name}{len(board.cells)}"
    assert len(open_problems) == expected[size]


@pytest.mark.parametrize(("name", "vacant"), [("corner", 0), ("edge_midpoint", 3)])
def test_triangle_boards_and_solutions(name, vacant, board_facts):
    problem = PegSolitaire.single_vacancy(TRIANGLE, vacant)
    assert sum(layers(problem)) == board_facts["triangle15_by_vacancy"][name]["boards"]


@pytest.mark.parametrize("board", ALL_BOARDS, ids=lambda board: board.name)
def test_no_jump_changes_an_invariant(board):
    for cells in board.invariants:
        assert all((link.mask & cells).bit_count() % 2 == 0 for link in board.links)


def test_null_space_is_orthogonal_and_as_large_as_it_must_be():
    rows = [0b0111, 0b1110, 0b1001]
    basis = null_space(rows, 4)
    assert len(basis) == 2
    assert all((row & vector).bit_count() % 2 == 0 for row in rows for vector in basis)
    assert null_space([], 2) == (1, 2)


def test_an_order_must_list_the_jumps_of_the_board():
    with pytest.raises(UsageError, match=r"order of board line lists other jumps.*\(3, 'W'\)"):
        PegBoard.draw("line", "oooo", {"E": (0, 1), "W": (0, -1)}, {0: "E", 1: "E", 2: "W"})


def test_cells_and_bits():
    assert cells_of(bits_of([0, 3, 12])) == [0, 3, 12]
    assert bits_of([]) == 0
