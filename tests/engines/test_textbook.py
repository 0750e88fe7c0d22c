"""Ties, tree search and goal tests as textbooks have them, against searches written by themselves.

The map is that of Russell & Norvig, "Artificial intelligence: a modern approach", chapter 3.
"""

import heapq
import itertools

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import (
    AStar,
    BreadthFirst,
    Costs,
    GreedyBestFirst,
    Problem,
    Status,
    Step,
    UsageError,
    solve,
)
from searchkit.errors import UnsuitableError
from tests.support.graphs import graphs_with_estimates

MAP = """
A-Z-75 A-S-140 A-T-118 Z-O-71 O-S-151 T-L-111 L-M-70 M-D-75 D-C-120 C-R-146 C-P-138 R-S-80
R-P-97 S-F-99 F-B-211 P-B-101 B-G-90 B-U-85 U-H-98 H-E-86 U-V-142 V-I-92 I-N-87
"""
AWAY = """
A366 B0 C160 D242 E161 F176 G77 H151 I226 L244 M241 N234 O380 P100 R193 S253 T329 U80 V199 Z374
"""
ROADS = [(*each.split("-")[:2], int(each.split("-")[2])) for each in MAP.split()]
STRAIGHT = {each[0]: int(each[1:]) for each in AWAY.split()}


@attrs.frozen
class Romania(Problem):
    """The roads from Arad to Bucharest, each town by its first letter."""

    costs = Costs.INTEGER
    undirected = True

    def initial_states(self):
        return ["A"]

    def successors(self, state):
        both = [*ROADS, *((b, a, cost) for a, b, cost in ROADS)]
        return [Step(b, b, cost) for a, b, cost in sorted(both) if a == state]

    def is_goal(self, state):
        return state == "B"

    def heuristic(self, state):
        return STRAIGHT[state]


@attrs.frozen
class Unit(Romania):
    """The same map, each road a step."""

    costs = Costs.UNIT

    def successors(self, state):
        return [Step(step.action, step.state, 1) for step in super().successors(state)]


@pytest.mark.parametrize(
    ("algorithm", "cost", "expanded", "generated"),
    [
        # A* as in figure 3.18: Arad, Sibiu, Rimnicu, Fagaras and Pitesti, with 16 nodes made.
        (AStar(search="tree"), 418, 5, 16),
        (AStar(ties="first-in"), 418, 5, 16),
        # Greedy search as in figure 3.17: Arad, Sibiu, Fagaras.
        (GreedyBestFirst(search="tree"), 450, 3, 10),
        (AStar(goal_test="early"), 450, 4, 12),
    ],
)
def test_the_map_of_romania(algorithm, cost, expanded, generated):
    result = solve(Romania(), algorithm)
    assert (result.cost, result.statistics.expanded) == (cost, expanded)
    assert result.statistics.generated == generated
    assert result.optimal == (cost == 418)
    assert result.lower_bound <= 418


def test_breadth_first_tests_early_or_late():
    early = solve(Unit(), BreadthFirst(goal_test="early"))
    late = solve(Unit(), BreadthFirst(goal_test="late"))
    assert early.actions == late.actions == ("S", "F", "B")
    assert early.optimal
    assert late.optimal
    # A S T Z F; and with the late test O R L before Bucharest.
    assert (early.statistics.expanded, late.statistics.expanded) == (5, 8)
    assert solve(Unit(), BreadthFirst(), engine="reference").statistics.expanded == 5


def plain_search(graph, kind, ties, is_tree, is_early, most):
    """Cost and number of expansions, None where there are more than `most`."""
    number, queue, seen, expanded = itertools.count(), [], {}, 0

    def estimate(state):
        return 0 if kind == "bfs" else graph.heuristic(state)

    def priority(state, g):
        h = estimate(state)
        f = {"bfs": g, "astar": g + h, "greedy": h}[kind]
        tie = {"low-h": h, "high-g": -g}.get(ties, 0)
        return f, tie, next(number) * (1 if ties == "first-in" else -1), g, state

    def add(state, g):
        again = kind == "astar" and g < seen.get(state, g)
        if estimate(state) == float("inf") or not (is_tree or state not in seen or again):
            return False
        if is_early and graph.is_goal(state):
            return True
        seen[state] = g
        heapq.heappush(queue, priority(state, g))
        return False

    for start in dict.fromkeys(graph.starts):
        if add(start, 0):
            return 0, 0
    while queue:
        *_, g, state = heapq.heappop(queue)
        if not is_tree and g != seen[state]:
            continue
        if not is_early and graph.is_goal(state):
            return g, expanded
        expanded += 1
        if expanded > most:
            return None
        for step in graph.successors(state):
            if add(step.state, g + step.cost):
                return g + step.cost, expanded
    return "none", expanded


@settings(max_examples=150, deadline=None)
@given(
    graphs_with_estimates(),
    st.sampled_from([BreadthFirst, AStar, GreedyBestFirst]),
    st.sampled_from(["low-h", "high-g", "first-in", "last-in"]),
    st.booleans(),
    st.booleans(),
)
def test_counts_are_those_of_a_plain_search(graph, kind, ties, is_tree, is_early):
    if kind is BreadthFirst and graph.costs is not Costs.UNIT:
        return
    expected = plain_search(graph, kind.name, ties, is_tree, is_early, 300)
    if expected is None:
        return
    search, goal_test = "tree" if is_tree else "graph", "early" if is_early else "late"
    result = solve(graph, kind(ties=ties, search=search, goal_test=goal_test))
    assert result.statistics.expanded == expected[1]
    if expected[0] == "none":
        assert result.status is Status.UNSOLVABLE
    elif kind is GreedyBestFirst:
        assert result.cost <= expected[0]  # without its loops, by the cheapest of parallel steps
    else:
        assert result.cost == expected[0]
        best = solve(graph, AStar()).cost
        assert result.lower_bound <= best
        assert not result.optimal or result.cost == best


def test_what_is_refused():
    with pytest.raises(UsageError, match="ties is 'none'; it must be one of 'auto', 'low-h'"):
        AStar(ties="none")
    with pytest.raises(UnsuitableError, match="options of the reference engine"):
        solve(Romania(), AStar(ties="first-in"), engine="compiled")
    with pytest.raises(UnsuitableError, match="for one solution"):
        solve(Romania(), AStar(search="tree"), want="all")
    with pytest.raises(UnsuitableError, match="not both"):
        solve(Unit(), BreadthFirst(symmetry="auto", search="tree"))


def test_options_are_shown_where_they_are_set():
    assert repr(AStar()) == "AStar(heuristic=None, incumbents='none')"
    assert repr(BreadthFirst(ties="last-in")) == "BreadthFirst(ties='last-in', symmetry='none')"
