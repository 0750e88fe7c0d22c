"""Rules are translated once for problems that have the same; each has a layout of its own."""

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import AStar, BreadthFirst, Problem, Step, explore, solve
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import UnsuitableError
from searchkit.translation import rules, search
from searchkit.translation.types import Atoms, Int, Seq


class Pours(Problem):
    """Two counters that go up and down, of any size; texts for how it was done last."""

    def __init__(self, start, by=3, goal=(7, 7), top=40):
        self.start, self.by, self.goal, self.top = start, by, goal, top

    def initial_states(self):
        return [self.start]

    def is_goal(self, state):
        return state[:2] == self.goal

    def successors(self, state):
        one, two, _ = state
        if one < self.top:
            yield Step("up", (one + self.by, two, "up"), 1)
        if one > 0:
            yield Step("down", (one - 1, two, "down"), 1)
        if two < 9:
            yield Step("next", (one, two + 1, "next"), 1)

    def heuristic(self, state):
        return max(0, self.goal[1] - state[1])


@pytest.fixture
def translated(monkeypatch):
    """What was done for a problem: samples of its states, and translations."""
    found = []

    def note(owner, name):
        call = getattr(owner, name)
        monkeypatch.setattr(owner, name, lambda *a, **b: found.append(name) or call(*a, **b))

    note(rules, "translate")
    note(search, "sampled")
    return found


def start_of(one, two=0):
    return one, two, "begin"


@pytest.mark.slow_variants("algorithm1")
@pytest.mark.parametrize("algorithm", [BreadthFirst(), AStar()])
def test_a_second_start_is_searched_by_rules_that_were_translated_before(translated, algorithm):
    with plainly():
        for one in (1, 0, 5, 38):
            found = solve(Pours(start_of(one)), algorithm, engine="compiled")
            known = solve(Pours(start_of(one)), algorithm, engine="reference")
            assert (found.cost, found.statistics.expanded > 0) == (known.cost, True)
            assert found.solution.states[0] == start_of(one)
    assert translated == ["sampled", "translate"]


def test_a_second_start_is_explored_by_rules_that_were_translated_before(translated):
    with plainly():
        for one in (1, 0, 5):
            found = explore(Pours(start_of(one)), engine="compiled")
            assert found.layers == explore(Pours(start_of(one)), engine="reference").layers
    assert translated == ["sampled", "translate"]


def test_another_algorithm_or_attribute_has_its_own(translated):
    with plainly():
        for attributes in ({}, {"by": 4}, {"goal": (6, 2)}):
            made = Pours(start_of(1), **attributes)
            found = solve(made, BreadthFirst(), engine="compiled")
            assert found.cost == solve(made, BreadthFirst(), engine="reference").cost
        solve(Pours(start_of(1)), AStar(), engine="compiled")
        with pytest.raises(UnsuitableError, match="decimal point"):
            solve(Pours(start_of(1), by=4.0), BreadthFirst(), engine="compiled")
    assert translated.count("sampled") == 5


class Stack(Problem):
    """Numbers on a stack, to which some can be added while it is low."""

    def __init__(self, start):
        self.start = start

    def initial_states(self):
        return [self.start]

    def is_goal(self, state):
        return len(state) == 3 and state[-1] == 3

    def successors(self, state):
        if len(state) < 6:
            for each in (1, 2, 3):
                yield Step(each, (*state, each), 1)
        if len(state) > 1:
            yield Step("off", state[:-1], 1)


def test_states_that_do_not_fit_what_was_made_before_have_room_made(translated):
    with plainly():
        for start in ((1,), (2, 3), (300,), (-70, 5), (4,) * 20, (1, 2), (8,) * 21):
            made = Stack(start)
            found = solve(made, BreadthFirst(), engine="compiled")
            known = solve(made, BreadthFirst(), engine="reference")
            assert (found.cost, found.solution) == (known.cost, known.solution)
    assert 2 < translated.count("translate") < 6


@pytest.mark.few
@given(
    st.lists(
        st.tuples(st.integers(-9, 30), st.integers(-3, 12), st.sampled_from([2, 3])),
        min_size=2,
        max_size=5,
    )
)
@settings(max_examples=15, deadline=None)
def test_interleaved_starts_and_attributes_agree_with_the_reference_engine(given_numbers):
    with plainly():
        for one, two, by in given_numbers:
            made = Pours(start_of(one, two), by=by, top=10)
            found = solve(made, BreadthFirst(), engine="compiled")
            known = solve(made, BreadthFirst(), engine="reference")
            assert (found.status, found.cost) == (known.status, known.cost)


def test_threads_search_starts_at_once():
    def cost(one):
        return solve(Pours(start_of(one)), BreadthFirst(), engine="compiled").cost

    expected = [
        solve(Pours(start_of(i)), BreadthFirst(), engine="reference").cost for i in range(8)
    ]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(cost, range(8))) == expected


def test_what_a_function_says_goes_with_it():
    def successors(self, state):
        yield Step("on", (state[0] + 1, state[1]))

    own = {"initial_states": lambda self: [(0, 0)], "is_goal": lambda self, state: state[0] > 3}
    rules.translate(
        type("Local", (Problem,), {**own, "successors": successors})(), Seq(Int(), 2, 2), Atoms()
    )
    kept = weakref.ref(successors)
    del successors, own
    gc.collect()
    assert kept() is None
