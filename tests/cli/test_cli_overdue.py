"""A rule that never returns ends no command by itself: limits and Ctrl-C do, and name its line."""

import re
import subprocess
import sys

import pytest

from searchkit.cli.support import command
from searchkit.running import overdue

RULE = """
import signal
from searchkit import Problem, Step
from searchkit.running import overdue

class Walk(Problem):
    undirected = True
    def initial_states(self):
        return [3]
    def successors(self, state):
        return [Step(f"to {{each}}", each) for each in (state - 1, state + 1) if abs(each) < 9]
    def is_goal(self, state):
        return state == 0
    def parse(self, text):
        while True: pass
    def with_start(self, state):
        return self
    def heuristic(self, state):
        {heuristic}
        return abs(state)
"""
FOR_EVER = "while True: pass"
CTRL_C = (
    "while not any(each.said for each in overdue._threads.values()): pass\n"
    "        signal.raise_signal(signal.SIGINT)"
)


@pytest.fixture(autouse=True)
def _watched_closely(monkeypatch):
    """A call is looked at sooner, and as often before it is ended."""
    monkeypatch.setattr(overdue, "EVERY", 0.1)
    monkeypatch.setattr(overdue, "LEAST", 0.25)


@pytest.fixture
def rule(tmp_path):
    def written(heuristic: str = "") -> str:
        file = tmp_path / "walk.py"
        file.write_text(RULE.format(heuristic=heuristic))
        return str(file)

    return written


@pytest.mark.slow_variants("check-heuristic")
@pytest.mark.parametrize("name", ["run", "check-heuristic", "check"])
def test_max_time_ends_a_rule_and_names_its_line(call, rule, name: str) -> None:
    done = call(name, rule(FOR_EVER), "--max-time", "500ms")
    assert done.code == 23
    if name != "check":  # which reports that it was not checked
        assert "error: gave up at the time limit: `heuristic` has not answered for" in done.err
        assert "walk.py:19)" in done.err


def test_commands_without_max_time_give_a_rule_a_minute(call, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(command, "MOST_OF_A_RULE", 0.5)
    file = tmp_path / "walk.py"
    file.write_text(
        RULE.format(heuristic="") + f"    def successors(self, state):\n        {FOR_EVER}"
    )
    done = call("info", str(file))
    assert done.code == 23
    assert "error: gave up at the time limit: `successors` has not answered for" in done.err
    assert "walk.py:22)" in done.err


def test_max_time_ends_what_reads_a_state(call, rule) -> None:
    done = call("run", rule(), "--start", "1", "--max-time", "500ms")
    assert (done.code, done.out) == (23, "")
    assert "error: gave up at the time limit: `parse` has not answered for" in done.err
    assert "walk.py:15)" in done.err


def test_ctrl_c_names_the_line(call, rule) -> None:
    done = call("check-heuristic", rule(CTRL_C), "-q")
    assert done.code == 130
    assert "interrupted: stopped by Ctrl-C: `heuristic` has not answered for" in done.err
    assert re.search(r"walk\.py:19( in <genexpr>)?\)", done.err)


IMPATIENT = """
import runpy
from searchkit.running import overdue
overdue.MOST_POSTED, overdue.EVERY = 4, 0.1
runpy.run_module("searchkit", run_name="__main__")
"""
"""The command line in a process that gives up on a deaf rule after fewer attempts."""
DEAF = """
        while True:
            try:  # what is raised between the attempts of the inner loop is caught here
                while True:
                    try:
                        {first}
                        for _ in iter(int, 1): pass
                    except BaseException: pass
            except BaseException: pass
"""


@pytest.mark.slow_variants(
    "run-signal.raise_signal(signal.SIGINT)-130-stopped by Ctrl-C",
    "check-heuristic-signal.raise_signal(signal.SIGINT)-130-stopped by Ctrl-C",
)
@pytest.mark.parametrize(
    ("command", "first", "code", "why"),
    [
        ("run", "pass", 23, "gave up at the time limit"),
        ("check-heuristic", "signal.raise_signal(signal.SIGINT)", 130, "stopped by Ctrl-C"),
        ("run", "signal.raise_signal(signal.SIGINT)", 130, "stopped by Ctrl-C"),
    ],
)
def test_a_rule_that_catches_all_exceptions_ends_with_the_process(rule, command, first, code, why):
    limit = ["--max-time", "500ms"] if code == 23 else []
    if command == "run":
        limit += ["--engine", "reference"]
    done = subprocess.run(
        [sys.executable, "-c", IMPATIENT, command, rule(DEAF.format(first=first)), *limit],
        check=False, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    assert f"error: {why}: `heuristic` has not answered for" in done.stderr
    assert "catches all exceptions" in done.stderr
