"""Every law catches a lie about it, shows it where it shows first, and blames who tells it."""

from __future__ import annotations

import ast
import itertools
from pathlib import Path

import pytest

from searchkit import Parameter
from searchkit.checks import LAWS, check_problem
from searchkit.checks.ground import Registered
from searchkit.checks.verdicts import Status
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import UnknownNameError, UsageError
from searchkit.heuristic import Heuristic
from searchkit.problem import Step
from searchkit.registry import HeuristicEntry, PuzzleEntry, RendererEntry
from searchkit.running.making import making_code
from tests.support import honest, mutants
from tests.support.honest import HONEST, Descent, Row, Walk
from tests.support.mutants import ENGINES, MACHINE_CODE, MUTANTS, Detour


@pytest.mark.parametrize("problem", HONEST, ids=lambda problem: type(problem).__name__)
def test_what_is_honest_keeps_every_law(problem):
    report = check_problem(problem, engine="reference")
    assert report.ok, str(report)
    assert report.whole
    assert not report.counts()[Status.UNKNOWN]


def test_there_is_a_lie_about_every_law_of_problems():
    apart = {"machine-code", "parameters", "engines"}  # these have tests of their own
    assert {mutant.law for mutant in MUTANTS} == {law.name for law in LAWS} - apart


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.law}-{mutant.blamed}")
def test_every_lie_is_caught(mutant):
    catch(mutant, "reference")


def catch(mutant, engine):
    report = check_problem(mutant.problem, laws=[mutant.law], engine=engine)
    verdict = report.verdicts[0]
    assert verdict.status is Status.FAILS, str(verdict)
    found = verdict.counterexample
    assert (found.state, found.actions) == (mutant.state, mutant.actions), str(verdict)
    assert mutant.told in found.found, str(verdict)
    assert_blamed(found.place, mutant.blamed)


def test_machine_code_that_says_something_else():
    catch(MACHINE_CODE, "auto")


def test_what_cannot_be_trusted_in_python_is_not_compiled():
    mutant = next(mutant for mutant in MUTANTS if mutant.law == "words")
    report = check_problem(mutant.problem, laws=["machine-code", "engines"])
    assert [verdict.status for verdict in report.verdicts] == [Status.UNKNOWN] * 2
    assert "words" in report.verdicts[0].scope


def test_engines_that_find_different_costs():
    catch(ENGINES, "reference")


def test_parameters_that_fail_in_other_ways():
    def make(size, colour):
        if size == 0:
            raise KeyError("no size")
        if colour == "0":
            return Detour()
        return Row() if colour == "red" or size != 3 else Row(start=[])

    parameters = (Parameter("size", 3), Parameter("colour", "red"))
    entry = PuzzleEntry("row", make, "", parameters, "here")
    report = check_problem(Row(), registered=Registered(entry), laws=["parameters"])
    (verdict,) = report.verdicts
    assert verdict.breaches == 2
    assert "size='0'" in verdict.counterexample.expected
    assert "KeyError" in verdict.counterexample.found
    assert_blamed(verdict.counterexample.place, "make", __file__)
    fine = PuzzleEntry("row", refusing, "", parameters, "here")
    (verdict,) = check_problem(Row(), registered=Registered(fine), laws=["parameters"]).verdicts
    assert verdict.status is Status.HOLDS
    assert verdict.scope == "2 parameters of puzzle row"


@pytest.mark.parametrize(
    ("default", "is_file"), [("oSoT/oo", True), ("o.o", True), ("oSoT", False), ("oS.\noo", False)]
)
def test_a_default_that_would_be_taken_for_a_file_cannot_be_typed(default, is_file):
    def make(board):
        if board != default:
            raise ValueError("there is one board")
        return Row()

    entry = PuzzleEntry("row", make, "", [Parameter("board", default, path=True)], "here")
    (verdict,) = check_problem(Row(), registered=Registered(entry), laws=["parameters"]).verdicts
    assert verdict.status is (Status.FAILS if is_file else Status.HOLDS)
    if is_file:
        assert f"-p board={default}" in verdict.counterexample.expected
        assert "taken for the name of a file" in verdict.counterexample.found
        assert_blamed(verdict.counterexample.place, "make", __file__)


def refusing(size, colour):
    if (size, colour) != (3, "red"):
        raise ValueError("size is 3, colour is red")
    return Row()


def test_heuristics_and_pictures_of_a_plugin_are_blamed_themselves():
    def large(problem):
        return Large()

    def draw(problem, state):
        return 1 / (state - 6)

    heuristic = HeuristicEntry("large", large, bool, "", "here")
    renderer = RendererEntry("lamps", draw, bool, "", "here")
    registered = Registered(heuristics=[heuristic], renderers=[renderer])
    report = check_problem(Row(), registered=registered, laws=["heuristics", "pictures"])
    pictures, heuristics = report.verdicts
    assert heuristics.counterexample.state == "cell 5"
    assert_blamed(heuristics.counterexample.place, "Large", __file__)
    assert pictures.counterexample.state == "cell 4"
    assert_blamed(pictures.counterexample.place, "draw", __file__)


class Large(Heuristic):
    def __call__(self, state):
        return 9 if state == 5 else 0


def test_the_time_is_kept():
    report = check_problem(Walk(), max_time=0.0)
    assert report.ok
    assert report.out_of_time
    assert report.counts()[Status.UNKNOWN] > 10


def test_making_machine_code_takes_no_time_of_the_laws(clock):
    class Made(Walk):
        def successors(self, state):
            with making_code():
                clock.now += 40.0
            return super().successors(state)

    with plainly():  # whatever else is made
        report = check_problem(Made(), max_time=20.0)
    assert report.ok
    assert not report.out_of_time
    clock.tick = 1.0
    assert check_problem(Walk(), max_time=20.0).out_of_time


def test_a_sample_of_a_large_space():
    class Endless(Row):
        undirected = True
        complete_certificates = False
        goals = ()

        def successors(self, state):
            return [Step("up", state + 1), Step("down", state - 1)]

    problem = Endless()
    problem.heuristic = lambda state: 0
    report = check_problem(problem, states=40, laws=["undirected", "successors"])
    again = check_problem(problem, states=40, laws=["undirected", "successors"])
    assert (report.states, report.whole) == (40, False)
    scopes = [[verdict.scope for verdict in each.verdicts] for each in (report, again)]
    assert scopes == [["40 states"] * 2] * 2


def test_endless_successors_are_told():
    class Wide(Descent):
        def successors(self, state):
            return (Step(n, n) for n in itertools.count())

    (verdict,) = check_problem(Wide(), laws=["successors"]).verdicts
    assert "more than 100,000 steps" in verdict.counterexample.found


def test_unknown_laws_and_options():
    with pytest.raises(UnknownNameError, match="no law named 'gravity'; known: starts"):
        check_problem(Row(), laws=["gravity"])
    with pytest.raises(UsageError, match="states is 0"):
        check_problem(Row(), states=0)


def assert_blamed(place, name, *others):
    """The place is a line in these files where something of that name begins, or within it."""
    path, _, rest = place.partition(":")
    line = int(rest.split()[0])
    assert path in (honest.__file__, mutants.__file__, *others), place
    inside = []
    for node in ast.walk(ast.parse(Path(path).read_text())):
        names = [getattr(node, "name", None), *map(_name, getattr(node, "targets", ()))]
        if hasattr(node, "lineno") and node.lineno <= line <= node.end_lineno:
            inside += [each for each in names if each]
    at = Path(path).read_text().splitlines()[line - 1]
    assert name in inside or name in at, (place, at)


def _name(node):
    return getattr(node, "id", None)
