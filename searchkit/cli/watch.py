"""The options of `run` that let one watch a solution: `--html` and `--play`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from searchkit.cli.choice import Chosen
from searchkit.cli.errors import say
from searchkit.cli.options import Duration, at_most_one
from searchkit.cli.play import Still, play
from searchkit.cli.streams import OutputError
from searchkit.errors import UsageError
from searchkit.result import SearchResult, Solution

F = TypeVar("F", bound=Callable[..., Any])
DELAY = 0.7
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


def check_watching(options: Mapping[str, Any]) -> None:
    """Raise a usage error for options that do not go together."""
    for other in ("json", "moves", "boards", "count", "all", "limit"):
        at_most_one(options, "play", other)
    at_most_one(options, "html", "count")
    if options["delay"] is not None and not options["play"]:
        raise click.UsageError("--delay is for --play; give both")


def play_solution(
    solution: Solution[Any, Any],
    actions: list[str],
    picture: Callable[[Any], str],
    delay: float | None,
) -> None:
    """Play a solution in the terminal."""
    stills = [
        Still(action, picture(state))
        for action, state in zip(["", *actions], solution.states, strict=True)
    ]
    play(stills, DELAY if delay is None else delay)


def write_page(
    chosen: Chosen,
    result: SearchResult[Any, Any],
    path: Path,
    *,
    summary: str,
    renderer: str | None,
    quiet: bool,
) -> None:
    """Write the page, if there is a solution. Raises `UsageError` where it cannot be written."""
    from searchkit.render import MOST_SOLUTIONS, Player  # noqa: PLC0415  (loads a template engine)

    if result.solutions is None:
        say("note", f"there is no solution to watch; {path} is not written")
        return
    many = result.count or 1
    more = "" if many <= MOST_SOLUTIONS else f"; the first {MOST_SOLUTIONS} of {many:,} are here"
    player = Player(
        chosen.problem,
        result.solutions,  # type: ignore[arg-type]  (it lists them, and that is all that is done)
        title=chosen.name,
        summary=f"{summary}{more}",
        text=None if renderer is None else lambda state: chosen.picture(state, renderer),
    )
    page = player.html()
    try:
        path.write_text(page, encoding="utf-8", errors="replace", newline="\n")
    except OSError as error:
        reason = f"cannot write {str(path)!r}: {error.strerror or error}"
        if isinstance(error, MISUSED):
            raise UsageError(
                f"{reason}; give a file in a folder that is there and may be changed"
            ) from error
        raise OutputError(reason) from error
    if not quiet:
        say("note", f"{path} plays {'the solution' if many == 1 else 'the solutions'}")
