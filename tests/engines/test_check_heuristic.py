"""The check of heuristics on random graphs, against brute force."""

from __future__ import annotations

from functools import reduce
from operator import add

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import INFINITY, Costs, Heuristic, Problem, ProblemError, Step, UsageError
from searchkit.checks import check_heuristic
from searchkit.checks.samples import Sample, draw
from tests.support.graphs import Graph, distances_to_goal, graphs, graphs_with_estimates


def reached(graph: Graph) -> list[int]:
    """What can be reached from starts and goals."""
    found = list(dict.fromkeys([*graph.starts, *sorted(graph.goals)]))
    for state in found:
        found += [step.state for step in graph.successors(state) if step.state not in found]
    return list(dict.fromkeys(found))


def too_large(graph: Graph) -> dict[int, float]:
    """The states with overestimates, and their distances."""
    distance = distances_to_goal(graph)
    return {
        state: distance[state]
        for state in reached(graph)
        if graph.estimates[state] > distance[state]
    }


def inconsistent(graph: Graph) -> list[tuple[int, str]]:
    """State and label of the steps that lower the estimate too much."""
    return [
        (state, step.action)
        for state in reached(graph)
        for step in graph.successors(state)
        if graph.estimates[state] < INFINITY
        if graph.estimates[state] > step.cost + graph.estimates[step.state]
    ]


@st.composite
def any_estimates(draw: st.DrawFn) -> Graph:
    """Graphs with good and bad estimates."""
    graph = draw(graphs())
    value = st.sampled_from([0, 1, 2, 3, 5, INFINITY])
    estimates = draw(st.lists(value, min_size=graph.size, max_size=graph.size))
    return attrs.evolve(graph, estimates=tuple(estimates))


@settings(deadline=None)
@given(graphs_with_estimates())
def test_an_admissible_heuristic_is_never_blamed(graph):
    report = check_heuristic(graph)
    assert report.method == "exhaustive"
    assert report.admissible is True
    assert report.ok
    assert not report.overestimates
    assert report.states == report.compared == len(reached(graph))
    assert report.steps == sum(len(graph.successors(state)) for state in reached(graph))


@settings(deadline=None)
@given(any_estimates())
def test_everything_that_is_wrong_is_counted(graph):
    report = check_heuristic(graph)
    wrong = too_large(graph)
    assert report.overestimated == len(wrong)
    assert report.admissible is (not wrong)
    for example in report.overestimates:
        assert wrong[int(example.state)] == example.distance
        assert example.estimate == graph.estimates[int(example.state)]
    if wrong:
        assert report.worst is not None
        excess = {state: graph.estimates[state] - wrong[state] for state in wrong}
        assert excess[int(report.worst.state)] == max(excess.values())
        assert report.overestimates[0].distance == min(wrong.values())
    steps = inconsistent(graph)
    assert report.inconsistent == len(steps)
    assert report.consistent is (not steps)
    for example in report.inconsistent_steps:
        assert (int(example.state), example.action) in steps
    distance = distances_to_goal(graph)
    states = reached(graph)
    ends = [state for state in states if distance[state] == INFINITY]
    told = [state for state in states if graph.estimates[state] == INFINITY]
    assert report.dead_ends == len(ends)
    assert report.dead_ends_known == len(set(ends) & set(told))
    assert report.false_dead_ends == len(set(told) - set(ends))
    assert report.goals == len(set(states) & graph.goals)
    assert report.goals_above_zero == sum(graph.estimates[goal] > 0 for goal in graph.goals)


@settings(deadline=None)
@given(graphs_with_estimates(), st.data())
def test_one_planted_defect_is_found(graph, data):
    distance = distances_to_goal(graph)
    places = [state for state in reached(graph) if distance[state] < INFINITY]
    if not places:
        return
    place = data.draw(st.sampled_from(places))
    bad = distance[place] + data.draw(st.sampled_from([1, 4, INFINITY]))
    estimates = tuple(
        bad if state == place else estimate for state, estimate in enumerate(graph.estimates)
    )
    report = check_heuristic(attrs.evolve(graph, estimates=estimates))
    assert report.overestimated == 1
    assert [example.state for example in report.overestimates] == [str(place)]
    assert not report.ok


@settings(deadline=None)
@given(graphs())
def test_exact_distances_are_admissible_and_consistent(graph):
    graph = attrs.evolve(graph, estimates=tuple(distances_to_goal(graph)))
    for most in (None, 0):
        report = check_heuristic(graph, max_states=most, samples=50)
        assert report.ok
        assert not report.inconsistent
        assert report.quality.mean_ratio in (None, pytest.approx(1))
    assert report.admissible is None
    assert report.consistent is None


@settings(deadline=None)
@given(any_estimates(), st.integers(0, 5))
def test_a_sample_tells_nothing_wrong(graph, seed):
    report = check_heuristic(graph, max_states=0, samples=30, seed=seed)
    distance = distances_to_goal(graph)
    assert report.method == "sampled"
    for example in (*report.overestimates, *([report.worst] if report.worst else [])):
        state = int(example.state)
        assert example.estimate == graph.estimates[state] > distance[state]
        assert example.distance >= distance[state]
        assert not example.exact or example.distance == distance[state]
    for step in report.inconsistent_steps:
        estimate, after = graph.estimates[int(step.state)], graph.estimates[int(step.after)]
        assert INFINITY > estimate > step.cost + after
    again = check_heuristic(graph, max_states=0, samples=30, seed=seed)
    assert attrs.evolve(again, seconds=0) == attrs.evolve(report, seconds=0)


@settings(deadline=None)
@given(graphs(), st.integers(0, 5), st.integers(1, 40))
def test_what_is_known_of_a_sample_is_true(graph, seed, samples):
    distance = distances_to_goal(graph)
    sample = draw(graph, seed, samples)
    assert len(set(sample.states)) == len(sample.states)
    for state, bound, exact in zip(sample.states, sample.bound, sample.exact, strict=True):
        assert bound >= distance[state]
        assert not exact or bound == distance[state]


class Ring(Problem[int, str]):
    """Walk round a ring to 0; both ways are steps."""

    undirected = True
    size = 1000

    def initial_states(self):
        return [self.size // 2]

    def successors(self, state):
        yield Step("on", (state + 1) % self.size)
        yield Step("back", (state - 1) % self.size)

    def is_goal(self, state):
        return state == 0

    def goal_states(self):
        return [0]

    def heuristic(self, state):
        return min(state, self.size - state)


class Bump(Heuristic):
    """The distance, but one more at one place."""

    name = "bump"

    def __init__(self, place, by=1):
        self.place, self.by = place, by

    def __call__(self, state):
        return Ring().heuristic(state) + self.by * (state == self.place)


@pytest.mark.parametrize("place", [1, 17, 499, 500, 731])
def test_one_state_of_a_thousand(place):
    report = check_heuristic(Ring(), Bump(place))
    (found,) = report.overestimates
    assert found.state == str(place)
    assert found.estimate == found.distance + 1
    assert "NOT admissible: too large in 1 of 1,000 states, by up to 1" in str(report)
    below = check_heuristic(Ring(), Bump(place, -1))
    assert below.admissible
    assert below.inconsistent == (0 if place == 500 else 1)


def test_a_sample_finds_what_is_near_a_goal_or_on_its_way():
    report = check_heuristic(Ring(), Bump(20), max_states=0, samples=1000)
    assert [found.state for found in report.overestimates] == ["20"]
    assert report.worst.exact
    far = check_heuristic(Ring(), Bump(499), max_states=0, samples=1000)
    assert not far.overestimated
    assert {step.state for step in far.inconsistent_steps} == {"499"}
    assert "admissible: no counterexample in" in str(far)
    assert "proved" not in str(far)


class OneWay(Ring):
    """Only on, and the goal is not listed: distances are found by solving what was met."""

    undirected = False
    goal_states = None

    def successors(self, state):
        yield Step("on", (state + 1) % self.size)

    def heuristic(self, state):
        return -state % self.size


def test_a_sample_without_a_way_back_is_solved():
    problem = OneWay()
    report = check_heuristic(problem, max_states=0, samples=300)
    assert report.compared == report.quality.known > 50
    assert report.quality.mean_ratio == 1
    assert report.ok

    class TooLarge(Heuristic):
        name = "too large"

        def __call__(self, state):
            return problem.heuristic(state) + (state == 503)

    report = check_heuristic(problem, TooLarge(), max_states=0, samples=300)
    (found,) = report.overestimates
    assert (found.state, found.distance, found.exact) == ("503", 497, True)


def test_the_shortest_way_that_was_met_is_kept():
    sample = Sample(Ring())
    assert sample.add(9, 20)
    assert not sample.add(9, 30)
    assert not sample.add(9, INFINITY)
    assert sample.bound == [20]
    assert not sample.add(9, 10)
    assert (sample.bound, sample.exact) == ([10], [False])
    assert not sample.add(9, 9, exact=True)
    assert not sample.add(9, 9)
    assert (sample.states, sample.bound, sample.exact) == ([9], [9], [True])


def test_steps_are_taken_back_where_every_step_can_be():
    """A state one step outside of the sample can be seen from inside only."""
    sample = draw(Ring(), 0, 10)
    edge = max(state for state in sample.states if state < 400)
    report = check_heuristic(Ring(), Bump(edge + 1), max_states=0, samples=10)
    (step,) = report.inconsistent_steps
    assert (step.state, step.after, step.action) == (str(edge + 1), str(edge), "back")
    assert report.inconsistent == 1


def test_seeds_draw_other_samples():
    one, other = (draw(Ring(), seed, 300).states for seed in (1, 2))
    assert one != other


class Carried(Heuristic):
    """Carried along wrongly out of one place."""

    name = "carried"

    def __call__(self, state):
        return Ring().heuristic(state)

    def after(self, h, state, step):
        return self(step.state) + (state == 7)


@pytest.mark.parametrize("most", [None, 0])
def test_what_is_carried_along_must_agree(most):
    report = check_heuristic(Ring(), Carried(), max_states=most, samples=1000)
    assert report.admissible is not False
    assert not report.ok
    assert report.disagreed == 2
    first = report.disagreements[0]
    assert (first.form, first.state, first.given) == ("after", "7", first.expected + 1)


class Fractions(Heuristic):
    """Tenths, which do not add up exactly."""

    name = "fractions"

    def __call__(self, state):
        return reduce(add, [0.1] * (10 * int(Ring().heuristic(state))), 0)  # sum may be exact


def test_rounding_is_no_defect():
    assert any(Fractions()(state) > state for state in range(500))
    report = check_heuristic(Ring(), Fractions())
    assert report.admissible
    assert report.consistent


class Odd(Heuristic):
    """Gives what it is told to."""

    def __init__(self, value):
        self.value = value

    def __call__(self, state):
        if isinstance(self.value, Exception):
            raise self.value
        return self.value


@pytest.mark.parametrize(
    ("value", "words"),
    [(float("nan"), "gives nan"), ("much", "'much'"), (None, "None"), (KeyError("no"), "KeyError")],
)
@pytest.mark.parametrize("most", [None, 0])
def test_what_is_no_estimate_is_told_in_one_line(value, words, most):
    with pytest.raises(ProblemError, match=words):
        check_heuristic(Ring(), Odd(value), max_states=most, samples=10)


def test_costs_that_break_the_promise():
    graph = Graph(2, ((0, "a", 1, 2),), (0,), frozenset({1}), Costs.UNIT)
    with pytest.raises(ProblemError, match="costs 2"):
        check_heuristic(graph)
    graph = Graph(2, ((0, "a", 1, -2),), (0,), frozenset({1}), Costs.INTEGER)
    for most in (None, 0):
        with pytest.raises(ProblemError, match="costs -2"):
            check_heuristic(graph, max_states=most)


def test_wrong_options():
    for options in ({"engine": "fast"}, {"samples": 0}, {"max_states": -1}):
        with pytest.raises(UsageError, match="must be"):
            check_heuristic(Ring(), **options)


def test_no_start_and_no_goal():
    graph = Graph(1, (), (), frozenset(), Costs.UNIT)
    for most in (None, 0):
        report = check_heuristic(graph, max_states=most)
        assert report.states == 0
        assert report.ok
        assert str(report)
