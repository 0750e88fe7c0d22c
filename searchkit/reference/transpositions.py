"""A transposition table of depth-first search: states from which nothing was found.

Slate & Atkin, "Chess 4.5" (1977); Reinefeld & Marsland, "Enhanced iterative-deepening search"
(1994).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable
from typing import Any

from searchkit.capabilities import Symmetry
from searchkit.engines.transpositions import lasts, table_symmetries
from searchkit.problem import INFINITY, Problem
from searchkit.running.task import Task

ENTRY, IMAGE = 160, 120
"""About how many bytes Python takes for a state and what is known of it, and for each image."""


class Transpositions:
    """The table, and what is known so far of the states on the current path.

    Entries beyond `most` take the place of the oldest ones.
    """

    def __init__(self, task: Task) -> None:
        self.lasts = lasts(task.problem)
        self.known: dict[Hashable, float] = {}
        """By state a lower bound on the cost to a goal, or the g from which on there is none."""
        symmetries = table_symmetries(task)
        self._most = max(1, task.algorithm.table // (ENTRY + IMAGE * len(symmetries)))
        self._name = _naming(task.problem, symmetries)
        self._names: list[Hashable] = []
        self._least: list[float] = []
        self._costs: list[int] = []
        self._solved = 0
        self._bound = -1.0

    def begin(self, bound: float) -> None:
        """Start a path with nothing on it; what holds for another bound only is forgotten."""
        if bound != self._bound and not self.lasts:
            self.known.clear()
        self._bound = bound
        self._names.clear()
        self._least.clear()
        self._costs.clear()
        self._solved = 0

    def prune(self, cost: int, h: float) -> None:
        """Note that a step of that cost leads to a state beyond the bound, with the estimate h."""
        if h < INFINITY:
            self._least[-1] = min(self._least[-1], cost + math.ceil(h))

    def found(self) -> None:
        """Note that there is a solution from all states of the path."""
        self._solved = len(self._names)

    def enter(self, state: Any, cost: int) -> None:
        """Go on with a state, by a step of that cost."""
        self._names.append(self._name(state))
        self._least.append(INFINITY)
        self._costs.append(cost)

    def f_of(self, state: Any, cost: int, g: int, bound: float) -> float | None:
        """At least what f is by a step of that cost to a state, if that is above the bound.

        None if nothing speaks against the state. Infinity may say that all there is to note was
        noted when the state was met before.
        """
        known = self.known.get(self._name(state))
        if known is None:
            return None
        if not self.lasts:
            return INFINITY if g >= known else None
        if g + known <= bound:
            return None
        self._least[-1] = min(self._least[-1], cost + known)
        return g + known

    def leave(self, g: int) -> None:
        """Go back from the last state of the path, from which all was tried."""
        name, least, cost = self._names.pop(), self._least.pop(), self._costs.pop()
        if self._least:
            self._least[-1] = min(self._least[-1], cost + least)
        if self._solved > len(self._names):
            self._solved = len(self._names)
            return
        known = self.known
        if name not in known and len(known) >= self._most:
            del known[next(iter(known))]
        known[name] = least if self.lasts else g


def _naming(
    problem: Problem[Any, Any], symmetries: Iterable[Symmetry[Any, Any]]
) -> Callable[[Any], Hashable]:
    """What gives equal states, up to symmetry, one name."""
    key_of = problem.key
    maps = [each.state_map for each in symmetries]
    if not maps:
        return key_of
    return lambda state: frozenset([key_of(each(state)) for each in maps])
