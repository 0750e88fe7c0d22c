"""What `searchkit run --boards` says of one board, whichever process solves it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs
import click

from searchkit.cli.support import output
from searchkit.cli.support.choice import Chosen, choose
from searchkit.cli.support.errors import line_of
from searchkit.cli.support.exit_codes import ExitCode, of_result
from searchkit.cli.support.method import choose_algorithm
from searchkit.documents import document as documents
from searchkit.errors import OverdueError, ParseError, UsageError, WorkerError
from searchkit.limits import LimitKind, Limits, ProgressListener
from searchkit.puzzles import with_ends
from searchkit.result import SearchResult
from searchkit.solving.series import Series
from searchkit.solving.solver import Solver
from searchkit.texts.amounts import one_line
from searchkit.texts.moves import moves_line

Line = tuple[int, str | ParseError]
"""The number of a line and the board on it, or what is wrong with it."""


@attrs.frozen
class Told:
    """What is printed of a board, and the exit code that it would have by itself."""

    code: ExitCode = attrs.field(converter=ExitCode)
    out: str | None = None
    err: str | None = None
    at_memory_limit: bool = False


@attrs.frozen
class BoardSolver(Solver[Line, Told]):
    """Solves boards of one puzzle, one after another, and says how in one of the `FORMS`."""

    chosen: Chosen
    series: Series
    form: str
    source: str
    """What messages call the file."""
    called: dict[str, Any] | None = None
    """What messages of workers know of how the command was called."""

    def solve(self, item: Line, progress: ProgressListener | None = None) -> Told:
        """Solve the board of a line."""
        if self.called is None:
            return self._told(*item, progress)
        with called_by(self.called):
            return self._told(*item, progress)

    def lost(self, item: Line, error: WorkerError) -> Told:
        """The process that was at a board has ended."""
        code = ExitCode.OUT_OF_TIME if isinstance(error, OverdueError) else ExitCode.BUG
        return Told(code, err=self._error(item[0], error))

    def is_short_of_memory(self, found: Told) -> bool:
        """Whether the limit of memory was reached."""
        return found.at_memory_limit

    def _told(self, number: int, text: str | ParseError, progress: ProgressListener | None) -> Told:
        try:
            if isinstance(text, ParseError):
                raise text
            problem = with_ends(self.chosen.name, self.chosen.problem, start=text)
        except UsageError as error:
            return Told(ExitCode.NO_BOARD, err=self._error(number, error))
        started = attrs.evolve(self.chosen, problem=problem)
        with started.guard():
            result = self.series.solve(problem, progress)
        out, err = FORMS[self.form](number, text, started, result)
        return Told(of_result(result), out, err, result.limit is LimitKind.MEMORY)

    def _error(self, number: int, error: object) -> str:
        """The line that says what is wrong with that of the file."""
        return line_of("error", f"{self.source}, line {number}: {one_line(error)}")


def solver_of(job: dict[str, Any]) -> BoardSolver:
    """The solver of a worker, which the options of a command describe."""
    options = job["problem"]
    plugins = [Path(file) for file in options["plugin"]]
    with called_by(job["called"]):
        chosen = choose(options | {"plugin": plugins, "param": tuple(options["param"])})
        algorithm = choose_algorithm(
            chosen, job["algo"], job["heuristic"], tuple(job["settings"]), any_solution=True
        )
    series = Series(
        algorithm=algorithm,
        engine=job["engine"],
        threads=job["threads"],
        limits=Limits(**job["limits"]),
    )
    return BoardSolver(chosen, series, job["form"], job["source"], job["called"])


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
