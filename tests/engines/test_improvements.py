"""The solutions of a search while it goes on: each is one, and what is proved is true."""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import weakref

import attrs
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from searchkit import (
    INFINITY,
    Anytime,
    AStar,
    CompleteBeam,
    Costs,
    GreedyBestFirst,
    IDAStar,
    Limits,
    Problem,
    ProblemError,
    Status,
    Step,
    UniformCost,
    UnsuitableError,
    UsageError,
    WeightedAStar,
    improvements,
    puzzle,
    solve,
)
from searchkit.compiled.specialise.plain import plainly
from searchkit.improvements import NAME, Improvements, _Search
from searchkit.running.building import Building, BuildStoppedError, building, building_within
from searchkit.solving.conclusion import stopped_before
from searchkit.verify import verify_solution
from tests.engines.test_incumbents import beside_at_once
from tests.support import plain_puzzles
from tests.support.graphs import best_cost, graphs_with_estimates
from tests.support.packed_graphs import Graph, GraphTables, TableEstimate, distances, graphs


class Roads(Problem):
    """Steps of many costs: the dear ones lead to the goal sooner."""

    costs = Costs.INTEGER

    def initial_states(self):
        return [(0, 0)]

    def successors(self, state):
        at, legs = state
        if at < 30:
            yield Step("by air", (at + 7, 1 - legs), 25)
            yield Step("by rail", (at + 3, 1 - legs), 9 - 4 * legs)
            yield Step("on foot", (at + 1, legs), 2)

    def is_goal(self, state):
        return state[0] in (29, 30)


ALGORITHMS = (
    None, CompleteBeam(width=1), Anytime(), AStar(incumbents="beam"), IDAStar(incumbents="beam"),
    WeightedAStar(), AStar(),
)  # fmt: skip


def check_told(problem, algorithm, best, **options):
    """All that is told of a search holds, and its end is what `solve` returns; what was told."""
    running = improvements(problem, algorithm, **options)
    told = list(running)
    expected, result = solve(problem, algorithm, **options), running.result
    for name in ("status", "cost", "optimal", "lower_bound", "limit", "engine"):
        assert getattr(result, name) == getattr(expected, name), name
    for each in told:
        verify_solution(problem, each.solution)
        assert each.solution.cost == each.cost
        assert each.lower_bound <= min(best, each.cost)
        assert each.overestimate is None
        assert each.actions == each.solution.actions
    costs, bounds = [each.cost for each in told], [each.lower_bound for each in told]
    assert costs == sorted(set(costs), reverse=True)
    assert bounds == sorted(bounds)
    assert [each.seconds for each in told] == sorted(each.seconds for each in told)
    if result.solution is None:
        assert told == []
    else:
        assert costs[-1] == result.cost
        assert bounds[-1] <= result.lower_bound
        assert told[-1].solution == result.solution
    known = [(each.cost, each.expanded) for each in result.improvements]
    assert [(each.cost, each.expanded) for each in told][: len(known)] == known
    assert not at_work()
    return told


def at_work():
    return [each for each in threading.enumerate() if each.name == NAME]


@settings(max_examples=150, deadline=None)
@given(graphs_with_estimates(), st.sampled_from(ALGORITHMS), st.sampled_from([None, 0, 3, 9]))
def test_of_random_graphs(graph, algorithm, expansions):
    with pytest.MonkeyPatch.context() as patches:
        beside_at_once(patches)
        check_told(graph, algorithm, best_cost(graph), limits=Limits(expansions=expansions))


SOON = GraphTables(
    following=((0,) * 4, (0, 5, 0, 0), *[(0,) * 4] * 6),
    costs=((1,) * 4, (1, 2, 1, 1), *[(1,) * 4] * 6),
    goals=(0, 0, 0, 0, 0, 1, 0, 0),
)
TWO_WAYS = GraphTables(
    following=((0,) * 4, (0,) * 4, (0, 0, 0, 3), (0,) * 4, (0,) * 4, (0, 1, 2, 3), *[(0,) * 4] * 2),
    costs=(*[(1,) * 4] * 5, (1, 1, 1, 2), *[(1,) * 4] * 2),
    goals=(0, 0, 0, 1, 0, 0, 0, 0),
)


@settings(max_examples=40, deadline=None)
@example(graph=(TWO_WAYS, (5,)), make=AStar, knows=False)  # both searches find one, at one cost
@example(graph=(SOON, (1,)), make=AStar, knows=False)  # one tells of the bound 0, the other of 2
@given(graphs(), st.sampled_from([CompleteBeam, Anytime, AStar]), st.booleans())
def test_by_machine_code(graph, make, knows):
    """Engines tell the same, but how far A* is when a solution is found beside it is their own."""
    problem = Graph(*graph)
    estimates = tuple(distances(graph[0]) if knows else [0] * len(graph[0].goals))
    more = {"incumbents": "beam"} if make is AStar else {}
    algorithm = make(heuristic=TableEstimate(estimates), **more)
    best = solve(problem, AStar(), engine="reference").cost
    found = []
    with pytest.MonkeyPatch.context() as patches, plainly():
        beside_at_once(patches)
        for engine in ("compiled", "reference"):
            told = check_told(problem, algorithm, INFINITY if best is None else best, engine=engine)
            found.append([(each.cost, each.lower_bound, each.actions) for each in told])
    if make is AStar:  # it takes turns of a length that is each engine's own
        found = [[cost for cost, *_ in each[-1:]] for each in found]
    assert found[0] == found[1]


@pytest.mark.slow_variants("cabs-Hanoi")
@pytest.mark.spread
@pytest.mark.parametrize(
    "problem",
    [plain_puzzles.Hanoi(4, 4), plain_puzzles.Jugs((8, 5, 3), (4, 4, 0)), Roads()],
    ids=lambda each: type(each).__name__,
)
@pytest.mark.parametrize("algorithm", [CompleteBeam(width=1), Anytime()], ids=lambda a: a.name)
def test_of_rules_that_were_translated(problem, algorithm):
    best = solve(problem, AStar(), engine="reference").cost
    with plainly():
        told = check_told(problem, algorithm, best, engine="compiled")
    assert told[-1].cost == best


def far():
    problem = puzzle("24-puzzle")
    return problem.with_start(problem.random_state(random.Random(1)))


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_left_at_any_time(engine, collect):
    problem = far()
    known = weakref.ref(problem)
    for found in improvements(problem, CompleteBeam(), engine=engine):
        assert found.lower_bound < found.cost
        break
    assert not at_work()
    del problem, found
    collect()
    assert known() is None or engine == "compiled"  # machine code may be used again


def test_closed_in_between():
    with improvements(far(), CompleteBeam(), engine="reference") as running:
        first = next(running)
    assert running.result.status is Status.INTERRUPTED
    assert running.result.cost <= first.cost
    assert running.result.lower_bound >= first.lower_bound > 0
    assert list(running) == []
    never = improvements(far(), CompleteBeam())
    never.close()
    assert (list(never), never.result) == ([], None)


@pytest.mark.slow_variants("True")
@pytest.mark.parametrize("is_own", [True, False])
def test_cancelled_from_another_thread(is_own):
    event = threading.Event()
    running = improvements(
        far(), CompleteBeam(), engine="reference", limits=Limits(cancel=None if is_own else event)
    )
    first = next(running)
    threading.Thread(target=running.cancel if is_own else event.set).start()
    later = list(running)
    result = running.result
    assert result.status is Status.INTERRUPTED
    assert result.cost == [first, *later][-1].cost
    assert result.lower_bound >= first.lower_bound > 0


def test_closed_by_a_listener_in_the_thread_of_the_search():
    problem = puzzle("24-puzzle")
    problem = problem.with_start(problem.random_state(random.Random(1)))
    closed = []

    def listen(progress):
        running.close()
        closed.append(running)

    running = improvements(problem, CompleteBeam(), engine="reference", progress=listen)
    list(running)
    assert closed
    running.close()  # waits
    assert running.result.status is Status.INTERRUPTED


def test_all_that_wait_hear_of_the_end():
    """What each of several threads takes is told to none of the others."""
    problem = puzzle("8-puzzle")
    running = improvements(problem, AStar(), engine="reference")
    found = []

    def take():
        found.extend(each.cost for each in running)

    takers = [threading.Thread(target=take, daemon=True) for _ in range(4)]
    for each in takers:
        each.start()
    for each in takers:
        each.join(60)
    assert not any(each.is_alive() for each in takers)
    assert found == [31]


@pytest.mark.skipif(os.name == "nt", reason="signals cannot be sent to the process")
def test_ctrl_c_ends_the_search_and_then_the_iteration():
    pressed = []

    def press(progress):
        if progress.cost is not None and not pressed:
            pressed.append(progress.cost)
            os.kill(os.getpid(), signal.SIGINT)

    running = improvements(far(), CompleteBeam(), engine="reference", progress=press)
    told = list(running)
    assert (running.result.status, running.result.cost) == (Status.INTERRUPTED, told[-1].cost)


@pytest.mark.skipif(os.name == "nt", reason="signals cannot be sent to the process")
def test_ctrl_c_loses_no_solution_that_was_told_just_before():
    """Both were there when the thread that waited had its turn: the solution was taken and lost."""
    search = _Search(None)
    running = Improvements(search, None, None, {})
    running._begin = None
    ready = threading.Lock()

    def find():  # while another waits
        with ready:
            search.told.put("found")
            os.kill(os.getpid(), signal.SIGINT)
            search.told.put(None)

    search.thread = threading.Thread(target=find)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(100)  # threads take turns where one waits
    try:
        with ready:
            search.thread.start()
        told = list(running)
    finally:
        sys.setswitchinterval(interval)
    assert told == ["found"]
    assert search.is_set()


class Broken(Problem):
    """The first solution is found before a rule fails."""

    costs = Costs.INTEGER

    def initial_states(self):
        return [0]

    def successors(self, state):
        if state == 2:
            raise ValueError("broken")
        return [Step("dear", 9, 50), Step("on", state + 1, 1)]

    def is_goal(self, state):
        return state == 9


@settings(max_examples=80, deadline=None)
@given(graphs_with_estimates(), st.lists(st.integers(0, 9), min_size=8, max_size=8))
def test_by_estimates_that_are_too_large(graph, estimates):
    """Once that was seen, nothing is proved."""
    graph = attrs.evolve(graph, estimates=tuple(estimates))
    with pytest.MonkeyPatch.context() as patches:
        beside_at_once(patches)
        for algorithm in (CompleteBeam(width=1), AStar(incumbents="beam")):
            running = improvements(graph, algorithm)
            costs, doubts = [], []
            for found in running:
                verify_solution(graph, found.solution)
                costs.append(found.cost)
                doubts.append(found.overestimate is not None)
                assert found.lower_bound <= (0 if doubts[-1] else found.cost)
            assert costs == sorted(set(costs), reverse=True)
            assert doubts == sorted(doubts)
            assert costs[-1:] == ([] if running.result.cost is None else [running.result.cost])


def test_what_fails_is_raised_where_the_next_is_asked_for():
    running = improvements(Broken(), CompleteBeam(width=1), engine="reference")
    with pytest.raises(ProblemError, match="broken"):
        list(running)
    assert list(running) == []
    refused = improvements(puzzle("8-puzzle"), GreedyBestFirst(), limits=Limits(within=2))
    with pytest.raises(UnsuitableError, match="greedy does not go on"):
        next(refused)


class Endless(Broken):
    """A rule that never returns, once the search has come to it."""

    def __init__(self, event):
        self.event = event

    def successors(self, state):
        if state == 2:
            self.event.set()
            while True:
                pass
        return [Step("dear", 9, 50), Step("on", state + 1, 1)]


def test_cancelling_ends_a_rule_that_does_not_return():
    event = threading.Event()
    result = solve(Endless(event), UniformCost(), limits=Limits(cancel=event), engine="reference")
    assert (result.status, result.limit) == (Status.INTERRUPTED, None)
    assert "`successors` has not answered" in result.unfinished


def test_cancelling_ends_the_build_of_a_table():
    event = threading.Event()
    with building_within(Limits(cancel=event)), building("a table") as tell:
        tell("begun")
        event.set()
        with pytest.raises(BuildStoppedError, match=r"interrupted: .* went into building"):
            tell("more")
    stopped = BuildStoppedError(Building(what="a table"), None)
    assert stopped_before(far(), AStar(), stopped).status is Status.INTERRUPTED


def test_wrong_arguments_are_told_at_once():
    with pytest.raises(UsageError, match="problem"):
        improvements("8-puzzle")
    with pytest.raises(UsageError, match="limits"):
        improvements(puzzle("8-puzzle"), limits=10)
