"""The threads that expand a layer kept as a bitmap: each marks a bitmap of its own.

Nothing is shared but the layer that is read, so that no thread waits for another.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import attrs
import numpy as np

from searchkit.compiled.layers.kernels.bitmaps import BLOCK, Info, Layer
from searchkit.compiled.layers.linear_tables import LinearSpace
from searchkit.errors import UnsuitableError
from searchkit.kernel_language.constants import signed
from searchkit.running.task import Run

CHUNK_WORDS = 1 << 15
"""How many words of a layer a thread takes at once."""
PASSED_WORDS = 1 << 20
BUFFER = 1024
MOST_SUCCESSORS = 1 << 16
MOST_CHAIN = 256


@attrs.define(eq=False, repr=False)
class Worker:
    """One thread's successors, its place in the layer, and its room for work."""

    room: tuple[np.ndarray[Any, Any], ...]
    info: np.ndarray[Any, Any] = attrs.field(factory=lambda: np.zeros(len(Info), dtype=np.int64))
    fresh: np.ndarray[Any, Any] = attrs.field(factory=lambda: np.zeros(0, dtype=np.int64))
    end: int = 0
    """Where the range that it expands ends; 0 if it has none."""


@attrs.define(eq=False, repr=False)
class Workers:
    """All of them, for the layers of one exploration."""

    task: Run
    space: LinearSpace
    module: Any
    head: tuple[Any, ...]
    """The tables of the problem and of the space, with which kernels begin."""
    threads: list[Worker] = attrs.field(init=False)
    _ranges: Iterator[tuple[int, int]] = attrs.field(init=False, factory=lambda: iter(()))

    def __attrs_post_init__(self) -> None:
        self.threads = [Worker(_room(self.space)) for _ in range(self.task.threads)]
        # There is nothing to expand yet, but its machine code is loaded before the search begins.
        self._expand(self.threads[0], Layer(0, self.fresh, self.every_block()), 0)

    def begin(self) -> None:
        """Take the memory of the bitmaps."""
        for worker in self.threads:
            worker.fresh = np.zeros(self.space.words, dtype=np.int64)

    def turned(self, space: LinearSpace) -> Workers:
        """Others for steps in the other direction, which `space` says, with the same bitmaps."""
        other = Workers(self.task, space, self.module, (self.head[0], space.tables()))
        for mine, its in zip(self.threads, other.threads, strict=True):
            its.fresh = mine.fresh
        return other

    def release(self) -> None:
        """Give up the bitmaps."""
        for worker in self.threads:
            worker.fresh = worker.fresh[:0].copy()

    def canonical_numbers(self, side: int, states: Sequence[int]) -> np.ndarray[Any, Any]:
        """The canonical numbers of states of a side, -1 for those that are not on it."""
        rows = np.array([signed(state) for state in states], dtype=np.int64)
        self.module.canonical_numbers(self.head[1], side, rows)
        return rows

    def sum(self, count: Info) -> int:
        """The sum of a count of all threads, so far."""
        return sum(int(worker.info[count]) for worker in self.threads)

    @property
    def most_successors(self) -> int:
        """The most successors that any state so far has."""
        return max(int(worker.info[Info.MOST]) for worker in self.threads)

    @property
    def fresh(self) -> np.ndarray[Any, Any]:
        """The bitmap that successors are merged in; zero between layers."""
        return self.threads[0].fresh

    def every_block(self) -> np.ndarray[Any, Any]:
        """That all blocks of words may have states."""
        return np.ones(-(-self.space.words // BLOCK), dtype=np.uint8)

    def lend(self, layer: Layer) -> None:
        """Take the memory of a layer that is done with for the next successors."""
        self.module.clear(layer)
        self.threads[0].fresh = layer.bitmap

    def merge(self) -> None:
        """Add the successors that the other threads found to `fresh`."""
        for other in self.threads[1:]:
            np.bitwise_or(self.fresh, other.fresh, out=self.fresh)
            other.fresh[:] = 0

    def expand(self, layer: Layer, states: int) -> Generator[None, None, None]:
        """Mark all successors of a layer of that many states in `fresh`; pauses when it may.

        Once all are expanded, what is yielded for is not an expansion limit until the next layer.
        """
        task, counters, words = self.task, self.task.counters, self.space.words
        end = self.sum(Info.EXPANDED) + states
        task.is_all_expanded = False
        self._ranges = iter(
            [(at, min(at + CHUNK_WORDS, words)) for at in range(0, words, CHUNK_WORDS)]
        )
        busy = list(self.threads)
        with ThreadPoolExecutor(len(self.threads)) as pool:
            while True:
                # Only busy workers get a share: what is given to an idle one is not spent.
                share, rest = divmod(task.budget, len(busy))
                shares = [share + (i < rest) for i in range(len(busy))]
                expanded, generated = self.sum(Info.EXPANDED), self.sum(Info.GENERATED)
                run = pool.map if len(busy) > 1 else map  # a thread is not started for one
                left = list(run(self._work, busy, [layer] * len(busy), shares))
                busy = [worker for worker, more in zip(busy, left, strict=True) if more]
                expanded = self.sum(Info.EXPANDED) - expanded
                task.budget -= expanded
                counters.expanded += expanded
                counters.generated += self.sum(Info.GENERATED) - generated
                if not busy or self.sum(Info.EXPANDED) == end:
                    break
                if task.budget <= 0:
                    yield
        for worker in self.threads:
            worker.end = 0
        task.is_all_expanded = True
        self.merge()

    def _work(self, worker: Worker, layer: Layer, share: int) -> bool:
        """Expand ranges of the layer up to `share` states; whether any may be left."""
        while share > 0:
            if not worker.end:
                begin, worker.end = next(self._ranges, (0, 0))
                if not worker.end:
                    return False
                worker.info[Info.WORD], worker.info[Info.REST] = begin - 1, 0
            share -= self._expand(worker, layer, share)
            if share > 0:
                worker.end = 0
        return True

    def _expand(self, worker: Worker, layer: Layer, share: int) -> int:
        info = worker.info
        before = int(info[Info.EXPANDED])
        if not self.module.expand(
            *self.head, layer, worker.fresh, worker.end, share, info, worker.room
        ):
            raise too_long(self.space)
        return int(info[Info.EXPANDED]) - before


def _room(space: LinearSpace) -> tuple[np.ndarray[Any, Any], ...]:
    """Room for the successors of states, and for chains of steps or the operators of a state."""
    images, operators = len(space.maps), len(space.toggles)
    shapes: list[Any] = [BUFFER + operators + 1, operators + 1]
    if space.chains:
        shapes = [BUFFER + MOST_SUCCESSORS, (MOST_CHAIN, 3)]
    room = tuple(np.zeros(shape, dtype=np.int64) for shape in shapes)
    if space.chains:
        return *room, np.zeros(MOST_CHAIN * images, dtype=space.image_type)
    return room


def by_ranges(
    words: int, function: Callable[..., Any], *arguments: Any
) -> Generator[None, None, int]:
    """The sum of what `function` gives for all ranges of words; pauses between them."""
    total = 0
    for begin in range(0, words, PASSED_WORDS):
        total += function(*arguments, begin, min(begin + PASSED_WORDS, words)) or 0
        if begin:
            yield
    return total


def are_among(rows: np.ndarray[Any, Any], numbers: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """For each of `rows`, whether it is one of some rising numbers."""
    if not len(numbers):
        return np.zeros(len(rows), dtype=bool)
    places = np.minimum(np.searchsorted(numbers, rows.astype(numbers.dtype)), len(numbers) - 1)
    found: np.ndarray[Any, Any] = (numbers[places] == rows) & (rows >= 0)
    return found


def too_long(space: LinearSpace) -> UnsuitableError:
    """The error for chains without end."""
    return UnsuitableError(
        f"{type(space.base).__name__}: a state has chains of more than {MOST_CHAIN} actions, or "
        f"more than {MOST_SUCCESSORS} of them; use engine='reference'"
    )
