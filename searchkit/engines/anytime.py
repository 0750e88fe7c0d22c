"""What a search notes of its solutions while it looks for better ones."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from searchkit.limits import Within
from searchkit.result import Improvement
from searchkit.running.making import search_clock
from searchkit.running.task import Outcome, Task

if TYPE_CHECKING:
    from fractions import Fraction


def note_solution(
    task: Task,
    found: Outcome,
    *,
    weight: Fraction | None = None,
    width: int | None = None,
    is_listed: bool = False,
) -> None:
    """Keep a solution, found with a weight or a width, as `task.partial` if it is the best so far.

    The lower bound of the counters must be up to date. The improvements of an anytime search list
    it, or, with `is_listed`, those of any.
    """
    counters = task.counters
    assert found.cost is not None
    if best_cost(task) <= found.cost:
        return
    task.partial = found
    # Above the cost only by an inadmissible heuristic.
    counters.lower_bound = min(counters.lower_bound, found.cost)
    improvement = Improvement(
        weight=weight,
        width=width,
        cost=found.cost,
        lower_bound=counters.lower_bound,
        expanded=counters.expanded,
        seconds=search_clock() - task.began,
    )
    if is_listed or task.algorithm.anytime:
        counters.improvements.append(improvement)
    task.tell(found, improvement)


def best_cost(task: Task) -> float:
    """The cost of the best solution so far, infinite without one."""
    best = task.partial
    return math.inf if best is None or best.cost is None else best.cost


def is_enough(task: Task, within: Within | None = None) -> bool:
    """Whether the best solution is as good as that, or as was asked for, by what is proved."""
    cost = best_cost(task)
    return cost < math.inf and (within or task.within).holds(cost, task.counters.lower_bound)
