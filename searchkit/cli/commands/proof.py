"""`searchkit proof`: what it takes to check a proof without searchkit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from searchkit.capabilities import HasPlainText
from searchkit.cli.support.choice import choose_problem
from searchkit.cli.support.command import new_command
from searchkit.cli.support.options import PROBLEM
from searchkit.errors import UnsuitableError
from searchkit.proofs import checker


@click.group("proof", invoke_without_command=True)
@click.pass_context
def command(context: click.Context, /) -> None:
    """Print programs that check a proof without searchkit: the checker, and a puzzle's rules."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@new_command("rules", *PROBLEM, group=command)
def rules_command(**options: Any) -> None:
    """Print the rules of PUZZLE as a file that needs nothing but Python.

    Whoever checks a proof reads them, or writes their own: `python checker.py PROOF rules.py`.
    """
    chosen = choose_problem(options)
    with chosen.guard():
        problem = chosen.problem
        text = problem.plain_text() if isinstance(problem, HasPlainText) else None
    if text is None:
        raise UnsuitableError(
            f"puzzle {chosen.name} has no rules as a file of their own; write starts(), "
            "successors(state) and goal(state), as in docs/explanation/proofs.md"
        )
    click.echo(text, nl=False)


@new_command("checker", group=command)
def checker_command(**options: Any) -> None:
    """Print the checker of proofs, a program of one file that needs nothing but Python."""
    click.echo(Path(checker.__file__).read_text(encoding="utf-8"), nl=False)
