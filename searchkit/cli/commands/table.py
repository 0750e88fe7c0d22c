"""`searchkit table`: open what `explore --checkpoint` has written."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import click

from searchkit.capabilities import HasGoal, HasParse, HasStart
from searchkit.cli.support import output
from searchkit.cli.support.choice import choose_puzzle
from searchkit.cli.support.command import new_command
from searchkit.cli.support.errors import running_code_of, say
from searchkit.cli.support.options import TABLE_PLACE, flag, option
from searchkit.cli.support.progress import ProgressLine
from searchkit.errors import ParseError, UnknownNameError, UnsuitableError, UsageError
from searchkit.problem import Problem
from searchkit.puzzles import create, parse, with_ends
from searchkit.registry import Registry
from searchkit.tables import Table
from searchkit.tables.folder_store import store_at
from searchkit.tables.manifest import Manifest
from searchkit.tables.sources import FILE
from searchkit.texts.amounts import memory, plural


@new_command(
    "table",
    click.Argument(["place"], type=TABLE_PLACE, metavar="FOLDER|URL"),
    option("--state states", "Print the distance of this state and a shortest way; may be "
           "repeated.", metavar="TEXT", multiple=True),
    flag("--moves", "Print only distances and moves, one state per line."),
    flag("--check", "Compare every file with its checksum again."),
)  # fmt: skip
def command(**options: Any) -> None:
    """Open the layers in FOLDER, or at a URL, written by `explore --checkpoint`."""
    place: Path | str = options["place"]
    if options["moves"] and not options["states"]:
        raise click.UsageError("--moves prints the ways of states; give one or more with --state")
    store = store_at(place)
    manifest = Manifest.read(store)
    name = manifest.identity.get("puzzle")
    if not isinstance(name, str):
        raise UsageError(
            f"{store} was not written by the command explore; open it in Python with "
            "searchkit.tables.Table"
        )
    parameters = manifest.identity.get("parameters", {})
    if not isinstance(parameters, dict):
        raise UsageError(f"{store}: parameters are {parameters!r:.80}, no names with values")
    try:
        entry = choose_puzzle(Registry.load(options["plugin"]), name)
    except UnknownNameError as error:
        file = manifest.identity.get(FILE)
        hint = "" if file is None else f"; it was made by rules in {file}: give it by --plugin"
        raise UnknownNameError(f"{store}: {error}{hint}") from error
    for key in ("goal", "start"):
        if not isinstance(text := manifest.identity.get(key), str | None):
            raise UsageError(f"{store}: its {key} is {text!r:.80}, which is not a text")
    try:
        problem = _as_explored(manifest, create(entry, parameters))
    except UsageError as error:
        raise UsageError(f"{store}: the puzzle that it is of cannot be made: {error}") from error
    states = [parse(name, problem, text, "state") for text in options["states"]]
    with running_code_of(name, problem):
        with ProgressLine("table", options["quiet"]) as line:
            table = Table.open(store, problem, lambda file: line.show(f"reading {file}"))
            if options["check"]:
                for number, file in enumerate(table.check(), start=1):
                    line.show(f"{number} of {len(manifest.names())} files checked, {file}")
        if states:
            if (why_not := table.why_no_ways()) is not None:
                if options["moves"]:
                    raise UnsuitableError(f"{why_not}; drop --moves")
                if not options["quiet"]:
                    say("note", why_not)
            _print_ways(table, problem, states, only_moves=options["moves"])
        else:
            _print_layers(table, name, checked=options["check"])


def _as_explored(manifest: Manifest, problem: Problem[Any, Any]) -> Problem[Any, Any]:
    """The problem with the goal and start that were explored, where they can be chosen."""
    name = str(manifest.identity.get("puzzle"))
    # What cannot be read is the problem's own, or else refused when the table is opened.
    can_fail = nullcontext() if isinstance(problem, HasParse) else suppress(ParseError)
    for what, capability in (("goal", HasGoal), ("start", HasStart)):
        text = manifest.identity.get(what)
        if text is not None and isinstance(problem, capability):
            with can_fail:
                problem = with_ends(name, problem, **{what: text})
    return problem


def _print_ways(
    table: Table, problem: Problem[Any, Any], states: list[Any], *, only_moves: bool
) -> None:
    origin, has_ways = table.manifest.identity["origin"], table.why_no_ways() is None
    for state in states:
        solution = table.solution(state) if has_ways else None
        distance = table.distance(state) if solution is None else len(solution.actions)
        shown = problem.format_state(state)
        if distance is None:
            where = "in no layer" if table.manifest.complete else "in no layer so far"
            click.echo(f"{shown}: {where}")
            continue
        moves = "" if solution is None else " ".join(map(problem.format_action, solution.actions))
        if only_moves:
            click.echo(f"{distance} {moves}".rstrip())
        else:
            count = plural(distance, "move")
            click.echo(f"{shown}: {count} from the {origin}: {moves}".rstrip(": "))


def _print_layers(table: Table, name: str, *, checked: bool) -> None:
    identity, entries = table.manifest.identity, table.manifest.layers
    columns = [f"moves from the {identity['origin']}", "states"]
    with_symmetry = identity.get("symmetry") == "auto"
    if with_symmetry:
        columns.append("canonical")
    rows = [
        [f"{depth}", f"{entry.states:,}", *([f"{entry.canonical:,}"] if with_symmetry else [])]
        for depth, entry in enumerate(entries)
    ]
    output.print_table(columns, rows, right=columns)
    states = plural(sum(table.layers), "state")
    sizes = table.store.sizes()
    size = memory(sum(sizes.get(each, 0) for each in table.manifest.names()))
    what = "complete" if table.manifest.complete else "not complete: explore goes on from here"
    click.echo(f"{name}: {states} in {plural(len(entries), 'layer')}, {size}, {what}")
    if checked:
        click.echo(f"ok: {plural(len(table.manifest.names()), 'file')} checked")
