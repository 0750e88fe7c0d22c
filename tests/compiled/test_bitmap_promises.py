"""Operators that are listed, and promises about bits that do not hold."""

import pytest

from searchkit import BreadthFirst, ProblemError, solve
from searchkit.capabilities import Symmetry
from searchkit.explore import explore
from searchkit.packed import PackedProblem

GOAL = 0b10101


class Switches(PackedProblem):
    """Eight switches, of which some may be used."""

    listed = (4, 0, 2)
    flips = tuple(1 << place for place in range(8))
    maps = (tuple(range(8)),)

    def initial_states(self):
        return [0]

    def goal_states(self):
        return [GOAL]

    def operators(self, control):
        return self.listed

    def action(self, state, operator):
        return operator

    def at_goal(self, state):
        return state == 0b10101

    def toggles(self):
        return self.flips

    def apply(self, state, control, operator):
        return state ^ (1 << operator)

    def predecessors(self, state):
        return self.successors(state)

    def symmetries(self):
        return [Symmetry("map", lambda state: state, lambda action: action, m) for m in self.maps]


def test_operators_that_are_not_listed_are_not_used():
    """All toggles were taken for operators: 256 states instead of 8."""
    expected = explore(Switches(), engine="reference", paths=True)
    found = explore(Switches(), engine="compiled", paths=True)
    assert found.layers == expected.layers == (1, 3, 3, 1)
    assert found.paths == expected.paths
    result = solve(Switches(), BreadthFirst(symmetry="auto"), engine="compiled", want="count")
    assert (result.cost, result.count) == (3, 6)


def changed(**attributes):
    problem = Switches()
    for name, value in attributes.items():
        setattr(problem, name, value)
    return problem


@pytest.mark.parametrize(
    ("problem", "told"),
    [
        (changed(flips=(1, 2, 4)), "toggles.. has 3 entries, but operator 4 is listed"),
        (changed(flips=(1, 2, 4, 8, 1 << 70)), "flips bits beyond the 64 of a word"),
        (changed(maps=((0, 0, 1),)), "the bits of symmetry 'map' are not a permutation"),
        (changed(maps=((0, -1),)), "the bits of symmetry 'map' are not a permutation"),
        (changed(flips=(3, 2, 4, 8, 16)), "operator 0 flips bits 0x1, but toggles.. says 0x3"),
    ],
)
def test_promises_that_do_not_hold(problem, told):
    with pytest.raises(ProblemError, match=told):
        explore(problem, engine="compiled", symmetry="auto")


class Dear(Switches):
    def cost(self, state, control, operator):
        return 1 + (state == 1)


def test_costs_are_checked():
    with pytest.raises(ProblemError, match="costs 2"):
        explore(Dear(), engine="compiled")


@pytest.mark.parametrize("start", [1 << 64, -1])
@pytest.mark.parametrize("symmetry", ["none", "auto"])
def test_starts_that_are_no_words(start, symmetry):
    class Wrong(Switches):
        def initial_states(self):
            return [start]

    with pytest.raises(ProblemError, match=r"words are ints from 0 to|but its bits say otherwise"):
        solve(Wrong(), BreadthFirst(symmetry=symmetry), engine="compiled")
