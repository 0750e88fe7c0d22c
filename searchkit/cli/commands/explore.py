"""`searchkit explore`: every state, layer by layer."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

import attrs
import click

from searchkit.cli.support import output
from searchkit.cli.support.choice import Chosen, choose_problem
from searchkit.cli.support.command import new_command
from searchkit.cli.support.errors import say
from searchkit.cli.support.exit_codes import LIMITS, ExitCode
from searchkit.cli.support.files import (
    check_outputs,
    check_writable,
    command_line,
    write,
    write_plot,
)
from searchkit.cli.support.options import (
    ENGINE,
    JSON,
    LIMITS_OF_LAYERS,
    PROBLEM,
    RENDERER,
    TABLE_PLACE,
    WORKERS,
    choice,
    file,
    flag,
    limits_from,
    whole,
)  # fmt: skip
from searchkit.cli.support.output import note_engine
from searchkit.cli.support.progress import ProgressLine
from searchkit.cli.support.workers import shared_work
from searchkit.documents.document import as_json
from searchkit.engine import Engine
from searchkit.explore import Checkpoint, Exploration, Paths, explore
from searchkit.texts.amounts import plural
from searchkit.texts.harmless import to_json

FORMAT = "searchkit-explore/1"
SHOWN = 24


@new_command(
    "explore",
    *PROBLEM,
    choice("--from", ["start", "goal"], "Where to begin.  [default: the goal where every step can "
           "be taken back, else the start]"),
    choice("--symmetry", ["none", "auto"], "Store one of the states that are symmetric to each "
           "other (auto), or all of them (none).", default="none", show_default=True),
    flag("--paths", "Count the shortest paths to every layer, to goals, and to states without "
         "successors."),
    file("--checkpoint", "Write each complete layer to FOLDER, or to a URL like s3://bucket/name, "
         "and go on after the layers that are there; `searchkit table FOLDER` opens them.",
         metavar="FOLDER|URL", type=TABLE_PLACE),
    whole("--limit", "Show at most N of the farthest states.", default=SHOWN, show_default=True),
    RENDERER,
    JSON,
    file("--plot", "Draw the states of each layer into FILE, .svg or .png."),
    file("--html", "Write the layers, as a table and a plot, into FILE, one page of HTML."),
    file("--proof", "Write a proof of how far every state is from a goal, which `searchkit verify` "
         "checks; it is made in plain Python."),
    *ENGINE,
    *WORKERS,
    *LIMITS_OF_LAYERS,
)  # fmt: skip
def command(**options: Any) -> ExitCode:
    """Reach every state of PUZZLE, layer by layer; count the layers, show the farthest states."""
    check_outputs(options)
    if options["proof"] is not None:
        if str(options["proof"]) == "-":
            raise click.UsageError("--proof - is for run; give explore a file")
        check_writable("--proof", options["proof"])
        from searchkit.proofs.writing import Proof  # noqa: PLC0415  (seldom)

        Proof(path=options["proof"])  # whose name may be refused
    if (options["workers"] or options["cluster"]) and options["checkpoint"] is None:
        raise click.UsageError("workers share the layers in a folder; give one with --checkpoint")
    chosen = choose_problem(options)
    checkpoint = options["checkpoint"]
    if checkpoint is not None:
        checkpoint = Checkpoint(checkpoint, identity=chosen.about())
    with chosen.guard():
        with ProgressLine("explore", options["quiet"]) as progress, shared_work(options) as shared:
            found = explore(
                chosen.problem,
                backward={None: None, "start": False, "goal": True}[options["from"]],
                limits=limits_from(options),
                progress=progress,
                engine=Engine(
                    options["engine"],
                    threads=options["threads"],
                    workers=1 if options["workers"] == 1 else shared,
                ),
                symmetry=options["symmetry"],
                paths=options["paths"],
                checkpoint=checkpoint,
            )
        if not options["quiet"]:
            note_engine(found)
        if options["json"]:
            document = _document(chosen, found, options["limit"])
            click.echo(to_json(document, indent=2))
        else:
            _print(chosen, found, options)
        _draw(chosen, found, options)
    if found.complete:
        return _prove(chosen, options)
    if options["proof"] is not None:
        say("error", "no proof was written: not every state was reached")
    return ExitCode.INTERRUPTED if found.limit is None else LIMITS[found.limit]


def _prove(chosen: Chosen, options: Mapping[str, Any]) -> ExitCode:
    """Write the proof of all distances, if it is asked for."""
    if options["proof"] is None:
        return ExitCode.OK
    from searchkit.cli.commands.running.proof import about, write_proof  # noqa: PLC0415  (seldom)
    from searchkit.proofs.distances import prove_distances  # noqa: PLC0415
    from searchkit.proofs.writing import Proof  # noqa: PLC0415

    proof = Proof(path=options["proof"], puzzle=about(chosen, options))
    limits = limits_from(options)
    return write_proof(
        chosen,
        options,
        proof,
        lambda proof, line: prove_distances(chosen.problem, proof, limits=limits, progress=line),
    )[0]


def _draw(chosen: Chosen, found: Exploration[Any], options: Mapping[str, Any]) -> None:
    if options["plot"] is not None:
        from searchkit.plots.layers import layers_plot  # noqa: PLC0415  (loads matplotlib)

        write_plot(options["plot"], layers_plot(found, chosen.name))
    if options["html"] is not None:
        from searchkit.plots.pages import exploration_page  # noqa: PLC0415

        values: dict[str, Any] = chosen.parameters | chosen.named
        about = values | {"start": chosen.start_text(), "goal": chosen.goal_text()}
        page = exploration_page(found, chosen.name, command_line(), about)
        write(options["html"], page)


def _document(chosen: Chosen, found: Exploration[Any], most: int) -> dict[str, Any]:
    texts = [chosen.problem.format_state(state) for state in found.farthest[:most]]
    return {
        "format": FORMAT,
        **chosen.about(),
        **as_json(attrs.evolve(found, farthest=texts)),
        "states": found.states,
        "depth": found.depth,
        "mean": found.mean,
        "branching": found.branching,
        "farthest_count": len(found.farthest),
    }


def _print(chosen: Chosen, found: Exploration[Any], options: Mapping[str, Any]) -> None:
    columns = found.columns
    output.print_table(
        list(columns),
        zip(*([f"{number:,}" for number in column] for column in columns.values()), strict=True),
        right=list(columns),
    )
    click.echo(found.summary)
    if found.complete:
        _print_farthest(chosen, found, options)
    if found.paths is not None:
        _print_paths(found.paths)
    if not options["quiet"]:
        click.echo()
        output.print_pairs(found.work.items())


def _print_paths(paths: Paths) -> None:
    if paths.shortest_solution is None:
        click.echo("no path to a goal")
    else:
        solutions = plural(paths.optimal_solutions, "optimal solution")
        length = plural(paths.shortest_solution, "move")
        click.echo(f"{solutions} of {length}")
        every = sum(paths.to_goals)
        if every != paths.optimal_solutions:
            click.echo(f"{plural(every, 'shortest path')} to goals in all")
    ends = plural(sum(paths.ends), "dead end")
    click.echo(f"{ends}, to which {plural(sum(paths.to_ends), 'shortest path')} lead")


def _print_farthest(chosen: Chosen, found: Exploration[Any], options: Mapping[str, Any]) -> None:
    shown = min(options["limit"], len(found.farthest))
    if not shown:
        return
    more = f", {shown} of them shown" if shown < len(found.farthest) else ""
    click.echo()
    kind = "farthest state" if found.canonical_layers is None else "farthest canonical state"
    click.echo(f"{plural(len(found.farthest), kind)}{more}:")
    click.echo()
    pictures = (
        "\n".join(chosen.captioned(state, options["renderer"]))
        for state in islice(found.farthest, shown)
    )
    for line in output.side_by_side(pictures, output.width()):
        output.draw(line)
