"""Tables of stages: published sizes and depths, and distances as a plain search finds them."""

import math
from collections import OrderedDict
from contextlib import nullcontext
from functools import cache
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.plain import plainly
from searchkit.solutions.from_parents import without_loops
from searchkit.solutions.optimal_graph import value_of
from searchkit_sliding import Board, eight_puzzle, fifteen_puzzle, packing_of, sliding
from searchkit_sliding.stages import SlidingStage, plans
from searchkit_stages.compiled.kernels.tables import Joined, Paths
from searchkit_stages.compiled.tables import load_stage, stage_tables
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
    assert [sum(table.layers) for table in tables] == [21840, 95040, 95040, 20160]
    assert [table.worst for table in tables] == [19, 34, 34, 36]
    assert sum(table.worst for table in tables) == 123
    assert [table.record.entries.nbytes / table.stage.ranks for table in tables] == [4, 4, 4, 4]


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
def test_entries_name_the_first_operator_that_leads_nearer(stage):
    (table,) = tables_of([stage])
    distance = plain_distances(stage)
    place_bits = table.record.place_bits
    for i, entry in enumerate(table.record.entries.tolist()):
        assert entry & 3 == (distance[i] % 3 if i in distance else 3)
        if i not in distance:
            continue
        place, after = entry >> 2 & (1 << place_bits) - 1, entry >> place_bits + 2
        children = [stage.rank(step.state) for step in stage.successors(stage.unrank(i))]
        nearer = [distance[child] == distance[i] - 1 for child in children]
        if distance[i] == 0:
            assert (place, after) == (0, i)
        else:
            assert (place, after) == (nearer.index(True), children[place])
    depths = list(distance.values())
    assert list(table.layers) == [depths.count(i) for i in range(max(depths) + 1)]


def test_entries_of_whole_words_say_the_same():
    tables = []
    for bits in (32, 0):
        with (
            patch("searchkit_stages.compiled.tables.NARROW_BITS", bits),
            patch("searchkit_stages.compiled.tables._kept", OrderedDict()),
        ):
            tables += tables_of([SortStage(0, 2)])
    narrow, wide = (table.record.entries for table in tables)
    assert (narrow.itemsize, wide.itemsize) == (4, 8)
    assert narrow.tolist() == wide.tolist()


def test_equal_stages_share_a_table():
    first, second = (SortStage(0, 2) for _ in range(2))
    assert first is not second
    assert tables_of([first])[0] is tables_of([second])[0]


@pytest.mark.parametrize("running", [nullcontext, plainly])
@given(walks=st.lists(st.lists(st.integers(-3, 3), max_size=12), min_size=1, max_size=4))
@settings(deadline=None, max_examples=50)
def test_paths_are_joined_without_their_loops(walks, running):
    with running():
        spec = load_stage(SortStage(0, 2))
        width = 12
        states = spec.empty(len(walks) * width)
        for i, walk in enumerate(walks):
            states[i * width : i * width + len(walk)] = walk
        lengths = np.array([len(walk) - 1 for walk in walks])
        begins, slots = np.zeros(len(walks) + 1, np.int64), np.full(16, -1)
        joined = Joined(spec.empty(sum(map(len, walks))), begins, slots)
        spec.module.join(Paths(states, lengths, width), joined)
    for walk, begin, end in zip(walks, begins, begins[1:], strict=False):
        kept = [walk[place] for place in without_loops(walk)]
        assert joined.states[begin:end].tolist() == kept


boards = st.sampled_from([(2, 4), (3, 3), (3, 4), (4, 4), (3, 6), (5, 5), (8, 8)])


@st.composite
def stages(draw):
    """Any stage of any plan, for any goal."""
    most = draw(st.sampled_from([1000, USUAL, 1 << 20]))
    size = draw(boards)
    if (size, most) == ((8, 8), 1000):
        size = (6, 6)  # to plan stages so small takes two seconds on the largest board
    board = Board.rectangle(*size)
    goal = tuple(draw(st.permutations(range(board.cells))))
    plan = draw(st.sampled_from(plans(board, goal, most)))
    return draw(st.sampled_from(plan))


@given(stages(), st.data())
@settings(deadline=None, max_examples=12)
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
@settings(deadline=None, max_examples=12)
def test_stages_have_as_many_numbers_as_arrangements(stage):
    cells, tiles = len(stage.region), len(stage.tracked)
    sets = math.comb(cells - 1, tiles) if stage.as_set else math.perm(cells - 1, tiles)
    assert stage.ranks == cells * sets


@given(boards, st.data())
@settings(deadline=None, max_examples=20)
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
    assert sum(table.layers) == stage.ranks
    assert isinstance(stage, SlidingStage)
    assert python_state(table.spec.states([stage.unrank(5)])[0]) == stage.unrank(5)


def test_boards_that_need_larger_tables_get_them():
    assert max(stage.ranks for stage in sliding("3x3").stage_plans(1)[0]) > 1
    assert eight_puzzle().stage_plans(362880)[0][0].ranks == 362880
