"""What `searchkit run --boards` says of one board, whichever process solves it."""

from __future__ import annotations

from typing import Any

import attrs

from searchkit.cli.support import output
from searchkit.cli.support.choice import Chosen
from searchkit.cli.support.errors import line_of
from searchkit.cli.support.exit_codes import ExitCode, of_result
from searchkit.documents import document as documents
from searchkit.errors import ParseError, UsageError
from searchkit.limits import LimitKind, ProgressListener
from searchkit.puzzles import with_ends
from searchkit.result import SearchResult
from searchkit.solving.series import Series
from searchkit.texts.amounts import one_line
from searchkit.texts.moves import moves_line


@attrs.frozen
class Told:
    """What is printed of a board, and the exit code that it would have by itself."""

    code: ExitCode = attrs.field(converter=ExitCode)
    out: str | None = None
    err: str | None = None
    at_memory_limit: bool = False


@attrs.frozen
class Solver:
    """Solves boards of one puzzle, one after another, and says how in one of the `FORMS`."""

    chosen: Chosen
    series: Series
    form: str
    source: str
    """What messages call the file."""

    def told(
        self, number: int, text: str | ParseError, progress: ProgressListener | None = None
    ) -> Told:
        """Solve the board of the line with that number."""
        try:
            if isinstance(text, ParseError):
                raise text
            problem = with_ends(self.chosen.name, self.chosen.problem, start=text)
        except UsageError as error:
            return Told(ExitCode.NO_BOARD, err=self.error(number, error))
        started = attrs.evolve(self.chosen, problem=problem)
        with started.guard():
            result = self.series.solve(problem, progress)
        out, err = FORMS[self.form](number, text, started, result)
        return Told(of_result(result), out, err, result.limit is LimitKind.MEMORY)

    def error(self, number: int, error: object) -> str:
        """The line that says what is wrong with that of the file."""
        return line_of("error", f"{self.source}, line {number}: {one_line(error)}")


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
