"""Layers as bitmaps over the numbers of a linear index, up to symmetry, with exact path counts.

A layer is made by functions of a range of it: `expand` a range into a bitmap of successors (each
thread has its own), `merge` those of several threads, and `settle` which are new.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

import attrs
import numpy as np

from searchkit.compiled.breadth_first.state_set import LISTED, StoredStates
from searchkit.compiled.layers.kernels import bitmaps
from searchkit.compiled.layers.linear_tables import LinearSpace, image_tables
from searchkit.compiled.layers.path_counts import PathCounts
from searchkit.compiled.layers.workers import BUFFER, Hands, by_ranges
from searchkit.compiled.specialise.kernels import canonical
from searchkit.compiled.specialise.module import specialised, tables_for
from searchkit.compiled.specialise.prepare import check_numbers
from searchkit.engines.explored import Explorer
from searchkit.errors import ProblemError
from searchkit.kernel_language.constants import signed
from searchkit.packed import ZeroHeuristic
from searchkit.running.task import Run
from searchkit.solutions.path_numbers import Paths
from searchkit.tables.writer import TableWriter

NARROW_BITS = 32
"""The most bits of numbers that are kept in half a word."""


@attrs.define(eq=False)
class BitmapLayers(Explorer):
    """An exploration with one bit per number: four bitmaps, and one more for each thread.

    `sizes` counts states, `canonical_sizes` those that stand for all that symmetries make equal.
    """

    task: Run
    space: LinearSpace
    count_paths: bool
    module: Any
    head: tuple[Any, ...]
    is_enough: Callable[[], bool] = lambda: False
    """Asked after each layer; what says whether to stop there."""
    keep: bool = False
    """Whether to keep all layers, in `kept`: the rising numbers of their canonical states."""
    kept: list[np.ndarray[Any, Any]] = attrs.field(factory=list)
    table: TableWriter | None = None
    """Where layers are written to, and read from where it has some."""
    sizes: list[int] = attrs.field(factory=list)
    canonical_sizes: list[int] = attrs.field(factory=list)
    _closed: list[np.ndarray[Any, Any]] = attrs.field(factory=list)
    """For each side."""
    layer: Any = None
    """The bitmap of the last complete layer."""
    _hands: Any = None
    _counts: PathCounts | None = None
    elsewhere: int = 0
    """Bytes that the search holds beside these layers."""
    _root_side: int = 0
    _noted: tuple[int, int] = (0, 0)
    _ended: bool = False

    @classmethod
    def prepare(
        cls,
        task: Run,
        space: LinearSpace,
        *,
        starts: Sequence[Any] = (),
        count_paths: bool = False,
        keep: bool = False,
        table: TableWriter | None = None,
    ) -> BitmapLayers:
        """The exploration of that space, its machine code loaded; kernels are tried at `starts`."""
        check_numbers(space.base, ZeroHeuristic(), starts)
        module = specialised(
            space.base,
            None,
            (canonical, bitmaps),
            CHAINS=space.chains,
            IMAGES=len(space.maps),
            CHUNKS=space.chunks,
            BUFFER=BUFFER,
        )
        tables = tables_for(module, "ProblemTables", space.base, space.base.controls)
        head = tables, space.tables()
        layers = cls(task, space, count_paths, module, head, keep=keep, table=table)
        layers._warm_up()
        return layers

    def _warm_up(self) -> None:
        module, empty = self.module, np.zeros(0, dtype=np.int64)
        hands = Hands(self.task, self.space, module, self.head)
        hands.warm_up()
        module.settle(empty, empty, 0, 0)
        module.count_new(empty, empty)
        module.measure(self.head[1], 0, empty, 0, 0)
        module.list_states(self.head[1], 0, empty, 0, 0, empty)
        if self.table is not None:
            module.canonical_states(image_tables(self.space.maps), empty)
            module.canonical_numbers(self.head[1], 0, empty)
            module.mark_numbers(empty, empty)
        if self.keep:
            narrow = self.space.index.dimension <= NARROW_BITS
            module.list_numbers(empty, np.zeros(0, dtype=np.uint32 if narrow else np.int64))
            module.canonical_numbers(self.head[1], 0, empty)
        if self.count_paths:
            PathCounts.warm_up(self, hands.threads[0])

    @staticmethod
    def bytes_for(space: LinearSpace, threads: int) -> int:
        """What the bitmaps take."""
        return 8 * space.words * (1 + len(space.index.origins) + threads)

    def begin(self, roots: list[Any]) -> None:
        """Take the memory of the bitmaps, and make the first layer."""
        self._check_toggles(roots)
        task, words = self.task, self.space.words
        task.reserve(self.elsewhere + self.bytes)
        self._closed = [np.zeros(words, dtype=np.int64) for _ in self.space.index.origins]
        self.layer = np.zeros(words, dtype=np.int64)
        self._hands = Hands(task, self.space, self.module, self.head, words)
        if self.table is not None and self.table.depth:
            self._read_layers(self.table)
            return
        places = {self.space.canonical(root) for root in roots}
        for side, number in sorted(place for place in places if place is not None):
            self._root_side = side
            self.layer[number >> 6] |= np.uint64(1 << (number & 63)).astype(np.int64)
        task.counters.generated += len(roots)
        found = self.module.settle(self.layer, self._closed[self._root_side], 0, words)
        if self.count_paths:
            self._counts = PathCounts(self)
            self._counts.begin(roots)
        for _ in self._enter(found):
            pass

    def _read_layers(self, table: TableWriter) -> None:
        """Go on after the layers of the table."""
        for entry in table.manifest.layers:
            self.sizes.append(entry.states)
            self.canonical_sizes.append(entry.canonical)
            rows = np.array(table.layer(len(self.sizes) - 1)).view(np.int64)
            self.module.canonical_numbers(self.head[1], self.side, rows)
            self.layer[:] = 0
            self.module.mark_numbers(self.layer, rows)
            np.bitwise_or(self._closed[self.side], self.layer, out=self._closed[self.side])
        self._note()

    def _write_layer(self, table: TableWriter) -> None:
        """Add the last complete layer to the table."""
        rows = self.rows()
        self.module.canonical_states(image_tables(self.space.maps), rows)
        words = rows.view(np.uint64)
        words.sort()
        with table.new_layer() as file:
            file.write(words)
            table.add(file, self.sizes[-1])

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
    def depth(self) -> int:
        """The number of the last complete layer."""
        return len(self.sizes) - 1

    @property
    def size(self) -> int:
        """The canonical states of the last complete layer."""
        return self.canonical_sizes[-1]

    @property
    def stored(self) -> int:
        """The canonical states of all layers."""
        return sum(self.canonical_sizes)

    @property
    def side(self) -> int:
        """The side of the last complete layer."""
        return (self._root_side + max(0, len(self.sizes) - 1)) % len(self.space.index.origins)

    def run(self, deepest: float) -> Generator[None, None, bool]:
        """Expand layer after layer; whether every state was reached."""
        try:
            return (yield from self._run(deepest))
        except GeneratorExit:  # stopped at a limit
            self.task.counters.holding(sum(self.canonical_sizes) + self.partial)
            raise

    def _run(self, deepest: float) -> Generator[None, None, bool]:
        if not self.sizes or (self.table is not None and self.table.manifest.complete):
            self._ended = True
            return True
        if self.is_enough():
            self._ended = True
            return False
        while True:
            if len(self.sizes) > deepest:
                fresh = yield from self._successors()
                closed = self._closed[self._next_side]
                more = self.module.count_new(fresh, closed)
                if not more and self._counts is not None:
                    yield from by_ranges(self.space.words, self.module.settle, fresh, closed)
                    yield from self._counts.advance(fresh, 0)
                self._ended = True
                return not more
            if not (yield from self.grow()):
                self._ended = True
                return True
            if self.is_enough():
                self._ended = True
                return False
            self.task.counters.prove(len(self.sizes))

    @property
    def _next_side(self) -> int:
        return (self.side + 1) % len(self._closed)

    def _successors(self) -> Generator[None, None, np.ndarray[Any, Any]]:
        """All successors of the last complete layer."""
        states = self.canonical_sizes[-1]
        fresh: np.ndarray[Any, Any] = yield from self._hands.successors(
            self.layer, states, self.side, self._note
        )
        return fresh

    def grow(self) -> Generator[None, None, int]:
        """Make the next layer; how many canonical states it has."""
        fresh = yield from self._successors()
        closed, words = self._closed[self._next_side], self.space.words
        found = yield from by_ranges(words, self.module.settle, fresh, closed)
        if self._counts is not None:
            yield from self._counts.advance(fresh, found)
        if found:
            self._hands.swap(self.layer)
            self.layer = fresh
            yield from self._enter(found)
        elif self.table is not None:
            self.table.finish()
        return found

    def _enter(self, found: int) -> Generator[None, None, None]:
        """Count the `found` canonical states of `layer` as the next one."""
        self.canonical_sizes.append(found)
        self.sizes.append(found)
        if len(self.space.maps) > 1:
            self.sizes[-1] = yield from by_ranges(
                self.space.words, self.module.measure, self.head[1], self.side, self.layer
            )
        if self._counts is not None:
            self._counts.enter()
        if self.table is not None:
            self._write_layer(self.table)
        if self.keep:
            self.task.reserve(self.elsewhere + self.bytes + 8 * found)
            self.kept.append(self._numbers(found))
        self._note()

    def _numbers(self, found: int) -> np.ndarray[Any, Any]:
        """The numbers of the canonical states of the last complete layer, rising."""
        narrow = self.space.index.dimension <= NARROW_BITS
        numbers = np.zeros(found, dtype=np.uint32 if narrow else np.int64)
        self.module.list_numbers(self.layer, numbers)
        return numbers

    def contains(self, states: Sequence[int], depth: int) -> list[bool]:
        """For each of some states, whether a kept layer holds it or a symmetric one."""
        if not states:
            return []
        side = (self._root_side + depth) % len(self.space.index.origins)
        rows = np.array([signed(state) for state in states], dtype=np.int64)
        self.module.canonical_numbers(self.head[1], side, rows)
        layer = self.kept[depth]
        places = np.minimum(np.searchsorted(layer, rows.astype(layer.dtype)), len(layer) - 1)
        found: list[bool] = ((layer[places] == rows) & (rows >= 0)).tolist()
        return found

    def _note(self) -> None:
        hands, counters = self._hands, self.task.counters
        expanded, generated = hands.expanded, hands.generated
        counters.expanded += expanded - self._noted[0]
        counters.generated += generated - self._noted[1]
        self._noted = expanded, generated
        counters.enter_layer(len(self.sizes) - 1, self.canonical_sizes[-1])
        if not self.elsewhere:
            stored = sum(self.canonical_sizes)
            counters.holding(stored)
            counters.waiting(self.canonical_sizes[-1])
            counters.frontier = stored - counters.expanded

    def holds(self, state: int) -> bool:
        """Whether the last complete layer holds the state or a symmetric one."""
        place = self.space.canonical(state)
        if place is None or place[0] != self.side:
            return False
        return bool(self.layer[place[1] >> 6] >> (place[1] & 63) & 1)

    @property
    def hands(self) -> Hands:
        """The threads, of which the first lends its room between layers."""
        found: Hands = self._hands
        return found

    @property
    def bytes(self) -> int:
        """What the bitmaps and the layers that are kept take."""
        kept = sum(numbers.nbytes for numbers in self.kept)
        return self.bytes_for(self.space, self.task.threads) + kept

    @property
    def partial(self) -> int:
        """How many canonical states of the layer after the last complete one were reached."""
        if self._ended or not self.sizes:
            return 0
        for other in self.hands.threads[1:]:
            self.module.merge(self.hands.fresh, other.fresh, 0, self.space.words)
        return int(self.module.count_new(self.hands.fresh, self._closed[self._next_side]))

    def farthest(self) -> Sequence[Any]:
        """The canonical states of the last layer reached."""
        partial = self.partial
        states = StoredStates(self._partial_rows(partial) if partial else self.rows())
        return tuple(states) if len(states) <= LISTED else states

    def _partial_rows(self, count: int) -> np.ndarray[Any, Any]:
        """The `count` canonical states of a layer that is not complete, as signed words."""
        side, states = self._next_side, np.zeros(count, dtype=np.int64)
        fresh = self.hands.fresh & ~self._closed[side]
        self.module.list_states(self.head[1], side, fresh, 0, self.space.words, states)
        return states

    def rows(self) -> np.ndarray[Any, Any]:
        """The canonical states of the last complete layer, as signed words."""
        states = np.zeros(self.canonical_sizes[-1] if self.sizes else 0, dtype=np.int64)
        if self.sizes:
            self.module.list_states(
                self.head[1], self.side, self.layer, 0, self.space.words, states
            )
        return states

    def paths(self) -> Paths | None:
        """The paths to all complete layers, if they were to be counted."""
        return None if self._counts is None else self._counts.result()
