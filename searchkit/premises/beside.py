"""Ways to a goal beside those that a search has tried, which show what is wrong with its answer."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from contextlib import suppress
from heapq import heappop, heappush
from itertools import count
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar

import attrs

from searchkit.authors.user_code import is_by_identity
from searchkit.errors import ProblemError
from searchkit.heuristic import Heuristic
from searchkit.premises.asking import Met, estimate_of, is_goal, steps_of
from searchkit.premises.estimates import is_above
from searchkit.premises.patience import Patience
from searchkit.problem import INFINITY, Problem
from searchkit.result import Overestimate
from searchkit.running.overdue import in_passing

MOST_EXPANDED = 500
"""Of each search for a way that costs less than estimated."""
MOST_GREEDY = 1 << 16
"""Of a greedy search from the starts: time ends it before."""


T = TypeVar("T")


class InTurn(Generic[T]):
    """Things, each of which comes once: the first by one order, then by the next, and so on.

    An order that misleads takes no more than its share.
    """

    def __init__(self, orders: int) -> None:
        self._heaps: list[list[tuple[float, int, T]]] = [[] for _ in range(orders)]
        self._numbers = count(0, -1)
        self._taken: set[int] = set()
        self._turn = -1

    def add(self, thing: T, *values: float) -> None:
        """Add a thing, with its value by each order; of equal ones the last comes first."""
        number = next(self._numbers)
        for heap, value in zip(self._heaps, values, strict=True):
            heappush(heap, (value, number, thing))

    def take(self) -> T | None:
        """What comes next; None if nothing is left. O(log n)."""
        self._turn = (self._turn + 1) % len(self._heaps)
        heap = self._heaps[self._turn]
        while heap:
            _, number, thing = heappop(heap)
            if number not in self._taken:
                self._taken.add(number)
                return thing
        return None


class Left(NamedTuple):
    """A state that was left open, its estimate, and what its way to a goal must cost less than."""

    state: Any
    estimate: float
    below: float


class Way(NamedTuple):
    """What leads to a goal: states, each with what it costs to come there, and the whole cost."""

    states: list[tuple[Any, int]]
    cost: int


def overestimate_beside(
    problem: Problem[Any, Any],
    heuristic: Heuristic[Any, Any],
    left: Iterable[Left],
    remaining: Mapping[Hashable, int],
    patience: Patience,
    asked: dict[Hashable, list[Met]],
) -> Overestimate | None:
    """The first of some states from which a way leads to a goal that costs less than estimated.

    `remaining` is what it costs from states of the solution, by their keys. Expands up to
    `MOST_EXPANDED` states from each, by cost and by f in turn: estimates that are too large
    mislead no more than one of these. `asked` has steps out of states that are known, by what tells
    states apart: what is near several is asked for its own once.
    """
    for state, estimate, below in left:
        if patience.is_over():
            break
        search = _Search(problem, heuristic, min(estimate, below), remaining, asked)
        try:
            with in_passing(problem):
                way = search.way([state], MOST_EXPANDED, patience)
        except ProblemError:
            raise
        except Exception:  # what the author's code says where the search has not been
            continue
        if way is not None and is_above(estimate, way.cost):
            return Overestimate(problem.format_state(state), estimate, way.cost)
    return None


def greedy_way(
    problem: Problem[Any, Any],
    heuristic: Heuristic[Any, Any],
    starts: Iterable[Any],
    patience: Patience,
) -> tuple[Way | None, list[Any]]:
    """A way from a start to a goal, None if greedy search finds none; and what it has expanded.

    States are told apart by themselves where they can be, not by their keys. In every other turn,
    what is called a dead end counts for what leads there.
    """
    search = _Search(problem, heuristic, greedy=True)
    with suppress(Exception), in_passing(problem):  # no other search may have been there
        return search.way(starts, MOST_GREEDY, patience), search.expanded
    return None, search.expanded


@attrs.define(eq=False, repr=False)
class _Search:
    """A best-first search by g and by f in turn, or by estimates alone."""

    _problem: Problem[Any, Any]
    _heuristic: Heuristic[Any, Any]
    _below: float = INFINITY
    _remaining: Mapping[Hashable, int] = MappingProxyType({})
    _asked: dict[Hashable, list[Met]] | None = None
    """The steps out of states that were asked for, by name."""
    _greedy: bool = attrs.field(default=False, kw_only=True)
    _open: InTurn[tuple[int, float, Hashable]] = attrs.field(factory=lambda: InTurn(2), init=False)
    """g, the estimate or the last one before that was finite, and the name."""
    _reached: dict[Hashable, tuple[int, Any, Hashable]] = attrs.field(factory=dict, init=False)
    """g, the state, and the name of the one before, by name."""
    expanded: list[Any] = attrs.field(factory=list, init=False)

    def way(self, roots: Iterable[Any], most: int, patience: Patience) -> Way | None:
        """The first way to a goal that is found while there is patience."""
        problem = self._problem
        for root in roots:
            self._reach(Met(None, root, 0, problem.key(root)), 0, 0, None)
        for expanded in range(most):
            entry = self._open.take()
            if entry is None or (expanded % 16 == 15 and patience.is_over()):
                return None
            g, finite, name = entry
            if g != self._reached[name][0]:
                continue
            state = self._reached[name][1]
            self.expanded.append(state)
            for step in self._steps(name, state):
                after = g + int(step.cost)
                if after >= self._below:
                    continue
                child = self._reach(step, after, finite, name)
                if child is None:
                    continue
                known = self._remaining.get(step.key)
                if known is not None and after + known < self._below:
                    return self._way(child, after + known)
                if is_goal(problem, step.state):
                    return self._way(child, after)
            if is_goal(problem, state):  # said once its steps are known
                return self._way(name, g)
        return None

    def _steps(self, name: Hashable, state: Any) -> list[Met]:
        steps = None if self._asked is None else self._asked.get(name)
        if steps is None:
            steps = steps_of(self._problem, state, most=1000)
            if self._asked is not None:
                self._asked[name] = steps
        return steps

    def _reach(self, step: Met, g: int, finite: float, before: Hashable | None) -> Hashable | None:
        """Note a state; its name if it was not reached for as little before."""
        name = self._name(step)
        known = self._reached.get(name)
        if known is not None and known[0] <= g:
            return None
        self._reached[name] = g, step.state, before
        h = estimate_of(self._problem, self._heuristic, step.state)
        finite = h if h < INFINITY else finite
        values = (h, finite) if self._greedy else (g, g + h)
        self._open.add((g, finite, name), *values)
        return name

    def _name(self, step: Met) -> Hashable:
        """The state itself, unless states cannot be compared, or all are different."""
        state = step.state
        if step.key is state or is_by_identity(state):
            return step.key
        try:
            hash(state)
        except TypeError:
            return step.key
        return state  # type: ignore[no-any-return]

    def _way(self, name: Hashable | None, cost: int) -> Way:
        states = []
        while name is not None:
            g, state, name = self._reached[name]
            states.append((state, g))
        return Way(states[::-1], cost)
