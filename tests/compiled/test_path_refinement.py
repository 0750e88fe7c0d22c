"""Paths that machine code makes shorter, on random graphs: none is shorter than it says."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from searchkit import BreadthFirst, PackedProblem, solve
from searchkit.compiled.depth_first.refinement import CompiledPath, Refiner
from searchkit.engines.refinement import Sweep
from searchkit.errors import UnsuitableError


class Ring(PackedProblem[int]):
    """Numbers in a ring, and two jumps from each; all cost 1, as a method says."""

    def __init__(self, start: int, goal: int) -> None:
        self.start, self.goal = start, goal

    def initial_states(self):
        return [self.start]

    def goal_states(self):
        return [self.goal]

    def is_goal(self, state):
        return state == self.goal

    def at_goal(self, state):
        return state == 5

    def operators(self, control):
        return range(3)

    def action(self, state, operator):
        return operator

    def apply(self, state, control, operator):
        if operator == 0:
            return (state + 1) & 63
        return (state * 13 + 7) & 63 if operator == 1 else state ^ 37

    def cost(self, state, control, operator):
        return 1


class Bounded(Ring):
    """With a bound between states, which looks at the child."""

    def aim(self, target):
        return target

    def bound_to(self, state, aim):
        return 0 if state == aim else 1

    def bound_change(self, state, control, operator, child, aim):
        return (0 if child == aim else 1) - (0 if state == aim else 1)


class Listed(Bounded):
    """The same steps, listed."""

    def expand(self, state):
        for operator in range(3):
            yield operator, self.apply(state, 0, operator), 1


def ways(kind, operators):
    """A path from a state by operators."""
    problem = kind(0, 0)
    states = [3]
    for operator in operators:
        states.append(problem.apply(states[-1], 0, operator))
    return states


@pytest.mark.parametrize("kind", [Ring, Bounded])
@given(st.lists(st.integers(0, 2), min_size=1, max_size=24), st.integers(1, 9))
@example([0, 2, 0, 1, 0, 0], 1)
def test_a_window_as_long_as_the_path_proves_the_shortest_way(kind, operators, budget):
    states = ways(kind, operators)
    refiner = Refiner(kind(0, 0))
    path = CompiledPath(refiner, refiner.spec.states(states), len(states) - 1)
    sweep = Sweep.AMID
    path.begin_sweep(len(states), 1, 1)
    while sweep is Sweep.AMID:
        sweep, expanded, _ = path.advance(budget)
        assert expanded <= budget
    assert sweep is Sweep.PROVED
    found = path.states()
    assert (found[0], found[-1]) == (states[0], states[-1])
    steps = {(state, kind(0, 0).apply(state, 0, each)) for state in found for each in range(3)}
    assert set(pairwise(found)) <= steps
    shortest = solve(Ring(states[0], states[-1]), BreadthFirst(), engine="reference").cost
    assert path.length == len(found) - 1 == shortest


@given(st.lists(st.integers(0, 2), min_size=1, max_size=30), st.integers(1, 8))
def test_a_path_becomes_no_longer_and_keeps_its_ends(operators, window):
    states = ways(Bounded, operators)
    refiner = Refiner(Bounded(0, 0))
    path = CompiledPath(refiner, refiner.spec.states(states), len(states) - 1)
    path.begin_sweep(window, 1, window // 2)
    sweep, *_ = path.advance(1 << 30)
    found = path.states()
    assert sweep is not Sweep.AMID
    assert (found[0], found[-1]) == (states[0], states[-1])
    assert len(found) <= len(states)
    steps = {(state, Bounded(0, 0).apply(state, 0, each)) for state in found for each in range(3)}
    assert set(pairwise(found)) <= steps


def test_nothing_is_proved_of_steps_that_are_listed():
    with pytest.raises(UnsuitableError, match="by expand are not made shorter"):
        Refiner(Listed(0, 0))
