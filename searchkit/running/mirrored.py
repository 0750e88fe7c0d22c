"""One run in the place of another: what the driver says to it, and what it says to the driver."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TypeVar

from searchkit.running.task import Run

T = TypeVar("T")


def mirrored(
    run: Run,
    inner: Run,
    engine: Generator[None, None, T],
    looks: Sequence[Callable[[], None]] = (),
) -> Generator[None, None, T]:
    """Run an engine on `inner`, which is to it what `run` is to the driver.

    Each of `looks` is called between its slices.
    """
    try:
        while True:
            inner.budget, inner.max_bytes = run.budget, run.max_bytes
            inner.most_expansions, inner.look = run.most_expansions, run.look
            try:
                next(engine)
            except StopIteration as stopped:
                found: T = stopped.value
                return found
            finally:
                run.budget, run.is_all_expanded = inner.budget, inner.is_all_expanded
            for look in looks:
                look()
            yield
    finally:
        engine.close()
