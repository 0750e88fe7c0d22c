"""Iterative-deepening A* (Korf 1985)."""

from __future__ import annotations

from collections.abc import Generator

from searchkit.reference.deepening import deepening
from searchkit.running.task import Outcome, Task


def ida_star(task: Task) -> Generator[None, None, Outcome]:
    """Depth-first searches with a growing bound on f = g + h; optimal if h is admissible.

    With a weight, the bound is on g + weight x h, and the solution costs at most weight times the
    optimal one (Korf, "Linear-space best-first search", 1993).

    Any non-negative costs. Memory O(depth); time O(number of paths of f up to the optimal
    cost).
    """
    return deepening(task, task.heuristic, task.algorithm.cycles)
