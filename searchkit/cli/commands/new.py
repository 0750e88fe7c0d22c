"""`searchkit new`: a plugin project to begin with."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from searchkit.cli.support.choice import is_quiet, load
from searchkit.cli.support.command import Command
from searchkit.cli.support.exit_codes import ExitCode
from searchkit.cli.support.options import common_options
from searchkit.errors import UsageError
from searchkit.scaffold import Names, new_project


@click.command("new", cls=Command)
@click.argument("name")
@click.option("--compiled", is_flag=True, help="Make it a packed puzzle, which compiles.")
@click.option(
    "--into",
    metavar="DIR",
    type=click.Path(path_type=Path),
    default=Path(),
    help="Write the project's folder there.  [default: the current folder]",
)
@common_options
@click.pass_context
def command(context: click.Context, /, **options: Any) -> ExitCode:
    """Write a plugin project for a puzzle called NAME: rules that work, tests, and a README.

    The project is a folder of its own, searchkit-NAME. Nothing is written if it exists already,
    or if there is a puzzle of that name.
    """
    names = Names(options["name"])
    for entry in load(options, context).puzzles.entries:
        if entry.name == names.puzzle:
            raise UsageError(
                f"there is a puzzle {names.puzzle!r} already, from {entry.origin}; "
                "choose another name"
            )
    folder = new_project(names.puzzle, options["into"], compiled=options["compiled"])
    click.echo(str(folder))
    if not is_quiet(options, context):
        module = shlex.quote(str(folder / names.package / "__init__.py"))
        click.echo(f"  the rules, to be replaced by yours: {module}")
        click.echo(f"  try it:      searchkit run --plugin {module} {names.puzzle}")
        click.echo(f"  check it:    searchkit check --plugin {module} {names.puzzle}")
        click.echo(f"  install it:  pip install -e {shlex.quote(str(folder))}")
    return ExitCode.OK
