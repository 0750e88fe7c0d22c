"""`searchkit check`: the laws of the protocol, tried on a puzzle."""

from __future__ import annotations

from typing import Any

import click

from searchkit.checks.conformance import check_puzzle, laws_named
from searchkit.checks.ground import STATES
from searchkit.cli.support.choice import choose_problem
from searchkit.cli.support.command import new_command
from searchkit.cli.support.exit_codes import ExitCode
from searchkit.cli.support.options import JSON, PROBLEM, Duration, choice, option, whole
from searchkit.cli.support.progress import ProgressLine
from searchkit.documents.document import as_json
from searchkit.texts.harmless import to_json

FORMAT = "searchkit-check/1"
QUICK = 300
"""States of which most puzzles are checked within a few seconds."""


@new_command(
    "check",
    *PROBLEM,
    option("--law", "Try this law; may be repeated.  [default: all]",
           metavar="NAME", multiple=True),
    whole("--states", f"Look at N states at most; {QUICK} take less time.  [default: {STATES:,}]",
          least=1, default=STATES),
    option("--max-time", "Try no further law after this time, not counting the making of machine "
           "code: 10s, 2m.  [default: 2m]", type=Duration(), default="2m"),
    choice("--engine", ["auto", "reference", "compiled"],
           "Try machine code as well, where the puzzle is packed (auto, compiled), or plain Python "
           "alone (reference).  [default: auto]", default="auto"),
    JSON,
)  # fmt: skip
def command(**options: Any) -> ExitCode:
    """Test whether PUZZLE keeps the laws of the protocol; show the smallest counterexamples.

    A puzzle of up to --states states is tested on all of them, which is a proof; of a larger one,
    --seed chooses a sample. The exit code is 1 if a law is broken, 23 if time ran out before all
    laws were tried, and 130 after Ctrl-C.
    """
    laws = options["law"] or None
    laws_named(laws)
    chosen = choose_problem(options, draws=True)
    quicker = f"; --states {QUICK} is quicker" if options["states"] > QUICK else ""
    with ProgressLine("check", options["quiet"]) as progress:
        report = check_puzzle(
            chosen.registry,
            chosen.entry,
            chosen.problem,
            values=chosen.parameters,
            states=options["states"],
            seed=options["seed"] or 0,
            max_time=options["max_time"],
            engine=options["engine"],
            laws=laws,
            listener=lambda text: progress.show(text + quicker),
        )
    if options["json"]:
        document = {"format": FORMAT, "puzzle": chosen.name, "parameters": chosen.parameters}
        document |= {"ok": report.ok} | as_json(report)
        click.echo(to_json(document, indent=2))
    else:
        for line in report.lines():
            click.echo(line)
    if report.interrupted:
        return ExitCode.INTERRUPTED
    if not report.ok:
        return ExitCode.BUG
    return ExitCode.OUT_OF_TIME if report.out_of_time else ExitCode.OK
