"""Once wrong: compiled searches that crashed, or proved what is not so."""

from __future__ import annotations

import linecache
from collections import Counter
from typing import NamedTuple

import pytest

from searchkit import (
    IDDFS,
    AStar,
    BreadthFirst,
    Costs,
    IDAStar,
    LimitKind,
    Limits,
    ProblemError,
    UniformCost,
    UsageError,
    solve,
)
from searchkit.bits import shift_right
from searchkit.compiled.specialise.duplicates import Learner
from searchkit.errors import CompilationError
from searchkit.packed import PackedHeuristic, PackedProblem
from searchkit_sliding import eight_puzzle, fifteen_puzzle

BATCH = 3


class Walk(PackedProblem[int]):
    costs = Costs.INTEGER
    end = 3

    def initial_states(self):
        return [0]

    def operators(self, control):
        return range(2)

    def action(self, state, operator):
        return operator

    def at_goal(self, state):
        return state == 3

    def apply(self, state, control, operator):
        return state + 1 + operator


class Dear(Walk):
    def cost(self, state, control, operator):
        return 1 << 27


class Negative(Walk):
    def cost(self, state, control, operator):
        return -1


class Fractional(Walk):
    def cost(self, state, control, operator):
        return 0.5


@pytest.mark.parametrize(
    "algorithm", [IDDFS(), pytest.param(UniformCost(), marks=pytest.mark.slow)]
)
@pytest.mark.parametrize(
    ("kind", "told"),
    [(Dear, "engine"), (Negative, "costs -1"), (Fractional, "costs 0.5")],
)
def test_costs_that_do_not_fit_are_errors(algorithm, kind, told):
    with pytest.raises(ProblemError, match=told):
        solve(kind(), algorithm, engine="compiled")


def test_a_budget_stays_a_machine_word():
    limits = Limits(memory=60_000_000, time=20)
    result = solve(fifteen_puzzle(), BreadthFirst(), engine="compiled", limits=limits)
    assert result.limit in (LimitKind.MEMORY, LimitKind.TIME)
    assert result.statistics.expanded > 1_000_000


class Low(PackedHeuristic):
    name = "low"

    def estimate(self, state):
        return -1


@pytest.mark.parametrize("algorithm", [AStar(Low()), IDAStar(Low())])
@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_negative_estimates_are_errors(algorithm, engine):
    with pytest.raises(ProblemError, match="heuristic low gives -1 for state 0"):
        solve(Walk(), algorithm, engine=engine)


@pytest.mark.parametrize(
    "algorithm",
    [
        BreadthFirst(),
        *(pytest.param(each, marks=pytest.mark.slow) for each in (IDDFS(), UniformCost())),
    ],
)
def test_control_states_that_do_not_exist_are_errors(algorithm):
    class Astray(Walk):
        costs = Costs.UNIT
        controls = 2

        def at_goal(self, state):
            return state == 30

        def control(self, state):
            return state & 7

        def next_control(self, control, operator):
            return None

    with pytest.raises(ProblemError, match="control"):
        solve(Astray(), algorithm, engine="compiled")


class UsesLambda(Walk):
    def apply(self, state, control, operator):
        return (lambda BATCH: BATCH + 1)(state) + BATCH - 3  # noqa: N803, PLC3002


class UsesComprehension(Walk):
    def apply(self, state, control, operator):
        return sum([BATCH for BATCH in (state, 1)])  # noqa: C416


def stepped(state, by=1):
    return state + by


class UsesDefault(Walk):
    def apply(self, state, control, operator):
        return stepped(state)


class Names(NamedTuple):
    names: str


class UsesText(Walk):
    tables = Names("abc")


class UsesTuple(Walk):
    tables = (1, 2)


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (UsesLambda, "calls what is not a name"),
        (UsesComprehension, "holds a comprehension; use a loop"),
        (UsesDefault, "has default arguments"),
        (UsesText, "table names holds 'abc'; use integers"),
        (UsesTuple, "it must be a named tuple"),
    ],
)
def test_what_would_become_other_machine_code_is_refused(kind, told):
    with pytest.raises(CompilationError, match=told):
        solve(kind(), IDDFS(), engine="compiled")


class UsesNames(Walk):
    """A constant and a function with the names of parts of the engines."""

    def apply(self, state, control, operator):
        tables = state + operator
        return store(tables) + BATCH - 3


def store(state):
    return state + 1


def test_names_of_the_engines_are_free():
    reference = solve(UsesNames(), IDDFS(), want="count", engine="reference")
    compiled = solve(UsesNames(), IDDFS(), want="count", engine="compiled")
    assert (compiled.cost, compiled.count) == (reference.cost, reference.count)


def test_a_source_file_that_changed_after_its_import_is_noticed(monkeypatch):
    names = {"PackedProblem": PackedProblem, "Walk": Walk}
    text = "class Edited(Walk):\n    def at_goal(self, state):\n        return state == GOAL\n"
    for goal in ("3", "4"):
        linecache.cache["<edited>"] = (1, None, text.replace("GOAL", goal).splitlines(True), "x")
        if goal == "3":
            exec(compile(text.replace("GOAL", goal), "<edited>", "exec"), names)
    names["Edited"].__module__ = __name__
    with pytest.raises(CompilationError, match="its source file <edited> has changed"):
        solve(names["Edited"](), IDDFS(), engine="compiled")


@pytest.mark.parametrize("places", [-1, 64])
def test_shifts_that_machines_do_otherwise_are_errors(places):
    with pytest.raises(ValueError, match="0 to 63"):
        shift_right(1, places)


@pytest.mark.parametrize(
    "algorithm",
    [
        IDAStar(),
        BreadthFirst(),
        *(pytest.param(each, marks=pytest.mark.slow) for each in (IDDFS(), AStar())),
    ],
)
def test_no_start_is_an_error(algorithm):
    class Nowhere(Walk):
        costs = Costs.UNIT

        def initial_states(self):
            return []

    with pytest.raises(ProblemError, match="initial_states gives no state"):
        solve(Nowhere(), algorithm, engine="compiled")


@pytest.mark.slow
def test_learning_ends(monkeypatch):
    """After some rounds, each of which takes longer than all before, and not after 40."""
    rounds, plain = Counter(), Learner._longer

    def counting(self, control, *arguments):
        rounds[control] += 1
        return plain(self, control, *arguments)

    monkeypatch.setattr(Learner, "_longer", counting)
    result = solve(eight_puzzle(), IDAStar(operator_pruning=40), engine="compiled")
    assert result.cost == 31
    assert len(rounds) == eight_puzzle().controls
    assert 2 < max(rounds.values()) < 30


@pytest.mark.parametrize("length", [-1, "x", 2.5])
def test_lengths_of_pruning_are_whole_numbers(length):
    with pytest.raises(UsageError, match="operator_pruning"):
        IDAStar(operator_pruning=length)


@pytest.mark.parametrize("states", [[1 << 64], [-1], [(1, 2)], ["a"]])
def test_starts_that_are_no_words_are_errors(states):
    class Misplaced(Walk):
        def initial_states(self):
            return states

    with pytest.raises((ProblemError, UsageError), match="words"):
        solve(Misplaced(), IDDFS(), engine="compiled")
