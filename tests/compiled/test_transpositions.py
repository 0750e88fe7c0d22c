"""A transposition table changes how much is searched, and never what is found."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from searchkit import (
    IDDFS,
    IDAStar,
    Limits,
    Status,
    UnsuitableError,
    UsageError,
    WeightedIDAStar,
    solve,
)
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import LawError
from searchkit.transforms import ChainMoves
from searchkit_peg import hoppers, peg
from searchkit_sliding import sliding
from tests.support.both_engines import agree, outcome
from tests.support.packed_graphs import (
    Graph,
    GraphTables,
    StepEstimate,
    TableEstimate,
    UnitGraph,
    WideEstimate,
    WideGraph,
    estimates,
    graphs,
)
from tests.support.toggle_spaces import (
    Pieces,
    SymmetricToggles,
    image_of,
    pegs,
    spread,
    tables,
    wandering_pieces,
)

GIVEN_UP = Limits(cost=5)
cycles = st.sampled_from(["path", "parent"])
wanted = st.sampled_from(["one", "all", "count"])


def alike(problem, algorithm, want="one", limits=GIVEN_UP):
    """Search with a large table in both engines, without one, and with tables that are full."""
    kind = type(algorithm)
    options = {"cycles": algorithm.cycles, "symmetry": algorithm.symmetry}
    if kind is IDAStar:
        options["heuristic"] = algorithm.heuristic
    found = agree(problem, kind(table="1MB", **options), want=want, limits=limits)
    plain = solve(
        problem, kind(**{**options, "symmetry": "none"}),
        engine="reference", want=want, limits=limits,
    )  # fmt: skip
    full = [
        solve(problem, kind(table=1, **options), engine=engine, want=want, limits=limits)
        for engine in ("reference", "compiled")
    ]
    for other in (plain, *full):
        if Status.LIMIT in (found.status, other.status):  # a table may prove more
            assert Status.SOLVED not in (found.status, other.status)
            continue
        assert outcome(found) == outcome(other)
    assert found.statistics.expanded <= plain.statistics.expanded
    return found


@settings(deadline=None, max_examples=20)
@given(st.data(), graphs(), cycles, wanted)
def test_graphs_with_cycles(data, graph, cycles, want):
    heuristic = TableEstimate(data.draw(estimates(graph[0])))
    if data.draw(st.booleans()):
        heuristic = StepEstimate(data.draw(estimates(graph[0], dead_ends=False)), graph[0])
    alike(Graph(*graph), IDAStar(heuristic, cycles), want)


@settings(deadline=None, max_examples=30)
@given(graphs(unit=True), cycles, wanted, st.integers(0, 40))
def test_limits_stop_both_engines_at_the_same_state(graph, cycles, want, nodes):
    algorithm = IDAStar(TableEstimate((0,) * len(graph[0].goals)), cycles, table="100kB")
    agree(Graph(*graph), algorithm, want=want, limits=Limits(expansions=nodes, cost=9))


@settings(deadline=None, max_examples=15)
@given(st.data(), graphs(), wanted)
def test_states_of_several_words(data, graph, want):
    values = data.draw(estimates(graph[0]))
    alike(WideGraph(*graph), IDAStar(WideEstimate(values), "path"), want)


class Falling(Pieces):
    """Every step takes a bit away."""

    def grade(self, state):
        return state.bit_count()


@settings(deadline=None, max_examples=15)
@given(pegs(), wanted)
def test_chains_on_graphs_without_cycles(space, want):
    with plainly():
        alike(ChainMoves(Falling(*space)), IDDFS("path"), want, Limits(cost=3))


@settings(deadline=None, max_examples=20, suppress_health_check=[HealthCheck.filter_too_much])
@given(wandering_pieces(), cycles, wanted)
def test_chains_on_graphs_with_cycles(space, cycles, want):
    problem = ChainMoves(Pieces(*space))
    assume(all(len(list(problem.successors(spread(state)))) <= 9 for state in range(8)))
    alike(problem, IDDFS(cycles), want, Limits(cost=3))


@pytest.mark.slow_variants("count-none", "one-none")
@pytest.mark.spread
@pytest.mark.parametrize("symmetry", ["none", "auto"])
@pytest.mark.parametrize("want", ["one", "all", "count"])
def test_boards_with_symmetries(symmetry, want):
    with plainly() if symmetry == "none" else nullcontext():
        found = alike(hoppers(), IDAStar(symmetry=symmetry), want, Limits(cost=7))
        assert found.cost == 7
        triangle = peg("triangle4", vacant="1", target="any")
        alike(triangle, IDDFS("path", symmetry=symmetry), want)


def test_an_undirected_puzzle():
    puzzle = sliding("2x3").with_start(sliding("2x3").parse("5 3 4 / 2 1 0"))
    for want in ("one", "count"):
        alike(puzzle, IDAStar(), want, Limits(cost=25))


@pytest.mark.parametrize("want", ["one", "all"])
def test_symmetries_of_graphs_with_cycles_keep_the_start(want):
    """The four bits of a ring are turned; no state but two is like another by all turns."""
    turn = (1, 2, 3, 0)
    group = [(0, 1, 2, 3)]
    for _ in range(3):
        group.append(tuple(turn[bit] for bit in group[-1]))
    flips = [
        (image_of(flip, bits), image_of(mask, bits), image_of(wanted, bits))
        for flip, mask, wanted in [(1, 0, 0), (0b110, 0b1, 0b1)]
        for bits in group
    ]
    for start in (0, 0b1010, 0b0100):
        problem = SymmetricToggles(tables(flips, (0b1111,)), (start,), tuple(group))
        with plainly() if start else nullcontext():
            alike(problem, IDDFS("path", symmetry="auto"), want)


def test_a_table_saves_most_of_the_work_and_is_counted():
    plain = solve(hoppers(), IDDFS(), engine="compiled").statistics
    found = solve(hoppers(), IDDFS(table="1MB"), engine="compiled").statistics
    assert found.expanded < plain.expanded / 5
    assert found.stored > plain.stored
    assert 1_000_000 < found.bytes < 1_200_000
    assert plain.bytes < 100_000


def test_without_a_compiler():
    with plainly():
        agree(hoppers(), IDAStar(table="1MB", symmetry="auto"), limits=Limits(expansions=60))


class Rising(UnitGraph):
    """It says that no path comes back to a state."""

    def grade(self, state):
        return -state


@pytest.mark.parametrize(
    ("engine", "cycles"), [("reference", "path"), ("reference", "parent"), ("compiled", "path")]
)
def test_a_wrong_grade_is_found(engine, cycles):
    following = ((1, -1, -1, -1), (2, 0, -1, -1), (3, -1, -1, -1), (-1, -1, -1, -1))

    graph = GraphTables(following, ((1,) * 4,) * 4, (0, 0, 0, 0))
    with plainly(), pytest.raises(LawError, match="breaks the law grade: a path comes back to '0'"):
        solve(Rising(graph, (0,)), IDDFS(cycles, table="1MB"), engine=engine)


def test_what_a_table_is_not_for():
    problem = hoppers()
    with pytest.raises(UnsuitableError, match="uses symmetry in its table alone; give it one"):
        solve(problem, IDDFS(symmetry="auto"))
    with pytest.raises(UnsuitableError, match="widastar takes no table; use idastar"):
        solve(problem, WeightedIDAStar(table="1MB"))
    with pytest.raises(UnsuitableError, match="takes table or operator_pruning, not both"):
        solve(problem, IDAStar(table="1MB", operator_pruning=3))
    for wrong in ("much", -1, True, None, "1MX"):
        with pytest.raises(UsageError, match="is not an amount of memory; give bytes, or a text"):
            IDDFS(table=wrong)
    assert IDDFS(table="2kB").table == 2000
