"""Files of boards, one a line, for `run --boards` and `compare --boards`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

import attrs

from searchkit.capabilities import HasParse, HasStart
from searchkit.cli.support.choice import Chosen
from searchkit.cli.support.files import STDIN
from searchkit.errors import ParseError, UnsuitableError, UsageError
from searchkit.puzzles import with_ends
from searchkit.texts.amounts import one_line
from searchkit.texts.text_files import MOST_BYTES

COMMENT = "#"


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


@attrs.frozen
class Line:
    """A line of a file: the board that it holds, with the puzzle started there, or what is bad."""

    number: int
    text: str
    started: Chosen | None
    error: str


def boards_of(file: BinaryIO, chosen: Chosen, source: str) -> Iterator[Line]:
    """The lines of a file as they come; `UsageError` at its end if it has none that may be one."""
    number = 0
    for number, text in lines_of(file):
        try:
            if isinstance(text, ParseError):
                raise text
            problem = with_ends(chosen.name, chosen.problem, start=text)
        except UsageError as error:
            yield Line(number, str(text), None, one_line(error))
        else:
            yield Line(number, text, attrs.evolve(chosen, problem=problem), "")
    if not number:
        raise UsageError(f"{name_of(source)} has no boards; write one on each line")


def name_of(source: str) -> str:
    """What messages call a file."""
    return "stdin" if source == STDIN else source
