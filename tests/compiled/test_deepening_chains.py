"""Deepening searches of chains: machine code does what the reference engine does."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import (
    IDDFS,
    IDAStar,
    LimitKind,
    Limits,
    Problem,
    UnsuitableError,
    WeightedIDAStar,
    solve,
)
from searchkit.compiled.specialise.plain import plainly
from searchkit.packed import PackedHeuristic
from searchkit.transforms import ChainMoves, FirstStepFixed, fix_first_step
from searchkit_peg import hoppers, peg
from tests.compiled.test_chain_successors import Dance
from tests.support.both_engines import agree
from tests.support.toggle_spaces import Pieces, Toggles, pegs, piece_tables, wandering_pieces

GIVEN_UP = Limits(expansions=3000, cost=12)

spaces = pegs() | wandering_pieces()
cycles = st.sampled_from(["path", "parent"])
wanted = st.sampled_from(["one", "all", "count", 1, 2])


class NotThere(PackedHeuristic):
    """One where the state is no goal."""

    name = "not there"
    parts = ("problem",)

    def __init__(self, problem):
        self.problem = problem

    def estimate(self, state):
        return 0 if self.problem.at_goal(state) else 1


@settings(deadline=None, max_examples=25)
@given(spaces, cycles, wanted)
def test_iddfs_of_chains(space, cycles, want):
    problem = ChainMoves(Pieces(*space))
    agree(problem, IDDFS(cycles), want=want, limits=GIVEN_UP)


@settings(deadline=None, max_examples=25)
@given(spaces, cycles, wanted, st.integers(0, 40), st.integers(0, 6))
def test_ida_star_of_chains_at_limits(space, cycles, want, nodes, depth):
    base = Pieces(*space)
    algorithm = IDAStar(NotThere(base), cycles)
    agree(ChainMoves(base), algorithm, want=want, limits=Limits(expansions=nodes, cost=depth))


@settings(deadline=None, max_examples=25)
@given(spaces, st.sampled_from(["3/2", 3]))
def test_weighted_ida_star_of_chains(space, weight):
    base = Pieces(*space)
    algorithm = WeightedIDAStar(NotThere(base), weight=weight)
    agree(ChainMoves(base), algorithm, limits=GIVEN_UP)


@pytest.mark.slow_variants("algorithm2-count")
@pytest.mark.parametrize(
    ("algorithm", "want"), [(IDDFS(), "all"), (IDAStar(), "one"), (IDAStar(), "count")]
)
def test_hoppers(algorithm, want):
    result = agree(hoppers(), algorithm, want=want)
    assert result.cost == 7
    assert result.count in (None, 72)


@pytest.mark.spread
@pytest.mark.parametrize("want", ["one", "all"])
@pytest.mark.parametrize("algorithm", [IDDFS(), IDDFS("parent"), IDAStar()])
def test_the_first_chain_fixed(algorithm, want):
    fixed = fix_first_step(hoppers())
    result = agree(fixed, algorithm, want=want)
    assert result.count in (None, 18)


@settings(deadline=None, max_examples=30)
@given(spaces, cycles, wanted, st.data())
def test_some_chains_out_of_the_start(space, cycles, want, data):
    problem = ChainMoves(Pieces(*space))
    start = problem.initial_states()[0]
    steps = list(problem.successors(start))
    kept = data.draw(st.lists(st.sampled_from(steps), unique=True)) if steps else []
    fixed = FirstStepFixed(problem, start, steps, [[step.action] for step in kept])
    agree(fixed, IDDFS(cycles), want=want, limits=GIVEN_UP)


@pytest.mark.slow_variants("5")
@pytest.mark.parametrize("triangle", [4, 5])
def test_triangles(triangle):
    problem = peg(f"triangle{triangle}", vacant="1", target="any")
    agree(problem, IDAStar(), want="count", limits=Limits(expansions=5_000))


@pytest.mark.parametrize("cycles", ["path", "parent"])
def test_several_words_and_control_states(cycles):
    with plainly():
        agree(ChainMoves(Dance()), IDDFS(cycles), want="all", limits=Limits(expansions=300))


def test_kernels_of_chains_are_checked_as_well():
    triangle = peg("triangle4", vacant="1", target="any")
    plain, found = (solve(triangle, IDAStar(), engine=name) for name in ("compiled", "checked"))
    assert (found.cost, found.statistics.expanded) == (plain.cost, plain.statistics.expanded)


def test_children_that_wait_take_memory():
    result = solve(peg(), IDAStar(), engine="compiled", limits=Limits(memory=60_000))
    assert result.limit is LimitKind.MEMORY
    assert 0 < result.statistics.bytes <= 60_000


def test_the_driver_stops_a_search_of_chains():
    result = solve(peg(), IDDFS(), limits=Limits(expansions=100_000))
    assert (result.engine, result.limit) == ("compiled", LimitKind.EXPANSIONS)
    assert result.statistics.expanded == 100_000


def test_what_is_not_compiled_says_why():
    class Plain(Problem):
        def initial_states(self):
            return [0]

        def successors(self, state):
            return []

        def is_goal(self, state):
            return state == 1

        def piece_before(self, action):
            return 0

        piece_after = piece_before
        format_chain = str

    class Mute(Toggles):
        piece_before = Pieces.piece_before
        piece_after = Pieces.piece_after
        format_chain = Pieces.format_chain

    with pytest.raises(UnsuitableError, match="Mute has no kernels moved_from and moved_to"):
        solve(ChainMoves(Mute(piece_tables([]), (0,))), IDDFS(), engine="compiled")
    with pytest.raises(UnsuitableError, match="Plain is not a PackedProblem"):
        solve(ChainMoves(Plain()), IDDFS(), engine="compiled")
    with pytest.raises(UnsuitableError, match="operator_pruning is not for chains"):
        solve(hoppers(), IDDFS(operator_pruning=3), engine="compiled")
