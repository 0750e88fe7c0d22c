"""`searchkit pdb`: build, list and inspect pattern databases."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from searchkit.cli.support.choice import choose
from searchkit.cli.support.command import new_command
from searchkit.cli.support.errors import running_code_of, say
from searchkit.cli.support.exit_codes import ExitCode
from searchkit.cli.support.options import (
    CLUSTER,
    MOST_JOBS,
    Duration,
    Memory,
    Whole,
    flag,
    option,
    whole,
)
from searchkit.cli.support.output import print_table
from searchkit.cli.support.shown_build import say_stopped, shown_build
from searchkit.cli.support.workers import check_cluster
from searchkit.errors import UsageError
from searchkit.heuristics.names import COSETS
from searchkit.heuristics.patterns.identity import identity_of
from searchkit.heuristics.patterns.unfinished import finished
from searchkit.running.building import BuildStoppedError
from searchkit.running.free_memory import default_memory
from searchkit.running.making import search_clock
from searchkit.texts.harmless import to_json

if TYPE_CHECKING:
    from searchkit.heuristics.patterns.database import PatternDatabase
    from searchkit.heuristics.patterns.library import Entry, Library
    from searchkit.pattern_space import PatternSpace

MEGA = 1e6
SHOWN_OF_RULES = 8


@click.group("pdb", invoke_without_command=True)
@click.pass_context
def command(context: click.Context, /) -> None:
    """Build, list and inspect pattern databases, the heuristics `pdb:PATTERNS`."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@new_command(
    "build",
    click.Argument(["puzzle"]),
    click.Argument(["patterns"]),
    option("-p --param", "Set a parameter.", metavar="NAME=VALUE", multiple=True),
    option("--goal", "Make this state the goal.", metavar="TEXT"),
    flag("--compressed", "Keep four bits per entry instead of eight."),
    whole("--threads", "Use N threads.", least=1, default=1),
    option("--jobs", "Build N databases at a time, each in a process of its own.  [default: 1]",
           metavar="N", type=Whole(1, most=MOST_JOBS)),
    CLUSTER,
    option("--max-time", "Stop after this time; the next build goes on.", type=Duration()),
    option("--max-memory", "Refuse to take more memory than this.", type=Memory()),
    group=command,
)  # fmt: skip
def build_command(**options: Any) -> ExitCode:
    """Build the databases of PATTERNS for PUZZLE: sizes such as 6-6-3, or pieces: 1.2.3/4.5.6.

    PATTERNS can also be cosets:N, or cosets for the largest of these tables within --max-memory.
    A build that is interrupted is kept, and the next one goes on from there.
    """
    from searchkit.heuristics.patterns.choose import space_named  # noqa: PLC0415
    from searchkit.heuristics.patterns.compiled_build import halve  # noqa: PLC0415  (loads numba)
    from searchkit.heuristics.patterns.laws import try_on_problem  # noqa: PLC0415
    from searchkit.heuristics.patterns.library import Library  # noqa: PLC0415
    from searchkit.heuristics.patterns.storing import check_room  # noqa: PLC0415

    check_cluster(options)
    chosen, quiet = choose(options | {"start": None}), options["quiet"]
    if options["patterns"].partition(":")[0] == COSETS:
        from searchkit.cli.support.coset_tables import build_cosets  # noqa: PLC0415

        return build_cosets(chosen, options)
    with running_code_of(chosen.name, chosen.problem, may_refuse=True):
        space = space_named(chosen.problem, options["patterns"])
        library = Library()
        _check_memory(space, options)
        try_on_problem(space, chosen.problem)
        halved = options["compressed"]
        needed = _bytes_missing(space, library, halved=halved)
        if needed:
            check_room(library.folder, needed)
        began = search_clock()
        missing = {}
        if options["jobs"] is not None or options["cluster"] is not None:
            missing = _missing(space, library, halved=halved)
            try:
                _build_at_once(options, space, [*missing.values()], library)
            except BuildStoppedError as stopped:
                say_stopped(stopped)
                return ExitCode.OUT_OF_TIME
        for group in range(len(space.groups)):
            name = space.name_of(group)
            found = {form: _intact(space, group, library, halved=form) for form in (False, True)}
            known = found[halved]
            if known is not None:
                _tell(quiet, name, known, "built" if group in missing.values() else "is there")
                continue
            try:
                database = found[False] or _built(space, group, library, options, began)
            except BuildStoppedError as stopped:
                say_stopped(stopped)
                return ExitCode.OUT_OF_TIME
            library.save(halve(space, group, database) if halved else database)
            _tell(quiet, name, library.load(identity_of(space, group), halved=halved), "built")
    return ExitCode.OK


def _intact(
    space: PatternSpace, group: int, library: Library, *, halved: bool
) -> PatternDatabase | None:
    """The database of a group, in that form, if it was built; one that is broken is deleted."""
    from searchkit.heuristics.patterns.choose import load  # noqa: PLC0415

    identity = identity_of(space, group)
    if not library.has(identity, halved=halved):
        return None
    try:
        return load(space, group, library, halved=halved)
    except UsageError as error:
        say("warning", f"{error}: built again")
        shutil.rmtree(library.path_of(identity, halved=halved))
        return None


def _bytes_missing(space: PatternSpace, library: Library, *, halved: bool) -> int:
    """What the databases take on disk that are not there yet."""
    missing = {
        library.path_of(identity, halved=halved): space.entries(group)
        for group in range(len(space.groups))
        for identity in [identity_of(space, group)]
        if not library.has(identity, halved=halved)
    }
    return sum((entries + 1) // 2 if halved else entries for entries in missing.values())


def _missing(space: PatternSpace, library: Library, *, halved: bool) -> dict[Any, int]:
    """A group for each database that is in the library in neither form."""
    found = {}
    for group in reversed(range(len(space.groups))):
        path = library.path_of(identity_of(space, group), halved=halved)
        if all(_intact(space, group, library, halved=form) is None for form in (False, True)):
            found[path] = group
    return dict(reversed(found.items()))


def _build_at_once(*how: Any) -> None:
    from searchkit.cli.support.databases_at_once import build_at_once  # noqa: PLC0415  (loads numba)

    build_at_once(*how)


def _check_memory(space: PatternSpace, options: Mapping[str, Any]) -> None:
    from searchkit.heuristics.patterns.compiled_build import bytes_for  # noqa: PLC0415  (slow)

    most, at_once = options["max_memory"], options["jobs"] or 1
    largest = sorted((bytes_for(space, group) for group in range(len(space.groups))), reverse=True)
    needed = sum(largest[:at_once])
    allowed = default_memory() if most is None else most
    if needed > allowed:
        raise UsageError(
            f"building these databases takes {needed / MEGA:,.0f} MB of memory, more than the "
            f"{allowed / MEGA:,.0f} MB allowed; take smaller patterns, or raise --max-memory"
        )


def _built(
    space: PatternSpace, group: int, library: Library, options: dict[str, Any], began: float
) -> PatternDatabase:
    """The database of a group; `BuildStoppedError` if the time was up."""
    from searchkit.heuristics.patterns.compiled_build import building_of  # noqa: PLC0415  (slow)

    name = f"pattern {space.name_of(group)}"
    with shown_build(name, options, began) as (watch, note):
        build = building_of(space, group, options["threads"])
        return finished(build, identity_of(space, group), library, watch, note)


def _tell(quiet: bool, name: str, database: PatternDatabase, what: str) -> None:
    if not quiet:
        click.echo(
            f"pattern {name} {what}: {database.entries:,} entries, {database.bytes / MEGA:,.1f} MB,"
            f" mean {database.mean:.2f}, most {len(database.counts) - 1}, "
            f"{database.seconds:.1f} s"
        )


@new_command("list", group=command)
def list_command(**options: Any) -> None:
    """List the databases that were built, and where they are."""
    from searchkit.heuristics.patterns.library import Library  # noqa: PLC0415

    library = Library()
    rows, broken = [], []
    for name in library.names():
        try:
            rows.append(_row(library.read(name)))
        except UsageError as error:
            broken.append(str(error))
    if rows:
        columns = ["name", "bits", "entries", "MB", "mean", "most", "built in", "rules"]
        print_table(columns, rows, title=str(library.folder))
    else:
        click.echo(f"no pattern databases in {library.folder}; build some with searchkit pdb build")
    for each in broken:
        say("warning", each)


def _row(entry: Entry) -> tuple[str, ...]:
    in_byte = 2 if entry.halved else int(entry.identity.get("in_byte", 1))
    return (
        entry.name,
        str(8 // in_byte),
        f"{sum(entry.counts) if in_byte > 2 else entry.entries:,}",
        f"{entry.bytes / MEGA:,.1f}",
        f"{entry.mean:.2f}",
        str(len(entry.counts) - 1),
        f"{entry.seconds:.1f} s",
        entry.rules[:SHOWN_OF_RULES],
    )


@new_command(
    "info",
    click.Argument(["name"]),
    flag("--check", "Read all values and compare their checksum."),
    flag("--json", "Print the manifest as JSON."),
    group=command,
)
def info_command(**options: Any) -> None:
    """Tell what the database NAME of `pdb list` is, with its entries by distance."""
    from searchkit.heuristics.patterns.library import Library  # noqa: PLC0415

    library = Library()
    name = options["name"]
    matching = [each for each in library.names() if name in each]
    if name in matching:
        matching = [name]
    if len(matching) != 1:
        known = ", ".join(matching or library.names()) or "none"
        what = "several databases" if matching else "no database"
        raise UsageError(f"{what} with {name!r} in their name: {known}")
    entry = library.read(matching[0])
    library.check(entry, again=options["check"])
    if options["json"]:
        click.echo((entry.folder / "manifest.json").read_text(encoding="utf-8").rstrip())
        return
    click.echo(f"{entry.name}\n{entry.folder}")
    click.echo(to_json({k: v for k, v in entry.identity.items() if k != "edges"}))
    rows = [(str(d), f"{count:,}") for d, count in enumerate(entry.counts)]
    print_table(["distance", "entries"], rows)
    click.echo(f"rules {entry.rules}")
    click.echo(f"checksum {'compared' if options['check'] else 'known'}: {entry.sha256}")
