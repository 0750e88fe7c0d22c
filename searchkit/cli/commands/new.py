"""`searchkit new`: a plugin project to begin with."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from searchkit.cli.support.command import new_command
from searchkit.cli.support.options import file, flag
from searchkit.errors import UsageError
from searchkit.registry import Registry
from searchkit.scaffold import Names, new_project


@new_command(
    "new",
    click.Argument(["name"]),
    flag("--compiled", "Make it a packed puzzle, which compiles."),
    file("--into", "Write the project's folder there.  [default: the current folder]",
         metavar="DIR", default=Path()),
)  # fmt: skip
def command(**options: Any) -> None:
    """Write a plugin project for a puzzle called NAME: rules that work, tests, and a README.

    The project is a folder of its own, searchkit-NAME. Nothing is written if it exists already,
    or if there is a puzzle of that name.
    """
    names = Names(options["name"])
    for entry in Registry.load(options["plugin"]).puzzles.entries:
        if entry.name == names.puzzle:
            raise UsageError(
                f"there is a puzzle {names.puzzle!r} already, from {entry.origin}; "
                "choose another name"
            )
    folder = new_project(names.puzzle, options["into"], compiled=options["compiled"])
    click.echo(str(folder))
    if not options["quiet"]:
        module = shlex.quote(str(folder / names.package / "__init__.py"))
        click.echo(f"  the rules, to be replaced by yours: {module}")
        click.echo(f"  try it:      searchkit run --plugin {module} {names.puzzle}")
        click.echo(f"  check it:    searchkit check --plugin {module} {names.puzzle}")
        click.echo(f"  install it:  pip install -e {shlex.quote(str(folder))}")
