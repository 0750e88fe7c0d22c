"""Machine code of ordinary rules is made once for problems of the same rules, and for no others."""

import sys

import pytest

from searchkit import AStar, BreadthFirst, Problem, Step, solve
from searchkit.compiled.specialise.plain import plainly
from searchkit.translation import search

SLOW = 3
MODE = [0]


class Line(Problem):
    """From a number down to a goal, by one or by a stride; walls are not entered."""

    def __init__(self, start, goal=0, stride=3, walls=()):
        self.start, self.goal, self.stride = start, goal, stride
        self._walls = set(walls)

    def initial_states(self):
        return [self.start]

    def successors(self, state):
        for name, far in (("one", 1), ("stride", self.stride), ("back", -SLOW)):
            after = state - far
            if 0 <= after <= 200 and after not in self._walls:
                yield Step(name, after)

    def is_goal(self, state):
        return state == self.goal

    def heuristic(self, state):
        return abs(state - self.goal) // 10


class FromStart(Line):
    def is_goal(self, state):
        return state == self.start - 7


@pytest.fixture
def sampled(monkeypatch):
    """The problems of which states were sampled."""
    seen, own = [], search.sampled

    def noted(problem, *more):
        seen.append(problem)
        return own(problem, *more)

    monkeypatch.setattr(search, "sampled", noted)
    return seen


def same(problem, algorithm):
    """The cost by machine code, which is that by the rules."""
    with plainly():
        found = solve(problem, algorithm, engine="compiled")
    assert found.engine == "compiled"
    assert found.cost == solve(problem, algorithm, engine="reference").cost
    return found.cost


@pytest.mark.parametrize("algorithm", [AStar(), BreadthFirst()], ids=lambda each: each.name)
def test_a_further_start_is_not_sampled(sampled, algorithm):
    for start in (100, 90, 80, 13, 0):
        same(Line(start), algorithm)
    assert len(sampled) == 1


def test_other_rules_are(sampled, monkeypatch):
    algorithm = BreadthFirst()
    assert same(Line(90), algorithm) == 30
    assert same(Line(90, stride=9), algorithm) == 10
    assert same(Line(90, goal=60), algorithm) == 10
    assert same(Line(90, walls=range(1, 4)), algorithm) is None
    assert len(sampled) == 4
    assert same(FromStart(90), algorithm) == 3
    assert same(FromStart(9), algorithm) == 3
    assert len(sampled) == 6
    monkeypatch.setitem(globals(), "SLOW", -10)
    assert same(Line(90), algorithm) == 9
    assert len(sampled) == 7


def test_a_table_that_changed_is_looked_at_again():
    line, algorithm = Line(12), BreadthFirst()
    assert same(line, algorithm) == 4
    line._walls.add(9)
    line._walls.add(3)
    assert same(line, algorithm) == 4 + 2
    line._walls.update(range(1, 4))
    assert same(line, algorithm) is None


def test_a_start_that_does_not_fit_gets_more_room(sampled):
    class Counters(Problem):
        def __init__(self, *start):
            self.start = start

        def initial_states(self):
            return [self.start]

        def successors(self, state):
            for i in range(len(state)):
                if state[i]:
                    yield Step(i, (*state[:i], state[i] - 1, *state[i + 1 :]))

        def is_goal(self, state):
            return not any(state)

    algorithm = BreadthFirst()
    for start, times in (((3, 1), 1), ((900, 0), 1), ((1, 2, 3), 2), ((2, 2, 2), 2), ((5, 1), 3)):
        assert same(Counters(*start), algorithm) == sum(start)
        assert len(sampled) == times


def test_the_rules_are_asked_a_few_times(monkeypatch):
    calls, own = [], Line.successors
    with plainly():
        first = solve(Line(100), BreadthFirst(), engine="compiled")
        code = own.__code__

        def profile(frame, event, argument):
            if event == "call" and frame.f_code is code and frame.f_lasti < 8:
                calls.append(frame)

        sys.setprofile(profile)
        try:
            again = solve(Line(100), BreadthFirst(), engine="compiled")
        finally:
            sys.setprofile(None)
    assert again.cost == first.cost
    assert 0 < len(calls) < 200
