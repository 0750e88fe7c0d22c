"""Every law catches a lie about it, shows it where it shows first, and blames who tells it."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import honest
import mutants
import pytest
from honest import HONEST
from mutants import MUTANTS

from searchkit.checks import LAWS, check_problem
from searchkit.checks.law import Status


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
    report = check_problem(mutant.problem, laws=[mutant.law], engine="reference")
    verdict = report.verdicts[0]
    assert verdict.status is Status.FAILS, str(verdict)
    found = verdict.counterexample
    assert (found.state, found.actions) == (mutant.state, mutant.actions), str(verdict)
    assert mutant.told in found.found, str(verdict)
    assert_blamed(found.place, mutant.blamed)


def assert_blamed(place, name):
    """The place is a line in these files where something of that name begins, or within it."""
    path, _, rest = place.partition(":")
    line = int(rest.split()[0])
    assert path in (honest.__file__, mutants.__file__), place
    inside = []
    for node in ast.walk(ast.parse(Path(path).read_text())):
        names = [getattr(node, "name", None), *map(_name, getattr(node, "targets", ()))]
        if hasattr(node, "lineno") and node.lineno <= line <= node.end_lineno:
            inside += [each for each in names if each]
    at = inspect.getsource(honest if path == honest.__file__ else mutants).splitlines()[line - 1]
    assert name in inside or name in at, (place, at)


def _name(node):
    return getattr(node, "id", None)
