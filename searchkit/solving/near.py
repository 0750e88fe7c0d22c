"""All solutions within a slack, and the cheapest ones: an optimal one, and what is near it."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from searchkit.engines.around import collecting
from searchkit.limits import Limits, ProgressListener
from searchkit.premises.asking import starts_of
from searchkit.problem import Problem
from searchkit.result import SearchResult, Statistics, Status
from searchkit.running.driver import Driver, Ended
from searchkit.running.reservoir import Reservoir
from searchkit.running.task import Task
from searchkit.solutions.near_optimal import Around, NearOptimal

if TYPE_CHECKING:
    from searchkit.heuristic import Heuristic

T = TypeVar("T")


def _below(cost: float) -> float:
    """The largest integer below, for costs are integers, and estimates need not be."""
    return cost if cost == math.inf else math.ceil(cost) - 1


@attrs.define(eq=False, repr=False, kw_only=True)
class NearSearch:
    """Looks around an optimal solution for those that cost up to `limits.within` more."""

    problem: Problem[Any, Any]
    heuristic: Heuristic[Any, Any]
    limits: Limits
    most: float
    """How many solutions are wanted at most."""
    progress: ProgressListener | None
    statistics: Statistics

    def result(self, found: SearchResult[Any, Any]) -> SearchResult[Any, Any]:
        """The result with these solutions, where `found` is that of a search for an optimal one.

        A search that is stopped has those that it has counted.
        """
        within, cost = self.limits.within, found.cost
        if cost is None or not found.optimal:
            return attrs.evolve(found, count=0 if cost is None else 1)
        starts = starts_of(self.problem)
        most_cost = math.inf if self.limits.cost is None else self.limits.cost
        bound, growth = min(most_cost, within.most(cost)), 0
        if within.is_any:
            bound = cost
        while True:
            ended = self._run(collecting(bound), starts)
            around: Around | None = ended.outcome
            if around is None:
                return self._stopped(found, ended)
            if around.doubt is not None:
                found = attrs.evolve(found, overestimate=around.doubt, optimal=False, lower_bound=0)
            # All that costs less than the least that was left out is there.
            listed = min(most_cost, _below(around.beyond)) if within.is_any else bound
            near = NearOptimal(self.problem, starts, around, cost, listed, self.most)
            counted = self._run(near.counting, starts)
            count = near.counted
            if count > (found.count or 0):
                known = attrs.evolve(near, most=count) if counted.outcome is None else near
                found = attrs.evolve(found, solutions=known, count=count, near=within)
            if counted.outcome is None:
                return self._stopped(found, counted)
            is_all = not within.is_any or around.beyond > most_cost or around.beyond == math.inf
            if is_all or count >= self.most or around.doubt is not None:
                break
            bound, growth = min(most_cost, max(around.beyond, bound + growth)), 2 * growth + 1
        is_whole = count < self.most and around.doubt is None and most_cost >= within.most(cost)
        return attrs.evolve(found, complete=is_whole, statistics=self.statistics)

    def _stopped(self, found: SearchResult[Any, Any], ended: Ended[Any]) -> SearchResult[Any, Any]:
        is_limit = ended.limit is not None
        return attrs.evolve(
            found,
            status=Status.LIMIT if is_limit else Status.INTERRUPTED,
            limit=ended.limit,
            unfinished=ended.unfinished,
            count=found.count or 1,
            complete=False,
            statistics=self.statistics,
        )

    def _run(
        self, engine: Callable[[Any], Generator[None, None, T]], starts: tuple[Any, ...]
    ) -> Ended[T]:
        """What `engine` does within what is left of the limits; its work is added up."""
        left = self.limits.less(self.statistics.seconds, self.statistics.expanded)
        task = Task(
            problem=self.problem, algorithm=None, heuristic=self.heuristic, starts=starts,
            reservoir=Reservoir(due=1 << 62),
        )  # fmt: skip
        ended = Driver[T](task, left, self.progress).run(engine)
        self.statistics = self.statistics.and_of(ended.statistics)
        return ended
