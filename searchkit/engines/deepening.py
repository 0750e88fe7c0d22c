"""The outer loop of iterative deepening: depth-first search again and again, the bound growing.

Slate & Atkin, "Chess 4.5" (1977) for depth; Korf, "Depth-first iterative-deepening: an optimal
admissible tree search" (1985) for cost and for IDA*; Korf, "Linear-space best-first search" (1993)
for the weight.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Hashable, Iterable
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.algorithms.weights import least_cost, weighing
from searchkit.limits import Iteration
from searchkit.problem import INFINITY
from searchkit.running.making import search_clock
from searchkit.running.task import Outcome, Task
from searchkit.solutions.from_parents import without_loops

if TYPE_CHECKING:
    from fractions import Fraction

ONE: Any = 1
"""No weight: of a `Fraction`, which few searches have, an int has all that is asked for."""


@attrs.define(eq=False, repr=False)
class Round:
    """One iteration: its bound, and what it found: the next bound, states on solutions.

    The bounds are those of `f`: g + h for a weight of 1.
    """

    bound: float
    weight: Fraction = ONE
    next_bound: float = math.inf
    cost: float = math.inf
    solutions: int = 0
    remaining: dict[Hashable, int] = attrs.field(factory=dict)
    operators: dict[Hashable, int] = attrs.field(factory=dict)

    @property
    def f(self) -> Callable[[int, float], float]:
        """What is bounded, from g and h."""
        return weighing(self.weight)

    def outcome(self) -> Outcome | None:
        """The solutions found, None if there are none."""
        if not self.solutions:
            return None
        return Outcome(cost=int(self.cost), remaining=self.remaining, operators=self.operators)

    def prune(self, f: float) -> None:
        """Note that a path of this f was cut off."""
        self.next_bound = min(self.next_bound, f)

    def found(self, path: list[tuple[Hashable, int]], operators: Iterable[int] = ()) -> None:
        """Note the solution along `path`: the keys of its states, and their g.

        `operators` are those of its steps, where the engine knows them.

        A loose bound (of a weighted search) may let a path pass a state twice: loops are left out.
        """
        kept = without_loops([key for key, _ in path])
        steps = {i: path[i][1] - path[i - 1][1] if i else 0 for i in kept}
        cost = sum(steps.values())
        if not self._is_as_good(cost):
            return
        self.solutions += 1
        self.operators = dict(zip((key for key, _ in path), operators, strict=False))
        for i, step in steps.items():
            cost -= step
            self.remaining[path[i][0]] = cost

    def _is_as_good(self, cost: float) -> bool:
        """Whether no solution so far costs less; those that cost more are forgotten."""
        if cost < self.cost:  # only an inadmissible heuristic finds a worse one first
            self.cost, self.solutions = cost, 0
            self.remaining.clear()
        return cost == self.cost

    def add(self, later: Round) -> None:
        """Note what was pruned and found after that, within the same bound."""
        self.prune(later.next_bound)
        if not later.solutions or not self._is_as_good(later.cost):
            return
        self.solutions += later.solutions
        self.operators = later.operators
        self.remaining.update(later.remaining)


DepthFirst = Callable[[Any, float, Round], Iterable[None]]
"""Tries all paths from a start, whose estimate is given, within the bound of a round."""
Roots = list[tuple[Any, float]]
"""The starts with their estimates."""


def deepen(
    task: Task,
    roots: Roots,
    depth_first: DepthFirst,
    sharper: Callable[[], Generator[None, None, Roots]] | None = None,
) -> Generator[None, None, Outcome]:
    """Raise the bound on f to the smallest value pruned, until a goal is within it.

    If a round prunes nothing, there is no solution. `sharper` may raise the estimates of states
    before a round, and gives the roots with theirs.

    With a weight, f is g + weight x h. If that goes beyond the cost limit, a last round without
    weight finds whether there is a solution within the limit.
    """
    counters = task.counters
    counters.generated += len(roots)
    weight: Fraction = getattr(task.algorithm, "weight", ONE)
    least = min((estimate for _, estimate in roots), default=INFINITY)
    bound = weighing(weight)(0, least)
    while bound < INFINITY:
        if sharper is not None:
            roots = yield from sharper()
            bound = max(bound, min((estimate for _, estimate in roots), default=INFINITY))
            if bound == INFINITY:
                break
        counters.prove(least_cost(bound, weight))
        if bound > weight.denominator * task.max_cost:
            if weight == ONE:
                return Outcome(cut=True)
            this = yield from _iteration(task, roots, depth_first, Round(task.max_cost))
            return this.outcome() or Outcome(cut=this.next_bound < INFINITY)
        this = yield from _iteration(task, roots, depth_first, Round(bound, weight))
        found = this.outcome()
        if found is not None:
            return found
        bound = this.next_bound
    return Outcome()


def _iteration(
    task: Task, roots: list[tuple[Any, float]], depth_first: DepthFirst, this: Round
) -> Generator[None, None, Round]:
    """Try all paths from the roots within the bound of `this` round, and note its row."""
    bound, scale, counters = this.bound, this.weight.denominator, task.counters
    expanded, generated, began = counters.expanded, counters.generated, search_clock()
    try:
        for start, estimate in roots:
            f = this.f(0, estimate)
            if f > bound:
                this.prune(f)
            elif this.solutions < task.max_solutions:
                yield from depth_first(start, estimate, this)
            if this.solutions and not task.every:
                break
    finally:
        row = Iteration(
            bound=bound if scale == 1 else bound / scale,
            expanded=counters.expanded - expanded,
            generated=counters.generated - generated,
            seconds=search_clock() - began,
        )
        counters.iterations.append(row)
    return this
