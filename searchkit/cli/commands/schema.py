"""`searchkit schema`: the JSON Schema of what the commands print with `--json`."""

from __future__ import annotations

from typing import Any

import click

from searchkit.cli.support.command import new_command
from searchkit.documents.schema import schema_text


@new_command("schema")
def command(**options: Any) -> None:
    """Print the JSON Schema (draft 2020-12) of what the commands print with `--json`.

    Each document says its format; the schema has one definition for each command that prints one.
    """
    click.echo(schema_text(), nl=False)
