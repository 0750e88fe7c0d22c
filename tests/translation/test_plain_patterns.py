"""Pattern databases of an ordinary problem are looked up by machine code."""

from __future__ import annotations

import math
from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from searchkit import (
    AStar,
    BeamSearch,
    GreedyBestFirst,
    Heuristic,
    IDAStar,
    Problem,
    Step,
    UnsuitableError,
    WeightedAStar,
    solve,
)
from searchkit.compiled.specialise.plain import plainly
from searchkit.heuristics.maximum import maximum
from searchkit.heuristics.patterns import PatternHeuristic, PatternSpace, plain
from searchkit.heuristics.patterns.locations import rank_locations, unrank_locations
from searchkit.heuristics.patterns.solved import plain_build
from searchkit.pattern_space import consecutive_groups

COUNT = 7


class Tokens(Problem):
    """A row is sorted by swapping neighbours."""

    def __init__(self, row, goal):
        self.row, self.goal = row, goal

    def initial_states(self):
        return [self.row]

    def is_goal(self, state):
        return state == self.goal

    def successors(self, state):
        for i in range(len(state) - 1):
            yield Step(i, (*state[:i], state[i + 1], state[i], *state[i + 2 :]))

    def patterns_named(self, name):
        return consecutive_groups(name, range(COUNT))

    def pattern_space(self, groups):
        return TokenPatterns(self, groups)


class TokenPatterns(PatternSpace):
    operators = COUNT - 1

    def __init__(self, problem, groups):
        self.groups, self.goal = tuple(groups), problem.goal

    @property
    def sizes(self):
        return tuple(map(len, self.groups))

    def identity(self, group):
        pattern = ".".join(map(str, self.groups[group]))
        return {"puzzle": "tokens", "pattern": pattern, "goal": list(self.goal)}

    def entries(self, group):
        return math.perm(COUNT, len(self.groups[group]))

    def goals(self, group):
        return [(self.locate(self.goal, 0, group), 1)]

    def locate(self, state, image, group):
        word = 0
        for i, token in enumerate(self.groups[group]):
            word |= state.index(token) << 4 * i
        return word

    def rank(self, word, group):
        return rank_locations(word, len(self.groups[group]), COUNT, 4)

    def unrank(self, entry, group):
        return unrank_locations(entry, len(self.groups[group]), COUNT, 4)

    def previous(self, word, group, operator, choice):
        before = 0
        for i in range(len(self.groups[group])):
            place = word >> 4 * i & 15
            if place == operator:
                place = operator + 1
            elif place == operator + 1:
                place = operator
            before |= place << 4 * i
        return before


class Inversions(Heuristic):
    name = "third"

    def __call__(self, state):
        return sum(state[i] > state[i + 1] for i in range(len(state) - 1))


ROW = (3, 6, 1, 0, 5, 2, 4)
PUZZLE = Tokens(ROW, tuple(range(COUNT)))
BACK = Tokens(ROW, (0, 1, 2, 4, 3, 5, 6))


def databases(problem, name):
    space = problem.pattern_space(problem.patterns_named(name))
    found = [plain_build(space, group, 10**6) for group in range(len(space.groups))]
    return PatternHeuristic(space, found, f"pdb:{name}")


def told(problem, algorithm, heuristic, engine):
    result = solve(problem, algorithm(heuristic=heuristic), engine=engine)
    counts = result.statistics
    return result.cost, result.lower_bound, counts.expanded, counts.generated, result.actions


LIKE_A_STAR = WeightedAStar, GreedyBestFirst


@pytest.mark.slow_variants("GreedyBestFirst", "WeightedAStar", "IDAStar")
@pytest.mark.parametrize("algorithm", [AStar, IDAStar, WeightedAStar, GreedyBestFirst, BeamSearch])
def test_engines_expand_the_same(algorithm):
    """With other tables after them, in one process; what is like A* by the text of its kernels."""
    for problem, name in ((PUZZLE, "4-3"), (PUZZLE, "2-2-3"), (BACK, "4-3")):
        heuristic = databases(problem, name)
        expected = told(problem, algorithm, heuristic, "reference")
        with plainly() if algorithm in LIKE_A_STAR else nullcontext():
            assert told(problem, algorithm, heuristic, "compiled") == expected


@pytest.mark.slow_variants("3")
@pytest.mark.parametrize("other", ["3", "third"])
def test_so_are_they_beside_others(other):
    second = Inversions() if other == "third" else databases(PUZZLE, other)
    heuristic = maximum(databases(PUZZLE, "4-3"), second)
    expected = told(PUZZLE, AStar, heuristic, "reference")
    with plainly():
        assert told(PUZZLE, AStar, heuristic, "compiled") == expected


def test_what_is_too_large_is_told(monkeypatch):
    monkeypatch.setattr(plain, "MOST_LOOKED_UP", 1000)
    with pytest.raises(UnsuitableError, match=r"pdb:4-3 has 1,050 entries, more than 1,000"):
        solve(PUZZLE, AStar(databases(PUZZLE, "4-3")), engine="compiled")


def test_halves_are_told():
    whole = databases(PUZZLE, "4-3")
    whole.databases = (SimpleNamespace(halved=True, entries=1),)
    with pytest.raises(UnsuitableError, match="two entries in a byte"):
        solve(PUZZLE, AStar(whole), engine="compiled")
