"""Children made all at once: every count is that of making them one by one, at every limit."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import IDAStar, Limits, WeightedIDAStar, solve
from searchkit.compiled.depth_first import batch_plan, deepening, forms
from searchkit.compiled.depth_first import siblings as bursts
from searchkit.compiled.specialise.plain import plainly
from searchkit_sliding import Board, SlidingPuzzle, WalkingDistance, sliding
from tests.support.both_engines import agree, in_small_runs
from tests.support.carried import Words
from tests.support.rooms import rooms, values


@pytest.fixture(autouse=True, scope="module")
def _small():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bursts, "FIRST_CAPACITY", 2)
        yield


def used(monkeypatch):
    """The searches that are done in bursts."""
    made = []

    class Noted(bursts.Bursts):
        def __attrs_post_init__(self):
            made.append(self)
            super().__attrs_post_init__()

    monkeypatch.setattr(forms, "Bursts", Noted)
    return made


@settings(deadline=None, max_examples=60)
@given(
    rooms(), values, values, st.sampled_from(["one", "all", "count", 1, 2]),
    st.none() | st.integers(0, 60), st.integers(0, 9),
)  # fmt: skip
def test_rooms_that_need_not_have_doors(problem, estimate, early, want, nodes, depth):
    estimate = tuple(
        h * (goal == 0) for h, goal in zip(estimate, problem.tables.goals, strict=True)
    )
    agree(
        problem, IDAStar(Words(estimate, early), "parent"),
        want=want, limits=Limits(expansions=nodes, cost=depth),
    )  # fmt: skip


@pytest.mark.spread("one")
@pytest.mark.parametrize("want", ["one", "all"])
def test_boards_at_every_limit(want, monkeypatch):
    made = used(monkeypatch)
    board = Board.rectangle(3, 3)
    puzzle = SlidingPuzzle.read(board, "867254301", "123456780")
    algorithm = IDAStar(WalkingDistance(puzzle))
    for nodes in (0, 1, 2, 3, 10, 57, 58, 59, 200, 1000, 2500):
        agree(puzzle, algorithm, want=want, limits=Limits(expansions=nodes))
    assert made


@pytest.mark.slow_variants("2-50-one", "2-50-count")
@pytest.mark.spread
@pytest.mark.parametrize("want", ["one", "all", "count"])
@pytest.mark.parametrize(("threads", "roots"), [(2, 50), (3, 2)])
def test_threads_count_what_one_counts(monkeypatch, want, threads, roots):
    """Iterations are shared from their beginning or later, in one list of subtrees or several."""
    done = in_small_runs(monkeypatch)
    monkeypatch.setattr(batch_plan, "MOST_ROOTS", roots)
    for seed in range(2):
        puzzle = sliding("3x3")
        puzzle = puzzle.with_start(puzzle.random_state(random.Random(seed)))
        algorithm = IDAStar(WalkingDistance(puzzle))
        result = agree(puzzle, algorithm, want=want, threads=threads, held=())
        total = result.statistics.expanded
        for nodes in (total // 2, total - 1, total):
            limits = Limits(expansions=nodes)
            agree(puzzle, algorithm, want=want, threads=threads, held=(), limits=limits)
    assert done


@settings(deadline=None, max_examples=30)
@given(
    rooms(), values, values, st.sampled_from(["one", "all", "count"]),
    st.none() | st.integers(0, 60),
)  # fmt: skip
def test_threads_in_rooms(problem, estimate, early, want, nodes):
    """Goals lie everywhere, and control states cannot be foretold."""
    estimate = tuple(
        h * (goal == 0) for h, goal in zip(estimate, problem.tables.goals, strict=True)
    )
    with pytest.MonkeyPatch.context() as patch:
        in_small_runs(patch)
        patch.setattr(deepening, "BATCHES_FROM", 4)
        agree(
            problem, IDAStar(Words(estimate, early), "parent"), threads=2, held=(),
            want=want, limits=Limits(expansions=nodes, cost=9),
        )  # fmt: skip


def test_weights(monkeypatch):
    made = used(monkeypatch)
    puzzle = SlidingPuzzle.read(Board.rectangle(3, 3), "867254301", "123456780")
    algorithm = WeightedIDAStar(WalkingDistance(puzzle), weight="3/2")
    for nodes in (100, 5000):
        with plainly():
            agree(puzzle, algorithm, limits=Limits(expansions=nodes))
    assert made


def test_the_same_as_one_by_one(monkeypatch):
    puzzle = SlidingPuzzle.read(
        Board.rectangle(4, 4),
        "5 3 13 0 9 1 12 6 11 2 10 14 4 7 8 15",
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0",
    )
    algorithm = IDAStar(WalkingDistance(puzzle))
    at_once = solve(puzzle, algorithm, engine="compiled")
    monkeypatch.setattr(forms, "Bursts", forms.Stack)
    one_by_one = solve(puzzle, algorithm, engine="compiled")
    assert at_once.cost == one_by_one.cost
    for name in ("expanded", "generated", "max_frontier"):
        assert getattr(at_once.statistics, name) == getattr(one_by_one.statistics, name)
    for ours, theirs in zip(
        at_once.statistics.iterations, one_by_one.statistics.iterations, strict=True
    ):
        assert (ours.bound, ours.generated) == (theirs.bound, theirs.generated)
