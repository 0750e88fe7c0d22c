"""Search by words of operators: every count is that of trying operators one by one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import IDAStar, Limits, ProblemError, WeightedIDAStar, solve
from searchkit.checks.heuristic import check_heuristic
from searchkit.compiled.depth_first import forms, stack
from searchkit.compiled.depth_first.stack import MaskedLists
from searchkit.compiled.specialise.operators import OperatorLists
from searchkit.compiled.specialise.plain import plainly
from searchkit.packed import PackedHeuristic, PackedProblem
from searchkit_pancakes import Pancakes
from tests.support.both_engines import agree

BITS = 5
STATES = 1 << BITS
HIGH = 58
"""The operators are from here on: the last is the highest that a word has room for."""
made: list[stack.Stack] = []


class Noted(stack.Stack):
    def __attrs_post_init__(self):
        super().__attrs_post_init__()
        if self.spec.module.MASKS:
            made.append(self)


@pytest.fixture(autouse=True, scope="module")
def _small():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stack, "FIRST_CAPACITY", 2)
        patch.setattr(forms, "Stack", Noted)
        patch.setattr(forms, "MOST_WORDS_IN_BATCHES", 0)
        yield


class SwitchTables(NamedTuple):
    goals: tuple[int, ...]
    first: int


class Switches(PackedProblem[int]):
    """A switch flips a bit; while bit 0 is set, some of them are out of reach."""

    undirected = True
    controls = 2

    def __init__(self, goals: tuple[int, ...], starts: tuple[int, ...]) -> None:
        self.tables, self.starts = SwitchTables(goals, HIGH), starts

    def initial_states(self):
        return self.starts

    def operators(self, control):
        return range(HIGH, HIGH + BITS) if control == 0 else (HIGH, HIGH + 2, HIGH + 4)

    def action(self, state, operator):
        return operator

    def control(self, state):
        return state & 1

    def next_control(self, control, operator):
        return 1 - control if operator == HIGH else control

    def inverse(self, control, operator):
        return operator

    def at_goal(self, state):
        return self.tables.goals[state] != 0

    def apply(self, state, control, operator):
        return state ^ 1 << (operator - self.tables.first)


class EstimateTables(NamedTuple):
    values: tuple[int, ...]
    more: tuple[int, ...]
    first: int


class Estimates(PackedHeuristic):
    """Numbers from a table, and words with more operators than those within the bound."""

    name = "estimates"

    def __init__(self, values: tuple[int, ...], more: tuple[int, ...]) -> None:
        self.tables = EstimateTables(values, more, HIGH)

    def estimate(self, state):
        return self.tables.values[state]

    def change(self, state, control, operator, child):
        after = state ^ 1 << (operator - self.tables.first)
        return self.tables.values[after] - self.tables.values[state]

    def candidates(self, state, control, most):
        found = self.tables.more[state]
        for bit in range(5):
            if self.tables.values[state ^ 1 << bit] - self.tables.values[state] <= most:
                found |= 1 << bit
        return found << self.tables.first


class Looking(Estimates):
    """The change is found by looking at the child."""

    def change(self, state, control, operator, child):
        return self.tables.values[child] - self.tables.values[state]


columns = st.tuples(*[st.integers(0, 4)] * STATES)
words = st.tuples(*[st.integers(0, STATES - 1)] * STATES)


@st.composite
def searches(draw, kind=Estimates):
    goals = draw(st.tuples(*[st.sampled_from([0, 0, 0, 0, 0, 1])] * STATES))
    starts = tuple(draw(st.lists(st.integers(0, STATES - 1), min_size=1, max_size=2, unique=True)))
    values = draw(columns)
    admissible = tuple(
        0 if goal else min(value, least(state, goals))
        for state, (value, goal) in enumerate(zip(values, goals, strict=True))
    )
    return Switches(goals, starts), kind(admissible, draw(words))


def least(state, goals):
    """The number of bits to the nearest goal."""
    away = [(state ^ each).bit_count() for each in range(STATES) if goals[each]]
    return min(away, default=1)


few = st.none() | st.integers(0, 400)


@settings(deadline=None, max_examples=75)
@given(
    searches(), st.sampled_from(["one", "all", "count", 1, 3]), few, st.integers(0, 6),
)  # fmt: skip
def test_random_estimates(search, want, nodes, cost):
    problem, heuristic = search
    agree(
        problem, IDAStar(heuristic, "parent"),
        want=want, limits=Limits(expansions=nodes, cost=cost),
    )  # fmt: skip
    assert made


@settings(deadline=None, max_examples=20)
@given(searches(), searches(Looking), st.sampled_from(["one", "count"]), st.integers(0, 200))
def test_weights_and_changes_that_look_at_the_child(search, looking, want, nodes):
    limits = Limits(expansions=nodes, cost=6)
    with plainly():
        agree(search[0], WeightedIDAStar(search[1], weight="3/2", cycles="parent"), limits=limits)
        agree(looking[0], IDAStar(looking[1], "parent"), want=want, limits=limits)


@pytest.mark.slow_variants("False")
@pytest.mark.parametrize("burnt", [False, True])
def test_wide_stacks_at_every_limit(burnt):
    made.clear()
    for seed in range(3):
        puzzle = turned(list(range(1, 10 if burnt else 19)), seed, burnt=burnt)
        for nodes in (0, 1, 2, 10, 100, 1000, 1001):
            agree(puzzle, IDAStar(cycles="parent"), limits=Limits(expansions=nodes))
    assert made


def turned(pancakes, seed, *, burnt):
    for turn in np.random.default_rng(seed).integers(2, len(pancakes) + 1, 8).tolist():
        top = pancakes[:turn][::-1]
        pancakes[:turn] = [-each for each in top] if burnt else top
    return Pancakes.read(" ".join(map(str, pancakes)), burnt=burnt)


def test_lists_that_are_bits_of_a_word():
    def lists(first, operators):
        nothing = np.zeros(0, dtype=np.int64)
        return OperatorLists(np.array(first), np.array(operators), nothing, nothing, True)

    assert MaskedLists.fit(lists([0, 3, 5], [0, 7, 62, 0, 1]))
    assert MaskedLists.fit(lists([0, 0, 2, 2], [3, 5]))
    assert not MaskedLists.fit(lists([0, 3], [0, 7, 63]))
    assert not MaskedLists.fit(lists([0, 2], [-1, 2]))
    assert not MaskedLists.fit(lists([0, 3, 5], [0, 7, 5, 0, 1]))
    assert not MaskedLists.fit(lists([0, 0, 2], [5, 3]))
    assert not MaskedLists.fit(lists([0, 0], []))


# An operator that is left out


class LeavingOut(Estimates):
    def candidates(self, state, control, most):
        return ((1 << 63) - 1) ^ (1 << self.tables.first + 2)


DISTANCES = tuple(state.bit_count() for state in range(STATES))
LIE = Switches((1,) + (0,) * (STATES - 1), (0b10100,)), LeavingOut(DISTANCES, (0,) * STATES)


@pytest.mark.parametrize("engine", ["compiled", "checked"])
def test_an_operator_that_is_left_out_is_an_error(engine):
    problem, heuristic = LIE
    with (
        plainly(),
        pytest.raises(ProblemError, match=r"^heuristic .*: candidates lacks operator 60"),
    ):
        solve(problem, IDAStar(heuristic, "parent"), engine=engine, limits=Limits(cost=5))


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_the_law_of_estimates_finds_it(engine):
    problem, heuristic = LIE
    with plainly():
        report = check_heuristic(problem, heuristic, engine=engine)
        assert {wrong.form for wrong in report.disagreements} == {"candidates"}
        assert check_heuristic(problem, Estimates(DISTANCES, (0,) * STATES), engine=engine).ok
