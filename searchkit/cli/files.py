"""Files that commands write: whether they can be is told before any work is done."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import click

from searchkit.cli.streams import OutputError
from searchkit.errors import UsageError
from searchkit.plots import PLOT_SUFFIXES, require_plots

PAGE_SUFFIXES = frozenset({".html", ".htm"})


def check_outputs(options: Mapping[str, Any]) -> None:
    """Raise `UsageError` for files that cannot be written and for a library that is missing."""
    for name, suffixes in {"output": (), "plot": PLOT_SUFFIXES, "report": PAGE_SUFFIXES}.items():
        path = options.get(name)
        if path is not None:
            if suffixes:
                require_plots(f"--{name}")
            check_writable(f"--{name}", path, suffixes)


def command_line(context: click.Context) -> str:
    """The command as it was called."""
    return shlex.join(["searchkit", *(context.obj or {}).get("words", ())])


def kind_of(path: Path) -> str:
    """What a plot is written as."""
    return path.suffix.lower().removeprefix(".")


def check_writable(option: str, path: Path, suffixes: Collection[str] = ()) -> None:
    """Raise `UsageError` unless `path`, given by `option`, ends so and can be written.

    A file that is there is not changed by this, and none is left behind.
    """
    if suffixes and path.suffix.lower() not in suffixes:
        raise UsageError(f"{option} {path}: the name must end in {' or '.join(sorted(suffixes))}")
    try:
        was_there = path.exists()
        path.open("ab").close()
        if not was_there:
            path.unlink()
    except OSError as error:
        raise UsageError(f"{option} {path} cannot be written: {error.strerror or error}") from error


def write(path: Path, content: str | bytes) -> None:
    """Write a file whole; `OutputError` if that fails."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        path.write_bytes(data)
    except OSError as error:
        raise OutputError(f"cannot write to {path}: {error.strerror or error}") from error
