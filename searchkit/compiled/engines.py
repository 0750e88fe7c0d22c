"""The compiled engines, by the names of the reference engines.

Each is imported when it runs, so that numba is loaded only then.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from searchkit.task import Outcome, Task

if TYPE_CHECKING:
    from searchkit.compiled.explore import Explorer


def a_star(task: Task) -> Generator[None, None, Outcome]:
    """A* and uniform-cost search (see `searchkit.compiled.astar`)."""
    from searchkit.compiled.astar import best_first  # noqa: PLC0415

    return best_first(task)


def ida_star(task: Task) -> Generator[None, None, Outcome]:
    """Iterative-deepening A* (see `searchkit.compiled.deepening`)."""
    from searchkit.compiled.deepening import deepening  # noqa: PLC0415

    return deepening(task)


def iddfs(task: Task) -> Generator[None, None, Outcome]:
    """Iterative deepening by cost alone (see `searchkit.compiled.deepening`)."""
    from searchkit.compiled.deepening import deepening  # noqa: PLC0415

    return deepening(task)


def breadth_first(task: Task) -> Generator[None, None, Outcome]:
    """Breadth-first search (see `searchkit.compiled.bfs`)."""
    from searchkit.compiled.bfs import breadth_first as engine  # noqa: PLC0415

    return engine(task)


def bidirectional(task: Task) -> Generator[None, None, Outcome]:
    """Breadth-first search from both ends (see `searchkit.compiled.bidirectional`)."""
    from searchkit.compiled.bidirectional import bidirectional as engine  # noqa: PLC0415

    return engine(task)


def explorer(task: Task, roots: list[Any]) -> Explorer:
    """What reaches every state (see `searchkit.compiled.explore`), its machine code loaded."""
    from searchkit.compiled.explore import explorer as engine  # noqa: PLC0415

    return engine(task, roots)
