"""Ordinary problems that list their predecessors: what is found is what Python finds."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import (
    AStar,
    Bidirectional,
    BreadthFirst,
    LimitKind,
    Limits,
    Problem,
    ProblemError,
    Step,
    UniformCost,
    UnsuitableError,
    explore,
    solve,
)
from searchkit.compiled.specialise.plain import plainly
from searchkit.compiled.states import state_set
from searchkit.engine import Engine
from searchkit.errors import CompilationError
from searchkit.solving import plan
from searchkit.tables import Table
from searchkit.translation import sampling, watch
from searchkit.translation.problem import Translated
from searchkit.translation.search import Making
from searchkit.verify import verify_solution
from tests.support.both_engines import assert_equal_answers, check_all_ways, counts
from tests.translation.corpus import directed
from tests.translation.corpus.directed import Roads, Tower, Wide

BOTH = Bidirectional()


@pytest.fixture
def scant_samples(monkeypatch):
    """Little is known of the states when a search begins."""
    monkeypatch.setattr(watch, "FIRST", 6)
    monkeypatch.setattr(sampling, "NEAR", 2)
    monkeypatch.setattr(sampling, "WALKS", 0)


@pytest.mark.spread("seeds0-algorithm1")
@pytest.mark.parametrize("algorithm", [AStar(), UniformCost(), BreadthFirst()])
@pytest.mark.parametrize("seeds", [range(4), pytest.param(range(4, 12), marks=pytest.mark.slow)])
def test_one_solution_is_named_by_all_engines(algorithm, seeds):
    for seed in seeds:
        with plainly():
            assert_equal_answers(Roads(60, seed, roads=4), algorithm)


def explored(problem, engine, **options):
    with plainly():
        found = explore(problem, backward=True, engine=engine, **options)
    assert (found.engine, found.origin) == (engine, "goal")
    counted = counts(found.statistics)
    return found.layers, found.complete, found.limit, list(found.farthest), counted


roads = st.builds(
    Roads,
    st.sampled_from([4, 12, 40]),
    st.integers(0, 10_000),
    roads=st.integers(1, 4),
    goals=st.integers(0, 3),
)


@pytest.mark.few
@settings(max_examples=8, deadline=None)
@given(roads, st.integers(0, 6), st.integers(0, 25), st.booleans())
def test_random_roads(problem, depth, nodes, by_rules):
    with pytest.MonkeyPatch.context() as patches, plainly():
        if not by_rules:
            patches.setattr("searchkit.compiled.specialise.listing.FEW", 0)
        check_all_ways(problem, BOTH, depth, nodes)
    if problem.goals:
        for limits in (Limits(), Limits(cost=depth), Limits(expansions=nodes)):
            expected = explored(problem, "reference", limits=limits)
            assert explored(problem, "compiled", limits=limits) == expected


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_states_of_several_words(seed):
    problem = Wide(30, seed, roads=3)
    with plainly():
        assert_equal_answers(problem, BOTH)
        assert_equal_answers(problem, BOTH, want="all")
    assert explored(problem, "compiled") == explored(problem, "reference")


def test_a_start_that_is_a_goal():
    problem = Roads(30, 3)
    problem.goals = (0, 5)
    for want in ("one", "all", "count"):
        with plainly():
            assert assert_equal_answers(problem, BOTH, want=want).cost == 0


@pytest.mark.slow_variants("all", "one")
@pytest.mark.parametrize("want", ["one", "all", "count"])
def test_layouts_get_wider_from_both_ends(scant_samples, monkeypatch, want):
    times, make_room = [], Making.make_room
    monkeypatch.setattr(
        Making, "make_room", lambda self, error: (times.append(error), make_room(self, error))[1]
    )
    with plainly():
        assert assert_equal_answers(Tower(), BOTH, want=want).cost == 13
        assert len(times) > 1
        del times[:]
        assert explored(Tower(), "compiled") == explored(Tower(), "reference")
    assert times


def said(problem, engine, want):
    try:
        with plainly():
            found = solve(problem, BOTH, engine=engine, want=want)
    except ProblemError as error:
        return str(error)
    return found.cost, found.solution, found.count


@pytest.mark.parametrize("kind", [directed.Lacking, directed.Inventing, directed.Failing])
@pytest.mark.parametrize("seeds", [range(3), pytest.param(range(3, 8), marks=pytest.mark.slow)])
def test_what_predecessors_that_lie_lead_to(kind, seeds, brief_looks):
    for seed in seeds:
        problem = kind(20, seed, roads=3)
        for want in ("one", "all"):
            assert said(problem, "compiled", want) == said(problem, "reference", want)


def test_a_step_back_of_a_wrong_cost(monkeypatch):
    monkeypatch.setattr("searchkit.premises.reasons.Premises.check_first", lambda *_: None)
    problem = directed.Costly(40, 2, roads=3)
    for engine in ("compiled", "reference"):
        assert "costs 2, but the problem promises unit costs" in said(problem, engine, "one")


def test_steps_back_are_compared_with_the_rules(monkeypatch):
    honest = Translated.packed_states

    def wrong(self, values):
        is_odd = self.method == "predecessors" and len(values) > 60
        return honest(self, [*values[1:], values[0]] if is_odd else values)

    monkeypatch.setattr(Translated, "packed_states", wrong)
    with plainly(), pytest.raises(CompilationError, match=r"Roads.predecessors, .*gives"):
        solve(Roads(60, 1, roads=4), BOTH, engine="compiled")


def test_what_speaks_against_it_is_said(monkeypatch):
    problem = directed.Unread(60, 5, roads=3)
    reason = r"Unread.predecessors, .*directed.py:\d+: uses finally"
    with pytest.raises(UnsuitableError, match=reason):
        solve(problem, BOTH, engine="compiled")
    with pytest.raises(UnsuitableError, match=reason):
        explore(problem, backward=True, engine="compiled")
    monkeypatch.setattr(plan, "TRIAL_NODES", 1)
    monkeypatch.setattr(plan, "PATIENCE", 1)
    found = solve(problem, BOTH)
    assert found.engine == "reference"
    assert "uses finally" in found.engine_reason
    with plainly():  # the steps onward are translated
        assert solve(problem, BreadthFirst(), engine="compiled").cost == found.cost
    with pytest.raises(UnsuitableError, match="paths are compiled for toggles alone"):
        explore(problem, backward=True, paths=True, engine="compiled")


def test_what_lasts_is_compiled(monkeypatch):
    monkeypatch.setattr(plan, "TRIAL_NODES", 1)
    monkeypatch.setattr(plan, "PATIENCE", 1)
    problem = Roads(60, 5, roads=3)
    with plainly():
        found = solve(problem)
        assert (type(found.algorithm), found.engine) == (Bidirectional, "compiled")
        assert explore(problem, backward=True).engine == "compiled"


def test_tables_and_workers(tmp_path, two_workers):
    problem = Roads(200, 3, roads=3, goals=2)
    expected = explore(problem, backward=True, engine="reference").layers
    with plainly():
        begun = explore(problem, backward=True, checkpoint=tmp_path / "a", limits=Limits(cost=2))
        assert begun.layers == expected[:3]
        assert explore(problem, backward=True, checkpoint=tmp_path / "a").layers == expected
    there = explore(
        problem, backward=True, checkpoint=tmp_path / "b", engine=Engine(workers=two_workers)
    )
    assert there.layers == expected
    for name in "ab":
        table = Table.open(tmp_path / name, problem)
        far = [table.distance((node,)) for node in range(200)]
        assert tuple(map(far.count, range(len(expected)))) == expected
        for node, distance in enumerate(far):
            if distance is not None:
                found = table.solution((node,))
                verify_solution(problem.with_start((node,)), found)
                assert len(found.steps) == distance


def test_machine_code():
    assert_equal_answers(Roads(300, 7, roads=3, goals=2), BOTH, want="all")


class Ahead(Problem):
    """Its steps back are given to its objects."""

    def __init__(self, steps):
        self.predecessors = lambda state: [
            Step("on", state - 1 if state else -node - 1) for node in range(1 if state else steps)
        ]

    def initial_states(self):
        return [0]

    def goal_states(self):
        return [1]

    def is_goal(self, state):
        return state == 1

    def successors(self, state):
        yield Step("on", max(0, state + 1))


@pytest.mark.parametrize(
    ("steps", "reason"),
    [(1, "Ahead.predecessors, .*is not a plain method"), (20_000, "lead more than 10000 steps")],
)
def test_steps_back_that_are_no_method_of_the_class(steps, reason):
    with pytest.raises(UnsuitableError, match=reason):
        solve(Ahead(steps), BOTH, engine="compiled")


def test_memory_is_that_of_both_ends(monkeypatch):
    monkeypatch.setattr(state_set, "FIRST_CAPACITY", 64)
    most = 40_000
    with plainly():
        found = solve(Tower(18), BOTH, engine="compiled", limits=Limits(memory=most))
    assert found.limit is LimitKind.MEMORY
    assert 0.6 * most < found.statistics.bytes <= most
