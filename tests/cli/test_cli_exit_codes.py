"""Every exit code, each from a call that ends with it."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path

import pytest

from searchkit.cli.support.exit_codes import ExitCode
from tests.support.cli_calls import TOYS, Call, start_process

CASES: list[tuple[ExitCode, list[str], str]] = [
    (ExitCode.OK, ["run", "jugs"], "6 moves, optimal"),
    (ExitCode.OK, ["run", "line", "--start", "0"], "0 moves, optimal"),
    (ExitCode.UNSOLVABLE, ["run", "jugs", "-p", "want=9"], "unsolvable: every state"),
    (ExitCode.UNSOLVABLE, ["run", "line", "--start", "-3"], "unsolvable: negative numbers"),
    (ExitCode.UNSOLVABLE, ["run", "8-puzzle", "--start", "123456870"], "unsolvable: odd perm"),
    (ExitCode.GAVE_UP, ["run", "endless", "--max-expansions", "10"], "gave up at the expansion"),
    (ExitCode.GAVE_UP, ["run", "jugs", "--max-cost", "5"], "no solution costs less than 6"),
    (ExitCode.GAVE_UP, ["run", "line", "--algo", "iddfs", "--max-cost", "2"], "gave up"),
    (ExitCode.OUT_OF_TIME, ["run", "endless", "--max-time", "50ms"], "gave up at the time"),
    (ExitCode.OUT_OF_MEMORY, ["run", "endless", "--max-memory", "50kB"], "gave up at the memory"),
    (
        ExitCode.GAVE_UP,
        ["explore", "endless", "--max-expansions", "10"],
        "the last layer may be incomplete",
    ),
    (ExitCode.GAVE_UP, ["explore", "jugs", "--max-cost", "2"], "all that are at most 2 moves away"),
    (ExitCode.GAVE_UP, ["explore", "jugs", "--max-depth", "1"], "at most 1 move away"),
    (ExitCode.OUT_OF_TIME, ["explore", "endless", "--max-time", "50ms"], "gave up at the time"),
    (ExitCode.OUT_OF_MEMORY, ["explore", "endless", "--max-memory", "50kB"], "at the memory"),
    (ExitCode.OUT_OF_TIME, ["compare", "endless", "--max-time", "20ms"], "gave up (time)"),
    (ExitCode.UNSOLVABLE, ["compare", "jugs", "-p", "want=9"], "unsolvable"),
]


@pytest.mark.parametrize(("code", "args", "words"), CASES)
def test_exit_code(toys: Call, code: ExitCode, args: list[str], words: str) -> None:
    outcome = toys(*args)
    assert outcome.code == code
    assert words in outcome.out
    assert outcome.err == ""


@pytest.mark.spread
@pytest.mark.parametrize(
    ("code", "args"),
    [
        (ExitCode.UNSOLVABLE, ["jugs", "-p", "want=9"]),
        (ExitCode.OUT_OF_TIME, ["endless", "--max-time", "50ms"]),
        (ExitCode.OUT_OF_MEMORY, ["endless", "--max-memory", "50kB"]),
    ],
)
@pytest.mark.parametrize("form", [["--all"], ["--moves"], ["--count"], ["--json"]])
def test_every_form_keeps_the_code(
    toys: Call, code: ExitCode, args: list[str], form: list[str]
) -> None:
    outcome = toys("run", *args, *form)
    assert outcome.code == code
    if form == ["--json"]:
        assert json.loads(outcome.out)["solutions"] == []
        assert outcome.err == ""
    else:
        said = outcome.out if form == ["--all"] else outcome.err
        assert said.startswith(("unsolvable", "gave up"))


def test_a_bug_is_one_line(toys: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("two\nlines")

    monkeypatch.setattr("searchkit.registry.Registry.load", broken)
    outcome = toys("list")
    assert outcome.code == ExitCode.BUG
    assert outcome.err_lines == [
        "searchkit: bug: RuntimeError: two lines; please report this; --debug shows where"
    ]
    shown = toys("list", "--debug")
    assert shown.code == ExitCode.BUG
    assert "Traceback" in shown.err


@pytest.mark.slow_variants("command3", "command1")
@pytest.mark.parametrize("command", [["run"], ["compare"], ["explore"], ["run", "--json"]])
def test_ctrl_c(command: list[str], tmp_path: Path) -> None:
    name, *form = command
    mark = tmp_path / "begun"
    process = start_process(
        name,
        "endless",
        *form,
        "-p",
        "pause=0.001",
        "-p",
        f"mark={mark}",
        "--plugin",
        TOYS,
        "--max-memory",
        "500MB",
    )
    try:
        while process.poll() is None and not mark.exists():
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=300)
    finally:
        process.kill()
    assert process.returncode == ExitCode.INTERRUPTED
    assert err == ""
    assert "interrupted" in out
    assert "expanded" in out


def test_ctrl_c_while_listing(toys: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("searchkit.cli.commands.running.report.moves_line", stop)
    outcome = toys("run", "jugs", "--all")
    assert outcome.code == ExitCode.INTERRUPTED
    assert "0 of 1 solution listed, 6 moves, optimal; interrupted" in outcome.out
    assert outcome.err == ""


def test_ctrl_c_at_any_other_time(toys: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("searchkit.cli.commands.running.report.wrapped_moves", stop)
    outcome = toys("run", "jugs")
    assert outcome.code == ExitCode.INTERRUPTED
    assert outcome.err_lines == ["searchkit: interrupted: stopped by Ctrl-C"]


def test_a_closed_pipe_is_quiet() -> None:
    process = start_process("run", "hoppers", "--all", "--symmetry", "none", "--draw")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert "Traceback" not in err
    assert "Broken" not in err
    assert process.wait(300) in (ExitCode.OK, ExitCode.PIPE_CLOSED)
