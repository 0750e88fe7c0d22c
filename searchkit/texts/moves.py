"""The actions of a solution as text: on one line, or on several of a given width."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence


def moves_line(texts: Sequence[str]) -> str:
    """The actions on one line, with a separator that none of them contains.

    >>> moves_line(["up", "left"]), moves_line(["fill 3", "pour 3 into 5"])
    ('up left', 'fill 3, pour 3 into 5')
    """
    return separator(texts).join(texts)


def separator(texts: Sequence[str]) -> str:
    """A blank where no action has one, else a comma, else a semicolon."""
    if not any(" " in text for text in texts):
        return " "
    return ", " if not any(", " in text for text in texts) else "; "


def wrapped_moves(
    texts: Sequence[str], columns: int, width: Callable[[str], int] = len
) -> Iterator[str]:
    """The actions on lines of at most `columns` by `width`, none of them broken."""
    between = separator(texts)
    line = ""
    for number, text in enumerate(texts):
        piece = text + (between.rstrip() if number + 1 < len(texts) else "")
        if line and width(line) + 1 + width(piece) > columns:
            yield line
            line = ""
        line = f"{line} {piece}" if line else piece
    if line:
        yield line
