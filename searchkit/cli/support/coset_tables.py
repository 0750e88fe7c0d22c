"""`searchkit pdb build PUZZLE cosets:N`: builds a table of cosets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from searchkit.cli.support.choice import Chosen
from searchkit.cli.support.errors import running_code_of, say
from searchkit.cli.support.exit_codes import ExitCode
from searchkit.cli.support.progress import ProgressLine
from searchkit.errors import UsageError
from searchkit.running.making import search_clock

if TYPE_CHECKING:
    from searchkit.heuristics.cosets.build import CosetBuild

MEGA = 1e6


class _OutOfTimeError(Exception):
    """The time for building is up."""


def build_cosets(chosen: Chosen, options: dict[str, Any]) -> ExitCode:
    """Build the table `cosets:N`; without a number, the largest within `max_memory`."""
    from searchkit.heuristics.cosets.choose import (  # noqa: PLC0415  (loads numba)
        BUILT_AT_ONCE,
        build_table,
        cosets_for,
        flips_named,
    )
    from searchkit.heuristics.cosets.tables import bytes_of, load  # noqa: PLC0415
    from searchkit.heuristics.patterns.library import Library  # noqa: PLC0415

    if options["compressed"]:
        raise UsageError("tables of cosets have two bits for each entry; drop --compressed")
    most = options["max_memory"]
    deadline = None if options["max_time"] is None else search_clock() + options["max_time"]
    with running_code_of(chosen.name, chosen.problem, may_refuse=True):
        library, cosets = Library(), cosets_for(chosen.problem)
        name = options["patterns"].partition(":")[2]
        flips = flips_named(cosets, name, BUILT_AT_ONCE if most is None else most)
        size = sum(bytes_of(cosets, flips))
        if most is not None and size > most:
            raise UsageError(
                f"the table cosets:{flips} takes {size / MEGA:,.0f} MB of memory, more than the "
                f"{most / MEGA:,.0f} MB allowed; take a smaller one, or raise --max-memory"
            )
        known = load(cosets, flips, library)
        if known is None:
            with ProgressLine(f"cosets:{flips}", options["quiet"]) as line:

                def watch(building: CosetBuild) -> None:
                    line.show(building.about())
                    if deadline is not None and search_clock() >= deadline:
                        raise _OutOfTimeError

                try:
                    build_table(cosets, flips, library, threads=options["threads"], watch=watch)
                except (_OutOfTimeError, KeyboardInterrupt) as stop:
                    say("note", "stopped; nothing is kept of a table of cosets that is not whole")
                    if isinstance(stop, KeyboardInterrupt):
                        raise
                    return ExitCode.OUT_OF_TIME
            known = load(cosets, flips, library)
        if not options["quiet"] and known is not None:
            click.echo(
                f"cosets:{flips}: {cosets.entries(flips):,} entries, {size / MEGA:,.1f} MB, "
                f"exact from {known.deepest - 1} to {known.deepest}"
            )
    return ExitCode.OK
