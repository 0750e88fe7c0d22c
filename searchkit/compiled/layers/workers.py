"""The threads that expand a layer kept as a bitmap: each marks a bitmap of its own.

Nothing is shared but the layer that is read, so that no thread waits for another.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import attrs
import numpy as np

from searchkit.compiled.layers.kernels.bitmaps import Info, Layer
from searchkit.compiled.layers.linear_tables import LinearSpace
from searchkit.errors import UnsuitableError
from searchkit.running.task import Run

CHUNK_WORDS = 1 << 15
"""How many words of a layer a thread takes at once."""
PASSED_WORDS = 1 << 20
BUFFER = 1024
MOST_SUCCESSORS = 1 << 16
MOST_CHAIN = 256


@attrs.define(eq=False)
class Hand:
    """One thread's successors, its place in the layer, and its room for work."""

    fresh: np.ndarray[Any, Any]
    info: np.ndarray[Any, Any]
    room: tuple[np.ndarray[Any, Any], ...]
    end: int = 0
    """Where the range that it expands ends; 0 if it has none."""

    @classmethod
    def of(cls, space: LinearSpace, words: int) -> Hand:
        """A hand for bitmaps of `words` words."""
        images, operators = len(space.maps), len(space.toggles)
        if space.chains:
            shapes: list[Any] = [BUFFER + MOST_SUCCESSORS, (MOST_CHAIN, 3), (MOST_CHAIN, images)]
        else:
            shapes = [BUFFER + operators + 1, operators + 1]
        room = tuple(np.zeros(shape, dtype=np.int64) for shape in shapes)
        return cls(np.zeros(words, dtype=np.int64), np.zeros(len(Info), dtype=np.int64), room)


@attrs.define(eq=False)
class Hands:
    """All of them, for the layers of one exploration."""

    task: Run
    space: LinearSpace
    module: Any
    head: tuple[Any, ...]
    words: int = 0
    threads: list[Hand] = attrs.field(init=False)
    _ranges: Iterator[tuple[int, int]] = attrs.field(factory=lambda: iter(()))

    @threads.default
    def _threads(self) -> list[Hand]:
        return [Hand.of(self.space, self.words) for _ in range(self.task.threads)]

    def warm_up(self) -> None:
        """Load or make the machine code."""
        nothing = self.threads[0].fresh[:0]
        self._expand(self.threads[0], nothing, 0, 0)
        self.module.merge(nothing, nothing, 0, 0)

    @property
    def expanded(self) -> int:
        """How many states were expanded so far."""
        return sum(int(hand.info[Info.EXPANDED]) for hand in self.threads)

    @property
    def generated(self) -> int:
        """How many successors they have."""
        return sum(int(hand.info[Info.GENERATED]) for hand in self.threads)

    @property
    def most_successors(self) -> int:
        """The most successors that any of them has."""
        return max(int(hand.info[Info.MOST]) for hand in self.threads)

    @property
    def fresh(self) -> np.ndarray[Any, Any]:
        """The bitmap that successors are merged in; zero between layers."""
        return self.threads[0].fresh

    def swap(self, layer: np.ndarray[Any, Any]) -> None:
        """Take the memory of a layer that is done with for the next successors."""
        self.threads[0].fresh = layer
        layer[:] = 0

    def successors(
        self, layer: np.ndarray[Any, Any], states: int, side: int, note: Callable[[], None]
    ) -> Generator[None, None, np.ndarray[Any, Any]]:
        """All successors of a layer of so many states, in `fresh`; calls `note` after each slice.

        Once all are expanded, what is yielded for is not an expansion limit until the next layer.
        """
        end = self.expanded + states
        if self.task.is_all_expanded:  # what was granted since was not for expansions
            self.task.is_all_expanded, self.task.budget = False, 0
        self._ranges = iter(
            [(at, min(at + CHUNK_WORDS, self.words)) for at in range(0, self.words, CHUNK_WORDS)]
        )
        busy = list(self.threads)
        with ThreadPoolExecutor(len(self.threads)) as pool:
            while True:
                # Those who have no work left get nothing, or the last of a budget would be theirs.
                share, rest = divmod(self.task.budget, len(busy))
                shares = [share + (i < rest) for i in range(len(busy))]
                before = self.expanded
                work = [
                    pool.submit(self._work, hand, layer, side, part)
                    for hand, part in zip(busy, shares, strict=True)
                ]
                left = [each.result() for each in work]
                busy = [hand for hand, more in zip(busy, left, strict=True) if more]
                self.task.budget -= self.expanded - before
                note()
                if not busy or self.expanded == end:
                    break
                if self.task.budget <= 0:
                    yield
        for hand in self.threads:
            hand.end = 0
        self.task.is_all_expanded = True
        yield from self._merge()
        return self.fresh

    def _work(self, hand: Hand, layer: np.ndarray[Any, Any], side: int, share: int) -> bool:
        """Expand ranges of the layer up to `share` states; whether any may be left."""
        while share > 0:
            if not hand.end:
                begin, hand.end = next(self._ranges, (0, 0))
                if not hand.end:
                    return False
                hand.info[Info.WORD], hand.info[Info.REST] = begin - 1, 0
            share -= self._expand(hand, layer, side, share)
            if share > 0:
                hand.end = 0
        return True

    def _expand(self, hand: Hand, layer: np.ndarray[Any, Any], side: int, share: int) -> int:
        module, info = self.module, hand.info
        before = int(info[Info.EXPANDED])
        if not module.expand(
            *self.head, Layer(side, layer), hand.fresh, hand.end, share, info, hand.room
        ):
            raise too_long(self.space)
        return int(info[Info.EXPANDED]) - before

    def _merge(self) -> Generator[None, None, None]:
        for other in self.threads[1:]:
            yield from by_ranges(self.words, self.module.merge, self.fresh, other.fresh)


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


def too_long(space: LinearSpace) -> UnsuitableError:
    """The error for chains without end."""
    return UnsuitableError(
        f"{type(space.base).__name__}: a state has chains of more than {MOST_CHAIN} actions, or "
        f"more than {MOST_SUCCESSORS} of them; use engine='reference'"
    )
