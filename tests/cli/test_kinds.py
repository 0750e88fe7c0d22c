"""A kind of heuristics is one class and one row: names, `auto`, help and `pdb build` go by it."""

from __future__ import annotations

import numpy as np
import pytest

from searchkit import Heuristic, puzzle, solve
from searchkit.cli.support.choice import BUILT_IN_HEURISTICS
from searchkit.documents.document import Document
from searchkit.documents.rules import unknown_name
from searchkit.heuristics.kinds import KINDS, Kind, KindRow, TableToBuild
from searchkit.heuristics.names import best_heuristic, read_heuristic, row_of
from searchkit.heuristics.patterns.database import PatternDatabase
from searchkit.heuristics.patterns.library import Library
from searchkit.registry import installed
from searchkit_sliding.puzzle import SlidingPuzzle as Sliding

IDENTITY = {"puzzle": "any", "pattern": "flat"}


class Flat(Heuristic):
    def __init__(self, name):
        self.name = f"flat:{name}"

    def __call__(self, state):
        return 0


class FlatKind(Kind):
    """A heuristic with a table that says nothing."""

    def read(self, problem, name):
        return Flat(name)

    def is_ready(self, problem, name):
        return Library().has(IDENTITY, halved=False)

    def to_build(self, problem, name, most):
        return None

    def tables(self, problem, name, *, compressed, most):
        return [FlatTable()]


class FlatTable(TableToBuild):
    name, identity, memory, kept_bytes = "flat", IDENTITY, 1, 1

    def load(self, library, *, halved):
        return library.load(self.identity, halved=halved)

    def build(self, threads):
        return FlatBuild()

    def about(self, table):
        return f"{table.entries} entry"


class FlatBuild:
    kept_bytes = 0

    def run(self):
        yield

    def about(self):
        return "nearly done"

    def keep(self, folder):
        pass

    def resume(self, folder):
        return False

    def database(self):
        values = np.zeros(1, np.uint8)
        return PatternDatabase(
            identity=IDENTITY, entries=1, counts=(1,), seconds=0.0, rules="none", values=values
        )


@pytest.fixture
def flat(monkeypatch):
    row = KindRow("flat", "flat:N", "says nothing", f"{__name__}:FlatKind", lambda problem: True)
    monkeypatch.setitem(KINDS, "flat", row)
    monkeypatch.setattr(Sliding, "best_heuristics", lambda self: ("flat:1", "manhattan"))


@pytest.mark.slow
def test_a_new_kind_is_one_class_and_one_row(flat, call):
    problem = puzzle("8-puzzle")
    assert best_heuristic(problem) == "manhattan"
    assert read_heuristic(problem, "max(flat:2,zero)", pytest.fail).name == "max(flat:2,zero)"
    built = call("pdb", "build", "8-puzzle", "flat:1")
    assert (built.code, built.out) == (0, "flat built: 1 entry\n")
    assert call("pdb", "build", "8-puzzle", "flat:1", "--jobs", "1").out.startswith("flat is")
    assert best_heuristic(problem) == "flat:1"
    assert solve(problem).heuristic == "flat:1"


@pytest.mark.parametrize("prefix", KINDS)
def test_rows_name_classes(prefix):
    row, name = row_of(f"{prefix}:some:name")
    assert (row.prefix, name) == (prefix, "some:name")
    assert isinstance(row.kind, Kind)
    assert row.form.startswith(f"{prefix}:")
    assert row.form in BUILT_IN_HEURISTICS


def test_documents_may_name_any_kind():
    problem = puzzle("8-puzzle")
    found = solve(problem)
    for text in ("pdb:4-4", "cosets:1", "max(cosets:1,pdb:4)"):
        document = Document.of(found, puzzle="8-puzzle", parameters={}, start=None, goal=None)
        object.__setattr__(document, "heuristic", text)
        assert unknown_name(document, problem, installed()) is None
    object.__setattr__(document, "heuristic", "costs:1")
    assert "costs:1" in unknown_name(document, problem, installed())
