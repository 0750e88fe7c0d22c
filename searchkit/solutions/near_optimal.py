"""Solutions that may cost more than an optimal one, listed and counted in the order of their cost.

A solution is a simple path: it meets no state twice, and ends at the first goal that it meets. The
states on such paths up to a cost are found by their g, from the starts, and by their distance from
the goals among them; then every step that is tried leads on to a goal at the least cost that is
known, and only paths that would meet a state again are left off later. Yen, "Finding the K shortest
loopless paths in a network" (1971), has the same definition; Eppstein's walks may have loops.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Hashable, Iterator, Mapping
from itertools import islice
from typing import Any

import attrs

from searchkit.packed import successors_of
from searchkit.problem import Problem, Step
from searchkit.result import Overestimate, Solution
from searchkit.running.task import Run, legal_cost
from searchkit.solutions.optimal_graph import REMEMBERED

Walk = Generator[Solution[Any, Any] | None, None, float]
"""Solutions, and None before each state that is expanded; returns the least f that was left out."""


@attrs.frozen(eq=False, repr=False)
class Around:
    """The states on walks from a start to a goal up to a cost, by their keys."""

    remaining: Mapping[Hashable, int]
    """What the cheapest way from each to a goal costs."""
    goals: frozenset[Hashable]
    beyond: float
    """The least f of a state that was left out: all that is cheaper is here."""
    doubt: Overestimate | None
    """Where the heuristic says more than a way to a goal costs: states may be missing."""


@attrs.define(eq=False, repr=False)
class NearOptimal:
    """The solutions from `cost`, that of an optimal one, up to `bound`; at most `most` of them.

    In the order of their cost, and those of one cost in that of a depth-first search, as optimal
    ones are. Memory is for one path. Time is O(length x branching) calls of the problem for each
    solution and each cost below its own, but where paths end since they would meet themselves.
    """

    problem: Problem[Any, Any]
    starts: tuple[Any, ...]
    around: Around
    cost: int
    bound: float
    most: float = math.inf
    counted: int = attrs.field(default=0, init=False)
    """How many `counting` has met, should it be stopped."""
    _received: int = attrs.field(default=0, init=False)
    """How many steps its states have had that lead on to goals."""
    _known: dict[Hashable, list[Any]] = attrs.field(factory=dict, init=False)

    def __iter__(self) -> Iterator[Solution[Any, Any]]:
        found = (each for each in self._walk() if each is not None)
        return found if self.most == math.inf else islice(found, int(self.most))

    def count(self) -> int:
        """How many there are, exactly."""
        return sum(1 for _ in self)

    def counting(self, run: Run) -> Generator[None, None, int]:
        """Count them as an engine."""
        self.counted = self._received = 0
        for each in self._walk():
            run.counters.generated = self._received
            if each is not None:
                self.counted += 1
                if self.counted >= self.most:
                    break
            else:
                yield
                run.counters.expanded += 1
        run.counters.generated = self._received
        return self.counted

    def _walk(self) -> Iterator[Solution[Any, Any] | None]:
        """Cost after cost."""
        level: float = self.cost
        while level <= self.bound and level < math.inf:
            level = yield from self._of_cost(level)

    def _of_cost(self, level: float) -> Walk:
        beyond, remaining, goals = math.inf, self.around.remaining, self.around.goals
        for start in self.starts:
            here = self.problem.key(start)
            if remaining.get(here, math.inf) > level:
                beyond = min(beyond, remaining.get(here, math.inf))
                continue
            if here in goals:
                if level == 0:
                    yield Solution(start, ())
                continue
            yield None
            path: list[Step[Any, Any]] = []
            keys, on_path, g = [here], {here}, 0
            stack = [iter(self._steps(start, here))]
            while stack:
                for step, key in stack[-1]:
                    f = g + step.cost + remaining[key]
                    if key in on_path:
                        continue
                    if f > level:
                        beyond = min(beyond, f)
                    elif key in goals:
                        if f == level:
                            yield Solution(start, (*path, step))
                    else:
                        yield None
                        path.append(step)
                        keys.append(key)
                        on_path.add(key)
                        g += step.cost
                        stack.append(iter(self._steps(step.state, key)))
                        break
                else:
                    stack.pop()
                    on_path.discard(keys.pop())
                    if path:
                        g -= path.pop().cost
        return beyond

    def _steps(self, state: Any, key: Hashable) -> list[Any]:
        """The steps out of a state that lead on to goals, each with the key of its state."""
        found = self._known.get(key)
        if found is None:
            found = [
                (Step(action, child, legal_cost(self.problem, action, cost)), child_key)
                for action, child, cost in successors_of(self.problem)(state)
                if (child_key := self.problem.key(child)) in self.around.remaining
            ]
            if len(self._known) < REMEMBERED:
                self._known[key] = found
        self._received += len(found)
        return found
