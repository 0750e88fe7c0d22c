"""The options that choose an engine, threads and the algorithm's own options."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from searchkit import IDAStar, solve
from searchkit.cli.support import progress
from searchkit.compiled.specialise.plain import plainly
from searchkit.limits import Progress
from searchkit_sliding import eight_puzzle
from tests.support.cli_calls import Call

KORF_79 = ["15-puzzle", "--algo", "idastar"]


def document(call: Call, *words: str) -> dict[str, object]:
    outcome = call("run", *words, "--json")
    assert outcome.code == 0, outcome.err
    found: dict[str, object] = json.loads(outcome.out)
    return found


@pytest.mark.parametrize("threads", ["1", "2"])
def test_engines_agree(call: Call, threads: str) -> None:
    reference = document(call, "8-puzzle", "--algo", "idastar", "--engine", "reference")
    compiled = document(
        call, "8-puzzle", "--algo", "idastar", "--engine", "compiled", "--threads", threads
    )
    assert (reference["engine"], compiled["engine"]) == ("reference", "compiled")
    assert reference["solutions"] == compiled["solutions"]


def test_long_searches_are_compiled(call: Call) -> None:
    outcome = call("run", *KORF_79)
    assert "idastar (compiled engine)" in outcome.out
    assert "821,971" in outcome.out


def test_a_long_search_without_machine_code_says_why(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("searchkit.cli.support.output.TRIAL_NODES", 100)
    run = ["run", "8-puzzle", "--algo", "bfs", "-o", "symmetry=auto", "--max-expansions"]
    said = "note: the reference engine ran, for there is no machine code: a symmetry does not say"
    for more in ([], ["--json"]):
        assert said in call(*run, "200", *more).err
        for silent in (["90"], ["200", "-q"], ["200", "--engine", "reference"]):
            assert said not in call(*run, *silent, *more).err
    assert said not in call("run", "8-puzzle", "--algo", "astar", "--max-expansions", "200").err


def test_documents_say_why_an_engine_ran(call: Call) -> None:
    run = ["run", "8-puzzle", "--algo", "bfs", "-o", "symmetry=auto", "--max-expansions", "90"]
    for more, said in (([], "a symmetry does not say"), (["--engine", "reference"], None)):
        reason = json.loads(call(*run, *more, "--json").out)["engine_reason"]
        assert reason is None if said is None else said in reason


COUNTER = """
from searchkit import hookimpl
from searchkit.packed import PackedProblem

class Counter(PackedProblem):
    controls = 1

    def initial_states(self):
        return [0]

    def heuristic(self, state):
        return abs(3 - state)

    def operators(self, control):
        return [1, 2]

    def action(self, state, operator):
        return operator

    def apply(self, state, control, operator):
        return (state + operator) & 7

    def at_goal(self, state):
        return state == 3

@hookimpl
def searchkit_register_puzzles(register):
    register("counter", Counter)
"""


def test_info_says_what_has_no_machine_code(call: Call, tmp_path: Path) -> None:
    assert "without machine code" not in call("info", "8-puzzle").out
    (tmp_path / "counter.py").write_text(COUNTER)
    out = call("info", "counter", "--plugin", str(tmp_path / "counter.py")).out
    assert "without machine code: heuristic problem is not a PackedHeuristic" in out
    assert re.search(r"bfs +yes *\n", out)


PRINTING = """
from searchkit import hookimpl
from searchkit.fields import Fields, Int

class Printing(Fields):
    def __init__(self):
        self.declare(at=Int(4))
        self.start, self.goal = self.pack(at=0), self.pack(at=3)

    def expand(self, s):
        print(end="")
        t = s.copy()
        t.at = (s.at + 1) % 4
        yield "on", t

@hookimpl
def searchkit_register_puzzles(register):
    register("printing", Printing)
"""


def test_info_says_which_rule_on_fields_has_no_machine_code(call: Call, tmp_path: Path) -> None:
    assert "machine code" not in call("info", "8-puzzle").out
    (tmp_path / "printing.py").write_text(PRINTING)
    out = call("info", "printing", "--plugin", str(tmp_path / "printing.py")).out
    assert re.search(r"machine code: Printing.expand, .*printing.py:11: calls print; leave", out)


STAIRS = """
from searchkit import Problem, Step

class Stairs(Problem):
    def initial_states(self):
        return [0]
    def is_goal(self, state):
        return state == 9
    def goal_states(self):
        return [9]
    def successors(self, state):
        if state < 20:
            yield Step("up", state + 1)
    def predecessors(self, state):
        print(end="")
        if state:
            yield Step("up", state - 1)
"""


def test_info_says_where_predecessors_have_no_machine_code(call: Call, tmp_path: Path) -> None:
    for text in (STAIRS, STAIRS.replace('print(end="")', "state += 0")):
        (tmp_path / "stairs.py").write_text(text)
        lines = re.findall("machine code: (.*)", call("info", str(tmp_path / "stairs.py")).out)
        if text is STAIRS:
            assert len(lines) == 1
            assert lines[0].startswith("only without its predecessors: Stairs.predecessors, ")
            assert "stairs.py:15: calls print; leave it out" in lines[0]
        else:
            assert lines == ["can be made of its rules, where a search lasts"]


@pytest.mark.slow_variants("words0-1416")
@pytest.mark.parametrize(
    ("words", "counted"),
    [
        (["-p", "model=jumps", "--algo", "bfs"], "1416"),
        (["-p", "model=jumps", "--algo", "bfs", "--symmetry", "none"], "5664"),
        (["--algo", "bidirectional"], "18"),
    ],
)
def test_the_compiled_engine_has_the_first_move_fixed(
    call: Call, words: list[str], counted: str
) -> None:
    with plainly():
        outcome = call("run", "hoppers", "--count", "--engine", "compiled", *words)
    assert (outcome.code, outcome.out) == (0, f"{counted}\n")
    assert ("fixed by symmetry" in outcome.err) == (counted != "5664")


def test_options_of_the_algorithm(call: Call) -> None:
    pruned = document(call, *KORF_79, "-o", "operator_pruning=6")
    plain = document(call, *KORF_79, "-o", "cycles=parent")
    assert pruned["cost"] == plain["cost"] == 42
    assert pruned["statistics"]["generated"] < plain["statistics"]["generated"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["8-puzzle", "--algo", "idastar", "-o", "cycles=round"],
            "rejects cycles=round: cycles is 'round'",
        ),
        (
            ["8-puzzle", "--algo", "idastar", "-o", "speed=9"],
            "has no option 'speed'; its",
        ),
        (
            ["8-puzzle", "--algo", "ucs", "-o", "weight=2"],
            "no option 'weight'; its options are incumbents",
        ),
        (["8-puzzle", "--algo", "dijkstra"], "did you mean 'ucs'?"),
        (
            ["8-puzzle", "--algo", "bfs", "-o", "cycles"],
            "has no option of the form 'cycles'; its options",
        ),
        (
            ["8-puzzle", "--algo", "bfs", "-o", "symmetry=auto", "--engine", "compiled"],
            "no compiled engine for this problem: a symmetry does not say",
        ),
        (["8-puzzle", "--engine", "fast"], "'fast' is not one of 'auto', 'reference', 'compiled'"),
        (["8-puzzle", "--threads", "0"], "0 is too small; it must be 1 or more"),
        (
            ["8-puzzle", "--algo", "iddfs", "-o", "operator_pruning=6", "--engine", "reference"],
            "operator_pruning is for the compiled engine",
        ),
    ],
)
def test_wrong_choices(call: Call, words: list[str], told: str) -> None:
    outcome = call("run", *words)
    assert outcome.code == 2
    assert len(outcome.err_lines) == 1
    assert told in outcome.err


def test_explore_and_compare(call: Call) -> None:
    compiled = call("explore", "6-puzzle", "--engine", "compiled", "--json")
    reference = call("explore", "6-puzzle", "--engine", "reference", "--json")
    assert json.loads(compiled.out)["layers"] == json.loads(reference.out)["layers"]
    mixed = call("compare", "8-puzzle", "--algo", "bfs", "--algo", "astar")
    assert "compiled engine: bfs; reference engine: the others" in mixed.out
    alike = call("compare", "8-puzzle", "--algo", "bfs", "--engine", "compiled")
    assert "compiled engine" not in alike.out
    out = call("info", "8-puzzle").out
    assert "can be compiled" in out
    assert "22.7 kB, a bit for each of 181,440, and two layers" in out
    assert "14 B for each state; 71,428,551 of them in 1 GB" in out
    out = call("info", "cube3").out
    assert "explore, bfs   22 B for each state; 45,454,537 of them in 1 GB" in out


def test_making_machine_code_is_told_when_it_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(progress, "PATIENCE", 0.05)
    monkeypatch.setattr(progress.ProgressLine, "show", lambda self, text: shown.append(text))
    preparing = Progress(
        expanded=0, generated=0, stored=0, frontier=0, lower_bound=0, seconds=0, preparing=True
    )
    with progress.ProgressLine("bfs") as line:
        line(preparing)
        assert line._timer is not None
        line._timer.join()
        assert shown == ["making machine code for this kind of puzzle"]
        monkeypatch.setattr(progress, "PATIENCE", 1000)
        line(preparing)
        timer = line._timer
    timer.join()  # it is cancelled
    assert len(shown) == 1


def test_a_listener_hears_of_the_preparation() -> None:
    told: list[Progress] = []
    solve(eight_puzzle(), IDAStar(), engine="compiled", progress=told.append)
    assert told[0].preparing
    # What is made while the search goes on is told with what it has counted so far.
    counted = [each.expanded for each in told]
    assert counted == sorted(counted)


def test_what_the_checked_engine_finds_verifies(call: Call, tmp_path: Path) -> None:
    found = call("run", "8-puzzle", "--start", "123450786", "--engine", "checked", "--json")
    document = tmp_path / "found.json"
    document.write_text(found.out)
    assert '"engine": "checked"' in found.out
    assert call("verify", str(document)).code == 0
