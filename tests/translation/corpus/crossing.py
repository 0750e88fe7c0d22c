"""Crossing a river: sides as numbers, truth values, words, sets and members of enumerations."""

import enum
from itertools import combinations
from typing import NamedTuple

from searchkit import Costs, Problem, Step


class Missionaries(Problem):
    """How many missionaries and cannibals are on the left, and where the boat is."""

    loads = ((1, 0), (2, 0), (0, 1), (0, 2), (1, 1))

    def initial_states(self):
        return [(3, 3, 1)]

    def is_safe(self, m, c):
        return (m == 0 or m >= c) and (3 - m == 0 or 3 - m >= 3 - c)

    def successors(self, state):
        m, c, boat = state
        sign = -1 if boat else 1
        for dm, dc in self.loads:
            left, right = m + sign * dm, c + sign * dc
            if 0 <= left <= 3 and 0 <= right <= 3 and self.is_safe(left, right):
                yield Step(f"{dm} missionaries, {dc} cannibals", (left, right, 1 - boat))

    def is_goal(self, state):
        return state == (0, 0, 0)


class Farmer(Problem):
    """Wolf, goat and cabbage: a tuple of truth values."""

    names = ("farmer", "wolf", "goat", "cabbage")

    def initial_states(self):
        return [(False, False, False, False)]

    def successors(self, state):
        farmer = state[0]
        for i in range(4):
            if state[i] != farmer:
                continue
            after = [not side if j in (0, i) else side for j, side in enumerate(state)]
            _, wolf, goat, cabbage = after
            if after[0] != goat and (wolf == goat or goat == cabbage):
                continue
            yield Step(self.names[i], tuple(after))

    def is_goal(self, state):
        return all(state)


class FarmerInWords(Problem):
    """The same with sides that are words."""

    def initial_states(self):
        return [("west", "west", "west", "west")]

    def successors(self, state):
        here = state[0]
        there = "east" if here == "west" else "west"
        for i, side in enumerate(state):
            if side == here:
                after = tuple(there if j in (0, i) else s for j, s in enumerate(state))
                if not (after[0] != after[2] and after[2] in (after[1], after[3])):
                    yield Step(i, after)

    def is_goal(self, state):
        return state == ("east", "east", "east", "east")


class FarmerInSets(Problem):
    """Who is on the left bank, as a frozenset."""

    everybody = ("farmer", "wolf", "goat", "cabbage")
    wrong = ({"wolf", "goat"}, {"goat", "cabbage"})

    def initial_states(self):
        return [frozenset(self.everybody)]

    def safe(self, bank):
        return "farmer" in bank or not any(pair <= bank for pair in self.wrong)

    def successors(self, state):
        on_left = "farmer" in state
        for who in self.everybody:
            if (who in state) != on_left:
                continue
            crossing = frozenset({"farmer", who})
            left = state - crossing if on_left else state | crossing
            right = frozenset(self.everybody) - left
            if self.safe(left) and self.safe(right):
                yield Step(who, left)

    def is_goal(self, state):
        return not state


class Side(enum.Enum):
    """A bank of the river."""

    LEFT = "left"
    RIGHT = "right"


class Ferry(NamedTuple):
    """Cars of each kind on the left, and where the ferry is."""

    small: int
    large: int
    ferry: Side


class Ferries(Problem):
    """Named tuples with a member of an enumeration."""

    def initial_states(self):
        return [Ferry(5, 3, Side.LEFT)]

    def successors(self, state):
        to = Side.RIGHT if state.ferry is Side.LEFT else Side.LEFT
        way = -1 if to is Side.RIGHT else 1
        for small in range(5):
            for large in range(3):
                if small + 2 * large > 4:
                    break
                after = state._replace(
                    small=state.small + way * small, large=state.large + way * large, ferry=to
                )
                if 0 <= after.small <= 5 and 0 <= after.large <= 3:
                    yield Step((small, large), after)

    def is_goal(self, state):
        return state == Ferry(0, 0, Side.RIGHT)


class Bridge(Problem):
    """Bridge and torch: the steps cost the time of the slower one."""

    costs = Costs.INTEGER
    times = (1, 2, 5, 10)

    def initial_states(self):
        return [((1, 1, 1, 1), 1)]

    def successors(self, state):
        near, torch = state
        people = [i for i in range(len(near)) if near[i] == torch]
        for size in (1, 2):
            for who in combinations(people, size):
                after = tuple(1 - torch if i in who else side for i, side in enumerate(near))
                yield Step(who, (after, 1 - torch), max(self.times[i] for i in who))

    def is_goal(self, state):
        return not any(state[0])

    def heuristic(self, state):
        return max((t for t, near in zip(self.times, state[0], strict=True) if near), default=0)
