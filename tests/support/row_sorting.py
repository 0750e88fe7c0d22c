"""A row of seven numbers is sorted by swaps of neighbours: a problem in stages, no board at all.

A solution is as long as there are inversions if it is a shortest one.
"""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import attrs

from searchkit import PackedProblem
from searchkit_stages import Stage

LENGTH = 7
SORTED = sum(number << 4 * place for place, number in enumerate(range(LENGTH)))


class Tables(NamedTuple):
    first: int
    count: int


def number_at(state: int, place: int) -> int:
    return state >> 4 * place & 15


def swapped(state: int, place: int) -> int:
    other = (state >> 4 * place ^ state >> 4 * place + 4) & 15
    return state ^ other << 4 * place ^ other << 4 * place + 4


def place_of(state: int, number: int) -> int:
    place = 0
    while number_at(state, place) != number:
        place += 1
    return place


def read(numbers: Any) -> int:
    return sum(number << 4 * place for place, number in enumerate(numbers))


def numbers_of(state: int) -> list[int]:
    return [number_at(state, place) for place in range(LENGTH)]


def inversions(state: int) -> int:
    numbers = numbers_of(state)
    return sum(a > b for i, a in enumerate(numbers) for b in numbers[i + 1 :])


@attrs.frozen
class SortStage(Stage):
    """Bring the numbers from `first` on, `count` of them, to their places; those before stay."""

    first: int
    count: int

    @property
    def tables(self) -> Tables:
        return Tables(self.first, self.count)

    @property
    def ranks(self) -> int:
        ranks = 1
        for i in range(self.count):
            ranks *= LENGTH - self.first - i
        return ranks

    def operators(self, control: int) -> range:
        return range(self.first, LENGTH - 1)

    def apply(self, state: int, control: int, operator: int) -> int:
        return swapped(state, operator)

    def at_goal(self, state: int) -> bool:
        for number in range(self.tables.first, self.tables.first + self.tables.count):
            if number_at(state, number) != number:
                return False
        return True

    def rank(self, state: int) -> int:
        rank = 0
        used = 0
        for i in range(self.tables.count):
            place = place_of(state, self.tables.first + i) - self.tables.first
            if place < 0:
                return -1
            smaller = 0
            for before in range(place):
                smaller += used >> before & 1
            rank = rank * (7 - self.tables.first - i) + place - smaller
            used |= 1 << place
        return rank

    def unrank(self, index: int) -> int:
        digits = 0
        for i in range(self.tables.count):
            base = 7 - self.tables.first - self.tables.count + 1 + i
            digits = digits << 4 | index % base
            index = index // base
        state = 0
        for number in range(self.tables.first):
            state |= number << 4 * number
        used = 0
        for i in range(7 - self.tables.first):
            skipped = 0
            if i < self.tables.count:
                skipped = digits & 15
                digits >>= 4
            place = 0
            while (used >> place & 1) == 1 or skipped > 0:
                skipped -= 1 - (used >> place & 1)
                place += 1
            used |= 1 << place
            state |= self.tables.first + i << 4 * (self.tables.first + place)
        return state


class RowSorting(PackedProblem[int]):
    """Swap neighbours until all numbers stand in order."""

    undirected = True
    stages: tuple[tuple[Stage, ...], ...] = (
        (SortStage(0, 2), SortStage(2, 2), SortStage(4, 3)),
        (SortStage(0, 3), SortStage(3, 4)),
    )

    def __init__(self, start: int = SORTED) -> None:
        self.start = start

    def stage_plans(self, most_states: int) -> tuple[tuple[Stage, ...], ...]:
        return self.stages

    def initial_states(self) -> list[int]:
        return [self.start]

    def with_start(self, state: int) -> RowSorting:
        return RowSorting(state)

    def goal_states(self) -> list[int]:
        return [SORTED]

    def operators(self, control: int) -> range:
        return range(LENGTH - 1)

    def inverse(self, control: int, operator: int) -> int:
        return operator

    def action(self, state: int, operator: int) -> str:
        return f"swap {operator}"

    def at_goal(self, state: int) -> bool:
        return state == SORTED

    def apply(self, state: int, control: int, operator: int) -> int:
        return swapped(state, operator)

    def random_state(self, rng: random.Random) -> int:
        return read(rng.sample(range(LENGTH), LENGTH))
