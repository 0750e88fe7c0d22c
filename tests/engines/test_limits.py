"""Time, memory, interruption and progress: each stops in time and says what is known."""

import itertools
from typing import Any

import attrs
import pytest

from searchkit import (
    IDDFS,
    AStar,
    Bidirectional,
    BreadthFirst,
    Costs,
    IDAStar,
    LimitKind,
    Limits,
    Problem,
    ProblemError,
    Status,
    Step,
    UniformCost,
    UnsuitableError,
    UsageError,
    solve,
)
from searchkit_sliding import eight_puzzle

ALL = [BreadthFirst(), Bidirectional(), AStar(), UniformCost(), IDDFS(), IDAStar()]
by_name = pytest.mark.parametrize("algorithm", ALL, ids=lambda algorithm: algorithm.name)


@attrs.frozen
class Lattice(Problem):
    """Walks on an endless grid towards a goal that is far away."""

    distance: int = 10**6
    pause: float = 0.0
    clock: Any = None
    undirected = True

    def initial_states(self):
        return [(0, 0)]

    def goal_states(self):
        return [(self.distance, 0)]

    def is_goal(self, state):
        return state == (self.distance, 0)

    def successors(self, state):
        if self.pause:
            self.clock.now += self.pause
        x, y = state
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            yield Step((dx, dy), (x + dx, y + dy))

    def heuristic(self, state):
        return (abs(state[0] - self.distance) + abs(state[1])) // 4


@pytest.fixture
def slow_clock(clock):
    """A clock on which slices grow no longer."""
    clock.tick = 0.011
    return clock


@by_name
def test_time_limit(algorithm, slow_clock):
    result = solve(Lattice(), algorithm, limits=Limits(time=2))
    assert result.status is Status.LIMIT
    assert result.limit is LimitKind.TIME
    assert 2 <= result.statistics.seconds < 2.1
    assert result.statistics.expanded > 0
    assert result.lower_bound > 0
    assert "time limit" in result.advice


@by_name
def test_time_limit_with_slow_successors(algorithm, slow_clock):
    result = solve(Lattice(pause=0.2, clock=slow_clock), algorithm, limits=Limits(time=2))
    assert result.limit is LimitKind.TIME
    assert result.statistics.seconds < 2.6
    assert result.statistics.expanded <= 11


@pytest.mark.slow_variants("ucs", "astar")
@pytest.mark.parametrize(
    "algorithm", [BreadthFirst(), Bidirectional(), AStar(), UniformCost()], ids=lambda a: a.name
)
def test_memory_limit(algorithm):
    result = solve(Lattice(), algorithm, limits=Limits(memory=5_000_000, time=60))
    assert result.limit is LimitKind.MEMORY
    # A table of a dict that would be copied to one too large ends it sooner.
    assert 2_500_000 < result.statistics.bytes < 5_600_000
    assert result.statistics.stored > 1000


@by_name
def test_interrupt_returns_what_is_known(algorithm, ctrl_c):
    result = solve(Lattice(), algorithm, limits=Limits(memory=500_000_000), progress=ctrl_c)
    assert result.status is Status.INTERRUPTED
    assert result.limit is None
    assert result.statistics.expanded == ctrl_c.pressed.expanded > 0
    assert result.lower_bound > 0


@by_name
def test_progress_is_told(algorithm, slow_clock):
    seen = []
    solve(Lattice(), algorithm, limits=Limits(time=2), progress=seen.append)
    assert len(seen) >= 2
    counts = [each.expanded for each in seen]
    assert counts == sorted(counts)
    assert all(a.seconds < b.seconds for a, b in itertools.pairwise(seen))


@pytest.mark.parametrize("field", ["time", "memory", "expansions", "cost"])
def test_negative_limits_are_refused(field):
    with pytest.raises(UsageError, match=f"limit {field} is -1;"):
        Limits(**{field: -1})


def test_bad_options_are_refused():
    with pytest.raises(UsageError, match="want"):
        solve(Lattice(), BreadthFirst(), want="some")
    with pytest.raises(UsageError, match="want is 0; it must be 'one'"):
        solve(Lattice(), BreadthFirst(), want=0)
    with pytest.raises(UsageError, match="cycles"):
        IDDFS(cycles="never")


class Weighted(Lattice):
    costs = Costs.INTEGER


class OneWay(Lattice):
    undirected = False


def test_unsuitable_problems_are_refused():
    with pytest.raises(UnsuitableError, match="unit costs"):
        solve(Weighted(), BreadthFirst())
    with pytest.raises(UnsuitableError, match="unit costs"):
        solve(Weighted(), Bidirectional())
    with pytest.raises(UnsuitableError, match="predecessors"):
        solve(OneWay(), Bidirectional())


class Broken(Lattice):
    def successors(self, state):
        return [Step("go", 1 // 0)]


class Negative(Lattice):
    def successors(self, state):
        return [Step("go", (1, 1), -1)]


class NotSteps(Lattice):
    def successors(self, state):
        return None


@by_name
@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (Broken(), "ZeroDivisionError"),
        (Negative(), "costs -1"),
        (NotSteps(), "returns None, which is not a list of steps; does it"),
    ],
    ids=["raises", "negative cost", "not iterable"],
)
def test_broken_problems_are_blamed(algorithm, problem, words):
    with pytest.raises(ProblemError, match=words) as caught:
        solve(problem, algorithm)
    assert type(problem).__name__ in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("cost", [-1, 0.5, None, "1", 1 << 60])
@pytest.mark.parametrize("costs", [Costs.UNIT, Costs.INTEGER])
def test_a_wrong_cost_names_its_line_and_what_would_be_right(cost, costs):
    class Odd(Negative):
        def successors(self, state):
            return [Step("go", (1, 1), cost)]

    Odd.costs = costs
    with pytest.raises(ProblemError) as caught:
        solve(Odd(), AStar(), engine="reference")
    line = Odd.successors.__code__.co_firstlineno
    said = str(caught.value)
    assert said.endswith(f"({__file__}:{line} in successors)")
    assert ("costs = Costs.INTEGER" in said) == (costs is Costs.UNIT and cost != 1 << 60)
    assert "; " in said


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_what_h_proves_stays_proved_at_a_cost_limit(engine):
    result = solve(eight_puzzle(), IDAStar(), engine=engine, limits=Limits(cost=5))
    assert (result.status, result.limit, result.lower_bound) == (Status.LIMIT, LimitKind.COST, 21)


@pytest.mark.parametrize("place", ["searchkit.premises.reasons.Premises.check_again",
                                   "searchkit.solving.helps.help_at_limit"])  # fmt: skip
def test_ctrl_c_after_a_limit_is_no_limit_any_more(monkeypatch, place):
    """Else a caller that goes on after a limit, with databases perhaps, does so after Ctrl-C."""

    def interrupt(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(place, interrupt)
    limits = Limits(memory=30_000)
    result = solve(eight_puzzle(), AStar(), engine="reference", limits=limits)
    assert (result.status, result.limit) == (Status.INTERRUPTED, None)
