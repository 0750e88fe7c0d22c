"""Texts, numbers, memory and times, for people; the actions of a solution on lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from searchkit.errors import UsageError

MOST_SHOWN = 60
"""How many characters of a name, or of another text, are shown in a message."""


def one_line(text: object) -> str:
    """`text` with every run of white space as one blank."""
    return " ".join(str(text).split())


def cut(text: str, most: int = MOST_SHOWN) -> str:
    """`text`, or its beginning where it is long."""
    return text if len(text) <= most else f"{text[:most]}..."


def quoted(text: object) -> str:
    """`text` in quotation marks, cut off where it is long."""
    value = str(text)
    return repr(value if len(value) <= MOST_SHOWN else f"{value[: MOST_SHOWN - 3]}...")


def plural(number: int, noun: str) -> str:
    """`number` and the noun in the right form."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


NUMBER = r"([0-9][0-9_]*(?:\.[0-9]+)?)"
_BYTES = {
    unit: factor
    for power, letter in enumerate(["", "k", "m", "g", "t"])
    for unit, factor in (
        (letter, 1000**power),
        (f"{letter}b", 1000**power),
        (f"{letter}ib", 1024**power),
    )
}


def number_in(text: str) -> float:
    """What `NUMBER` has found in a text."""
    return float(text.replace("_", ""))


def read_memory(text: str) -> float | None:
    """The bytes of an amount like `500MB` or `2GiB`; None if it is none."""
    match = re.fullmatch(rf"{NUMBER}\s*([a-z]*)", text.strip().lower())
    if not match or match[2] not in _BYTES:
        return None
    return number_in(match[1]) * float(_BYTES[match[2]])


def memory(size: int) -> str:
    """`size` in bytes, for people."""
    amount = float(size)
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


def seconds(time: float) -> str:
    """`time` in seconds, with as many digits as mean something."""
    return f"{time:.3f} s" if time < 10 else f"{time:,.1f} s"


AUTO = "auto"
"""What stands for pattern databases that are chosen by memory."""


def memory_named(name: str, default: int) -> int | None:
    """The bytes that `auto` (for `default`) or `auto=1GB` allows; None for another name.

    Raises `UsageError` for an amount that is none.
    """
    if not re.fullmatch(rf"{AUTO}(=.*)?", name):
        return None
    if name == AUTO:
        return default
    size = read_memory(name.removeprefix(f"{AUTO}="))
    if size is None or size < 1:
        example = f"{AUTO}={default // 1_000_000}MB"
        raise UsageError(f"{quoted(name)} allows no memory; write one like {example}")
    return int(min(size, 1 << 62))


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
