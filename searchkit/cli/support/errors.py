"""How errors reach the user: one line on stderr, one exit code, no traceback."""

from __future__ import annotations

import errno
import traceback
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import click

from searchkit.authors.blame import blaming_puzzle
from searchkit.cli.support.exit_codes import LIMITS, ExitCode
from searchkit.cli.support.streams import OutputError, PipeClosedError
from searchkit.errors import LimitReachedError, SearchkitError, UsageError, VerificationError
from searchkit.running.building import BuildStoppedError
from searchkit.running.warned import warnings_passed
from searchkit.texts.amounts import one_line

REPORT = "please report this"
OF_THE_SYSTEM = {
    errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO, errno.EMFILE, errno.ENFILE,
}  # fmt: skip
"""What the system refuses to every program: no bug of ours."""


def say(kind: str, text: object) -> None:
    """Print one line on stderr, like `searchkit: warning: ...`."""
    click.echo(line_of(kind, text), err=True)


def line_of(kind: str, text: object) -> str:
    """The line that `say` prints."""
    return one_line(f"searchkit: {kind}: {text}")


@contextmanager
def warnings_as_notes() -> Iterator[None]:
    """Show warnings of searchkit as notes of one line, each once, unless `--quiet` was given."""
    shown_already: set[str] = set()

    def tell(text: str) -> None:
        if not is_quiet() and text not in shown_already:
            shown_already.add(text)
            say("note", text)

    with warnings_passed(tell):
        yield


def is_quiet() -> bool:
    """Whether `--quiet` was given before or after the command that runs."""
    context = click.get_current_context(silent=True)
    return context is not None and any(
        each.params.get("quiet") for each in (context, context.find_root())
    )


def report(error: Exception, *, debug: bool = False) -> ExitCode:
    """Print `error` as one line and return its exit code; `debug` adds the traceback."""
    if debug:
        click.echo("".join(traceback.format_exception(error)), err=True, nl=False)
    if isinstance(error, PipeClosedError):
        return ExitCode.PIPE_CLOSED
    kind, text, code = "error", str(error), ExitCode.BUG
    if isinstance(error, click.ClickException):
        text, code = error.format_message(), ExitCode.BAD_INPUT
    elif isinstance(error, BuildStoppedError):
        code = ExitCode.INTERRUPTED if error.limit is None else LIMITS[error.limit]
    elif isinstance(error, LimitReachedError):
        code = ExitCode.OUT_OF_TIME
    elif isinstance(error, (UsageError, VerificationError)):
        code = ExitCode.BAD_INPUT
    elif isinstance(error, OSError) and error.errno in OF_THE_SYSTEM:
        place = "" if error.filename is None else f": {error.filename}"
        text = f"{error.strerror}{place}; make room on the disk, or close files"
    elif not isinstance(error, (OutputError, SearchkitError)):
        hint = "" if debug else "; --debug shows where"
        kind, text = "bug", f"{type(error).__name__}: {error}; {REPORT}{hint}"
    say(kind, text)
    return code


def running_code_of(
    puzzle: str, problem: object, *, may_refuse: bool = False
) -> AbstractContextManager[None]:
    """A context in which what the code of `problem` raises is a `ProblemError` with its puzzle.

    Where it `may_refuse` what it is given, its `UsageError` is the user's mistake.
    """
    return blaming_puzzle(
        puzzle,
        problem,
        may_refuse=may_refuse,
        hint=_how_to_check,
        passing=(click.ClickException, OutputError),
    )


def _how_to_check(puzzle: str) -> str:
    """The command that tells more of what is wrong with a puzzle, for the end of a message."""
    context = click.get_current_context(silent=True)
    if context is None or context.info_name == "check":
        return ""
    given = context.params
    words = [given.get("puzzle") or puzzle]  # a file, as it was given, has its own names
    for plugin in given.get("plugin", ()):
        words += ["--plugin", str(plugin)]
    for setting in given.get("param", ()):
        words += ["-p", setting]
    import shlex  # noqa: PLC0415  (for errors alone)

    return f"; `searchkit check {shlex.join(words)}` tells more"
