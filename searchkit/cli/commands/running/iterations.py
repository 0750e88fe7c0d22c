"""The option of `run` that draws the iterations of a deepening search: `--plot`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from searchkit.cli.support.files import check_outputs, kind_of, write
from searchkit.errors import UnsuitableError
from searchkit.result import SearchResult

F = TypeVar("F", bound=Callable[..., Any])


def iterations_option(function: F) -> F:
    """Add the option."""
    return click.option(
        "--plot", metavar="FILE", type=click.Path(path_type=Path),
        help="Draw the iterations of a deepening search into FILE, .svg or .png.",
    )(function)  # fmt: skip


def check_plot(options: Mapping[str, Any], algorithm: Any) -> None:
    """Raise `UsageError` before the search if there can be no plot."""
    if options["plot"] is None:
        return
    check_outputs(options)
    if not algorithm.deepens:
        raise UnsuitableError(
            f"{algorithm.name} has no iterations to --plot; use iddfs, idastar or widastar"
        )


def draw_iterations(
    options: Mapping[str, Any], puzzle: str, result: SearchResult[Any, Any]
) -> None:
    """Draw the iterations of a search, if that was asked for."""
    path: Path | None = options["plot"]
    if path is None:
        return
    from searchkit.plots.iterations import iterations_plot  # noqa: PLC0415  (loads matplotlib)

    named = "" if result.heuristic is None else f" with {result.heuristic}"
    title = f"{puzzle}: iterations of {type(result.algorithm).name}{named}"
    write(path, iterations_plot(result.statistics.iterations, title).to_bytes(kind_of(path)))
