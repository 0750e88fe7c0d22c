"""Checks of the options of algorithms, and of what functions are given: one clear line each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from searchkit.errors import UsageError
from searchkit.heuristic import Heuristic
from searchkit.texts.amounts import cut, one_line, read_memory

MOST_MEMORY = 1e18

Check = Callable[[Any, Any, Any], None]


def shortened(value: Any) -> str:
    """`value` as it is written, in one line, cut off where that is long."""
    return cut(one_line(repr(value)))


def whole(least: int) -> Check:
    """A check for `attrs`: whole numbers from `least` upwards; raises `UsageError`."""

    def check(_: Any, attribute: Any, value: Any) -> None:
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise UsageError(
                f"{attribute.name} is {shortened(value)}; it must be a whole number, "
                f"{least} or more"
            )

    return check


def one_of(*known: str) -> Check:
    """A check for `attrs`: one of some words; raises `UsageError`."""

    def check(_: Any, attribute: Any, value: Any) -> None:
        if value not in known:
            words = ", ".join(map(repr, known))
            raise UsageError(f"{attribute.name} is {shortened(value)}; it must be one of {words}")

    return check


def a_heuristic(_: Any, attribute: Any, value: Any) -> None:
    """A check for `attrs`: a `Heuristic`, or None; raises `UsageError`."""
    if value is not None and not isinstance(value, Heuristic):
        raise UsageError(
            f"{attribute.name} is {shortened(value)}; it must be a Heuristic object, like "
            "Manhattan(problem), or None for the problem's own"
        )


def amount_of_memory(value: Any) -> int:
    """`value` in bytes: a whole number of them, or a text like "512MB"; raises `UsageError`."""
    size = read_memory(value) if isinstance(value, str) else value
    if isinstance(size, bool) or not isinstance(size, (int, float)) or not 0 <= size <= MOST_MEMORY:
        raise UsageError(
            f"{shortened(value)} is not an amount of memory; give bytes, or a text like '512MB'"
        )
    return int(size)


def expect(value: Any, kind: type, name: str, example: str) -> None:
    """Raise `UsageError` unless the argument `name` is a `kind`."""
    if not isinstance(value, kind):
        raise UsageError(f"{name} is {shortened(value)}; it must be {example}")
