"""`searchkit run --boards`: solve the boards of a file, and tell each result in its turn."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import cache
from itertools import chain
from typing import Any, BinaryIO

import attrs
import click

from searchkit.cli.commands.running.board_worker import solver_of
from searchkit.cli.commands.running.one_board import Solver, Told
from searchkit.cli.commands.running.team import Line, Team
from searchkit.cli.support.boards import check_reads_boards, lines_of, name_of
from searchkit.cli.support.choice import Chosen
from searchkit.cli.support.exit_codes import ExitCode
from searchkit.cli.support.files import opened
from searchkit.cli.support.method import choose_algorithm
from searchkit.cli.support.options import limits_from
from searchkit.cli.support.progress import ProgressLine
from searchkit.cli.support.workers import executor_of
from searchkit.errors import SearchkitError, UsageError
from searchkit.executors.executor import Executor
from searchkit.executors.parcels import Parcel
from searchkit.limits import Progress
from searchkit.running.building import building_within
from searchkit.running.free_memory import default_memory
from searchkit.running.processors import processors
from searchkit.solving.plan import Trials
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
        algorithm=algorithm, engine=options["engine"], threads=options["threads"], limits=limits,
        trials=Trials(),
    )  # fmt: skip
    form = "json" if options["json"] else "moves" if options["moves"] else "line"
    solver = Solver(chosen, series, form, name_of(source))
    began = time.monotonic()
    with ExitStack() as workers:
        start = cache(lambda: workers.enter_context(executor_of(options, number_at_once(options))))
        if options["cluster"] is not None:
            start()  # whether it is there is found out before any work
        for told in _results(solver, lines, options, start):
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


def _results(
    solver: Solver, lines: Lines, options: Mapping[str, Any], start: Callable[[], Executor]
) -> Iterator[Told]:
    """What is told of each board: of easy ones from here, then from the executor, once it starts.

    Not before the engine is known: what it depends on, the work that all boards before have taken,
    would else depend on which process solves which.
    """
    series, is_cluster = solver.series, options["cluster"] is not None
    trials = series.trials or Trials()
    is_alone = number_at_once(options) == 1 and not is_cluster
    patience = PATIENCE if options["jobs"] is None and not is_cluster else 0.0
    began = time.monotonic()

    def is_enough() -> bool:
        return not is_alone and series.is_settled and time.monotonic() - began >= patience

    for number, text in lines:
        before = attrs.asdict(trials)
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
            team = _team(solver, before, options, start())
            with ProgressLine("boards", options["quiet"]) as line:
                yield from team.solve(chain([(number, text)], lines), line)
            return
        yield told


def _team(
    solver: Solver, before: dict[str, Any], options: Mapping[str, Any], executor: Executor
) -> Team:
    """Who solves the boards that are left.

    The first of them was begun here, and is begun again as if it had not been, with the trials
    `before`.
    """
    series, limits = solver.series, solver.series.limits
    assert limits.memory is not None
    called = {
        "plugin": [str(file) for file in options["plugin"]], "param": list(options["param"])
    }  # fmt: skip
    job = {
        "problem": {name: options[name] for name in ("puzzle", "start", "goal")}
        | called
        | {"quiet": True},
        **{name: options[name] for name in ("algo", "heuristic", "settings", "engine", "threads")},
        "limits": attrs.asdict(limits),
        "form": solver.form,
        "source": solver.source,
    }
    # They share the memory. A board for which its share is too little gets all in the end.
    share = min(limits.memory, default_memory() // executor.workers)
    return Team(
        executor=executor,
        parcel=Parcel.made_by(solver_of, job),
        called=called,
        solver=solver,
        trials=(before, attrs.asdict(series.trials or Trials())),
        share=share if options["cluster"] is None else None,
        memory=limits.memory,
    )


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
