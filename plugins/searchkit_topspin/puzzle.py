"""Top-Spin: tokens round a ring, some of which in a row can be turned over."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from typing import NamedTuple

import attrs

from searchkit import Certificate, StartAndGoal, Symmetry, UsageError, derived
from searchkit.bits import reverse_nibbles, shift_right
from searchkit.packed import PackedProblem
from searchkit.permutations import rank_permutation, unrank_permutation
from searchkit.picture import Phase, Picture
from searchkit_topspin import pictures, rings
from searchkit_topspin.heuristics import RingGap
from searchkit_topspin.slow import PlainTopSpin

MOST_RANKED = 12
"""How many tokens beside the first have numbers."""


class Tables(NamedTuple):
    """What the kernels of `TopSpin` look up.

    Operator `i` turns the ring by `i` places, so that the tokens to be turned over come first; the
    first token of all is then brought back by `after[i]` places.
    """

    goal: int
    size: int
    turnstile: int
    every: int
    top: int
    after: tuple[int, ...]
    room: int
    front: int
    added: int


@attrs.frozen
class TopSpin(StartAndGoal[int, int], PackedProblem[int]):
    """Turn over `turnstile` tokens in a row until the ring is as in the goal.

    A state is the ring read from the first token on (see `searchkit_topspin.rings`), an action the
    place, counted from 1, of the first token that is turned over. Turning the ring as a whole
    costs nothing.

    >>> from searchkit_topspin import TopSpin
    >>> puzzle = TopSpin(6, 4)
    >>> [puzzle.format_state(step.state) for step in puzzle.successors(puzzle.start)][:3]
    ['1 5 6 4 3 2', '1 5 4 3 2 6', '1 2 6 5 4 3']
    """

    undirected = True
    complete_certificates = True

    size: int
    turnstile: int
    start: int = attrs.field()
    goal: int = attrs.field()
    tables: Tables = derived(lambda self: self._tables())
    ranks: int = derived(
        lambda self: math.factorial(self.size - 1) if self.size - 1 <= MOST_RANKED else 0
    )

    @start.default
    @goal.default
    def _in_order(self) -> int:
        return rings.pack(range(self.size))

    def _tables(self) -> Tables:
        size, turnstile = self.size, self.turnstile
        if not 4 <= size <= rings.MOST_TOKENS:
            raise UsageError(f"{size} tokens are too few or many; use 4 to {rings.MOST_TOKENS}")
        if not 2 <= turnstile <= size - 2 or turnstile % 2:
            raise UsageError(
                f"a turnstile of {turnstile} does not suit {size} tokens; "
                f"use an even number from 2 to {size - 2}"
            )
        # With the turn beginning at place i, the first token is at place -i before it.
        firsts = [-place % self.size for place in range(self.size)]
        others = self.size - 1
        added = max(0, MOST_RANKED - others)
        return Tables(
            goal=self.goal,
            size=self.size,
            turnstile=self.turnstile,
            every=(1 << 4 * self.size) - 1,
            top=(1 << 4 * self.turnstile) - 1,
            after=tuple(
                self.turnstile - 1 - first if first < self.turnstile else first for first in firsts
            ),
            room=4 * added,
            front=sum(token << 4 * token for token in range(added)),
            # The other tokens count from 1, and follow those that fill up the order.
            added=sum((added - 1) << 4 * place for place in range(added, MOST_RANKED)),
        )

    def operators(self, control: int) -> range:
        """The places at which a turn can begin."""
        return range(self.size)

    def inverse(self, control: int, operator: int) -> int:
        """The place at which the tokens that were turned begin afterwards."""
        return int(-self.tables.after[operator] % self.size)

    def witness(self, control: int) -> int:
        """The goal, in which all tokens differ."""
        return self.goal

    def action(self, state: int, operator: int) -> int:
        """The place at which the turn begins."""
        return operator + 1

    def place_after(self, place: int, operator: int) -> int:
        """Kernel: where the token at a place comes to."""
        turned = (place + self.tables.size - operator) % self.tables.size
        if turned < self.tables.turnstile:
            turned = self.tables.turnstile - 1 - turned
        back = turned + self.tables.size - self.tables.after[operator]
        return int(back % self.tables.size)

    def at_goal(self, state: int) -> bool:
        """Kernel: whether the ring is the goal."""
        return bool(state == self.tables.goal)

    def turned(self, state: int, places: int) -> int:
        """Kernel: the ring read from another place on."""
        # Two shifts, since a word cannot be shifted by 64 places.
        up = state << 4 * (self.tables.size - 1 - places) << 4
        return int((shift_right(state, 4 * places) | up) & self.tables.every)

    def apply(self, state: int, control: int, operator: int) -> int:
        """Kernel: the tokens that are turned over come first, and then the first token again."""
        ring = self.turned(state, operator)
        top = self.tables.top
        ring = ring & ~top | shift_right(reverse_nibbles(ring), 64 - 4 * self.tables.turnstile)
        return self.turned(ring, self.tables.after[operator])

    def rank(self, state: int) -> int:
        """Kernel: the place of the order of the tokens beside the first."""
        order = (state >> 4 << self.tables.room) + self.tables.added + self.tables.front
        return rank_permutation(order, 4, MOST_RANKED)

    def unrank(self, index: int) -> int:
        """Kernel: the ring with that number."""
        order = unrank_permutation(index, 4, MOST_RANKED)
        order -= self.tables.added + self.tables.front
        return int(order >> self.tables.room << 4)

    def default_heuristic(self) -> RingGap:
        """Half the gaps, rounded up."""
        return RingGap(self)

    def format_state(self, state: int) -> str:
        """The tokens from token 1 on."""
        return rings.write(rings.unpack(state, self.size))

    def parse(self, text: str) -> int:
        """Read a ring from any token on."""
        return rings.read(text, self.size)

    def render(self, state: int) -> str:
        """The ring."""
        return rings.picture(rings.unpack(state, self.size))

    def picture(self, state: int) -> Picture:
        """The ring, drawn."""
        return pictures.draw(rings.unpack(state, self.size))

    def motion(self, state: int, action: int) -> Iterable[Phase]:
        """The tokens are turned over, then the ring is turned until the first is on top."""
        return pictures.turn(rings.unpack(state, self.size), action - 1, self.turnstile)

    @property
    def keeps_parity(self) -> bool:
        """Whether turns, and going round the ring, are even permutations."""
        return self.size % 2 == 1 and self.turnstile % 4 == 0

    def random_state(self, rng: random.Random) -> int:
        """A ring drawn uniformly from those that can become the goal."""
        tokens = list(range(1, self.size))
        rng.shuffle(tokens)
        if self.keeps_parity and rings.parity(tokens) != self._parity(self.goal):
            tokens[-2:] = tokens[:-3:-1]
        return rings.pack([0, *tokens])

    def _parity(self, state: int) -> int:
        return rings.parity(rings.unpack(state, self.size))

    def certificate(self, state: int) -> Certificate | None:
        """Why the goal cannot be reached: parity, where turns keep it.

        Where they do not, every ring can be reached (T. Chen and S. S. Skiena, Sorting with
        fixed-length reversals, 1996).
        """
        start, goal = self._parity(state), self._parity(self.goal)
        if not self.keeps_parity or start == goal:
            return None
        kinds = ("an even", "an odd")
        text = (
            f"the start is {kinds[start]} permutation and the goal {kinds[goal]} one; turning "
            f"{self.turnstile} of {self.size} tokens, an odd number, keeps that"
        )
        return Certificate("parity", text, {"start": start, "goal": goal})

    def symmetries(self) -> list[Symmetry[int, int]]:
        """The identity, and the ring read the other way, if that keeps the goal."""
        mirror = Symmetry("mirror", self._mirrored, self._mirrored_action)
        identity: Symmetry[int, int] = Symmetry("identity", int, int)
        return [identity, mirror] if self._mirrored(self.goal) == self.goal else [identity]

    def _mirrored(self, state: int) -> int:
        """The ring read the other way, token `t` in the place of token `-t`."""
        tokens = [-token % self.size for token in rings.unpack(state, self.size)]
        return rings.pack(tokens[::-1])

    def _mirrored_action(self, action: int) -> int:
        """The place that the last token of a turn is at, read the other way."""
        return (1 - action - self.turnstile + 1) % self.size + 1

    def slow_rules(self) -> PlainTopSpin:
        """The same puzzle over tuples of numbers."""
        start, goal = (
            tuple(token + 1 for token in rings.unpack(state, self.size))
            for state in (self.start, self.goal)
        )
        return PlainTopSpin(start, goal, self.turnstile)


def topspin(size: int = 10, turnstile: int = 4) -> TopSpin:
    """A shuffled ring, the same for every call.

    >>> print(topspin(8).render(topspin(8).start))
    ╭─ 1 ─ 6 ─ 4 ─ 3 ─╮
    ╰─ 8 ─ 5 ─ 7 ─ 2 ─╯
    """
    puzzle = TopSpin(size, turnstile)
    return puzzle.with_start(puzzle.random_state(random.Random(0)))
