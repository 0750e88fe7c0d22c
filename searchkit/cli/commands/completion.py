"""`searchkit completion`: what makes a shell complete the words of searchkit."""

from __future__ import annotations

from typing import Any

import click
from click.shell_completion import ShellComplete, get_completion_class

from searchkit.cli.support.command import Command
from searchkit.cli.support.exit_codes import ExitCode
from searchkit.cli.support.options import common_options

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


@click.command("completion", cls=Command, help=HELP)
@click.argument("shell", type=click.Choice(SHELLS))
@common_options
@click.pass_context
def command(context: click.Context, /, **options: Any) -> ExitCode:
    """Print the script that makes SHELL complete words."""
    cls = get_completion_class(options["shell"])
    assert cls is not None
    completer = cls(context.find_root().command, {}, PROGRAM, VARIABLE)
    # That of the class itself would run bash to ask for its version.
    click.echo(ShellComplete.source(completer))
    return ExitCode.OK
