"""A database is used by the rules that made it alone, whatever its identity says."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

from searchkit import UsageError
from searchkit.cli.app import app
from searchkit.heuristics.patterns.choose import find, space_named
from searchkit.heuristics.patterns.compiled_build import Build, build
from searchkit.heuristics.patterns.identity import identity_of
from searchkit.heuristics.patterns.library import Library
from searchkit.heuristics.patterns.rules import rules_of
from searchkit.registry import Registry
from tests.support.cli_calls import runner
from tests.support.told_space import LENGTH, Told, row

PLUGIN = '''
from typing import NamedTuple

from searchkit import PackedProblem, hookimpl
from searchkit.heuristics.patterns import PatternSpace

FACTOR = {factor}


class Tables(NamedTuple):
    far: int


class Line(PackedProblem[str]):
    """A token that goes from 11 to 0."""

    tables = Tables({steps})

    def initial_states(self):
        return [11]

    def operators(self, control):
        return range(3)

    def action(self, state, operator):
        return ("left", "right", "far")[operator]

    def at_goal(self, state):
        return state == 0

    def legal(self, state, control, operator):
        if operator == 1:
            return state < 11
        return state >= (1 if operator == 0 else self.tables.far)

    def apply(self, state, control, operator):
        if operator == 1:
            return state + 1
        return state - (1 if operator == 0 else self.tables.far)

    def patterns_named(self, name):
        return ((1,),)

    def pattern_space(self, groups):
        return Space(groups)

    def best_heuristics(self):
        return ["pdb:1"]


class Space(PatternSpace):
    operators = 3
    tables = Tables({far})

    def __init__(self, groups):
        self.groups = groups

    def identity(self, group):
        return {{"puzzle": "line", "pattern": "1"}}

    def entries(self, group):
        return 12

    def goals(self, group):
        return [(0, 1)]

    def locate(self, state, image, group):
        return state

    def rank(self, word, group):
        return word * FACTOR // FACTOR  {comment}

    def unrank(self, entry, group):
        return entry

    def choices(self, word, group, mask, operator):
        if operator == 1:
            return 1 if word > 0 else 0
        return 1 if word + (1 if operator == 0 else self.tables.far) < 12 else 0

    def previous(self, word, group, operator, choice):
        if operator == 1:
            return word - 1
        return word + (1 if operator == 0 else self.tables.far)


@hookimpl
def searchkit_register_puzzles(register):
    register("line", Line)
'''

Run = Callable[..., Any]


def written(folder: Path, **rules: Any) -> str:
    content = {"far": 1, "steps": rules.get("far", 1), "factor": 1, "comment": ""} | rules
    path = folder / f"line{abs(hash(tuple(content.values())))}.py"
    path.write_text(PLUGIN.format(**content))
    return str(path)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Call the command line for a line of these rules."""
    monkeypatch.setenv("SEARCHKIT_DATA_DIR", str(tmp_path / "data"))

    def run(*args: str, **rules: Any) -> Any:
        return runner().invoke(app, ["--plugin", written(tmp_path, **rules), *args])

    return run


def solved(outcome: Any) -> tuple[str, int]:
    document = json.loads(outcome.stdout)
    return document["heuristic"], document["cost"]


FAR = {"far": 3}
SEARCH = ("run", "line", "--engine", "reference", "--json")


def test_a_table_that_changed(run: Run) -> None:
    """The old values are too large: a search would call 11 steps optimal where 5 are enough."""
    assert run("pdb", "build", "line", "1").exit_code == 0
    assert solved(run(*SEARCH, "--heuristic", "pdb:1")) == ("pdb:1", 11)
    refused = run(*SEARCH, "--heuristic", "pdb:1", **FAR)
    assert refused.exit_code == 2
    assert refused.stderr.count("\n") == 1
    assert "was made by other rules than those of Space, pattern 1" in refused.stderr
    assert "build it again: searchkit pdb build" in refused.stderr

    fallen_back = run(*SEARCH, **FAR)
    assert solved(fallen_back) == (None, 5)
    assert "pdb:1 is not used: " in fallen_back.stderr
    assert "was made by other rules" in fallen_back.stderr

    again = run("pdb", "build", "line", "1", **FAR)
    assert again.exit_code == 0
    assert "was made by other rules" in again.stderr
    assert "built again" in again.stderr
    auto = run(*SEARCH, **FAR)
    assert solved(auto) == ("pdb:1", 5)
    assert not auto.stderr


def test_a_kernel_that_changed(run: Run) -> None:
    """Even by a constant outside of it, though here it makes no difference."""
    assert run("pdb", "build", "line", "1").exit_code == 0
    assert run(*SEARCH, "--heuristic", "pdb:1", factor=2).exit_code == 2
    same = run(*SEARCH, "--heuristic", "pdb:1", comment="# the word itself\n\n")
    assert solved(same) == ("pdb:1", 11)


def test_steps_of_the_problem_that_changed(run: Run) -> None:
    """The space is the same, but fits the problem no more: that is tried with every database."""
    assert run("pdb", "build", "line", "1").exit_code == 0
    refused = run(*SEARCH, "--heuristic", "pdb:1", steps=3)
    assert refused.exit_code == 1
    assert "expected previous to lead from" in refused.stderr


def test_list_and_info_show_the_rules(run: Run) -> None:
    run("pdb", "build", "line", "1")
    (name,) = Library().names()
    rules = Library().read(name).rules
    assert len(rules) == 32
    assert rules[:8] in run("pdb", "list").stdout
    assert f"rules {rules}" in run("pdb", "info", name).stdout
    assert json.loads(run("pdb", "info", name, "--json").stdout)["rules"] == rules


def test_an_unfinished_build_of_other_rules_is_begun_again(run: Run) -> None:
    assert run("pdb", "build", "line", "1", "--max-time", "0s").exit_code == 23
    again = run("pdb", "build", "line", "1", **FAR)
    assert again.exit_code == 0
    assert "was made by other rules" in again.stderr
    assert "begun again" in again.stderr
    assert solved(run(*SEARCH, "--heuristic", "pdb:1", **FAR)) == ("pdb:1", 5)


ONE = ((0,),)
SAME = {"puzzle": "walk", "pattern": "0"}


def told(**lies: Any) -> Told:
    return Told(ONE, identity=SAME, **lies)


@pytest.mark.parametrize(
    "lies",
    [
        {"goals": [(5, 1)]},
        {"goals": [(0, 1), (5, 1)]},
        {"entries": LENGTH - 1},
        {"ranks": row(_3=4, _4=3)},
        {"words": row(_3=4, _4=3)},
        {"before": (row(), row())},
        {"choices": (1,) * 11 + (0,)},
        {"landing": 3},
        {"spread": 3},
        {"floor": (0,) * 11 + (1,)},
    ],
    ids="-".join,
)
def test_whatever_values_depend_on_is_part_of_it(lies: dict[str, Any]) -> None:
    assert rules_of(told(**lies), 0) != rules_of(told(), 0)


def test_what_is_looked_up_is_no_part_of_it() -> None:
    """The values are the same then; whether it fits the problem is tried on steps of that."""
    assert rules_of(told(seen=row(_3=4), touched=0), 0) == rules_of(told(), 0)
    assert rules_of(Told(((0,), (1,)), identity=SAME), 1) == rules_of(told(), 0)


def test_steps_and_places_are_part_of_it() -> None:
    for name, value in (("step", 2), ("places", 2)):
        other = told()
        setattr(other, name, value)
        assert rules_of(other, 0) != rules_of(told(), 0)


def test_a_space_that_fails_beyond_its_tables_has_rules() -> None:
    assert rules_of(told(words=()), 0) != rules_of(told(), 0)


@pytest.mark.parametrize("puzzle", ["8-puzzle", "15-puzzle", "24-puzzle", "cube2", "pancakes"])
def test_equal_identities_of_puzzles_have_equal_rules(puzzle: str) -> None:
    """Else a database could not be shared by groups, or by sets of groups."""
    problem = Registry.load().puzzles.get(puzzle).create()
    rules: dict[str, str] = {}
    identities = 0
    for name in ("1.2", "1.2/3.4.5", "3.4/1.2", "3.4.5", "2-2"):
        space = space_named(problem, name)
        for group in range(len(space.groups)):
            identity = json.dumps(identity_of(space, group), sort_keys=True)
            found = rules_of(space, group)
            assert rules.setdefault(identity, found) == found
            identities += 1
    assert len(set(rules.values())) == len(rules) < identities


def test_another_process_finds_the_same_without_numba() -> None:
    code = (
        "import sys; from searchkit.registry import Registry;"
        "from searchkit.heuristics.patterns.choose import space_named;"
        "from searchkit.heuristics.patterns.rules import rules_of;"
        "problem = Registry.load().puzzles.get('8-puzzle').create();"
        "print(rules_of(space_named(problem, '4-4'), 0)); assert 'numba' not in sys.modules"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=300
    )
    problem = Registry.load().puzzles.get("8-puzzle").create()
    assert done.stdout.strip() == rules_of(space_named(problem, "4-4"), 0)


def test_in_python(tmp_path: Path) -> None:
    shelf = Library(tmp_path / "patterns")
    database = build(told(), 0)
    assert database.rules == rules_of(told(), 0)
    folder = shelf.save(database)
    other = told(goals=[(5, 1)])
    with pytest.raises(UsageError, match="was made by other rules") as caught:
        find(other, 0, shelf)
    assert str(folder) in str(caught.value)
    found = find(told(), 0, shelf)
    assert found is not None
    assert np.array_equal(found.values, database.values)
    shelf.save(attrs.evolve(database, rules=""))
    with pytest.raises(UsageError, match="was made by other rules"):
        find(told(), 0, shelf)

    building = Build(told(), 0)
    building.keep(tmp_path / "kept")
    assert Build(told(), 0).resume(tmp_path / "kept")
    with pytest.raises(UsageError, match="was made by other rules"):
        Build(other, 0).resume(tmp_path / "kept")
