"""Where the first step is fixed, a packed problem stays packed, and every engine does the same."""

from __future__ import annotations

from contextlib import nullcontext
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import (
    IDDFS,
    Anytime,
    AStar,
    Bidirectional,
    BreadthFirst,
    Costs,
    GreedyBestFirst,
    IDAStar,
    Limits,
    UniformCost,
    WeightedAStar,
    solve,
)
from searchkit.capabilities import Symmetry
from searchkit.compiled.specialise.plain import plainly
from searchkit.packed import PackedProblem
from searchkit.transforms import FirstStepFixed, fix_first_step
from searchkit.transforms.first_step import PackedFirstStep
from searchkit_peg import hoppers
from tests.support.both_engines import agree

SIDE = 5
STEPS = ((-1, 0), (0, -1), (0, 1), (1, 0))
ALGORITHMS = (
    UniformCost(), AStar(), IDDFS(), IDDFS(cycles="parent"), IDAStar(), GreedyBestFirst(),
    WeightedAStar(), Anytime(),
)  # fmt: skip


class GridTables(NamedTuple):
    goals: tuple[int, ...]
    tolls: tuple[int, ...]


class Grid(PackedProblem[int]):
    """A walker on a square grid, from the middle; a step costs the tolls of both its ends."""

    undirected = True
    costs = Costs.INTEGER

    def __init__(self, tables):
        self.tables = tables

    def initial_states(self):
        return (self.at(SIDE * SIDE // 2),)

    def at(self, cell):
        return cell

    def operators(self, control):
        return range(4)

    def inverse(self, control, operator):
        return 3 - operator

    def action(self, state, operator):
        return operator

    def cell(self, state):
        return state

    def moved(self, cell, operator):
        return cell + (-5, -1, 1, 5)[operator]

    def at_goal(self, state):
        return self.tables.goals[self.cell(state)] != 0

    def legal(self, state, control, operator):
        cell = self.cell(state)
        row, column = cell // 5, cell % 5
        return (row > 0, column > 0, column < 4, row < 4)[operator]

    def apply(self, state, control, operator):
        return self.moved(self.cell(state), operator)

    def cost(self, state, control, operator):
        cell = self.cell(state)
        return self.tables.tolls[cell] + self.tables.tolls[self.moved(cell, operator)]

    def symmetries(self):
        for turns in range(4):
            for mirrored in (False, True):
                yield self.symmetry(turns, mirrored)

    def symmetry(self, turns, mirrored):
        def turned(vector):
            down, right = vector
            for _ in range(turns):
                down, right = right, -down
            return (down, -right) if mirrored else (down, right)

        def of_state(state):
            row, column = divmod(self.cell(state), SIDE)
            down, right = turned((row - 2, column - 2))
            return self.at((down + 2) * SIDE + right + 2)

        return Symmetry(
            f"{turns}{mirrored}", of_state, lambda action: STEPS.index(turned(STEPS[action]))
        )


class UnitGrid(Grid):
    costs = Costs.UNIT
    cost = PackedProblem.cost

    def goal_states(self):
        return [self.at(cell) for cell in range(SIDE * SIDE) if self.tables.goals[cell]]


class WideGrid(Grid):
    words = 2

    def at(self, cell):
        return (cell << 60 & (1 << 64) - 1, cell)

    def cell(self, state):
        return state[1]

    def apply(self, state, control, operator):
        cell = self.moved(state[1], operator)
        return (cell << 60 & (1 << 64) - 1, cell)


class PlainFirstStep(FirstStepFixed):
    """Which is never packed."""


@st.composite
def grids(draw, kind):
    # Cells that symmetries map to each other have one number, from 0 in the middle.
    sides = [sorted((abs(cell // SIDE - 2), abs(cell % SIDE - 2))) for cell in range(SIDE * SIDE)]
    numbers = [(0, 1, 3)[high] + low for low, high in sides]
    goals = draw(st.lists(st.booleans(), min_size=6, max_size=6))
    tolls = draw(st.lists(st.integers(1, 3), min_size=6, max_size=6))
    return kind(
        GridTables(
            tuple(int(goals[number] and number > 0) for number in numbers),
            tuple(tolls[number] for number in numbers),
        )
    )


def found(result):
    return (
        result.status, result.cost, result.count,
        [each.actions for each in result.solutions or ()],
        result.statistics.expanded, result.statistics.generated,
    )  # fmt: skip


@settings(deadline=None, max_examples=30)
@given(grids(Grid), st.sampled_from(ALGORITHMS))
def test_packed_or_not_the_reference_engine_does_the_same(grid, algorithm):
    fixed = fix_first_step(grid)
    assert isinstance(fixed, PackedFirstStep)
    (start,) = grid.initial_states()
    plain = PlainFirstStep(grid, start, list(grid.successors(start)), fixed.classes)
    options = {"engine": "reference", "limits": Limits(expansions=2000)}
    options["want"] = "all" if algorithm.finds_all else "one"
    assert found(solve(fixed, algorithm, **options)) == found(solve(plain, algorithm, **options))
    # What the kernels say is what Python does.
    for state in range(SIDE * SIDE):
        steps = list(PackedProblem.successors(fixed, state))
        assert steps == list(fixed.successors(state)) == list(plain.successors(state))


@settings(deadline=None, max_examples=15)
@given(
    st.one_of(grids(Grid), grids(WideGrid), grids(UnitGrid)),
    st.sampled_from([*ALGORITHMS, BreadthFirst()]),
    st.integers(0, 60),
    st.integers(0, 8),
)
def test_compiled_engines_without_the_compiler(grid, algorithm, nodes, depth):
    if isinstance(algorithm, BreadthFirst) and not isinstance(grid, UnitGrid):
        return
    fixed = fix_first_step(grid)
    wants = ("one", "all", "count") if algorithm.finds_all else ("one",)
    with plainly():
        for want in wants:
            agree(fixed, algorithm, want=want, limits=Limits(expansions=1000))
            agree(fixed, algorithm, want=want, limits=Limits(expansions=nodes))
            agree(fixed, algorithm, want=want, limits=Limits(cost=depth))


@pytest.mark.parametrize(
    ("algorithm", "how"), [(AStar(), plainly), (IDAStar(), nullcontext)], ids=["astar", "idastar"]
)
def test_several_words(algorithm, how):
    corner = GridTables(tuple(int(cell in (0, 4, 20, 24)) for cell in range(25)), (1,) * 25)
    fixed = fix_first_step(WideGrid(corner))
    with how():
        result = agree(fixed, algorithm, want="count", limits=Limits(expansions=100_000))
    assert (result.cost, result.count) == (8, 6)


def test_bitmaps_keep_the_fixed_step():
    fixed = fix_first_step(hoppers("jumps"))
    results = [
        solve(fixed, Bidirectional(), engine=engine, want="count")
        for engine in ("reference", "compiled")
    ]
    assert [found(result)[:3] for result in results] == [found(results[0])[:3]] * 2
    assert results[1].count == solve(hoppers("jumps"), BreadthFirst(), want="count").count // 4


def test_the_checked_engine():
    fixed = fix_first_step(hoppers("mover"))
    results = [
        solve(fixed, AStar(), engine=engine, want="count") for engine in ("reference", "checked")
    ]
    assert found(results[0]) == found(results[1])
    assert results[0].count == 18
