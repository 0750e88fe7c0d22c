"""Lies planted in random graphs: found if and only if they can be reached, and where first."""

from __future__ import annotations

from collections import deque

import attrs
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Costs, Problem, Step
from searchkit.checks import check_problem

SIZE = 7
EDGES = st.lists(
    st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1), st.integers(1, 3)), max_size=16
)


@attrs.frozen
class Graph(Problem):
    """An explicit graph; `forgotten` and `dear` are numbers of edges that are told of wrongly."""

    edges: tuple[tuple[int, int, int], ...]
    forgotten: int = -1
    dear: int = -1
    estimates: tuple[int, ...] = ()

    costs = Costs.INTEGER

    def initial_states(self):
        return [0]

    def successors(self, state):
        return [
            Step(number, target, cost)
            for number, (source, target, cost) in enumerate(self.edges)
            if source == state
        ]

    def predecessors(self, state):
        return [
            Step(number, source, cost + (number == self.dear))
            for number, (source, target, cost) in enumerate(self.edges)
            if target == state and number != self.forgotten
        ]

    def is_goal(self, state):
        return state == SIZE - 1

    def heuristic(self, state):
        return self.estimates[state] if self.estimates else 0


def depths(graph):
    """The least number of steps from the start to each state, by another search."""
    found, queue = {0: 0}, deque([0])
    while queue:
        state = queue.popleft()
        for source, target, _ in graph.edges:
            if source == state and target not in found:
                found[target] = found[state] + 1
                queue.append(target)
    return found


def verdict(problem, law):
    report = check_problem(problem, laws=[law], engine="reference")
    assert report.whole
    return report.verdicts[0]


@settings(max_examples=60, deadline=None)
@given(EDGES, st.data())
def test_predecessors_that_lie_about_one_edge(edges, data):
    graph = Graph(tuple(edges))
    assert verdict(graph, "predecessors").breaches == 0
    if not edges:
        return
    number = data.draw(st.integers(0, len(edges) - 1))
    lie = data.draw(st.sampled_from(["forgotten", "dear"]))
    source, target, _ = edges[number]
    found = verdict(attrs.evolve(graph, **{lie: number}), "predecessors")
    reached = depths(graph)
    seen_from = [source, target] if lie == "dear" else [source]
    where = [reached[state] for state in seen_from if state in reached]
    assert (found.breaches > 0) == bool(where)
    if where:
        example = found.counterexample
        assert len(example.actions) == min(where)
        assert example.state in (str(source), str(target))
        assert "in predecessors" in example.place


@settings(max_examples=60, deadline=None)
@given(EDGES)
def test_undirected_is_believed_of_no_other_graph(edges):
    class Undirected(Graph):
        undirected = True

    graph = Undirected(tuple(edges))
    reached = depths(graph)
    steps = set(edges)
    lonely = [
        reached[source]
        for source, target, cost in edges
        if source in reached and (target, source, cost) not in steps
    ]
    found = verdict(graph, "undirected")
    assert (found.breaches > 0) == bool(lonely)
    if lonely:
        assert len(found.counterexample.actions) == min(lonely)


@settings(max_examples=60, deadline=None)
@given(EDGES, st.lists(st.integers(0, 6), min_size=SIZE, max_size=SIZE))
def test_heuristics_are_refused_if_they_are_too_large_anywhere(edges, estimates):
    graph = Graph(tuple(edges), estimates=tuple(estimates))
    distance = {SIZE - 1: 0}
    for _ in range(SIZE):  # Bellman-Ford
        for source, target, cost in edges:
            if target in distance:
                distance[source] = min(distance.get(source, 99), distance[target] + cost)
    wrong = [s for s in depths(graph) if s in distance and estimates[s] > distance[s]]
    found = verdict(graph, "heuristics")
    assert (found.breaches > 0) == bool(wrong)
    if wrong:
        assert int(found.counterexample.state) in wrong
        assert distance[int(found.counterexample.state)] == min(distance[s] for s in wrong)
