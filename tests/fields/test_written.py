"""What was made of rules is compared with the rules before an answer rests on it."""

import ast
import re

import pytest

from searchkit import AStar, BreadthFirst, Costs, UniformCost, check_problem, explore, solve
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import CompilationError
from searchkit.fields import Array, Fields, puzzle
from searchkit.premises import reasons
from searchkit.translation import calls

ENGINES = ["auto", "compiled", "checked"]


class Steps(Fields):
    """Counters to be moved to their ends."""

    costs = Costs.INTEGER

    def __init__(self):
        self.declare(at=Array(2, 6))
        self.moves = [(0, 1), (0, 2), (1, 1)]
        self.start = self.pack(at=[0, 0])

    def legal(self, s, i, by):
        return s.at[i] + by < 6

    def apply(self, s, i, by):
        s.at[i] += by

    def cost(self, s, i, by):
        return by * by

    def at_goal(self, s):
        return s.at[0] == 5 and s.at[1] == 3

    def estimate(self, s):
        return 5 - s.at[0]


class UnitSteps(Steps):
    """The same where each step costs 1."""

    costs = Costs.UNIT
    cost = Fields.cost

    def estimate(self, s):
        return (6 - s.at[0]) // 2


FAULTS = {
    "legal": ("6", "5"),
    "apply": ("+= by", "+= 1"),
    "cost": ("by * by", "by"),
    "at_goal": ("== 3", "== 4"),
    "estimate": ("5 -", "6 -"),
}
"""For each rule a text in it, and what is read in its place, as by a fault in what reads it."""


@pytest.fixture
def misread(monkeypatch):
    """Reads one rule as another."""

    def misreads(rule):
        made = calls.source_of

        def source(function, site):
            tree = made(function, site)
            if function.__name__ != rule:
                return tree
            old, new = FAULTS[rule]
            text = ast.unparse(tree)
            assert old in text
            wrong = ast.parse(text.replace(old, new)).body[0]
            ast.increment_lineno(wrong, function.__code__.co_firstlineno - 1)
            return wrong

        monkeypatch.setattr(calls, "source_of", source)
        monkeypatch.setattr(calls, "_sources", {})
        monkeypatch.setattr(puzzle, "forms_of", lambda kind, key: ())
        monkeypatch.setattr(puzzle, "keep", lambda kind, key, form: None)

    return misreads


@pytest.mark.spread
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("rule", FAULTS)
def test_a_rule_that_is_misread_is_an_error_and_no_answer(rule, engine, misread):
    misread(rule)
    line = getattr(Steps, rule).__code__.co_firstlineno
    says = rf"Steps\.{rule}, .*test_written\.py:{line}: the kernel made of it gives .*at=.*"
    with plainly(), pytest.raises(CompilationError, match=says) as raised:
        solve(Steps(), AStar(), engine=engine)
    assert re.search("searchkit is at fault, not the rule: engine='reference'", str(raised.value))


@pytest.mark.parametrize("rule", FAULTS)
def test_the_reference_engine_runs_rules_as_they_are_written(rule, misread):
    expected = solve(Steps(), UniformCost(), engine="reference").cost
    misread(rule)
    assert solve(Steps(), UniformCost(), engine="reference").cost == expected == 8
    assert solve(Steps(), AStar(), engine="reference").cost == expected
    assert Steps().heuristic(Steps().start) == 5


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("rule", ["legal", "apply"])
def test_spaces_of_rules_that_are_misread(rule, engine, misread):
    misread(rule)
    with plainly(), pytest.raises(CompilationError, match=rf"UnitSteps\.{rule}, "):
        explore(UnitSteps(), engine=engine)
    assert sum(explore(UnitSteps(), engine="reference").layers) == 36


class Later(Fields):
    """A goal that the rule as it is read misses is far from the start."""

    def __init__(self):
        self.declare(at=Array(1, 400))
        self.moves = [1, 2]
        self.start = self.pack(at=[0])

    def apply(self, s, by):
        s.at[0] = (s.at[0] + by) % 400

    def at_goal(self, s):
        return s.at[0] > 300


FAULTS_LATER = {"at_goal": ("> 300", "> 340"), "apply": ("+ by", "+ by + (s.at[0] > 250)")}


@pytest.mark.parametrize("engine", ["auto", "compiled", "checked"])
@pytest.mark.parametrize("rule", FAULTS_LATER)
def test_solutions_are_compared_with_the_rules(rule, engine, misread, monkeypatch):
    monkeypatch.setitem(FAULTS, rule, FAULTS_LATER[rule])
    misread(rule)
    with plainly(), pytest.raises(CompilationError, match=rf"Later\.{rule}, .*the kernel made"):
        solve(Later(), BreadthFirst(), engine=engine)
    assert solve(Later(), BreadthFirst(), engine="reference").cost == 151


@pytest.mark.parametrize("rule", FAULTS_LATER)
def test_solutions_of_a_class_that_has_held_are_compared_with_the_rules(rule, misread, monkeypatch):
    monkeypatch.setitem(FAULTS, rule, FAULTS_LATER[rule])
    misread(rule)
    later = Later()
    monkeypatch.setitem(reasons._HELD, type(later), reasons.MOST_FLOORS)
    with plainly(), pytest.raises(CompilationError, match=rf"Later\.{rule}, .*the kernel made"):
        solve(later, BreadthFirst(), engine="compiled")


@pytest.mark.parametrize("rule", ["at_goal", "estimate"])
def test_the_law_of_slow_rules_names_the_line(rule, misread):
    misread(rule)
    report = check_problem(Steps(), states=30, laws=["slow-rules"], engine="reference")
    line = getattr(Steps, rule).__code__.co_firstlineno
    assert not report.ok
    assert re.search(rf"see +.*test_written\.py:{line} in {rule}", str(report))


class TooLarge(Steps):
    def estimate(self, s):
        return 9 - s.at[0]


def test_an_estimate_that_is_too_large_is_found_in_its_line():
    report = check_problem(TooLarge(), states=40, laws=["heuristics"], engine="reference")
    line = TooLarge.estimate.__code__.co_firstlineno
    assert re.search(rf"see +.*test_written\.py:{line} in estimate", str(report))
