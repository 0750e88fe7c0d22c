"""How often an author's rules are asked in a search by machine code that is made of them."""

import math
import sys
from collections import Counter

import pytest

from searchkit import AStar, Problem, Step, solve
from searchkit.compiled.specialise.plain import plainly
from searchkit.premises import reasons
from searchkit.solving import unsolvable
from searchkit.translation import sampling
from searchkit.translation.lazily import Translation
from searchkit.translation.types import Atoms, type_of
from tests.translation.test_searches import kinds

GOAL = (1, 2, 3, 4, 5, 6, 7, 8, 0)


class Eight(Problem):
    undirected = True

    def initial_states(self):
        return [(0, 1, 5, 4, 8, 2, 6, 3, 7)]

    def successors(self, state):
        blank = state.index(0)
        row, column = divmod(blank, 3)
        found = []
        for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            if 0 <= row + down < 3 and 0 <= column + right < 3:
                other = 3 * (row + down) + column + right
                tiles = list(state)
                tiles[blank], tiles[other] = tiles[other], 0
                found.append(Step(state[other], tuple(tiles)))
        return found

    def is_goal(self, state):
        return state == GOAL

    def heuristic(self, state):
        return sum(
            abs(cell // 3 - (tile - 1) // 3) + abs(cell % 3 - (tile - 1) % 3)
            for cell, tile in enumerate(state)
            if tile
        )


def test_rules_are_asked_few_questions(monkeypatch):
    for name in ("LEAST_SECONDS", "LEAST_BESIDE", "SHARE"):  # time allows more
        monkeypatch.setattr(reasons, name, 0.0)
    monkeypatch.setattr(unsolvable, "LASTING", math.inf)  # so does a search that lasts
    code, asked = Eight.successors.__code__, Counter()

    def note(frame, event, given):
        if event == "call" and frame.f_code is code:
            asked[frame.f_locals["state"]] += 1

    with plainly():
        sys.setprofile(note)
        try:
            found = solve(Eight(), AStar(), engine="compiled")
        finally:
            sys.setprofile(None)
    assert found.engine == "compiled"
    assert found.statistics.expanded > 128
    assert 100 < asked.total() < 350


@pytest.mark.parametrize("name", ["Jugs", "Farmer", "Ferries", "Actions", "Queens", "Sokoban"])
def test_states_are_sampled_until_they_are_of_one_type(name):
    problem = kinds()[name]()
    few, many = (
        sampling.sampled(problem, problem.initial_states(), thorough=thorough)
        for thorough in (False, True)
    )
    assert len(few.expanded) <= len(many.expanded)
    assert type_of(few.states, Atoms()) == type_of(many.states, Atoms())


class Stacks(Problem):
    """Which grow a block a step, up to eight: not many walks come so far."""

    def initial_states(self):
        return [((1,), (2,), tuple(range(3, 10)))]

    def successors(self, state):
        for i, stack in enumerate(state):
            for j, other in enumerate(state):
                if i != j and len(stack) > 1 and len(other) < 8:
                    after = list(state)
                    after[i], after[j] = stack[:-1], (*other, stack[-1])
                    yield Step((i, j), tuple(after))

    def is_goal(self, state):
        return False


def test_states_that_may_grow_are_sampled_thoroughly():
    problem = Stacks()
    few, many = (
        sampling.sampled(problem, problem.initial_states(), thorough=thorough)
        for thorough in (False, True)
    )
    assert few.states == many.states


class Thing:
    """What states inherit from are no records."""


class Box(Thing):
    """A state that its own rules could change."""

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return self.value == other.value

    def __hash__(self):
        return hash(self.value)


class Boxes(Problem):
    def initial_states(self):
        return [Box(0)]

    def successors(self, state):
        return [Step("on", Box(state.value + 1))] if state.value < 300 else []

    def is_goal(self, state):
        return state.value == 300


def test_what_was_asked_of_states_that_can_change_is_asked_again():
    for problem, is_known in ((Eight(), True), (Boxes(), False)):
        translation = Translation(problem, None, list(problem.initial_states()))
        assert (translation.known(), translation.making.why_not() is None) == ({}, is_known)
        assert bool(translation.known()) is is_known
