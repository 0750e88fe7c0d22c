"""States, control states and operators that do not exist are errors in every engine."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from searchkit import (
    IDDFS,
    Anytime,
    AStar,
    Bidirectional,
    BreadthFirst,
    GreedyBestFirst,
    IDAStar,
    ProblemError,
    Step,
    UniformCost,
    solve,
)
from searchkit.explore import explore
from searchkit.packed import PackedProblem, ZeroHeuristic

SLOW = pytest.mark.slow
EVERY = [
    BreadthFirst(), Bidirectional(), UniformCost(), IDDFS(), AStar(ZeroHeuristic()),
    IDAStar(ZeroHeuristic()), GreedyBestFirst(ZeroHeuristic()), Anytime(ZeroHeuristic()),
]  # fmt: skip
COMPILED = [
    UniformCost(), IDDFS(),
    *(pytest.param(each, marks=SLOW) for each in (BreadthFirst(), AStar(ZeroHeuristic()))),
]  # fmt: skip


class Says(NamedTuple):
    controls: tuple[int, ...]
    """By state."""
    following: tuple[int, ...]
    """By control state; -2 for None."""
    listed: tuple[object, ...]
    children: tuple[int, ...]


LAST = 40
RIGHT = Says(
    controls=tuple(state % 4 for state in range(LAST + 1)),
    following=(1, 2, 3, 0),
    listed=(0,),
    children=(*range(1, LAST + 1), LAST),
)


class Row(PackedProblem[int]):
    """A row of places, from the first to the last; what it says of itself is in `says`."""

    controls = 4

    def __init__(self, says: Says) -> None:
        self.says = says
        self.tables = Says(says.controls, says.following, (0,), says.children)

    def initial_states(self):
        return [0]

    def goal_states(self):
        return [LAST]

    def predecessors(self, state):
        befores = enumerate(self.says.children)
        return [Step(0, before) for before, child in befores if child == state]

    def operators(self, control):
        return self.says.listed

    def action(self, state, operator):
        return operator

    def next_control(self, control, operator):
        found = self.says.following[control]
        return None if found == -2 else found

    def control(self, state):
        return self.tables.controls[state]

    def at_goal(self, state):
        return state == LAST

    def apply(self, state, control, operator):
        return self.tables.children[state]


def changed(name, place, value):
    values = list(getattr(RIGHT, name))
    values[place] = value
    return Row(RIGHT._replace(**{name: tuple(values)}))


@pytest.mark.parametrize("algorithm", EVERY, ids=lambda algorithm: algorithm.name)
@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize("value", [4, -1, 1 << 20])
def test_control_states_of_starts(algorithm, engine, value):
    with pytest.raises(
        ProblemError, match=rf"Row: control\(0\) is {value}; it must be from 0 to 3"
    ):
        solve(changed("controls", 0, value), algorithm, engine=engine)


@pytest.mark.parametrize("algorithm", EVERY, ids=lambda algorithm: algorithm.name)
def test_control_states_met_by_the_reference_engines(algorithm):
    with pytest.raises(ProblemError, match=r"Row: control\(20\) is 4; it must be from 0 to 3"):
        solve(changed("controls", 20, 4), algorithm, engine="reference")


@pytest.mark.parametrize("algorithm", COMPILED, ids=lambda algorithm: algorithm.name)
@pytest.mark.parametrize("unknown", [False, True])
def test_control_states_met_by_the_compiled_engines(algorithm, unknown):
    problem = changed("controls", 20, 4)
    if unknown:
        problem.says = problem.says._replace(following=(-2,) * 4)
    with pytest.raises(ProblemError, match=r"Row: control\(20\) is 4; it must be from 0 to 3"):
        solve(problem, algorithm, engine="compiled")


@pytest.mark.parametrize("algorithm", COMPILED[:2], ids=lambda algorithm: algorithm.name)
def test_control_states_that_are_not_those_that_follow(algorithm):
    with pytest.raises(ProblemError, match=r"next_control says 0 .* control\(20\) is 1"):
        solve(changed("controls", 20, 1), algorithm, engine="compiled")


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_what_follows_is_looked_at_before_the_search(engine):
    with pytest.raises(ProblemError, match=r"next_control\(0, 0\) is 7; it must be from 0 to 3"):
        solve(changed("following", 0, 7), IDDFS(), engine=engine)
    with pytest.raises(ProblemError, match=r"next_control\(0, 0\) is 2, but control\(1\), of a"):
        solve(changed("following", 0, 2), IDDFS(), engine=engine)
    with pytest.raises(ProblemError, match=r"next_control\(0, 0\) is 7; it must be from 0 to 3"):
        explore(changed("following", 0, 7), engine=engine, backward=False)


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize("value", ["on", 1 << 63, -(1 << 62), 1.5, None])
def test_operators_are_machine_words(engine, value):
    with pytest.raises(ProblemError, match=r"Row: operators\(0\) lists .*less than 63 bits"):
        solve(changed("listed", 0, value), IDDFS(), engine=engine)


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_operators_are_a_list(engine):
    class Single(Row):
        def operators(self, control):
            return 0

    with pytest.raises(ProblemError, match=r"operators\(0\) is 0; it must list numbers"):
        solve(Single(RIGHT), IDDFS(), engine=engine)


def test_explorations_ask_too():
    problem = changed("controls", 20, 4)
    for engine in ("reference", "compiled"):
        with pytest.raises(ProblemError, match=r"Row: control\(20\) is 4; it must be from 0 to 3"):
            explore(problem, engine=engine, backward=False)


@pytest.mark.spread
@pytest.mark.parametrize("algorithm", EVERY, ids=lambda algorithm: algorithm.name)
@pytest.mark.parametrize("state", [1 << 64, -1, (1, 2), "a", 1.0])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_states_that_are_no_words(algorithm, state, place):
    """At the start, after the first step and after the second one."""

    class Odd(Row):
        def initial_states(self):
            return [state if place == 0 else 0]

        def apply(self, here, control, operator):
            return state if here == place - 1 else here + 1

    with pytest.raises(ProblemError, match=r"Odd: state .* words"):
        solve(Odd(RIGHT), algorithm, engine="reference")


@pytest.mark.parametrize("state", [5, (1,), (1, -1), (1, 2, 3), (1, 1 << 64), [1, 2]])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_states_that_are_not_as_many_words(state, place):
    class Pairs(Row):
        words = 2

        def initial_states(self):
            return [state if place == 0 else (0, 0)]

        def control(self, here):
            return 0

        def next_control(self, control, operator):
            return None

        def at_goal(self, here):
            return False

        def apply(self, here, control, operator):
            return state if here[0] == place - 1 else (here[0] + 1, 0)

    with pytest.raises(ProblemError, match=r"Pairs: state .* words|make it a tuple"):
        solve(Pairs(RIGHT), BreadthFirst(), engine="reference")
