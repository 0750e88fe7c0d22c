"""What can be known to be wrong is told before any work; closed streams; sizes that are hostile."""

from __future__ import annotations

import io
import itertools
import subprocess
import sys
from pathlib import Path
from time import process_time

import pytest

from searchkit.cli.app import app
from searchkit.cli.support.exit_codes import ExitCode
from searchkit.solving.series import Series
from searchkit.texts.text_files import MOST_BYTES
from tests.support.cli_calls import Call


@pytest.mark.parametrize(
    "line",
    [
        "run 15-puzzle --renderer nope",
        "run 15-puzzle --boards - --renderer nope",
        "explore 15-puzzle --renderer nope",
        "compare 15-puzzle --renderer nope",
        "play 15-puzzle --renderer nope",
        "info 15-puzzle --renderer nope",
        "run 15-puzzle --heuristic nope",
        "run 15-puzzle --html nowhere/page.html",
        "run 15-puzzle --html /dev",
        "run 15-puzzle --algo idastar --plot plot.txt",
        "run 15-puzzle --algo idastar --plot nowhere/plot.svg",
        "explore 15-puzzle --plot nowhere/plot.svg",
        "explore 15-puzzle --html page.pdf",
        "compare 15-puzzle --output nowhere/table.csv",
        "compare 15-puzzle --repeat 2 --html nowhere/page.html",
        "compare 15-puzzle --repeat 2 --output table.txt",
    ],
)
def test_a_wrong_value_is_told_before_the_search(
    call: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, line: str
) -> None:
    monkeypatch.chdir(tmp_path)

    def searched(*args: object, **options: object) -> None:
        raise AssertionError("a search began")

    for module in ("run", "play"):
        monkeypatch.setattr(f"searchkit.cli.commands.{module}.solve", searched)
    monkeypatch.setattr(Series, "solve", searched)
    monkeypatch.setattr("searchkit.cli.commands.explore.explore", searched)
    outcome = call(*line.split(), stdin="")
    assert (outcome.code, outcome.out) == (2, "")
    assert len(outcome.err_lines) == 1
    assert not list(tmp_path.iterdir())


COMMANDS = [
    "run 8-puzzle --start 123450786",
    "run 8-puzzle --start 123450786 --json",
    "run 8-puzzle --boards -",
    "run 8-puzzle --start 123450786 --play",
    "run nope",
    "play 8-puzzle",
    "list",
    "info 8-puzzle",
    "compare 6-puzzle --algo bfs",
    "compare 6-puzzle --boards -",
    "explore 6-puzzle --max-cost 3",
    "check 6-puzzle --states 5 --engine reference --law starts",
    "check-heuristic 6-puzzle --max-states 0 --samples 10",
    "table nowhere",
    "pdb list",
    "new my-puzzle",
    "verify -",
    "verify --schema",
    "completion bash",
    "--help",
]
CLOSED = [
    which for number in (1, 2, 3)
    for which in itertools.combinations(("stdin", "stdout", "stderr"), number)
]  # fmt: skip


@pytest.mark.slow_variants("stdin-stderr", "stdout-stderr", "stdin-stdout", "stdin", "stdout")
@pytest.mark.parametrize("closed", CLOSED, ids="-".join)
def test_closed_streams(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, closed: tuple[str, ...]
) -> None:
    for number, line in enumerate(COMMANDS):
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        errors = io.StringIO()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
        monkeypatch.setattr(sys, "stdout", io.StringIO())
        monkeypatch.setattr(sys, "stderr", errors)
        for name in closed:  # Python's way to say that there is none
            monkeypatch.setattr(sys, name, None)
        with pytest.raises(SystemExit) as ended:
            app.main(args=line.split())
        assert ended.value.code in set(ExitCode), line
        said = errors.getvalue()
        assert "bug" not in said, (line, said)
        assert "Traceback" not in said, (line, said)
        if ended.value.code in (1, 2) and "stderr" not in closed:
            assert "searchkit: error: " in said, line


def test_what_is_closed_stays_reserved() -> None:
    """A file that is opened later must not become the standard output."""
    code = (
        "import os\n"
        "from searchkit.cli.support.streams import guarded_streams\n"
        "with guarded_streams():\n"
        "    opened = os.open(os.devnull, os.O_RDONLY)\n"
        "os.write(2, str(opened).encode())"
    )
    done = subprocess.run(
        ["sh", "-c", 'exec "$0" -c "$1" <&- >&-', sys.executable, code],
        stderr=subprocess.PIPE, timeout=300, check=True,
    )  # fmt: skip
    assert int(done.stderr) > 2


def test_moves_that_cannot_be_read(call: Call) -> None:
    outcome = call("play", "8-puzzle", stdin=b"\xff\xfe\n")
    assert outcome.code == 2
    assert "moves cannot be read from standard input" in outcome.err


def test_a_line_that_is_too_long_is_refused_at_once(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    file.write_text("123450786\n" + "1" * 10_000_000 + "\n\n413726580\n" + "2" * (MOST_BYTES + 1))
    began = process_time()
    outcome = call("run", "8-puzzle", "--boards", str(file), "--moves")
    assert process_time() - began < 5  # it was 12
    assert outcome.code == 4
    assert outcome.lines == ["6", "8 5 7 4 1 2 5 8"]
    said = [line for line in outcome.err_lines if "longer than 65,536 bytes" in line]
    assert [line.split(",")[1].split(":")[0] for line in said] == [" line 2", " line 5"]
    refused = call("compare", "8-puzzle", "--boards", str(file))
    assert refused.code == 2
    assert "line 2: it is longer than" in refused.err


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/tty", "/dev/null"])
def test_boards_are_read_from_files_and_pipes_only(call: Call, device: str) -> None:
    for command in ("run", "compare"):
        outcome = call(command, "8-puzzle", "--boards", device)
        assert outcome.code == 2
        assert "is neither a regular file nor a pipe" in outcome.err
    assert "is neither a regular file nor a pipe" in call("verify", device).err
