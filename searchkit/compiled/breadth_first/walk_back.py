"""Which states lie on shortest paths: back through the layers, without parent pointers.

In an undirected problem the states before one are among its successors. In others the layer
before is expanded once more.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from searchkit.compiled.breadth_first.expansion import HashedLayers
from searchkit.solutions.by_layers import Before

STATES_AT_ONCE = 1 << 16


def before_in(layers: HashedLayers, *, every: bool) -> Before:
    """The indexes, rising, of the states before others in their layer, or the first of them.

    States are given and taken as indexes, those that are given rising.
    """

    def before(level: Any, depth: int) -> Generator[None, None, np.ndarray[Any, Any]]:
        yield
        begin, end = layers.starts[depth : depth + 2]
        if layers.task.problem.undirected:
            found = np.concatenate([
                np.unique(layers.steps_from(level[at : at + STATES_AT_ONCE])[1])
                for at in range(0, len(level), STATES_AT_ONCE)
            ])  # fmt: skip
            parts = [np.unique(found[(begin <= found) & (found < end)])]
            return parts[0] if every else parts[0][:1]
        parts = []
        for at in range(begin, end, STATES_AT_ONCE):
            part = np.arange(at, min(at + STATES_AT_ONCE, end))
            source, after = layers.steps_from(part)
            places = np.minimum(np.searchsorted(level, after), len(level) - 1)
            parts.append(part[np.unique(source[level[places] == after])])
            if len(parts[-1]) and not every:
                return parts[-1][:1]
        return np.concatenate(parts)

    return before
