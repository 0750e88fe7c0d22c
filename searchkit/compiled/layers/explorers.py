"""Whole spaces of packed states, layer by layer, in one of five ways.

- Operators that flip fixed bits (`toggles`): one bit per state, layers as bitmaps, symmetries.
- States with numbers (`rank`): one bit per state, and the states of two layers in chunks.
- Undirected problems: a hash table of the last layers; older ones are dropped before it grows.
- Other problems: a hash table of all states.
- Into a table on disk, without toggles: sorted files, in bounded memory.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

import attrs

from searchkit.capabilities import Symmetry
from searchkit.compiled.breadth_first.expansion import Layers, prepare
from searchkit.compiled.breadth_first.kernels.expansion import Goals
from searchkit.compiled.breadth_first.state_set import Store, StoredStates
from searchkit.compiled.layers.bitmaps import BitmapLayers
from searchkit.compiled.layers.linear_tables import LinearSpace
from searchkit.compiled.layers.ranked import RankedLayers
from searchkit.compiled.layers.sorted_files import FileLayers
from searchkit.engines.explored import Explorer
from searchkit.packed import PackedProblem
from searchkit.running.task import Run
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
) -> Explorer:
    """The way to explore the problem of `task` from `roots`, into a table if there is one.

    By bitmaps if there is a `space` for them; `symmetries` are then in that.
    """
    if space is not None:
        return BitmapLayers.prepare(task, space, count_paths=paths, table=table)
    if table is not None:
        return FileLayers.prepare(task, roots, symmetries, table)
    if _has_ranks(task, roots):
        return RankedLayers.prepare(task)
    return HashedLayers.prepare(task)


def _has_ranks(task: Run, roots: list[Any]) -> bool:
    """Whether the problem numbers its states, these among them, and a bitmap has room."""
    problem: Any = task.problem
    ranks = getattr(problem, "ranks", 0)
    if not (isinstance(problem, PackedProblem) and ranks > 0):
        return False
    if ranks / 8 > min(task.max_bytes / 2, MOST_BITMAP_BYTES):
        return False
    return all(
        0 <= problem.rank(root) < ranks and problem.unrank(problem.rank(root)) == root
        for root in roots
    )


@attrs.define(eq=False)
class HashedLayers(Explorer):
    """An exploration with a hash table, in the order of the reference engine."""

    task: Run
    layers: Layers
    sizes: list[int] = attrs.field(factory=list)
    _ended: bool = False

    @classmethod
    def prepare(cls, task: Run) -> HashedLayers:
        """The exploration of the problem of `task`, with its machine code loaded."""
        return cls(task, Layers(Store(prepare(task.problem, (), Goals.NONE), task)))

    def begin(self, roots: list[Any]) -> None:
        """Make the first layer."""
        self.layers.begin(roots)
        self.task.counters.generated = self.layers.size
        self.task.counters.holding(self.layers.size)

    def run(self, deepest: float) -> Generator[None, None, bool]:
        """Reach states up to distance `deepest`; whether these are all."""
        layers, counters = self.layers, self.task.counters

        def note() -> None:
            counters.waiting(layers.most_waiting)
            counters.frontier = layers.left + layers.fresh
            counters.holding(layers.store.count - self._forgettable())

        while layers.size:
            self.sizes.append(layers.size)
            counters.enter_layer(len(self.sizes) - 1, layers.size)
            if len(self.sizes) > deepest:
                more = yield from layers.has_more()
                self._ended = True
                return not more
            yield from layers.grow(note, self._make_room)
            if not layers.fresh:
                break
            layers.next_layer()
        self._ended = True
        return True

    def _forgettable(self) -> int:
        """How many states need not be kept: those of layers before the last two."""
        starts = self.layers.starts
        return starts[-3] if self.task.problem.undirected and len(starts) > 2 else 0

    def _make_room(self) -> Generator[None, None, None]:
        if self.task.problem.undirected and (yield from self.layers.drop_all_but(2)):
            return
        yield from self.layers.store.grow()

    @property
    def partial(self) -> int:
        """How many states of the layer after the last complete one were reached."""
        return 0 if self._ended or not self.sizes else self.layers.fresh

    def farthest(self) -> Sequence[Any]:
        """The states of the last layer reached, in the order in which they were."""
        store, starts = self.layers.store, self.layers.starts
        if not self.partial:
            return StoredStates.of(store, *starts[-2:])
        return StoredStates.of(store, starts[-1], store.count)
