"""Parameters that name files: read for the user, bounded; never for a document."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from searchkit import Parameter
from searchkit.errors import ParseError, UsageError
from searchkit.registry import PuzzleEntry
from searchkit.tables.signed import digest
from searchkit.texts.text_files import MOST_BYTES, opened, read_text, texts_of_files
from tests.support.cli_calls import Call

BOARD = "jumps: orthogonal\nstart:\no.oo\noooo\noooo\noooo\ngoal: any\n"
SECRET = "AWS_KEY=hunter2:"


@pytest.fixture
def written(call: Call, tmp_path: Path) -> dict[str, Any]:
    """What `run --json` says of a board in a file."""
    file = tmp_path / "board.txt"
    file.write_text(BOARD)
    outcome = call("run", "peg", "-p", f"board={file}", "--algo", "bfs", "--json")
    assert outcome.code == 0
    content: dict[str, Any] = json.loads(outcome.out)
    file.unlink()
    return content


def test_documents_hold_the_board_and_need_no_file(call: Call, written: dict[str, Any]) -> None:
    assert written["parameters"]["board"] == BOARD
    outcome = call("verify", "-", stdin=json.dumps(written))
    assert (outcome.code, outcome.err) == (0, "")


@pytest.mark.parametrize("path", ["/proc/self/environ", "/dev/zero", "secret.txt", "./secret"])
def test_verify_opens_no_file(
    call: Call, written: dict[str, Any], tmp_path: Path, path: str
) -> None:
    named = tmp_path / path
    if not path.startswith("/"):
        named.write_text(SECRET)
    written["parameters"]["board"] = str(named)
    outcome = call("verify", "-", stdin=json.dumps(written))
    assert outcome.code == 2
    (line,) = outcome.err_lines
    assert "names the file" in line
    assert "--files" in line
    assert SECRET[:6] not in line


def test_verify_opens_no_pipe(call: Call, written: dict[str, Any], tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.txt"
    os.mkfifo(pipe)
    written["parameters"]["board"] = str(pipe)  # opening it would wait for ever
    assert call("verify", "-", stdin=json.dumps(written)).code == 2


def test_files_are_opened_where_the_user_says_so(
    call: Call, written: dict[str, Any], tmp_path: Path
) -> None:
    file = tmp_path / "board.txt"
    file.write_text(BOARD)
    written["parameters"]["board"] = str(file)
    assert call("verify", "-", "--files", stdin=json.dumps(written)).code == 0
    file.write_text(SECRET)
    outcome = call("verify", "-", "--files", stdin=json.dumps(written))
    assert outcome.code == 2
    assert "line 1" in outcome.err
    assert "hunter2" not in outcome.err
    assert "AWS" not in outcome.err


def test_tables_open_no_file(call: Call, tmp_path: Path) -> None:
    folder = tmp_path / "table"
    assert call("explore", "8-puzzle", "--checkpoint", str(folder), "--max-cost", "2").code == 12
    manifest = folder / "manifest.json"
    content = json.loads(manifest.read_text())
    content["identity"] |= {"puzzle": "peg", "parameters": {"board": "/proc/self/environ"}}
    del content["check"]
    manifest.write_text(json.dumps(content | {"check": digest(content)}))
    outcome = call("table", str(folder))
    assert outcome.code == 2
    assert "names the file" in outcome.err


WRONG = [
    ("/dev/zero", "neither a regular file"),
    ("/dev/null", "neither a regular file"),
    ("./nowhere", "No such file"),
    (".", "Is a directory"),
    ("./" + "A" * 5000, "File name too long"),
    ("a.\0b", "no such name"),
    ("A" * 5000, "is unknown"),
    ("/proc/self/mem", "cannot be read"),
]


@pytest.mark.parametrize(("path", "words"), WRONG, ids=[case[0][:16] for case in WRONG])
def test_what_is_no_file_is_one_short_line(call: Call, path: str, words: str) -> None:
    outcome = call("run", "peg", "-p", f"board={path}")
    assert (outcome.code, outcome.out) == (2, "")
    (line,) = outcome.err_lines
    assert words in line
    assert len(line) < 300


@pytest.mark.parametrize("text", ["daemon:x:1:1", "start:\nsecret", "jumps: secret\nstart:\no.o\n"])
def test_errors_show_nothing_of_the_file(call: Call, tmp_path: Path, text: str) -> None:
    file = tmp_path / "passwd.txt"
    file.write_text(text)
    outcome = call("run", "peg", "-p", f"board={file}")
    assert outcome.code == 2
    (line,) = outcome.err_lines
    assert f"{file}: the drawing of the board, line" in line
    assert "secret" not in line
    assert "daemon" not in line


def test_a_file_may_be_so_long_and_no_longer(tmp_path: Path) -> None:
    file = tmp_path / "long.txt"
    file.write_text("x" * (MOST_BYTES - 1))
    assert read_text(file) == "x" * (MOST_BYTES - 1) + "\n"
    file.write_text("x" * (MOST_BYTES + 1))
    with pytest.raises(ParseError, match=r"longer than 65,536 bytes"):
        read_text(file)
    file.write_bytes(b"\xff")
    with pytest.raises(ParseError, match=r"is not a UTF-8 text$"):
        read_text(file)


def test_a_device_is_not_even_opened() -> None:
    with pytest.raises(ParseError, match="neither a regular file nor a pipe"):
        opened("/dev/tty")


def test_the_factory_of_a_plugin_gets_texts_never_names(tmp_path: Path) -> None:
    given: list[str] = []

    def factory(words: str) -> Any:
        given.append(words)

    entry = PuzzleEntry(
        name="p",
        factory=factory,
        summary="",
        parameters=(Parameter("words", "few", path=True),),
        origin="here",
    )
    file = tmp_path / "words"
    file.write_text("cold\r\nwarm")
    entry.create(**texts_of_files(entry.parameters, {"words": str(file)}))
    entry.create(words="few")
    entry.create()
    assert given == ["cold\nwarm\n", "few", "few"]
    with pytest.raises(UsageError, match="is not opened here"):
        entry.create(words=str(file))


@pytest.mark.parametrize("text", ["A" * 5000, "none/file.txt", "/", "a\0b"])
def test_a_plugin_that_opens_what_it_is_given(call: Call, tmp_path: Path, text: str) -> None:
    """What is wrong with the file is the mistake of whoever named it."""
    plugin = tmp_path / "reader.py"
    plugin.write_text(
        "from searchkit import Parameter, hookimpl\n"
        "def reader(file): return open(file).read()\n"
        "@hookimpl\n"
        "def searchkit_register_puzzles(register):\n"
        "    register('reader', reader, parameters=[Parameter('file', 'x')])\n"
    )
    outcome = call("run", "--plugin", str(plugin), "reader", "-p", f"file={text}")
    assert outcome.code == 2
    (line,) = outcome.err_lines
    assert line.startswith("searchkit: error: puzzle reader rejects file=")
    assert len(line) < 500


@pytest.mark.parametrize("text", ["A" * 5000, "./" + "A" * 5000 + ".txt"])
def test_a_name_that_is_too_long(call: Call, text: str) -> None:
    outcome = call("run", "peg", "-p", f"board={text}")
    assert outcome.code == 2
    (line,) = outcome.err_lines
    assert "unknown" in line or "cannot be read: File name too long" in line
    assert len(line) < 500
