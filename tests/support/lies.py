"""Lies far from the start: a square grid whose rules break one law where few states are asked.

Each lie is a problem, and the cost of an optimal solution by what its rules say when they are
asked as often as anybody likes; None where there is none.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from searchkit import (
    IDDFS,
    INFINITY,
    Anytime,
    AStar,
    BeamSearch,
    Bidirectional,
    BreadthFirst,
    Costs,
    GreedyBestFirst,
    IDAStar,
    Limits,
    Problem,
    ProblemError,
    Status,
    Step,
    UniformCost,
    UnsuitableError,
    WeightedAStar,
    solve,
)
from searchkit.certificates import Certificate
from searchkit.errors import EngineError

SIZE = 40
LAST = SIZE - 1
FAR = 2 * LAST
DIRECTIONS = (("R", 1, 0), ("L", -1, 0), ("D", 0, 1), ("U", 0, -1))
FEW = Limits(expansions=12_000, time=20)

ALGORITHMS = [
    BreadthFirst(), Bidirectional(), AStar(), UniformCost(), IDDFS(), IDAStar(), WeightedAStar(),
    GreedyBestFirst(), Anytime(), BeamSearch(width=1000),
]  # fmt: skip


class Grid(Problem):
    """A walk from one corner of a square to the other."""

    undirected = True
    goal = (LAST, LAST)

    def initial_states(self):
        return [(0, 0)]

    def goal_states(self):
        return [self.goal]

    def is_goal(self, state):
        return state == self.goal

    def near(self, state):
        x, y = state
        for name, dx, dy in DIRECTIONS:
            if 0 <= x + dx < SIZE and 0 <= y + dy < SIZE:
                yield name, (x + dx, y + dy)

    def successors(self, state):
        return [Step(name, after) for name, after in self.near(state)]

    def heuristic(self, state):
        return abs(state[0] - self.goal[0]) + abs(state[1] - self.goal[1])


def depth(state):
    return state[0] + state[1]


class Certified(Grid):
    """A certificate for a start from which the goal can be reached."""

    def certificate(self, state):
        return Certificate("parity", "it cannot be", {})


class Cut(Grid):
    """The heuristic calls all states of a cut dead ends."""

    def heuristic(self, state):
        return INFINITY if depth(state) == 20 else super().heuristic(state)


class OneWay(Grid):
    """No step leads back over a line close to the goal."""

    def successors(self, state):
        return [
            step for step in super().successors(state)
            if not depth(state) == 70 > depth(step.state)
        ]  # fmt: skip


class LacksPredecessors(Grid):
    """Predecessors lack the steps over that line."""

    undirected = False

    def predecessors(self, state):
        return [
            Step(name, before) for name, before in self.near(state)
            if not depth(state) == 70 > depth(before)
        ]  # fmt: skip


class Merged(Grid):
    """Two states have one key, and one of them is the only door in a wall."""

    door = (30, 20)

    def successors(self, state):
        return [
            step for step in super().successors(state)
            if step.state[0] != 30 or step.state == self.door
        ]  # fmt: skip

    def key(self, state):
        return (5, 25) if state == self.door else state


class Fuel(Grid):
    """The key drops the fuel from a pump off the usual way, which a toll far away takes."""

    undirected = False

    def initial_states(self):
        return [(0, 0, 0)]

    def goal_states(self):
        return [(*self.goal, 1)]

    def is_goal(self, state):
        return state[:2] == self.goal

    def successors(self, state):
        for name, after in self.near(state[:2]):
            if depth(after) != 61 or depth(state) != 60 or state[2]:
                yield Step(name, (*after, 1 if after == (0, 1) else state[2]))

    def key(self, state):
        return state[:2]


class ShyAtFirst(Grid):
    """No steps are given when a far state is asked first."""

    def __init__(self):
        self.asked = set()

    def gives(self, steps):
        return []

    def successors(self, state):
        steps = super().successors(state)
        if depth(state) < 60 or state in self.asked:
            return steps
        self.asked.add(state)
        return self.gives(steps)


class ShortAtFirst(ShyAtFirst):
    """Only the steps back are given when a state on a line is asked first."""

    def gives(self, steps):
        return [step for step in steps if step.action in "LU"]


class GoalAskedAgain(Grid):
    """The goal is one only when it is asked again."""

    times = 2

    def __init__(self):
        self.asked = 0

    def is_goal(self, state):
        self.asked += state == self.goal
        return state == self.goal and self.asked >= self.times


class NearGoalLater(Grid):
    """A near goal is one from the fourth time on."""

    def __init__(self):
        self.asked = 0

    def goal_states(self):
        return [self.goal, (4, 6)]

    def is_goal(self, state):
        self.asked += state == (4, 6)
        return state == self.goal or (state == (4, 6) and self.asked >= 4)

    def heuristic(self, state):
        return 0


class GoalNone(Grid):
    """Nothing is returned for far states, the goal among them."""

    def is_goal(self, state):
        return False if depth(state) < 60 else None


class ChangedRules(Grid):
    """Asking for the goal test of a far state puts up a wall."""

    def __init__(self):
        type(self).wall = False

    def is_goal(self, state):
        if depth(state) >= 50:
            type(self).wall = True
        return super().is_goal(state)

    def successors(self, state):
        steps = super().successors(state)
        if not self.wall:
            return steps
        return [step for step in steps if depth(step.state) != 65]


class AllGoals(Grid):
    """Every state is a goal after 500 calls."""

    def __init__(self):
        self.calls = 0

    def is_goal(self, state):
        self.calls += 1
        return state == self.goal or self.calls > 500


class DearAtFirst(Grid):
    """Steps cost more when a far state is asked first."""

    costs = Costs.INTEGER

    def __init__(self):
        self.asked = set()

    def successors(self, state):
        cost = 5 if depth(state) > 20 and state not in self.asked else 1
        self.asked.add(state)
        return [step._replace(cost=cost) for step in super().successors(state)]


class PaidToLeave(Grid):
    """Steps out of the goal have a negative cost."""

    costs = Costs.INTEGER

    def successors(self, state):
        cost = -3 if state == self.goal else 1
        return [step._replace(cost=cost) for step in super().successors(state)]


class TooLarge(Problem):
    """Two ways to the goal: at the fork of the cheap one the estimate is far too large."""

    costs = Costs.INTEGER
    goal = 999

    def initial_states(self):
        return [0]

    def is_goal(self, state):
        return state == self.goal

    def successors(self, state):
        if state == 0:
            return [Step("cheap", 100, 1), Step("dear", 200, 2)]
        if state in (105, 206):
            return [Step("home", self.goal, 0)]
        if state == self.goal:
            return []
        return [Step("on", state + 1, 1), Step("aside", 1000 + state, 3)] if state < 1000 else []

    def heuristic(self, state):
        return 50 if state == 100 else 0


@attrs.frozen
class Lie:
    name: str
    problem: Callable[[], Problem]
    cost: int | None
    asks_for: tuple[str, ...] = ()
    """The algorithms that are misled; the others give what is right."""


LIES = [
    Lie("certificate", Certified, FAR),
    Lie("too large", TooLarge, 6),
    Lie("cut", Cut, FAR),
    Lie("one way", OneWay, FAR),
    Lie("predecessors", LacksPredecessors, FAR),
    Lie("merged", Merged, FAR),
    Lie("fuel", Fuel, FAR),
    Lie("empty at first", ShyAtFirst, FAR),
    Lie("short at first", ShortAtFirst, FAR),
    Lie("goal asked again", GoalAskedAgain, FAR),
    Lie("near goal later", NearGoalLater, 10),
    Lie("none", GoalNone, FAR),
    Lie("changed rules", ChangedRules, FAR),
    Lie("all goals", AllGoals, FAR),
    Lie("dear at first", DearAtFirst, FAR),
    Lie("paid to leave", PaidToLeave, FAR),
]


def outcome(lie, algorithm, engine="auto"):
    """What came of it: "noticed", "false", "right", "no claim", or "unsuitable"."""
    try:
        result = solve(lie.problem(), algorithm, engine=engine, limits=FEW)
    except UnsuitableError:
        return "unsuitable"
    except (ProblemError, EngineError):
        return "noticed"
    if result.status is Status.UNSOLVABLE:
        return "right" if lie.cost is None else "false"
    if result.status is not Status.SOLVED:
        return "right" if result.lower_bound <= lie.cost else "false"
    if (result.optimal and result.cost != lie.cost) or result.lower_bound > lie.cost:
        return "false"
    return "right" if result.optimal else "no claim"
