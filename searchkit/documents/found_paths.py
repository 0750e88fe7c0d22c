"""What solutions that were replayed say about each other: a shorter way, or one that is missing.

Nothing is searched: only the states of the solutions are looked at, each once. What is found is
replayed before it is used, so that it is a proof.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import count
from operator import index
from typing import Any

import attrs

from searchkit.problem import Problem
from searchkit.result import Solution

MOST_TRIED = 1000
"""The most ways put together from the solutions that are replayed."""


@attrs.frozen
class _Edge:
    action: Any
    to: Hashable
    cost: int
    ends: bool
    """Whether it leads to a goal."""


@attrs.define
class FoundPaths:
    """The states of solutions and all steps between them, by the keys of the states."""

    rules: Problem[Any, Any]
    starts: dict[Hashable, Any] = attrs.field(factory=dict, init=False)
    _states: dict[Hashable, Any] = attrs.field(factory=dict, init=False)
    _goals: set[Hashable] = attrs.field(factory=set, init=False)
    _edges: dict[Hashable, list[_Edge]] | None = attrs.field(default=None, init=False)

    def add(self, solution: Solution[Any, Any]) -> None:
        """Take the states of a solution, which has been replayed."""
        key = self.rules.key
        states = solution.states
        for state in states[:-1]:
            self._states.setdefault(key(state), state)
        self._goals.add(key(states[-1]))
        self.starts.setdefault(key(states[0]), states[0])
        self._edges = None

    def edges(self) -> dict[Hashable, list[_Edge]]:
        """The steps from each state to others, and to goals. O(states x branching)."""
        if self._edges is None:
            self._edges = {key: list(self._from(state)) for key, state in self._states.items()}
        return self._edges

    def _from(self, state: Any) -> Iterator[_Edge]:
        for action, after, cost in map(tuple, self.rules.successors(state)):
            key = self.rules.key(after)
            if key in self._states:
                yield _Edge(action, key, index(cost), ends=False)
            elif key in self._goals or self.rules.is_goal(after):
                yield _Edge(action, key, index(cost), ends=True)

    def cheapest(self) -> tuple[int, list[Any]] | None:
        """The cost and the actions of the cheapest way that these states show. O(n log n)."""
        edges, tie = self.edges(), count()
        queue: list[tuple[int, int, Hashable, bool]] = [
            (0, next(tie), key, key in self._goals) for key in self.starts
        ]
        best: dict[Hashable, int] = dict.fromkeys(self.starts, 0)
        came: dict[Hashable, tuple[Hashable, Any]] = {}
        while queue:
            cost, _, key, ends = heappop(queue)
            if ends:
                actions: list[Any] = []
                while key in came:
                    key, action = came[key]
                    actions.append(action)
                return cost, actions[::-1]
            if cost > best[key]:
                continue
            for edge in edges.get(key, ()):
                total = cost + edge.cost
                if total < best.get(edge.to, total + 1):
                    best[edge.to] = total
                    came[edge.to] = key, edge.action
                    heappush(queue, (total, next(tie), edge.to, edge.ends))
        return None

    def others(
        self, cost: int, known: Collection[tuple[Hashable, tuple[str, ...]]], first: Collection[str]
    ) -> Iterator[tuple[Any, list[Any]]]:
        """Starts and actions of ways of that cost that are not `known`, as texts of actions.

        First actions are those in `first`, if it is not empty. Nothing comes if the known ones are
        all there are: that is counted at first.
        """
        graph = self._of_cost(cost, first)
        if graph is None or sum(graph.counts[key] for key in self.starts) <= len(known):
            return
        tried = 0
        for key, start in self.starts.items():
            for actions in graph.paths(key):
                texts = tuple(map(self.rules.format_action, actions))
                if (key, texts) not in known:
                    yield start, actions
                    tried += 1
                    if tried == MOST_TRIED:
                        return

    def _of_cost(self, cost: int, first: Collection[str]) -> _Tight | None:
        """The steps that lie on ways of `cost`, the least there is."""
        edges = self.edges()
        tight = _Tight(edges=defaultdict(list), counts=Counter(), goals=self._goals)
        depth = self._depths()
        left = self._left()
        for key, leaving in edges.items():
            for edge in leaving:
                rest = 0 if edge.ends else left.get(edge.to)
                if key not in depth or rest is None or depth[key] + edge.cost + rest != cost:
                    continue
                kept = not first or self.rules.format_action(edge.action) in first
                if key in self.starts and not kept:
                    continue
                tight.edges[key].append(edge)
        return tight if tight.count(depth) else None

    def _depths(self) -> dict[Hashable, int]:
        forward = {
            key: [(edge.to, edge.cost) for edge in edges] for key, edges in self.edges().items()
        }
        return _distances(dict.fromkeys(self.starts, 0), forward)

    def _left(self) -> dict[Hashable, int]:
        backward: dict[Hashable, list[tuple[Hashable, int]]] = defaultdict(list)
        ends: dict[Hashable, int] = {}
        for key, edges in self.edges().items():
            for edge in edges:
                backward[edge.to].append((key, edge.cost))
                if edge.ends:
                    ends[edge.to] = 0
        return _distances(ends, backward)


@attrs.define
class _Tight:
    """The steps on the cheapest ways, and how many ways lead on from each state."""

    edges: dict[Hashable, list[_Edge]]
    counts: Counter[Hashable]
    goals: set[Hashable]

    def count(self, depth: dict[Hashable, int]) -> bool:
        """Count the ways; false where steps that cost nothing go in a circle."""
        waiting = Counter({key: len(edges) for key, edges in self.edges.items()})
        before: dict[Hashable, list[Hashable]] = defaultdict(list)
        ready: list[Hashable] = []
        for key, edges in self.edges.items():
            for edge in edges:
                before[edge.to].append(key)
                if edge.ends and not self.counts[edge.to]:
                    self.counts[edge.to] = 1
                    ready.append(edge.to)
        dead = {to for to in before if to not in self.edges and not self.counts[to]}
        ready.extend(dead)
        while ready:
            key = ready.pop()
            for earlier in before[key]:
                self.counts[earlier] += self.counts[key]
                waiting[earlier] -= 1
                if not waiting[earlier]:
                    ready.append(earlier)
        return not any(waiting.values())

    def paths(self, key: Hashable) -> Iterator[list[Any]]:
        """The actions of every way from the state of that key."""
        actions: list[Any] = []
        stack = [iter(self.edges.get(key, ()))]
        while stack:
            edge = next(stack[-1], None)
            if edge is None:
                stack.pop()
                if actions:
                    actions.pop()
            elif edge.ends:
                yield [*actions, edge.action]
            elif self.counts[edge.to]:
                actions.append(edge.action)
                stack.append(iter(self.edges[edge.to]))


def _distances(
    roots: dict[Hashable, int], steps: dict[Hashable, list[tuple[Hashable, int]]]
) -> dict[Hashable, int]:
    tie = count()
    queue = [(cost, next(tie), key) for key, cost in roots.items()]
    found: dict[Hashable, int] = {}
    while queue:
        cost, _, key = heappop(queue)
        if key in found:
            continue
        found[key] = cost
        for to, price in steps.get(key, ()):
            if to not in found:
                heappush(queue, (cost + price, next(tie), to))
    return found


def replayed(
    rules: Problem[Any, Any], start: Any, actions: Sequence[Any]
) -> Solution[Any, Any] | None:
    """The solution that `actions` make, None if they are none."""
    state, steps = start, []
    for action in actions:
        if rules.is_goal(state):
            return None
        step = next((each for each in rules.successors(state) if each[0] == action), None)
        if step is None:
            return None
        steps.append(step)
        state = step[1]
    return Solution(start, tuple(steps)) if rules.is_goal(state) else None
