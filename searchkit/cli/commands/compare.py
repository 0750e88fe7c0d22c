"""`searchkit compare`: every suitable algorithm, side by side.

One start is solved here, at a glance. Where more is asked for, each run is measured in a process of
its own (`searchkit.cli.commands.comparing`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from searchkit.cli.commands.comparing.boards import choose_boards
from searchkit.cli.commands.comparing.measure import (
    FORMATS,
    Competitor,
    compared,
    exit_code,
    is_measured,
    measure,
)
from searchkit.cli.commands.comparing.worker import run_fields
from searchkit.cli.support import output
from searchkit.cli.support.choice import Chosen, choose_problem, find, is_quiet
from searchkit.cli.support.command import Command
from searchkit.cli.support.exit_codes import ExitCode
from searchkit.cli.support.files import check_outputs, command_line
from searchkit.cli.support.method import choose_algorithm
from searchkit.cli.support.options import (
    MOST_BOARDS,
    Whole,
    at_most_one,
    common_options,
    engine_options,
    limit_options,
    limits_from,
    problem_with_boards_options,
    renderer_option,
)
from searchkit.cli.support.progress import ProgressLine
from searchkit.comparison import Comparison, Run
from searchkit.comparison.tables import notes, run_table
from searchkit.comparison.texts import json_text
from searchkit.errors import UnsuitableError
from searchkit.result import Status
from searchkit.solve import solve

DEFAULT_SECONDS = 60.0


@click.command("compare", cls=Command)
@problem_with_boards_options
@click.option(
    "--boards",
    metavar="FILE|NAME",
    help="Compare on the boards of this file, one a line (- is stdin), or of this set that the "
    "puzzle knows; `searchkit info` names them.",
)
@click.option(
    "--repeat", metavar="N", type=Whole(1, most=MOST_BOARDS), help="Run each N times.  [default: 1]"
)
@click.option(
    "--algo",
    multiple=True,
    metavar="NAME",
    help="Compare this algorithm; may be repeated.  [default: all that suit and are optimal]",
)
@click.option(
    "--heuristic",
    multiple=True,
    metavar="NAME",
    help="Compare with this heuristic; may be repeated.  [default: the puzzle's own]",
)
@renderer_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option("--format", type=click.Choice(FORMATS), help="Print a table, or each run, so.")
@click.option(
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write what --format says to FILE, and print the table.",
)
@click.option(
    "--plot",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Draw nodes, time and memory into FILE, .svg or .png.",
)
@click.option(
    "--report",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write tables and plots into FILE, one page of HTML.",
)
@engine_options
@limit_options
@common_options
@click.pass_context
def command(context: click.Context, /, **options: Any) -> ExitCode:
    """Compare the work of every suitable algorithm on PUZZLE.

    One start is solved here and now, at a glance. With `--boards`, `--random N`, `--repeat`,
    `--format`, `--output`, `--plot` or `--report`, each run has a process of its own, and medians
    of time and memory are told.

    Limits hold for each run; by default, each gives up after 60 seconds.
    """
    quiet = is_quiet(options, context)
    measured = is_measured(options)
    if measured:
        check_outputs(options)
        at_most_one(options, "start", "boards", "random")
        at_most_one(options, "start", "boards", "scramble")
        if options["seed"] is not None and options["random"] is options["scramble"] is None:
            raise click.UsageError("--seed needs --random N or --scramble K")
        drawn_later = {"random": None, "scramble": None, "seed": None}
        chosen = choose_problem(options | drawn_later, context, quiet=quiet)
    else:
        at_most_one(options, "start", "random", "scramble")
        chosen = choose_problem(options, context, quiet=quiet)
    algorithms, unsuitable = choose_algorithms(chosen, options["algo"], options["heuristic"])
    if measured:
        more = {"more_plugins": (context.obj or {}).get("plugin", ())}
        return measure(
            chosen, algorithms, unsuitable, options | more, command_line(context), quiet=quiet,
            default_seconds=DEFAULT_SECONDS,
        )  # fmt: skip
    limits = limits_from(options, time=DEFAULT_SECONDS)
    comparison, contestants = compared(
        chosen, algorithms, unsuitable, options, command_line(context), limits,
        choose_boards(chosen, {"boards": None, "random": None, "scramble": None}, quiet=quiet),
    )  # fmt: skip
    advice = None
    for label, (_, _, algorithm) in contestants.items():
        with chosen.guard(), ProgressLine(type(algorithm).name, quiet) as progress:
            result = solve(
                chosen.problem, algorithm, limits=limits, progress=progress,
                engine=options["engine"], threads=options["threads"],
            )  # fmt: skip
        comparison.runs.append(Run(board=1, contestant=label, repeat=1, **run_fields(result)))
        if result.status is Status.UNSOLVABLE:
            advice = advice or result.advice
        if result.status is Status.INTERRUPTED:
            break
    if options["as_json"]:
        click.echo(json_text(comparison), nl=False)
    else:
        _print(chosen, comparison, advice, options["renderer"])
    return exit_code(comparison, result.status is Status.INTERRUPTED)


def choose_algorithms(
    chosen: Chosen, names: tuple[str, ...], heuristics: tuple[str, ...]
) -> tuple[list[Competitor], dict[str, str]]:
    """The algorithms to compare, each with each heuristic, and why the others do not suit.

    An algorithm that was named and does not suit is an error.
    """
    given: tuple[str | None, ...] = tuple(dict.fromkeys(heuristics)) or (None,)
    entries = [find(chosen.registry, "algorithms", name) for name in dict.fromkeys(names)]
    suiting: list[Competitor] = []
    unsuitable: dict[str, str] = {}
    for entry in entries or _optimal(chosen):
        uses = given if entry.algorithm.uses_heuristic else (None,)
        try:
            made = [
                (entry.name, heuristic, choose_algorithm(chosen, entry.name, heuristic))
                for heuristic in uses
            ]
            made[0][-1].check(chosen.problem)
        except UnsuitableError as error:
            if names:
                raise
            unsuitable[entry.name] = str(error)
        else:
            suiting += made
    return suiting, unsuitable


def _optimal(chosen: Chosen) -> list[Any]:
    """The algorithms that find optimal solutions."""
    return [each for each in chosen.registry.algorithms.entries if each.algorithm.optimal]


def _print(chosen: Chosen, comparison: Comparison, advice: str | None, renderer: str) -> None:
    for start in chosen.starts()[:1]:
        output.draw(chosen.picture(start, renderer))
        click.echo()
    table = run_table(comparison)
    output.print_table(table.head, table.rows, right=table.numbers, spare=table.spare)
    for line in notes(comparison):
        click.echo(line)
    if advice is not None:
        click.echo(advice)
