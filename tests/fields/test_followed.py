"""Pattern databases of plain rules: never more than the distance, and the same in all engines."""

from __future__ import annotations

import queue
import sys
from collections import deque
from copy import copy, deepcopy
from functools import cache
from threading import Event, Thread
from typing import NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from searchkit import AStar, IDAStar, Limits, Problem, Step, solve
from searchkit.errors import UnsuitableError, UsageError
from searchkit.fields.followed import followed
from searchkit.fields.symbols import Number, all_runs, forget_runs
from searchkit.heuristics.names import (
    estimate_beside_tables,
    heuristics_within,
    read_heuristic,
)
from searchkit.heuristics.patterns.choose import pattern_heuristic
from searchkit.problem import Costs
from searchkit.running import overdue
from searchkit.solving.with_tables import algorithm_with


class Plain(Problem):
    """One start, and one goal."""

    start: tuple
    goal: tuple

    def initial_states(self):
        return [self.start]

    def is_goal(self, state):
        return state == self.goal


class Tiles(Plain):
    def __init__(self, start=(3, 1, 5, 2, 0, 4)):
        self.start, self.goal = start, tuple(range(len(start)))

    def successors(self, state):
        blank = state.index(0)
        for to in (blank - 3, blank - 1, blank + 1, blank + 3):
            beside = abs(to - blank) == 3 or to // 3 == blank // 3
            if 0 <= to < len(state) and beside:
                after = list(state)
                after[blank], after[to] = after[to], 0
                yield Step(state[to], tuple(after))


class Rows(Plain):
    start, goal = ((3, 1, 5), (2, 0, 4)), ((0, 1, 2), (3, 4, 5))

    def successors(self, state):
        for y in range(2):
            for x in range(3):
                if state[y][x] == 0:
                    for u, v in ((x, 1 - y), (x - 1, y), (x + 1, y)):
                        if 0 <= u < 3:
                            after = [list(row) for row in state]
                            after[y][x], after[v][u] = after[v][u], 0
                            yield Step(state[v][u], tuple(map(tuple, after)))


class Hanoi(Plain):
    start, goal = (0,) * 5, (2,) * 5

    def successors(self, state):
        for peg in range(3):
            if peg in state:
                disc = state.index(peg)
                for to in range(3):
                    if to != peg and (to not in state or state.index(to) > disc):
                        yield Step((disc, to), (*state[:disc], to, *state[disc + 1 :]))


class Amounts(NamedTuple):
    large: int
    middle: int
    small: int


class Jugs(Plain):
    """Whose steps cost what is poured, or nothing."""

    costs = Costs.INTEGER
    start, goal = Amounts(8, 0, 0), Amounts(4, 4, 0)
    capacities = (8, 5, 3)
    free = 2

    def successors(self, state):
        for i, amount in enumerate(state):
            for j, other in enumerate(state):
                poured = min(amount, self.capacities[j] - other)
                if i != j and poured > 0:
                    after = list(state)
                    after[i] -= poured
                    after[j] += poured
                    yield Step((i, j), Amounts(*after), 0 if poured == self.free else poured)


class SmallJugs(Jugs):
    start, goal = Amounts(4, 0, 0), Amounts(2, 2, 0)
    capacities = (4, 3, 1)


class Lights(Plain):
    start, goal = (1, 0, 1, 1, 0, 0, 1, 0), (0,) * 8

    def successors(self, state):
        for i in range(8):
            near = {i, (i + 1) % 8, (i + 3) % 8}
            yield Step(i, tuple(1 - each if j in near else each for j, each in enumerate(state)))


class Ring(Plain):
    start, goal = (2, 0, 3, 1, 4), (0, 1, 2, 3, 4)

    def successors(self, state):
        yield Step("left", state[1:] + state[:1])
        yield Step("turn", state[:3][::-1] + state[3:], 1)


PUZZLES = [Tiles(), Rows(), Hanoi(), Jugs(), Lights(), Ring()]
by_puzzle = pytest.mark.parametrize("problem", PUZZLES, ids=lambda each: type(each).__name__)


def reached(problem):
    """Every state from the start on, and the steps out of it."""
    known, todo = {}, list(problem.initial_states())
    for state in todo:
        if state not in known:
            known[state] = [Step(*each) for each in problem.successors(state)]
            todo += [step.state for step in known[state]]
    return known


def distances(problem):
    """How far each state is from the goal, by the shortest ways back."""
    known = reached(problem)
    back = {}
    for state, steps in known.items():
        for step in steps:
            back.setdefault(step.state, []).append((state, step.cost))
    found, todo = {problem.goal: 0}, deque([problem.goal])
    while todo:
        state = todo.popleft()
        for before, cost in back.get(state, ()):
            if found[state] + cost < found.get(before, 10**9):
                found[before] = found[state] + cost
                todo.append(before)
    return {state: found.get(state, float("inf")) for state in known}


def names_of(problem):
    """The parts of a state that patterns can be made of."""
    return [each.name for each in followed(problem).parted().factors.variables.values()]


@pytest.mark.slow_variants("Jugs", "Rows")
@by_puzzle
@settings(max_examples=6, deadline=None)
@given(data=st.data())
def test_estimates_are_no_more_than_distances(problem, data):
    names = names_of(problem)
    chosen = data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=4, unique=True))
    try:
        heuristic = pattern_heuristic(problem, "+".join(chosen))
    except UnsuitableError as error:  # a step may have more relations than are looked at
        assume(" ways; name fewer" not in str(error))
        raise
    for state, distance in distances(problem).items():
        assert heuristic.estimate(state) <= distance


@pytest.mark.slow_variants("permutation", "rows")
@pytest.mark.parametrize("problem", [Rows(), Jugs(), Ring()], ids=["rows", "names", "permutation"])
def test_all_engines_look_up_the_same(problem):
    heuristic = read_heuristic(problem, "pdb:auto=100kB", None)
    cost = distances(problem)[problem.start]
    assert 0 < heuristic.estimate(problem.start) <= cost
    found = [
        solve(problem, AStar(heuristic=heuristic), engine=engine)
        for engine in ("reference", "compiled")
    ]
    assert [each.cost for each in found] == [cost, cost]
    assert found[0].statistics.expanded == found[1].statistics.expanded


def test_places_of_values_are_patterns_and_are_added_up():
    heuristic = pattern_heuristic(Tiles((1, 5, 4, 2, 3, 0)), "state:1-3/state:4-5")
    assert heuristic.space.additive
    assert [each.entries for each in heuristic.databases] == [6**3, 6**2]
    assert names_of(Jugs()) == ["large", "middle", "small"]


def test_a_search_by_memory_has_the_estimate_of_the_problem_beside():
    class Estimated(Tiles):
        def heuristic(self, state):
            return sum(each not in (0, i) for i, each in enumerate(state))

    assert estimate_beside_tables(Estimated()) is not None
    assert estimate_beside_tables(Tiles()) is None
    assert heuristics_within(Estimated(), 10**9) == ["max(problem,pdb:auto=1048576)"]
    found = solve(Estimated(), AStar(), limits=Limits(tables=10**9))
    assert found.cost == distances(Estimated())[Estimated().start]


class Steep(Plain):
    """Whose distances are more than two bytes hold."""

    costs = Costs.INTEGER
    start, goal = (0, 250), (250, 250)

    def successors(self, state):
        if state[0] < 250:
            yield Step("up", (state[0] + 1, state[1]), 300)


class Truth(Plain):
    """Whose rule asks for the truth value itself, where few states have it."""

    start, goal = (0, 200), (200, 200)

    def successors(self, state):
        if (state[0] == 90) is True:
            yield Step("over", (200, 200))
        if state[0] < 200:
            yield Step("up", (state[0] + 1, state[1]))


@cache
def beside(number):
    return [each for each in (number - 1, number + 1) if 0 <= each < 4]


class Cached(Plain):
    """Whose rule asks a cache of numbers."""

    start, goal = (3, 2), (0, 1)

    def successors(self, state):
        for at in (0, 1):
            for each in beside(state[at]):
                yield Step((at, each), (*state[:at], each, *state[at + 1 :]))


class Remembered(Cached):
    """Whose rule keeps the steps of each state."""

    def __init__(self):
        self.known = {}

    def successors(self, state):
        if state not in self.known:
            self.known[state] = list(super().successors(state))
        return self.known[state]


class Walk(Plain):
    """Whose rule takes the quotient and the remainder of a number apart."""

    start, goal = (0,), (8,)

    def successors(self, state):
        y, x = divmod(state[0], 3)
        if x < 2:
            yield Step("right", (3 * y + x + 1,))
        if divmod(9, state[0] + 1)[0] > 1:
            yield Step("down", (state[0] + 3,))
        if y == 1:
            yield Step("up", (x,))


class Deep(Plain):
    """Whose rule asks a copy of the state, and changes it."""

    start, goal = (0, 0), (40, 1)

    def successors(self, state):
        after = deepcopy(list(state))
        if after[0] == 37:
            yield Step("over", (40, 1))
        if copy(state[0]) < 40:
            after[0] += 1
            yield Step("up", tuple(after))


@pytest.mark.parametrize("kind", [Walk, Steep, Truth, Cached, Remembered, Deep])
def test_bounds_where_rules_are_odd(kind):
    problem = kind()
    heuristic = pattern_heuristic(problem, "+".join(names_of(problem)[:2]))
    for state, distance in distances(problem).items():
        assert heuristic.estimate(state) <= distance
    for steps in reached(kind()).values():  # caches hold usual numbers
        assert {type(each) for step in steps for each in step.state} <= {int}
    assert all(type(each) is int for state in getattr(problem, "known", ()) for each in state)


class Growing(Plain):
    start, goal = (0,), (5,)

    def successors(self, state):
        yield Step("more", (state[0] + 1,))


class Longer(Plain):
    start, goal = (0,), (0, 0)

    def successors(self, state):
        yield Step("more", (*state, 0))


class Pegs(Plain):
    start, goal = (0,) + (1,) * 16, (1,) * 17

    def successors(self, state):
        for i in range(15):
            if state[i] and state[i + 1] and not state[i + 2]:
                yield Step(i, (*state[:i], 0, 0, 1, *state[i + 3 :]))


class Cheaper(Plain):
    """Whose rule does something else with one number than with one that stands for it."""

    start, goal = (3, 0), (0, 3)

    def successors(self, state):
        if type(state[0]) is int and state[0] > 0 and state[1] < 3:
            yield Step("over", (state[0] - 1, state[1] + 1))


class Itself(Plain):
    """Whose rule asks which object a state is."""

    start, goal = (3, 0), (0, 3)

    def successors(self, state):
        if state is self.start:
            yield Step("at once", (0, 3))
        elif state[0] > 0 and state[1] < 3:
            yield Step("over", (state[0] - 1, state[1] + 1))


class Same(Plain):
    """Whose rule asks which object a number is, of many numbers."""

    start, goal, over = (0,), (181,), 180

    def successors(self, state):
        if state[0] is self.over:
            yield Step("over", self.goal)
        yield Step("on", ((state[0] * 7 + 3) % 251,))


class Wrapping(int):
    """A number that adds as it likes."""

    def __add__(self, other):
        return Wrapping(60 if self == 40 else int(self) + other)


class Added(Plain):
    start, goal = (Wrapping(0), 0), (60, 0)

    def successors(self, state):
        if state[0] < 60:
            yield Step("up", (state[0] + 1, state[1]))


class Huge(Plain):
    """Whose numbers have more values than could be listed."""

    start, goal = (10**15, 0), (0, 10**15)

    def successors(self, state):
        yield Step("swap", state[::-1])


class Halves(Plain):
    """Some of whose steps cost no whole number."""

    start, goal = (0, 60), (60, 60)

    def successors(self, state):
        if state[0] < 60:
            yield Step("up", (state[0] + 1, state[1]), 1.5 if state[0] == 50 else 1)


class Inner(Plain):
    start, goal = (3, 0), (0, 3)

    def successors(self, state):
        yield Step("half", (state[0] / 2, 0))


@pytest.mark.slow_variants("Same-str", "Inner-str")
@pytest.mark.parametrize(
    ("problem", "why"),
    [
        (Growing(), "the values of a number are ever more"),
        (Longer(), "which is of another form"),
        (Pegs(), "it goes more than 512 ways"),
        (Cheaper(), "it does something else there"),
        (Itself(), "a step from (3, 0) was not met"),
        (Same(), "it does something else there"),
        (Inner(), "which is of another form"),
        (Huge(), "more than 256"),
        (Halves(), "a step costs 1.5"),
    ],
    ids=lambda each: type(each).__name__,
)
def test_what_cannot_be_followed_is_refused(problem, why, monkeypatch):
    # To go as many ways as are allowed takes a second.
    monkeypatch.setattr("searchkit.fields.symbols.MOST_RUNS", 512)
    with pytest.raises(UnsuitableError, match="no pattern database is known") as refused:
        read_heuristic(problem, "pdb:auto", None)
    assert why in str(refused.value)
    assert "use another heuristic" in str(refused.value)


@pytest.mark.parametrize(
    "start", ["text", (), ((1, 2), 3), (True, False), (1.5,), Added.start, {1}]
)
def test_other_states_have_no_patterns(start):
    problem = Ring()
    problem.start = start
    with pytest.raises(UsageError, match="has no patterns"):
        read_heuristic(problem, "pdb:auto", None)


def test_rules_that_were_edited_are_followed_again():
    problem = SmallJugs()
    before = pattern_heuristic(problem, "large+middle+small")
    assert (
        solve(problem, AStar(heuristic=before), engine="reference").cost
        == distances(problem)[problem.start]
    )
    problem.free = 3
    assert before.unfit(problem) is not None
    after = pattern_heuristic(problem, "large+middle+small")
    cost = distances(problem)[problem.start]
    assert after.estimate(problem.start) == cost
    assert solve(problem, AStar(heuristic=after), engine="reference").cost == cost


def test_the_algorithm_that_was_named_goes_on_with_databases():
    class Estimated(Ring):
        def heuristic(self, state):
            return int(state != self.goal)

    heuristic = pattern_heuristic(Estimated(), "state:0-2")
    for named in IDAStar(), AStar():
        made = algorithm_with(Estimated(), named, heuristic, is_chosen=False)
        assert type(made) is type(named)
        assert made.heuristic.name == "max(problem,pdb:state:0-2)"


class Two(Plain):
    """Two numbers, which one step may change together."""

    start, goal = (3, 3), (0, 0)
    together = False

    def successors(self, state):
        first, second = state
        if first > 0:
            yield Step("first", (first - 1, second))
            if second > 0:
                yield Step("second", (first, second - 1))
                if self.together:
                    yield Step("both", (first - 1, second - 1))
        elif second > 0:
            yield Step("second", (first, second - 1))


def test_sums_are_refused_once_a_step_changes_two_of_their_patterns():
    problem = Two()
    before = pattern_heuristic(problem, "state=0/state=1")
    assert before.estimate(problem.start) == 6
    problem.together = True
    assert "several of its patterns" in str(before.unfit(problem))
    assert pattern_heuristic(problem, "state=0/state=1").estimate(problem.start) == 3


def test_goals_without_a_value_that_is_always_there_are_none():
    class Turned(Ring):
        start, goal = (3, 1, 1), (1, 3, 1)

        def is_goal(self, state):
            return state == self.goal or 3 not in state

    problem = Turned()
    heuristic = pattern_heuristic(problem, "state:3+state=0")
    for state, distance in distances(problem).items():
        assert heuristic.estimate(state) <= distance


def test_what_another_thread_is_in_the_middle_of_is_its_own():
    """A search in one thread is not refused for the numbers that another one asks about."""
    kept, go_on = queue.Queue(), Event()

    def asking():
        runs = all_runs({0: (0, 1)}, lambda run: Number(run, 0, {0: 0, 1: 1}).known())
        run, found, _ = next(runs)
        kept.put(found)
        go_on.wait()
        del run

    thread = Thread(target=asking)
    thread.start()
    try:
        assert kept.get() in (0, 1)
        assert forget_runs()
    finally:
        go_on.set()
        thread.join()


class Slow(Ring):
    """Whose rule lasts until another thread has begun, or for a moment."""

    def __init__(self):
        self.has_begun, self.is_over = Event(), Event()

    def successors(self, state):
        self.has_begun.set()
        self.is_over.wait(0.2)
        self.is_over.set()
        return super().successors(state)


def test_one_thread_does_not_take_the_numbers_of_another_for_its_own():
    slow, found = Slow(), []
    thread = Thread(target=lambda: found.append(read_heuristic(slow, "pdb:auto=100B", None)))
    thread.start()
    slow.has_begun.wait()
    found.append(read_heuristic(Ring(), "pdb:auto=100B", None))
    slow.is_over.set()
    thread.join()
    assert [each.name for each in found] == ["pdb:auto=100B"] * 2


class Watched(Ring):
    """Which another thread has looked at in the middle of its rule."""

    def successors(self, state):
        if type(state[0]) is Number:
            overdue._here.thread.call = overdue._Call(sys._getframe(), 0.0)
        return super().successors(state)


def test_a_rule_keeps_nothing_where_another_thread_has_looked_at_it():
    assert read_heuristic(Watched(), "pdb:auto=100B", None).name == "pdb:auto=100B"
