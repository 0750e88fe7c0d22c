"""Searches that are interrupted at one of their looks at the clock after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import pytest

from searchkit.limits import Progress, ProgressListener

T = TypeVar("T")


class StopAt:
    """Interrupts a search at the look of this number, counted from 0."""

    def __init__(self, look: int) -> None:
        self.left = look
        self.has_stopped = False

    def __call__(self, progress: Progress) -> None:
        if progress.preparing:
            return
        if self.left == 0:
            self.has_stopped = True
            raise KeyboardInterrupt
        self.left -= 1


def look_often(monkeypatch: pytest.MonkeyPatch, nodes: int = 20) -> None:
    """Searches are looked at whenever they have expanded `nodes` states."""
    monkeypatch.setattr("searchkit.running.driver.PROGRESS_SECONDS", 0)
    for name in ("FIRST_BUDGET", "MOST_BUDGET"):
        monkeypatch.setattr(f"searchkit.running.driver.{name}", nodes)


def stopped_ever_later(search: Callable[[ProgressListener], T]) -> Iterator[T]:
    """What `search` returns, interrupted at its first look and at later ones; last, the whole.

    Each search gets a quarter further than the one before.
    """
    look = 0
    while True:
        stop = StopAt(look)
        yield search(stop)
        if not stop.has_stopped:
            return
        look += 1 + look // 3
