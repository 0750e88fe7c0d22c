"""`searchkit verify`: replay the solutions of a JSON document, or check why there is none."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import attrs
import click

from searchkit.capabilities import HasGoalStates
from searchkit.cli.choice import (
    AnyProblem,
    choose_puzzle,
    create,
    is_quiet,
    load,
    with_goal,
    with_start,
)
from searchkit.cli.command import Command
from searchkit.cli.errors import running_code_of
from searchkit.cli.exit_codes import ExitCode
from searchkit.cli.options import Whole, common_options
from searchkit.cli.output import cost, plural
from searchkit.cli.progress import ProgressLine
from searchkit.document import Document, SolutionTexts, read_document
from searchkit.document_check import verify_document, verify_unsolvable
from searchkit.errors import ParseError, UsageError, VerificationError
from searchkit.registry import PuzzleEntry
from searchkit.result import Status
from searchkit.text_files import FileNamedError, texts_of_files
from searchkit.verify import MOST_NODES


@click.command("verify", cls=Command)
@click.argument("file")
@click.option(
    "--max-nodes",
    metavar="N",
    type=Whole(1),
    default=MOST_NODES,
    help=f"Expand at most N states to check a closed set.  [default: {MOST_NODES:,}]",
)
@click.option(
    "--files",
    is_flag=True,
    help="Open the files that parameters of the document name. Not for documents of others.",
)
@common_options
@click.pass_context
def command(context: click.Context, /, **options: Any) -> ExitCode:
    """Replay the solutions in FILE, written by `run --json`, by the puzzle's slow rules.

    If it says that there is none, check its certificate. FILE `-` is the standard input. What
    `run --boards --json` wrote, a document on each line, is checked line by line.
    """
    data = _read(options["file"])

    @cache
    def entry_of(puzzle: str) -> PuzzleEntry:
        return choose_puzzle(load(options, context), puzzle)

    call = _Call(entry_of, options["max_nodes"], options["files"], is_quiet(options, context))
    lines = data.splitlines()
    if len(lines) < 2 or not lines[0].rstrip().endswith(b"}"):
        code, said = _verify(data, options["file"], call)
        click.echo(said)
        return code
    codes = {ExitCode.OK}
    for number, line in enumerate(lines, start=1):
        where = f"{options['file']}, line {number}"
        code, said = _verify(line, where, call)
        click.echo(f"{number}: {said}")
        codes.add(code)
    return max(codes)


@attrs.frozen
class _Call:
    """What holds for all documents of one call."""

    entry_of: Callable[[str], PuzzleEntry]
    max_nodes: int
    files: bool
    """Whether files that parameters name may be opened."""
    quiet: bool

    def problem(self, entry: PuzzleEntry, values: dict[str, str]) -> AnyProblem:
        """The puzzle with the parameters of a document."""
        if not self.files:
            return create(entry, values)
        return create(entry, texts_of_files(entry.parameters, values), values)


def _verify(data: bytes, where: str, call: _Call) -> tuple[ExitCode, str]:
    """What is to be said of one document, which is to be found at `where`."""
    try:
        document, solutions = read_document(data)
    except ParseError as error:
        raise ParseError(f"{where}: {error}") from error
    entry = call.entry_of(document.puzzle)
    try:
        problem = call.problem(entry, document.parameters)
    except FileNamedError as error:
        raise FileNamedError(f"{where}: {error}, or --files, if you trust the document") from error
    with (
        running_code_of(entry.name, problem),
        ProgressLine("verify", call.quiet) as line,
    ):
        try:
            problem = _with_goal_and_start(problem, document)
            if document.status == Status.UNSOLVABLE.value:
                return _check_certificate(document, problem, call.max_nodes, line)
            return ExitCode.OK, _replay(document, solutions, problem, line)
        except VerificationError as error:
            raise VerificationError(f"{where}: {error}") from error


def _replay(
    document: Document,
    solutions: Sequence[SolutionTexts],
    problem: AnyProblem,
    line: ProgressLine,
) -> str:
    number = verify_document(
        document,
        solutions,
        problem,
        listener=lambda done: line.show(f"{plural(done, 'solution')} verified"),
    )
    each = " each" if number > 1 else ""
    return f"ok: {plural(number, 'solution')} verified ({cost(problem, document.cost or 0)}{each})"


def _check_certificate(
    document: Document, problem: AnyProblem, max_nodes: int, line: ProgressLine
) -> tuple[ExitCode, str]:
    done = verify_unsolvable(
        document,
        problem,
        max_nodes=max_nodes,
        listener=lambda expanded: line.show(f"{plural(expanded, 'state')} expanded"),
    )
    assert document.certificate is not None
    kind = document.certificate["kind"]
    if not done.finished:
        return ExitCode.GAVE_UP, (
            f"not checked: the certificate, of kind {kind!r}, is of more than "
            f"{plural(max_nodes, 'state')}; raise --max-nodes to explore them again"
        )
    again = f"; {plural(done.expanded, 'state')} expanded again" if done.expanded else ""
    return ExitCode.OK, f"ok: no solution; the certificate, of kind {kind!r}, holds{again}"


def _read(file: str) -> bytes:
    if file == "-":
        if sys.stdin is None:
            raise UsageError("-: standard input is closed; give a file written by run --json")
        try:
            return sys.stdin.buffer.read()
        except OSError as error:
            raise UsageError(f"-: {error.strerror}; give a file written by run --json") from error
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}; give a file written by run --json") from error


def _with_goal_and_start(problem: AnyProblem, document: Document) -> AnyProblem:
    """The problem that the document is about."""
    name = document.puzzle
    try:
        if document.goal is not None and _goals(problem) != [document.goal]:
            problem = with_goal(name, problem, document.goal)
        starts = [problem.format_state(start) for start in problem.initial_states()]
        if document.start is not None and starts != [document.start]:
            problem = with_start(name, problem, document.start)
    except UsageError as error:
        raise VerificationError(f"its start or goal cannot be used: {error}") from error
    return problem


def _goals(problem: AnyProblem) -> list[str]:
    if not isinstance(problem, HasGoalStates):
        return []
    return [problem.format_state(goal) for goal in islice(problem.goal_states(), 2)]
