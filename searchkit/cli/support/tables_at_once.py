"""Tables that are built side by side, each as a task of an executor."""

from __future__ import annotations

import tempfile
import time
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from searchkit.cli.support.choice import choose_described, described
from searchkit.cli.support.progress import ProgressLine, raise_if_late
from searchkit.cli.support.workers import executor_of
from searchkit.executors.parcels import Parcel
from searchkit.executors.processes import ATTEMPTS
from searchkit.heuristics.kinds import TableToBuild
from searchkit.heuristics.names import tables_of
from searchkit.heuristics.patterns.database import PatternDatabase
from searchkit.heuristics.patterns.library import Library
from searchkit.heuristics.patterns.unfinished import finished
from searchkit.limits import LimitKind
from searchkit.running.building import Building, BuildStoppedError
from searchkit.texts.amounts import plural

NAMES = ("patterns", "threads", "max_memory", "compressed")


def build_at_once(options: Mapping[str, Any], numbers: Sequence[int], library: Library) -> None:
    """Build some of the tables, as many at once as the options say, and save them.

    Raises `BuildStoppedError` where the time was up for one; those that are whole are saved. After
    Ctrl-C, processes of this machine keep what they have done, which a second Ctrl-C gives up.
    """
    most = options["max_time"]
    until = None if most is None else time.time() + most  # machines have this clock in common
    given = described(options) | {name: options[name] for name in NAMES}
    given["others"] = min(options["jobs"] or 1, len(numbers)) - 1
    parcel = Parcel.made_by(_tables, given)
    stop = Path(tempfile.gettempdir()) / f"searchkit-{uuid.uuid4().hex}.stop"
    stopped: BuildStoppedError | None = None
    with (
        executor_of(options, options["jobs"] or 1, attempts=ATTEMPTS) as executor,
        ProgressLine("pdb build", options["quiet"]) as line,
    ):
        work = (parcel, given, until, str(stop))
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
                try:
                    stop.touch()
                    save_all()
                finally:
                    stop.unlink(missing_ok=True)
            raise
    if stopped is not None:
        raise stopped


def _tables(options: Mapping[str, Any]) -> Sequence[TableToBuild]:
    chosen = choose_described(options)
    return tables_of(
        chosen.problem, options["patterns"], compressed=options["compressed"],
        most=options["max_memory"],
    )  # fmt: skip


def _table(
    number: int,
    parcel: Parcel[Sequence[TableToBuild]],
    options: Mapping[str, Any],
    until: float | None,
    stop: str,
) -> PatternDatabase:
    """One of the tables, as a task.

    What is done by the time `until`, or when there is a file `stop`, is kept on this machine.
    """
    if Path(stop).exists():
        raise BuildStoppedError(Building(what=f"table {number + 1}"), LimitKind.TIME)
    began = time.time()
    table, others = parcel.open()[number], options["others"]

    def watch(build: Any) -> None:
        if Path(stop).exists():
            raise BuildStoppedError(Building(what=table.name, about=build.about()), LimitKind.TIME)
        if until is not None:
            now = time.time()
            raise_if_late(build, table.name, now - began, until - now, others=others)

    return table.as_kept(
        finished(table.build(options["threads"]), table.identity, Library(), watch)
    )
