"""Ctrl-C at every moment of a command ends it with 130, by one line. No test waits for a time."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from searchkit.checks.laws import engines
from searchkit.cli.commands import play as hand
from searchkit.cli.support.exit_codes import ExitCode
from searchkit.compiled.specialise.entries import KernelEntry
from searchkit.heuristics.patterns.compiled_build import Build
from searchkit.running import starting
from searchkit.running.driver import Driver
from tests.support.cli_calls import Call

LINE = ["searchkit: interrupted: stopped by Ctrl-C"]
SCRIPT = str(Path(sys.executable).with_name("searchkit"))
PRESSED_WHILE_IMPORTED = """
import signal, sys

class Finder:
    def find_spec(name, path=None, target=None):
        if name == {at!r}:
            sys.meta_path.remove(Finder)
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Finder)
"""


@pytest.mark.spread
@pytest.mark.parametrize(
    "at", ["typing", "searchkit.algorithms", "searchkit.running.task", "click", "searchkit.cli"]
)
@pytest.mark.parametrize("command", [[SCRIPT], [sys.executable, "-m", "searchkit"]], ids=len)
def test_while_modules_are_imported(tmp_path: Path, command: list[str], at: str) -> None:
    (tmp_path / "sitecustomize.py").write_text(PRESSED_WHILE_IMPORTED.format(at=at))
    done = subprocess.run(
        [*command, "list"], env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (ExitCode.INTERRUPTED, "")
    assert done.stderr.splitlines() == LINE


def test_while_python_ends(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import atexit, signal\natexit.register(signal.raise_signal, signal.SIGINT)\n"
    )
    done = subprocess.run(
        [SCRIPT, "verify", "--schema"], env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == ExitCode.INTERRUPTED
    assert done.stdout.endswith("}\n")
    assert done.stderr.splitlines() == LINE


LOST = """
import signal, time

class Dropped:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)

Dropped()
for _ in range(6000):
    time.sleep(0.01)
"""


def test_where_python_loses_it(tmp_path: Path) -> None:
    (tmp_path / "lost.py").write_text(LOST)
    done = subprocess.run(
        [SCRIPT, "list", "--plugin", "lost.py"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == ExitCode.INTERRUPTED
    assert done.stderr.splitlines() == LINE


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["/usr/bin/searchkit"], True),
        (["C:/x/searchkit.exe"], True),
        (["-m"], False),  # of another module
        (["/usr/bin/pytest"], False),
        (["searchkit.py"], False),
        ([""], False),
        ([], False),
    ],
)
def test_only_the_command_hears_it_otherwise(
    monkeypatch: pytest.MonkeyPatch, words: list[str], expected: bool
) -> None:
    monkeypatch.setattr(sys, "argv", words)
    assert starting.is_command() == expected


def pressed_in(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> None:
    """Press Ctrl-C when a function is called first."""
    plain, calls = getattr(owner, name), []

    def pressing(*args: Any, **more: Any) -> Any:
        calls.append(name)
        if len(calls) == 1:
            signal.raise_signal(signal.SIGINT)
        return plain(*args, **more)

    monkeypatch.setattr(owner, name, pressing)


def test_check_stops_in_the_middle_of_a_search(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """A law must not hold on a search that was interrupted."""
    pressed_in(monkeypatch, Driver, "_slices")
    outcome = call(
        "check",
        "6-puzzle",
        "--engine",
        "reference",
        "--law",
        "engines",
        "--law",
        "keys",
        "--states",
        "50",
    )
    assert outcome.code == ExitCode.INTERRUPTED
    assert "interrupted by Ctrl-C, so that this is a part of the report" in outcome.lines[-1]
    assert re.match(r"2 laws: [01] hold, [12] not checked", outcome.lines[-1])


@pytest.mark.slow
def test_check_stops_between_searches(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    pressed_in(monkeypatch, engines, "objection")
    outcome = call("check", "6-puzzle", "--engine", "reference", "--law", "engines")
    assert outcome.code == ExitCode.INTERRUPTED


@pytest.mark.slow
def test_check_as_json_is_whole(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    pressed_in(monkeypatch, Driver, "_slices")
    outcome = call("check", "6-puzzle", "--engine", "reference", "--law", "engines", "--json")
    assert outcome.code == ExitCode.INTERRUPTED
    assert '"interrupted by Ctrl-C' in outcome.out


@pytest.mark.slow_variants(
    "check-heuristic 6-puzzle", "compare 6-puzzle", "explore 6-puzzle", "check 6-puzzle"
)
@pytest.mark.parametrize(
    "words",
    [
        ["check", "6-puzzle", "--law", "machine-code"],
        ["check-heuristic", "6-puzzle", "--engine", "compiled"],
        ["run", "6-puzzle", "--engine", "compiled", "--algo", "bfs"],
        ["compare", "6-puzzle", "--engine", "compiled", "--algo", "bfs"],
        ["explore", "6-puzzle", "--engine", "compiled"],
        ["pdb", "build", "6-puzzle", "3-3"],
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_while_machine_code_is_loaded_or_made(
    call: Call, words: list[str], monkeypatch: pytest.MonkeyPatch, forgotten: None
) -> None:
    """The function at hand is loaded, and no other; in callbacks Ctrl-C would be lost."""
    pressed_in(monkeypatch, KernelEntry, "_obtained")
    outcome = call(*words)
    assert outcome.code == ExitCode.INTERRUPTED
    assert "interrupted" in outcome.err + outcome.out


@pytest.mark.parametrize(
    ("owner", "name", "words"),
    [
        (Build, "about", ["run", "8-puzzle", "--heuristic", "pdb:3"]),
        (Build, "about", ["compare", "8-puzzle", "--heuristic", "pdb:3", "--algo", "astar"]),
        (Driver, "_slices", ["run", "cube3", "--algo", "idastar", "--scramble", "9"]),
    ],
)
def test_while_a_table_is_built_that_nobody_asked_for(
    call: Call, owner: Any, name: str, words: list[str], monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:  # fmt: skip
    monkeypatch.setenv("SEARCHKIT_DATA_DIR", str(tmp_path))
    pressed_in(monkeypatch, owner, name)
    outcome = call(*words, "--seed", "1") if "--scramble" in words else call(*words)
    assert (outcome.code, outcome.out) == (ExitCode.INTERRUPTED, "")
    # Where machine code has to be made first, building lasts long enough for a line that says so.
    told = [line for line in outcome.err.splitlines() if ": note: building " not in line]
    assert told == LINE


@pytest.fixture
def forgotten(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Modules with their machine code are loaded again, and databases built again."""
    monkeypatch.setattr("searchkit.compiled.specialise.module._made", {})
    kernels = [name for name in sys.modules if name.startswith("searchkit_kernel_")]
    for name in kernels:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setenv("SEARCHKIT_DATA_DIR", str(tmp_path))


def test_a_hint_that_is_interrupted_ends_the_play(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    pressed_in(monkeypatch, hand, "solve")
    outcome = call("play", "8-puzzle", stdin="hint\n")
    assert outcome.code == ExitCode.INTERRUPTED
    pressed_in(monkeypatch, Driver, "_slices")
    outcome = call("play", "8-puzzle", stdin="hint\n")
    assert outcome.code == ExitCode.INTERRUPTED
    assert "no solution" not in outcome.out
