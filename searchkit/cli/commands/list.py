"""`searchkit list`: what there is, and where it comes from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from searchkit.cli.support.choice import BUILT_IN_HEURISTICS, warn_of_plugins
from searchkit.cli.support.command import new_command
from searchkit.cli.support.output import print_table
from searchkit.registry import Registry


@new_command("list")
def command(**options: Any) -> None:
    """List puzzles, algorithms, heuristics and renderers, and where each comes from."""
    registry = Registry.load(options["plugin"])
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
