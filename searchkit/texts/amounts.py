"""Numbers, memory and times, for people."""

from __future__ import annotations


def one_line(text: object) -> str:
    """`text` with every run of white space as one blank."""
    return " ".join(str(text).split())


def quoted(text: str) -> str:
    """`text` in quotation marks, cut off where it is long."""
    return repr(text if len(text) <= 60 else f"{text[:57]}...")


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
