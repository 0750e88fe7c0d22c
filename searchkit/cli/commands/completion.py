"""`searchkit completion`: what makes a shell complete the words of searchkit."""

from __future__ import annotations

from typing import Any

import click
from click.shell_completion import ShellComplete, get_completion_class

from searchkit.cli.support.command import new_command

PROGRAM = "searchkit"
VARIABLE = "_SEARCHKIT_COMPLETE"
SHELLS = ("bash", "zsh", "fish")
HELP = """Print the script that makes SHELL complete commands, options, puzzles and parameters.

Let the shell read it whenever it starts. In ~/.bashrc, for bash 4.4 or later:

\b
    eval "$(searchkit completion bash)"

In ~/.zshrc, after compinit:

\b
    eval "$(searchkit completion zsh)"

For fish, once:

\b
    searchkit completion fish > ~/.config/fish/completions/searchkit.fish
"""


@new_command("completion", click.Argument(["shell"], type=click.Choice(SHELLS)), help=HELP)
def command(**options: Any) -> None:
    """Print the script that makes SHELL complete words."""
    cls = get_completion_class(options["shell"])
    assert cls is not None
    root = click.get_current_context().find_root()
    completer = cls(root.command, {}, PROGRAM, VARIABLE)
    # That of the class itself would run bash to ask for its version.
    click.echo(ShellComplete.source(completer))
