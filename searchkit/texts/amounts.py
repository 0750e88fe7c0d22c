"""Texts, numbers, memory and times, for people."""

from __future__ import annotations

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
