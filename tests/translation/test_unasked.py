"""Ordinary problems run compiled where nobody asks for it, once their search has lasted."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from searchkit import AStar, BreadthFirst, IDAStar, Limits, Step, UniformCost, explore, solve
from searchkit.authors.kin import forget_kin
from searchkit.compiled.specialise.plain import plainly
from searchkit.running.driver import Driver
from searchkit.solving import plan
from searchkit.translation import earlier, rules, watch
from searchkit.translation.lazily import Translation
from searchkit.translation.search import Making
from tests.translation.test_authors import Grid
from tests.translation.test_searches import told


@pytest.fixture(autouse=True)
def short_trials(monkeypatch):
    monkeypatch.setattr(watch, "FIRST", 10)
    monkeypatch.setattr(plan, "TRIAL_NODES", 20)


@pytest.mark.slow_variants("algorithm2-one")
@pytest.mark.parametrize(
    ("algorithm", "want"), [(BreadthFirst(), "count"), (AStar(), "one"), (IDAStar(), "one")]
)
def test_what_lasts_is_compiled(algorithm, want):
    class Wide(Grid):
        size = 20

        def heuristic(self, state):
            return self.size - state[1]

    problem, limits = Wide(), Limits(expansions=1500)
    expected = solve(problem, algorithm, engine="reference", want=want, limits=limits)
    with plainly():
        found = solve(problem, algorithm, want=want, limits=limits)
    assert told(found) == told(expected)
    assert found.statistics.max_frontier == expected.statistics.max_frontier
    assert (found.engine, found.engine_reason) == ("compiled", None)


def test_the_time_of_the_trial_is_told(monkeypatch):
    ran, run = [], Driver.run

    def noted(driver, engine):
        ran.append(run(driver, engine))
        return ran[-1]

    monkeypatch.setattr(Driver, "run", noted)
    with plainly():
        found = solve(Grid(), BreadthFirst())
    trial, search = (each.statistics for each in ran)
    assert found.statistics.seconds == search.seconds
    setup = search.setup_seconds + trial.seconds + trial.setup_seconds
    assert found.statistics.setup_seconds == setup > search.setup_seconds


def test_what_is_done_in_the_trial_is_not_translated(monkeypatch):
    monkeypatch.setattr(Translation, "making", None)
    found = solve(Grid(), AStar(), limits=Limits(expansions=20 * plan.PATIENCE))
    assert (found.engine, found.cost) == ("reference", 60)
    assert found.engine_reason == plan.IN_TRIAL


def test_searches_that_lost_as_much_as_machine_code_takes_have_it_made(monkeypatch):
    class Small(Grid):
        """Solved in its trial each time."""

    monkeypatch.setattr(plan, "TRIAL_NODES", 10_000)
    monkeypatch.setattr(plan, "LEAST_OF_CODE", 0.0)
    asked = []
    for forecast, engine in ((1e9, "reference"), (0.0, "compiled")):

        def ask(self, forecast=forecast):
            asked.append(forecast)
            return forecast

        monkeypatch.setattr(Making, "forecast", ask)
        forget_kin()
        with plainly():
            found = [solve(Small(), BreadthFirst()) for _ in range(4)]
        assert [each.engine for each in found] == ["reference", *3 * [engine]]
        assert {each.cost for each in found} == {60}
        assert asked == [forecast]  # once, and not by the first search
        asked.clear()


def test_what_has_no_machine_code_is_known_once_searches_have_lost(monkeypatch):
    monkeypatch.setattr(plan, "TRIAL_NODES", 10_000)
    monkeypatch.setattr(plan, "LEAST_OF_CODE", 0.0)
    forget_kin()
    first, second, third = (solve(Tries(), BreadthFirst()) for _ in range(3))
    assert first.engine_reason == plan.IN_TRIAL
    for each in (second, third):
        assert (each.engine, each.cost) == ("reference", 60)
        assert "Tries.successors, " in each.engine_reason


def test_the_forecast_grows_with_the_rules():
    forecasts = [Translation(each(), None, [(0, 0)]).making.forecast() for each in (Grid, Turns)]
    assert 0 < forecasts[0] < forecasts[1]
    assert Translation(Tries(), None, [(0, 0)]).making.forecast() == 0


def test_whole_spaces():
    expected = explore(Grid(), engine="reference")
    with plainly():
        found = explore(Grid())
    assert (found.engine, found.layers) == ("compiled", expected.layers)
    refused = explore(Tries(), limits=Limits(expansions=500))
    assert refused.engine == "reference"
    assert "Tries.successors, " in refused.engine_reason
    assert refused.statistics.expanded == 500


class Turns(Grid):
    def successors(self, state):
        x, y = state
        if x < self.size:
            yield Step("right", (x + 1, y))
        if y < self.size:
            yield Step("down", (x, y + 1))
        if x > 0 and y > 0:
            yield Step("back", (x - 1, y - 1))
        if x + 1 < self.size and y > 1:
            yield Step("aside", (x + 2, y - 1))


class Tries(Grid):
    def successors(self, state):
        try:
            yield from super().successors(state)
        finally:
            pass


def test_whatever_fails_while_translating_is_a_reason(monkeypatch):
    def fails(*arguments, **named):
        raise ZeroDivisionError("ours")

    monkeypatch.setattr(rules, "translate", fails)
    found = solve(Grid(), BreadthFirst())
    assert (found.engine, found.cost) == ("reference", 60)
    assert (
        "Grid: machine code made of its rules fails by a fault of searchkit ("
        in found.engine_reason
    )


def test_whatever_fails_in_machine_code_leads_back(monkeypatch):
    def fails(self):
        raise KeyError("ours")

    monkeypatch.setattr(watch.Watch, "look", fails)
    with plainly():
        found = solve(Grid(), BreadthFirst())
    assert (found.engine, found.cost) == ("reference", 60)
    assert "(KeyError('ours'))" in found.engine_reason


def test_the_trial_is_shorter_where_machine_code_was_made_before(monkeypatch, tmp_path):
    monkeypatch.setenv("SEARCHKIT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(plan, "PATIENCE", 1000)
    with plainly():
        assert solve(Grid(), BreadthFirst()).engine == "reference"
        earlier.note(Grid(), "bfs")
        assert solve(Grid(), BreadthFirst()).engine == "compiled"
        assert solve(Grid(), UniformCost()).engine == "reference"
    lines = (Path(__file__).parent / "test_authors.py").read_text()
    other = tmp_path / "changed.py"
    other.write_text(f"{lines}\n")
    space = {"__name__": "changed", "__file__": str(other)}
    module = ModuleType("changed")
    monkeypatch.setitem(sys.modules, "changed", module)
    module.__dict__.update(space)
    exec(compile(other.read_text(), str(other), "exec"), module.__dict__)
    assert not earlier.was_compiled(module.Grid(), "bfs")
    earlier.note(module.Grid(), "bfs")
    assert earlier.was_compiled(module.Grid(), "bfs")
    monkeypatch.setenv("SEARCHKIT_CACHE_DIR", str(tmp_path / "changed.py"))
    earlier.note(Grid(), "bfs")
    assert not earlier.was_compiled(Grid(), "bfs")
    assert not earlier.was_compiled(3, "bfs")


def test_long_kernels_are_compiled_if_they_are_asked_for(monkeypatch):
    monkeypatch.setattr(rules, "MOST_UNASKED", 10)
    with plainly():
        found = solve(Grid(), BreadthFirst())
        assert solve(Grid(), BreadthFirst(), engine="compiled").engine == "compiled"
    assert found.engine == "reference"
    assert found.engine_reason.endswith(
        "becomes too long a program; use fewer calls, or engine='compiled', which waits for it"
    )
