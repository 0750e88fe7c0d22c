"""A search that shares nothing with the engines, to prove again what a document claims.

Uniform-cost search by the slow rules of the problem, written to be plain: it knows no heuristic, no
symmetry and no packed states, and counts the optimal solutions along the cheapest steps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from heapq import heappop, heappush
from itertools import count
from operator import index
from typing import Any

import attrs

from searchkit.problem import Problem

TELL_EVERY = 1000


@attrs.frozen
class Proved:
    """What the search has found out: all of it, or that `max_expansions` were too few.

    `cost` is None if no solution costs at most what was asked for. `first` are the numbers of
    optimal solutions by their first action, as text; "" stands for a start that is a goal.
    """

    expanded: int
    finished: bool
    cost: int | None = None
    first: Counter[str] = attrs.field(factory=Counter)

    @property
    def count(self) -> int:
        """The number of optimal solutions."""
        return self.first.total()


def search_again(
    rules: Problem[Any, Any],
    most: float,
    *,
    max_expansions: int,
    listener: Callable[[int], None] | None = None,
) -> Proved:
    """The least cost of a solution, if it is at most `most`, and how many solutions have it.

    Expands every state that is nearer than that, and those as far that steps of no cost lead
    on from: O(states x branching), in plain Python.
    """
    key, tie = rules.key, count()
    distance: dict[Hashable, int] = {}
    before: dict[Hashable, list[tuple[Hashable, int]]] = {}
    firsts: list[tuple[str, Hashable, int]] = []
    goals: dict[Hashable, int] = {}
    best = most
    queue: list[tuple[int, int, Any]] = [(0, next(tie), s) for s in rules.initial_states()]
    starts = {key(start): start for _, _, start in queue}
    while queue:
        cost, _, state = heappop(queue)
        here = key(state)
        if cost > best:
            break
        if here in distance:
            continue
        distance[here] = cost
        if rules.is_goal(state):
            goals[here] = best = cost
            continue
        if cost == best and rules.costs.value == "unit":
            continue
        if len(distance) > max_expansions:
            return Proved(len(distance), finished=False)
        if listener is not None and len(distance) % TELL_EVERY == 0:
            listener(len(distance))
        for action, after, paid in map(tuple, rules.successors(state)):
            price = index(paid)
            to = key(after)
            if cost + price <= best:
                before.setdefault(to, []).append((here, cost + price))
                if here in starts:
                    firsts.append((rules.format_action(action), to, price))
                heappush(queue, (cost + price, next(tie), after))
    if not goals:
        return Proved(len(distance), finished=True)
    ways = _ways_on(distance, before, [goal for goal, cost in goals.items() if cost == best])
    first = Counter({"": sum(goal in starts for goal in goals)})
    for text, to, price in firsts:
        if distance.get(to) == price:
            first[text] += ways[to]
    return Proved(len(distance), finished=True, cost=int(best), first=+first)


def _ways_on(
    distance: dict[Hashable, int],
    before: dict[Hashable, list[tuple[Hashable, int]]],
    goals: list[Hashable],
) -> Counter[Hashable]:
    """How many cheapest ways lead from each state to the goals; no circle costs nothing."""
    tight = {
        to: [at for at, cost in steps if distance.get(to) == cost] for to, steps in before.items()
    }
    useful, stack = set(goals), list(goals)
    waiting: Counter[Hashable] = Counter()
    while stack:
        for at in tight.get(stack.pop(), ()):
            waiting[at] += 1
            if at not in useful:
                useful.add(at)
                stack.append(at)
    ways: Counter[Hashable] = Counter(dict.fromkeys(goals, 1))
    ready = [goal for goal in goals if not waiting[goal]]
    while ready:
        to = ready.pop()
        for at in tight.get(to, ()):
            ways[at] += ways[to]
            waiting[at] -= 1
            if not waiting[at]:
                ready.append(at)
    return ways
