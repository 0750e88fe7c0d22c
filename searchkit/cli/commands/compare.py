"""`searchkit compare`: every suitable algorithm, side by side.

One start is solved here, at a glance. Where more is asked for, each run is measured in a process of
its own (`searchkit.cli.commands.comparing`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from searchkit.cli.commands.comparing.contestants import (
    Entrant,
    choose_boards,
    choose_entrants,
    own_board,
    run_fields,
)
from searchkit.cli.commands.comparing.measure import FORMATS, chosen_format, exit_code, measure
from searchkit.cli.support import output
from searchkit.cli.support.choice import Chosen, choose, choose_problem
from searchkit.cli.support.command import new_command
from searchkit.cli.support.exit_codes import ExitCode
from searchkit.cli.support.files import check_outputs, command_line
from searchkit.cli.support.method import heuristics_for_boards
from searchkit.cli.support.options import (
    CLUSTER,
    ENGINE,
    JSON,
    LIMITS_OF_SEARCH,
    MOST_BOARDS,
    MOST_JOBS,
    RENDERER,
    Memory,
    Whole,
    at_most_one,
    choice,
    file,
    limits_from,
    option,
    problem_options,
)  # fmt: skip
from searchkit.cli.support.progress import ProgressLine
from searchkit.cli.support.workers import check_cluster
from searchkit.comparison import Comparison, Run
from searchkit.comparison.tables import json_text, notes, run_table
from searchkit.problem import Costs
from searchkit.result import Status
from searchkit.solving.conclusion import stopped_before
from searchkit.solving.plan import Trials
from searchkit.solving.series import Series

DEFAULT_SECONDS = 60.0


@new_command(
    "compare",
    *problem_options(
        option("--random", "Start from a random solvable state, or from N of them.",
               metavar="[N]", type=Whole(1, most=MOST_BOARDS), is_flag=False, flag_value="1")
    ),
    option("--boards", "Compare on the boards in FILE, one per line (- is stdin), or on a set of "
           "the puzzle; `searchkit info` names its sets.", metavar="FILE|NAME"),
    option("--repeat", "Run each algorithm N times.  [default: 1]", metavar="N",
           type=Whole(1, most=MOST_BOARDS)),
    option("--jobs", "Do N runs at a time: all end sooner, but each takes longer.  [default: 1]",
           metavar="N", type=Whole(1, most=MOST_JOBS)),
    CLUSTER,
    option("--algo", "Compare this algorithm; may be repeated.  [default: all that suit and are "
           "optimal]", metavar="NAME", multiple=True),
    option("--heuristic", "Compare with this heuristic; may be repeated.  [default: the puzzle's "
           "own]", metavar="NAME", multiple=True),
    RENDERER,
    JSON,
    choice("--format", FORMATS, "Print a table, or all runs, in this format."),
    file("--output", "Write to FILE, in the format of --format, and print the table."),
    file("--plot", "Draw nodes, time and memory into FILE, .svg or .png."),
    file("--html", "Write tables and plots into FILE, one page of HTML."),
    *ENGINE,
    *LIMITS_OF_SEARCH,
    option("--table-memory", "Compare with pattern databases of up to this size, which are built "
           "first: 2GB.", type=Memory()),
    option("--within", "End each at a solution proved so good: 1.1 (times an optimal one's cost), "
           "+2 (above it) or any.", metavar="RATIO|+N|any"),
)  # fmt: skip
def command(**options: Any) -> ExitCode:
    """Compare the work of every suitable algorithm on PUZZLE.

    One start is solved in this process, for a first look. With `--boards`, `--random N`,
    `--repeat`, `--jobs`, `--cluster`, `--format`, `--output`, `--plot` or `--html`, each run has a
    process of its own, and the table shows medians of time and memory.

    Limits hold for each run; by default, each gives up after 60 seconds.
    """
    names = (
        "boards", "jobs", "cluster", "repeat", "format", "output", "plot", "html",
    )  # fmt: skip
    measured = (options["random"] or 0) > 1 or any(options[name] is not None for name in names)
    if measured:
        check_outputs(options)
        check_cluster(options)
        at_most_one(options, "start", "boards", "random")
        at_most_one(options, "start", "boards", "scramble")
        if options["seed"] is not None and options["random"] is options["scramble"] is None:
            raise click.UsageError("--seed needs --random N or --scramble K")
        chosen = choose(options)
    else:
        chosen = choose_problem(options)
    form = chosen_format(options)
    limits = limits_from(options, time=DEFAULT_SECONDS)
    heuristics = heuristics_for_boards(chosen, limits, options["heuristic"])
    entrants, unsuitable = choose_entrants(chosen, options["algo"], heuristics, limits)
    comparison = Comparison(
        command=command_line(),
        puzzle=chosen.name,
        parameters=chosen.parameters,
        goal=chosen.goal_text(),
        settings={"limits": limits.to_dict()}
        | {name: options[name] for name in ("engine", "threads", "seed")}
        | {"jobs": options["jobs"] or 1},
        boards=choose_boards(chosen, options) if measured else (own_board(chosen),),
        contestants=tuple(each.contestant for each in entrants),
        unsuitable=unsuitable,
        repeats=options["repeat"] or 1,
        cost_name="moves" if chosen.problem.costs is Costs.UNIT else "cost",
    )
    if measured:
        return measure(comparison, entrants, options, form)
    return _at_a_glance(chosen, comparison, entrants, options)


def _at_a_glance(
    chosen: Chosen, comparison: Comparison, entrants: Sequence[Entrant], options: Mapping[str, Any]
) -> ExitCode:
    advice = None
    for entrant in entrants:
        title, label = type(entrant.algorithm).name, entrant.contestant.label
        if entrant.stopped is not None:
            result = stopped_before(chosen.problem, entrant.algorithm, entrant.stopped)
            comparison.runs.append(Run(board=1, contestant=label, repeat=1, **run_fields(result)))
            continue
        with chosen.guard(), ProgressLine(title, options["quiet"]) as progress:
            # The trial of each decides, and not for which of them there is machine code already.
            series = Series(
                algorithm=entrant.algorithm, limits=entrant.limits, engine=options["engine"],
                threads=options["threads"], trials=Trials(),
            )  # fmt: skip
            result = series.solve(chosen.problem, progress)
        comparison.runs.append(Run(board=1, contestant=label, repeat=1, **run_fields(result)))
        if result.status is Status.UNSOLVABLE:
            advice = advice or result.advice
        if result.status is Status.INTERRUPTED:
            break
    if options["json"]:
        click.echo(json_text(comparison), nl=False)
    else:
        for start in chosen.starts()[:1]:
            output.draw(chosen.picture(start, options["renderer"]))
            click.echo()
        table = run_table(comparison)
        output.print_table(table.head, table.rows, right=table.numbers, spare=table.spare)
        for line in (*notes(comparison), *([advice] if advice else [])):
            click.echo(line)
    last = comparison.runs[-1].status if comparison.runs else ""
    return exit_code(comparison, last == Status.INTERRUPTED.value)
