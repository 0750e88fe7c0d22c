"""Search layer by layer: in hash tables, or in bitmaps where the plan has numbered the states."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from searchkit.compiled.breadth_first import bfs, symmetric
from searchkit.compiled.breadth_first import bidirectional as both
from searchkit.compiled.layers.bitmap_bfs import bitmap_breadth_first
from searchkit.compiled.layers.bitmap_bidirectional import bitmap_bidirectional
from searchkit.running.task import Outcome, Task
from searchkit.symmetry import stabiliser


def breadth_first(task: Task) -> Generator[None, None, Outcome]:
    """Breadth-first search, with bitmaps where symmetry or chains ask for them."""
    if task.space is None and task.algorithm.symmetry == "auto":
        symmetries = stabiliser(task.problem, task.starts)
        return (yield from symmetric.breadth_first(task, symmetries))
    search = bfs.breadth_first if task.space is None else bitmap_breadth_first
    return (yield from search(task))


def bidirectional(task: Task) -> Generator[None, None, Outcome]:
    """Bidirectional search, by bitmaps where toggles allow."""
    problem: Any = task.problem
    if next(iter(problem.goal_states()), None) is None:
        return (yield from breadth_first(task))  # to know that no state is a goal
    if task.space is None and task.algorithm.symmetry == "auto":
        symmetries = stabiliser(problem, task.starts)
        if len(symmetries) > 1:
            return (yield from symmetric.bidirectional(task, symmetries))
    search = both.bidirectional if task.space is None else bitmap_bidirectional
    return (yield from search(task))
