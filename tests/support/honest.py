"""Small problems that keep every law: mutants are derived from them, each with one lie."""

from __future__ import annotations

import math
from typing import NamedTuple

from searchkit import Costs, PackedHeuristic, PackedProblem, ParseError, Problem, Step
from searchkit.capabilities import Symmetry
from searchkit.certificates import Certificate
from searchkit.heuristics.patterns import PatternSpace
from searchkit.heuristics.patterns.locations import rank_locations, unrank_locations
from searchkit.pattern_space import consecutive_groups

LAST = 8


class Row(Problem):
    """Walk along the cells 0 to 8 of a row, from the middle to either end."""

    undirected = True
    complete_certificates = True

    def __init__(self, start=4, goals=(0, LAST)):
        self.start, self.goals = start, goals

    def initial_states(self):
        return [self.start]

    def successors(self, state):
        if state < LAST:
            yield Step("up", state + 1)
        if state > 0:
            yield Step("down", state - 1)

    def predecessors(self, state):
        if state > 0:
            yield Step("up", state - 1)
        if state < LAST:
            yield Step("down", state + 1)

    def is_goal(self, state):
        return state in self.goals

    def goal_states(self):
        return list(self.goals)

    def heuristic(self, state):
        return min(abs(state - goal) for goal in self.goals)

    def format_state(self, state):
        return f"cell {state}"

    def parse(self, text):
        word, _, digits = text.partition(" ")
        if word != "cell" or not digits.isdecimal() or int(digits) > LAST:
            raise ParseError(f"{text!r} is not a cell; write one like 'cell 0'")
        return int(digits)

    def with_start(self, state):
        return type(self)(state, self.goals)

    def with_goal(self, state):
        return type(self)(self.start, (state,))

    def random_state(self, rng):
        return rng.randint(0, LAST)

    def certificate(self, state):
        return None

    def slow_rules(self):
        return Row(self.start, self.goals)

    def symmetries(self):
        other = {"up": "down", "down": "up"}
        return [
            Symmetry("none", lambda state: state, lambda action: action),
            Symmetry("mirror", lambda state: LAST - state, other.__getitem__),
        ]


class Descent(Problem):
    """From 9 down to 0 by steps of one or two; three take more, and cost nothing once."""

    costs = Costs.INTEGER

    def initial_states(self):
        return [9]

    def successors(self, state):
        return [Step(f"by {n}", state - n, n) for n in (1, 2) if n <= state]

    def is_goal(self, state):
        return state == 0

    def grade(self, state):
        return state


class Lists(Problem):
    """States that can be changed: piles of coins, of which one coin is taken at a time."""

    def initial_states(self):
        return [[2, 2]]

    def successors(self, state):
        for pile, coins in enumerate(state):
            if coins:
                after = list(state)
                after[pile] -= 1
                yield Step(pile, after)

    def is_goal(self, state):
        return state == [0, 0]

    def key(self, state):
        return tuple(state)


class Doomed(Problem):
    """Even numbers never become odd: proved without search."""

    complete_certificates = True

    def __init__(self, start=6):
        self.start = start

    def initial_states(self):
        return [self.start]

    def successors(self, state):
        return [Step("on", (state + 2) % 12)]

    def is_goal(self, state):
        return state == 5

    def certificate(self, state):
        if state % 2 == 0:
            return Certificate("parity", "even numbers stay even", {"start": state})
        return None

    def check_certificate(self, start, certificate):
        return None if start % 2 == 0 else "it is odd"

    def with_start(self, state):
        return type(self)(state)


class Ring(NamedTuple):
    goal: int
    distances: tuple[int, ...]


class Walk(PackedProblem):
    """Walk round a ring of twelve places, each a control state and a number of its own."""

    undirected = True
    controls = 12
    ranks = 12
    tables = Ring(goal=7, distances=(5, 6, 5, 4, 3, 2, 1, 0, 1, 2, 3, 4))

    def initial_states(self):
        return [0]

    def operators(self, control):
        return (1, 11)

    def action(self, state, operator):
        return "left" if operator == 1 else "right"

    def next_control(self, control, operator):
        return (control + operator) % 12

    def inverse(self, control, operator):
        return 12 - operator

    def control(self, state):
        return state

    def at_goal(self, state):
        return state == self.tables.goal

    def apply(self, state, control, operator):
        return (state + operator) % 12

    def rank(self, state):
        return state

    def unrank(self, index):
        return index

    def default_heuristic(self):
        return AlongTheRing()


class AlongTheRing(PackedHeuristic):
    tables = Walk.tables

    def estimate(self, state):
        return self.tables.distances[state]

    def change(self, state, control, operator, child):
        return self.tables.distances[child] - self.tables.distances[state]


class Lamps(PackedProblem):
    """Six lamps in a ring; a switch flips three."""

    undirected = True

    def initial_states(self):
        return [0b111111]

    def operators(self, control):
        return range(6)

    def action(self, state, operator):
        return operator

    def at_goal(self, state):
        return state == 0

    def toggles(self):
        return [7, 14, 28, 56, 49, 35]

    def apply(self, state, control, operator):
        return state ^ (7 << operator | 7 >> 6 - operator) & 63

    def symmetries(self):
        for turn in range(6):
            yield Symmetry(
                f"turn by {turn}",
                lambda state, turn=turn: (state << turn | state >> 6 - turn) & 63,
                lambda action, turn=turn: (action + turn) % 6,
                tuple((i + turn) % 6 for i in range(6)),
            )


class Tokens(PackedProblem):
    """Four tokens in a row, four bits each, to be put in order by swaps of neighbours."""

    undirected = True

    def initial_states(self):
        return [0x0312]

    def operators(self, control):
        return range(3)

    def action(self, state, operator):
        return f"swap {operator}"

    def at_goal(self, state):
        return state == 0x3210

    def apply(self, state, control, operator):
        both = (state >> 4 * operator ^ state >> 4 * operator + 4) & 15
        return state ^ both << 4 * operator ^ both << 4 * operator + 4

    def format_state(self, state):
        return f"{state:04x}"

    def patterns_named(self, name):
        return consecutive_groups(name, range(4))

    def pattern_space(self, groups):
        return TokenPatterns(groups)


class TokenTables(NamedTuple):
    sizes: tuple[int, ...]
    tokens: tuple[tuple[int, ...], ...]


class TokenPatterns(PatternSpace):
    """The places of some tokens, four bits each."""

    operators = 3

    def __init__(self, groups):
        self.groups = tuple(groups)
        self.tables = TokenTables(
            tuple(map(len, self.groups)), tuple((*group, *group)[:2] for group in self.groups)
        )

    def identity(self, group):
        return {"puzzle": "tokens", "pattern": ".".join(map(str, self.groups[group]))}

    def entries(self, group):
        return math.perm(4, self.tables.sizes[group])

    def goals(self, group):
        return [(self.locate(0x3210, 0, group), 1)]

    def locate(self, state, image, group):
        word = 0
        for place in range(4):
            for i in range(self.tables.sizes[group]):
                if state >> 4 * place & 15 == self.tables.tokens[group][i]:
                    word |= place << 4 * i
        return word

    def touched(self, step, image):
        return -1

    def rank(self, word, group):
        return rank_locations(word, self.tables.sizes[group], 4, 4)

    def unrank(self, entry, group):
        return unrank_locations(entry, self.tables.sizes[group], 4, 4)

    def previous(self, word, group, operator, choice):
        before = 0
        for i in range(self.tables.sizes[group]):
            place = word >> 4 * i & 15
            if place == operator:
                place = operator + 1
            elif place == operator + 1:
                place = operator
            before |= place << 4 * i
        return before


HONEST = [Row(), Descent(), Lists(), Doomed(), Walk(), Lamps(), Tokens()]
