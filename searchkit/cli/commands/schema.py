"""`searchkit schema`: the JSON Schema of what the commands print with `--json`."""

from __future__ import annotations

from typing import Any

import click

from searchkit.cli.support.command import Command
from searchkit.cli.support.exit_codes import ExitCode
from searchkit.cli.support.options import common_options
from searchkit.documents.schema import schema_text


@click.command("schema", cls=Command)
@common_options
@click.pass_context
def command(context: click.Context, /, **options: Any) -> ExitCode:
    """Print the JSON Schema (draft 2020-12) of what the commands print with `--json`.

    Each document says its format; the schema has one definition for each command that prints one.
    """
    click.echo(schema_text(), nl=False)
    return ExitCode.OK
