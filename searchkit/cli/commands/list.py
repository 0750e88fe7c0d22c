"""`searchkit list`: what there is, and where it comes from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from searchkit.cli.support.choice import BUILT_IN_HEURISTICS, load, warn_of_plugins
from searchkit.cli.support.command import Command
from searchkit.cli.support.exit_codes import ExitCode
from searchkit.cli.support.options import common_options
from searchkit.cli.support.output import print_table


@click.command("list", cls=Command)
@common_options
@click.pass_context
def command(context: click.Context, /, **options: Any) -> ExitCode:
    """List puzzles, algorithms, heuristics and renderers, and where each comes from."""
    registry = load(options, context)
    built_in = [(name, summary, "searchkit") for name, summary in BUILT_IN_HEURISTICS.items()]
    tables: dict[str, Sequence[Any]] = {
        "Puzzles": registry.puzzles.entries,
        "Algorithms": registry.algorithms.entries,
        "Heuristics": registry.heuristics.entries,
        "Renderers": registry.renderers.entries,
    }
    for title, entries in tables.items():
        rows = [(entry.name, entry.summary, entry.origin) for entry in entries]
        if title == "Heuristics":
            rows = built_in + rows
        if rows:
            print_table(["name", "what it is", "from"], rows, title=title)
    warn_of_plugins(registry)
    return ExitCode.OK
