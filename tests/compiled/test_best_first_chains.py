"""Best-first searches of chains: machine code does what the reference engine does."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import (
    Anytime,
    AStar,
    GreedyBestFirst,
    LimitKind,
    Limits,
    ProblemError,
    UniformCost,
    WeightedAStar,
    solve,
)
from searchkit.compiled.best_first import astar
from searchkit.compiled.specialise.plain import plainly
from searchkit.packed import PackedHeuristic
from searchkit.transforms import ChainMoves, FirstStepFixed, fix_first_step
from searchkit_peg import hoppers, peg
from tests.compiled.test_chain_successors import Dance
from tests.support.both_engines import agree
from tests.support.toggle_spaces import Pieces, pegs, wandering_pieces

spaces = pegs() | wandering_pieces()
wanted = st.sampled_from(["one", "all", "count"])


class Far(PackedHeuristic):
    """Inconsistent, and more than it may be."""

    name = "far"
    parts = ("problem",)

    def __init__(self, problem):
        self.problem = problem

    def estimate(self, state):
        return 0 if self.problem.at_goal(state) else 1 + (state >> 31 & 1)

    def change(self, state, control, operator, child):
        return 7  # of a step that is no chain: not to be asked


def algorithms(base):
    far = Far(base)
    return st.sampled_from(
        [UniformCost(), AStar(far), GreedyBestFirst(far), WeightedAStar(far, "3/2"), Anytime(far)]
    )


@settings(deadline=None, max_examples=40)
@given(st.data(), spaces, wanted)
def test_without_the_compiler(data, space, want):
    base = Pieces(*space)
    algorithm = data.draw(algorithms(base))
    want = want if algorithm.finds_all else "one"
    limits = Limits(
        expansions=data.draw(st.integers(0, 300)), cost=data.draw(st.sampled_from([2, 5, 30]))
    )
    with plainly():
        agree(ChainMoves(base), algorithm, want=want, limits=limits)


@settings(deadline=None, max_examples=60)
@given(spaces, wanted, st.data())
def test_some_chains_out_of_the_start(space, want, data):
    problem = ChainMoves(Pieces(*space))
    start = problem.initial_states()[0]
    steps = list(problem.successors(start))
    kept = data.draw(st.lists(st.sampled_from(steps), unique=True)) if steps else []
    fixed = FirstStepFixed(problem, start, steps, [[step.action] for step in kept])
    with plainly():
        agree(fixed, UniformCost(), want=want, limits=Limits(expansions=2000))


@settings(deadline=None, max_examples=40)
@given(spaces, wanted)
def test_as_machine_code(space, want):
    agree(ChainMoves(Pieces(*space)), UniformCost(), want=want, limits=Limits(expansions=2000))


@pytest.mark.slow_variants("one", "count")
@pytest.mark.parametrize("want", ["one", "all", "count"])
def test_hoppers(want):
    result = agree(hoppers(), AStar(), want=want)
    assert result.cost == 7
    assert result.count in (None, 72)
    fixed = agree(fix_first_step(hoppers()), AStar(), want=want)
    assert fixed.count in (None, 18)


def test_several_words_and_control_states():
    with plainly():
        agree(ChainMoves(Dance()), UniformCost(), want="all", limits=Limits(expansions=300))


def test_room_for_chains_grows_and_ends(monkeypatch):
    monkeypatch.setattr(astar, "CHILDREN", 1)
    with plainly():
        agree(hoppers(), AStar(), want="count", limits=Limits(expansions=200))
    monkeypatch.setattr(astar, "MOST_LISTED", 8)
    with plainly(), pytest.raises(ProblemError, match="a state has more than 8 steps; engine="):
        solve(hoppers(), AStar(), engine="compiled")


def test_memory_and_expansions_limit_it():
    for limits, limit in (
        (Limits(memory=3_000_000), LimitKind.MEMORY),
        (Limits(expansions=10_000), LimitKind.EXPANSIONS),
    ):
        result = solve(peg(), AStar(), engine="compiled", limits=limits)
        assert result.limit is limit
        assert result.statistics.bytes <= 3_000_000 or limit is not LimitKind.MEMORY
    assert result.statistics.expanded == 10_000
