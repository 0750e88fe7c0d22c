"""`searchkit explore`: every state, layer by layer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from searchkit.cli import output
from searchkit.cli.choice import Chosen, choose_problem, is_quiet
from searchkit.cli.exit_codes import LIMITS, ExitCode
from searchkit.cli.options import (
    Whole,
    at_most_one,
    common_options,
    engine_options,
    limit_options,
    limits_from,
    problem_options,
    renderer_option,
)
from searchkit.cli.progress import ProgressLine
from searchkit.document import statistics_document
from searchkit.explore import explore

if TYPE_CHECKING:
    from searchkit.explore import Exploration

FORMAT = "searchkit-explore/1"
SHOWN = 24


@click.command("explore")
@problem_options
@click.option(
    "--from",
    "origin",
    type=click.Choice(["start", "goal"]),
    help="Where to begin.  [default: the goal where every step can be taken back, else the start]",
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
@engine_options
@limit_options
@common_options
@click.pass_context
def command(context: click.Context, /, **options: Any) -> ExitCode:
    """Reach every state of PUZZLE, breadth first: states per layer, and the farthest ones."""
    at_most_one(options, "start", "random", "scramble")
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
            )
        if options["as_json"]:
            document = _document(chosen, found, options["limit"])
            click.echo(json.dumps(document, ensure_ascii=False, indent=2))
        else:
            _print(chosen, found, options)
    if found.complete:
        return ExitCode.OK
    return ExitCode.INTERRUPTED if found.limit is None else LIMITS[found.limit]


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
        "layers": list(found.layers),
        "farthest_count": len(found.farthest),
        "farthest": [chosen.problem.format_state(state) for state in found.farthest[:most]],
        "statistics": statistics_document(found.statistics),
    }


def _print(chosen: Chosen, found: Exploration, options: Mapping[str, Any]) -> None:
    output.print_table(
        [f"moves from the {found.origin}", "states"],
        ((f"{depth}", f"{count:,}") for depth, count in enumerate(found.layers)),
        right=[f"moves from the {found.origin}", "states"],
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
    statistics = found.statistics
    if not options["quiet"]:
        click.echo()
        output.print_pairs(
            [
                ("expanded", f"{statistics.expanded:,}"),
                ("generated", f"{statistics.generated:,}"),
                ("stored", f"{statistics.stored:,} at most ({output.memory(statistics.bytes)})"),
                ("time", output.seconds(statistics.seconds)),
            ]
        )


def _print_farthest(chosen: Chosen, found: Exploration, options: Mapping[str, Any]) -> None:
    shown = min(options["limit"], len(found.farthest))
    if not shown:
        return
    more = f", {shown} of them shown" if shown < len(found.farthest) else ""
    click.echo()
    click.echo(f"{output.plural(len(found.farthest), 'farthest state')}{more}:")
    click.echo()
    pictures = (
        _captioned(chosen, state, options["renderer"]) for state in islice(found.farthest, shown)
    )
    for line in output.side_by_side(pictures, output.width()):
        click.echo(line)


def _captioned(chosen: Chosen, state: Any, renderer: str | None) -> str:
    text = chosen.problem.format_state(state)
    picture = chosen.picture(state, renderer)
    return text if picture == text else f"{text}\n{picture}"
