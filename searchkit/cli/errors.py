"""How errors reach the user: one line on stderr, one exit code, no traceback."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager

import click

from searchkit.blame import problem_error
from searchkit.cli.exit_codes import ExitCode
from searchkit.errors import ProblemError, SearchkitError, UsageError, VerificationError

REPORT = "please report this"


def one_line(text: object) -> str:
    """`text` with every run of white space as one blank."""
    return " ".join(str(text).split())


def say(kind: str, text: object) -> None:
    """Print one line on stderr, like `searchkit: warning: ...`."""
    click.echo(one_line(f"searchkit: {kind}: {text}"), err=True)


def report(error: Exception, *, debug: bool = False) -> ExitCode:
    """Print `error` as one line and return its exit code; `debug` adds the traceback."""
    if debug:
        click.echo("".join(traceback.format_exception(error)), err=True, nl=False)
    if isinstance(error, click.ClickException):
        say("error", error.format_message())
        return ExitCode.BAD_INPUT
    if isinstance(error, (UsageError, VerificationError)):
        say("error", error)
        return ExitCode.BAD_INPUT
    if isinstance(error, SearchkitError):
        say("error", error)
        return ExitCode.BUG
    hint = "" if debug else "; --debug shows where"
    say("bug", f"{type(error).__name__}: {error}; {REPORT}{hint}")
    return ExitCode.BUG


@contextmanager
def running_code_of(puzzle: str, problem: object) -> Iterator[None]:
    """Turn an exception in the code of `problem` into a `ProblemError` that names the puzzle."""
    try:
        yield
    except ProblemError as error:
        raise ProblemError(f"puzzle {puzzle}: {error}") from error
    except (SearchkitError, click.ClickException, BrokenPipeError):
        raise
    except Exception as error:
        raise ProblemError(f"puzzle {puzzle}: {problem_error(problem, error)}") from error
