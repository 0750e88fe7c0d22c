"""Search layer by layer: in hash tables, or in bitmaps where the plan has numbered the states.

Of these engines only the one that runs is imported: each loads kernels, and tables of its own.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from searchkit.running.task import Outcome, Task
from searchkit.symmetry import stabiliser


def breadth_first(task: Task) -> Generator[None, None, Outcome]:
    """Breadth-first search, with bitmaps where symmetry or chains ask for them."""
    if task.space is not None:
        from searchkit.compiled.layers.bitmap_searches import bitmap_breadth_first  # noqa: PLC0415

        return (yield from bitmap_breadth_first(task))
    if task.algorithm.symmetry == "auto":
        from searchkit.compiled.breadth_first import symmetric  # noqa: PLC0415

        symmetries = stabiliser(task.problem, task.starts)
        return (yield from symmetric.breadth_first(task, symmetries))
    from searchkit.compiled.breadth_first import bfs  # noqa: PLC0415

    return (yield from bfs.breadth_first(task))


def bidirectional(task: Task) -> Generator[None, None, Outcome]:
    """Bidirectional search, by bitmaps where toggles allow."""
    problem: Any = task.problem
    if next(iter(problem.goal_states()), None) is None:
        return (yield from breadth_first(task))  # to know that no state is a goal
    if task.space is not None:
        from searchkit.compiled.layers.bitmap_searches import bitmap_bidirectional  # noqa: PLC0415

        return (yield from bitmap_bidirectional(task))
    if task.algorithm.symmetry == "auto":
        symmetries = stabiliser(problem, task.starts)
        if len(symmetries) > 1:
            from searchkit.compiled.breadth_first import symmetric  # noqa: PLC0415

            return (yield from symmetric.bidirectional(task, symmetries))
    from searchkit.compiled.breadth_first import bidirectional as both  # noqa: PLC0415

    return (yield from both.bidirectional(task))
