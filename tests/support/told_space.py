"""A token on a line, and a pattern space of it that says what its tables say, true or not.

Lies are in the tables alone, so that all of them run as the same machine code.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from searchkit import PackedProblem
from searchkit.heuristics.patterns import PatternSpace

LENGTH = 12


class WalkTables(NamedTuple):
    goal: int


class Walk(PackedProblem[str]):
    """One step either way; the goal is at one end."""

    undirected = True

    def __init__(self, start: int = LENGTH - 1, goal: int = 0, lies: dict[str, Any] | None = None):
        self.start = start
        self.tables = WalkTables(goal)
        self.lies = lies or {}

    def initial_states(self):
        return [self.start]

    def goal_states(self):
        return [self.tables.goal]

    def operators(self, control):
        return range(2)

    def action(self, state, operator):
        return ("left", "right")[operator]

    def at_goal(self, state):
        return state == self.tables.goal

    def legal(self, state, control, operator):
        return state > 0 if operator == 0 else state < 11

    def apply(self, state, control, operator):
        return state + 2 * operator - 1

    def patterns_named(self, name):
        return ((0,),) if name == "1" else ((0,), (1,))

    def pattern_space(self, groups):
        return Told(groups, self.tables.goal, **self.lies)


class ToldTables(NamedTuple):
    entries: int
    ranks: tuple[int, ...]
    words: tuple[int, ...]
    seen: tuple[int, ...]
    moved: tuple[int, ...]
    before: tuple[tuple[int, ...], ...]
    choices: tuple[int, ...]
    landing: int
    spread: int
    floor: tuple[int, ...]
    touched: int
    after: tuple[int, ...]


class Told(PatternSpace):
    """The state is the word is the entry, unless lies say otherwise."""

    operators = 2

    def __init__(
        self, groups, goal=0, *, goals=None, identity=None, additive=False, follows=False,
        tells_touched=False, **lies
    ):  # fmt: skip
        self.groups = groups
        self.additive, self.follows, self.tells_touched = additive, follows, tells_touched
        self.listed = [(goal, 1)] if goals is None else goals
        self.given = identity or {"puzzle": "walk", "pattern": "0", "goal": goal}
        row = tuple(range(LENGTH))
        true = {
            "entries": LENGTH,
            "ranks": row,
            "words": row,
            "seen": row,
            "moved": row,
            "before": (tuple(min(i + 1, 11) for i in row), tuple(max(i - 1, 0) for i in row)),
            "choices": (1,) * LENGTH,
            "landing": 1,
            "spread": 1,
            "floor": (0,) * LENGTH,
            "touched": -1,
            "after": row,
        }
        self.tables = ToldTables(**(true | lies))

    def identity(self, group):
        return self.given

    def entries(self, group):
        return self.tables.entries

    def goals(self, group):
        return self.listed

    def locate(self, state, image, group):
        return self.tables.seen[state]

    def moved(self, word, step, image, group):
        return self.tables.moved[step[3]]

    def touched(self, step, image):
        return self.tables.touched

    def rank(self, word, group):
        return self.tables.ranks[word]

    def entry_after(self, entry, step, image, group):
        return self.tables.after[step[3]]

    def unrank(self, entry, group):
        return self.tables.words[entry]

    def floor(self, word, group):
        return self.tables.floor[word]

    def spread(self, word, group, mask):
        return self.tables.spread

    def choices(self, word, group, mask, operator):
        return self.tables.choices[word]

    def landing(self, word, group, mask, operator, choice):
        return self.tables.landing

    def previous(self, word, group, operator, choice):
        return self.tables.before[operator][word]


def row(**at: int) -> tuple[int, ...]:
    """The words in order, but for some: `row(_3=5)` has 5 in place 3."""
    return tuple(at.get(f"_{i}", i) for i in range(LENGTH))
