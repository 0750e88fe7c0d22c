"""State graphs in networkx: every state, every step, and distances that are those of searches."""

from __future__ import annotations

import math
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Costs, Problem, Step, UniformCost, UsageError, solve
from searchkit.explore import explore
from searchkit.interop.networkx import to_networkx
from searchkit.registry import Registry

REGISTRY = Registry.load()


class Table(Problem[int, str]):
    """A graph given as a table: steps from each state, with costs."""

    costs = Costs.INTEGER

    def __init__(self, steps: list[list[tuple[int, int]]], goals: set[int], start: int = 0) -> None:
        self.steps, self.goals, self.start = steps, goals, start

    def initial_states(self) -> list[int]:
        return [self.start]

    def successors(self, state: int) -> list[Step[int, str]]:
        return [Step(f"s{i}", to, cost) for i, (to, cost) in enumerate(self.steps[state])]

    def is_goal(self, state: int) -> bool:
        return state in self.goals


@st.composite
def tables(draw: Any) -> Table:
    number = draw(st.integers(1, 8))
    step = st.tuples(st.integers(0, number - 1), st.integers(1, 4))
    steps = draw(st.lists(st.lists(step, max_size=4), min_size=number, max_size=number))
    return Table(steps, draw(st.sets(st.integers(0, number - 1), max_size=3)))


@settings(max_examples=60, deadline=None)
@given(tables())
def test_nodes_edges_and_distances(table: Table) -> None:
    graph = to_networkx(table)
    for node, data in graph.nodes.items():
        assert data["state"] == node
        assert data["goal"] == (node in table.goals)
        assert data["start"] == (node == 0)
        assert data["label"] == str(node)
        cost = solve(Table(table.steps, table.goals, node), UniformCost()).cost
        assert data["distance"] == (math.inf if cost is None else cost)
        cheapest: dict[int, tuple[int, str]] = {}
        for action, child, paid in table.successors(node):
            cheapest[child] = min(cheapest.get(child, (paid, action)), (paid, action))
        edges = {to: (edge["cost"], edge["action"]) for to, edge in graph[node].items()}
        assert edges == cheapest
    assert nx.descendants(graph, 0) | {0} == set(graph)


def test_a_whole_puzzle() -> None:
    problem: Any = REGISTRY.puzzles.get("sliding").create(size="2x3")
    graph = to_networkx(problem)
    found = explore(problem, backward=True)
    distances = [data["distance"] for data in graph.nodes.values()]
    assert [distances.count(depth) for depth in range(len(found.layers))] == list(found.layers)
    assert len(graph) == 360
    assert graph.number_of_edges() == 840  # 2 for a corner, 3 for a cell between: 7/3 on average
    [start] = [node for node, is_start in graph.nodes(data="start") if is_start]
    assert graph.nodes[start]["label"] == problem.format_state(start)
    assert nx.is_strongly_connected(graph)


def test_a_large_space_is_refused() -> None:
    with pytest.raises(UsageError, match="more than 100 states can be reached; raise max_states"):
        to_networkx(REGISTRY.puzzles.get("8-puzzle").create(), max_states=100)
    problem = REGISTRY.puzzles.get("sliding").create(size="2x3")
    assert len(to_networkx(problem, max_states=360)) == 360
    with pytest.raises(UsageError, match="more than 359"):
        to_networkx(problem, max_states=359)


def test_graphml_can_be_written(tmp_path: Any) -> None:
    graph = to_networkx(Table([[(1, 2)], [], []], {1}))
    nx.write_graphml(graph, tmp_path / "graph.graphml")
    back = nx.read_graphml(tmp_path / "graph.graphml", node_type=int)
    assert dict(back.nodes(data="distance")) == {0: 2, 1: 0}
    assert back.edges[0, 1]["label"] == "s0"
