"""Weighted A*, once or with falling weights as an anytime search: a loop around best-first search.

Pohl, "Heuristic search viewed as path finding in a graph" (1970); Hansen & Zhou, "Anytime
heuristic search" (2007), for what is pruned and proved after a solution; Likhachev, Gordon &
Thrun, "ARA*" (2003), for weights that fall while the lists are kept.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from fractions import Fraction

from searchkit.algorithms.weights import least_cost, weighing
from searchkit.capabilities import steps_into
from searchkit.engines.anytime import is_enough, note_solution
from searchkit.limits import Within
from searchkit.reference.best_first import BestFirst, Order
from searchkit.running.task import Outcome, Task


def by_weight(weight: Fraction) -> Order:
    """The order of g + weight x h."""
    return Order(weighing(weight), lambda order: least_cost(order, weight))


def weighted_a_star(task: Task) -> Generator[None, None, Outcome]:
    """Expand the open state of smallest g + weight x h until that is a goal; again with the next.

    Ties go to the smaller h, then to the state generated last. A closed state reached at a
    smaller g is re-opened, so that admissibility is enough for the bound: some state of an
    optimal solution is always open with its optimal g, so the smallest g + h of an open state is
    a lower bound, and the goal's g at most weight times that. After a solution, only states
    with g + h below its cost are kept. Time and memory as for A* in the worst case.
    """
    weights = task.algorithm.weights
    search = BestFirst(task, by_weight(weights[0]), every_parent=steps_into(task.problem) is None)
    search.begin()
    try:
        yield from _search(task, search, weights)
    except (GeneratorExit, KeyboardInterrupt):  # at a limit, before an expansion or amid that
        _prove(task, search.least_f())
        raise
    return task.partial or Outcome(cut=search.cut)


def _search(
    task: Task, search: BestFirst, weights: tuple[Fraction, ...]
) -> Generator[None, None, None]:
    """Search with one weight after another, leaving out those that promise nothing."""
    for weight in weights:
        if search.upper < math.inf:
            if is_enough(task, Within(ratio=weight)):
                continue
            search.reorder(by_weight(weight))
        found = yield from search.until_goal((weight.numerator * search.upper,))
        if found is None:
            _prove(task, search.upper)
            return
        search.upper, _, goal = found
        solution = search.best_path(goal)
        _prove(task, search.least_f())
        note_solution(task, solution, weight=weight)
        if is_enough(task):
            return


def _prove(task: Task, least: float) -> None:
    """Note that no solution costs less than `least`, which is infinite where nothing is open."""
    if least < math.inf:
        task.counters.prove(least)
