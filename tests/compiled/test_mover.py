"""The mover problem of a packed problem: packed as well, and the same to every engine."""

from __future__ import annotations

import pickle
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import (
    IDDFS,
    Anytime,
    AStar,
    GreedyBestFirst,
    IDAStar,
    Limits,
    UniformCost,
    WeightedAStar,
    WeightedIDAStar,
    solve,
)
from searchkit.compiled.specialise.plain import plainly
from searchkit.packed import PackedProblem
from searchkit.transforms import MoverState
from searchkit.transforms.mover_state import PackedMoverState
from searchkit_peg import PegSolitaire, hoppers
from searchkit_peg.boards import triangle
from tests.support.both_engines import agree
from tests.support.packed_graphs import OPERATORS, MovesPieces, UnitGraph

ALGORITHMS = (
    UniformCost(), AStar(), IDDFS(), IDDFS(cycles="parent"), IDAStar(), GreedyBestFirst(),
    WeightedAStar(), WeightedIDAStar(), Anytime(),
)  # fmt: skip


class PieceTables(NamedTuple):
    following: tuple[tuple[int, ...], ...]
    goals: tuple[int, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]


class Pieces(MovesPieces, UnitGraph):
    """A directed graph whose operators each move a piece from one place to another."""


class PlainMover(MoverState):
    """Which is never packed."""


@st.composite
def pieces(draw):
    """Steps lead to higher numbers, so that no piece runs in circles."""
    count = draw(st.integers(1, 8))
    following = tuple(
        tuple(
            after if after > state else -1
            for after in draw(st.lists(st.integers(0, count - 1), min_size=4, max_size=4))
        )
        for state in range(count)
    )
    goals = tuple(draw(st.lists(st.sampled_from([0, 0, 1]), min_size=count, max_size=count)))
    places = st.lists(st.integers(0, 2), min_size=OPERATORS, max_size=OPERATORS).map(tuple)
    tables = PieceTables(following, goals, draw(places), draw(places))
    starts = draw(st.lists(st.integers(0, count - 1), min_size=1, max_size=2, unique=True))
    return Pieces(tables, tuple(starts))


def counts(result):
    statistics = result.statistics
    return (
        result.status, result.cost, result.count, result.lower_bound, result.limit,
        statistics.expanded, statistics.generated, statistics.reopened, statistics.max_frontier,
        [each.actions for each in result.solutions or ()],
    )  # fmt: skip


@settings(deadline=None, max_examples=50)
@given(pieces(), st.sampled_from(ALGORITHMS), st.booleans())
def test_packed_or_not_the_reference_engine_does_the_same(base, algorithm, every):
    options = {"want": "all" if every and algorithm.finds_all else "one", "engine": "reference"}
    packed = solve(MoverState(base), algorithm, **options)
    assert counts(packed) == counts(solve(PlainMover(base), algorithm, **options))


@settings(deadline=None, max_examples=25)
@given(pieces(), st.sampled_from(ALGORITHMS), st.integers(0, 30), st.integers(0, 5))
def test_compiled_engines_without_the_compiler(base, algorithm, nodes, depth):
    problem = MoverState(base)
    assert isinstance(problem, PackedMoverState)
    wants = ("one", "all", "count") if algorithm.finds_all else ("one",)
    with plainly():
        for want in wants:
            agree(problem, algorithm, want=want)
            agree(problem, algorithm, want=want, limits=Limits(expansions=nodes))
            agree(problem, algorithm, want=want, limits=Limits(cost=depth))


@settings(deadline=None, max_examples=12)
@given(st.integers(1, 2**10 - 1), st.integers(0, 9))
def test_the_checked_engine_on_a_triangle(pegs, last):
    problem = MoverState(PegSolitaire(triangle(4), pegs, (1 << last,)))
    results = [
        solve(problem, AStar(), want="count", engine=engine) for engine in ("reference", "checked")
    ]
    assert counts(results[0]) == counts(results[1])


@pytest.mark.parametrize("algorithm", [AStar(), IDAStar()], ids=repr)
def test_hoppers_as_machine_code(algorithm):
    assert agree(hoppers("mover"), algorithm, want="all").count == 72


def test_a_start_amid_a_chain():
    problem = hoppers("mover")
    (start,) = problem.initial_states()
    (first, *_) = problem.successors(start)
    moved = problem.with_start(first.state)
    assert problem.parse(problem.format_state(first.state)) == first.state
    assert [step.cost for step in moved.successors(first.state)].count(0) <= 4
    found = agree(moved, AStar(), want="count")
    assert found.cost == 6
    assert moved.with_goal(start).initial_states() == [first.state]
    assert moved != problem != PlainMover(problem.base)
    assert pickle.loads(pickle.dumps(moved)) == moved


def test_symmetries_map_the_place():
    problem = hoppers("mover")
    (start,) = problem.initial_states()
    for step in problem.successors(start):
        images = {symmetry.state_map(step.state) for symmetry in problem.symmetries()}
        assert images == {other.state for other in problem.successors(start)}


class Wide(Pieces):
    words = 2


class PlainBound(Pieces):
    def chain_bound(self, state, moving=None):
        return 0


@pytest.mark.parametrize("kind", [Wide, PlainBound])
def test_what_cannot_be_packed_is_not(kind):
    problem = MoverState(kind(PieceTables(((-1,) * 4,), (1,), (0,) * 4, (0,) * 4), (0,)))
    assert not isinstance(problem, PackedProblem)
