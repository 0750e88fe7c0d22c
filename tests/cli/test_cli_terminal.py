"""Nothing that comes from plugins, documents, names or errors commands the terminal."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from searchkit.cli.support import output
from searchkit.cli.support.streams import for_drawing, guarded_streams
from searchkit.cli.support.terminal_player import Still, print_stills
from searchkit.texts.harmless import harmless, harmless_but_coloured, harmless_but_drawn, to_json
from tests.support.cli_calls import HERE, Call, Outcome, start_process

PLUGIN = str(HERE / "plugins" / "poison.py")
POISON = "\x1b]0;pwn\x07\x9b31m\x7f\u202e"
OBEYED = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def check(outcome: Outcome) -> None:
    for text in (outcome.out, outcome.err):
        assert not OBEYED.search(text), repr(text)


COMMANDS = [
    "run poison",
    "run poison --all",
    "run poison --moves",
    "run poison --draw",
    "run poison --play",
    "run poison --count",
    "run poison --renderer drawn",
    "run poison --algo iddfs -v",
    "run poison --json",
    "run poison -p mode=nowhere",
    "run poison -p mode=nowhere --json",
    "run poison -p mode=broken",
    "run poison -p mode=broken --debug",
    "run poison --start x",
    "run poison --algo nope",
    "list",
    "info poison",
    "compare poison --algo bfs --algo ucs --repeat 1",
    "compare poison --algo bfs --repeat 1 --json",
    "explore poison",
    "explore poison --json",
    "check poison",
    "check poison --json",
    "check-heuristic poison",
    "check-heuristic poison --json",
    "play poison",
]


@pytest.mark.slow_variants("compare poison --algo bfs --algo ucs --repeat 1")
@pytest.mark.parametrize("line", COMMANDS)
def test_what_plugins_say_is_harmless(call: Call, line: str) -> None:
    said = f"0\n{POISON}\nhint\nsolve\nhelp\n"
    outcome = call("--plugin", PLUGIN, *line.split(), stdin=said.encode())
    check(outcome)
    if "--json" in line:
        assert json.loads(outcome.out)
    if line in ("run poison", "run poison --moves", "run poison --all"):
        assert r"0\x1b]0;pwn\x07\x9b31m\x7f\u202e" in outcome.out


def test_names_that_the_user_gives_are_harmless(call: Call, tmp_path: Path) -> None:
    for line in (
        ["run", POISON],
        ["run", "8-puzzle", "--algo", POISON],
        ["run", "8-puzzle", "--heuristic", POISON],
        ["run", "8-puzzle", "-p", f"{POISON}=1"],
        ["run", "8-puzzle", "--start", POISON],
        ["run", "8-puzzle", "--goal", POISON],
        ["run", "8-puzzle", "--boards", POISON],
        ["run", "8-puzzle", "--max-time", POISON],
        ["run", "8-puzzle", f"--{POISON}"],
        ["run", "peg", "-p", f"board={POISON}"],
        ["run", "peg", "-p", f"board=./{POISON}"],
        ["--plugin", POISON, "list"],
        ["table", str(tmp_path / POISON)],
        ["verify", POISON],
        [POISON],
    ):
        outcome = call(*line)
        assert outcome.code == 2
        assert outcome.err
        check(outcome)


def test_boards_of_a_file_are_harmless(call: Call) -> None:
    lines = f"3{POISON}\n{POISON}\n".encode()
    for form in ([], ["--moves"], ["--json"]):
        outcome = call("--plugin", PLUGIN, "run", "poison", "--boards", "-", *form, stdin=lines)
        assert outcome.code == 4
        check(outcome)


def _leaves(content: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(content, dict):
        found = [leaf for name, each in content.items() for leaf in _leaves(each, (*path, name))]
        return [*found, path]
    if isinstance(content, list):
        return [leaf for at, each in enumerate(content) for leaf in _leaves(each, (*path, at))]
    return [path]


@pytest.mark.parametrize(
    "line", ["run hoppers --limit 1", "run 8-puzzle --start 123456870", "run peg --start pegs"]
)
def test_messages_of_verify_are_harmless(call: Call, line: str) -> None:
    written = call(*line.split(), "--json").out or "{}"
    for path in _leaves(json.loads(written)):
        content = json.loads(written)
        inside: Any = content
        for name in path[:-1]:
            inside = inside[name]
        if path and isinstance(inside[path[-1]], dict):
            inside[path[-1]][POISON] = POISON
        elif path:
            inside[path[-1]] = POISON
        check(call("verify", "-", stdin=json.dumps(content)))


def test_what_is_poisoned_is_verified(call: Call) -> None:
    written = call("--plugin", PLUGIN, "run", "poison", "--all", "--json")
    outcome = call("--plugin", PLUGIN, "verify", "-", stdin=written.out)
    assert outcome.code == 0
    check(outcome)
    refused = call("--plugin", PLUGIN, "run", "poison", "-p", "mode=nowhere", "--json")
    outcome = call("--plugin", PLUGIN, "verify", "-", stdin=refused.out)
    assert outcome.code == 2
    assert "refused: no" in outcome.err
    check(outcome)


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    "draw",
    [
        lambda: output.print_table(["name"], [[POISON]], title=POISON),
        lambda: output.print_pairs([(POISON, POISON)]),
        lambda: print_stills([Still("", POISON), Still(POISON, POISON)]),
        lambda: output.draw(harmless_but_coloured(POISON)),
        lambda: for_drawing(stderr=False).write(POISON),
        lambda: sys.stdout.write(POISON),
    ],
)
def test_a_terminal_is_sent_colours_at_most(
    monkeypatch: pytest.MonkeyPatch, draw: Callable[[], Any]
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    with guarded_streams():
        draw()
    shown = re.sub(r"\x1b\[[0-9;]*m", "", terminal.getvalue())
    assert "pwn" in shown
    assert not OBEYED.search(shown), repr(shown)


def test_a_real_terminal() -> None:
    ours, theirs = pty.openpty()
    process = start_process("--plugin", PLUGIN, "run", "poison", "-q", stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 4096):
            shown += part
    except OSError:  # the end, on Linux
        pass
    finally:
        os.close(ours)
    assert process.wait(60) == 0
    text = shown.decode().replace("\r\n", "\n")
    assert "pwn" in text
    assert not OBEYED.search(text), repr(text)


def test_colours_of_searchkit_stay() -> None:
    assert harmless_but_drawn("\x1b[1mbold\x1b[0m\r\x1b[2K") == "\x1b[1mbold\x1b[0m\r\x1b[2K"
    assert harmless_but_drawn("\x1b]0;t\x07\x1b[31m") == "\\x1b]0;t\\x07\x1b[31m"
    assert harmless_but_coloured("\x1b[31mred\x1b[0m\x1b[2J\r") == "\x1b[31mred\x1b[0m\\x1b[2J\\x0d"
    assert harmless("a\tb\nc\\d é ● 🟥") == "a\tb\nc\\d é ● 🟥"
    assert harmless("\udc80\u2028") == "\\udc80\\u2028"


def test_json_says_the_same() -> None:
    value = {"text": f"é{POISON}\ud800 \t\n"}
    text = to_json(value)
    assert not OBEYED.search(text)
    assert json.loads(text) == value
