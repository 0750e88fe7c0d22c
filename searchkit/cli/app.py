"""The command group. Each command's module is imported when the command is called."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any, NoReturn

import click
from click.shell_completion import CompletionItem

import searchkit
from searchkit.cli.support.completers import equip
from searchkit.cli.support.errors import report, say, warnings_as_notes
from searchkit.cli.support.exit_codes import ExitCode
from searchkit.cli.support.options import COMMON
from searchkit.cli.support.streams import guarded_streams

COMMANDS = {
    "run": "Solve a puzzle: one optimal solution, all, or their number.",
    "play": "Play a puzzle by hand, with hints from the solver.",
    "list": "List puzzles, algorithms, heuristics and renderers.",
    "info": "Show a puzzle's rules of play: parameters, start, goal, and what suits it.",
    "compare": "Compare the algorithms on one start, or on many boards.",
    "explore": "Reach every state; count the layers, show the farthest.",
    "table": "Look up states in what explore --checkpoint has saved.",
    "pdb": "Build, list and inspect pattern databases.",
    "new": "Write a plugin project for a new puzzle, tests and all.",
    "check": "Test whether a puzzle keeps the laws of the protocol.",
    "check-heuristic": "Prove or refute that heuristics are lower bounds.",
    "verify": "Replay the solutions of a file, or check a proof.",
    "proof": "Print programs that check a proof without searchkit.",
    "doctor": "Check that everything searches rest on works.",
    "completion": "Print the script for completion in a shell.",
}
"""The summary of each command. Its module is called like it, and has it as `command`."""


class App(click.Group):
    """A group of commands that are imported lazily and whose errors are one line each."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of a session with a puzzle."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command called `cmd_name`."""
        if cmd_name not in COMMANDS:
            return None
        module = cmd_name.replace("-", "_")
        command = import_module(f"searchkit.cli.commands.{module}").command
        assert isinstance(command, click.Command)
        equip(command)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[Any]]:
        """Complete the names of commands without importing them."""
        items = [
            CompletionItem(name, help=summary)
            for name, summary in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return items + click.Command.shell_complete(self, ctx, incomplete)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or name one that is spelt like it."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            from difflib import get_close_matches  # noqa: PLC0415  (for wrong words alone)

            close = get_close_matches(name, COMMANDS, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"commands: {', '.join(COMMANDS)}"
            raise click.UsageError(f"there is no command {name!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the summaries without importing the commands."""
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; Ctrl-C ends it quietly."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as stopped:
            say("interrupted", ": ".join(filter(None, ["stopped by Ctrl-C", str(stopped)])))
            return ExitCode.INTERRUPTED

    def main(  # type: ignore[override]  # it always exits
        self, args: Any = None, prog_name: str | None = None, **extra: Any
    ) -> NoReturn:
        """Run the command line, report what goes wrong, and exit; without words, show the help."""
        extra["standalone_mode"] = False
        words = list(sys.argv[1:] if args is None else args) or ["--help"]
        with guarded_streams(), warnings_as_notes():
            try:
                code = super().main(words, prog_name or "searchkit", obj=words, **extra)
                sys.stdout.flush()
            except click.Abort:
                code = ExitCode.INTERRUPTED
            except Exception as error:
                code = report(error, debug="--debug" in words)
        sys.exit(int(code or 0))


@click.command(
    cls=App,
    params=[*COMMON],
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 solved; 1 a bug; 2 usage or bad input; 3 engines disagree; "
    "4 a line is not a board; 11 proved unsolvable; 12 gave up at an expansion or cost limit; "
    "22 memory limit; 23 time limit; 130 interrupted.",
)
@click.version_option(searchkit.__version__, prog_name="searchkit")
def app(**options: Any) -> None:
    """Write a puzzle once in Python; find a shortest solution, or all, and prove the answer."""
