"""Work in slices, done in one go."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

T = TypeVar("T")


def finished(work: Generator[None, None, T]) -> T:
    """What `work` returns."""
    while True:
        try:
            next(work)
        except StopIteration as done:
            result: T = done.value
            return result
