"""The options of `run` that let one watch a solution: `--html` and `--play`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from searchkit.cli.commands.running.report import DELAY, Report
from searchkit.cli.support.choice import Chosen
from searchkit.cli.support.errors import say
from searchkit.cli.support.files import check_writable
from searchkit.cli.support.options import Duration, at_most_one
from searchkit.cli.support.streams import OutputError
from searchkit.errors import UsageError
from searchkit.texts.files import write_whole

F = TypeVar("F", bound=Callable[..., Any])
MISUSED = (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError)
"""What the choice of a file can be wrong in; else the disk is."""


def watch_options(function: F) -> F:
    """Add the options."""
    for option in (
        click.option("--delay", metavar="TIME", type=Duration(),
                     help=f"With --play, the time from move to move; 0 waits for keys.  "
                     f"[default: {DELAY * 1000:.0f}ms]"),
        click.option("--play", is_flag=True, help="Play the solution in the terminal."),
        click.option("--html", metavar="FILE", type=click.Path(path_type=Path),
                     help="Write a page that plays the solutions, for a browser."),
    ):  # fmt: skip
        function = option(function)
    return function


def check_output(options: Mapping[str, Any]) -> None:
    """Raise a usage error for options that do not go together."""
    at_most_one(options, "json", "moves", "draw")
    for other in ("moves", "draw", "html"):
        at_most_one(options, "count", other)
    for other in ("json", "moves", "draw", "count", "all", "limit"):
        at_most_one(options, "play", other)
    if options["html"] is not None:
        check_writable("--html", options["html"])
    if options["delay"] is not None and not options["play"]:
        raise click.UsageError("--delay is for --play; give both")


def _title(chosen: Chosen) -> str:
    """The puzzle, and those of its parameters that were set."""
    defaults = {parameter.name: parameter.default_text for parameter in chosen.entry.parameters}
    given = [f"{name}={value}" for name, value in chosen.named.items() if value != defaults[name]]
    return " ".join([chosen.name, *given])


def write_page(report: Report, path: Path) -> None:
    """Write the page, if there is a solution.

    Raises `UsageError` where there can be no such file, `OutputError` where the disk fails.
    """
    from searchkit.render import MOST_SOLUTIONS, Player  # noqa: PLC0415  (loads a template engine)

    result = report.result
    if result.solutions is None:
        say("note", f"there is no solution to watch; {path} is not written")
        return
    many = result.count or 1
    more = "" if many <= MOST_SOLUTIONS else f"; the first {MOST_SOLUTIONS} of {many:,} are here"
    page = Player(
        report.problem,
        result.solutions,
        title=_title(report.chosen),
        summary=f"{report.verdict()}{more}",
        text=None if report.options["renderer"] is None else report.picture,
    ).html()
    try:
        write_whole(path, page.encode("utf-8"))
    except OSError as error:
        reason = f"cannot write {str(path)!r}: {error.strerror or error}"
        if isinstance(error, MISUSED):
            raise UsageError(
                f"{reason}; give a file in a folder that is there and may be changed"
            ) from error
        raise OutputError(reason) from error
    if not report.quiet:
        say("note", f"{path} plays {'the solution' if many == 1 else 'the solutions'}")
