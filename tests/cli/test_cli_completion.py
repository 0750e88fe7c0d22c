"""What shells complete, asked as they ask, and in a real bash."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from calls import TOYS, Call
from click.shell_completion import get_completion_class

from searchkit.cli.app import COMMANDS, app
from searchkit.cli.completion import SHELLS


def completed(*words: str) -> dict[str, str | None]:
    """What is offered for the last of `words`, with the help."""
    cls = get_completion_class("zsh")
    assert cls is not None
    items = cls(app, {}, "searchkit", "_SEARCHKIT_COMPLETE").get_completions(
        list(words[:-1]), words[-1]
    )
    return {item.value if item.type == "plain" else f"<{item.type}>": item.help for item in items}


def test_commands() -> None:
    assert completed("") == {name: summary for name, (_, summary) in COMMANDS.items()}
    assert set(completed("ver")) == {"verify"}
    assert set(completed("pdb", "")) == {"build", "list", "info"}


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["run", "8-"], {"8-puzzle"}),
        (["pdb", "build", "8-"], {"8-puzzle"}),
        (["--plugin", TOYS, "run", "li"], {"line"}),
        (["run", "--plugin", TOYS, "li"], {"line"}),
        (["run", "hoppers", "--algo", "ida"], {"idastar"}),
        (["run", "--al"], {"--algo", "--all"}),
        (["run", "hoppers", "--heuristic", ""], {"problem", "auto", "zero", "regions"}),
        (["check-heuristic", "8-puzzle", "--heuristic", "m"], {"manhattan", "misplaced"}),
        (["run", "hoppers", "-p", ""], {"model=chain"}),
        (["run", "hoppers", "--algo", "beam", "-o", "wi"], {"width="}),
        (["run", "hoppers", "--engine", ""], {"auto", "reference", "compiled"}),
        (["run", "cube2", "--renderer", ""], {"colours"}),
        (["run", "8-puzzle", "--boards", ""], {"<file>"}),
        (["verify", ""], {"<file>"}),
        (["completion", ""], set(SHELLS)),
    ],
    ids=lambda each: " ".join(each[-3:]) if isinstance(each, list) else "",
)
def test_values(words: list[str], offered: set[str]) -> None:
    assert set(completed(*words)) == offered


def test_puzzles_come_with_their_summaries() -> None:
    assert completed("run", "8-") == {"8-puzzle": "eight tiles on 3x3 cells"}


@pytest.mark.parametrize(
    "words",
    [
        ["run", "no-such", "-p", ""],
        ["run", "no-such", "--heuristic", ""],
        ["run", "--plugin", "no/such.py", ""],
        ["run", "hoppers", "-o", ""],
    ],
)
def test_what_fails_offers_nothing(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert completed(*words) == {}
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("shell", SHELLS)
def test_scripts_are_printed(call: Call, shell: str) -> None:
    outcome = call("completion", shell)
    assert (outcome.code, outcome.err) == (0, "")
    assert f"_SEARCHKIT_COMPLETE={shell}_complete" in outcome.out
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=outcome.out, text=True, check=True, timeout=20)


def test_another_shell_is_refused(call: Call) -> None:
    outcome = call("completion", "csh")
    assert outcome.code == 2
    assert "'csh' is not one of 'bash', 'zsh', 'fish'" in outcome.err


BASH = shutil.which("bash")


@pytest.mark.skipif(BASH is None, reason="there is no bash")
def test_in_a_real_bash() -> None:
    assert BASH is not None
    script = """
        eval "$(searchkit completion bash)"
        try() {
            COMP_WORDS=(searchkit "$@"); COMP_CWORD=$#; COMPREPLY=()
            _searchkit_completion searchkit
            echo "${COMPREPLY[*]}"
        }
        complete -p searchkit
        try ver
        try run 8-
        try run hoppers -p ""
    """
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        [BASH, "--norc", "-c", script], env=os.environ | {"PATH": path}, text=True,
        capture_output=True, check=True, timeout=60,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "complete -o nosort -F _searchkit_completion searchkit",
        "verify",
        "8-puzzle",
        "model=chain",
    ]
