"""Whole spaces of packed states, layer by layer, in one of five ways.

- Operators that flip fixed bits (`toggles`): one bit per state, layers as bitmaps, symmetries.
- States with numbers (`rank`): one bit per state, and the states of two layers in chunks.
- Undirected problems: a hash table of the last layers; older ones are dropped before it grows.
- Other problems: a hash table of all states. Up to symmetry, hash tables as well.
- Into a table on disk, without toggles: sorted files, in bounded memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from searchkit.capabilities import Symmetry
from searchkit.compiled.breadth_first.expansion import HashedLayers
from searchkit.compiled.breadth_first.kernels.expansion import Goals
from searchkit.compiled.layers.bitmaps import BitmapLayers
from searchkit.compiled.layers.linear_tables import LinearSpace
from searchkit.compiled.layers.ranked import RankedLayers
from searchkit.compiled.layers.sorted_files import FileLayers
from searchkit.compiled.specialise.images import check_images
from searchkit.engines.explored import Explorer
from searchkit.executors.executor import Executor
from searchkit.running.task import Run
from searchkit.tables.numbers import numbered
from searchkit.tables.writer import TableWriter

MOST_BITMAP_BYTES = 1 << 35


def explorer(
    task: Run,
    roots: list[Any],
    symmetries: Sequence[Symmetry[Any, Any]],
    *,
    space: LinearSpace | None,
    paths: bool,
    table: TableWriter | None,
    executor: Executor | None = None,
) -> Explorer:
    """The way to explore the problem of `task` from `roots`, into a table if there is one.

    By bitmaps if there is a `space` for them; `symmetries` are then in that.
    """
    if space is not None:
        return BitmapLayers.prepare(task, space, count_paths=paths, table=table)
    if table is not None:
        return FileLayers.prepare(task, roots, symmetries, table, executor)
    if symmetries:
        problem: Any = task.problem
        check_images(type(problem).__name__, roots, problem.words, symmetries)
    elif _has_ranks(task, roots):
        return RankedLayers.prepare(task)
    return HashedLayers.prepare(
        task, Goals.NONE, forgets=task.problem.undirected, symmetries=symmetries
    )


def _has_ranks(task: Run, roots: list[Any]) -> bool:
    """Whether the problem numbers its states, these among them, and a bitmap has room."""
    ranks = numbered(task.problem, roots)
    return 0 < ranks <= 8 * min(task.max_bytes / 2, MOST_BITMAP_BYTES)
