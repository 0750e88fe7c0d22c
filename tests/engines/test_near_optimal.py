"""Solutions within a slack, and the cheapest ones, against all simple paths by brute force."""

import math
from fractions import Fraction

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import (
    INFINITY,
    AStar,
    LimitKind,
    Limits,
    Problem,
    Status,
    Step,
    UniformCost,
    UsageError,
    WeightedAStar,
    solve,
)
from searchkit.errors import UnsuitableError
from tests.engines.test_random_graphs import suitable
from tests.support.graphs import Graph, best_cost, graphs_with_estimates

WITHIN = ["+0", "+1", "+3", "1.1", "3/2", 2]


def simple_paths(graph: Graph) -> list[tuple[int, int, tuple[str, ...]]]:
    """Cost, start and labels of every simple path to the first goal on it, by their cost."""
    found = []

    def extend(start, state, seen, labels, g):
        if state in graph.goals:
            found.append((g, start, labels))
            return
        for source, label, target, cost in graph.edges:
            if source == state and target not in seen:
                extend(start, target, seen | {target}, (*labels, label), g + cost)

    for start in dict.fromkeys(graph.starts):
        extend(start, start, frozenset({start}), (), 0)
    return sorted(found, key=lambda path: path[0])  # stable: in the order in which they were met


def most(within, best):
    if str(within).startswith("+"):
        return best + int(within)
    return math.floor(Fraction(str(within)) * best)


def listed(result):
    return [(each.cost, each.start, each.actions) for each in result.solutions or ()]


@settings(max_examples=60, deadline=None)
@given(graphs_with_estimates(), st.sampled_from(WITHIN))
def test_all_within_a_slack(graph, within):
    best = best_cost(graph)
    expected = [path for path in simple_paths(graph) if path[0] <= most(within, best)]
    for algorithm in suitable(graph) if best < INFINITY else ():
        result = solve(graph, algorithm, want="all", limits=Limits(within=within))
        assert listed(result) == listed(result) == expected, algorithm
        assert result.count == len(expected) == result.solutions.count()
        assert result.complete
        assert result.optimal
        assert result.cost == best
        assert solve(graph, algorithm, want="count", limits=Limits(within=within)).count == len(
            expected
        )


@settings(max_examples=40, deadline=None)
@given(graphs_with_estimates())
def test_no_slack_lists_what_is_listed_without(graph):
    for algorithm in suitable(graph):
        plain = solve(graph, algorithm, want="all")
        none = solve(graph, algorithm, want="all", limits=Limits(within="+0"))
        assert listed(none) == listed(plain)
        assert (none.status, none.count, none.complete) == (
            plain.status,
            plain.count,
            plain.complete,
        )


@settings(max_examples=60, deadline=None)
@given(graphs_with_estimates(), st.integers(1, 6))
def test_the_cheapest(graph, number):
    expected = simple_paths(graph)
    for algorithm in suitable(graph):
        result = solve(graph, algorithm, want=number, limits=Limits(within="any"))
        assert listed(result) == expected[:number], algorithm
        assert result.count == min(number, len(expected))
        assert result.complete == (len(expected) < number)


@settings(max_examples=40, deadline=None)
@given(graphs_with_estimates(), st.integers(0, 8))
def test_the_cheapest_up_to_a_cost(graph, cost):
    best = best_cost(graph)
    expected = [path for path in simple_paths(graph) if path[0] <= cost]
    for within in ("any", "+100"):
        result = solve(graph, AStar(), want=50, limits=Limits(within=within, cost=cost))
        assert listed(result) == expected[:50]
        assert not result.complete or result.status is Status.UNSOLVABLE
        assert (result.status is Status.SOLVED) == (best <= cost)


@attrs.frozen
class Lights(Problem):
    """A ring of lamps, each of which can be switched with its neighbours."""

    undirected = True
    start: int = 0b0110101101

    def initial_states(self):
        return [self.start]

    def successors(self, state):
        return [Step(n, state ^ (1 << n) ^ (1 << (n + 1) % 10), 1) for n in range(10)]

    def is_goal(self, state):
        return state == 0


@pytest.mark.spread("compiled")
@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_all_engines_list_the_same(engine):
    problem = Lights()
    for limits, want in ((Limits(within="+2"), "all"), (Limits(within="any"), 40)):
        one = solve(problem, UniformCost(), want=want, limits=limits, engine="reference")
        other = solve(problem, AStar(), want=want, limits=limits, engine=engine)
        assert listed(one) == listed(other)
        assert one.count == other.count > 1
        assert other.engine == engine


def test_a_limit_keeps_the_optimal_solution():
    result = solve(Lights(), UniformCost(), want="all", limits=Limits(within="+4", expansions=1500))
    assert (result.status, result.limit) == (Status.LIMIT, LimitKind.EXPANSIONS)
    assert result.optimal
    assert not result.complete
    assert result.statistics.expanded == 1500


@settings(max_examples=60, deadline=None)
@given(graphs_with_estimates(), st.sampled_from(["any", "+3", 2]), st.integers(0, 40))
def test_what_was_counted_before_a_limit_is_kept(graph, within, expansions):
    expected = simple_paths(graph)
    limits = Limits(within=within, expansions=expansions)
    result = solve(graph, UniformCost(), want=30, limits=limits)
    if result.status is Status.LIMIT and result.near:
        assert listed(result) == expected[: result.count]
        assert not result.complete
        assert result.statistics.expanded == expansions


def test_a_later_round_that_is_stopped_does_not_take_solutions_away():
    whole = solve(Lights(), UniformCost(), want=40, limits=Limits(within="any"))
    most = whole.statistics.expanded
    counts = []
    for expansions in range(1000, most, 1000):
        limits = Limits(within="any", expansions=expansions)
        found = solve(Lights(), UniformCost(), want=40, limits=limits)
        assert listed(found)[1:] == listed(whole)[1 : found.count]
        counts.append(found.count)
    assert counts == sorted(counts)
    assert 1 < counts[-1] < 40


@attrs.frozen
class Fork(Problem):
    """Two ways to the goal, of which the heuristic hides the dearer one."""

    def initial_states(self):
        return ["start"]

    def successors(self, state):
        ways = {"start": ["short", "long"], "short": ["goal"], "long": ["more"], "more": ["goal"]}
        return [Step(each, each, 1) for each in ways[state]]

    def is_goal(self, state):
        return state == "goal"

    def heuristic(self, state):
        return 2 if state == "more" else 0


def test_an_overestimate_is_told_where_solutions_may_be_missing():
    result = solve(Fork(), AStar(), want="all", limits=Limits(within="+2"))
    assert result.count == 2
    assert not result.complete
    assert not result.optimal
    assert "2 at more, 1 from a goal" in str(result.overestimate)


def test_what_is_refused():
    with pytest.raises(UsageError, match="within=any has no end"):
        solve(Fork(), AStar(), want="all", limits=Limits(within="any"))
    with pytest.raises(UnsuitableError, match="cannot list or count"):
        solve(Fork(), WeightedAStar(), want="all", limits=Limits(within="+1"))
    with pytest.raises(UsageError, match=r"within is 0\.9"):
        Limits(within=0.9)


def test_any_solution_is_good_enough():
    result = solve(Lights(), AStar(), limits=Limits(within="any"))
    assert result.status is Status.SOLVED
    assert str(Limits(within="any").within) == "any"


@pytest.mark.parametrize("text", ["1.000001", "123456.654321", "999999/7", "+0", "+12", "any"])
def test_a_text_of_it_is_read_again(text):
    limits = Limits(within=text)
    assert Limits(**limits.to_dict()) == limits


def test_words():
    text = str(solve(Lights(), AStar(), want="all", limits=Limits(within="+2")))
    assert "solutions within +2 of this cost" in text
    text = str(solve(Lights(), AStar(), want=20, limits=Limits(within="any")))
    assert "20 solutions from this cost on, perhaps not all" in text
