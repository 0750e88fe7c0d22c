"""Which states lie on shortest paths: back through the layers, without parent pointers.

In an undirected problem the states before one are among its successors, and in a search from both
ends the other end lists them. Elsewhere the layer before is expanded once more.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from searchkit.compiled.breadth_first.expansion import HashedLayers
from searchkit.solutions.by_layers import Before

STATES_AT_ONCE = 1 << 16
FIRST_AT_ONCE = 1 << 13
"""How many at once where the first of them is enough."""
Levels = tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]
"""States, and how many steps each is from the last of them."""


def distinct(indexes: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The indexes, rising, each once: `np.unique`, which imports masked arrays. O(n log n).

    >>> distinct(np.array([7, 2, 7, 5])).tolist()
    [2, 5, 7]
    """
    rising = np.sort(indexes)
    is_new = np.ones(len(rising), dtype=bool)
    np.not_equal(rising[1:], rising[:-1], out=is_new[1:])
    return rising[is_new]


def before_in(layers: HashedLayers, *, every: bool, back: HashedLayers | None = None) -> Before:
    """The indexes, rising, of the states before others in their layer, or the first of them.

    States are given and taken as indexes, those that are given rising. `back` is what follows
    steps in the other direction, if there is something.
    """
    if back is None and layers.task.problem.undirected:
        back = layers
    few = (layers if back is None else back).few

    def before(level: Any, depth: int) -> Generator[None, None, np.ndarray[Any, Any]]:
        if not len(level):  # steps back were told from where none leads on, as replaying will tell
            return np.zeros(0, dtype=np.int64)
        found = yield from before_one(level, depth)
        if not len(found) and few.left:
            few.left = 0  # machine code has come there by other rules, as replaying will tell
            found = yield from before_one(level, depth)
        return found

    def before_one(level: Any, depth: int) -> Generator[None, None, np.ndarray[Any, Any]]:
        yield
        parts: list[np.ndarray[Any, Any]] = []
        begin, end = layers.starts[depth : depth + 2]
        if back is not None:
            for at in range(0, len(level), STATES_AT_ONCE):
                found = layers.steps_from(level[at : at + STATES_AT_ONCE], by=back)[1]
                parts.append(distinct(found[(begin <= found) & (found < end)]))
                yield
            both = distinct(np.concatenate(parts)) if len(parts) > 1 else parts[0]
            return both if every else both[:1]
        if not every:
            return (yield from first_before(level[0], begin, end))
        for at in range(begin, end, STATES_AT_ONCE):
            part = np.arange(at, min(at + STATES_AT_ONCE, end))
            source, after = layers.steps_from(part)
            places = np.minimum(np.searchsorted(level, after), len(level) - 1)
            parts.append(part[distinct(source[level[places] == after])])
            yield
        return np.concatenate(parts)

    def first_before(
        index: int, begin: int, end: int
    ) -> Generator[None, None, np.ndarray[Any, Any]]:
        """The first state of a layer that leads to one: no successor is looked up for that."""
        wanted, at = layers.store.states[index], begin
        while at < end:
            part = np.arange(at, min(at + FIRST_AT_ONCE, end))
            source, successors = layers.successors_of(layers.store.states[part])
            same = successors == wanted
            hits = source[same if same.ndim == 1 else same.all(axis=1)]
            if len(hits):
                return np.array([at + int(hits[0])])
            at += len(part)
            yield
        return np.zeros(0, dtype=np.int64)

    return before


def levels_back(
    layers: HashedLayers,
    level: np.ndarray[Any, Any],
    depth: int,
    back: HashedLayers | None = None,
) -> Generator[None, None, Levels]:
    """The states of the layers up to `depth` on shortest paths to `level`, that first.

    `back` is what follows steps in the other direction, if there is something.
    """
    layers.task.is_all_expanded = True
    before, levels = before_in(layers, every=True, back=back), [level]
    for above in reversed(range(depth)):
        states: Any = yield from before(levels[-1], above)
        levels.append(states)
    rows = layers.store.states[np.concatenate(levels)]
    return rows, np.repeat(np.arange(depth + 1), [len(each) for each in levels])
