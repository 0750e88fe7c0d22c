"""Layers as bitmaps over the numbers of a linear index, up to symmetry, with exact path counts.

A layer is made by functions of a range of it: `expand` a range into a bitmap of successors (each
thread has its own, which are merged), and `settle` which are new.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Sequence
from typing import Any

import attrs
import numpy as np

from searchkit.compiled.layers.kernels import bitmaps
from searchkit.compiled.layers.kernels.bitmaps import Layer
from searchkit.compiled.layers.key_files import written_parts
from searchkit.compiled.layers.linear_tables import LinearSpace
from searchkit.compiled.layers.path_counts import PathCounts
from searchkit.compiled.layers.row_reader import RowReader
from searchkit.compiled.layers.workers import BUFFER, Workers, are_among, by_ranges
from searchkit.compiled.specialise.images import image_tables
from searchkit.compiled.specialise.kernels import canonical
from searchkit.compiled.specialise.module import specialised, tables_for
from searchkit.compiled.states.state_set import StoredStates
from searchkit.engines.explored import KeptLayers
from searchkit.errors import ProblemError
from searchkit.running.task import Run
from searchkit.solutions.path_numbers import Paths
from searchkit.tables.keys import forged
from searchkit.tables.writer import TableWriter, blaming_disk

NARROW_BITS = 32
"""The most bits of numbers that are kept in half a word."""


@attrs.define(eq=False, repr=False)
class BitmapLayers(KeptLayers):
    """An exploration with one bit per number: four bitmaps, and one more for each thread."""

    workers: Workers
    """The threads, the first of which lends its room between layers."""
    table: TableWriter | None = None
    keep: bool = False
    """Whether to keep all layers, in `kept`: the rising numbers of their canonical states."""
    kept: list[np.ndarray[Any, Any]] = attrs.field(init=False, factory=list)
    bitmap: np.ndarray[Any, Any] = attrs.field(init=False)
    """The last complete layer."""
    _used: np.ndarray[Any, Any] = attrs.field(init=False)
    """The blocks of its words that have states."""
    _closed: list[np.ndarray[Any, Any]] = attrs.field(init=False, factory=list)
    """For each side."""
    _counts: PathCounts | None = None
    _root_side: int = attrs.field(init=False, default=0)

    @classmethod
    def prepare(
        cls,
        task: Run,
        space: LinearSpace,
        *,
        count_paths: bool = False,
        keep: bool = False,
        table: TableWriter | None = None,
    ) -> BitmapLayers:
        """The exploration of that space, its machine code loaded."""
        module = specialised(
            space.base,
            None,
            (canonical, bitmaps),
            CHAINS=space.chains,
            IMAGES=len(space.maps),
            CHUNKS=space.chunks,
            BUFFER=BUFFER,
            IN_ORDER=space.in_order,
        )
        tables = tables_for(module, "ProblemTables", space.base)
        workers = Workers(task, space, module, (tables, space.tables()))
        counts = PathCounts(workers) if count_paths else None
        return cls(task, workers, table, keep, counts)

    @property
    def space(self) -> LinearSpace:
        """The states that there are, and their numbers."""
        return self.workers.space

    def begin(self, roots: list[Any]) -> None:
        """Take the memory of the bitmaps, and make the first layer."""
        self._check_toggles(roots)
        task, words = self.task, self.space.words
        task.reserve(self._elsewhere + self.bytes)
        self._closed = [np.zeros(words, dtype=np.int64) for _ in self.space.index.origins]
        self.bitmap = np.zeros(words, dtype=np.int64)
        self.workers.begin()
        if self.table is not None and self.table.depth:
            self._read_layers(self.table)
            return
        places = {self.space.canonical(root) for root in roots}
        for side, number in sorted(place for place in places if place is not None):
            self._root_side = side
            self.bitmap[number >> 6] |= np.uint64(1 << (number & 63)).astype(np.int64)
        task.counters.generated += len(roots)
        closed = self._closed[self._root_side]
        self._used = np.zeros_like(self.workers.every_block())
        found = self.workers.module.settle(self.layer, closed, 0, words)
        if self._counts is not None:
            self._counts.begin(self.bitmap, roots)
        if found:
            deque(self._enter(found), maxlen=0)

    def _read_layers(self, table: TableWriter) -> None:
        """Go on after the layers of the table."""
        module = self.workers.module
        for depth, entry in enumerate(table.manifest.layers):
            self.enter(entry.states, entry.canonical)
            self.bitmap[:] = 0
            for file in table.layer(depth):
                rows = RowReader.of(file).take(file.count)
                module.canonical_numbers(self.workers.head[1], self.side, rows)
                if len(rows) and rows.min() < 0:
                    raise forged(file, "it holds what is not a state of the problem")
                module.mark_numbers(self.bitmap, rows)
            if module.count_common(self.bitmap, self.bitmap) != entry.canonical:
                raise forged(file, "two of its states are symmetric")
            if module.count_common(self.bitmap, self._closed[self.side]):
                raise forged(file, "it holds a state of a layer before")
            self._closed[self.side] |= self.bitmap
        self._used = self.workers.every_block()
        self._note()

    def _write_layer(self, table: TableWriter) -> None:
        """Add the last complete layer to the table."""
        rows = self.states_of(self.side, self.bitmap)
        self.workers.module.canonical_states(image_tables(self.space.maps), rows)
        with blaming_disk(table.store), table.store.at_hand() as files:
            table.add(written_parts(files, table.depth, rows), self.sizes[-1])

    def _check_toggles(self, roots: list[Any]) -> None:
        base = self.space.base
        for root in roots:
            for operator in base.operators(0):
                if not base.legal(root, 0, operator):
                    continue
                flipped = base.apply(root, 0, operator) ^ root
                if flipped != self.space.toggles[operator]:
                    raise ProblemError(
                        f"{type(base).__name__}: operator {operator} flips bits {flipped:#x}, "
                        f"but toggles() says {self.space.toggles[operator]:#x}"
                    )

    @property
    def side(self) -> int:
        """The side of the last complete layer."""
        return self.side_of(max(0, self.depth))

    @property
    def layer(self) -> Layer:
        """The last complete layer, as kernels take it."""
        return Layer(self.side, self.bitmap, self._used)

    def side_of(self, depth: int) -> int:
        """The side of a layer."""
        return (self._root_side + depth) % len(self.space.index.origins)

    @property
    def _next_closed(self) -> np.ndarray[Any, Any]:
        """The closed states of the next layer's side."""
        return self._closed[self.side_of(len(self.sizes))]

    def run(self, deepest: float) -> Generator[None, None, bool]:
        """Reach states up to distance `deepest`; whether these are all."""
        try:
            return (yield from super().run(deepest))
        except GeneratorExit:  # stopped at a limit
            self.task.counters.holding(self.stored + self.partial)
            raise

    def _expand_layer(self) -> Generator[None, None, np.ndarray[Any, Any]]:
        """All successors of the last complete layer."""
        for _ in self.workers.expand(self.layer, self.size):
            self._note()
            yield
        self._note()
        return self.workers.fresh

    def grow(self) -> Generator[None, None, int]:
        """Make the next layer; how many canonical states it has."""
        fresh = yield from self._expand_layer()
        closed, words = self._next_closed, self.space.words
        used = np.zeros_like(self._used)
        layer = Layer(self.side_of(len(self.sizes)), fresh, used)
        found = yield from by_ranges(words, self.workers.module.settle, layer, closed)
        yield from self._count_paths(fresh, found)
        if found:
            self.workers.lend(self.layer)
            self.bitmap, self._used = fresh, used
            yield from self._enter(found)
        return found

    def has_more(self) -> Generator[None, None, bool]:
        """Whether there is a next layer, of which nothing is kept."""
        fresh = yield from self._expand_layer()
        if self.fresh:
            return True
        fresh[:] = 0
        yield from self._count_paths(fresh, 0)
        return False

    def _count_paths(self, fresh: np.ndarray[Any, Any], found: int) -> Generator[None, None, None]:
        """Count the paths to the `found` states of the next layer, if they are to be counted."""
        if self._counts is not None:
            yield from self._counts.advance(self.layer, fresh, found, self.bytes)

    def _enter(self, found: int) -> Generator[None, None, None]:
        """Note the `found` canonical states of `bitmap` as the next layer."""
        states, layer = found, self.layer._replace(side=self.side_of(len(self.sizes)))
        if len(self.space.maps) > 1:
            states = yield from by_ranges(
                self.space.words,
                self.workers.module.measure,
                self.workers.head[1],
                layer,
            )
        self.enter(int(states), int(found))  # numpy's numbers, where kernels are plain
        if self._counts is not None:
            self._counts.enter(layer)
        if self.table is not None:
            self._write_layer(self.table)
        if self.keep:
            self.task.reserve(self._elsewhere + self.bytes + 8 * found)
            self.kept.append(self.list_numbers(self.bitmap))
        self._note()

    def contains(self, states: Sequence[int], depth: int) -> list[bool]:
        """For each of some states, whether a kept layer holds it or a symmetric one."""
        if not states:
            return []
        rows = self.workers.canonical_numbers(self.side_of(depth), states)
        return list(map(bool, are_among(rows, self.kept[depth])))

    def list_numbers(self, bitmap: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The rising numbers of a bitmap."""
        found = self.workers.module.count_common(bitmap, bitmap)
        is_narrow = self.space.index.dimension <= NARROW_BITS
        numbers = np.zeros(found, dtype=np.uint32 if is_narrow else np.int64)
        self.workers.module.list_numbers(bitmap, numbers)
        return numbers

    def release(self) -> list[np.ndarray[Any, Any]]:
        """Give up all bitmaps but those of the workers; the layers that were kept."""
        self._closed, self.bitmap = [], self.bitmap[:0].copy()
        kept, self.kept = self.kept, []
        return kept

    def _note(self) -> None:
        counters = self.task.counters
        if self.other is None and self.sizes:
            counters.holding(self.stored)
            counters.waiting(self.size)
            counters.frontier = self.stored - counters.expanded

    @property
    def bytes(self) -> int:
        """What the bitmaps and the layers that are kept take."""
        bitmaps = 1 + len(self.space.index.origins) + self.task.threads
        return 8 * self.space.words * bitmaps + sum(numbers.nbytes for numbers in self.kept)

    @property
    def _elsewhere(self) -> int:
        """What the layers from the other end take."""
        return 0 if self.other is None else int(self.other.bytes)

    @property
    def fresh(self) -> int:
        """How many canonical states of the next layer were reached."""
        self.workers.merge()
        fresh, count = self.workers.fresh, self.workers.module.count_common
        return int(count(fresh, fresh) - count(fresh, self._next_closed))

    def farthest(self) -> Sequence[Any]:
        """The canonical states of the last layer reached."""
        side, bitmap = self.side, self.bitmap
        if self.partial:
            side, bitmap = self.side_of(len(self.sizes)), self.workers.fresh & ~self._next_closed
        return StoredStates(self.states_of(side, bitmap)).listed()

    def states_of(self, side: int, bitmap: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The states of a bitmap of that side, as signed words."""
        states = np.zeros(self.workers.module.count_common(bitmap, bitmap), dtype=np.int64)
        layer = Layer(side, bitmap, self.workers.every_block())
        self.workers.module.list_states(self.workers.head[1], layer, states)
        return states

    def paths(self) -> Paths | None:
        """The paths to all complete layers, if they were to be counted."""
        return None if self._counts is None else self._counts.result()
