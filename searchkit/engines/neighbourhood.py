"""Shorter solutions from one that is known, by what lies around it.

Nakhost and Muller, "Action elimination and plan neighborhood graph search" (2010).
"""

from __future__ import annotations

from collections.abc import Generator, Hashable, Sequence
from heapq import heappop, heappush
from typing import Any

import attrs

from searchkit.engines.anytime import note_solution
from searchkit.later import instances
from searchkit.premises.asking import truth
from searchkit.problem import Problem
from searchkit.running.task import Run, Task, aside, legal_cost
from searchkit.solutions.from_parents import along

FIRST_ROUND = 2_000
"""How many states are expanded around a solution at first; twice as many where that is in vain."""
PAUSE_EVERY = 4_096

is_translated = instances("searchkit.translation.problem:Translated")
"""Whether a problem is machine code made of plain rules."""
Way = Sequence[Any]
"""The states of a solution, from a start to a goal."""


@attrs.define(eq=False, repr=False)
class Rules:
    """The rules of a search as their author wrote them, also beside machine code made of them."""

    task: Task
    problem: Problem[Any, Any] = attrs.field(init=False)
    starts: Sequence[Any] = attrs.field(init=False)
    _translated: Any = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        problem: Any = self.task.problem
        self._translated = problem if is_translated(problem) else None
        self.problem = problem if self._translated is None else problem.author
        self.starts = self.task.starts if self._translated is None else problem.starts

    def note(self, way: Way) -> None:
        """Note a solution along the author's states, if it is better than the last."""
        states = way if self._translated is None else map(self._translated.packed_state, way)
        found = along(self.task, list(map(self.task.problem.key, states)))
        if found.cost is not None and found.cost <= self.task.max_cost:
            note_solution(self.task, found)


def shorter_ways(rules: Rules, way: Way) -> Generator[None, None, None]:
    """Note cheaper and cheaper solutions around one.

    Ends when all that can be reached was looked at. Memory O(states of the last round).
    """
    run, most, cost = rules.task, FIRST_ROUND, None
    while True:
        around = _Around(run, rules.problem, rules.starts)
        yield from around.expand(way, most)
        found, less = yield from aside(run, around.cheapest())
        if cost is None or less < cost:
            way, cost = found, less
            rules.note(way)
        elif around.is_whole:
            return
        else:
            most *= 2


@attrs.define(eq=False, repr=False)
class _Around:
    """The states nearest to a way, and the steps between them."""

    run: Run
    rules: Problem[Any, Any]
    starts: Sequence[Any]
    steps: dict[Hashable, list[tuple[Hashable, int]]] = attrs.field(factory=dict, init=False)
    """Of the expanded states."""
    states: dict[Hashable, Any] = attrs.field(factory=dict, init=False)
    goals: set[Hashable] = attrs.field(factory=set, init=False)
    is_whole: bool = attrs.field(default=False, init=False)

    def expand(self, way: Way, most: int) -> Generator[None, None, None]:
        """Expand the states on the way, and then what is nearest to them, `most` in all."""
        run, rules, states, counters = self.run, self.rules, self.states, self.run.counters
        listed, key_of = run.lister(counting=False), rules.key
        states.update((key_of(each), each) for each in (*way, *self.starts))
        self.goals.update(
            key for key, each in states.items() if truth(rules, each, rules.is_goal(each))
        )
        counters.containers = (states, self.steps)
        layer = [key for key in states if key not in self.goals]
        while layer and len(self.steps) < max(most, len(way)):
            fresh: list[Hashable] = []
            for key in layer:
                if len(self.steps) >= max(most, len(way)):
                    return
                if counters.expanded >= run.pause_at:
                    yield
                counters.expanded += 1
                steps = self.steps[key] = []
                for action, child, cost in listed(rules.successors(states[key])):
                    counters.generated += 1
                    into = key_of(child)
                    steps.append((into, legal_cost(rules, action, cost)))
                    if into not in states:
                        states[into] = child
                        if truth(rules, child, rules.is_goal(child)):
                            self.goals.add(into)
                        else:
                            fresh.append(into)
                counters.holding(len(states))
            layer = fresh
        self.is_whole = not layer

    def cheapest(self) -> Generator[None, None, tuple[Way, int]]:
        """The cheapest way to a goal by these steps, and its cost (Dijkstra 1959)."""
        known: dict[Hashable, int] = dict.fromkeys(map(self.rules.key, self.starts), 0)
        parents: dict[Hashable, Hashable] = {}
        queue = [(0, number, key) for number, key in enumerate(known)]
        closed: set[Hashable] = set()
        while queue:
            g, _, key = heappop(queue)
            if key in closed:
                continue
            if key in self.goals:
                break
            closed.add(key)
            if len(closed) % PAUSE_EVERY == 0:
                yield
            for into, cost in self.steps.get(key, ()):
                if into not in known or g + cost < known[into]:
                    known[into], parents[into] = g + cost, key
                    heappush(queue, (g + cost, len(known), into))
        keys = [key]
        while keys[-1] in parents:
            keys.append(parents[keys[-1]])
        return [self.states[each] for each in reversed(keys)], g
