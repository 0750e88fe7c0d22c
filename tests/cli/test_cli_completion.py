"""What shells complete, asked as they ask, and in the shells themselves."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import get_completion_class

from searchkit.cli.app import COMMANDS, app
from searchkit.cli.commands.completion import SHELLS
from tests.support.cli_calls import TOYS, Call

PATIENCE = 300
"""Seconds after which a shell is given up."""


def completed(*words: str) -> dict[str, str | None]:
    """What is offered for the last of `words`, with the help."""
    cls = get_completion_class("zsh")
    assert cls is not None
    items = cls(app, {}, "searchkit", "_SEARCHKIT_COMPLETE").get_completions(
        list(words[:-1]), words[-1]
    )
    return {item.value if item.type == "plain" else f"<{item.type}>": item.help for item in items}


def test_commands() -> None:
    assert completed("") == COMMANDS
    assert set(completed("ver")) == {"verify"}
    assert set(completed("pdb", "")) == {"build", "list", "info"}


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["run", "8-"], {"8-puzzle"}),
        (["pdb", "build", "8-"], {"8-puzzle"}),
        (["run", "./rings.t"], {"<file>"}),
        (["explore", "pyra"], {"<file>"}),
        (["--plugin", TOYS, "run", "li"], {"line"}),
        (["run", "--plugin", TOYS, "li"], {"line"}),
        (["run", "hoppers", "--algo", "ida"], {"idastar"}),
        (["run", "--al"], {"--algo", "--all"}),
        (["run", "hoppers", "--heuristic", ""], {"problem", "auto", "zero", "regions"}),
        (["check-heuristic", "8-puzzle", "--heuristic", "m"], {"manhattan", "misplaced"}),
        (["run", "hoppers", "-p", ""], {"model=chain"}),
        (["run", "hoppers", "--algo", "beam", "-o", "wi"], {"width="}),
        (["run", "hoppers", "--engine", ""], {"auto", "reference", "compiled", "checked"}),
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
    found, environment = real(shell)
    subprocess.run([found, "-n"], input=outcome.out, text=True, check=True, env=environment)


def test_another_shell_is_refused(call: Call) -> None:
    outcome = call("completion", "csh")
    assert outcome.code == 2
    assert "'csh' is not one of 'bash', 'zsh', 'fish'" in outcome.err


def real(shell: str) -> tuple[str, dict[str, str]]:
    """Where `shell` is, and an environment in which it finds searchkit and no settings."""
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"{shell} is not installed")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return found, os.environ | {"PATH": path, "TERM": "xterm", "COLUMNS": "120"}


def test_in_a_real_bash() -> None:
    bash, environment = real("bash")
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
    done = subprocess.run(
        [bash, "--norc", "-c", script], env=environment, text=True, capture_output=True, check=True
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "complete -o nosort -F _searchkit_completion searchkit",
        "verify",
        "8-puzzle",
        "model=chain",
    ]


@pytest.mark.slow
def test_in_a_real_fish(tmp_path: Path) -> None:
    fish, environment = real("fish")
    script = """
        searchkit completion fish | source
        complete -C "searchkit ver"
        complete -C "searchkit run 8-"
        complete -C "searchkit run hoppers -p "
    """
    environment |= {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    done = subprocess.run(
        [fish, "--no-config", "-c", script],
        env=environment, text=True, capture_output=True, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == [
        "verify",
        "8-puzzle",
        "model=chain",
    ]


@pytest.mark.slow
def test_in_a_real_zsh(tmp_path: Path) -> None:
    """Keys are pressed in a terminal; what the line editor makes of them is read back."""
    zsh, environment = real("zsh")
    pty = pytest.importorskip("pty", reason="there are no pseudo-terminals")
    keys, terminal = pty.openpty()
    shell = subprocess.Popen(
        [zsh, "-f", "-i"], env=environment | {"HOME": str(tmp_path)}, start_new_session=True,
        stdin=terminal, stdout=terminal, stderr=terminal,
    )  # fmt: skip
    os.close(terminal)
    seen = b""

    def press(text: str, until: str) -> None:
        nonlocal seen
        os.write(keys, text.encode())
        while until.encode() not in seen:
            assert select.select([keys], [], [], PATIENCE)[0], f"no {until!r} in {seen!r}"
            seen += os.read(keys, 4096)
        seen = b""

    # In two halves, or the echo of what was typed would hold the word that is waited for.
    ready = 'autoload -Uz compinit && compinit -u -D && eval "$(searchkit completion zsh)"'
    try:
        press(f"{ready} && echo rea''dy\n", "ready")
        press("searchkit ver\t", "searchkit verify")
        press("\x15searchkit run 8-\t", "searchkit run 8-puzzle")
        press("\x15searchkit run hoppers -p mo\t", "model=chain")
    finally:
        shell.kill()
        shell.wait()
        os.close(keys)
