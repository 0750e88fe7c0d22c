"""Problems and engines that contradict themselves: never "solved" without a solution."""

import itertools
import math
import random
import signal
from collections.abc import Iterable
from contextlib import suppress

import attrs
import pytest

from searchkit import (
    IDDFS,
    INFINITY,
    Algorithm,
    AStar,
    Bidirectional,
    BreadthFirst,
    Costs,
    Heuristic,
    IDAStar,
    LimitKind,
    Limits,
    PackedHeuristic,
    Problem,
    ProblemError,
    Status,
    Step,
    UniformCost,
    UnsuitableError,
    UsageError,
    solve,
)
from searchkit.certificates import Certificate
from searchkit.checks.conformance import check_problem
from searchkit.errors import EngineError, LawError
from searchkit.explore import explore
from searchkit.running.task import Outcome
from searchkit.solutions.optimal_graph import NotReplayedError, OptimalGraph
from searchkit.solving.engines import register_engine
from searchkit_sliding import eight_puzzle
from tests.support.honest import Lamps

ALL = [BreadthFirst(), Bidirectional(), AStar(), UniformCost(), IDDFS(), IDAStar()]
by_name = pytest.mark.parametrize("algorithm", ALL, ids=lambda algorithm: algorithm.name)
wanted = pytest.mark.parametrize("want", ["one", "all", "count"])
FEW = Limits(expansions=2000, time=20, memory=10**8)


class Walk(Problem):
    """Walk along the numbers from 0 to 3."""

    undirected = True

    def initial_states(self):
        return [0]

    def successors(self, state):
        return [Step("right", state + 1), Step("left", state - 1)]

    def is_goal(self, state):
        return state == 3

    def goal_states(self):
        return [3]


class Plain:
    """A state that is equal to nothing but itself."""

    def __init__(self, value):
        self.value = value


class Unequal(Walk):
    def initial_states(self):
        return [Plain(0)]

    def successors(self, state):
        yield Step("a", Plain(state.value + 1))

    def is_goal(self, state):
        return state.value == 3

    def goal_states(self):
        return [Plain(3)]

    undirected = False

    def predecessors(self, state):
        yield Step("a", Plain(state.value - 1))


class Mutating(Walk):
    """The one state there is, a list, is changed in place."""

    def initial_states(self):
        return [[0]]

    def key(self, state):
        return state[0]

    def successors(self, state):
        state[0] += 1
        yield Step("a", state)

    def is_goal(self, state):
        return state[0] >= 3

    def goal_states(self):
        return [[3]]


class Random(Walk):
    def __init__(self):
        self.random = random.Random(1)

    def successors(self, state):
        for _ in range(3):
            yield Step("hop", self.random.randrange(10**6))

    def is_goal(self, state):
        return state % 5 == 3


class Seldom(Walk):
    """The only step is there one time in twenty."""

    undirected = False

    def __init__(self):
        self.asked = 0

    def successors(self, state):
        self.asked += 1
        if self.asked % 20 == 0:
            yield Step("on", state + 1)


def test_steps_that_chance_hides_are_no_proof():
    said = "no solution found, but .* gives 0 steps at 0, and then 1 when asked again"
    for engine in ("reference", "auto"):
        with pytest.raises(LawError, match=said):
            solve(Seldom(), BreadthFirst(), engine=engine)


class NoGoal(Walk):
    def goal_states(self):
        return [2, 3]


@attrs.frozen
class Weight:
    value: float


class Weighed(Walk):
    """What a step leads to has a NaN of its own, alone or within something else."""

    undirected = False

    def __init__(self, within):
        self.within = within

    def initial_states(self):
        return [self.within(1.5)]

    def successors(self, state):
        return [Step("lost", self.within(INFINITY - INFINITY))]

    def is_goal(self, state):
        return False


@pytest.mark.parametrize("within", [float, Weight, lambda x: (1, (x,)), lambda x: frozenset([x])])
def test_a_nan_in_a_state_is_told_of(within):
    said = r"breaks the law keys: successors gives .*nan.*: nan equals nothing, not even nan"
    with pytest.raises(ProblemError, match=said):
        solve(Weighed(within), UniformCost(), limits=FEW)
    report = check_problem(Weighed(within), states=20, laws=["successors"])
    assert "nan equals nothing" in str(report)


def test_the_same_nan_each_time_is_no_contradiction():
    class Same(Weighed):
        def successors(self, state):
            return [Step("on", (2, math.nan))]

        def is_goal(self, state):
            return state[0] == 2

    assert solve(Same(lambda x: (1, x)), UniformCost()).cost == 1


@wanted
@pytest.mark.parametrize(
    "algorithm", [a for a in ALL if a.name != "bidirectional"], ids=lambda a: a.name
)
def test_states_without_equality(algorithm, want):
    with pytest.raises(ProblemError, match="breaks the law keys: Plain lacks __eq__ and __hash__"):
        solve(Unequal(), algorithm, want=want, limits=FEW)


@wanted
@by_name
@pytest.mark.parametrize("problem", [Unequal, Mutating, Random, NoGoal])
def test_solved_means_there_is_a_solution(problem, algorithm, want):
    with suppress(ProblemError):
        result = solve(problem(), algorithm, want=want, limits=FEW)
        assert (result.status is Status.SOLVED) == (result.solution is not None)
        assert result.count != 0 or result.status is not Status.SOLVED


def test_a_goal_that_is_none():
    with pytest.raises(ProblemError, match="goal_states lists 2, which is_goal denies"):
        solve(NoGoal(), Bidirectional())


def test_the_cause_is_named():
    with pytest.raises(ProblemError, match="law successors: successors gives other steps"):
        solve(Random(), AStar(), limits=FEW)


# Costs


def with_cost(cost, promise):
    class Costly(Walk):
        costs = promise

        def successors(self, state):
            return [Step(step.action, step.state, cost) for step in super().successors(state)]

        predecessors = successors

    return Costly()


def priced(costs):
    """Each algorithm with each cost and promise that it accepts."""
    return pytest.mark.parametrize(
        ("algorithm", "cost", "promise"),
        [
            pytest.param(algorithm, cost, promise, id=f"{algorithm.name}-{cost}-{promise.name}")
            for algorithm in ALL
            for cost, promise in costs
            if promise is Costs.UNIT or algorithm.name not in ("bfs", "bidirectional")
        ],
    )


@priced(
    [
        (2, Costs.UNIT),
        (0, Costs.UNIT),
        (2, Costs.ZERO_ONE),
        (-1, Costs.ZERO_ONE),
        (0.5, Costs.INTEGER),
        (1.5, Costs.INTEGER),
        (-1, Costs.INTEGER),
        (INFINITY, Costs.INTEGER),
        (float("nan"), Costs.INTEGER),
        (float("nan"), Costs.UNIT),
        ("1", Costs.INTEGER),
    ]
)
def test_costs_that_break_the_promise(algorithm, cost, promise):
    problem = with_cost(cost, promise)
    with pytest.raises(ProblemError, match="costs"):
        solve(problem, algorithm, limits=FEW)


@priced([(True, Costs.UNIT), (1, Costs.ZERO_ONE), (True, Costs.INTEGER)])
def test_costs_that_keep_it(algorithm, cost, promise):
    solution = solve(with_cost(cost, promise), algorithm).solution
    assert solution.cost == 3
    assert {type(step.cost) for step in solution.steps} == {int}


def test_explore_checks_costs_too():
    with pytest.raises(ProblemError, match="costs 2"):
        explore(with_cost(2, Costs.UNIT), backward=False, limits=FEW)


# Dead ends


class Doomed(Walk):
    """Everything to the left of 0 is called hopeless; all is if 3 is not a goal, which is true."""

    def __init__(self, everything=False):
        self.everything = everything

    def is_goal(self, state):
        return state == 3 and not self.everything

    def heuristic(self, state):
        return INFINITY if state < 0 or self.everything else 0


def test_dead_ends_are_not_expanded():
    result = solve(Doomed(), AStar(), want="all")
    assert result.statistics.expanded == 3
    assert solve(Doomed(), AStar(), limits=Limits(cost=2)).limit is LimitKind.COST


@pytest.mark.parametrize("algorithm", [AStar(), IDAStar()], ids=lambda a: a.name)
def test_nothing_but_dead_ends_is_unsolvable(algorithm):
    result = solve(Doomed(everything=True), algorithm)
    assert result.status is Status.UNSOLVABLE
    assert result.statistics.expanded == 0
    assert result.count == 0


@pytest.mark.parametrize("algorithm", [AStar(), IDAStar()], ids=lambda a: a.name)
def test_an_estimate_that_is_not_a_number(algorithm):
    class Nan(Walk):
        def heuristic(self, state):
            return float("nan") if state == 2 else 0

    with pytest.raises(ProblemError, match="gives nan for state 2"):
        solve(Nan(), algorithm)


# Whatever is raised


class Custom(BaseException):
    """Neither an Exception nor one of Python's own."""


PARTS = ["initial_states", "successors", "is_goal", "key", "heuristic", "certificate"]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize(
    "error", [SystemExit(0), GeneratorExit(), Custom("mine"), UsageError("mine"), KeyError("mine")],
    ids=lambda error: type(error).__name__,
)  # fmt: skip
def test_what_is_raised_in_the_code_of_a_problem(part, error):
    class Raising(Walk):
        def certificate(self, state):
            return None

    def fail(*_):
        raise error

    setattr(Raising, part, fail)
    with pytest.raises(ProblemError) as caught:
        solve(Raising(), AStar())
    text = str(caught.value)
    assert text.startswith(f"Raising failed: {type(error).__name__}")
    assert "test_contradictions.py" in text
    assert "\n" not in text


def test_a_default_heuristic_that_raises():
    class Raising(Walk):
        def default_heuristic(self):
            raise SystemExit

    with pytest.raises(ProblemError, match="Raising failed: SystemExit"):
        solve(Raising(), AStar())


@pytest.mark.parametrize("engine", ["reference", "checked"])
def test_what_is_raised_in_the_code_of_a_plain_heuristic(engine):
    class Failing(Heuristic):
        name = "failing"

        def __call__(self, state):
            raise LookupError("no table")

    with pytest.raises(ProblemError, match=r"^Failing failed: LookupError: no table at .*__call__"):
        solve(Lamps(), AStar(Failing()), engine=engine)


@pytest.mark.parametrize("engine", ["reference", "checked", "compiled"])
def test_what_is_raised_in_a_kernel_of_a_heuristic(engine):
    class Failing(PackedHeuristic):
        def estimate(self, state):
            return no_such_name  # noqa: F821

    with pytest.raises(ProblemError, match=r"^Failing\b.*no_such_name"):
        solve(Lamps(), AStar(Failing()), engine=engine)


def test_the_heuristic_of_starts():
    class Raising(Heuristic):
        def __call__(self, state):
            raise LookupError("no table")

    with pytest.raises(ProblemError, match="LookupError: no table"):
        solve(Walk(), IDAStar(heuristic=Raising()))


def test_certificates_are_one_line():
    class Certified(Walk):
        def is_goal(self, state):
            return False

        def certificate(self, state):
            return Certificate("of\nmine", "no\n  way")

    assert solve(Certified(), AStar()).certificate == Certificate("of mine", "no way")


def test_certificates_are_certificates():
    class Certified(Walk):
        def certificate(self, state):
            return "no way"

    with pytest.raises(ProblemError, match="certificate returned 'no way'; it must be a Certific"):
        solve(Certified(), AStar())


# Endless successors


class Endless(Walk):
    undirected = False

    def __init__(self, same=False, ctrl_c_after=None):
        self.same, self.ctrl_c_after = same, ctrl_c_after

    def successors(self, state):
        number = 3
        for given in itertools.count():
            if given == self.ctrl_c_after:
                signal.raise_signal(signal.SIGINT)
            number += 0 if self.same else 1
            yield Step(number, number + 10**6)

    predecessors = successors

    def goal_states(self):
        return [1]

    def is_goal(self, state):
        return state == 1


@pytest.mark.spread
@by_name
@pytest.mark.parametrize("same", [False, True])
@pytest.mark.parametrize(
    "limits", [Limits(time=0.02), Limits(expansions=1)], ids=["time", "expansions"]
)
def test_limits_hold_amid_an_endless_expansion(algorithm, same, limits):
    if same and algorithm.name in ("iddfs", "idastar") and limits.time is None:
        limits = Limits(time=0.02)
    result = solve(Endless(same), algorithm, limits=limits)
    assert result.status is Status.LIMIT


def test_memory_limit_amid_an_endless_expansion():
    result = solve(Endless(), BreadthFirst(), limits=Limits(memory=30_000_000))
    assert result.limit is LimitKind.MEMORY


def test_ctrl_c_amid_an_endless_expansion():
    result = solve(Endless(same=True, ctrl_c_after=100_000), UniformCost())
    assert result.status is Status.INTERRUPTED


# Engines of plugins


def engine_for(engine, kind="reference"):
    @attrs.frozen
    class Mine(Algorithm):
        name = "mine"
        summary = "of a plugin"

    register_engine(Mine, kind, engine)
    return Mine()


def generator(outcome):
    def engine(task):
        yield
        return outcome

    return engine


@pytest.mark.parametrize(
    ("engine", "words"),
    [
        (generator(None), "engine of mine returned None"),
        (generator("done"), "engine of mine returned 'done'"),
        (lambda task: Outcome(), "engine of mine is not a generator"),
        (lambda task: None, "engine of mine is not a generator"),
    ],
)
def test_engines_that_break_the_contract(engine, words):
    with pytest.raises(EngineError, match=words):
        solve(Walk(), engine_for(engine))


def test_a_problem_whose_file_registers_an_algorithm_is_blamed_like_any_other():
    """The package of an algorithm is a home of what algorithms refuse, not of problems."""
    engine_for(generator(None))

    class Raising(Walk):
        def successors(self, state):
            raise UsageError("mine")

    with pytest.raises(ProblemError, match="Raising failed: UsageError: mine at"):
        solve(Raising(), AStar())


def test_an_engine_with_a_cost_and_no_solution():
    with pytest.raises(ProblemError, match="or the engine is wrong"):
        solve(Walk(), engine_for(generator(Outcome(cost=1))))


def test_engines_of_other_kinds():
    found = Outcome(cost=3, remaining={number: 3 - number for number in range(4)})
    assert solve(Walk(), engine_for(generator(found), "turbo")).engine == "turbo"
    with pytest.raises(UnsuitableError, match="mine has a compiled engine only"):
        solve(Walk(), engine_for(generator(found), "compiled"))


def counting(task):
    """Breadth-first search that takes no state for a goal; yields just before every expansion."""
    layer = list(task.starts)
    while layer:
        following = []
        for state in layer:
            yield
            task.counters.expanded += 1
            following += [step.state for step in task.problem.successors(state)]
        layer = following
    return Outcome()


def counting_in_slices(task):
    """The same as a compiled engine does it."""
    running = counting(task)
    next(running)
    yield
    while True:
        while task.budget > 0:
            task.budget -= 1
            next(running)
        yield


@pytest.mark.parametrize(
    ("engine", "kind"), [(counting, "reference"), (counting_in_slices, "compiled")]
)
@pytest.mark.parametrize("most", [0, 1, 2, 7, 1001])
def test_a_limit_on_expansions_is_exact_for_engines_of_plugins(engine, kind, most):
    problem = eight_puzzle() if kind == "compiled" else Walk()
    found = solve(problem, engine_for(engine, kind), limits=Limits(expansions=most), engine=kind)
    assert found.limit is LimitKind.EXPANSIONS
    assert found.statistics.expanded == most


def test_an_engine_that_does_not_say_what_it_expands_is_believed():
    class Keyed(Walk):
        def key(self, state):
            return state + 0

    found = solve(Keyed(), engine_for(counting), limits=Limits(expansions=7))
    assert found.limit is LimitKind.EXPANSIONS


# Exploring


def test_an_exploration_stopped_early_shows_the_last_layer():
    found = explore(Walk(), limits=Limits(expansions=4))
    assert found.depth == len(found.layers) - 1
    assert len(found.farthest) == found.layers[-1] > 0


def test_a_cost_limit_at_the_last_layer_is_none():
    class Ring(Walk):
        def successors(self, state):
            return [Step("+", (state + 1) % 8), Step("-", (state - 1) % 8)]

    assert explore(Ring(), limits=Limits(cost=4)).complete
    stopped = explore(Ring(), limits=Limits(cost=3))
    assert stopped.limit is LimitKind.COST
    assert stopped.layers == (1, 2, 2, 2)
    assert len(stopped.farthest) == 2


@by_name
def test_a_start_that_is_a_goal_is_stored(algorithm):
    class There(Walk):
        def initial_states(self):
            return [3]

    assert solve(There(), algorithm).statistics.stored >= 1


class Corner(Problem[tuple[int, int], str]):
    """Go down and right on a board; there is no goal."""

    def __init__(self) -> None:
        self.asked = 0

    def initial_states(self) -> list[tuple[int, int]]:
        return [(0, 0)]

    def successors(self, state: tuple[int, int]) -> list[Step[tuple[int, int], str]]:
        self.asked += 1
        assert self.asked <= 500, "the same dead ends are met on all ways to them"
        row, column = state
        return [Step("down", (row + 1, column)), Step("right", (row, column + 1))]

    def is_goal(self, state: tuple[int, int]) -> bool:
        return False


def test_distances_without_a_goal_are_followed_once() -> None:
    """Merged keys leave distances that lead nowhere; listing them once took for ever."""
    remaining = {(i, j): 40 - i - j for i in range(20) for j in range(20)}
    with pytest.raises(NotReplayedError, match="no step that leads on"):
        list(OptimalGraph(Corner(), [(0, 0)], 40, remaining))


class Grid(Problem[tuple[int, int], str]):
    """To the far corner, by steps whose length can be changed."""

    length = 1

    def initial_states(self) -> list[tuple[int, int]]:
        return [(0, 0)]

    def successors(self, state: tuple[int, int]) -> Iterable[Step[tuple[int, int], str]]:
        row, column = state
        if row < 4:
            yield Step("down", (row + self.length, column))
        if column < 4:
            yield Step("right", (row, column + 1))

    def is_goal(self, state: tuple[int, int]) -> bool:
        return state == (4, 4)


@pytest.mark.parametrize("listed", [0, 1])
def test_a_listing_says_that_rules_were_changed_since_the_search(listed: int) -> None:
    problem = Grid()
    solutions = iter(solve(problem, BreadthFirst(), want="all").solutions)
    assert len(list(itertools.islice(solutions, listed))) == listed
    problem.length = 2
    with pytest.raises(NotReplayedError, match="other states or costs the second time"):
        list(solutions)
