"""Where a disk is full, one line says so, and files that were there are as they were."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from searchkit.cli.support.exit_codes import ExitCode
from searchkit.texts import files
from tests.support.cli_calls import Call

RUN = ("run", "8-puzzle", "--start", "123450786", "-q")
EXPLORE = ("explore", "6-puzzle", "--limit", "0", "-q")
REFERENCE = ("--engine", "reference")
COMPARE = ("compare", "8-puzzle", "--algo", "bfs", "--start", "123450786", "-q", *REFERENCE)


def full(handle: int, *_: Any) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.slow_variants("args6---plot-plot.svg-fsync")
@pytest.mark.parametrize(
    ("args", "option", "name", "step"),
    [
        (RUN, "--html", "page.html", "write"),
        (RUN, "--html", "page.html", "fsync"),
        (COMPARE, "--output", "table.json", "write"),
        ((*RUN, *REFERENCE), "--proof", "answer.gz", "write"),
        ((*RUN, *REFERENCE), "--proof", "answer.gz", "fsync"),
        (EXPLORE, "--proof", "distances.gz", "write"),
        (EXPLORE, "--plot", "plot.svg", "fsync"),
        pytest.param(COMPARE, "--output", "table.md", "fsync", marks=pytest.mark.slow),
        pytest.param(EXPLORE, "--html", "page.html", "write", marks=pytest.mark.slow),
        pytest.param(COMPARE, "--html", "page.html", "write", marks=pytest.mark.slow),
        pytest.param(COMPARE, "--plot", "plot.svg", "write", marks=pytest.mark.slow),
    ],
)
def test_one_line_and_the_old_file(
    args: tuple[str, ...], option: str, name: str, step: str, call: Call, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, here: None,
) -> None:  # fmt: skip
    path = tmp_path / name
    path.write_text("old")
    monkeypatch.setattr(files.os, step, full)
    outcome = call(*args, option, str(path))
    assert outcome.code == ExitCode.BUG
    assert len(outcome.err_lines) == 1
    assert outcome.err.startswith("searchkit: error: cannot write ")
    assert "No space left on device" in outcome.err
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_lines_that_were_measured_are_kept(
    call: Call, here: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not as the file that was asked for: that one is as it was."""
    path, write, lines = tmp_path / "runs.csv", os.write, []
    path.write_text("old")

    def written(handle: int, data: Any) -> int:
        lines.append(bytes(data))
        if len(lines) == 3:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(handle, data)

    with monkeypatch.context() as patches:
        patches.setattr(files.os, "write", written)
        outcome = call(*COMPARE, "--repeat", "3", "--output", str(path))
    (part,) = {*tmp_path.iterdir()} - {path}
    assert outcome.code == ExitCode.BUG
    assert outcome.err == (
        f"searchkit: error: cannot write to {path}: No space left on device; the lines before are "
        f"in {part}\n"
    )
    assert path.read_text() == "old"
    assert part.read_bytes() == b"".join(lines[:2])
    assert len(part.read_text().splitlines()) == 2


def test_a_table_of_runs_takes_its_name_in_the_end(call: Call, here: None, tmp_path: Path) -> None:
    path = tmp_path / "runs.csv"
    path.write_text("old")
    outcome = call(*COMPARE, "--repeat", "2", "--output", str(path))
    assert (outcome.code, outcome.err) == (0, "")
    assert len(path.read_text().splitlines()) == 3
    assert list(tmp_path.iterdir()) == [path]


def test_runs_that_end_in_an_error_of_their_own(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error that is none of the file is not said to be one."""

    def failing(*_: Any, **__: Any) -> dict[str, Any]:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr("searchkit.cli.commands.comparing.worker.Runner.begin", failing)
    outcome = call(*COMPARE, "--repeat", "2", "--output", str(tmp_path / "runs.csv"))
    assert outcome.code == ExitCode.BUG
    (part,) = tmp_path.iterdir()
    assert outcome.err_lines == [
        f"searchkit: note: {tmp_path / 'runs.csv'} is not written; the lines before are in {part}",
        "searchkit: error: Too many open files; make room on the disk, or close files",
    ]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    ("args", "option"),
    [(RUN, "--html"), ((*RUN, *REFERENCE), "--proof"), ((*COMPARE, "--format", "json"), "--output"),
     ((*COMPARE, "--format", "csv"), "--output")],
)  # fmt: skip
def test_a_device_that_is_full(args: tuple[str, ...], option: str, call: Call, here: None) -> None:
    outcome = call(*args, option, "/dev/full")
    assert outcome.code == ExitCode.BUG
    assert len(outcome.err_lines) == 1
    assert "No space left on device" in outcome.err
    assert "bug" not in outcome.err
    assert not Path("/dev/full").is_file()
