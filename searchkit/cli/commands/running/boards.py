"""`searchkit run --boards`: solve one board after another, and tell each result at once."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, BinaryIO, TypeVar

import attrs
import click

from searchkit.capabilities import HasParse, HasStart
from searchkit.cli.support import output
from searchkit.cli.support.choice import Chosen
from searchkit.cli.support.errors import say
from searchkit.cli.support.exit_codes import ExitCode, of_result
from searchkit.cli.support.method import choose_algorithm
from searchkit.cli.support.options import at_most_one, limits_from
from searchkit.cli.support.progress import ProgressLine
from searchkit.documents import document as documents
from searchkit.errors import ParseError, UnsuitableError, UsageError
from searchkit.puzzles import with_start
from searchkit.result import SearchResult, Status
from searchkit.solving.series import Series
from searchkit.texts import text_files
from searchkit.texts.amounts import one_line
from searchkit.texts.text_files import MOST_BYTES

F = TypeVar("F", bound=Callable[..., Any])
STDIN = "-"
COMMENT = "#"
EXCLUDED = ("start", "random", "scramble", "all", "limit", "count", "draw", "html", "play", "plot")
"""Options of `run` that are about one start."""


def boards_option(function: F) -> F:
    """Add the option."""
    return click.option(
        "--boards", metavar="FILE",
        help="Solve each line of FILE, a state as for --start, and tell each result as it is "
        "found; - is the standard input.",
    )(function)  # fmt: skip


def check_boards(options: Mapping[str, Any]) -> None:
    """Raise a usage error for options that do not go with `--boards`."""
    if options["boards"] is None:
        return
    for other in EXCLUDED:
        at_most_one(options, "boards", other)
    at_most_one(options, "json", "moves")


def run_boards(chosen: Chosen, options: Mapping[str, Any], *, quiet: bool) -> ExitCode:
    """Solve the boards of a file one by one.

    The algorithm is chosen once, by the start that the puzzle has by itself, so that it does not
    depend on the order of the boards. Limits hold for each board.
    """
    if not isinstance(chosen.problem, HasStart):
        raise UnsuitableError(f"puzzle {chosen.name} has a fixed start; drop --boards")
    if not isinstance(chosen.problem, HasParse):
        raise UnsuitableError(f"puzzle {chosen.name} cannot read states; drop --boards")
    with opened(options["boards"]) as file:
        algorithm = choose_algorithm(
            chosen, options["algo"], options["heuristic"], options["settings"], any_solution=True
        )
        series = Series(
            algorithm=algorithm, engine=options["engine"], threads=options["threads"],
            limits=limits_from(options),
        )  # fmt: skip
        solver = Solver(chosen, series, quiet)
        tell = _teller(chosen, options)
        return _run(solver, tell, lines_of(file), options["boards"])


def opened(source: str) -> AbstractContextManager[BinaryIO]:
    """The file of that name, which is closed at the end, or the standard input, which is not."""
    if source == STDIN:
        if sys.stdin is None or sys.stdin.closed:
            raise UsageError("-: standard input is closed; give a file with one board on each line")
        return nullcontext(sys.stdin.buffer)
    try:
        return text_files.opened(source)
    except ParseError as error:
        raise UsageError(f"{error}; give a file with one board on each line") from error


def lines_of(file: BinaryIO) -> Iterator[tuple[int, str | ParseError]]:
    """The lines that may hold boards, as they come, with their numbers.

    Blank lines and lines that begin with # are left out. A line that is not a text, or too long for
    a board, is told as an error, and the next one follows.
    """
    number = 0
    while line := file.readline(MOST_BYTES + 1):
        number += 1
        if len(line) > MOST_BYTES and not line.endswith(b"\n"):
            while (rest := file.readline(MOST_BYTES)) and not rest.endswith(b"\n"):
                pass
            yield number, ParseError(f"it is longer than {MOST_BYTES:,} bytes; no board is")
            continue
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
        except UnicodeDecodeError:
            yield number, ParseError("it is not a UTF-8 text")
        else:
            if text and not text.startswith(COMMENT):
                yield number, text


@attrs.frozen
class Solver:
    """Solves boards of one puzzle; what they share is found out once."""

    chosen: Chosen
    series: Series
    quiet: bool

    def started(self, text: str | ParseError) -> Chosen:
        """The puzzle started from the board that a line holds; `UsageError` if there is none."""
        if isinstance(text, ParseError):
            raise text
        problem = with_start(self.chosen.name, self.chosen.problem, text)
        return attrs.evolve(self.chosen, problem=problem)

    def solved(self, number: int, started: Chosen) -> SearchResult[Any, Any]:
        """The result of one board."""
        title = f"line {number}, {type(self.series.algorithm).name}"
        with started.guard(), ProgressLine(title, self.quiet) as progress:
            return self.series.solve(started.problem, progress)


Teller = Callable[[int, str, Chosen, SearchResult[Any, Any]], None]


def _run(
    solver: Solver, tell: Teller, lines: Iterator[tuple[int, str | ParseError]], source: str
) -> ExitCode:
    began = time.monotonic()
    codes: Counter[ExitCode] = Counter()
    for number, text in lines:
        try:
            started = solver.started(text)
        except UsageError as error:
            say("error", f"{_name(source)}, line {number}: {one_line(error)}")
            codes[ExitCode.NO_BOARD] += 1
            continue
        result = solver.solved(number, started)
        tell(number, str(text), started, result)
        codes[of_result(result)] += 1
        if result.status is Status.INTERRUPTED:
            break
    if not codes:
        raise UsageError(f"{_name(source)} has no boards; write one on each line")
    if not solver.quiet:
        _print_totals(codes, time.monotonic() - began)
    return _exit_code(codes)


def _name(source: str) -> str:
    return "stdin" if source == STDIN else source


def _exit_code(codes: Counter[ExitCode]) -> ExitCode:
    """That of a line without a board, else the largest."""
    if codes[ExitCode.INTERRUPTED] or not codes[ExitCode.NO_BOARD]:
        return max(codes)
    return ExitCode.NO_BOARD


def _print_totals(codes: Counter[ExitCode], seconds: float) -> None:
    words = {
        ExitCode.OK: "solved",
        ExitCode.UNSOLVABLE: "unsolvable",
        ExitCode.INTERRUPTED: "interrupted",
        ExitCode.NO_BOARD: "not read",
    }
    totals: Counter[str] = Counter()
    for code, number in codes.items():
        totals[words.get(code, "given up")] += number
    told = ", ".join(
        f"{totals[word]:,} {word}" for word in (*words.values(), "given up") if totals[word]
    )
    boards = output.plural(codes.total(), "board")
    click.echo(f"{boards} in {output.seconds(seconds)}: {told}", err=True)


def _teller(chosen: Chosen, options: Mapping[str, Any]) -> Teller:
    """What prints the result of a board in the way the options ask for."""
    goal = chosen.goal_text()

    def tell_json(number: int, text: str, started: Chosen, result: SearchResult[Any, Any]) -> None:
        document = documents.Document.of(
            result, puzzle=started.name, parameters=started.parameters,
            start=started.start_text(), goal=goal,
        )  # fmt: skip
        with started.guard():
            solutions = [documents.SolutionTexts.of(started.problem, each) for each in _one(result)]
        click.echo(documents.document_line(document, solutions, line=number, board=text))

    def tell_moves(number: int, text: str, started: Chosen, result: SearchResult[Any, Any]) -> None:
        if result.solution is None:
            click.echo(f"line {number}: {one_line(result.advice)}", err=True)
        else:
            click.echo(_moves(started, result))

    def tell_line(number: int, text: str, started: Chosen, result: SearchResult[Any, Any]) -> None:
        if result.solution is None:
            told = one_line(result.advice)
        else:
            length = output.length(started.problem, result.solution)
            told = f"{length}, {result.quality}: {_moves(started, result)}".rstrip()
        click.echo(f"{number}: {text}: {told}")

    return tell_json if options["json"] else tell_moves if options["moves"] else tell_line


def _one(result: SearchResult[Any, Any]) -> list[Any]:
    return [] if result.solution is None else [result.solution]


def _moves(started: Chosen, result: SearchResult[Any, Any]) -> str:
    assert result.solution is not None
    with started.guard():
        return output.moves_line(
            [one_line(started.problem.format_action(each)) for each in result.solution.actions]
        )
