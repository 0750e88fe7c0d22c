"""States drawn at random from all that a search expands, to be asked again before its answer.

Vitter, "Random sampling with a reservoir" (1985); Li, "Reservoir-sampling algorithms of time
complexity O(n(1 + log(N/n)))" (1994), for how many to skip.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import random

MOST_DRAWN = 256
"""How many states are kept: all of a search that expands no more."""
FEW = 32
"""How many are asked in the order in which they were expanded."""
MOST_STORED = 128
"""How many are kept of those that machine code has stored, ..."""
AT_ONCE = 16
"""... and how many are drawn between two slices."""


class Lists(NamedTuple):
    """What an engine knows of the states that it has met, by their keys."""

    g: Callable[[Hashable], int | None]
    """The cost from where it began; None of what it has not met."""
    is_expanded: Callable[[Hashable], bool]
    backward: bool = False
    """Whether it began at the goals, along steps that lead to them."""
    states: Callable[[], Iterable[Any]] | None = None
    """All that it has met, or expanded, where states are their own keys and might be goals."""
    open_states: Callable[[int], Iterable[tuple[Any, int, float]]] | None = None
    """The states of the largest f that wait to be expanded, at most so many: state, g and h."""


class Reservoir:
    """Some of the states of one search, each as likely as any other; the same in each run."""

    def __init__(self, due: int = 0) -> None:
        self.states: list[Any] = []
        self.lists: tuple[Lists, ...] = ()
        self.asked: dict[Any, Sequence[Any]] = {}
        """Steps out of states that were asked for during the search, each as rules gave it."""
        self.are_expanded = True
        """Whether all states have been expanded: no goal is among them then."""
        self.due: float = due
        """How many states are expanded before the next one that is taken."""
        self._weight = 1.0

    @cached_property
    def _choose(self) -> random.Random:
        """Made where it is used: small searches are over before that would be."""
        from random import Random  # noqa: PLC0415

        return Random(1)

    @property
    def is_full(self) -> bool:
        """Whether there may be states that were expanded and are not kept."""
        return len(self.states) >= min(MOST_DRAWN, MOST_STORED)

    def shuffled(self) -> list[Any]:
        """The states, in an order drawn at random."""
        states = self.states
        return states if len(states) <= FEW else self._choose.sample(states, len(states))

    def take(self, state: Any, expanded: int) -> None:
        """Keep a state, to be expanded after `expanded` others. O(1).

        None is of an engine that does not say what it expands: it is not asked again.
        """
        if state is None:
            self.due = math.inf
            return
        states = self.states
        if len(states) < MOST_DRAWN:
            states.append(state)
        else:
            states[self._choose.randrange(MOST_DRAWN)] = state
        self.due = expanded + 1
        if len(states) == MOST_DRAWN:
            self._weight *= math.exp(math.log(1 - self._choose.random()) / MOST_DRAWN)
            skipped = math.log(1 - self._choose.random()) / math.log1p(-self._weight)
            self.due += math.floor(skipped)

    def add(
        self, drawn: Callable[[int, random.Random], Iterable[Any]], *, is_last: bool = False
    ) -> None:
        """Keep some states of those that are stored by now; early ones give way to late ones.

        As many as there is room for if these are the last.
        """
        states, choose, self.are_expanded = self.states, self._choose, False
        count = max(AT_ONCE, MOST_STORED - len(states)) if is_last else AT_ONCE
        for state in drawn(count, choose):
            if len(states) < MOST_STORED:
                states.append(state)
            else:
                states[choose.randrange(MOST_STORED)] = state
