"""Weighted, anytime and greedy best-first search over packed states.

In the lists of A*: only the order of the buckets differs, and so weights can fall without looking
at the states in them. See `searchkit.reference.anytime` for what is proved, and for the sources.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from fractions import Fraction
from functools import cached_property
from typing import Self

import attrs

from searchkit.algorithms.weights import least_cost, weighing
from searchkit.compiled.best_first.astar import MOST_ORDER, NO_LIMIT, BestFirst
from searchkit.compiled.best_first.kernels.open_list import Info
from searchkit.compiled.best_first.kernels.order import Order
from searchkit.compiled.best_first.retrace import one_path
from searchkit.engines.anytime import is_enough, note_solution
from searchkit.errors import ProblemError
from searchkit.limits import LimitKind, Within
from searchkit.problem import INFINITY, name_of
from searchkit.running.task import Outcome, Task, aside


def weighted_best_first(task: Task) -> Generator[None, None, Outcome]:
    """Expand the open state of smallest g + weight x h until that is a goal; again with the next.

    Expands, generates and re-opens exactly the states that the reference engine does, in the
    same order. Memory as for A*.
    """
    return _Weighted.search(task)


def greedy_best_first(task: Task) -> Generator[None, None, Outcome]:
    """Expand the open state of smallest h, each state once at most, until it is a goal.

    Exactly the states that the reference engine expands, in the same order.
    """
    return _Greedy.search(task)


@attrs.define(eq=False, repr=False, slots=False)
class _Weighted(BestFirst):
    order = Order.BY_WEIGHT

    weight: Fraction = attrs.field(init=False)

    @classmethod
    def prepare(cls, task: Task) -> Self:
        engine = super().prepare(task)
        engine.open.info[Info.UPPER] = NO_LIMIT
        engine._weigh(task.algorithm.weights[0])
        engine._least_f(looked_up=True)
        return engine

    def _order_of(self, estimate: float) -> float:
        return weighing(self.weight)(0, estimate)

    def _too_heavy(self) -> ProblemError:
        return ProblemError(
            f"{name_of(self.task.problem)}: costs times the parts of the weight "
            f"{self.weight} above {MOST_ORDER} are too much for the compiled engine; take a weight "
            "of smaller parts, like 3/2, or engine='reference'"
        )

    def run(self) -> Generator[None, None, Outcome]:
        task = self.task
        found: Outcome | None = None
        with self._noting_bounds():
            for weight in task.algorithm.weights:
                if found is not None:
                    if is_enough(task, Within(ratio=weight)):
                        continue
                    self._weigh(weight)
                below = self.spec.word_of(weight.numerator * self._upper)
                if not (yield from self.until_goal(below - 1)):
                    self._prove(self._upper)
                    break
                path = one_path(task, self.spec, self.closed, self.goal())
                found = yield from aside(task, path)
                self._prove(self._least_f(looked_up=True))
                note_solution(task, found, weight=weight)
                if is_enough(task):
                    break
        return task.partial or Outcome(cut=bool(self.open.info[Info.CUT]))

    @contextmanager
    def _noting_bounds(self) -> Generator[None, None, None]:
        """If the search is stopped, note what the open list proves."""
        try:
            yield
        except (GeneratorExit, MemoryError, KeyboardInterrupt) as stopped:
            certain = not self.is_growing and not isinstance(stopped, KeyboardInterrupt)
            self._prove(self._least_f(looked_up=certain))
            raise

    @property
    def _upper(self) -> int:
        return int(self.open.info[Info.UPPER])

    def _weigh(self, weight: Fraction) -> None:
        """Put the open list in the order of another weight."""
        self.weight = weight
        if self.open.weigh(weight.denominator, weight.numerator) > MOST_ORDER:
            raise self._too_heavy()

    def _least_f(self, *, looked_up: bool) -> float:
        """The smallest g + h of an open state, or the g of the best goal: O(open states)."""
        least_f = self.spec.module.least_f
        found = least_f(self.closed.record, self.open.record, self.open.info, looked_up)
        return self.spec.number_of(found)

    def _prove(self, least: float) -> None:
        if least < NO_LIMIT:
            self.task.counters.prove(least)

    def _bound(self) -> float:
        return least_cost(self.spec.number_of(self.open.info[Info.BOUND]), self.weight)


@attrs.define(eq=False, repr=False, slots=False)
class _Greedy(BestFirst):
    order = Order.BY_H

    def run(self) -> Generator[None, None, Outcome]:
        if (yield from self.until_goal(self.spec.word_of(NO_LIMIT))):
            return (yield from one_path(self.task, self.spec, self.closed, self.goal()))
        return Outcome(gave_up=LimitKind.COST if self.open.info[Info.CUT] else None)

    def _bound(self) -> float:
        return self._least_start

    @cached_property
    def _least_start(self) -> float:
        estimates = [self.spec.heuristic(start) for start in self.task.starts]
        least = min(estimates, default=INFINITY)
        return least if least < INFINITY else 0
