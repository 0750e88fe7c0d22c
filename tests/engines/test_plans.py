"""Which engine runs is decided once: plans, their trials and fallbacks, and series of searches."""

import pytest

from searchkit import (
    IDDFS,
    Algorithm,
    AStar,
    BeamSearch,
    Bidirectional,
    BreadthFirst,
    IDAStar,
    Limits,
    Problem,
    Step,
    UniformCost,
    UnsuitableError,
    UsageError,
    puzzle,
    solve,
)
from searchkit.engine import Engine
from searchkit.errors import CompilationError, NoRoomError
from searchkit.limits import LimitKind
from searchkit.problem import Costs
from searchkit.result import Statistics
from searchkit.solving.default import default_class
from searchkit.solving.plan import TRIAL_NODES, Plan, Ran, Trials, check_choice, plan
from searchkit.solving.series import Series
from searchkit_sliding import eight_puzzle

NOT_PACKED = "a symmetry does not say where it moves bits or fields (Symmetry.bits, fields)"


class Uncompiled(Algorithm):
    """With a reference engine only."""

    name, summary, engines = "own", "", {"reference": "reference.bfs:breadth_first"}


class Walk(Problem):
    """Along the numbers to 0; it says nothing of its goals."""

    undirected = True

    def __init__(self, bound=0):
        self.bound = bound

    def initial_states(self):
        return [3]

    def successors(self, state):
        return [Step("left", state - 1), Step("right", state + 1)]

    def is_goal(self, state):
        return state == 0

    def heuristic(self, state):
        return self.bound * abs(state)


class Listed(Walk):
    def goal_states(self):
        return [0]


class Costly(Listed):
    costs = Costs.INTEGER


@pytest.mark.parametrize(
    ("problem", "expected"),
    [
        (Walk(bound=1), AStar),
        (Walk(), BreadthFirst),
        (Listed(), Bidirectional),
        (Costly(), UniformCost),
    ],
)
def test_the_default_algorithm(problem, expected):
    assert default_class(problem) is expected
    found = solve(problem)
    assert type(found.algorithm) is expected
    assert found.cost == 3


def test_the_default_heuristic_is_the_best_that_is_ready():
    found = solve(puzzle("15-puzzle"), limits=Limits(expansions=0))
    assert type(found.algorithm) is IDAStar
    assert found.heuristic not in (None, "problem", "manhattan")


def test_all_solutions_are_counted_without_an_algorithm():
    assert solve(Listed(), want="count").count == 1


@pytest.mark.parametrize(
    ("engine", "algorithm", "told"),
    [
        ("reference", AStar(), "reference engine"),
        ("compiled", AStar(), "compiled engine"),
        ("auto", AStar(), "compiled engine, after a trial of the reference engine"),
        ("auto", IDDFS(operator_pruning=4), "compiled engine"),
        ("auto", BeamSearch(), "compiled engine, after a trial of the reference engine"),
        ("auto", Uncompiled(), "reference engine"),
        ("auto", BreadthFirst(symmetry="auto"), f"reference engine: {NOT_PACKED}"),
    ],
)
def test_a_plan_explains_itself(engine, algorithm, told):
    assert str(plan(eight_puzzle(), algorithm, engine=engine)) == told


class Keyed(Walk):
    """States that are equal by something else."""

    def key(self, state):
        return abs(state)


def test_what_was_asked_for_and_cannot_be_is_refused():
    with pytest.raises(UnsuitableError, match="Keyed is not a PackedProblem, and its key is"):
        plan(Keyed(), AStar(), engine="compiled")
    with pytest.raises(UnsuitableError, match="own has no compiled engine; it has reference"):
        plan(Walk(), Uncompiled(), engine="compiled")
    with pytest.raises(UsageError, match="engine is 'fast'; it must be 'auto', "):
        check_choice("fast")
    with pytest.raises(UsageError, match="threads is 0; it must be 1 or more"):
        Engine("compiled", threads=0)


def ran(expanded, limit=None, seconds=0.0):
    statistics = Statistics(expanded=expanded, seconds=seconds)
    return Ran(found=expanded, limit=limit, statistics=statistics)


def carried_out(planned, limits, *, trial, fails=False):
    """What a plan runs, and what it says in the end."""
    calls = []

    def run(kind, limits, tried):
        calls.append(kind)
        if kind == "compiled" and fails:
            raise (fails if isinstance(fails, Exception) else CompilationError("no"))
        return trial if tried is None and planned.trial and len(calls) == 1 else ran(1)

    found = planned.carry_out(limits, run)
    return calls, found.kind, found.reason


STOPPED = ran(TRIAL_NODES, LimitKind.EXPANSIONS)
COMPILED = {"kind": "compiled", "trial": True, "fallback": True}


@pytest.mark.parametrize(
    ("trial", "fails", "expected"),
    [
        (ran(5), False, (["reference"], "reference", "it was done in the trial")),
        (
            ran(TRIAL_NODES, LimitKind.EXPANSIONS),
            False,
            (["reference", "compiled"], "compiled", None),
        ),
        (
            STOPPED,
            True,
            (["reference", "compiled", "reference"], "reference", "no"),
        ),
    ],
)
def test_a_trial_and_a_fallback(trial, fails, expected):
    planned = Plan(**COMPILED)
    assert carried_out(planned, Limits(), trial=trial, fails=fails) == expected
    assert planned.trials.no_code == ("no" if fails else None)
    assert planned.trials.are_over == (trial.limit is not None)


def test_where_one_puzzle_has_numbers_that_are_too_large_others_are_tried():
    planned = Plan(**COMPILED)
    found = carried_out(planned, Limits(), trial=STOPPED, fails=NoRoomError("large"))
    assert found == (["reference", "compiled", "reference"], "reference", "large")
    assert planned.trials.no_code is None


def test_without_a_fallback_the_error_is_told():
    planned = Plan(kind="compiled")
    with pytest.raises(CompilationError):
        carried_out(planned, Limits(), trial=ran(1), fails=True)


def test_what_was_tried_before_is_not_tried_again():
    eight = eight_puzzle()
    assert not plan(eight, AStar(), trials=Trials(are_over=True)).trial
    hopeless = plan(eight, AStar(), trials=Trials(no_code="no compiler"))
    assert (hopeless.kind, hopeless.reason) == ("reference", "no compiler")
    assert plan(eight, AStar(), engine="compiled", trials=Trials(no_code="no")).kind == "compiled"


def test_a_series_finds_what_single_searches_find():
    series = Series(algorithm=AStar(), engine="reference")
    start = eight_puzzle()
    states = list(start.initial_states())
    for _ in range(40):
        states.append(next(iter(start.successors(states[-1]))).state)
    for state in dict.fromkeys(states):
        board = start.with_start(state)
        one, other = series.solve(board), solve(board, AStar(), engine="reference")
        assert (one.cost, one.lower_bound, one.statistics.expanded) == (
            other.cost, other.lower_bound, other.statistics.expanded
        )  # fmt: skip
