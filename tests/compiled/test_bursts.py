"""Children made all at once: every count is that of making them one by one, at every limit."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from carried import Words
from hypothesis import given, settings
from hypothesis import strategies as st
from test_carried import agree

from searchkit import IDAStar, Limits, WeightedIDAStar, solve
from searchkit.compiled import bursts, deepening
from searchkit.packed import PackedProblem
from searchkit_sliding import Board, SlidingPuzzle, WalkingDistance

ROOMS = 6


class RoomTables(NamedTuple):
    doors: tuple[tuple[int, ...], ...]
    goals: tuple[int, ...]


class Rooms(PackedProblem[int]):
    """Rooms with doors between some of them; an operator is the room that it leads to."""

    undirected = True
    controls = ROOMS

    def __init__(self, tables: RoomTables, starts: tuple[int, ...]) -> None:
        self.tables, self.starts = tables, starts

    def initial_states(self):
        return self.starts

    def operators(self, control):
        return [room for room in range(ROOMS) if room != control]

    def action(self, state, operator):
        return operator

    def next_control(self, control, operator):
        return operator

    def inverse(self, control, operator):
        return control

    def control(self, state):
        return state

    def legal(self, state, control, operator):
        return self.tables.doors[state][operator] != 0

    def apply(self, state, control, operator):
        return operator

    def at_goal(self, state):
        return self.tables.goals[state] != 0


@st.composite
def rooms(draw):
    pairs = [(a, b) for a in range(ROOMS) for b in range(a)]
    chosen = set(draw(st.lists(st.sampled_from(pairs), max_size=12)))
    doors = tuple(
        tuple(int((a, b) in chosen or (b, a) in chosen) for b in range(ROOMS)) for a in range(ROOMS)
    )
    goals = draw(st.lists(st.sampled_from([0, 0, 1]), min_size=ROOMS, max_size=ROOMS).map(tuple))
    starts = tuple(draw(st.lists(st.integers(0, ROOMS - 1), min_size=1, max_size=2, unique=True)))
    return Rooms(RoomTables(doors, goals), starts)


values = st.lists(st.sampled_from([0, 0, 1, 2, 3]), min_size=ROOMS, max_size=ROOMS).map(tuple)


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

    monkeypatch.setattr(deepening, "Bursts", Noted)
    return made


@settings(deadline=None, max_examples=200)
@given(
    rooms(), values, values, st.sampled_from(["one", "all", "count"]),
    st.none() | st.integers(0, 60), st.integers(0, 9), st.sampled_from([None, 1, 2]),
)  # fmt: skip
def test_rooms_that_need_not_have_doors(problem, estimate, early, want, nodes, depth, most):
    estimate = tuple(
        h * (goal == 0) for h, goal in zip(estimate, problem.tables.goals, strict=True)
    )
    agree(
        problem, IDAStar(Words(estimate, early), "parent"),
        want=want, max_solutions=most, limits=Limits(nodes=nodes, depth=depth),
    )  # fmt: skip


@pytest.mark.parametrize("want", ["one", "all"])
def test_boards_at_every_limit(want, monkeypatch):
    made = used(monkeypatch)
    board = Board.rectangle(3, 3)
    puzzle = SlidingPuzzle.read(board, "867254301", "123456780")
    algorithm = IDAStar(WalkingDistance(puzzle))
    for nodes in (0, 1, 2, 3, 10, 57, 58, 59, 200, 1000, 2500):
        agree(puzzle, algorithm, want=want, limits=Limits(nodes=nodes))
    assert made


def test_weights(monkeypatch):
    made = used(monkeypatch)
    puzzle = SlidingPuzzle.read(Board.rectangle(3, 3), "867254301", "123456780")
    for nodes in (100, 5000):
        agree(
            puzzle, WeightedIDAStar(WalkingDistance(puzzle), weight="3/2"),
            limits=Limits(nodes=nodes),
        )  # fmt: skip
    assert made


def test_the_same_as_one_by_one(monkeypatch):
    puzzle = SlidingPuzzle.read(
        Board.rectangle(4, 4),
        "5 3 13 0 9 1 12 6 11 2 10 14 4 7 8 15",
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0",
    )
    algorithm = IDAStar(WalkingDistance(puzzle))
    at_once = solve(puzzle, algorithm, engine="compiled")
    monkeypatch.setattr(deepening, "Bursts", deepening.Stack)
    one_by_one = solve(puzzle, algorithm, engine="compiled")
    assert at_once.cost == one_by_one.cost
    for name in ("expanded", "generated", "max_frontier"):
        assert getattr(at_once.statistics, name) == getattr(one_by_one.statistics, name)
    for ours, theirs in zip(
        at_once.statistics.iterations, one_by_one.statistics.iterations, strict=True
    ):
        assert (ours.bound, ours.generated) == (theirs.bound, theirs.generated)
