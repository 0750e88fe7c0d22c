"""`--table-memory`: databases that a search has built for itself."""

from __future__ import annotations

import json

import pytest

from searchkit.cli.support import method
from searchkit.errors import UsageError
from searchkit.heuristics import names
from searchkit.packed import ZeroHeuristic
from searchkit.solving import with_tables
from tests.support.compared_rows import compared_rows

RUN = ("run", "--plugin", "examples/hanoi.py", "hanoi", "-p", "disks=8")
SMALL = (*RUN[:-1], "disks=5")


def test_a_search_that_is_over_soon_builds_nothing(call, tmp_path, monkeypatch):
    monkeypatch.setenv("SEARCHKIT_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(with_tables, "AT_FIRST", 1e9)  # soon, also on a busy machine
    told = call(*SMALL, "--table-memory", "2GB")
    assert "heuristic  estimate" in told.out
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow_variants("more1", "more2")
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


BOARDS = "peg=0,0,0,0,0\npeg=0,1,2,3,0\n"


@pytest.mark.slow_variants("more2", "more1")
@pytest.mark.parametrize("more", [(), ("--jobs", "2"), ("--algo", "cabs")])
def test_boards_share_one_build(call, tmp_path, monkeypatch, more):
    """Databases are built before the first board, and found by all processes."""
    monkeypatch.setenv("SEARCHKIT_DATA_DIR", str(tmp_path))
    line = (*SMALL, "--boards", "-", "--json", "--engine", "reference")
    expected = call(*line, stdin=BOARDS).out
    told = call(*line, "--table-memory", "20kB", *more, stdin=BOARDS)
    assert told.code == 0
    found = [json.loads(line) for line in told.out.splitlines()]
    assert {each["heuristic"] for each in found} == {"max(estimate,pdb:auto=20000)"}
    assert [(each["cost"], each["optimal"]) for each in found] == [
        (json.loads(line)["cost"], True) for line in expected.splitlines()
    ]
    built = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    assert built
    assert call(*line, "--table-memory", "20kB", *more, stdin=BOARDS).code == 0
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == built


LETTERS = """
from searchkit import StartAndGoal, Step, hookimpl
import attrs

@attrs.frozen
class Letters(StartAndGoal):
    start: str = "ihgfedcba"
    goal: str = "abcdefghi"
    undirected = True

    def successors(self, s):
        for b in (0, 1, 3, 4):
            on = s[:b] + s[b + 3] + s[b] + s[b + 2] + s[b + 4] + s[b + 1] + s[b + 5 :]
            back = s[:b] + s[b + 1] + s[b + 4] + s[b + 2] + s[b] + s[b + 3] + s[b + 5 :]
            yield Step(f"{b}", on)
            yield Step(f"{b}'", back)

    def parse(self, text):
        return text

@hookimpl
def searchkit_register_puzzles(register):
    register("letters", Letters)
"""


@pytest.mark.slow_variants("2")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_boards_without_databases_have_a_perimeter(call, tmp_path, jobs):
    """A board that one search from both ends solves has none, as by itself."""
    file = tmp_path / "letters.py"
    file.write_text(LETTERS)
    line = ("run", "--plugin", str(file), "letters", "--json", "--engine", "reference")
    limits = ("--max-memory", "1MB", "--table-memory", "1GB")
    boards = "ihgfedcba\nabcdeighf\n"
    told = call(*line, *limits, "--boards", "-", "--jobs", jobs, stdin=boards)
    assert (told.code, len(told.err_lines)) == (0, 1)
    found = [json.loads(line) for line in told.out.splitlines()]
    alone = [
        json.loads(call(*line, *limits, "--start", board).out) for board in boards.splitlines()
    ]
    for name in ("algorithm", "cost", "optimal", "lower_bound"):
        assert [each[name] for each in found] == [each[name] for each in alone]
    assert [each["algorithm"] for each in found] == ["bida", "bidirectional"]
    told = call(*line, "--max-memory", "1MB", "--boards", "-", "--jobs", jobs, stdin=boards)
    assert json.loads(told.out.splitlines()[0])["limit"] == "memory"


def test_compare_has_them_for_all(call, tmp_path, monkeypatch):
    monkeypatch.setenv("SEARCHKIT_DATA_DIR", str(tmp_path))
    names = ("--algo", "astar", "--algo", "cabs", "--algo", "ucs")
    line = ("compare", *SMALL[1:], *names, "--engine", "reference", "--json")
    told = call(*line, "--table-memory", "20kB")
    rows = compared_rows(told.out)
    assert [(row["algorithm"], row["cost"]) for row in rows] == [
        ("astar", 13), ("cabs", 13), ("ucs", 13)
    ]  # fmt: skip
    databases = "max(estimate,pdb:auto=20000)"
    assert [row["heuristic"] for row in rows] == [databases, databases, None]
    assert list(tmp_path.rglob("Hanoi*"))


def test_the_largest_that_can_be_built_are_taken(call, tmp_path, monkeypatch):
    monkeypatch.setenv("SEARCHKIT_DATA_DIR", str(tmp_path))
    tried = []

    def read(problem, text, named):
        tried.append(text)
        if text != "pdb:5-5-5":
            raise UsageError(f"{text} has not been built")
        return ZeroHeuristic()

    monkeypatch.setattr(method, "read_heuristic", read)
    board = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15\n"
    told = call("run", "15-puzzle", "--boards", "-", "--table-memory", "2GB", stdin=board)
    assert (told.code, tried[:3]) == (0, ["pdb:7-8", "pdb:6-6-3", "pdb:5-5-5"])
    tried.clear()
    few = call("run", "15-puzzle", "--boards", "-", "--table-memory", "2MB", stdin=board)
    assert (few.code, tried[0]) == (0, "pdb:5-5-5")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((*RUN, "--heuristic", "estimate"), "--table-memory is for --heuristic auto"),
        ((*RUN, "--algo", "bfs"), "bfs uses no heuristic; drop --table-memory"),
        ((*RUN, "--boards", "-", "--heuristic", "estimate"), "is for --heuristic auto"),
        (("compare", *RUN[1:], "--heuristic", "estimate"), "is for --heuristic auto"),
        (("run", "hoppers"), "no pattern databases can be built for ChainMoves"),
        (("compare", "hoppers"), "no pattern databases can be built for ChainMoves"),
        (("run", "hoppers", "--boards", "-"), "no pattern databases can be built for ChainMoves"),
        (("run", "8-puzzle", "--boards", "-"), "are chosen by memory for SlidingPuzzle"),
        (("run", "8-puzzle"), "are chosen by memory for SlidingPuzzle; name patterns"),
        (("compare", "8-puzzle"), "are chosen by memory for SlidingPuzzle; name patterns"),
        (("run", "pancakes"), "are chosen by memory for Pancakes; name patterns"),
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
    for many in ((), ("--boards", "-")):
        found = call("run", "15-puzzle", *many, "--table-memory", size, stdin="x")
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
