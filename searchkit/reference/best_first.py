"""Best-first search: one loop, which the order of the open list makes A*, uniform-cost or greedy.

Hart, Nilsson & Raphael, "A formal basis for the heuristic determination of minimum cost
paths" (1968); Dijkstra, "A note on two problems in connexion with graphs" (1959): A* with
h = 0; Doran & Michie, "Experiments with the graph traverser" (1966): greedy search.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Generator, Hashable, Iterable
from heapq import heapify, heappop, heappush, nlargest
from typing import Any

import attrs

from searchkit.capabilities import steps_into
from searchkit.limits import LimitKind
from searchkit.premises.asking import truth
from searchkit.reference.textbook import textbook
from searchkit.running.reservoir import Lists
from searchkit.running.task import ONE, Outcome, Task
from searchkit.solutions.by_g_values import best_path, known_by
from searchkit.solutions.from_parents import trace_back

FINITE = sys.float_info.max
SMALL = 1 << 29
"""Below it, and the limits, numbers are compared with one machine word."""
ANY = (math.inf,)
"""Above every entry of an open list."""

Entry = tuple[float, float, int, int, Hashable, Any]
"""The order, h, minus the number of entries before, g, key, state."""


@attrs.frozen(eq=False, repr=False)
class Order:
    """What is expanded first: the smallest `of` g and h, then of h, then what was generated last.

    `proves` gives a lower bound on the cost of solutions from the smallest order. Where a state
    is never opened again, though it be reached at a smaller g, `reopens` is false.
    """

    of: Callable[[int, float], float]
    proves: Callable[[float], float]
    reopens: bool = True


BY_F = Order(operator.add, lambda f: f)
BY_H = Order(lambda g, h: h, lambda h: 0, reopens=False)


def a_star(task: Task) -> Generator[None, None, Outcome]:
    """Expand the open state of smallest f = g + h until that is a goal.

    Ties go to the smaller h, then to the state generated last. The goal is tested on
    expansion. A closed state reached at a smaller g is re-opened, so admissibility is enough
    for optimality. Time O(n log n) and memory O(n) for n states with f up to the optimal
    cost; an inconsistent heuristic can make re-openings exponential (Martelli 1977).
    """
    if task.algorithm.is_textbook:
        return (yield from textbook(task))
    search = BestFirst(task, BY_F, every_parent=task.every or steps_into(task.problem) is None)
    search.begin()
    goals: list[Hashable] = []
    bound, first = -1, None
    limit: tuple[float, ...] = ANY
    while (found := (yield from search.until_goal(limit))) is not None:
        g, key, state = found
        if not goals or g < bound:  # cheaper only if the heuristic was inadmissible
            bound, goals, first = g, [], state
        if not task.every:
            return search.best_path(state)
        goals.append(key)
        task.partial = task.partial or search.best_path(first)
        limit = (bound, math.inf)  # up to this f there may be more
    if not goals:
        return Outcome(cut=search.cut)
    remaining = trace_back(goals, search.parents_of, lambda key: bound - search.best_g[key])
    return Outcome(cost=bound, remaining=remaining)


def greedy(task: Task) -> Generator[None, None, Outcome]:
    """Expand the open state of smallest h, the one generated last among equals, until it is a goal.

    A state that has been met is never put on the open list again, so each is expanded once at
    most, and the search ends in every finite space. Nothing is proved of the cost but that it
    is at least the smallest h of a start. Time O(n log n) and memory O(n) for n states.
    """
    if task.algorithm.is_textbook:
        return (yield from textbook(task))
    search = BestFirst(task, BY_H, every_parent=steps_into(task.problem) is None)
    least = min(search.begin(), default=0)
    task.counters.prove(least if least < FINITE else 0)
    found = yield from search.until_goal()
    if found is None:
        if not search.cut:  # then all steps lead to what was met, at whatever cost
            met = search.best_g
            task.reservoir.lists = (
                Lists(
                    lambda key: 0 if key in met else None,
                    search.closed.__contains__,
                    states=search.own_states,
                ),
            )
        return Outcome(gave_up=LimitKind.COST if search.cut else None)
    return search.best_path(found[2])


@attrs.define(eq=False, repr=False)
class BestFirst:
    """The open and the closed list of a search, and its loop."""

    task: Task
    order: Order
    every_parent: bool = False
    """Whether to keep all parents from which a state has its g, and not only the first."""
    open_list: list[Entry] = attrs.field(factory=list)
    best_g: dict[Hashable, int] = attrs.field(factory=dict)
    parents: dict[Hashable, Any] = attrs.field(factory=dict)
    """The key of the parent, or a list of keys, of which a start has none."""
    closed: set[Hashable] = attrs.field(factory=set)
    number: int = 0
    """Minus the number of entries that the open list ever had."""
    cut: bool = False
    """Whether a path was cut off at the cost limit."""
    upper: float = math.inf
    """The cost of a solution; what cannot lead to a cheaper one is left out."""
    at_hand: Entry | None = None
    """What has left the open list, and is not expanded in full."""

    def begin(self) -> list[float]:
        """Put the starts into the lists; their estimates."""
        task, counters = self.task, self.task.counters
        counters.containers = (self.open_list, self.best_g, self.parents, self.closed)
        if self.order.reopens:
            task.reservoir.lists = (
                Lists(
                    self.best_g.get,
                    self.closed.__contains__,
                    states=self.own_states,
                    open_states=self.largest_open,
                ),
            )
        estimates = []
        for start in task.starts:
            counters.generated += 1
            key, h = task.problem.key(start), task.estimate(start)
            estimates.append(h)
            self.best_g[key], self.parents[key] = 0, []
            if h <= min(task.max_cost, FINITE):
                self.number -= 1
                entry = (self.order.of(0, h), h, self.number, 0, key, start)
                heappush(self.open_list, entry)
            else:
                self.cut = task.is_cut(h) or self.cut
        counters.note(len(self.open_list), len(self.best_g))
        return estimates

    def until_goal(
        self, limit: tuple[float, ...] = ANY
    ) -> Generator[None, None, tuple[int, Hashable, Any] | None]:
        """Expand states until a goal comes first: its g, key and state.

        None where the open list has no entry below `limit`.
        """
        task, counters, open_list, upper = self.task, self.task.counters, self.open_list, self.upper
        best_g, parents, closed, every_parent = (
            self.best_g, self.parents, self.closed, self.every_parent
        )  # fmt: skip
        is_goal, key_of, after = task.problem.is_goal, task.key_of, task.heuristic.after
        successors, listed, estimate = task.successors, task.lister(), task.from_scratch()
        legal_costs = task.legal_costs
        order_of, proves, reopens = self.order.of, self.order.proves, self.order.reopens
        by_f = self.order is BY_F
        most = min(task.max_cost, FINITE)  # a dead end is beyond it, whatever the limit
        surely = int(min(most, upper, SMALL))
        smallest, number, most_open = None, self.number, counters.max_frontier
        while open_list and open_list[0] < limit:
            self.at_hand = open_list[0]
            order, h, _, g, parent, state = heappop(open_list)
            if g != best_g[parent] or g + h >= upper:
                continue  # expanded by a cheaper entry, or no better than the solution
            if order != smallest:
                smallest = order
                counters.prove(proves(order))
            is_end = is_goal(state)
            if is_end is not False and truth(task.problem, state, is_end):
                closed.add(parent)
                self.at_hand = None
                return g, parent, state
            if counters.expanded >= task.pause_at:
                task.at_hand = state
                yield
            closed.add(parent)
            counters.expanded += 1
            steps = successors(state)
            if steps.__class__ is not list:
                steps = listed(steps)
            counters.generated += len(steps)
            for step in steps:
                action, child, cost = step
                if cost is not ONE and (cost.__class__ is not int or cost not in legal_costs):
                    cost = task.legal_cost(action, cost)
                key = child if key_of is None else key_of(child)
                child_g = g + cost
                known = best_g.get(key)
                if known is not None and (child_g >= known or not reopens):
                    if every_parent and child_g == known:
                        self._add_parent(key, parent)
                    continue
                child_h = after(h, state, step) if estimate is None else estimate(child)
                if child_h.__class__ is not int or child_h < 0:
                    child_h = task.plain_estimate(child_h, child)
                f = child_g + child_h
                if not f < surely:
                    if not f <= most:
                        self.cut = task.is_cut(f) or self.cut
                        continue
                    if f >= upper:
                        continue
                best_g[key], parents[key] = child_g, parent
                if known is not None and key in closed:
                    closed.discard(key)
                    counters.reopened += 1
                number -= 1
                order = f if by_f else order_of(child_g, child_h)
                heappush(open_list, (order, child_h, number, child_g, key, child))
            self.number = number
            frontier = counters.frontier = len(open_list)
            if frontier > most_open:
                most_open = counters.max_frontier = frontier
            counters.stored = counters.peak_stored = len(best_g)
        self.at_hand = None
        return None

    def _add_parent(self, key: Hashable, parent: Hashable) -> None:
        found = self.parents[key]
        if found.__class__ is not list:  # which no key is, for lists have no hash
            found = self.parents[key] = [found]
        if parent not in found:
            found.append(parent)

    @property
    def own_states(self) -> Callable[[], Iterable[Any]] | None:
        """Gives the states that were expanded, where their keys are themselves."""
        return (lambda: self.closed) if self.task.key_of is None else None

    def largest_open(self, count: int) -> list[tuple[Any, int, float]]:
        """Open states of the largest f, each with its g and h. O(open states)."""
        found = nlargest(count, self.open_list, key=lambda entry: entry[3] + entry[1])
        return [(state, g, h) for _, h, _, g, key, state in found if g == self.best_g[key]]

    def parents_of(self, key: Hashable) -> Iterable[Hashable]:
        """The keys of the expanded states from which a state has its g."""
        found = self.parents[key]
        return found if found.__class__ is list else [found]

    def best_path(self, goal: Any) -> Outcome:
        """The solution to `goal` that every engine finds; see `searchkit.solutions.by_g_values`."""
        known = known_by(self.task.problem, self.best_g, self.closed)
        return best_path(self.task, goal, known, self.parents_of)

    def reorder(self, order: Order) -> None:
        """Put the open list into another order."""
        self.order = order
        self.open_list[:] = [(order.of(entry[3], entry[1]), *entry[1:]) for entry in self.open_list]
        heapify(self.open_list)

    def least_f(self) -> float:
        """The smallest g + h of an open state and the one at hand: no better solution costs less.

        O(open states). Entries left from before a state was reached more cheaply do not count.
        """
        waiting = self.open_list if self.at_hand is None else [self.at_hand, *self.open_list]
        least = (g + h for _, h, _, g, key, _ in waiting if g == self.best_g[key])
        return min(self.upper, min(least, default=math.inf))
