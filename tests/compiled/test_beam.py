"""Beam search: machine code does what the reference engine does."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import BeamSearch, CompleteBeam, LimitKind, Limits, ProblemError, solve
from searchkit.compiled.breadth_first import beam
from searchkit.compiled.specialise.plain import plainly
from searchkit.heuristics.maximum import maximum
from searchkit.packed import DEAD_END, ZeroHeuristic
from searchkit.transforms import ChainMoves, fix_first_step
from searchkit_peg import hoppers, peg
from searchkit_sliding import eight_puzzle
from tests.compiled.test_chain_successors import Dance
from tests.support.both_engines import agree, assert_equal_answers
from tests.support.carried import WideWords, Words
from tests.support.packed_graphs import (
    OPERATORS,
    CarriedEstimate,
    Graph,
    GraphTables,
    TableEstimate,
    UnitGraph,
    WideEstimate,
    WideGraph,
    estimates,
    graphs,
)
from tests.support.toggle_spaces import Pieces, pegs, wandering_pieces

widths = st.sampled_from([1, 2, 3, 5, 10**9])
nodes = st.sampled_from([None, 0, 1, 2, 5])
depths = st.sampled_from([None, 0, 2, 5])
LESS = ZeroHeuristic()


def check(problem, algorithm, nodes=None, depth=None):
    assert_equal_answers(problem, algorithm, limits=Limits(expansions=nodes, cost=depth))


@settings(deadline=None, max_examples=40)
@given(st.data(), graphs(), widths, nodes, depths)
def test_without_the_compiler(data, graph, width, most, depth):
    values = data.draw(estimates(graph[0]))
    close = tuple(value if value < DEAD_END else 0 for value in values)
    with plainly():
        check(Graph(*graph), BeamSearch(TableEstimate(values), width), most, depth)
        check(Graph(*graph), BeamSearch(CarriedEstimate(close), width), most, depth)
        check(WideGraph(*graph), BeamSearch(WideEstimate(values), width), most, depth)


@settings(deadline=None, max_examples=40)
@given(st.data(), graphs(), widths, nodes, depths)
def test_pauses_while_a_layer_is_chosen(data, graph, width, most, depth):
    """On a busy machine a search ended before it had counted what waits."""
    heuristic = TableEstimate(data.draw(estimates(graph[0])))
    with pytest.MonkeyPatch.context() as patches, plainly():
        patches.setattr("searchkit.running.task.PAUSE_AFTER", -1)
        check(Graph(*graph), BeamSearch(heuristic, width), most, depth)
        check(Graph(*graph), CompleteBeam(heuristic, min(width, 4)), most, depth)


@settings(deadline=None, max_examples=60)
@given(st.data(), graphs(), widths, nodes, depths)
def test_as_machine_code(data, graph, width, most, depth):
    values = data.draw(estimates(graph[0]))
    check(Graph(*graph), BeamSearch(TableEstimate(values), width), most, depth)


@settings(deadline=None, max_examples=60)
@given(st.data(), graphs(), widths, nodes, depths)
def test_words_are_carried_from_layer_to_layer(data, graph, width, most, depth):
    values = data.draw(estimates(graph[0]))
    early = (0,) * len(values)
    with plainly():
        for heuristic in Words(values, early), maximum(Words(values, early), LESS):
            check(Graph(*graph), BeamSearch(heuristic, width), most, depth)
            check(Graph(*graph), CompleteBeam(heuristic, min(width, 4)), depth=depth)
        check(WideGraph(*graph), BeamSearch(WideWords(values, early), width), most, depth)


@settings(deadline=None, max_examples=60)
@given(pegs() | wandering_pieces(), widths, nodes)
def test_chains(space, width, most):
    with plainly():
        check(ChainMoves(Pieces(*space)), BeamSearch(width=width), most)


def test_a_solution_begins_at_the_last_start_on_its_way():
    row = [(after, *[-1] * (OPERATORS - 1)) for after in (1, 2, -1)]
    ones = ((1,) * OPERATORS,) * 3
    problem = Graph(GraphTables(tuple(row), ones, (0, 0, 1)), (0, 1))
    with plainly():
        found = solve(problem, BeamSearch(width=1), engine="compiled")
    expected = solve(problem, BeamSearch(width=1), engine="reference")
    assert found.cost == expected.cost == 1
    assert found.solution == expected.solution


@pytest.mark.slow_variants("1000000", "100", "1")
@pytest.mark.parametrize("width", [1, 3, 100, 10**6])
def test_puzzles(width):
    with plainly():
        agree(hoppers(), BeamSearch(width=width), limits=Limits(expansions=300))
        agree(fix_first_step(hoppers("mover")), BeamSearch(width=width))
        agree(ChainMoves(Dance()), BeamSearch(width=width), limits=Limits(expansions=300))
    agree(eight_puzzle(), BeamSearch(width=width), limits=Limits(expansions=20_000))


def test_keys_too_wide_for_one_word_are_sorted_by_all_three(monkeypatch):
    far = DEAD_END - 1
    line = GraphTables(
        ((1, 2, 3, -1), (4, -1, -1, -1), (4, -1, -1, -1), (4, -1, -1, -1), (-1,) * 4),
        ((1,) * 4,) * 5, (0, 0, 0, 0, 1),
    )  # fmt: skip
    monkeypatch.setattr(beam, "FEW", 0)
    with plainly():
        for width in (1, 2):
            check(UnitGraph(line, (0,)), BeamSearch(TableEstimate((0, far, 0, far, 0)), width))


def test_sets_grow_within_the_memory_limit(monkeypatch):
    problem = peg()
    found = solve(
        problem, BeamSearch(width=20_000), engine="compiled", limits=Limits(memory=4_000_000)
    )
    assert found.limit is LimitKind.MEMORY
    assert 2_000_000 < found.statistics.bytes <= 4_000_000
    monkeypatch.setattr(beam, "CHILDREN_AT_ONCE", 1)
    monkeypatch.setattr(beam, "FEW", 3)
    with plainly():
        agree(hoppers(), BeamSearch(width=50))


@pytest.mark.parametrize("value", [-1, DEAD_END + 1])
def test_wrong_estimates_are_errors(value):
    tables = GraphTables(((1, -1, -1, -1), (-1,) * 4), ((1,) * 4,) * 2, (0, 1))
    for engine in ("reference", "compiled"):
        with plainly(), pytest.raises(ProblemError, match="heuristic table gives"):
            solve(UnitGraph(tables, (0,)), BeamSearch(TableEstimate((0, value))), engine=engine)


@pytest.mark.parametrize("cost", [-1, 1 << 25])
def test_wrong_costs_are_errors(cost):
    tables = GraphTables(((1, -1, -1, -1), (-1,) * 4), ((cost,) * 4,) * 2, (0, 1))
    with plainly(), pytest.raises(ProblemError, match=f"action 0 costs {cost}"):
        solve(Graph(tables, (0,)), BeamSearch(), engine="compiled")
