"""`searchkit check-heuristic`: lower bounds, proved or refuted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs
import click

from searchkit.checks.heuristic import SAMPLES, HeuristicChecker
from searchkit.cli.support import output
from searchkit.cli.support.choice import Chosen, choose_problem, is_quiet
from searchkit.cli.support.command import Command
from searchkit.cli.support.exit_codes import ExitCode
from searchkit.cli.support.method import choose_heuristic
from searchkit.cli.support.options import Whole, at_most_one, common_options, problem_options
from searchkit.cli.support.progress import ProgressLine
from searchkit.heuristics.names import OWN
from searchkit.texts.harmless import to_json

if TYPE_CHECKING:
    from searchkit.checks import HeuristicReport

FORMAT = "searchkit-check-heuristic/1"


@click.command("check-heuristic", cls=Command)
@problem_options
@click.option(
    "--heuristic",
    multiple=True,
    metavar="NAME",
    help="Check this heuristic; may be repeated.  [default: all that suit the puzzle]",
)
@click.option(
    "--samples",
    metavar="N",
    type=Whole(1),
    default=SAMPLES,
    help=f"Draw about N steps where the space is too large.  [default: {SAMPLES:,}]",
)
@click.option(
    "--max-states",
    metavar="N",
    type=Whole(0),
    help="Explore a space of at most N states; 0 draws a sample in any case.  "
    "[default: 2,000,000, or 200,000 where states are not packed]",
)
@click.option(
    "--engine",
    type=click.Choice(["auto", "reference", "compiled"]),
    default="auto",
    help="Run machine code made for the puzzle (compiled), plain Python (reference), or what "
    "suits.  [default: auto]",
)
@click.option("--histogram", is_flag=True, help="Count the states of every estimate.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@common_options
@click.pass_context
def command(context: click.Context, /, **options: Any) -> ExitCode:
    """Prove, or refute, that heuristics of PUZZLE are lower bounds, and tell how good they are.

    If the whole space is small enough, every state and every step is looked at, which is a proof;
    else a sample is, which --seed makes another one. The exit code is 1 if an estimate is too
    large, or if a heuristic contradicts itself; it need not be consistent.
    """
    at_most_one(options, "start", "random", "scramble")
    quiet = is_quiet(options, context)
    chosen = choose_problem(options, context, quiet=quiet, draws=True)
    names = tuple(dict.fromkeys(options["heuristic"])) or (
        OWN,
        *(entry.name for entry in chosen.registry.heuristics.suiting(chosen.problem)),
    )
    with chosen.guard():
        heuristics = [(name, choose_heuristic(chosen, name)) for name in names]
        with ProgressLine("check-heuristic", quiet) as line:
            checker = HeuristicChecker(
                chosen.problem,
                seed=options["seed"] or 0,
                samples=options["samples"],
                max_states=options["max_states"],
                engine=options["engine"],
                listener=line.show,
            )
            reports = [
                attrs.evolve(checker.check(heuristic), heuristic=name)
                for name, heuristic in heuristics
            ]
    if options["as_json"]:
        click.echo(to_json(_document(chosen, reports), indent=2))
    else:
        for report in reports:
            _print(report, histogram=options["histogram"])
    return ExitCode.OK if all(report.ok for report in reports) else ExitCode.BUG


def _document(chosen: Chosen, reports: list[HeuristicReport]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "puzzle": chosen.name,
        "parameters": chosen.parameters,
        "start": chosen.start_text(),
        "goal": chosen.goal_text(),
        "heuristics": [
            attrs.asdict(report, value_serializer=_as_json)
            | {"admissible": report.admissible, "consistent": report.consistent, "ok": report.ok}
            for report in reports
        ],
    }


def _as_json(instance: Any, attribute: Any, value: Any) -> Any:
    """Infinity is null: JSON has no such number."""
    return None if value == float("inf") else value


def _print(report: HeuristicReport, *, histogram: bool) -> None:
    for line in report.lines():
        click.echo(line)
    if histogram:
        output.print_table(
            ["estimate", "states"],
            [[str(value), f"{count:,}"] for value, count in report.quality.histogram.items()],
            right=["estimate", "states"],
        )
