"""Iterative-deepening depth-first search (Slate & Atkin 1977; Korf 1985)."""

from __future__ import annotations

from collections.abc import Generator

from searchkit.heuristic import ZeroHeuristic
from searchkit.reference.deepening import deepening
from searchkit.running.task import Outcome, Task


def iddfs(task: Task) -> Generator[None, None, Outcome]:
    """Try all paths of cost 0, then up to the smallest cost beyond, and so on, until a goal.

    Any non-negative costs. Memory O(depth); time O(number of paths up to the optimal cost).
    """
    return deepening(task, ZeroHeuristic(), task.algorithm.cycles)
