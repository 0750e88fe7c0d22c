"""The compiled engines, by the names of the reference engines.

Each is imported when it runs, so that numba is loaded only then.
"""

from __future__ import annotations

from collections.abc import Generator

from searchkit.task import Outcome, Task


def ida_star(task: Task) -> Generator[None, None, Outcome]:
    """Iterative-deepening A* (see `searchkit.compiled.deepening`)."""
    from searchkit.compiled.deepening import deepening  # noqa: PLC0415

    return deepening(task)


def iddfs(task: Task) -> Generator[None, None, Outcome]:
    """Iterative deepening by cost alone (see `searchkit.compiled.deepening`)."""
    from searchkit.compiled.deepening import deepening  # noqa: PLC0415

    return deepening(task)
