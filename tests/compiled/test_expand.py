"""Problems that list their steps by `expand`: machine code does what the reference engine does."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from searchkit import (
    IDDFS,
    Anytime,
    AStar,
    BeamSearch,
    Bidirectional,
    BreadthFirst,
    Costs,
    GreedyBestFirst,
    IDAStar,
    LimitKind,
    Limits,
    ProblemError,
    UniformCost,
    WeightedAStar,
    WeightedIDAStar,
    explore,
    solve,
)
from searchkit.checks import check_problem
from searchkit.checks.verdicts import Status
from searchkit.compiled.best_first import astar
from searchkit.compiled.depth_first import stack
from searchkit.compiled.specialise.kernels import successors
from searchkit.compiled.specialise.plain import plainly
from searchkit.compiled.specialise.prepare import specialise
from searchkit.errors import CompilationError, Trapped
from searchkit.packed import PackedProblem
from searchkit.running import driver
from tests.support.both_engines import agree
from tests.support.carried import Words
from tests.support.packed_graphs import (
    CarriedEstimate,
    ExpandedGraph,
    ExpandedUnitGraph,
    Graph,
    GraphTables,
    StepEstimate,
    TableEstimate,
    UnitGraph,
    WideEstimate,
    WideExpandedGraph,
    estimates,
    graphs,
)

pytestmark = pytest.mark.usefixtures("by_machine_code")

wanted = st.sampled_from(["one", "all", "count"])


def searches(heuristic, *, unit=False):
    every = [
        UniformCost(), AStar(heuristic), GreedyBestFirst(heuristic),
        WeightedAStar(heuristic, "3/2"), Anytime(heuristic), BeamSearch(heuristic, width=3),
        IDDFS(), IDAStar(heuristic), IDAStar(heuristic, "path"), WeightedIDAStar(heuristic),
    ]  # fmt: skip
    more = [BreadthFirst(), IDDFS(table="1MB"), IDAStar(heuristic, table="1MB")]
    return [*every, *more] if unit else every


def try_all(problem, algorithms, data, **options):
    for algorithm in data.draw(st.lists(st.sampled_from(algorithms), min_size=3, max_size=3)):
        want = data.draw(wanted) if algorithm.finds_all else "one"
        agree(problem, algorithm, want=want, **options)


@pytest.mark.few
@settings(
    deadline=None,
    max_examples=8,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_without_the_compiler(monkeypatch, data):
    monkeypatch.setattr(astar, "AHEAD_LINES", data.draw(st.sampled_from([0, 1 << 15])))
    monkeypatch.setattr(astar, "AHEAD_SECONDS", math.inf)
    tables, starts = data.draw(graphs())
    table = TableEstimate(data.draw(estimates(tables)))
    limits = Limits(
        expansions=data.draw(st.integers(0, 200)), cost=data.draw(st.sampled_from([1, 4, 60]))
    )
    with plainly():
        try_all(ExpandedGraph(tables, starts), searches(table), data, limits=limits)
        wide = WideExpandedGraph(tables, starts)
        try_all(wide, searches(WideEstimate(table.tables.values)), data, limits=limits)
        tables, starts = data.draw(graphs(unit=True))
        table = CarriedEstimate(data.draw(estimates(tables, dead_ends=False)))
        unit = ExpandedUnitGraph(tables, starts)
        try_all(unit, searches(table, unit=True), data, limits=limits)


@settings(deadline=None, max_examples=12)
@given(data=st.data(), ahead=st.sampled_from([0, 1 << 15]))
def test_estimates_follow_the_operators_that_are_yielded(data, ahead):
    tables, starts = data.draw(graphs())
    step = StepEstimate(data.draw(estimates(tables, dead_ends=False)), tables)
    with plainly(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(astar, "AHEAD_LINES", ahead)
        patch.setattr(astar, "AHEAD_SECONDS", math.inf)
        try_all(ExpandedGraph(tables, starts), searches(step), data)


@settings(deadline=None, max_examples=20)
@given(
    data=st.data(), budget=st.sampled_from([1, 2, 5, 1000]), nodes=st.none() | st.integers(0, 60)
)
def test_listed_steps_are_followed_as_operators_are(data, budget, nodes):
    """With tables and without, in slices of any size, up to any limit, by either description."""
    tables, starts = data.draw(graphs(unit=True))
    values = data.draw(estimates(tables, dead_ends=False))
    step, limits = StepEstimate(values, tables), Limits(expansions=nodes, cost=12)
    want = data.draw(wanted)
    with plainly(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(driver, "FIRST_BUDGET", budget)
        patch.setattr(driver, "MOST_BUDGET", budget)
        patch.setattr(stack, "FIRST_CAPACITY", 2)
        for algorithm in (
            IDAStar(step), IDAStar(step, "path"), IDAStar(step, table="1MB"),
            BeamSearch(step, width=3),
        ):  # fmt: skip
            options = {"limits": limits, "held": ()}
            if algorithm.finds_all:
                options["want"] = want
            by_expand = agree(ExpandedUnitGraph(tables, starts), algorithm, **options)
            by_operators = agree(UnitGraph(tables, starts), algorithm, **options)
            for name in ("status", "limit", "cost", "count", "lower_bound"):
                assert getattr(by_expand, name) == getattr(by_operators, name), name
            for name in ("expanded", "generated"):
                ours, theirs = by_expand.statistics, by_operators.statistics
                assert getattr(ours, name) == getattr(theirs, name), name


DIAMOND = GraphTables(
    ((1, -1, 2, -1), (3, -1, 3, -1), (3, 0, -1, -1), (-1, -1, -1, -1)),
    ((3, 0, 1, 0), (1, 0, 2, 0), (4, 1, 0, 0), (0, 0, 0, 0)),
    (0, 0, 0, 1),
)


def test_a_change_that_goes_by_operators_is_followed_by_machine_code():
    for values in ((3, 1, 4, 0), (3, 0, 2, 0)):
        problem, step = ExpandedGraph(DIAMOND, (0,)), StepEstimate(values, DIAMOND)
        assert agree(problem, AStar(step), want="all").cost == 4


@settings(deadline=None, max_examples=20)
@given(data=st.data(), budget=st.sampled_from([1, 3, 1000]))
def test_words_are_carried_along_listed_steps(data, budget):
    tables, starts = data.draw(graphs(unit=data.draw(st.booleans())))
    values = data.draw(estimates(tables))
    early = data.draw(st.tuples(*[st.integers(0, 3)] * len(values)))
    words, unit = Words(values, early), all(cost == 1 for row in tables.costs for cost in row)
    with plainly(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(driver, "FIRST_BUDGET", budget)
        patch.setattr(driver, "MOST_BUDGET", budget)
        patch.setattr(stack, "FIRST_CAPACITY", 2)
        for kind in (ExpandedUnitGraph, UnitGraph) if unit else (ExpandedGraph, Graph):
            for algorithm in (IDAStar(words), IDAStar(words, "path")):
                agree(kind(tables, starts), algorithm, want="all", limits=Limits(cost=12))
            agree(kind(tables, starts), WeightedIDAStar(words), limits=Limits(cost=12))
            agree(
                kind(tables, starts), IDAStar(words, table="1MB"), held=(), limits=Limits(cost=12)
            )


class Lying(StepEstimate):
    """Its `change` is not that of the estimate."""

    def change(self, state, control, operator, child):
        return -9 * operator


class Soaring(StepEstimate):
    """Its `change` is more than any estimate."""

    def change(self, state, control, operator, child):
        return 1 << 62


@pytest.mark.parametrize("kind", [Lying, Soaring])
@pytest.mark.parametrize("search", [AStar, BeamSearch, IDAStar, WeightedIDAStar])
def test_a_change_out_of_the_range_of_estimates_is_an_error(search, kind):
    step = kind((3, 1, 4, 0), DIAMOND)
    with plainly(), pytest.raises(ProblemError, match="no estimate for state"):
        solve(ExpandedGraph(DIAMOND, (0,)), search(step), engine="compiled")


@settings(deadline=None, max_examples=6)
@given(st.data())
def test_with_every_operation_checked(data):
    tables, starts = data.draw(graphs())
    table = TableEstimate(data.draw(estimates(tables)))
    for algorithm in searches(table):
        kinds = ("reference", "checked")
        agree(ExpandedGraph(tables, starts), algorithm, engines=kinds)


@settings(deadline=None, max_examples=10)
@given(st.data())
def test_as_machine_code(data):
    tables, starts = data.draw(graphs())
    table = TableEstimate(data.draw(estimates(tables)))
    for algorithm in (AStar(table), IDAStar(table)):
        agree(ExpandedGraph(tables, starts), algorithm)


class Tables(NamedTuple):
    side: int
    known: np.ndarray


class Grid(PackedProblem[str]):
    """From one corner to the other; columns become known one by one, and each one is a trap."""

    undirected = True
    wrong_at = -1

    def __init__(self, side=6):
        self.tables = Tables(side, np.zeros(side, dtype=np.uint8))
        self.tables.known[0] = 1
        self.traps = []

    def initial_states(self):
        return [0]

    def goal_states(self):
        return [self.tables.side**2 - 1]

    def action(self, state, operator):
        return "NWES"[operator]

    def at_goal(self, state):
        return state == self.tables.side * self.tables.side - 1

    def expand(self, state):
        side = self.tables.side
        y, x = divmod(state, side)
        if y > 0:
            yield 0, state - side
        if x > 0:
            yield 1, state - 1
        if x + 1 < side:
            if self.tables.known[x + 1] == 0:
                raise Trapped
            yield 2, state + 1
        if y + 1 < side:
            yield 3, state + side

    def trapped(self, state):
        self.traps.append(state)
        if state == self.wrong_at:
            raise ValueError("here be dragons")
        self.tables.known[state % self.tables.side + 1] = 1


class Known(Grid):
    """The same without a trap."""

    def __init__(self, side=6):
        super().__init__(side)
        self.tables.known[:] = 1


TRAPPED = [
    BreadthFirst(), Bidirectional(), UniformCost(), GreedyBestFirst(), WeightedAStar(), Anytime(),
    BeamSearch(width=20), IDDFS(), IDDFS(table="1MB"), IDAStar(),
]  # fmt: skip


@pytest.mark.spread
@pytest.mark.parametrize("algorithm", TRAPPED, ids=lambda each: each.name)
@pytest.mark.parametrize("engine", ["reference", "checked", "compiled"])
def test_nothing_is_lost_in_traps(algorithm, engine, monkeypatch):
    monkeypatch.setattr(astar, "AHEAD_LINES", 0)
    monkeypatch.setattr(astar, "AHEAD_SECONDS", math.inf)
    want = "count" if algorithm.finds_all else "one"
    expected = solve(Known(4), algorithm, engine="reference", want=want)
    problem = Grid(4)
    with plainly():
        found = solve(problem, algorithm, engine=engine, want=want)
    assert found.engine == engine
    assert (found.cost, found.count, found.solution) == (
        expected.cost, expected.count, expected.solution,
    )  # fmt: skip
    for name in ("expanded", "generated", "max_frontier", "stored"):
        assert getattr(found.statistics, name) == getattr(expected.statistics, name), name
    assert [state % 4 for state in problem.traps] == [0, 1, 2]


def test_slow_rules_are_not_run_twice_to_look_ahead(monkeypatch):
    """As Python, a state takes far longer than memory; as machine code, rules of authors may."""
    monkeypatch.setattr(astar, "AHEAD_LINES", 0)
    asked = []
    monkeypatch.setattr(astar.BestFirst, "until_goal", noting_what_is_known(asked))
    with plainly():
        slow = solve(Known(20), AStar(), engine="compiled")
    assert slow.cost == 38
    assert asked
    assert not any(asked)
    monkeypatch.setattr(astar, "AHEAD_SECONDS", math.inf)
    with plainly():
        fast = solve(Known(20), AStar(), engine="compiled")
    assert asked[-1]
    assert fast.statistics.expanded == slow.statistics.expanded


def test_small_searches_have_no_kernel_that_looks_ahead(monkeypatch):
    """It takes a fifth of the time of making the machine code of a first search."""
    monkeypatch.setattr(astar, "AHEAD_SECONDS", math.inf)
    asked = []
    monkeypatch.setattr(astar.BestFirst, "until_goal", noting_what_is_known(asked))
    with plainly():
        assert solve(Known(20), AStar(), engine="compiled").cost == 38
    assert asked
    assert not any(asked)


def noting_what_is_known(asked):
    """What notes after each part whether the search looked ahead in it."""
    rest = astar.BestFirst.until_goal

    def until_goal(self, last_f):
        found = yield from rest(self, last_f)
        asked.append(self._ahead is not None)
        return found

    return until_goal


def test_traps_of_machine_code():
    problem = Grid()
    result = solve(problem, BreadthFirst(), engine="compiled")
    assert result.cost == 10
    assert [state % 6 for state in problem.traps] == list(range(5))
    result = solve(Known(800), BreadthFirst(), engine="compiled", limits=Limits(memory=3_000_000))
    assert result.limit is LimitKind.MEMORY
    assert result.statistics.bytes <= 3_000_000


@pytest.mark.parametrize("into", [None, "files"])
def test_a_whole_space_with_traps(into, tmp_path):
    problem = Grid(5)
    options = {} if into is None else {"checkpoint": tmp_path / into}
    with plainly():
        found = explore(problem, engine="compiled", **options)
    assert found.layers == explore(Known(5), engine="reference").layers
    assert problem.traps


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_what_trapped_raises_is_passed_on(engine):
    problem = Grid()
    problem.wrong_at = 2
    with plainly(), pytest.raises(ProblemError, match="ValueError: here be dragons"):
        solve(problem, BreadthFirst(), engine=engine)


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_traps_must_be_dealt_with(engine):
    class Forgets(Grid):
        def trapped(self, state):
            pass

    class Says(Grid):
        trapped = PackedProblem.trapped

    with plainly(), pytest.raises(ProblemError, match="Forgets: expand is trapped by state 0, ag"):
        solve(Forgets(), BreadthFirst(), engine=engine)
    with plainly(), pytest.raises(ProblemError, match="Says: expand is trapped by state 0; define"):
        solve(Says(), BreadthFirst(), engine=engine)


@pytest.mark.parametrize("method", ["at_goal", "estimate"])
def test_other_kernels_give_up(method):
    class Goal(Known):
        def at_goal(self, state):
            if state == 7:
                raise Trapped
            return state == 35

    class Estimate(TableEstimate):
        def estimate(self, state):
            if state == 7:
                raise Trapped
            return self.tables.values[state]

    problem = Goal() if method == "at_goal" else Known()
    search = AStar(Estimate((0,) * 36)) if method == "estimate" else UniformCost()
    with plainly(), pytest.raises(CompilationError, match=r"line \d+: machine code is trapped by"):
        solve(problem, search, engine="compiled")


def test_costs_must_keep_the_promise():
    class Cheap(ExpandedGraph):
        costs = Costs.UNIT

    tables = GraphTables(((1, -1, -1, -1), (0, -1, -1, 1)), ((1,) * 4, (3,) * 4), (0, 0))
    for algorithm in (BreadthFirst(), AStar(), IDDFS(), BeamSearch(), IDDFS(table="1MB")):
        for engine in ("reference", "compiled"):
            with plainly(), pytest.raises(ProblemError, match="costs 3"):
                solve(Cheap(tables, (0,)), algorithm, engine=engine)


class Star(PackedProblem[int]):
    """A state with many children."""

    wide = 3000

    def initial_states(self):
        return [0]

    def action(self, state, operator):
        return operator

    def at_goal(self, state):
        return state == 2999

    def expand(self, state):
        if state == 0:
            for child in range(1, 3000):
                yield child, child


def test_room_for_children_grows_and_ends(monkeypatch):
    with plainly():
        for algorithm in (BreadthFirst(), UniformCost(), IDDFS(), BeamSearch(width=1)):
            agree(Star(), algorithm)
        assert explore(Star(), engine="compiled").states == 3000
        monkeypatch.setattr(astar, "MOST_LISTED", 100)
        with pytest.raises(ProblemError, match="a state has more than 100 steps; engine="):
            solve(Star(), UniformCost(), engine="compiled")


def _yields_one(self, state):
    yield state


def _returns(self, state):
    yield 0, state
    return 5


def _raises(self, state):
    yield 0, state
    raise ValueError


@pytest.mark.parametrize(
    ("function", "message"),
    [(_yields_one, "yields what is not a step; write"),
     (_returns, "returns a value; expand yields"), (_raises, "raises an error; use assert")],
)  # fmt: skip
def test_what_expand_may_not_hold(function, message):
    kind = type("Wrong", (Star,), {"expand": function})
    with plainly(), pytest.raises(CompilationError, match=rf"Wrong: kernel expand.*{message}"):
        specialise(kind(), None, (successors,), LEAST_COST=1, MOST_COST=1)


def test_what_expand_yields_is_looked_at():
    for step, message in (((1,), "must yield"), ((0, -1), "words are ints"), (5, "must yield")):
        given = step

        def expand(self, state, given=given):
            yield given

        kind = type("Odd", (Star,), {"expand": expand})
        with pytest.raises(ProblemError, match=message):
            solve(kind(), BreadthFirst(), engine="reference")


def test_laws():
    tables = GraphTables(((1, 2, -1, 2), (0, -1, 2, 1), (-1,) * 4), ((1, 2, 3, 4),) * 3, (0, 0, 1))
    with plainly():
        report = check_problem(ExpandedGraph(tables, (0,)))
    found = {each.law: each.status for each in report.verdicts}
    assert Status.FAILS not in found.values(), report
    assert found["machine-code"] is found["kernels"] is found["engines"] is Status.HOLDS
    assert found["controls"] is found["inverses"] is Status.ABSENT


def test_operators_are_for_other_problems():
    class Nothing(PackedProblem[int]):
        initial_states, action, at_goal = Star.initial_states, Star.action, Star.at_goal

    with pytest.raises(TypeError, match=r"apply.*operators"):
        Nothing()
    assert Star().operators(0) == ()
