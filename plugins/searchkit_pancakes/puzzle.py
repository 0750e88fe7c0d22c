"""Pancake sorting: turn over the top of a stack until the smallest pancake lies on top."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any, NamedTuple

import attrs

from searchkit import StartAndGoal, derived
from searchkit.bits import replace_word, reverse_bytes, reverse_nibbles, shift_right
from searchkit.packed import PackedProblem
from searchkit.pattern_space import Pattern, consecutive_groups
from searchkit.permutations import rank_permutation, unrank_permutation
from searchkit.picture import Picture
from searchkit_pancakes.heuristics import Gap, gap
from searchkit_pancakes.patterns import PancakePatterns
from searchkit_pancakes.pictures import draw
from searchkit_pancakes.slow import PlainPancakes
from searchkit_pancakes.stacks import Stacks

MOST_RANKED = 12
"""How many pancakes have numbers; with fewer, the smallest lie on top of larger ones."""


class Tables(NamedTuple):
    """What the kernels of `Pancakes` look up.

    `tops[k]` has all bits of the first `k` pancakes of a word, and `turned` the bits that change
    when a pancake is turned. `room` bits are for the pancakes `front` that fill up an order.
    """

    goal: Any
    size: int
    tops: tuple[int, ...]
    turned: int
    room: int
    front: int
    added: int
    burnt: int


@attrs.frozen
class Pancakes(StartAndGoal[Any, int], PackedProblem[int]):
    """Sort a stack; an action is the number of pancakes that are turned over, from the top.

    With `burnt`, every pancake has a burnt side, which must come to lie down. This class is for
    16 pancakes at most, or 8 with burnt sides; `Pancakes.of` and `Pancakes.read` make a
    `WidePancakes` for more.

    >>> from searchkit_pancakes import Pancakes
    >>> puzzle = Pancakes.read("3 1 2")
    >>> [(step.action, puzzle.format_state(step.state)) for step in puzzle.successors(puzzle.start)]
    [(2, '1 3 2'), (3, '2 1 3')]
    """

    undirected = True
    complete_certificates = True

    stacks: Stacks
    start: Any
    goal: Any
    words: int = derived(lambda self: self.stacks.words)
    tables: Any = derived(lambda self: self._tables())
    ranks: int = derived(lambda self: self._ranks())

    @classmethod
    def of(cls, stacks: Stacks, start: Any = None, goal: Any = None) -> Pancakes:
        """The puzzle with stacks of any size; in order is the default of `start` and `goal`."""
        in_order = stacks.pack(stacks.in_order)
        kind = WidePancakes if stacks.wide else Pancakes
        return kind(
            stacks, in_order if start is None else start, in_order if goal is None else goal
        )

    @classmethod
    def read(cls, start: str, *, burnt: bool = False) -> Pancakes:
        """The puzzle from a start given as text; `ParseError` if it is not a stack."""
        stacks = Stacks(max(1, len(start.replace(",", " ").split())), burnt)
        return cls.of(stacks, stacks.parse(start))

    def _tables(self) -> Tables:
        size, burnt, bits = self.stacks.size, self.stacks.burnt, self.stacks.bits
        added = max(0, MOST_RANKED - size)
        return Tables(
            goal=self.goal,
            size=size,
            tops=tuple((1 << bits * count) - 1 for count in range(64 // bits + 1)),
            turned=sum(1 << place for place in range(0, 64, bits)) if burnt else 0,
            room=4 * added,
            front=sum(pancake << 4 * pancake for pancake in range(added)),
            added=sum(added << 4 * place for place in range(added, MOST_RANKED)),
            burnt=int(burnt),
        )

    def _ranks(self) -> int:
        size = self.stacks.size
        if size > MOST_RANKED or self.stacks.wide:
            return 0
        return math.factorial(size) << (size if self.stacks.burnt else 0)

    def operators(self, control: int) -> range:
        """How many pancakes can be turned; a single one only if that changes its burnt side."""
        return range(1 if self.stacks.burnt else 2, self.stacks.size + 1)

    def inverse(self, control: int, operator: int) -> int:
        """Turning as many again."""
        return operator

    def witness(self, control: int) -> Any:
        """The goal, in which all pancakes differ."""
        return self.goal

    def action(self, state: Any, operator: int) -> int:
        """How many pancakes are turned."""
        return operator

    def pancake(self, state: Any, place: int) -> int:
        """Kernel: the pancake at a place, counted from the top."""
        return int(state >> 4 * place & 15)

    def place_after(self, place: int, operator: int) -> int:
        """Kernel: where the pancake at a place comes to."""
        return operator - 1 - place if place < operator else place

    def at_goal(self, state: Any) -> bool:
        """Kernel: whether the stack is the goal."""
        return bool(state == self.tables.goal)

    def apply(self, state: Any, control: int, operator: int) -> Any:
        """Kernel: the first `operator` pancakes in the opposite order, turned."""
        top = self.tables.tops[operator]
        turned = shift_right(reverse_nibbles(state), 64 - 4 * operator) ^ self.tables.turned
        return state & ~top | turned & top

    def rank(self, state: Any) -> int:
        """Kernel: the place of the order, and below it a bit for each burnt side."""
        order = state
        sides = 0
        if self.tables.burnt != 0:
            order = state >> 1 & 0x7777777777777777 & self.tables.tops[self.tables.size]
            for place in range(self.tables.size):
                sides |= (state >> 4 * place & 1) << place
        order = (order << self.tables.room) + self.tables.added + self.tables.front
        rank = rank_permutation(order, 4, MOST_RANKED)
        return int(rank << self.tables.size * self.tables.burnt | sides)

    def unrank(self, index: int) -> Any:
        """Kernel: the stack with that number."""
        rank = index >> self.tables.size * self.tables.burnt
        order = unrank_permutation(rank, 4, MOST_RANKED)
        order = (order - self.tables.added - self.tables.front) >> self.tables.room
        if self.tables.burnt != 0:
            order <<= 1
            for place in range(self.tables.size):
                order |= (index >> place & 1) << 4 * place
        return order

    def default_heuristic(self) -> Gap:
        """The number of gaps, carried along the steps."""
        return gap(self)

    def format_state(self, state: Any) -> str:
        """The pancakes from top to bottom, `3 1 2`; negative with the burnt side up."""
        return self.stacks.format(state)

    def parse(self, text: str) -> Any:
        """Read what `format_state` writes."""
        return self.stacks.parse(text)

    def render(self, state: Any) -> str:
        """The stack on its plate."""
        return self.stacks.picture(state)

    def picture(self, state: Any) -> Picture:
        """The stack on its plate, drawn."""
        return draw([self.stacks.label(pancake) for pancake in self.stacks.unpack(state)])

    def random_state(self, rng: random.Random) -> Any:
        """A stack drawn uniformly from all."""
        pancakes = self.stacks.in_order
        rng.shuffle(pancakes)
        if self.stacks.burnt:
            pancakes = [pancake | rng.randrange(2) for pancake in pancakes]
        return self.stacks.pack(pancakes)

    def pattern_space(self, groups: Sequence[Pattern]) -> PancakePatterns:
        """The stacks in which only some pancakes are told apart."""
        return PancakePatterns(self, groups)

    def patterns_named(self, name: str) -> Sequence[Pattern]:
        """Groups of pancakes by their sizes, the largest pancakes first, or by their numbers."""
        return consecutive_groups(name, range(self.stacks.size - 1, -1, -1))

    def slow_rules(self) -> PlainPancakes:
        """The same puzzle over tuples of numbers."""
        start, goal = (
            tuple(self.stacks.label(pancake) for pancake in self.stacks.unpack(state))
            for state in (self.start, self.goal)
        )
        return PlainPancakes(start, goal, self.stacks.burnt)


@attrs.frozen
class WidePancakes(Pancakes):
    """Pancakes in stacks of any size: eight bits each, in several words.

    >>> from searchkit_pancakes import Pancakes
    >>> puzzle = Pancakes.read(" ".join(map(str, range(20, 0, -1))))
    >>> [step.state for step in puzzle.successors(puzzle.start)][-1] == puzzle.goal
    True
    """

    def pancake(self, state: Any, place: int) -> int:
        """Kernel: the pancake at a place, counted from the top."""
        return int(state[place >> 3] >> 8 * (place & 7) & 255)

    def at_goal(self, state: Any) -> bool:
        """Kernel: whether the stack is the goal."""
        for word in range(len(state)):  # noqa: SIM110  (kernels have no generators)
            if state[word] != self.tables.goal[word]:
                return False
        return True

    def apply(self, state: Any, control: int, operator: int) -> Any:
        """Kernel: the words in the opposite order, moved to the top, as far as they are turned."""
        whole = operator >> 3
        up = 8 * (-operator & 7)
        after = state
        source = (operator - 1) >> 3
        reversed_word = reverse_bytes(state[source])
        for word in range(whole):
            source -= 1
            new = shift_right(reversed_word, up)
            if source >= 0:
                reversed_word = reverse_bytes(state[source])
                if up != 0:
                    new |= reversed_word << 64 - up
            after = replace_word(after, word, (new ^ self.tables.turned) & self.tables.tops[8])
        if up != 0:
            top = self.tables.tops[operator & 7]
            new = (shift_right(reversed_word, up) ^ self.tables.turned) & top
            after = replace_word(after, whole, state[whole] & ~top | new)
        return after
