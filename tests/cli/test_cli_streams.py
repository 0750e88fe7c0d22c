"""Closed and full streams: the right exit code, one line at most, no traceback."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="the system has no full device")


def shell(line: str) -> tuple[int, str, str]:
    """What a shell says to `searchkit LINE`: the exit code of searchkit, stdout and stderr."""
    here = str(Path(sys.executable).parent)
    environment = os.environ | {"PATH": os.pathsep.join([here, os.environ["PATH"]])}
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; searchkit {line}"],
        env=environment, text=True, capture_output=True, timeout=300, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


@pytest.mark.slow_variants(
    "--version | true-141",
    "run --help | true-141",
    "run nope 2>&1 | true-2",
    "run hoppers --count 2>&1 >/dev/null | true-0",
    "run hoppers --count 2>&- >/dev/null-0",
    "list | true-141",
)
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("--help | true", 141),
        ("--version | true", 141),
        ("run --help | true", 141),
        ("list | true", 141),
        ("run nope 2>&1 | true", 2),
        ("run nope 2>&-", 2),
        ("--frobnicate 2>&-", 2),
        ("run hoppers --count 2>&- >/dev/null", 0),
        ("run hoppers --count 2>&1 >/dev/null | true", 0),
        ("explore 6-puzzle >&- 2>&-", 1),
        ("run hoppers -q <&- >/dev/null", 0),
    ],
)
def test_nothing_is_said(line: str, code: int) -> None:
    assert shell(line) == (code, "", "")


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("run hoppers >&-", 1, "cannot write to standard output: standard output is closed"),
        (
            "verify - <&-",
            2,
            "-: standard input is closed; give a file written by run --json or by --proof",
        ),
    ],
)
def test_one_line_is_said(line: str, code: int, words: str) -> None:
    assert shell(line) == (code, "", f"searchkit: error: {words}\n")


@pytest.mark.slow_variants("--version", "run --help", "run hoppers", "list")
@needs_full
@pytest.mark.parametrize(
    "command", ["--help", "--version", "list", "run hoppers", "run hoppers --json", "run --help"]
)
def test_a_full_disk(command: str) -> None:
    words = "cannot write to standard output: No space left on device"
    assert shell(f"{command} >/dev/full") == (1, "", f"searchkit: error: {words}\n")
    assert shell(f"{command} >/dev/full 2>&1") == (1, "", "")


@needs_full
@pytest.mark.parametrize(("command", "code"), [("run nope", 2), ("run hoppers --count", 0)])
def test_full_only_for_notes(command: str, code: int) -> None:
    assert shell(f"{command} 2>/dev/full") == (code, "18\n" if code == 0 else "", "")


def test_without_words_the_help_is_shown() -> None:
    shown = shell("")
    assert shown == shell("--help")
    assert shown[1].startswith("Usage: searchkit")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_no_color_takes_colours_away() -> None:
    import pty  # noqa: PLC0415  (not on every system)

    ours, theirs = pty.openpty()
    environment = os.environ | {"NO_COLOR": "1", "TERM": "xterm-256color"}
    command = [sys.executable, "-m", "searchkit", "run", "8-puzzle", "--algo", "idastar", "-v"]
    process = subprocess.Popen(command, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    seen = b""
    with suppress(OSError):  # raised where the other end is closed
        while part := os.read(ours, 4096):
            seen += part
    os.close(ours)
    assert process.wait(300) == 0
    assert b"31 moves, optimal" in seen
    styles = re.findall(rb"\x1b\[([0-9;]*)m", seen)
    assert all(int(each or 0) in (0, 1, 2, 3, 4) for style in styles for each in style.split(b";"))
