"""`searchkit run --boards`: solve the boards of a file, and tell each result in its turn."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, nullcontext
from typing import Any, BinaryIO

import attrs
import click

from searchkit.algorithms import Algorithm
from searchkit.cli.support import output
from searchkit.cli.support.choice import Chosen, choose_described, described
from searchkit.cli.support.errors import line_of
from searchkit.cli.support.exit_codes import ExitCode, of_result
from searchkit.cli.support.files import (
    board_on,
    check_reads_boards,
    lines_of,
    name_of,
    no_boards,
    opened,
)
from searchkit.cli.support.method import choose_algorithm
from searchkit.cli.support.options import limits_from
from searchkit.cli.support.progress import ProgressLine
from searchkit.cli.support.workers import executor_of
from searchkit.documents import document as documents
from searchkit.errors import OverdueError, ParseError, UsageError, WorkerError
from searchkit.executors.executor import Executor
from searchkit.executors.parcels import Parcel
from searchkit.limits import LimitKind, Limits, ProgressListener
from searchkit.problem import Problem
from searchkit.result import SearchResult
from searchkit.running.building import building_within
from searchkit.running.processors import processors
from searchkit.solving.default import Method
from searchkit.solving.in_order import InOrder
from searchkit.solving.plan import Trials
from searchkit.solving.series import Series
from searchkit.solving.solver import Solver
from searchkit.solving.with_tables import with_perimeter
from searchkit.texts.amounts import moves_line, one_line, plural
from searchkit.texts.amounts import seconds as shown_seconds

PATIENCE = 0.5
"""Seconds of work after which more processes are worth their start; so is making machine code."""

Line = tuple[int, str | ParseError]
"""The number of a line and the board on it, or what is wrong with it."""
Lines = Iterator[Line]


@attrs.frozen
class Told:
    """What is printed of a board, and the exit code that it would have by itself."""

    code: ExitCode = attrs.field(converter=ExitCode)
    out: str | None = None
    err: str | None = None
    limit: LimitKind | None = None


@attrs.frozen
class BoardSolver(Solver[Line, Told]):
    """Solves boards of one puzzle, one after another, and says how in one of the `FORMS`."""

    chosen: Chosen
    series: Series
    form: str
    source: str
    """What messages call the file."""
    perimeter: int | None = None
    """Bytes of memory for a perimeter, where both ends of a search do not fit into memory."""
    called: dict[str, Any] | None = None
    """What messages of workers know of how the command was called."""

    def solve(self, item: Line, progress: ProgressListener | None = None) -> Told:
        """Solve the board of a line."""
        with nullcontext() if self.called is None else called_by(self.called):
            return self._told(*item, progress)

    def lost(self, item: Line, error: WorkerError) -> Told:
        """The process that was at a board has ended."""
        code = ExitCode.OUT_OF_TIME if isinstance(error, OverdueError) else ExitCode.BUG
        return Told(code, err=self._error(item[0], error))

    def _told(self, number: int, text: str | ParseError, progress: ProgressListener | None) -> Told:
        try:
            problem = board_on(self.chosen, text)
        except UsageError as error:
            return Told(ExitCode.NO_BOARD, err=self._error(number, error))
        started = attrs.evolve(self.chosen, problem=problem)
        with started.guard():
            result = self._result(problem, progress)
        out, err = FORMS[self.form](number, str(text), started, result)
        return Told(of_result(result), out, err, result.limit)

    def _result(
        self, problem: Problem[Any, Any], progress: ProgressListener | None
    ) -> SearchResult[Any, Any]:
        series = self.series
        if self.perimeter is None:
            return series.solve(problem, progress)

        def look(algorithm: Algorithm, limits: Limits) -> SearchResult[Any, Any]:
            is_first = algorithm is series.algorithm
            by = series if is_first else attrs.evolve(series, algorithm=algorithm, limits=limits)
            return by.solve(problem, progress)

        method = Method(series.algorithm, series.limits)
        return with_perimeter(problem, method, self.perimeter, look).answer(look)

    def _error(self, number: int, error: object) -> str:
        return line_of("error", f"{self.source}, line {number}: {one_line(error)}")


def solver_of(job: dict[str, Any]) -> BoardSolver:
    """The solver of a worker, which the options of a command describe."""
    with called_by(job["called"]):
        chosen = choose_described(job["problem"])
        algorithm = choose_algorithm(
            chosen, job["algo"], job["heuristic"], tuple(job["settings"]), any_solution=True
        )
    series = Series(
        algorithm=algorithm,
        engine=job["engine"],
        threads=job["threads"],
        limits=Limits(**job["limits"]),
        has_other_starts=True,
    )
    return BoardSolver(chosen, series, job["form"], job["source"], job["perimeter"], job["called"])


def called_by(parameters: dict[str, Any]) -> click.Context:
    """The context of a command that was called in another process."""
    context = click.Context(click.Command("run"), info_name="run")
    context.params = parameters
    return context


Said = tuple[str | None, str | None]
"""On standard output, and on standard error."""


def _as_json(number: int, text: str, started: Chosen, result: SearchResult[Any, Any]) -> Said:
    document = documents.Document.of(result, **started.about())
    found = [] if result.solution is None else [result.solution]
    with started.guard():
        solutions = [documents.SolutionTexts.of(started.problem, each) for each in found]
    return documents.document_line(document, solutions, line=number, board=text), None


def _as_moves(number: int, text: str, started: Chosen, result: SearchResult[Any, Any]) -> Said:
    if result.solution is None:
        return None, f"line {number}: {one_line(result.advice)}"
    return _moves(started, result), None


def _as_line(number: int, text: str, started: Chosen, result: SearchResult[Any, Any]) -> Said:
    if result.solution is None:
        outcome = one_line(result.advice)
    else:
        length = output.length(started.problem, result.solution)
        outcome = f"{length}, {result.quality}: {_moves(started, result)}".rstrip()
    return f"{number}: {text}: {outcome}", None


FORMS = {"json": _as_json, "moves": _as_moves, "line": _as_line}


def _moves(started: Chosen, result: SearchResult[Any, Any]) -> str:
    with started.guard():
        return moves_line(
            [one_line(started.problem.format_action(each)) for each in result.actions]
        )


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
        trials=Trials(), has_other_starts=True,
    )  # fmt: skip
    form = "json" if options["json"] else "moves" if options["moves"] else "line"
    # Databases are built by now, and have a name.
    perimeter = limits.tables if options["algo"] is None and options["heuristic"] is None else None
    solver = BoardSolver(chosen, series, form, name_of(source), perimeter or None)
    began = time.monotonic()
    executors: list[Executor] = []
    with ExitStack() as workers:

        def start() -> Executor:
            if not executors:
                executor = executor_of(options, number_at_once(options))
                executors.append(workers.enter_context(executor))
            return executors[0]

        if options["cluster"] is not None:
            start()  # whether it is there is found out before any work
        try:
            for told in _results(solver, lines, options, start):
                for text, is_error in ((told.err, True), (told.out, False)):
                    if text is not None:
                        click.echo(text, err=is_error)
                codes[told.code] += 1
                if told.code is ExitCode.INTERRUPTED and not executors:
                    break
        except KeyboardInterrupt:
            if not codes[ExitCode.INTERRUPTED]:
                raise
    if not codes:
        raise no_boards(source)
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


def _results(
    solver: BoardSolver, lines: Lines, options: Mapping[str, Any], start: Callable[[], Executor]
) -> Iterator[Told]:
    """What is told of each board: of the first from here, then from the executor."""
    is_cluster = options["cluster"] is not None
    is_alone = number_at_once(options) == 1 and not is_cluster
    name, quiet = type(solver.series.algorithm).name, options["quiet"]
    with ProgressLine("boards", quiet) as line:
        found = InOrder(
            solver=solver,
            parcel=lambda: Parcel.made_by(solver_of, _job(solver, options)),
            start=None if is_alone else start,
            patience=PATIENCE if options["jobs"] is None and not is_cluster else 0.0,
            has_shares=not is_cluster,
            has_gaps=True,
            listening=lambda item: ProgressLine(f"line {item[0]}, {name}", quiet),
            show=lambda done, busy: line.show(f"{done:,} done, {busy} at work"),
        ).solve(lines)
        for told in found:
            line.hide()
            yield told


def _job(solver: BoardSolver, options: Mapping[str, Any]) -> dict[str, Any]:
    problem = described(options)
    return {
        "problem": problem,
        **{name: options[name] for name in ("algo", "heuristic", "settings", "engine", "threads")},
        "limits": solver.series.limits.to_dict(),
        "form": solver.form,
        "source": solver.source,
        "perimeter": solver.perimeter,
        "called": {name: problem[name] for name in ("plugin", "param")},
    }


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
