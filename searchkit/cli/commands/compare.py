"""`searchkit compare`: every suitable algorithm, side by side.

One start is solved here, at a glance. Where more is asked for, each run is measured in a process of
its own (`searchkit.cli.commands.comparing`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs
import click

from searchkit.algorithms.weights import rounded_up, shown_ratio
from searchkit.cli.commands.comparing.measure import (
    FORMATS,
    Competitor,
    is_measured,
    measure,
)
from searchkit.cli.support import output
from searchkit.cli.support.choice import (
    Chosen,
    choose_problem,
    find,
    is_quiet,
)
from searchkit.cli.support.command import Command
from searchkit.cli.support.errors import say
from searchkit.cli.support.exit_codes import ExitCode, of_result
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
from searchkit.documents.document import statistics_document
from searchkit.errors import UnsuitableError
from searchkit.problem import Costs
from searchkit.result import SearchResult, Status
from searchkit.solve import solve
from searchkit.texts.harmless import to_json

FORMAT = "searchkit-compare/1"
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
    results: list[SearchResult[Any, Any]] = []
    limits = limits_from(options, time=DEFAULT_SECONDS)
    for _, _, algorithm in algorithms:
        with chosen.guard(), ProgressLine(type(algorithm).name, quiet) as progress:
            result = solve(
                chosen.problem, algorithm, limits=limits, progress=progress,
                engine=options["engine"], threads=options["threads"],
            )  # fmt: skip
        results.append(attrs.evolve(result, solutions=None))  # frees what the search stored
        if result.status is Status.INTERRUPTED:
            break
    if options["as_json"]:
        click.echo(to_json(_document(chosen, results, unsuitable), indent=2))
    else:
        _print(chosen, results, unsuitable, options)
    return _exit_code(results)


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


def _exit_code(results: list[SearchResult[Any, Any]]) -> ExitCode:
    """0 if any solved it; 3 where optimal algorithms disagree, interrupted or not."""
    costs = [result.cost for result in results if result.cost is not None]
    unsolvable = [result for result in results if result.status is Status.UNSOLVABLE]
    if costs and min(costs) < max(result.lower_bound for result in results):
        told = ", ".join(f"{_name(result)} says {_outcome(result)}" for result in results)
        say("error", f"the algorithms disagree: {told}; is every heuristic a lower bound?")
        return ExitCode.DISAGREEMENT
    if any(result.status is Status.INTERRUPTED for result in results):
        return ExitCode.INTERRUPTED
    if any(result.solution is not None for result in results):
        return ExitCode.OK
    return of_result((unsolvable or results)[0])


def _optimal(chosen: Chosen) -> list[Any]:
    """The algorithms that find optimal solutions."""
    return [each for each in chosen.registry.algorithms.entries if each.algorithm.optimal]


def _name(result: SearchResult[Any, Any]) -> str:
    name: str = type(result.algorithm).name
    return name if result.heuristic is None else f"{name} ({result.heuristic})"


def _outcome(result: SearchResult[Any, Any]) -> str:
    if result.solution is not None:
        if result.optimal or result.within is None:
            return str(result.cost) if result.optimal else f"{result.cost}, not proved optimal"
        return f"{result.cost}, within {rounded_up(result.within)}"
    if result.status is Status.LIMIT and result.limit is not None:
        return f"gave up ({result.limit.value})"
    return result.status.value


def _document(
    chosen: Chosen, results: list[SearchResult[Any, Any]], unsuitable: Mapping[str, str]
) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "puzzle": chosen.name,
        "parameters": chosen.parameters,
        "start": chosen.start_text(),
        "goal": chosen.goal_text(),
        "rows": [
            {
                "algorithm": type(result.algorithm).name,
                "heuristic": result.heuristic,
                "engine": result.engine,
                "status": result.status.value,
                "limit": None if result.limit is None else result.limit.value,
                "reason": result.reason,
                "cost": result.cost,
                "moves": None if result.solution is None else len(result.solution),
                "optimal": result.optimal,
                "within": shown_ratio(result.within),
                "statistics": statistics_document(result.statistics),
            }
            for result in results
        ],
        "unsuitable": dict(unsuitable),
    }


def _print(
    chosen: Chosen,
    results: list[SearchResult[Any, Any]],
    unsuitable: Mapping[str, str],
    options: Mapping[str, Any],
) -> None:
    for start in chosen.starts()[:1]:
        output.draw(chosen.picture(start, options["renderer"]))
        click.echo()
    unit = chosen.problem.costs is Costs.UNIT
    numbers = ["expanded", "generated", "stored", "memory", "seconds"]
    output.print_table(
        ["algorithm", "heuristic", "moves" if unit else "cost", *numbers],
        _rows(results),
        right=numbers,
        spare=["generated", "memory"],
    )
    compiled = [_name(result) for result in results if result.engine == "compiled"]
    if 0 < len(compiled) < len(results):
        click.echo(
            f"compiled engine: {', '.join(compiled)}; reference engine: the others; "
            "compare like with like by --engine"
        )
    for name, reason in unsuitable.items():
        click.echo(f"{name} left out: {reason}")
    for result in results:
        if result.status is Status.UNSOLVABLE:
            click.echo(result.advice)
            break


def _rows(results: list[SearchResult[Any, Any]]) -> Iterator[list[str]]:
    for result in results:
        statistics = result.statistics
        yield [
            type(result.algorithm).name,
            result.heuristic or "",
            _outcome(result),
            f"{statistics.expanded:,}",
            f"{statistics.generated:,}",
            f"{statistics.stored:,}",
            output.memory(statistics.bytes),
            f"{statistics.seconds:.3f}",
        ]
