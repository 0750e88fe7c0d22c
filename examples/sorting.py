"""Four tokens are sorted by swapping neighbours, with a pattern database written by hand.

A pattern state is where the tokens of a group are, four bits for each; any other token looks the
same. `searchkit check` tries the law `patterns` on the space.

    searchkit run examples/sorting.py --heuristic pdb:2-2
    searchkit check examples/sorting.py
"""

import math
from typing import NamedTuple

from searchkit import PackedProblem, hookimpl
from searchkit.heuristics.patterns.locations import rank_locations, unrank_locations
from searchkit.pattern_space import PatternSpace, consecutive_groups

GOAL = 0x3210  # the token of each place, the first in the lowest four bits


class Tokens(PackedProblem[int]):
    """Operator i swaps the tokens in the places i and i + 1."""

    undirected = True

    def initial_states(self):
        return [0x0123]

    def operators(self, control):
        return range(3)

    def action(self, state, operator):
        return operator

    def at_goal(self, state):
        return state == GOAL

    def goal_states(self):
        return [GOAL]

    def apply(self, state, control, operator):
        both = (state >> 4 * operator ^ state >> 4 * operator + 4) & 15
        return state ^ both << 4 * operator ^ both << 4 * operator + 4

    def patterns_named(self, name):
        return consecutive_groups(name, range(4))

    def pattern_space(self, groups):
        return TokenPatterns(groups)


class TokenTables(NamedTuple):
    """How many tokens a group has, and which, filled up with zeros."""

    sizes: tuple[int, ...]
    tokens: tuple[tuple[int, ...], ...]


class TokenPatterns(PatternSpace):
    """Where the tokens of each group are."""

    operators = 3

    def __init__(self, groups):
        self.groups = tuple(groups)
        rows = tuple((*group, 0, 0, 0, 0)[:4] for group in self.groups)
        self.tables = TokenTables(tuple(map(len, self.groups)), rows)

    def identity(self, group):
        return {"puzzle": "sorting", "pattern": ".".join(map(str, self.groups[group]))}

    def entries(self, group):
        return math.perm(4, self.tables.sizes[group])

    def goals(self, group):
        return [(self.locate(GOAL, 0, group), 1)]

    def locate(self, state, image, group):
        word = 0
        for place in range(4):
            for i in range(self.tables.sizes[group]):
                if state >> 4 * place & 15 == self.tables.tokens[group][i]:
                    word |= place << 4 * i
        return word

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


@hookimpl
def searchkit_register_puzzles(register):
    register("sorting", Tokens, summary="four tokens are sorted by swapping neighbours")
