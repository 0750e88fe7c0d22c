"""`searchkit explore`: every state, layer by layer."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import click

from searchkit.cli.support import output
from searchkit.cli.support.choice import Chosen, choose_problem, is_quiet
from searchkit.cli.support.command import Command
from searchkit.cli.support.exit_codes import LIMITS, ExitCode
from searchkit.cli.support.files import check_outputs, command_line, kind_of, write
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
from searchkit.documents.document import as_json
from searchkit.explore import explore
from searchkit.texts.harmless import harmless, to_json

if TYPE_CHECKING:
    from searchkit.explore import Exploration, Paths

FORMAT = "searchkit-explore/1"
SHOWN = 24


@click.command("explore", cls=Command)
@problem_options
@click.option(
    "--from",
    "origin",
    type=click.Choice(["start", "goal"]),
    help="Where to begin.  [default: the goal where every step can be taken back, else the start]",
)
@click.option(
    "--symmetry",
    type=click.Choice(["none", "auto"]),
    default="none",
    show_default=True,
    help="Store one of the states that a symmetry makes equal (auto), or all of them (none).",
)
@click.option(
    "--paths",
    is_flag=True,
    help="Count the shortest paths to every layer, to goals, and to states without successors.",
)
@click.option(
    "--save",
    "--checkpoint",
    "checkpoint",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write each complete layer to FOLDER, and go on after the layers that are there; "
    "`searchkit table FOLDER` opens them.",
)
@click.option(
    "--limit",
    metavar="N",
    type=Whole(),
    default=SHOWN,
    show_default=True,
    help="Show at most N of the farthest states.",
)
@renderer_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option(
    "--plot",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Draw the states of each layer into FILE, .svg or .png.",
)
@click.option(
    "--report",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write the layers, as a table and a plot, into FILE, one page of HTML.",
)
@engine_options
@limit_options
@common_options
@click.pass_context
def command(context: click.Context, /, **options: Any) -> ExitCode:
    """Reach every state of PUZZLE, breadth first: states per layer, and the farthest ones."""
    at_most_one(options, "start", "random", "scramble")
    check_outputs(options)
    quiet = is_quiet(options, context)
    chosen = choose_problem(options, context, quiet=quiet)
    with chosen.guard():
        with ProgressLine("explore", quiet) as progress:
            found = explore(
                chosen.problem,
                backward={None: None, "start": False, "goal": True}[options["origin"]],
                limits=limits_from(options),
                progress=progress,
                engine=options["engine"],
                threads=options["threads"],
                symmetry=options["symmetry"],
                paths=options["paths"],
                checkpoint=options["checkpoint"],
                identity={"puzzle": chosen.name, "parameters": chosen.parameters}
                | {"start": chosen.start_text(), "goal": chosen.goal_text()},
            )
        if options["as_json"]:
            document = _document(chosen, found, options["limit"])
            click.echo(to_json(document, indent=2))
        else:
            _print(chosen, found, options)
        _draw(chosen, found, options, context)
    if found.complete:
        return ExitCode.OK
    return ExitCode.INTERRUPTED if found.limit is None else LIMITS[found.limit]


def _draw(
    chosen: Chosen, found: Exploration, options: Mapping[str, Any], context: click.Context
) -> None:
    """Write the plot and the report that were asked for."""
    if options["plot"] is not None:
        from searchkit.plots.layers import layers_plot  # noqa: PLC0415  (loads matplotlib)

        plot = layers_plot(found, chosen.name)
        write(options["plot"], plot.to_bytes(kind_of(options["plot"])))
    if options["report"] is not None:
        from searchkit.plots.pages import exploration_page  # noqa: PLC0415

        about = {
            **chosen.parameters,
            **chosen.named,
            "start": chosen.start_text(),
            "goal": chosen.goal_text(),
        }
        page = exploration_page(found, chosen.name, command_line(context), about)
        write(options["report"], page)


def _document(chosen: Chosen, found: Exploration, most: int) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "puzzle": chosen.name,
        "parameters": chosen.parameters,
        "start": chosen.start_text(),
        "goal": chosen.goal_text(),
        "origin": found.origin,
        "complete": found.complete,
        "limit": None if found.limit is None else found.limit.value,
        "states": found.states,
        "depth": found.depth,
        "mean": found.mean,
        "branching": found.branching,
        "layers": list(found.layers),
        "canonical_layers": None if found.canonical_layers is None else [*found.canonical_layers],
        "paths": None if found.paths is None else attrs.asdict(found.paths),
        "engine": found.engine,
        "farthest_count": len(found.farthest),
        "farthest": [chosen.problem.format_state(state) for state in found.farthest[:most]],
        "statistics": as_json(found.statistics),
    }


def _print(chosen: Chosen, found: Exploration, options: Mapping[str, Any]) -> None:
    columns = _columns(found)
    output.print_table(
        list(columns),
        zip(*([f"{number:,}" for number in column] for column in columns.values()), strict=True),
        right=list(columns),
    )
    states = output.plural(found.states, "state")
    if found.complete:
        click.echo(f"{states}, the farthest {output.plural(found.depth, 'move')} away, "
                   f"{found.mean:.3f} on average")  # fmt: skip
        _print_farthest(chosen, found, options)
    else:
        limit = (
            "interrupted" if found.limit is None else f"gave up at the {found.limit.label} limit"
        )
        click.echo(f"{limit}: {states} reached, the last layer may be incomplete")
    if found.paths is not None:
        _print_paths(found.paths)
    statistics = found.statistics
    if not options["quiet"]:
        click.echo()
        output.print_pairs(
            [
                ("expanded", f"{statistics.expanded:,}"),
                ("generated", f"{statistics.generated:,}"),
                ("branching", f"{found.branching:.3f} successors on average"),
                ("stored", f"{statistics.stored:,} at most ({output.memory(statistics.bytes)})"),
                ("time", output.seconds(statistics.seconds)),
            ]
        )


def _columns(found: Exploration) -> dict[str, list[int]]:
    """What the table shows of each layer; a layer that was not expanded has no ends yet."""
    columns = {
        f"moves from the {found.origin}": list(range(len(found.layers))),
        "states": list(found.layers),
    }
    if found.canonical_layers is not None:
        columns["canonical"] = list(found.canonical_layers)
    if found.paths is not None:
        paths = {
            "paths": found.paths.to_states,
            "to goals": found.paths.to_goals,
            "ends": found.paths.ends,
        }
        columns |= {
            name: [*counts, *[0] * (len(found.layers) - len(counts))]
            for name, counts in paths.items()
        }
    return columns


def _print_paths(paths: Paths) -> None:
    """The sums, in exact numbers."""
    if paths.shortest_solution is None:
        click.echo("no path to a goal")
    else:
        solutions = output.plural(paths.optimal_solutions, "optimal solution")
        length = output.plural(paths.shortest_solution, "move")
        click.echo(f"{solutions} of {length}")
        every = sum(paths.to_goals)
        if every != paths.optimal_solutions:
            click.echo(f"{output.plural(every, 'shortest path')} to goals in all")
    ends = output.plural(sum(paths.ends), "dead end")
    click.echo(f"{ends}, to which {output.plural(sum(paths.to_ends), 'shortest path')} lead")


def _print_farthest(chosen: Chosen, found: Exploration, options: Mapping[str, Any]) -> None:
    shown = min(options["limit"], len(found.farthest))
    if not shown:
        return
    more = f", {shown} of them shown" if shown < len(found.farthest) else ""
    click.echo()
    kind = "farthest state" if found.canonical_layers is None else "farthest canonical state"
    click.echo(f"{output.plural(len(found.farthest), kind)}{more}:")
    click.echo()
    pictures = (
        _captioned(chosen, state, options["renderer"]) for state in islice(found.farthest, shown)
    )
    for line in output.side_by_side(pictures, output.width()):
        output.draw(line)


def _captioned(chosen: Chosen, state: Any, renderer: str | None) -> str:
    text = harmless(chosen.problem.format_state(state))
    picture = chosen.picture(state, renderer)
    return text if picture == text else f"{text}\n{picture}"
