"""`searchkit check-heuristic`: lower bounds, proved or refuted."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import attrs
import click

from searchkit.checks.ground import OutOfTime
from searchkit.checks.heuristic import SAMPLES, HeuristicChecker
from searchkit.checks.report import HeuristicReport
from searchkit.cli.support import output
from searchkit.cli.support.choice import choose_problem
from searchkit.cli.support.command import new_command
from searchkit.cli.support.errors import say
from searchkit.cli.support.exit_codes import ExitCode
from searchkit.cli.support.method import choose_heuristic
from searchkit.cli.support.options import JSON, PROBLEM, Duration, choice, flag, option, whole
from searchkit.cli.support.progress import ProgressLine
from searchkit.documents.document import as_json
from searchkit.heuristics.names import OWN
from searchkit.limits import Limits
from searchkit.running.building import building_within
from searchkit.running.making import search_clock
from searchkit.texts.harmless import to_json

FORMAT = "searchkit-check-heuristic/1"


@new_command(
    "check-heuristic",
    *PROBLEM,
    option("--heuristic", "Check this heuristic; may be repeated.  [default: all that suit the "
           "puzzle]", metavar="NAME", multiple=True),
    whole("--samples", f"Draw about N steps where the space is too large.  [default: {SAMPLES:,}]",
          least=1, default=SAMPLES),
    whole("--max-states", "Explore a space of at most N states; 0 draws a sample in any case.  "
          "[default: 2,000,000, or 200,000 where states are not packed]"),
    option("--max-time", "Give up after this time: 10s, 2m.", type=Duration()),
    choice("--engine", ["auto", "reference", "compiled"],
           "Run machine code (compiled), plain Python (reference), or what suits (auto).  "
           "[default: auto]", default="auto"),
    flag("--histogram", "Count the states of every estimate."),
    JSON,
)  # fmt: skip
def command(**options: Any) -> ExitCode:
    """Prove, or refute, that heuristics of PUZZLE are lower bounds, and tell how good they are.

    If the whole space is small enough, every state and every step is looked at, which is a proof;
    of a larger one, --seed chooses a sample. The exit code is 1 if an estimate is too large, or if
    a heuristic contradicts itself (it need not be consistent), and 23 if time ran out before all
    were checked.
    """
    began, most = search_clock(), options["max_time"]
    chosen = choose_problem(options, draws=True)
    names = tuple(dict.fromkeys(options["heuristic"])) or (
        OWN,
        *(entry.name for entry in chosen.registry.heuristics.suiting(chosen.problem)),
    )

    def listen(text: str) -> None:
        line.show(text)
        if most is not None and search_clock() - began >= most:
            raise OutOfTime

    reports: list[HeuristicReport] = []
    with chosen.guard():
        with building_within(Limits(time=most)):
            heuristics = [(name, choose_heuristic(chosen, name)) for name in names]
        with ProgressLine("check-heuristic", options["quiet"]) as line, suppress(OutOfTime):
            checker = HeuristicChecker(
                chosen.problem,
                seed=options["seed"] or 0,
                samples=options["samples"],
                max_states=options["max_states"],
                engine=options["engine"],
                listener=listen,
            )
            for name, heuristic in heuristics:
                reports.append(attrs.evolve(checker.check(heuristic), heuristic=name))
    if options["json"]:
        rows = [
            as_json(report)
            | {"admissible": report.admissible, "consistent": report.consistent, "ok": report.ok}
            for report in reports
        ]
        click.echo(to_json({"format": FORMAT, **chosen.about(), "heuristics": rows}, indent=2))
    else:
        for report in reports:
            _print(report, histogram=options["histogram"])
    left = names[len(reports) :]
    if left and not options["quiet"]:
        say("note", f"the time is over; not checked: {', '.join(left)}")
    if not all(report.ok for report in reports):
        return ExitCode.BUG
    return ExitCode.OUT_OF_TIME if left else ExitCode.OK


def _print(report: HeuristicReport, *, histogram: bool) -> None:
    for line in report.lines():
        click.echo(line)
    if histogram:
        output.print_table(
            ["estimate", "states"],
            [[str(value), f"{count:,}"] for value, count in report.quality.histogram.items()],
            right=["estimate", "states"],
        )
