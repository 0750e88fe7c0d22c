"""`--table-memory`: databases that a search has built for itself."""

from __future__ import annotations

import json

import pytest

from searchkit.heuristics import names
from searchkit.solving import with_tables
from tests.support.compared_rows import compared_rows

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


BOARDS = "peg=0,0,0,0,0,0,0,0\npeg=0,1,2,3,0,1,2,3\n"


@pytest.mark.parametrize("more", [(), ("--jobs", "2"), ("--algo", "idastar")])
def test_boards_share_one_build(call, tmp_path, monkeypatch, more):
    """Databases are built before the first board, and found by all processes."""
    monkeypatch.setenv("SEARCHKIT_DATA_DIR", str(tmp_path))
    expected = call(*RUN, "--boards", "-", "--json", stdin=BOARDS).out
    told = call(*RUN, "--boards", "-", "--table-memory", "20kB", "--json", *more, stdin=BOARDS)
    assert told.code == 0
    found = [json.loads(line) for line in told.out.splitlines()]
    assert {each["heuristic"] for each in found} == {"max(estimate,pdb:auto=20000)"}
    assert [(each["cost"], each["optimal"]) for each in found] == [
        (json.loads(line)["cost"], True) for line in expected.splitlines()
    ]
    assert told.err.count("was built in") == 1
    again = call(*RUN, "--boards", "-", "--table-memory", "20kB", stdin=BOARDS)
    assert "was built in" not in again.err


def test_compare_has_them_for_all(call, tmp_path, monkeypatch):
    monkeypatch.setenv("SEARCHKIT_DATA_DIR", str(tmp_path))
    names = ("--algo", "astar", "--algo", "cabs", "--algo", "ucs")
    told = call("compare", *RUN[1:], *names, "--table-memory", "20kB", "--json")
    rows = compared_rows(told.out)
    assert [(row["algorithm"], row["cost"]) for row in rows] == [
        ("astar", 33), ("cabs", 33), ("ucs", 33)
    ]  # fmt: skip
    databases = "max(estimate,pdb:auto=20000)"
    assert [row["heuristic"] for row in rows] == [databases, databases, None]
    assert told.err.count("was built in") == 1


def test_the_largest_that_can_be_built_are_taken(call, tmp_path, monkeypatch):
    monkeypatch.setenv("SEARCHKIT_DATA_DIR", str(tmp_path))
    board = "2 3 4 8 1 6 7 12 5 10 11 15 9 13 14 0\n"
    told = call("run", "15-puzzle", "--boards", "-", "--table-memory", "2GB", "--json", stdin=board)
    (found,) = map(json.loads, told.out.splitlines())
    assert (found["optimal"], found["heuristic"]) == (True, "pdb:5-5-5")  # others take minutes


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((*RUN, "--heuristic", "estimate"), "--table-memory is for --heuristic auto"),
        ((*RUN, "--algo", "bfs"), "bfs uses no heuristic"),
        ((*RUN, "--boards", "-", "--heuristic", "estimate"), "is for --heuristic auto"),
        (("compare", *RUN[1:], "--heuristic", "estimate"), "is for --heuristic auto"),
        (("run", "hoppers"), "no pattern databases can be built for ChainMoves"),
        (("compare", "hoppers"), "no pattern databases can be built for ChainMoves"),
        (("run", "hoppers", "--boards", "-"), "no pattern databases can be built for ChainMoves"),
        (("run", "8-puzzle", "--boards", "-"), "no pattern databases are built for 8-puzzle: "),
    ],
)
def test_what_it_does_not_go_with(call, words, told):
    found = call(*words, "--table-memory", "1GB", stdin="123450786\n")
    assert told in found.err
    assert (found.code, found.out, len(found.err_lines)) == (2, "", 1)


@pytest.mark.parametrize(
    ("size", "told"),
    [
        ("-1", "'-1' is not an amount of memory"),
        ("2XB", "'2XB' is not an amount of memory"),
        ("1kB", "the smallest pattern databases for SlidingPuzzle take 1.0 MB"),
    ],
)
def test_what_is_no_such_size(call, size, told):
    found = call("run", "15-puzzle", "--boards", "-", "--table-memory", size, stdin="x")
    assert told in found.err
    assert (found.code, len(found.err_lines)) == (2, 1)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("--within 0.9", "within is '0.9'; it must be a ratio from 1 upwards"),
        ("--algo greedy --within +1", "greedy does not go on until"),
        ("--boards - --within 0.9", "within is '0.9'"),
        ("--boards - --within +1 --algo beam", "beam does not go on until"),
        ("--boards - --best 2", "--boards and --best exclude each other"),
        ("--best 0", "0 is too small; it must be 1 or more"),
    ],
)
def test_what_cannot_be_proved_good_enough(call, options, told):
    found = call("run", "8-puzzle", *options.split(), stdin="123450786\n")
    assert told in found.err
    assert (found.code, found.out, len(found.err_lines)) == (2, "", 1)


def test_boards_are_solved_well_enough(call):
    boards = "867254301\n123450786\n"
    options = ("--boards", "-", "--algo", "cabs", "--within", "+4", "--json")
    told = call("run", "8-puzzle", *options, stdin=boards)
    found = [json.loads(line) for line in told.out.splitlines()]
    assert [each["status"] for each in found] == ["solved", "solved"]
    assert all(each["cost"] <= each["lower_bound"] + 4 for each in found)
    assert [each["improvements"][-1]["cost"] for each in found] == [
        each["cost"] for each in found
    ]  # fmt: skip
