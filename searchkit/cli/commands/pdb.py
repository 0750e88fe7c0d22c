"""`searchkit pdb`: build, list and inspect pattern databases."""

from __future__ import annotations

import shutil
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from searchkit.cli.support.choice import choose, choose_described, described
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
from searchkit.cli.support.progress import ProgressLine, say_stopped
from searchkit.cli.support.workers import check_cluster, executor_of
from searchkit.errors import UsageError
from searchkit.executors.stopping import StopFile
from searchkit.heuristics.kinds import TableToBuild
from searchkit.heuristics.names import tables_of
from searchkit.heuristics.patterns.database import PatternDatabase
from searchkit.heuristics.patterns.library import Entry, Library, check_room
from searchkit.heuristics.patterns.unfinished import finished
from searchkit.limits import LimitKind, Limits
from searchkit.running.building import Building, BuildStoppedError, building, building_within
from searchkit.running.free_memory import default_memory
from searchkit.texts.amounts import plural
from searchkit.texts.harmless import to_json

if TYPE_CHECKING:
    from searchkit.executors.parcels import Parcel

MEGA = 1e6
SHOWN_OF_RULES = 8
SENT = ("patterns", "threads", "max_memory", "compressed")
"""Options that the processes are told of which build tables."""


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
    """Build the databases of PATTERNS for PUZZLE.

    PATTERNS are sizes such as 6-6-3, or pieces such as 1.2.3/4.5.6. They can also
    be cosets:N, or cosets for the largest of these tables within --max-memory.
    A build that is interrupted is kept, and the next one goes on from there.
    """
    check_cluster(options)
    chosen, quiet = choose(options | {"start": None}), options["quiet"]
    with running_code_of(chosen.name, chosen.problem, may_refuse=True):
        tables = _tables(chosen.problem, options)
        library = Library()
        _check_memory(tables, options)
        missing: dict[Path, int] = {}
        for number, table in enumerate(tables):
            if _intact(table, library, halved=table.compressed) is None:
                path = library.path_of(table.identity, halved=table.compressed)
                missing.setdefault(path, number)  # several may be the same
        if missing:
            check_room(library.folder, sum(tables[each].kept_bytes for each in missing.values()))
        try:
            made: list[int] = []
            if options["jobs"] is not None or options["cluster"] is not None:
                made = [n for n in missing.values() if _intact(tables[n], library) is None]
                _build_at_once(options, made, library)
            with building_within(Limits(time=options["max_time"])):
                for number, table in enumerate(tables):
                    known = _intact(table, library, halved=table.compressed)
                    what = "is there" if known is not None and number not in made else "built"
                    if known is None:
                        whole = _intact(table, library)
                        if whole is None:
                            with ProgressLine("pdb build", quiet):
                                whole = _built(table, options)
                        library.save(table.as_kept(whole))
                        known = table.load(library, halved=table.compressed)
                    if not quiet:
                        click.echo(f"{table.name} {what}: {table.about(known)}")
        except BuildStoppedError as stopped:
            say_stopped(stopped)
            return ExitCode.OUT_OF_TIME
    return ExitCode.OK


def _intact(
    table: TableToBuild, library: Library, *, halved: bool = False
) -> PatternDatabase | None:
    """The table, whole or `halved`, if it was built so; one that is broken is deleted."""
    if not library.has(table.identity, halved=halved):
        return None
    try:
        return table.load(library, halved=halved)
    except UsageError as error:
        say("warning", f"{error}: built again")
        shutil.rmtree(library.path_of(table.identity, halved=halved))
        return None


def _check_memory(tables: Sequence[TableToBuild], options: Mapping[str, Any]) -> None:
    most, at_once = options["max_memory"], options["jobs"] or 1
    needed = sum(sorted((each.memory for each in tables), reverse=True)[:at_once])
    allowed = default_memory() if most is None else most
    if needed > allowed:
        raise UsageError(
            f"building these tables takes {needed / MEGA:,.0f} MB of memory, more than the "
            f"{allowed / MEGA:,.0f} MB allowed; take smaller ones, or raise --max-memory"
        )


def _build_at_once(options: Mapping[str, Any], numbers: Sequence[int], library: Library) -> None:
    """Build some of the tables, each a task, as many at once as the options say, and save them.

    Raises `BuildStoppedError` where the time was up for one; those that are whole are saved. After
    Ctrl-C, processes of this machine keep what they have done, which a second Ctrl-C gives up.
    """
    from searchkit.executors.parcels import Parcel  # noqa: PLC0415  (slow to import)
    from searchkit.executors.processes import ATTEMPTS  # noqa: PLC0415

    most = options["max_time"]
    until = None if most is None else time.time() + most  # machines have this clock in common
    given = described(options) | {name: options[name] for name in SENT}
    given["others"] = min(options["jobs"] or 1, len(numbers)) - 1
    parcel = Parcel.made_by(_described_tables, given)
    stop = StopFile()
    stopped: BuildStoppedError | None = None
    with (
        executor_of(options, options["jobs"] or 1, attempts=ATTEMPTS) as executor,
        ProgressLine("pdb build", options["quiet"]) as line,
    ):
        work = (parcel, given, until, stop)
        jobs = [executor.submit(_table, number, *work) for number in numbers]
        left = dict.fromkeys(jobs)

        def save_all() -> None:
            nonlocal stopped
            for job in executor.as_completed(list(left)):
                try:
                    library.save(job.result())
                except BuildStoppedError as error:
                    stopped = error
                del left[job]
                line.show(f"{len(jobs) - len(left)} of {plural(len(jobs), 'database')} built")

        line.show(f"building {plural(len(jobs), 'database')}")
        try:
            save_all()
        except KeyboardInterrupt:
            if options["cluster"] is None:  # whose machines do not see the file
                if not options["quiet"]:
                    line.say("keeping what was done; Ctrl-C again gives that up")
                with stop.made():
                    save_all()
            raise
    if stopped is not None:
        raise stopped


def _tables(problem: Any, options: Mapping[str, Any]) -> Sequence[TableToBuild]:
    return tables_of(
        problem, options["patterns"], compressed=options["compressed"],
        most=options["max_memory"],
    )  # fmt: skip


def _described_tables(options: Mapping[str, Any]) -> Sequence[TableToBuild]:
    return _tables(choose_described(options).problem, options)


def _table(
    number: int,
    parcel: Parcel[Sequence[TableToBuild]],
    options: Mapping[str, Any],
    until: float | None,
    stop: StopFile,
) -> PatternDatabase:
    """One of the tables, as a task.

    What is done by the time `until`, or when there is the file of `stop`, is kept on this machine.
    """
    if stop.is_set():
        raise BuildStoppedError(Building(what=f"table {number + 1}"), LimitKind.TIME)
    table, left = parcel.open()[number], None if until is None else max(0.0, until - time.time())
    with building_within(Limits(time=left)):
        return table.as_kept(_built(table, {**options, "quiet": True}, stop))


def _built(
    table: TableToBuild, options: Mapping[str, Any], stop: StopFile | None = None
) -> PatternDatabase:
    """A table, whole, unless the file of `stop` is there: then what is done is kept."""
    with building(table.name) as tell:

        def watch(build: Any) -> None:
            if stop is not None and stop.is_set():
                stopped = Building(what=table.name, about=build.about())
                raise BuildStoppedError(stopped, LimitKind.TIME)
            tell(build.about(), kept=build.kept_bytes * (1 + options.get("others", 0)))

        build = table.build(options["threads"])
        note = (lambda text: None) if options["quiet"] else partial(say, "note")
        return finished(build, table.identity, Library(), watch, note)


@new_command("list", group=command)
def list_command(**options: Any) -> None:
    """List the databases that were built, and where they are."""
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
    """Describe a database.

    NAME is as in `pdb list`. Its entries are counted by distance.
    """
    library = Library()
    name = options["name"]
    matching = [each for each in library.names() if name in each]
    if name in matching:
        matching = [name]
    if len(matching) != 1:
        known = ", ".join(matching or library.names()) or "none"
        none = f"no database with {name!r} in its name; known"
        some = f"several databases with {name!r} in their names"
        raise UsageError(f"{some if matching else none}: {known}")
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
