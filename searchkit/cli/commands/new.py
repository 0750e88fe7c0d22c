"""`searchkit new`: a plugin to begin with."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from searchkit.cli.support.command import new_command
from searchkit.cli.support.options import choice, file, flag
from searchkit.errors import UsageError
from searchkit.registry import Registry
from searchkit.scaffold import LIKE, Names, new_file, new_project


@new_command(
    "new",
    click.Argument(["name"]),
    choice("--like", sorted(LIKE), "The kind of puzzle to begin with.", default="graph",
           show_default=True),
    flag("--single", "Write one file, not a project."),
    file("--into", "Write into this folder.  [default: the current one]",
         metavar="DIR", default=Path()),
)  # fmt: skip
def command(**options: Any) -> None:
    """Write a plugin for a puzzle called NAME: rules that work, tests, and a README.

    It is a project in a folder of its own, searchkit-NAME, or with --single the rules alone, in one
    file. Nothing is written if that exists already, or if there is a puzzle of that name.
    """
    names = Names(options["name"])
    for entry in Registry.load(options["plugin"]).puzzles.entries:
        if entry.name == names.puzzle:
            raise UsageError(
                f"there is a puzzle {names.puzzle!r} already, from {entry.origin}; "
                "choose another name"
            )
    write = new_file if options["single"] else new_project
    written = write(names.puzzle, options["into"], like=options["like"])
    click.echo(str(written))
    if not options["quiet"]:
        rules = written if options["single"] else written / names.package / "__init__.py"
        module = shlex.quote(str(rules))
        click.echo(f"  the rules, to be replaced by yours: {module}")
        click.echo(f"  try it:      searchkit run --plugin {module} {names.puzzle}")
        click.echo(f"  check it:    searchkit check --plugin {module} {names.puzzle}")
        if not options["single"]:
            click.echo(f"  install it:  pip install -e {shlex.quote(str(written))}")
