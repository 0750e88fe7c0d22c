"""Numbers that lie close together, as bits: to sort them and to drop duplicates takes no more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from searchkit.bits import WORD_BITS
from searchkit.compiled.layers.kernels import marks
from searchkit.compiled.specialise.module import module_of

if TYPE_CHECKING:
    from searchkit.tables.keys import Words

LISTED = 1 << 18
"""How many numbers are listed at once."""
CLOSE = 64
"""How many numbers there may be from the first to the last for each that is set."""


@attrs.define(eq=False, repr=False)
class Marked:
    """A set of numbers from `base` on; memory for each that could be: a bit."""

    bitmap: Words
    base: int = 0
    count: int = 0
    """How many are set."""
    _module: Any = attrs.field(factory=lambda: module_of({}, (marks,)))

    @classmethod
    def below(cls, most: int) -> Marked:
        """No number, of those from 0 to before `most`."""
        return cls(np.zeros(-(-most // WORD_BITS), np.int64))

    def mark(self, numbers: Words) -> None:
        """Set numbers; `ValueError` if there is no bit for one."""
        fresh = int(self._module.mark(self.bitmap, numbers, self.base))
        if fresh < 0:
            raise ValueError(f"a number is not one of {WORD_BITS * len(self.bitmap):,}")
        self.count += fresh

    def taken(self, most: int = LISTED) -> Iterator[Words]:
        """All numbers, rising, about `most` at a time; none is set when the last are given."""
        at = np.zeros(1, np.int64)
        while self.count:
            rows = np.empty(min(self.count, most) + WORD_BITS, np.int64)
            found = int(self._module.take_marked(self.bitmap, at, self.base, rows))
            self.count -= found
            yield rows[:found]

    def merged(self, pieces: Sequence[Words]) -> Words | None:
        """Numbers of several arrays, each rising, as one; None if they do not lie close together.

        O(numbers); nothing is set before.
        """
        first = min(int(piece[0]) for piece in pieces)
        lasts = [int(piece[-1]) for piece in pieces]
        words = (max(lasts) - first) // WORD_BITS + 1
        # Words without a sign that have the highest bit rise to the end of a piece.
        if min(lasts) < 0 or words * WORD_BITS > CLOSE * sum(map(len, pieces)):
            return None
        if len(self.bitmap) < words:
            self.bitmap = np.zeros(words, np.int64)
        self.base = first
        for piece in pieces:
            self.mark(piece)
        (found,) = self.taken(self.count)
        return found


@attrs.define(eq=False, repr=False)
class MarkedWindows:
    """All numbers of a set, rising, a window at a time; there is one at least."""

    marked: Marked
    bytes: int = attrs.field(init=False)
    """What it takes, with a window."""
    _left: Iterator[Words] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._left = self.marked.taken()
        self.bytes = self.marked.bitmap.nbytes + np.dtype(np.int64).itemsize * LISTED

    @property
    def is_done(self) -> bool:
        """Whether there is no other window."""
        return not self.marked.count

    def take(self) -> tuple[Words, Words | None]:
        """The numbers of the next window, which are the caller's, and where it ends."""
        found = next(self._left)
        return found, None if self.is_done else found[-1:] + 1
