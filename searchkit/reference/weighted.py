"""Weighted A*, once or with falling weights as an anytime search.

Pohl, "Heuristic search viewed as path finding in a graph" (1970); Hansen & Zhou, "Anytime
heuristic search" (2007), for what is pruned and proved after a solution; Likhachev, Gordon &
Thrun, "ARA*" (2003), for weights that fall while the lists are kept.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Hashable
from heapq import heapify, heappop, heappush
from typing import Any

import attrs

from searchkit.algorithms.weights import least_cost, order_of
from searchkit.reference.astar import FINITE, best_path, known_by
from searchkit.running.anytime import is_proved, note_solution
from searchkit.running.making import search_clock
from searchkit.running.task import LOOK_EVERY, Counters, Outcome, Task
from searchkit.solutions.best_path import steps_into

Entry = tuple[float, float, int, int, Hashable, Any]
"""The order by weight, h, minus the number of generated states, g, key, state."""


def weighted_a_star(task: Task) -> Generator[None, None, Outcome]:
    """Expand the open state of smallest g + weight x h until that is a goal; again with the next.

    Ties go to the smaller h, then to the state generated last. A closed state reached at a
    smaller g is re-opened, so that admissibility is enough for the bound: some state of an
    optimal solution is always open with its optimal g, so the smallest g + h of an open state is
    a lower bound, and the goal's g at most weight times that. After a solution, only states
    with g + h below its cost are kept. Time and memory as for A* in the worst case.
    """
    search = _Search(task)
    search.begin()
    try:
        yield from search.run()
    except GeneratorExit:  # at a limit, before the state at hand is expanded, or amid that
        search.prove(search.least_f())
        raise
    except KeyboardInterrupt:  # anywhere
        search.prove(search.looked_up)
        raise
    return task.partial or Outcome(cut=search.cut)


@attrs.define
class _Search:
    """The lists of a search, what is at hand, and what is proved."""

    task: Task
    open_list: list[Entry] = attrs.field(factory=list)
    best_g: dict[Hashable, int] = attrs.field(factory=dict)
    parents: dict[Hashable, Any] = attrs.field(factory=dict)
    closed: set[Hashable] = attrs.field(factory=set)
    cut: bool = False
    upper: float = math.inf
    """The g of the goal of the best solution."""
    at_hand: float = math.inf
    """g + h of the state that is out of the open list."""
    looked_up: float = 0
    """The smallest g + h at some time before."""
    began: float = attrs.field(factory=search_clock)

    @property
    def counters(self) -> Counters:
        return self.task.counters

    def begin(self) -> None:
        """Put the starts into the lists."""
        task, counters = self.task, self.counters
        most = min(task.max_cost, FINITE)
        weight = task.algorithm.weights[0]
        counters.containers = (self.open_list, self.best_g, self.parents, self.closed)
        for start in task.starts:
            counters.generated += 1
            key, estimate = task.problem.key(start), task.estimate(start)
            self.best_g[key] = 0
            self.parents[key] = []
            if estimate <= most:
                order = order_of(weight, 0, estimate)
                heappush(self.open_list, (order, estimate, -counters.generated, 0, key, start))
            else:
                self.cut = task.is_cut(estimate) or self.cut
        counters.waiting(len(self.open_list))
        counters.holding(len(self.best_g))

    def run(self) -> Generator[None, None, None]:
        """Search with one weight after another, leaving out those that promise nothing."""
        task = self.task
        for weight in task.algorithm.weights:
            if self.upper < math.inf:
                if is_proved(task, weight):
                    continue
                self._weigh_again(weight)
            goal = yield from self._until_goal(weight)
            if goal is None:
                self.prove(self.upper)
                return
            self.upper = self.best_g[task.problem.key(goal[0])]
            known = known_by(task.problem, self.best_g, self.closed)
            found = best_path(task, goal[0], known, self.parents)
            self.prove(self.least_f())
            note_solution(task, found, weight, search_clock() - self.began)

    def _until_goal(self, weight: Any) -> Generator[None, None, tuple[Any] | None]:
        """Expand states until a goal comes first: it; None if no state can lead to a better one."""
        task, counters, open_list = self.task, self.counters, self.open_list
        problem, h = task.problem, task.heuristic
        successors, is_goal, key_of = problem.successors, problem.is_goal, problem.key
        after, legal_costs = h.after, task.legal_costs
        best_g, parents, closed, upper = self.best_g, self.parents, self.closed, self.upper
        numerator, denominator = weight.numerator, weight.denominator
        every_parent = steps_into(problem) is None
        most = min(task.max_cost, FINITE)
        look = counters.expanded
        while open_list and open_list[0][0] < numerator * upper:
            order, estimate, _, g, parent, state = heappop(open_list)
            if g > best_g[parent] or g + estimate >= upper:
                continue  # reached more cheaply since, or no better than the solution
            self.at_hand = g + estimate
            counters.lower_bound = max(counters.lower_bound, least_cost(order, weight))
            if is_goal(state):
                closed.add(parent)
                self.at_hand = math.inf
                return (state,)
            if counters.expanded >= look:  # seldom enough to take a small part of the time
                self.looked_up = self.least_f()
                look = counters.expanded + len(open_list) + LOOK_EVERY
            yield
            closed.add(parent)
            counters.expanded += 1
            for step in successors(state):
                action, child, cost = step
                if cost.__class__ is not int or cost not in legal_costs:
                    cost = task.legal_cost(action, cost)
                counters.generated += 1
                if counters.generated % LOOK_EVERY == 0:
                    counters.holding(len(best_g))
                    yield
                key = key_of(child)
                child_g = g + cost
                known = best_g.get(key)
                if known is not None and child_g >= known:
                    if every_parent and child_g == known and parent not in parents[key]:
                        parents[key].append(parent)
                    continue
                child_h = after(estimate, state, step)
                if child_h.__class__ is not int or child_h < 0:
                    child_h = task.plain_estimate(child_h, child)
                f = child_g + child_h
                if not f <= most:
                    self.cut = task.is_cut(f) or self.cut
                    continue
                if f >= upper:
                    continue
                best_g[key] = child_g
                parents[key] = [parent] if every_parent else parent
                if key in closed:
                    closed.discard(key)
                    counters.reopened += 1
                order = denominator * child_g + numerator * child_h
                heappush(open_list, (order, child_h, -counters.generated, child_g, key, child))
            self.at_hand = math.inf
            counters.waiting(len(open_list))
            counters.holding(len(best_g))
        return None

    def _weigh_again(self, weight: Any) -> None:
        """Put the open list in the order of another weight."""
        self.open_list[:] = [
            (order_of(weight, entry[3], entry[1]), *entry[1:]) for entry in self.open_list
        ]
        heapify(self.open_list)

    def least_f(self) -> float:
        """The smallest g + h of an open state and the one at hand: no better solution costs less.

        O(open states). Entries left from before a state was reached more cheaply do not count.
        """
        least = min(self.at_hand, self.upper)
        for _, estimate, _, g, key, _ in self.open_list:
            if g + estimate < least and g == self.best_g[key]:
                least = g + estimate
        return least

    def prove(self, least: float) -> None:
        """Note that no solution costs less than `least`."""
        if least < math.inf:
            self.counters.prove(least)
