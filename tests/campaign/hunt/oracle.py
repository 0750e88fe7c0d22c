"""Explicit graphs, and what is true of them, by plain Python that shares nothing with searchkit.

A state is a number; its steps are (label, target, cost), in the order of the problem's successors.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

Edge = tuple[int, int, int]
"""Label, target, cost."""
Listed = tuple[int, tuple[int, ...]]
"""A solution: its start, and the labels of its steps."""


@dataclass(frozen=True)
class Graph:
    """A graph with starts and goals; labels of steps out of one state differ."""

    steps: tuple[tuple[Edge, ...], ...]
    starts: tuple[int, ...]
    goals: frozenset[int]

    @cached_property
    def distances(self) -> list[int | None]:
        """The cost from each state to the nearest goal, None if there is no way (Dijkstra)."""
        back: list[list[tuple[int, int]]] = [[] for _ in self.steps]
        for state, steps in enumerate(self.steps):
            for _, target, cost in steps:
                back[target].append((state, cost))
        found: list[int | None] = [None] * len(self.steps)
        queue = [(0, goal) for goal in self.goals]
        while queue:
            distance, state = heapq.heappop(queue)
            if found[state] is not None:
                continue
            found[state] = distance
            for before, cost in back[state]:
                if found[before] is None:
                    heapq.heappush(queue, (distance + cost, before))
        return found

    @cached_property
    def best(self) -> int | None:
        """The cost of an optimal solution, None if there is no solution."""
        known = [self.distances[start] for start in self.starts]
        return min((each for each in known if each is not None), default=None)

    @cached_property
    def count(self) -> int:
        """How many optimal solutions there are, as sequences of labels."""
        ways: dict[int, int] = {}
        for state in self._from_far_to_near():
            ways[state] = sum(ways[target] for _, target, _ in self._nearer(state))
            if state in self.goals:
                ways[state] = 1
        if self.best is None:
            return 0
        return sum(ways[start] for start in self._best_starts())

    def _from_far_to_near(self) -> list[int]:
        """The states with a way to a goal, each after all that its optimal steps lead to."""
        order: list[int] = []
        done: set[int] = set()
        for root, distance in enumerate(self.distances):
            stack = [] if distance is None else [(root, False)]
            while stack:
                state, is_left = stack.pop()
                if is_left:
                    order.append(state)
                elif state not in done:
                    done.add(state)
                    stack.append((state, True))
                    stack += [(target, False) for _, target, _ in self._nearer(state)]
        return order

    def _best_starts(self) -> list[int]:
        return [s for s in dict.fromkeys(self.starts) if self.distances[s] == self.best]

    def _nearer(self, state: int) -> list[Edge]:
        """The steps that lie on optimal ways."""
        here = self.distances[state]
        if state in self.goals or here is None:
            return []
        return [
            step
            for step in self.steps[state]
            if self.distances[step[1]] is not None and self.distances[step[1]] + step[2] == here
        ]

    def solutions(self) -> Iterator[Listed]:
        """The optimal solutions in the order of depth-first search."""
        if self.best is None:
            return
        for start in self._best_starts():
            labels: list[int] = []
            stack = [iter(self._nearer(start))]
            if start in self.goals:
                yield start, ()
            while stack:
                step = next(stack[-1], None)
                if step is None:
                    stack.pop()
                    if labels:
                        labels.pop()
                    continue
                labels.append(step[0])
                if step[1] in self.goals:
                    yield start, tuple(labels)
                    labels.pop()
                else:
                    stack.append(iter(self._nearer(step[1])))

    def replay(self, start: int, labels: Sequence[int]) -> tuple[int, list[int]]:
        """The cost and the states of a solution; `ValueError` if it is none."""
        if start not in self.starts:
            raise ValueError(f"{start} is not a start")
        total, states = 0, [start]
        for number, label in enumerate(labels):
            if states[-1] in self.goals:
                raise ValueError(f"it goes on after a goal, at step {number}")
            step = next((each for each in self.steps[states[-1]] if each[0] == label), None)
            if step is None:
                raise ValueError(f"step {number}, {label}, is not there at state {states[-1]}")
            total += step[2]
            states.append(step[1])
        if states[-1] not in self.goals:
            raise ValueError(f"it ends at {states[-1]}, which is not a goal")
        return total, states

    def reached(self, roots: Iterable[int], *, backward: bool = False) -> list[set[int]]:
        """The layers of states by number of steps from `roots`, or to them."""
        following: list[list[int]] = [[] for _ in self.steps]
        for state, steps in enumerate(self.steps):
            for _, target, _ in steps:
                if backward:
                    following[target].append(state)
                else:
                    following[state].append(target)
        layers = [set(roots)]
        seen = set(layers[0])
        while layers[-1]:
            found = {target for state in layers[-1] for target in following[state]} - seen
            seen |= found
            layers.append(found)
        return layers[:-1]


@dataclass
class Wrong(Exception):  # noqa: N818  (what it is)
    """What was found to be wrong, in one line, and more lines about it."""

    text: str
    more: dict[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text
