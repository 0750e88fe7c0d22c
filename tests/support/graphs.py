"""Random small explicit graphs as problems, and independent answers to check engines with."""

from __future__ import annotations

import functools
import heapq
import itertools

import attrs
from hypothesis import strategies as st

from searchkit import INFINITY, Costs, Problem, Step


@attrs.frozen
class Graph(Problem):
    """An explicit graph; `edges` are (source, label, target, cost)."""

    size: int
    edges: tuple[tuple[int, str, int, int], ...]
    starts: tuple[int, ...]
    goals: frozenset[int]
    costs: Costs
    estimates: tuple[float, ...] = ()

    def initial_states(self):
        return self.starts

    def successors(self, state):
        return [
            Step(label, target, cost)
            for source, label, target, cost in self.edges
            if source == state
        ]

    def predecessors(self, state):
        return [
            Step(label, source, cost)
            for source, label, target, cost in self.edges
            if target == state
        ]

    def is_goal(self, state):
        return state in self.goals

    def goal_states(self):
        return sorted(self.goals)

    def heuristic(self, state):
        return self.estimates[state] if self.estimates else 0


def distances_to_goal(graph: Graph) -> list[float]:
    """Dijkstra from the goals against the edges; steps out of goals do not count."""
    distance = [INFINITY] * graph.size
    heap = [(0, goal) for goal in graph.goals]
    while heap:
        d, state = heapq.heappop(heap)
        if d >= distance[state]:
            continue
        distance[state] = d
        for source, _, target, cost in graph.edges:
            if target == state and source not in graph.goals:
                heapq.heappush(heap, (d + cost, source))
    return distance


def best_cost(graph: Graph) -> float:
    """The cost of an optimal solution."""
    distance = distances_to_goal(graph)
    return min((distance[start] for start in graph.starts), default=INFINITY)


def optimal_paths(graph: Graph) -> list[tuple[int, tuple[str, ...]]]:
    """Every optimal solution as (start, labels), by brute force over all simple paths."""
    best = best_cost(graph)
    found = []

    def extend(state: int, seen: frozenset[int], labels: tuple[str, ...], g: int) -> None:
        if state in graph.goals:
            if g == best:
                found.append((start, labels))
            return
        for source, label, target, cost in graph.edges:
            if source == state and target not in seen and g + cost <= best:
                extend(target, seen | {target}, (*labels, label), g + cost)

    for start in dict.fromkeys(graph.starts):
        extend(start, frozenset({start}), (), 0)
    return found


def count_optimal_paths(graph: Graph) -> int:
    """How many optimal solutions there are, by recursion over distances."""
    distance = distances_to_goal(graph)

    @functools.cache
    def ways(state: int) -> int:
        if state in graph.goals:
            return 1
        return sum(
            ways(target)
            for source, _, target, cost in graph.edges
            if source == state and distance[target] + cost == distance[state]
        )

    best = best_cost(graph)
    return sum(
        ways(start) for start in dict.fromkeys(graph.starts) if distance[start] == best < INFINITY
    )


def _has_zero_cycle(size: int, edges: list[tuple[int, str, int, int]]) -> bool:
    reach = [[False] * size for _ in range(size)]
    for source, _, target, cost in edges:
        if cost == 0:
            reach[source][target] = True
    for via, a, b in itertools.product(range(size), repeat=3):
        if reach[a][via] and reach[via][b]:
            reach[a][b] = True
    return any(reach[state][state] for state in range(size))


@st.composite
def graphs(draw: st.DrawFn, costs: Costs | None = None) -> Graph:
    """Graphs with one-way, parallel and zero-cost edges, loops, several starts and goals."""
    costs = draw(st.sampled_from(Costs)) if costs is None else costs
    size = draw(st.integers(1, 8))
    state = st.integers(0, size - 1)
    allowed = {
        Costs.UNIT: st.just(1),
        Costs.ZERO_ONE: st.integers(0, 1),
        Costs.INTEGER: st.integers(0, 4),
    }[costs]
    raw = draw(st.lists(st.tuples(state, state, allowed), max_size=20))
    edges = [
        (source, f"e{number}", target, cost) for number, (source, target, cost) in enumerate(raw)
    ]
    while _has_zero_cycle(size, edges):
        zero = [edge for edge in edges if edge[3] == 0]
        edges.remove(zero[0])
    starts = tuple(draw(st.lists(state, min_size=1, max_size=2)))
    goals = frozenset(draw(st.sets(state, max_size=2)))
    return Graph(size, tuple(edges), starts, goals, costs)


@st.composite
def graphs_with_estimates(draw: st.DrawFn) -> Graph:
    """Graphs whose heuristic is admissible and often inconsistent; dead ends may be infinite."""
    graph = draw(graphs())
    estimates: list[float] = []
    for distance in distances_to_goal(graph):
        if distance == INFINITY:
            estimates.append(draw(st.sampled_from([0, 1, 7, INFINITY])))
        else:
            estimates.append(draw(st.integers(0, int(distance))))
    return attrs.evolve(graph, estimates=tuple(estimates))
