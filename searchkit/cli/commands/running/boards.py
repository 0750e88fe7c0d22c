"""`searchkit run --boards`: solve one board after another, and tell each result at once."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import click

from searchkit.cli.support import output
from searchkit.cli.support.boards import boards_of, check_reads_boards, name_of
from searchkit.cli.support.choice import Chosen
from searchkit.cli.support.errors import say
from searchkit.cli.support.exit_codes import ExitCode, of_result
from searchkit.cli.support.files import opened
from searchkit.cli.support.method import choose_algorithm
from searchkit.cli.support.options import limits_from
from searchkit.cli.support.progress import ProgressLine
from searchkit.documents import document as documents
from searchkit.result import SearchResult, Status
from searchkit.solving.series import Series
from searchkit.texts.amounts import one_line, plural
from searchkit.texts.amounts import seconds as shown_seconds
from searchkit.texts.moves import moves_line

Teller = Callable[[int, str, Chosen, SearchResult[Any, Any]], None]


def run_boards(chosen: Chosen, options: Mapping[str, Any]) -> ExitCode:
    """Solve the boards of a file one by one.

    The algorithm is chosen once, by the start that the puzzle has by itself, so that it does not
    depend on the order of the boards. Limits hold for each board.
    """
    check_reads_boards(chosen, "--boards")
    source, quiet = options["boards"], options["quiet"]
    codes: Counter[ExitCode] = Counter()
    with opened(source, "give a file with one board on each line") as file:
        algorithm = choose_algorithm(
            chosen, options["algo"], options["heuristic"], options["settings"], any_solution=True
        )
        series = Series(
            algorithm=algorithm, engine=options["engine"], threads=options["threads"],
            limits=limits_from(options),
        )  # fmt: skip
        tell = _tell_json if options["json"] else _tell_moves if options["moves"] else _tell_line
        began = time.monotonic()
        for line in boards_of(file, chosen, source):
            if line.started is None:
                say("error", f"{name_of(source)}, line {line.number}: {line.error}")
                codes[ExitCode.NO_BOARD] += 1
                continue
            title = f"line {line.number}, {type(algorithm).name}"
            with line.started.guard(), ProgressLine(title, quiet) as progress:
                result = series.solve(line.started.problem, progress)
            tell(line.number, line.text, line.started, result)
            codes[of_result(result)] += 1
            if result.status is Status.INTERRUPTED:
                break
    if not quiet:
        _print_totals(codes, time.monotonic() - began)
    return _exit_code(codes)


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
    outcome = ", ".join(
        f"{totals[word]:,} {word}" for word in (*words.values(), "given up") if totals[word]
    )
    boards = plural(codes.total(), "board")
    click.echo(f"{boards} in {shown_seconds(seconds)}: {outcome}", err=True)


def _tell_json(number: int, text: str, started: Chosen, result: SearchResult[Any, Any]) -> None:
    document = documents.Document.of(result, **started.about())
    found = [] if result.solution is None else [result.solution]
    with started.guard():
        solutions = [documents.SolutionTexts.of(started.problem, each) for each in found]
    click.echo(documents.document_line(document, solutions, line=number, board=text))


def _tell_moves(number: int, text: str, started: Chosen, result: SearchResult[Any, Any]) -> None:
    if result.solution is None:
        click.echo(f"line {number}: {one_line(result.advice)}", err=True)
    else:
        click.echo(_moves(started, result))


def _tell_line(number: int, text: str, started: Chosen, result: SearchResult[Any, Any]) -> None:
    if result.solution is None:
        outcome = one_line(result.advice)
    else:
        length = output.length(started.problem, result.solution)
        outcome = f"{length}, {result.quality}: {_moves(started, result)}".rstrip()
    click.echo(f"{number}: {text}: {outcome}")


def _moves(started: Chosen, result: SearchResult[Any, Any]) -> str:
    with started.guard():
        return moves_line(
            [one_line(started.problem.format_action(each)) for each in result.actions]
        )
