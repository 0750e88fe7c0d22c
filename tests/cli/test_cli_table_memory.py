"""`--table-memory`: databases that a search has built for itself."""

from __future__ import annotations

import pytest

from searchkit.heuristics import names
from searchkit.solving import with_tables

RUN = ("run", "--plugin", "examples/hanoi.py", "hanoi", "-p", "disks=8")


def test_a_search_that_is_over_soon_builds_nothing(call, tmp_path, monkeypatch):
    monkeypatch.setenv("SEARCHKIT_DATA_DIR", str(tmp_path))
    told = call(*RUN, "--table-memory", "2GB")
    assert "heuristic  estimate" in told.out
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("more", [(), ("--heuristic", "auto"), ("--algo", "astar")])
def test_one_that_lasts_has_them(call, tmp_path, monkeypatch, more):
    monkeypatch.setenv("SEARCHKIT_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(with_tables, "AT_FIRST", 1e-6)
    monkeypatch.setattr(names, "CHOOSING", 2e-6)
    monkeypatch.setattr(names, "CHOSEN_SIZES", ())
    told = call(*RUN, "--table-memory", "20kB", *more)
    assert "33 moves, optimal" in told.out
    assert "heuristic  max(estimate,pdb:auto=20000)" in told.out
    assert (tmp_path / "patterns").is_dir()


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--heuristic", "estimate"), "--table-memory is for --heuristic auto"),
        (("--algo", "bfs"), "bfs uses no heuristic; drop --table-memory"),
        (("--boards", "-"), "exclude each other"),
    ],
)
def test_what_it_does_not_go_with(call, more, told):
    assert told in call(*RUN, "--table-memory", "1GB", *more).err
