"""`searchkit verify`: replay the solutions of a JSON document."""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path
from typing import Any

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
from searchkit.cli.errors import running_code_of
from searchkit.cli.exit_codes import ExitCode
from searchkit.cli.options import common_options
from searchkit.cli.output import cost, plural
from searchkit.cli.progress import ProgressLine
from searchkit.document import Document, read_document, verify_document
from searchkit.errors import ParseError, UsageError, VerificationError


@click.command("verify")
@click.argument("file")
@common_options
@click.pass_context
def command(context: click.Context, /, **options: Any) -> ExitCode:
    """Replay the solutions in FILE, written by `run --json`, by the puzzle's slow rules.

    FILE `-` is the standard input.
    """
    file: str = options["file"]
    try:
        document, solutions = read_document(_read(file))
    except ParseError as error:
        raise ParseError(f"{file}: {error}") from error
    entry = choose_puzzle(load(options, context), document.puzzle)
    problem = create(entry, document.parameters)
    with (
        running_code_of(entry.name, problem),
        ProgressLine("verify", is_quiet(options, context)) as line,
    ):
        try:
            problem = _with_goal_and_start(problem, document)
            number = verify_document(
                document,
                solutions,
                problem,
                listener=lambda done: line.show(f"{plural(done, 'solution')} verified"),
            )
        except VerificationError as error:
            raise VerificationError(f"{file}: {error}") from error
    each = " each" if number > 1 else ""
    what = cost(problem, document.cost or 0)
    click.echo(f"ok: {plural(number, 'solution')} verified ({what}{each})")
    return ExitCode.OK


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
