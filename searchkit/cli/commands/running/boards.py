"""`searchkit run --boards`: solve the boards of a file, and tell each result in its turn."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from itertools import chain
from typing import Any, BinaryIO

import attrs
import click

from searchkit.cli.commands.running.one_board import Solver, Told
from searchkit.cli.commands.running.team import Line, Team
from searchkit.cli.support.boards import check_reads_boards, lines_of, name_of
from searchkit.cli.support.child import Message
from searchkit.cli.support.choice import Chosen
from searchkit.cli.support.exit_codes import ExitCode
from searchkit.cli.support.files import opened
from searchkit.cli.support.method import choose_algorithm
from searchkit.cli.support.options import limits_from
from searchkit.cli.support.progress import ProgressLine
from searchkit.errors import SearchkitError, UsageError
from searchkit.limits import Progress
from searchkit.running.building import building_within
from searchkit.running.free_memory import default_memory
from searchkit.running.processors import processors
from searchkit.solving.series import Series
from searchkit.texts.amounts import plural
from searchkit.texts.amounts import seconds as shown_seconds

PATIENCE = 0.5
"""Seconds of work after which more processes are worth their start; so is making machine code."""

Lines = Iterator[Line]


def run_boards(chosen: Chosen, options: Mapping[str, Any]) -> ExitCode:
    """Solve the boards of a file, several at once where there is work for that.

    The algorithm is chosen once, by the start that the puzzle has by itself, so that it does not
    depend on the order of the boards. Limits hold for each board, and for the tables that are
    built before the first.
    """
    check_reads_boards(chosen, "--boards")
    source, quiet = options["boards"], options["quiet"]
    codes: Counter[ExitCode] = Counter()
    with ExitStack() as stack:
        file = stack.enter_context(opened(source, "give a file with one board on each line"))
        limits = limits_from(options)
        with building_within(limits):
            algorithm = choose_algorithm(
                chosen, options["algo"], options["heuristic"], options["settings"],
                any_solution=True,
            )  # fmt: skip
        lines = _read(file, stack.pop_all())
    series = Series(
        algorithm=algorithm, engine=options["engine"], threads=options["threads"], limits=limits
    )
    form = "json" if options["json"] else "moves" if options["moves"] else "line"
    solver = Solver(chosen, series, form, name_of(source))
    began = time.monotonic()
    for told in _results(solver, lines, options):
        _print(told)
        codes[told.code] += 1
        if told.code is ExitCode.INTERRUPTED:
            break
    if not codes:
        raise UsageError(f"{name_of(source)} has no boards; write one on each line")
    if not quiet:
        _print_totals(codes, time.monotonic() - began)
    return _exit_code(codes)


def _read(file: BinaryIO, closing: ExitStack) -> Lines:
    """The lines of a file, which is closed after the last one.

    Not from outside: that would have to wait for a thread that waits for a line.
    """
    with closing:
        yield from lines_of(file)


def number_at_once(options: Mapping[str, Any]) -> int:
    """How many searches run at once: as --jobs says, or as many as have a processor a thread."""
    jobs: int | None = options["jobs"]
    return max(1, processors() // options["threads"]) if jobs is None else jobs


class _EnoughError(SearchkitError):
    """Several processes are worth their start: the board at hand is begun again in one."""


def _results(solver: Solver, lines: Lines, options: Mapping[str, Any]) -> Iterator[Told]:
    """What is told of each board: of easy ones from here, then from several processes.

    Not before the engine is known: what it depends on, the work that all boards before have taken,
    would else depend on which process solves which.
    """
    series, is_alone = solver.series, number_at_once(options) == 1
    patience = PATIENCE if options["jobs"] is None else 0.0
    began = time.monotonic()

    def is_enough() -> bool:
        return not is_alone and series.is_settled and time.monotonic() - began >= patience

    for number, text in lines:
        before = attrs.asdict(series.trials)
        title = f"line {number}, {type(series.algorithm).name}"
        try:
            with ProgressLine(title, options["quiet"]) as line:

                def listen(progress: Progress, line: ProgressLine = line) -> None:
                    if (not is_alone and progress.preparing) or is_enough():
                        raise _EnoughError
                    line(progress)

                if is_enough():
                    raise _EnoughError
                told = solver.told(number, text, listen)
        except _EnoughError:
            yield from _together(solver, (number, text), before, lines, options)
            return
        yield told


def _together(
    solver: Solver, first: Line, before: Message, lines: Lines, options: Mapping[str, Any]
) -> Iterator[Told]:
    """Solve the boards that are left, in several processes.

    The `first` was begun here, and is begun again as if it had not been, with the trials `before`.
    """
    series, at_once = solver.series, number_at_once(options)
    limits = series.limits
    assert limits.memory is not None
    # They share the memory. A board for which its share is too little gets all in the end.
    share = min(limits.memory, default_memory() // at_once)
    job = {
        "problem": {name: options[name] for name in ("puzzle", "param", "start", "goal")}
        | {"plugin": [str(file) for file in options["plugin"]], "quiet": True},
        **{name: options[name] for name in ("algo", "heuristic", "settings", "engine", "threads")},
        "limits": attrs.asdict(limits) | {"memory": share},
        "asked": series.asked.states,
        "form": solver.form,
        "source": solver.source,
    }
    team = Team(
        job=job, at_once=at_once, memory=limits.memory, solver=solver,
        trials=(before, attrs.asdict(series.trials)),
    )  # fmt: skip
    with ProgressLine("boards", options["quiet"]) as line:
        yield from team.solve(chain([first], lines), line)


def _print(told: Told) -> None:
    if told.err is not None:
        click.echo(told.err, err=True)
    if told.out is not None:
        click.echo(told.out)


def _exit_code(codes: Counter[ExitCode]) -> ExitCode:
    """That of a crash, or of a line without a board, else the largest."""
    if codes[ExitCode.INTERRUPTED]:
        return ExitCode.INTERRUPTED
    for first in (ExitCode.BUG, ExitCode.NO_BOARD):
        if codes[first]:
            return first
    return max(codes)


def _print_totals(codes: Counter[ExitCode], seconds: float) -> None:
    words = {
        ExitCode.OK: "solved",
        ExitCode.UNSOLVABLE: "unsolvable",
        ExitCode.INTERRUPTED: "interrupted",
        ExitCode.NO_BOARD: "not read",
        ExitCode.BUG: "crashed",
    }
    totals: Counter[str] = Counter()
    for code, number in codes.items():
        totals[words.get(code, "given up")] += number
    outcome = ", ".join(
        f"{totals[word]:,} {word}" for word in (*words.values(), "given up") if totals[word]
    )
    boards = plural(codes.total(), "board")
    click.echo(f"{boards} in {shown_seconds(seconds)}: {outcome}", err=True)
