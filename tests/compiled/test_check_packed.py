"""The check of packed heuristics: machine code finds what Python finds, and what is planted."""

from __future__ import annotations

from typing import NamedTuple

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import ProblemError
from searchkit.checks import check_heuristic
from searchkit.errors import CompilationError
from searchkit.packed import DEAD_END, CarriedHeuristic, PackedHeuristic
from tests.support.packed_graphs import (
    CarriedEstimate,
    Graph,
    GraphTables,
    WideEstimate,
    WideGraph,
    distances,
    estimates,
    graphs,
)

FEW = settings(deadline=None, max_examples=25)


def both(problem, heuristic, **options):
    """The reports of both engines without what may differ."""
    found = []
    for engine in ("reference", "compiled"):
        report = check_heuristic(problem, heuristic, engine=engine, **options)
        assert report.engine == engine
        found.append(
            attrs.evolve(
                report, seconds=0, engine="reference", forms=(), spot_checked=(), spots=0,
                disagreed=0, disagreements=(), overestimates=(), inconsistent_steps=(), worst=None,
            )
        )  # fmt: skip
    return found


@FEW
@given(st.data())
def test_both_engines_find_the_same(data):
    tables, starts = data.draw(graphs())
    count = len(tables.goals)
    values = data.draw(st.lists(st.integers(0, 5), min_size=count, max_size=count))
    problem = Graph(tables, starts)
    for options in ({}, {"max_states": 0, "samples": 40}):
        plain, compiled = both(problem, CarriedEstimate(tuple(values)), **options)
        assert plain == compiled
    report = check_heuristic(problem, CarriedEstimate(tuple(values)), engine="compiled")
    exact = distances(tables)
    assert all(values[int(each.state)] > exact[int(each.state)] for each in report.overestimates)
    assert report.admissible is all(
        values[state] <= exact[state] for state in reachable(tables, starts)
    )
    for step in report.inconsistent_steps:
        state, after = int(step.state), int(step.after)
        assert values[state] > step.cost + values[after]
        assert tables.following[state][int(step.action)] == after
        assert tables.costs[state][int(step.action)] == step.cost
    assert not report.disagreed


def reachable(tables, starts):
    found = list(starts)
    for state in found:
        found += [after for after in tables.following[state] if after >= 0 and after not in found]
    return found


@FEW
@given(st.data())
def test_admissible_estimates_over_states_of_several_words(data):
    tables, starts = data.draw(graphs())
    values = data.draw(estimates(tables))
    plain, compiled = both(WideGraph(tables, starts), WideEstimate(values))
    assert plain == compiled
    assert compiled.admissible


class Line(Graph):
    """Twenty places in a row, the goal at 0; operators 0 and 1 lead down and up."""

    undirected = True

    def __init__(self, size=20):
        following = tuple((i - 1, i + 1 if i + 1 < size else -1, -1, -1) for i in range(size))
        costs = ((1,) * 4,) * size
        super().__init__(GraphTables(following, costs, (1, *([0] * (size - 1)))), (size - 1,))
        self.size = size


class FaultTables(NamedTuple):
    fault: int
    place: int


FAULTS = [
    "none", "begin", "follow", "recall", "words", "words, unused", "bound", "dead end",
    "later",
]  # fmt: skip


FORMS = {
    "begin": {"follow", "recall", "follow within a bound", "the call"},
    "follow": {"follow", "follow within a bound"},
    "recall": {"recall"},
    "words": {"recall"},
    "bound": {"follow within a bound"},
    "later": {"follow, some steps later"},
    "dead end": {"follow", "follow within a bound"},
}
"""What each of them may be told as."""


class Faulty(CarriedHeuristic):
    """The place itself is the estimate; its words are that, and something of no use."""

    name = "faulty"
    memory = 2

    def __init__(self, fault, place=7):
        self.tables = FaultTables(FAULTS.index(fault), place)

    def begin(self, memo, at, state):
        value = state
        if self.tables.fault == 1 and state == self.tables.place:
            value += 1
        memo[at] = value
        memo[at + 1] = 0
        return value

    def recall(self, memo, at):
        value = memo[at]
        if self.tables.fault == 3 and value == self.tables.place:
            value += 1
        return value

    def follow(self, memo, at, after, step, most):
        _, _, operator, child = step
        fault = self.tables.fault
        value = memo[at] - 1 + 2 * operator + (1 if memo[at + 1] == 1 else 0)
        if fault == 6 and value > most and child == self.tables.place:
            return most
        memo[after + 1] = 0
        if fault >= 2 and child == self.tables.place:
            if fault == 2:
                value -= 1
            if fault == 4:
                memo[after] = value + 1
                return value
            if fault == 5:
                memo[after + 1] = 2
            if fault == 8:  # right here, but not one step later
                memo[after + 1] = 1
            if fault == 7:
                value = DEAD_END
        memo[after] = value
        return value


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize("fault", FAULTS)
def test_faults_of_what_is_carried_along(fault, engine, monkeypatch):
    monkeypatch.setattr("searchkit.checks.heuristic.COMPARED_STATES", 1)
    report = check_heuristic(Line(), Faulty(fault), engine=engine)
    assert report.ok is (fault in {"none", "words, unused"})
    if fault == "begin":
        assert [(each.state, each.estimate) for each in report.overestimates] == [("7", 8)]
    else:
        assert report.admissible
    for each in report.disagreements:
        assert each.state in {"6", "7", "8"}
        assert each.form in FORMS[fault]


def test_a_fault_at_one_state_of_many_is_found_by_machine_code():
    problem = Line(3000)
    assert check_heuristic(problem, Faulty("none")).engine == "compiled"
    for fault in ("follow", "recall", "bound"):
        report = check_heuristic(problem, Faulty(fault, 2345))
        assert report.engine == "compiled"
        assert report.admissible
        places = {int(each.state) for each in report.disagreements}
        assert places
        assert places <= {2344, 2345, 2346}


class Changing(PackedHeuristic):
    """Changes that are wrong at one place, and `DEAD_END` at another if that is asked for."""

    name = "changing"

    def __init__(self, place, dead=-1):
        self.tables = FaultTables(dead, place)

    def estimate(self, state):
        return DEAD_END if state == self.tables.fault else state

    def change(self, state, control, operator, child):
        return child - state + (1 if state == self.tables.place else 0)


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_faults_of_changes(engine, monkeypatch):
    monkeypatch.setattr("searchkit.checks.heuristic.COMPARED_STATES", 1)
    assert check_heuristic(Line(), Changing(-1), engine=engine).ok
    report = check_heuristic(Line(), Changing(5), engine=engine)
    assert report.admissible
    assert {(each.form, each.state) for each in report.disagreements} == {("change", "5")}
    report = check_heuristic(Line(), Changing(-1, dead=6), engine=engine)
    assert report.false_dead_ends == 1
    assert report.disagreements[0].form == "change with DEAD_END"


class Calling(Changing):
    """Another answer when it is called."""

    def __call__(self, state):
        return max(0, state - 1)


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_the_call_must_agree_with_the_kernel(engine):
    report = check_heuristic(Line(), Calling(-1), engine=engine)
    assert report.disagreed >= 19
    assert not report.ok


def test_the_limit_of_states_is_exact():
    for engine in ("reference", "compiled"):
        for most, method in ((19, "sampled"), (20, "exhaustive")):
            report = check_heuristic(Line(), Changing(-1), engine=engine, max_states=most)
            assert report.method == method


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_estimates_below_zero_are_told(engine):
    with pytest.raises(ProblemError, match="gives -1 for state 1"):
        check_heuristic(Line(), CarriedEstimate((0, *[-1] * 19)), engine=engine)


class Uncompilable(Faulty):
    """A kernel that only Python can run."""

    step = 0

    def begin(self, memo, at, state):
        memo[at] = state + self.step
        memo[at + 1] = 0
        return memo[at]


def test_what_does_not_compile_is_checked_by_python():
    report = check_heuristic(Line(3000), Uncompilable("none"))
    assert report.ok
    assert report.engine == "reference"
    with pytest.raises(CompilationError, match=r"self\.step"):
        check_heuristic(Line(3000), Uncompilable("none"), engine="compiled")
