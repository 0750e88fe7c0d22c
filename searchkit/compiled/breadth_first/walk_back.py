"""Which states lie on shortest paths: back through the layers, without parent pointers.

In an undirected problem the states before one are among its successors. In others the layer
before is expanded once more.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from searchkit.compiled.breadth_first.expansion import Layers
from searchkit.solutions.by_layers import Before

if TYPE_CHECKING:
    import numpy as np

STATES_AT_ONCE = 1 << 16


def before_in(layers: Layers, *, every: bool) -> Before:
    """The indexes, rising, of the states before others in their layer, or the first of them.

    States are given and taken as indexes.
    """

    def before(level: Any, depth: int) -> Generator[None, None, np.ndarray[Any, Any]]:
        yield
        if layers.store.task.problem.undirected:
            found = _neighbours(layers, level, *layers.starts[depth : depth + 2])
        else:
            found = _parents(layers, level, depth, most=None if every else 1)
        return found if every else found[:1]

    return before


def _neighbours(
    layers: Layers, level: np.ndarray[Any, Any], begin: int, end: int
) -> np.ndarray[Any, Any]:
    import numpy as np  # noqa: PLC0415

    store = layers.store
    found = np.empty(min(len(level), STATES_AT_ONCE) * store.spec.module.WIDEST, dtype=np.int64)
    parts = []
    for start in range(0, len(level), STATES_AT_ONCE):
        part = level[start : start + STATES_AT_ONCE]
        made = store.spec.module.neighbours_in(
            *store.spec.head, *store.arrays, part, len(part), begin, end, found
        )
        parts.append(np.unique(found[:made]))
    return np.unique(np.concatenate(parts)) if parts else level[:0]


def _parents(
    layers: Layers, level: np.ndarray[Any, Any], depth: int, most: int | None
) -> np.ndarray[Any, Any]:
    import numpy as np  # noqa: PLC0415

    store = layers.store
    begin, end = layers.starts[depth : depth + 2]
    base = int(level.min())
    marks = np.zeros(int(level.max()) + 1 - base, dtype=np.bool_)
    marks[level - base] = True
    found = np.empty(most or STATES_AT_ONCE, dtype=np.int64)
    parts = []
    for start in range(begin, end, STATES_AT_ONCE):
        made = store.spec.module.parents_in(
            *store.spec.head, *store.arrays, start, min(end, start + STATES_AT_ONCE),
            marks, base, found,
        )  # fmt: skip
        parts.append(found[:made].copy())
        if made and most:
            break
    return np.concatenate(parts) if parts else level[:0]
