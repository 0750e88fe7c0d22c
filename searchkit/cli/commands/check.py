"""`searchkit check`: the laws of the protocol, tried on a puzzle."""

from __future__ import annotations

from typing import Any

import attrs
import click

from searchkit.checks.conformance import ConformanceReport, check_puzzle, laws_named
from searchkit.checks.ground import STATES
from searchkit.checks.verdicts import Status
from searchkit.cli.support.choice import Chosen, choose_problem, is_quiet
from searchkit.cli.support.command import Command
from searchkit.cli.support.exit_codes import ExitCode
from searchkit.cli.support.options import (
    Duration,
    Whole,
    at_most_one,
    common_options,
    problem_options,
)
from searchkit.texts.harmless import to_json

FORMAT = "searchkit-check/1"


@click.command("check", cls=Command)
@problem_options
@click.option(
    "--law",
    multiple=True,
    metavar="NAME",
    help="Try this law; may be repeated.  [default: all]",
)
@click.option(
    "--states",
    metavar="N",
    type=Whole(1),
    default=STATES,
    help=f"Look at N states at most.  [default: {STATES:,}]",
)
@click.option(
    "--max-time",
    type=Duration(),
    help="Check no further law after this time, making machine code not counted: 10s, 2m.",
)
@click.option(
    "--engine",
    type=click.Choice(["auto", "reference", "compiled"]),
    default="auto",
    help="Try machine code as well, where the puzzle is packed (auto, compiled), or plain Python "
    "alone (reference).  [default: auto]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@common_options
@click.pass_context
def command(context: click.Context, /, **options: Any) -> ExitCode:
    """Try the laws of the protocol on PUZZLE; explain each failure by the smallest counterexample.

    If the puzzle has no more than --states states, all are looked at, and what holds is proved;
    else --seed chooses which. The exit code is 1 if a law is broken, 23 if the time was over, and
    130 if it was interrupted, before all were tried.
    """
    at_most_one(options, "start", "random", "scramble")
    laws = options["law"] or None
    laws_named(laws)
    chosen = choose_problem(options, context, quiet=is_quiet(options, context), draws=True)
    report = check_puzzle(
        chosen.registry,
        chosen.entry,
        chosen.problem,
        states=options["states"],
        seed=options["seed"] or 0,
        max_time=options["max_time"],
        engine=options["engine"],
        laws=laws,
    )
    if options["as_json"]:
        click.echo(to_json(_document(chosen, report), indent=2))
    else:
        for line in report.lines():
            click.echo(line)
    if report.interrupted:
        return ExitCode.INTERRUPTED
    if not report.ok:
        return ExitCode.BUG
    return ExitCode.OUT_OF_TIME if report.out_of_time else ExitCode.OK


def _document(chosen: Chosen, report: ConformanceReport) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "puzzle": chosen.name,
        "parameters": chosen.parameters,
        "ok": report.ok,
        **attrs.asdict(report, value_serializer=_as_json),
    }


def _as_json(instance: Any, attribute: Any, value: Any) -> Any:
    """A status is its text."""
    return value.value if isinstance(value, Status) else value
