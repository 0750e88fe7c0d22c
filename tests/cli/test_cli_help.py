"""The help of every command: grouped options, examples that work, exit codes that are all told."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from searchkit.cli.app import COMMANDS, app
from searchkit.cli.support.command import Command, codes_of
from searchkit.cli.support.exit_codes import MEANING, ExitCode
from searchkit.cli.support.help_texts import EXAMPLES, FIRST, OWN_MEANING, SECTIONS
from tests.support.cli_calls import Call


def commands() -> Iterator[tuple[str, click.Command]]:
    context = click.Context(app)
    for name in COMMANDS:
        command = app.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from ((f"{name} {sub}", each) for sub, each in command.commands.items())
        else:
            yield name, command


ALL = dict(commands())


@pytest.mark.parametrize("name", ALL)
def test_help_has_examples_and_exit_codes(
    call: Call, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    assert isinstance(ALL[name], Command)
    monkeypatch.setenv("COLUMNS", "80")
    text = call(*name.split(), "--help-all" if name in FIRST else "--help").out
    lines = text.splitlines()
    assert max(map(len, lines)) <= 80
    for line, _ in EXAMPLES[name]:
        assert f"  $ {line}" in lines
    codes = text.partition("Exit codes:\n")[2].splitlines()
    assert [int(line.split()[0]) for line in codes] == codes_of(name)
    assert text.count("--help ") == text.count("--plugin FILE") == 1
    assert lines.index("Options of all commands:") < lines.index("Examples:")


def test_every_exit_code_is_explained() -> None:
    assert set(MEANING) == set(ExitCode)
    assert {code for own in OWN_MEANING.values() for code in own} <= set(ExitCode)
    assert set(codes_of("run")) == set(ExitCode) - {ExitCode.DISAGREEMENT}


@pytest.mark.parametrize("name", FIRST)
def test_help_is_short_and_the_whole_of_it_has_every_option(call: Call, name: str) -> None:
    short, whole = (call(name, f"--help{more}").out for more in ("", "-all"))
    shown = {param.name for param in ALL[name].params if f"  {param.opts[0]}" in short}
    assert shown == {*FIRST[name], "help_all"}
    left = len(ALL[name].params) - 1 - len(shown)  # without the argument
    assert f"There are {left} more options" in short
    assert "Exit codes:" not in short
    assert all(f"{each.opts[0]}" in whole for each in ALL[name].params[1:])


def test_options_stand_under_titles(call: Call) -> None:
    lines = call("run", "--help-all").lines
    titles = [line for line in lines if line.endswith(":") and not line.startswith(" ")]
    assert titles == [
        "The puzzle, its start and its goal:", "The search:", "What is printed:", "Limits:",
        "Options of all commands:", "Examples:", "Exit codes:",
    ]  # fmt: skip
    names = {param.name for command in ALL.values() for param in command.params}
    assert set(SECTIONS) <= names


@pytest.mark.slow_variants(
    "check-searchkit check 6-puzzle --states 500",
    "compare-searchkit compare 6-puzzle --random 2 --algo astar --engine reference",
)
@pytest.mark.parametrize(
    ("name", "line"), [(name, line) for name in ALL for line, _ in EXAMPLES[name]]
)
def test_examples_work(
    call: Call, here: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, line: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SEARCHKIT_DATA_DIR", str(tmp_path / "data"))
    Path("boards.txt").write_text("123450786\n")
    toys = Path(__file__).parent / "plugins" / "toys.py"
    Path("my_puzzle.py").write_text(toys.read_text(encoding="utf-8"))
    if name == "verify":
        written = call("run", "8-puzzle", "--start", "123450786", "--json").out
        Path("solution.json").write_text(written)
    if name == "table":
        assert call("explore", "6-puzzle", "--checkpoint", "layers", "-q").code == 0
    if name == "pdb info":
        assert call("pdb", "build", "8-puzzle", "5-3", "-q").code == 0
    program, *words = shlex.split(line)
    outcome = call(*words)
    assert program == "searchkit"
    assert outcome.code == 0, outcome.err
    assert outcome.out
