"""Solutions counted and listed from sets of states, against the reference engine."""

import pytest
from hypothesis import given, settings

from searchkit import BreadthFirst, LimitKind, Limits, Status, UniformCost, solve
from searchkit.compiled.specialise.plain import plainly
from searchkit.compiled.states.kernels.ways import Ways
from searchkit.compiled.states.solutions import StoredDistances
from tests.compiled.test_bitmap_paths import two_tracks
from tests.support.interrupting import look_often, stopped_ever_later
from tests.support.toggle_spaces import Toggles, counter, tables, toggle_spaces

pytestmark = pytest.mark.usefixtures("by_machine_code")

ALGORITHMS = [BreadthFirst(), UniformCost()]
by_algorithm = pytest.mark.parametrize("algorithm", ALGORITHMS, ids=str)


@pytest.fixture(autouse=True)
def stored(monkeypatch, brief_looks):
    """How many counts there were."""
    made = []
    counting = StoredDistances.counting

    def noted(self, run, starts):
        made.append(self)
        return counting(self, run, starts)

    monkeypatch.setattr(StoredDistances, "counting", noted)
    return made


def check(problem, algorithm):
    """The answers of both engines; they must be the same."""
    expected = solve(problem, algorithm, engine="reference", want="count")
    found = solve(problem, algorithm, engine="compiled", want="count")
    assert (found.status, found.cost, found.count) == (
        expected.status, expected.cost, expected.count,
    )  # fmt: skip
    if found.status is Status.SOLVED:
        assert found.complete
        assert found.solutions.count() == found.count
        options = {"want": 300}
        listed = solve(problem, algorithm, engine="compiled", **options)
        wanted = solve(problem, algorithm, engine="reference", **options)
        assert list(listed.solutions) == list(wanted.solutions)
        assert listed.count == wanted.count
    return found


@by_algorithm
@settings(max_examples=20, deadline=None)
@given(toggle_spaces(5, 8))
def test_random_spaces(algorithm, space):
    check(Toggles(*space), algorithm)


@pytest.mark.spread
@by_algorithm
@pytest.mark.parametrize("step", [1, 63, 64, 65, 129, 254])
def test_numbers_of_several_words(algorithm, step, stored):
    problem = Toggles(tables(two_tracks(), goals=(step | 1 << 63,)), (0,))
    assert check(problem, algorithm).count == 2**step - 1
    assert stored


@by_algorithm
def test_without_the_compiler(algorithm):
    with plainly():
        assert check(Toggles(tables(two_tracks(), goals=(70 | 1 << 63,)), (0,)), algorithm).count


def long_way():
    return Toggles(tables(counter(8, (3, 2, 1, 1, 1, 1, 1, 1)), goals=(200,)), (0, 3))


WAYS = solve(long_way(), BreadthFirst(), engine="reference", want="count").count


@by_algorithm
def test_ctrl_c_at_any_place(algorithm, monkeypatch):
    """The cost is kept once it is known."""
    look_often(monkeypatch)
    monkeypatch.setattr("searchkit.compiled.states.solutions.LEAST_BUDGET", 20)

    def run(stop):
        return solve(long_way(), algorithm, engine="compiled", want="count", progress=stop)

    *parts, found = stopped_ever_later(run)
    for part in parts:
        assert (part.status, part.limit, part.complete) == (Status.INTERRUPTED, None, False)
    assert (found.status, found.count) == (Status.SOLVED, WAYS)


@by_algorithm
def test_counting_keeps_to_the_time_limit(algorithm, monkeypatch, clock):
    """And is stopped amid the states."""
    clock.tick = 0
    monkeypatch.setattr("searchkit.compiled.states.solutions.LEAST_BUDGET", 1)
    monkeypatch.setattr("searchkit.running.driver.FIRST_BUDGET", 1)
    monkeypatch.setattr(
        "searchkit.compiled.states.solutions.Ways", lambda *each: clock.pass_by(0.3) or Ways(*each)
    )
    found = solve(long_way(), algorithm, engine="compiled", want="count", limits=Limits(time=1))
    assert (found.status, found.limit) == (Status.LIMIT, LimitKind.TIME)
    assert (found.cost, found.count, found.optimal) == (197, None, True)


@by_algorithm
def test_memory_limits(algorithm):
    whole = solve(long_way(), algorithm, engine="compiled", want="count")
    least = whole.statistics.bytes
    limits = Limits(memory=least)
    found = solve(long_way(), algorithm, engine="compiled", want="count", limits=limits)
    assert found.count == WAYS
    for part in (1, 2, 3):
        limits = Limits(memory=least * part // 4)
        found = solve(long_way(), algorithm, engine="compiled", want="count", limits=limits)
        assert found.limit is LimitKind.MEMORY


def test_expansion_limits_do_not_stop_counting():
    expanded = solve(long_way(), BreadthFirst(), engine="compiled").statistics.expanded
    limits = Limits(expansions=expanded)
    found = solve(long_way(), BreadthFirst(), engine="compiled", want="count", limits=limits)
    assert found.count == WAYS
