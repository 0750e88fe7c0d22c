"""Files that commands read and write: whether they can is found out before any work is done."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from searchkit.capabilities import HasParse, HasStart
from searchkit.cli.support.choice import AnyProblem, Chosen
from searchkit.cli.support.errors import say
from searchkit.cli.support.streams import OutputError
from searchkit.errors import ParseError, UnsuitableError, UsageError
from searchkit.plots import PLOT_SUFFIXES, require_plots
from searchkit.puzzles import with_ends
from searchkit.texts import text_files
from searchkit.texts.files import WholeFile, write_whole
from searchkit.texts.text_files import MOST_BYTES

if TYPE_CHECKING:
    from searchkit.plots.figure import Plot

MISUSED = (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError)
"""What the choice of a file can be wrong in; else the disk is."""
STDIN = "-"
PLOTTED = {"plot": PLOT_SUFFIXES, "html": frozenset({".html", ".htm"})}
"""Options whose files may have plots, and how their names end then."""
COMMENT = "#"


def check_outputs(options: Mapping[str, Any], *, drawn: Collection[str] = PLOTTED) -> None:
    """Raise `UsageError` for files that cannot be written, or for a library that is missing.

    The files of the options `drawn` have plots, and suffixes that say so.
    """
    for name in ("output", *PLOTTED):
        path = options.get(name)
        if path is not None:
            if name in drawn:
                require_plots(f"--{name}")
            check_writable(f"--{name}", path, PLOTTED[name] if name in drawn else ())


def command_line() -> str:
    """The command as it was called."""
    return shlex.join(["searchkit", *click.get_current_context().obj])


def write_plot(path: Path, plot: Plot) -> None:
    """Write a plot as what the name of the file says; see `write`."""
    write(path, plot.to_bytes(path.suffix.lower().removeprefix(".")))


def check_writable(option: str, path: Path, suffixes: Collection[str] = ()) -> None:
    """Raise `UsageError` unless `path`, given by `option`, ends so and can be written.

    A file that is there is not changed by this, and none is left behind.
    """
    if suffixes and path.suffix.lower() not in suffixes:
        raise UsageError(f"{option} {path}: the name must end in {' or '.join(sorted(suffixes))}")
    try:
        was_there = path.exists()
        if was_there and not path.is_file() and not path.is_dir():
            return  # a device or a pipe, whose reader would see its end
        path.open("ab").close()
        if not was_there:
            path.resolve().unlink()  # a link stays, and what it leads to is gone
    except OSError as error:
        raise UsageError(f"{option} {path} cannot be written: {error.strerror or error}") from error


def write(path: Path, content: str | bytes) -> None:
    """Write a file whole; what was there stays if that fails.

    Raises `UsageError` where there can be no such file, `OutputError` where the disk fails.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        write_whole(path, data)
    except MISUSED as error:
        raise UsageError(
            f"{_cannot_write(path, error)}; "
            "give a file in a folder that is there and may be changed"
        ) from error
    except OSError as error:
        raise _cannot_write(path, error) from error


def opened(source: str, hint: str) -> AbstractContextManager[BinaryIO]:
    """The file of that name, which is closed at the end, or the standard input, which is not.

    Raises `UsageError`, which ends with the `hint`, if it cannot be read.
    """
    if source == STDIN:
        if sys.stdin is None or sys.stdin.closed:
            raise UsageError(f"-: standard input is closed; {hint}")
        with suppress(OSError, ValueError):  # where it is a file, and no other text
            # Apart from Python's own, which cannot end while a thread waits for a line of it.
            return os.fdopen(sys.stdin.fileno(), "rb", closefd=False)
        return nullcontext(sys.stdin.buffer)
    try:
        return text_files.opened(source)
    except ParseError as error:
        raise UsageError(f"{error}; {hint}") from error


@contextmanager
def lines_into(path: Path) -> Iterator[Callable[[str], None]]:
    """Gives what writes lines, each at once, into a file that gets its name in the end.

    Lines may have taken hours. So those that were written before an error are kept, under a name
    that is said. Raises `OutputError` if the file cannot be written; what was there stays then.
    """
    try:
        file = WholeFile(path)
    except OSError as error:
        raise _cannot_write(path, error) from error
    kept = "" if file.part is None else f"; the lines before are in {file.part}"
    own: list[OutputError] = []

    def failed(error: OSError) -> OutputError:
        file.close()
        own.append(OutputError(f"{_cannot_write(path, error)}{kept}"))
        return own[0]

    def write_line(line: str) -> None:
        try:
            file.write(line.encode("utf-8"))
        except OSError as error:
            raise failed(error) from error

    try:
        yield write_line
    except BaseException as error:
        file.close()
        if kept and error not in own:
            say("note", f"{path} is not written{kept}")
        raise
    try:
        file.complete()
    except OSError as error:
        raise failed(error) from error


def _cannot_write(path: Path, error: OSError) -> OutputError:
    return OutputError(f"cannot write to {path}: {error.strerror or error}")


def check_reads_boards(chosen: Chosen, drop: str) -> None:
    """Raise `UnsuitableError`, which says what to `drop`, if the puzzle can read no start."""
    if not isinstance(chosen.problem, HasStart):
        raise UnsuitableError(f"puzzle {chosen.name} has a fixed start; drop {drop}")
    if not isinstance(chosen.problem, HasParse):
        raise UnsuitableError(f"puzzle {chosen.name} cannot read states; drop {drop}")


def lines_of(file: BinaryIO) -> Iterator[tuple[int, str | ParseError]]:
    """The lines that may hold boards, as they come, with their numbers.

    Blank lines and lines that begin with # are left out. A line that is not a text, or too long for
    a board, is shown as an error, and the next one follows.
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


def board_on(chosen: Chosen, text: str | ParseError) -> AnyProblem:
    """The puzzle, begun at what is on a line; `UsageError` where that is no board."""
    if isinstance(text, ParseError):
        raise text
    return with_ends(chosen.name, chosen.problem, start=text)


def no_boards(source: str) -> UsageError:
    """The error for a file without a line that may be a board."""
    return UsageError(f"{name_of(source)} has no boards; write one on each line")


def name_of(source: str) -> str:
    """What messages call a file."""
    return "stdin" if source == STDIN else source
