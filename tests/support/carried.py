"""Heuristics that carry words and are as awkward as they may be, for `packed_graphs`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from searchkit.packed import CarriedHeuristic, PackedStep

SALT = 0x5DEECE66D
LOST = 1 << 20
"""Far more than any estimate: what is returned if the words are not those of the parent."""


class CarriedTables(NamedTuple):
    values: tuple[int, ...]
    early: tuple[int, ...]
    """By state, how far below the estimate `follow` may stop, if it is more than asked for."""


def stopped_early(value: int, early: int, most: int) -> int:
    """A number above `most` but not above `value`."""
    return max(most + 1, value - early)


class Words(CarriedHeuristic):
    """Three words: the estimate, the place of the state, and both mixed, which `follow` checks.

    Where it stops early it leaves rubbish, as it may.
    """

    name = "words"
    memory = 3

    def __init__(self, values: tuple[int, ...], early: tuple[int, ...]) -> None:
        self.tables = CarriedTables(values, early)

    def place(self, state: Any) -> int:
        """Where the state is in the tables."""
        return int(state)

    def begin(self, memo: Any, at: int, state: Any) -> int:
        place = self.place(state)
        value = self.tables.values[place]
        memo[at] = value
        memo[at + 1] = place
        memo[at + 2] = value * SALT ^ place
        return int(value)

    def follow(self, memo: Any, at: int, after: int, step: PackedStep, most: int) -> int:
        state, _, _, child = step
        place = self.place(state)
        if memo[at + 1] != place or memo[at + 2] != memo[at] * SALT ^ place:
            return LOST
        value = int(self.begin(memo, after, child))
        early = self.tables.early[self.place(child)]
        if value > most and early > 0:
            memo[after] = -7
            memo[after + 1] = -7
            return stopped_early(value, early, most)
        return value


class OneWord(Words):
    """One word: the estimate below the state. Has a kernel of its own named `estimate`."""

    name = "one word"
    memory = 1

    def estimate(self, state: Any) -> int:
        return int(self.tables.values[state])

    def begin(self, memo: Any, at: int, state: Any) -> int:
        memo[at] = state << 32 | self.estimate(state)
        return self.estimate(state)

    def recall(self, memo: Any, at: int) -> int:
        return int(memo[at] & 0xFFFFFFFF)

    def follow(self, memo: Any, at: int, after: int, step: PackedStep, most: int) -> int:
        state, _, _, child = step
        if memo[at] >> 32 != state:
            return LOST
        return int(self.begin(memo, after, child))


class CountedTables(NamedTuple):
    values: tuple[int, ...]
    followed: Any
    """How often a step was followed."""


class CountedWords(CarriedHeuristic):
    """One word, the estimate; counts how often a step is followed."""

    name = "counted words"

    def __init__(self, values: tuple[int, ...]) -> None:
        self.tables = CountedTables(values, np.zeros(1, dtype=np.int64))

    def begin(self, memo: Any, at: int, state: Any) -> int:
        memo[at] = self.tables.values[state]
        return int(memo[at])

    def follow(self, memo: Any, at: int, after: int, step: PackedStep, most: int) -> int:
        count = self.tables.followed
        count[0] += 1
        _, _, _, child = step
        memo[after] = self.tables.values[child]
        return int(memo[after])


class WideWords(Words):
    """Two words, for `WideGraph`."""

    name = "wide words"
    memory = 2

    def begin(self, memo: Any, at: int, state: Any) -> int:
        value = self.tables.values[state[2] >> 40]
        memo[at] = value
        memo[at + 1] = state[2]
        return int(value)

    def follow(self, memo: Any, at: int, after: int, step: PackedStep, most: int) -> int:
        state, _, _, child = step
        if memo[at + 1] != state[2]:
            return LOST
        value = int(self.begin(memo, after, child))
        early = self.tables.early[child[2] >> 40]
        if value > most and early > 0:
            memo[after + 1] = -7
            return stopped_early(value, early, most)
        return value
