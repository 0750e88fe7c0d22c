"""`run --boards`: each line is solved as if it were the only one, and told at once."""

from __future__ import annotations

import json
import re
import signal
from itertools import count
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import SearchResult, Status
from searchkit.cli.support.exit_codes import ExitCode
from searchkit.cli.support.files import lines_of
from searchkit.errors import ParseError
from searchkit.solving.series import Series
from tests.support.cli_calls import Call, start_process

EIGHT = ["123450786", "867254301", "123456780", "123456870", "536407182"]
"""One move away, the farthest, the goal, unsolvable, and any other."""


def without_measures(document: dict[str, Any]) -> dict[str, Any]:
    """What a document says apart from times, sizes, the kind of engine, and where it was read."""
    left_out = {"statistics", "engine", "engine_reason", "line", "board"}
    return {name: value for name, value in document.items() if name not in left_out}


@pytest.mark.slow_variants(
    "--algo idastar --heuristic linear-conflict --engine reference",
    "--algo astar",
    "--heuristic linear-conflict",
)
@pytest.mark.parametrize(
    "options",
    [
        ["--algo", "astar", "--engine", "reference"],
        ["--algo", "idastar", "--heuristic", "linear-conflict", "--engine", "reference"],
        ["--algo", "astar"],
        ["--heuristic", "linear-conflict"],
    ],
    ids=" ".join,
)
def test_each_board_is_solved_as_if_it_were_the_only_one(call: Call, options: list[str]) -> None:
    run = ["run", "8-puzzle", *options, "--json"]
    outcome = call(*run, "--boards", "-", stdin="\n".join(EIGHT))
    assert outcome.code == ExitCode.UNSOLVABLE
    documents = [json.loads(line) for line in outcome.lines]
    assert [(each["line"], each["board"]) for each in documents] == list(enumerate(EIGHT, start=1))
    for document in documents:
        alone = json.loads(call(*run, "--start", document["board"]).out)
        assert without_measures(document) == without_measures(alone)
        if document["engine"] == "reference":
            same = ["expanded", "generated", "reopened", "max_frontier", "stored"]
            for name in same:
                assert document["statistics"][name] == alone["statistics"][name]


def engines(outcome: Any) -> list[str]:
    return [json.loads(line)["engine"] for line in outcome.lines]


def test_machine_code_is_used_once_it_is_worth_it(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("searchkit.solving.plan.TRIAL_NODES", 7000)
    boards = [EIGHT[1], EIGHT[0], EIGHT[1], EIGHT[0], EIGHT[4]]  # 6,728 states each for two
    run = ["run", "8-puzzle", "--algo", "astar", "--json", "--boards", "-", "--jobs", "1"]
    found = engines(call(*run, stdin="\n".join(boards)))
    assert found == ["reference"] * 3 + ["compiled"] * 2
    found = engines(call(*run, "--engine", "reference", stdin="\n".join(boards)))
    assert found == ["reference"] * 5


def test_what_cannot_be_compiled_is_not(toys: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("searchkit.solving.plan.TRIAL_NODES", 0)
    monkeypatch.setattr("searchkit.compiled.plan._has_numba", lambda: False)
    outcome = toys("run", "line", "--json", "--boards", "-", stdin="5\n6\n7\n")
    assert engines(outcome) == ["reference"] * 3


def test_the_lines_for_people(toys: Call, tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    file.write_bytes(b"\xef\xbb\xbf# walks\r\n3\r\n\r\n  0 \r\n-4\r\n# more\n1")
    outcome = toys("run", "line", "--boards", str(file))
    assert outcome.lines == [
        "2: 3: 3 moves, optimal: left left left",
        "4: 0: 0 moves, optimal:",
        "5: -4: unsolvable: negative numbers are out of bounds",
        "7: 1: 1 move, optimal: left",
    ]
    assert outcome.code == ExitCode.UNSOLVABLE
    assert re.fullmatch(r"4 boards in [\d.]+ s: 3 solved, 1 unsolvable", outcome.err.strip())
    assert toys("run", "line", "--boards", str(file), "--quiet").err == ""
    moves = toys("run", "line", "--boards", str(file), "--moves", "--quiet")
    assert moves.out == "left left left\n\nleft\n"
    assert moves.err == "line 5: unsolvable: negative numbers are out of bounds\n"


def test_a_wrong_line_is_told_by_its_number_and_the_others_go_on(toys: Call) -> None:
    outcome = toys("run", "line", "--boards", "-", stdin=b"2\nx\n\xff\xfe\n-1\n1\n")
    assert [line.split(":")[0] for line in outcome.lines] == ["1", "4", "5"]
    assert outcome.err_lines[0].startswith(
        "searchkit: error: stdin, line 2: start 'x' is not a state"
    )
    assert outcome.err_lines[1] == "searchkit: error: stdin, line 3: it is not a UTF-8 text"
    assert outcome.err_lines[2].endswith("2 solved, 1 unsolvable, 2 not read")
    assert outcome.code == ExitCode.NO_BOARD


@pytest.mark.parametrize(
    ("boards", "options", "code"),
    [
        ("1\n2", [], ExitCode.OK),
        ("1\n2", ["--max-expansions", "1"], ExitCode.GAVE_UP),
        ("1\n-2", [], ExitCode.UNSOLVABLE),
        ("5\n-2", ["--max-time", "0"], ExitCode.OUT_OF_TIME),
        ("5\n-2\nx", ["--max-time", "0"], ExitCode.NO_BOARD),
        ("# nothing\n\n", [], ExitCode.BAD_INPUT),
        ("", [], ExitCode.BAD_INPUT),
    ],
)
def test_exit_codes(toys: Call, boards: str, options: list[str], code: ExitCode) -> None:
    assert toys("run", "line", "--boards", "-", *options, stdin=boards).code == code


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["line", "--boards", "-", "--start", "1"], "--boards and --start exclude each other"),
        (["line", "--boards", "-", "--random"], "--boards and --random exclude each other"),
        (["line", "--boards", "-", "--all"], "--boards and --all exclude each other"),
        (["line", "--boards", "-", "--draw"], "--boards and --draw exclude each other"),
        (["line", "--boards", "-", "--json", "--moves"], "--json and --moves exclude each other"),
        (["line", "--boards", "no/such"], "'no/such' cannot be read: No such file"),
        (["line", "--boards", "."], "'.' cannot be read: Is a directory"),
        (["jugs", "--boards", "-"], "puzzle jugs has a fixed start; drop --boards"),
    ],
)
def test_wrong_calls(toys: Call, args: list[str], says: str) -> None:
    outcome = toys("run", *args, stdin="1\n")
    assert (outcome.code, outcome.out) == (ExitCode.BAD_INPUT, "")
    assert outcome.err.startswith(f"searchkit: error: {says}")
    assert len(outcome.err_lines) == 1


def test_what_was_written_is_verified_line_by_line(call: Call, tmp_path: Path) -> None:
    run = ["run", "8-puzzle", "--engine", "reference", "--json", "--boards", "-"]
    text = call(*run, stdin="\n".join(EIGHT)).out
    outcome = call("verify", "-", "-q", stdin=text)
    assert outcome.code == ExitCode.OK
    assert outcome.lines[0] == "1: ok: 1 solution verified (1 move)"
    assert outcome.lines[3] == "4: ok: no solution; the certificate, of kind 'parity', holds"
    assert len(outcome.lines) == 5
    lines = text.splitlines()
    assert call("verify", "-", "-q", stdin=lines[1]).out == "ok: 1 solution verified (31 moves)\n"
    lines[1] = lines[1].replace('"actions": ["3", "2"', '"actions": ["2", "3"')
    outcome = call("verify", "-", "-q", stdin="\n".join(lines))
    assert outcome.code == ExitCode.BAD_INPUT
    assert outcome.err.startswith("searchkit: error: -, line 2: solution 1:")


def test_results_come_before_the_next_board_is_there() -> None:
    process = start_process("run", "8-puzzle", "--boards", "-", "--json", stdin=-1)
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    for number, board in enumerate(EIGHT[:3], start=1):
        process.stdin.write(f"{board}\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["line"] == number
    process.send_signal(signal.SIGINT)
    assert process.wait(300) == ExitCode.INTERRUPTED
    assert process.stderr.read() == "searchkit: interrupted: stopped by Ctrl-C\n"
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()


def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    file.write_text("123450786\n" * 20_000)
    process = start_process("run", "8-puzzle", "--boards", str(file), "--json")
    assert process.stdout is not None
    assert process.stderr is not None
    assert json.loads(process.stdout.readline())["line"] == 1
    process.stdout.close()
    assert process.wait(300) == ExitCode.PIPE_CLOSED
    assert process.stderr.read() == ""
    process.stderr.close()


def test_ctrl_c_within_a_search_tells_that_board_and_stops(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = count()

    solve = Series.solve

    def interrupted(*args: Any) -> SearchResult[Any, Any]:
        result = solve(*args)
        if next(numbers) != 1:
            return result
        return attrs.evolve(result, status=Status.INTERRUPTED, solution=None, solutions=None)

    monkeypatch.setattr(Series, "solve", interrupted)
    run = ["run", "8-puzzle", "--algo", "astar", "--engine", "reference", "--boards", "-"]
    outcome = call(*run, "--jobs", "1", stdin="\n".join(EIGHT))
    assert outcome.code == ExitCode.INTERRUPTED
    assert [line.split(": ")[2][:11] for line in outcome.lines] == ["1 move, opt", "interrupted"]


class Chunks:
    """A file of bytes that counts what was asked for."""

    def __init__(self, lines: list[bytes]) -> None:
        self.lines, self.asked = lines, 0

    def readline(self, most: int) -> bytes:
        self.asked += 1
        return self.lines[self.asked - 1] if self.asked <= len(self.lines) else b""


@settings(max_examples=50, deadline=None)
@given(st.lists(st.binary(max_size=6).map(lambda raw: raw.replace(b"\n", b"") + b"\n")))
def test_lines_have_the_numbers_of_the_file(lines: list[bytes]) -> None:
    file = Chunks(lines)
    found = dict(lines_of(file))  # type: ignore[arg-type]
    assert all(1 <= number <= len(lines) for number in found)
    for number, raw in enumerate(lines, start=1):
        try:
            text = raw.decode("utf-8-sig" if number == 1 else "utf-8").strip()
        except UnicodeDecodeError:
            assert isinstance(found[number], ParseError)
        else:
            assert found.get(number, "") == ("" if text.startswith("#") else text)
