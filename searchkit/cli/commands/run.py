"""`searchkit run`: solve a puzzle."""

from __future__ import annotations

from typing import Any

import click

from searchkit.cli.commands.running.boards import boards_option, check_boards, run_boards
from searchkit.cli.commands.running.iterations import check_plot, draw_iterations, iterations_option
from searchkit.cli.commands.running.report import Report
from searchkit.cli.commands.running.watch import (
    check_output,
    watch_options,
    write_page,
)
from searchkit.cli.support.choice import choose_problem, is_quiet
from searchkit.cli.support.command import Command
from searchkit.cli.support.exit_codes import ExitCode, of_result
from searchkit.cli.support.method import choose_algorithm
from searchkit.cli.support.options import (
    Whole,
    at_most_one,
    common_options,
    engine_options,
    limit_options,
    limits_from,
    problem_options,
    renderer_option,
)
from searchkit.cli.support.progress import ProgressLine
from searchkit.result import Status
from searchkit.running.making import search_clock
from searchkit.solve import solve
from searchkit.solving.conclusion import Wanted
from searchkit.transforms import fix_first_step

GRACE = 1.0
"""Seconds allowed for listing the solutions of a search that was stopped."""


@click.command("run", cls=Command)
@problem_options
@click.option("--algo", metavar="NAME", help="The algorithm.  [default: chosen by the puzzle]")
@click.option(
    "-o",
    "--option",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="Set an option of the algorithm, like cycles=path; may be repeated.",
)
@click.option("--heuristic", metavar="NAME", help="The heuristic.  [default: the puzzle's own]")
@renderer_option
@click.option("--all", "every", is_flag=True, help="List every optimal solution.")
@click.option("--count", is_flag=True, help="Print the number of optimal solutions.")
@click.option("--limit", metavar="N", type=Whole(1), help="List at most N optimal solutions.")
@click.option(
    "--symmetry",
    type=click.Choice(["auto", "none"]),
    default="auto",
    help="Keep one of the first moves that a symmetry makes equal, when listing or counting "
    "(auto), or all of them (none).",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option("--moves", is_flag=True, help="Print the moves only, one solution a line.")
@click.option("--draw", is_flag=True, help="Draw every state on the way.")
@boards_option
@watch_options
@click.option(
    "-v", "--verbose", is_flag=True,
    help="Tell which engine ran and why, the iterations of a deepening search as they end, and "
    "the solutions of an anytime search.",
)  # fmt: skip
@iterations_option
@engine_options
@limit_options
@common_options
@click.pass_context
def command(context: click.Context, /, **options: Any) -> ExitCode:
    """Solve PUZZLE: print one optimal solution, all of them, or their number.

    With `--moves` and `--count` stdout has the solutions or their number alone, and notes go to
    stderr.
    """
    options["all"] = options["every"]
    at_most_one(options, "start", "random", "scramble")
    at_most_one(options, "all", "count", "limit")
    options["json"] = options["as_json"]
    check_boards(options)
    check_output(options)
    quiet = is_quiet(options, context)
    chosen = choose_problem(options, context, quiet=quiet)
    if options["boards"] is not None:
        return run_boards(chosen, options, quiet=quiet)
    wanted: Wanted = "one"
    if options["count"]:
        wanted = "count"
    elif options["every"] or options["limit"] is not None:
        wanted = "all"
    algorithm = choose_algorithm(
        chosen, options["algo"], options["heuristic"], options["settings"],
        any_solution=wanted == "one",
    )  # fmt: skip
    check_plot(options, algorithm)
    fixed = None
    by_itself = getattr(algorithm, "symmetry", "none") == "auto" or options["engine"] == "compiled"
    if wanted != "one" and options["symmetry"] == "auto" and not by_itself:
        with chosen.guard():
            fixed = fix_first_step(chosen.problem)
    limits = limits_from(options)
    began = search_clock()
    line = ProgressLine(type(algorithm).name, quiet, verbose=options["verbose"] and not quiet)
    with chosen.guard(), line as progress:
        result = solve(
            chosen.problem if fixed is None else fixed,
            algorithm,
            want=wanted,
            max_solutions=options["limit"],
            limits=limits,
            progress=progress,
            engine=options["engine"],
            threads=options["threads"],
        )
    until = None if limits.time is None else began + limits.time
    if until is not None and result.status in (Status.LIMIT, Status.INTERRUPTED):
        until = max(until, search_clock() + GRACE)
    report = Report(
        chosen=chosen, result=result, fixed=fixed, options=options, quiet=quiet, until=until
    )
    with chosen.guard():
        if options["as_json"]:
            report.print_json()
        elif wanted == "count":
            report.print_count()
        elif wanted == "all":
            report.print_list()
        elif options["moves"]:
            report.print_moves()
        elif options["play"]:
            report.print_play()
        else:
            report.print_one()
        if options["html"] is not None:
            write_page(report, options["html"])
    draw_iterations(options, chosen.name, result)
    return of_result(report.result)
