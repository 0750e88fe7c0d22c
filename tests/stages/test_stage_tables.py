"""Tables of stages: published sizes and depths, and distances as a plain search finds them."""

import math
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit.compiled.specialise.module import python_state
from searchkit.solutions.optimal_graph import value_of
from searchkit_sliding import Board, eight_puzzle, fifteen_puzzle, packing_of, sliding
from searchkit_sliding.stage_kernels import SlidingStage
from searchkit_sliding.stage_plans import plans
from searchkit_stages.compiled.tables import stage_tables
from tests.support.row_sorting import RowSorting, SortStage

USUAL = 1 << 17


def tables_of(stages):
    return value_of(stage_tables(stages))


@cache
def plan_of(size, most=USUAL, number=0):
    return tuple(sliding(size).stage_plans(most)[number])


def test_the_four_stages_of_the_15_puzzle_are_the_published_ones():
    tables = tables_of(fifteen_puzzle().stage_plans(USUAL)[0])
    assert [table.stage.ranks for table in tables] == [21840, 95040, 95040, 40320]
    assert [table.reachable for table in tables] == [21840, 95040, 95040, 20160]
    assert [table.worst for table in tables] == [19, 34, 34, 36]
    assert sum(table.worst for table in tables) == 123
    assert [8 * table.record.entries.nbytes / table.stage.ranks for table in tables] == [2, 2, 2, 2]


def plain_distances(stage):
    """The distance of each number, by breadth-first search over numbers alone."""
    distance = {}
    layer = [i for i in range(stage.ranks) if stage.at_goal(stage.unrank(i))]
    depth = 0
    while layer:
        distance |= dict.fromkeys(layer, depth)
        depth += 1
        layer = {
            stage.rank(step.state)
            for index in layer
            for step in stage.successors(stage.unrank(index))
        } - distance.keys()
    return distance


@pytest.mark.parametrize(
    "stage",
    [
        *plan_of("3x3"),
        *plan_of("4x2", 400),
        plan_of("5x5", 9240)[2],
        *(stage for plan in RowSorting.stages for stage in plan),
    ],
    ids=lambda stage: f"{type(stage).__name__}-{stage.ranks}",
)
def test_entries_are_distances_modulo_3(stage):
    (table,) = tables_of([stage])
    distance = plain_distances(stage)
    index = np.arange(stage.ranks)
    entries = table.record.entries[index >> 2] >> 2 * (index & 3) & 3
    assert entries.tolist() == [distance.get(i, 0) % 3 if i in distance else 3 for i in index]
    depths = list(distance.values())
    assert list(table.layers) == [depths.count(i) for i in range(max(depths) + 1)]


def test_equal_stages_share_a_table():
    first, second = (SortStage(0, 2) for _ in range(2))
    assert first is not second
    assert tables_of([first])[0] is tables_of([second])[0]


boards = st.sampled_from([(2, 4), (3, 3), (3, 4), (4, 4), (3, 6), (5, 5), (8, 8)])


@st.composite
def stages(draw):
    """Any stage of any plan, for any goal."""
    board = Board.rectangle(*draw(boards))
    goal = tuple(draw(st.permutations(range(board.cells))))
    plan = draw(st.sampled_from(plans(board, goal, draw(st.sampled_from([1000, USUAL, 1 << 20])))))
    return draw(st.sampled_from(plan))


@given(stages(), st.data())
@settings(deadline=None, max_examples=30)
def test_numbers_of_stages_are_what_unrank_undoes(stage, data):
    index = data.draw(st.integers(0, stage.ranks - 1))
    state = stage.unrank(index)
    assert stage.rank(state) == index
    tiles = packing_of(stage.board).unpack(state)
    assert sorted(tiles) == list(range(stage.board.cells))
    places = [tiles.index(tile) for tile in (0, *stage.tracked)]
    assert set(places) <= set(stage.region)
    if stage.as_set:
        assert stage.at_goal(state) is set(places).issubset(stage.targets)
    else:
        assert stage.at_goal(state) is (tuple(places[1:]) == stage.targets)
    for step in stage.successors(state):
        moved = packing_of(stage.board).unpack(step.state)
        changed = {cell for cell, tile in enumerate(tiles) if moved[cell] != tile}
        assert len(changed) == 2
        assert changed <= set(stage.region)


@given(stages())
@settings(deadline=None, max_examples=30)
def test_stages_have_as_many_numbers_as_arrangements(stage):
    cells, tiles = len(stage.region), len(stage.tracked)
    sets = math.comb(cells - 1, tiles) if stage.as_set else math.perm(cells - 1, tiles)
    assert stage.ranks == cells * sets


@given(boards, st.data())
@settings(deadline=None, max_examples=30)
def test_plans_keep_what_they_have_solved_and_solve_all(size, data):
    board = Board.rectangle(*size)
    goal = tuple(data.draw(st.permutations(range(board.cells))))
    for plan in plans(board, goal, USUAL):
        free = set(range(board.cells))
        solved = set()
        for stage in plan:
            assert set(stage.region) <= free
            assert not solved & set(stage.region)
            if stage.as_set:
                continue
            assert [goal[cell] for cell in stage.targets] == list(stage.tracked)
            solved |= set(stage.targets)
        assert solved == free - {goal.index(0)}


def test_machine_code_of_wide_stages_does_what_the_kernels_do():
    stage = plan_of("5x5", 9240)[2]
    assert stage.words == 3
    (table,) = tables_of([stage])
    assert table.reachable == stage.ranks
    assert isinstance(stage, SlidingStage)
    assert python_state(table.spec.states([stage.unrank(5)])[0]) == stage.unrank(5)


def test_boards_that_need_larger_tables_get_them():
    assert max(stage.ranks for stage in sliding("3x3").stage_plans(1)[0]) > 1
    assert eight_puzzle().stage_plans(362880)[0][0].ranks == 362880
