"""`searchkit pdb build PUZZLE cosets:N`: builds a table of cosets."""

from __future__ import annotations

from typing import Any

import click

from searchkit.cli.support.choice import Chosen
from searchkit.cli.support.errors import running_code_of
from searchkit.cli.support.exit_codes import ExitCode
from searchkit.cli.support.shown_build import say_stopped, shown_build
from searchkit.errors import UsageError
from searchkit.running.building import BuildStoppedError
from searchkit.running.making import search_clock

MEGA = 1e6


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
    began = search_clock()
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
            try:
                threads = options["threads"]
                with shown_build(f"cosets:{flips}", options, began) as (watch, note):
                    build_table(cosets, flips, library, threads=threads, watch=watch, note=note)
            except BuildStoppedError as stopped:
                say_stopped(stopped)
                return ExitCode.OUT_OF_TIME
            known = load(cosets, flips, library)
        if not options["quiet"] and known is not None:
            click.echo(
                f"cosets:{flips}: {cosets.entries(flips):,} entries, {size / MEGA:,.1f} MB, "
                f"exact from {known.deepest - 1} to {known.deepest}"
            )
    return ExitCode.OK
